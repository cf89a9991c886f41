"""The lexical leg: an inverted index in SQLite, scored by BM25F."""
