"""Counting tokens: tiktoken's vocabularies without a network, and cheap upper bounds without tiktoken."""
