"""Demands on the fields of an answer that is data: what a field holds, when, and which fields there are."""
