"""Chunking that knows no language: lines, windows and sections."""
