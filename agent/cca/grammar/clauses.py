"""A sentence in clauses, without politeness, labels, reasons and examples: what is left is read whole or not at all."""

from __future__ import annotations

import re

from agent.cca.grammar.light import OPENING, POLITE, REASON, SHOWN
from agent.cca.grammar.polarity import denials

_I = re.IGNORECASE
_BOUND = (
    r"(?:be )?(?:\w+ )?(?:more|fewer|less|longer|shorter|greater|larger|smaller|exceed\w*|over|above|below|under)\b"
)
_DENIAL = (
    rf"(?:(?:do|must|should|shall|may|can|is|are) not|(?:do|must|should|can)n['’]t|don['’]t|never|not|no|without"
    rf"|avoid(?:ing)?|omit"
    rf"|exclude|skip|refrain|leave out)\b(?! {_BOUND})"
)
_SPLIT = re.compile(
    rf"(?:\s?[,;.:(–—]|\s-)\s?(?:and |or |but |also |please |with )*(?={_DENIAL})|\s(?:and|but|with)\s(?:please "
    rf"|also |absolutely )?(?={_DENIAL})"
    r"|,? but (?=(?:do|please|always|instead|use|include|add) )|[;.]\s+|\)\s*$",
    _I,
)
_ALONE = re.compile(r"(?:no|none|never|not (?:allowed|permitted|ok|wanted|accepted))", _I)
_WITHOUT = re.compile(
    r"(?:\w+ )?(?:write|return|output|give|provide|generate|create|produce|print|show|respond with|reply with"
    r"|respond in) (?:\S+ ){1,6}?(?=without )",
    _I,
)
NO_BOUND = re.compile(rf"\b(?:no|not|never|nor|n['’]t|without)(?: to)? {_BOUND}", _I)


_DEMANDS = re.compile(
    r"§|\d|\b(?:keys?|fields?|columns?|sections?|must|should|shall|not|never|no|only|use|include|write|answer"
    r"|respond|return|output)\b",
    _I,
)
_FREE = re.compile(r"\b(\w{3,20})-free\b", _I)
_PS = re.compile(r"\bP\. ?S\.?(?=\s|$|[,;)])|\bP\. ?P\. ?S\.?")


def bared(text: str) -> tuple[str, bool]:
    """The demand alone, and whether what was cut off as a reason may demand something, too. Quoted terms are masked."""
    text = _FREE.sub(r"free of \1", _PS.sub("postscript", text))
    text = SHOWN.sub(" ", text)
    text = POLITE.sub(" ", text)
    text = OPENING.sub("", text.strip(" \t-*•|"))
    text = POLITE.sub(" ", text)
    reason = REASON.search(text)
    more = reason is not None and _DEMANDS.search(reason[0]) is not None
    return " ".join(REASON.sub(" ", text).split()).strip(" ,;:|!"), more


def _halves(piece: str) -> list[str]:
    """``Return the title without quotes``: what is given, and without what."""
    found = _WITHOUT.match(piece)
    return [piece[: found.end()], piece[found.end() :]] if found and not denials(found[0]) else [piece]


def clauses(text: str) -> list[str]:
    """Cut before each further denial, and at semicolons."""
    pieces = [half for piece in _SPLIT.split(text) for half in _halves(piece)]
    parts = [part for part in (piece.strip(" ,;:.!()") for piece in pieces) if part]
    alone = parts[1:] and _ALONE.fullmatch(parts[-1]) is not None  # "Emoji: no"
    return [*parts[:-2], f"{parts[-2]}: {parts[-1]}"] if alone else parts
