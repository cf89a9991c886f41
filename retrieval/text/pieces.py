"""Text cut into pieces, each a token or a few with points around them: many times faster than matching tokens."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.text.terms import index_terms, terms_of, tokens_of

# ASCII text is cut at every sign but the point; what a token is in such a piece (``a..b``, ``end.``) is asked once for
# each piece.
_ASCII_PIECES = bytes(code if code < 128 and (chr(code).isalnum() or chr(code) in "_.") else 32 for code in range(256))


def pieces_of(text: str) -> list[str]:
    """The pieces of ``text``, in order; their terms are those of the text."""
    if text.isascii():
        return text.encode("ascii").translate(_ASCII_PIECES).decode("ascii").split()
    return tokens_of(text)


def terms_of_piece(piece: str) -> Sequence[str]:
    """The terms of a piece, in order, with repetitions."""
    return index_terms(piece) if "." in piece else terms_of(piece)
