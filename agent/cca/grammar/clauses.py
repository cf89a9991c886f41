"""A sentence in clauses, each without politeness, labels, reasons and examples: what is left is read whole or not at all."""

from __future__ import annotations

import re

from agent.cca.grammar.light import OPENING, POLITE, REASON, SHOWN

_I = re.IGNORECASE
_BOUND = r"(?:be )?(?:\w+ )?(?:more|fewer|less|longer|shorter|greater|larger|smaller|exceed\w*|over|above|below|under)\b"
_DENIAL = (
    rf"(?:(?:do|must|should|shall|may|can|is|are) not|(?:do|must|should|can)n['’]t|don['’]t|never|not|no|without|avoid(?:ing)?|omit"
    rf"|exclude|skip|refrain|leave out)\b(?! {_BOUND})"
)
_SPLIT = re.compile(
    rf"(?:\s?[,;.:(–—]|\s-)\s?(?:and |or |but |also |please |with )*(?={_DENIAL})|\s(?:and|but|with)\s(?:please |also |absolutely )?(?={_DENIAL})"
    r"|[;.]\s+|\)\s*$",
    _I,
)
NO_BOUND = re.compile(rf"\b(?:no|not|never|nor|n['’]t|without)(?: to)? {_BOUND}", _I)


def bared(text: str) -> str:
    """The demand alone. Quoted terms are to be masked before."""
    text = SHOWN.sub(" ", text)
    text = POLITE.sub(" ", text)
    text = OPENING.sub("", text.strip(" \t-*•|"))
    text = POLITE.sub(" ", text)
    return " ".join(REASON.sub(" ", text).split()).strip(" ,;:|!")


def clauses(text: str) -> list[str]:
    """Cut before each further denial, and at semicolons."""
    return [part for part in (piece.strip(" ,;:.!()") for piece in _SPLIT.split(text)) if part]
