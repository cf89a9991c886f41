"""Grounded answers: composed or generated from a context pack, then checked against it sentence by sentence."""
