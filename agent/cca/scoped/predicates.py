"""What is said of a part: how it begins and ends, how long it is, what it holds, how it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.demand import demand
from agent.cca.grammar.polarity import denials
from agent.cca.quoted import quoted_terms
from agent.cca.scoped.edges import edge
from agent.cca.scoped.holds import holds
from agent.cca.scoped.numbers import numbers
from agent.cca.scoped.text import Text

_I = re.IGNORECASE
HEDGED = re.compile(
    r"\b(?:unless|except|apart from|other than|besides|excluding|not counting|if|when|whenever|where"
    r"|wherever|until|while"
    r"|optional\w*|ideally|prefer\w*|usually|generally|normally|as (?:needed|appropriate|necessary)|possible"
    r"|appropriate|necessary|rather than|instead of|some|(?<!at )(?<!the )(?<!very )most|not all|(?-i:may)"
    r"|can|could|might|only)\b",
    _I,
)
_CUT = re.compile(
    r",? (?:and|but) (?:(?:it|they|each|all) )?(?=(?:must|should|shall|may|can|do|does|is|are|has|have"
    r"|never|not|no|end\w*"
    r"|start\w*|begin\w*|contain\w*|carr\w+|use\w*|at most|at least|exactly|without|with|keep|hold\w*"
    r"|run\w*|stay\w*|consist\w*"
    r"|fit\w*|name\w*|give\w*|include\w*|close\w*|open\w*|in|under|fewer|less|ask\w*|sit\w*|stand\w*"
    r"|take\w*|read\w*)\b)"
    r"|[,;] (?=(?:no|not|never|without|with no|at most|at least|exactly|max\.?|maximum|ending|starting"
    r"|beginning|ends?|starts?"
    r"|begins?|all|in|each|a maximum|up to|under|has|have|is|are|must|should|does|do|one|two|three|\d)\b)",
    _I,
)
_IDLE = re.compile(
    r"(?:(?:is|are) (?:one|a single|a) (?:bullet|line|item|entry|list item)|one per line|on one line each"
    r"|in total|altogether|at all times|please|split it otherwise|otherwise split (?:it|them)"
    r"|always|the (?:list|sign-off|title|heading) included|including spaces|spaces included|clear|plain"
    r"|short|brief|concise)[^\w§]*",
    _I,
)
_SINGLE = re.compile(
    r"(?:(?:must |should |always )*(?:is|are|be)) (?:one|an?|a single"
    r"|exactly one) (?:\w+ ){0,2}?(?:question|sentence|line|phrase|noun phrase|paragraph|bullet|clause"
    r"|statement|title|imperative|list) (?=(?:of|with|that (?:has|is|ends|starts)|in|which"
    r"|without)\b)(?:of |that |which )?",
    _I,
)
_ONLY = re.compile(r",? only[^\w§]*$", _I)
_MAX_CHARS = 300


@dataclass(frozen=True, slots=True)
class Read:
    """``whole``: nothing of the predicate was left unread."""

    check: Any
    whole: bool


def predicate(text: Text, denied: bool = False, kind: str = "") -> Read | None:
    """The check of a part's text. Of a conjunction, the halves that are understood, where the others hedge nothing.

    Args:
        denied: The scope was denied ("No step is …").
        kind: Which part it is said of.
    """
    only = _ONLY.search(text.masked)
    text = text.cut(0, only.start() if only else None)
    if not text.masked or len(text.masked) > _MAX_CHARS:
        return None
    if HEDGED.search(re.sub(r"\b(?:may|can|must) (?:not|never)\b|\bcannot\b|\bnot only\b", " ", text.masked)):
        return None
    single = _SINGLE.match(text.masked)
    if single and not denied:
        text = text.cut(single.end())
    whole = one(text, denied, kind)
    if whole is not None:
        return Read(whole, True)
    if denied:
        return None
    parts, at = [], 0
    for cut in _CUT.finditer(text.masked):
        parts.append(text.cut(at, cut.start()))
        at = cut.end()
    parts.append(text.cut(at))
    if len(parts) < 2:
        return None
    return _together(parts, kind)


def _together(parts: list[Text], kind: str) -> Read | None:
    """Each part by itself; one that is not understood may belong to the one before it."""
    checks: list[Any] = []
    unread = 0
    for at, part in enumerate(parts):
        idle = _IDLE.fullmatch(part.masked) is not None
        made = None if idle else one(part, False, kind)
        if made is not None:
            checks.append(made)
        elif not idle:
            unread += 1
            if not at:
                return None  # what the first says may decide of what the others are said
    if not checks:
        return None
    return Read(checks[0] if len(checks) == 1 else c.AllOf(checks=tuple(checks)), not unread)


def one(text: Text, denied: bool, kind: str) -> Any | None:
    """A predicate without further ones."""
    if kind in ("bullet", "step", "list_item") and _MARKER.search(text.masked):
        return None
    try:
        made = edge(text, denied, kind) or holds(text, denied, kind) or numbers(text, denied, kind, one)
    except ValueError:  # more than a check may hold
        return None
    if made is not None:
        return made
    raw = f"not {text.raw}" if denied else text.raw
    raw = re.sub(r"^(?:which|that) ", "", raw)
    raw = _OVER.sub(lambda match: f"{match['aux'] or ''}{match['how']}", raw, count=1)
    raw = _EXCEEDS.sub(lambda match: f"{match['aux'] or ''}more than ", raw, count=1)
    if _HEADLESS.match(raw) and denials(raw) == 0:
        return None
    read = demand(raw, quoted_terms(raw))
    return read.check if read.whole and _fits(read.check) else None


_EXCEEDS = re.compile(r"^(?P<aux>not |must not |may not |should not |never |must never |cannot )?exceeds? (?=\w)", _I)
_MARKER = re.compile(r"\b(?:hyphens?|dash(?:es)?|asterisks?|stars?|markers?|numbered lists?|bullets)\b", _I)
"""Of list items the marker may be meant."""
_OVER = re.compile(
    r"(?P<aux>(?:not |must not |may not |should not |never |must never )?)(?:runs?|goes|go|gets?|extends?"
    r"|stretch(?:es)?) (?:to )?(?P<how>over|beyond|longer than|more than|at most|no more than"
    r"|no longer than|under)\b",
    _I,
)
_HEADLESS = re.compile(r"(?:a|an|the) (?:short|brief|clear|concise)\b", _I)
_OF_ANSWERS = frozenset(
    {"valid", "schema", "keys", "property", "table", "sections", "language", "numeric", "python_code", "sql"}
)


def _fits(check: Any) -> bool:
    """Whether the check can be one of a part: a text is counted, searched, or compared."""
    inner = getattr(check, "checks", None)
    if inner is not None:
        return all(_fits(each) for each in inner)
    return check.op not in _OF_ANSWERS and getattr(check, "within", "answer") in ("answer", "prose")
