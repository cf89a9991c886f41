"""What the families of words share: checks of a pattern, patterns of terms, where in the answer a rule looks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots

_I = re.IGNORECASE
QUOTE_OPENS = r"[\s*_#>\"“‘'`(\-]*"
_PLACES: tuple[tuple[str, Any], ...] = (
    (r"head(?:ing|er)s?|section titles?", c.Part(kind="heading")),
    (r"headlines?|titles?", c.Part(kind="title")),
    (r"subject(?: lines?)?", c.Part(kind="subject")),
    (r"bullets?(?: points?)?|list (?:items?|entries)|lists", c.Part(kind="list_item")),
    (r"(?:very )?(?:first|opening|lead) sentence", c.Part(kind="sentence", nth=1)),
    (r"(?:very )?(?:last|closing|final|concluding) sentence", c.Part(kind="sentence", nth=-1)),
    (r"(?:very )?(?:first|opening|top) line", c.Part(kind="line", nth=1)),
    (r"(?:very )?(?:last|closing|final|bottom) line", c.Part(kind="line", nth=-1)),
    (r"(?:very )?(?:first|opening|introductory|intro) paragraph|intro(?:duction)?|lead",
     c.Part(kind="paragraph", nth=1)),
    (r"second paragraph", c.Part(kind="paragraph", nth=2)),
    (r"(?:very )?(?:last|closing|final|concluding) paragraph", c.Part(kind="paragraph", nth=-1)),
    (r"(?:each|every|any|all(?: the)?) (?:single )?paragraphs?", c.Part(kind="paragraph")),
    (r"(?:each|every|any|all(?: the)?) (?:single )?sentences?", c.Part(kind="sentence")),
)  # fmt: skip
_AT = r"\b(?:in|inside|within|into|on|of|from|to|throughout)\b (?:(?:the|your|our|any|all|an?|its|one|this) )*"
_PLACED = tuple((re.compile(rf"{_AT}(?:{words})(?![\w-])", _I), part) for words, part in _PLACES)
_SUBJECT = tuple(
    (re.compile(rf"^(?:(?:the|your|our|any|all|an?|no) )*(?:{words})(?![\w-])(?! (?:of|with|without|that))", _I), part)
    for words, part in _PLACES
)
_UNKNOWN = re.compile(
    r"\b(?:in|inside|within|on|of|at (?:the )?(?:end|start|beginning) of) (?:(?:the|your|our|any|all|its|each"
    r"|every) )*(?:code|table|cell|caption|link text|alt text|file ?names?|url|key|field|comment|quote(?! marks?)"
    r"|quotation(?! marks?)"
    r"|footnote|signature|column|row|label|button|variable|example|log|option|section)s?\b"
    r"|\b(?:commits|commit (?:message|title|subject|body)s?|(?:ticket|docstring|variable|function|tool call)s?)\b",
    _I,
)


def none(pattern: str, finds: str, within: Any = "prose") -> Any:
    """The check that RE2 ``pattern`` is nowhere found."""
    return c.Matches(pattern=pattern, least=0, most=0, within=within, finds=finds)


def some(pattern: str, finds: str, least: int | None = 1, most: int | None = None, within: Any = "prose") -> Any:
    """The check that it is found so often."""
    return c.Matches(pattern=pattern, least=least or 0, most=most, within=within, finds=finds)


def all_of(checks: list[Any]) -> Any | None:
    """One check that holds where all do; None of none."""
    if len(checks) < 2:
        return checks[0] if checks else None
    return c.AllOf(checks=tuple(checks))


def never(
    id: str, says: str, pattern: str, finds: str, within: Any = "prose", terms: bool = False, parts: bool = True
) -> Family:
    """A family that refuses a pattern, whatever the slots; ``parts``: in the part that the sentence names."""

    def make(s: Slots) -> Any | None:
        check = none(pattern, finds, within)
        return placed(s, check) if parts and within != "answer" else check

    return Family(id, says, make, takes_terms=terms)


def wants(id: str, says: str, pattern: str, finds: str, within: Any = "prose", terms: bool = False) -> Family:
    """A family that demands a pattern, whatever the slots."""
    return Family(id, says, lambda s: some(pattern, finds, within=within), takes_terms=terms)


def counted(id: str, says: str, pattern: str, finds: str, within: Any = "prose", terms: bool = False) -> Family:
    """A family that bounds how often a pattern is found."""
    return Family(id, says, lambda s: some(pattern, finds, s.least, s.most, within), bounded=True, takes_terms=terms)


def whole(id: str, says: str, make: Callable[[], Any], terms: bool = False) -> Family:
    """A family with a check of its own, whatever the slots."""
    return Family(id, says, lambda s: make(), takes_terms=terms)


def place(text: str) -> Any | None:
    """The part of the answer that the sentence speaks of; None for all of it.

    Raises:
        ValueError: A part that is not known.
    """
    for pattern, part in (*_PLACED, *_SUBJECT):
        if pattern.search(text):
            return part
    if _UNKNOWN.search(text):
        raise ValueError("a part that is not known")
    return None


def placed(s: Slots, check: Any) -> Any | None:
    """The check, of the part that the sentence names; None where it names one that is not known."""
    try:
        part = place(bare(s.text))
    except ValueError:
        return None
    if part is None:
        return check
    inner = check.model_copy(update={"within": "answer"}) if hasattr(check, "within") else check
    return c.Each(part=part, check=inner)


_SHOWN = re.compile(r"\"[^\"\n]{0,200}\"|“[^”\n]{0,200}”|`[^`\n]{0,200}`|(?<!\w)'[^'\n]{1,200}'(?!\w)")


def bare(text: str) -> str:
    """The sentence without what it quotes."""
    return _SHOWN.sub(" § ", text)


def spelled(term: str, gap: str = r"\s+") -> str:
    """RE2 of the term as a word of its own."""
    shown = gap.join(re.escape(word) for word in term.split())
    before = r"\b" if re.match(r"[A-Za-z0-9_]", term) else ""
    after = r"\b" if re.search(r"[A-Za-z0-9_]\Z", term) else ""
    return f"{before}{shown}{after}"


def either(terms: tuple[str, ...], gap: str = r"\s+") -> str:
    return "(?:" + "|".join(spelled(term, gap) for term in terms) + ")"
