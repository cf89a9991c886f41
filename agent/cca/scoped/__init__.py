"""Demands on parts of an answer: which part (scopes), what it satisfies (predicates), forms shown by an example."""
