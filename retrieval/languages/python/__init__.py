"""Python, read with tree-sitter-python."""
