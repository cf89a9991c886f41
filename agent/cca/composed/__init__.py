"""Sentences put together from halves that are known: what an answer is called, lists of words, places, conditions."""
