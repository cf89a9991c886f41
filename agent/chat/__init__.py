"""The conversation behind ``contextc chat``: turns, follow-up questions, commands, transcripts read again."""
