"""Languages: one module each, which turns the text of a file into chunks, symbols and raw references."""
