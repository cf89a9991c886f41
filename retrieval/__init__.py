"""Retrieval: from a source tree and a question to a context pack. Imports neither ``agent`` nor ``harness``."""
