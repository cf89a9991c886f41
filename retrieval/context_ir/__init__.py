"""Context IR: evidence and conversation in fewer tokens, exactly recoverable, only when the whole request shrinks."""
