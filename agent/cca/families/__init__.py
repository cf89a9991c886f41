"""Demands by family: what a sentence demands is told by a trained classifier, how much and of what by its slots."""
