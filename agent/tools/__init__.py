"""Read-only tools over an index, for a model or another program: typed arguments in, bounded text and evidence out."""
