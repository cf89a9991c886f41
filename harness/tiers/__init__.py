"""Ways of choosing the context for a question, from fixed windows to the compiler, behind one protocol."""
