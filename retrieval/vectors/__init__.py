"""The vector leg: one interface, an exact matrix and Chroma behind it."""
