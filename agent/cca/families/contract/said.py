"""What a sentence names beside its slots: a field, tags, a delimiter, a template; and patterns for whole answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots

_I = re.IGNORECASE
_KEY = re.compile(r"[A-Za-z_$@][\w.$-]{0,60}(?:\[\])?")
_NOUN = (
    r"(?:fields?|keys?|propert(?:y|ies)|attributes?|columns?|entry|member|parameter|element|array|list|object|string)"
)
_OTHER_WORDS = """
    each every its their the a an any all no this that these those such json yaml csv xml output answer response reply
    result string number integer boolean array list object value key field property attribute named called
    required mandatory optional only single first last same other extra additional top level must should has have is are
    be to of in for and or not free short long empty given following more two three four five whole nested date numeric
    character one
"""
_NO_NAMES = frozenset(_OTHER_WORDS.split())
_BEFORE = re.compile(
    rf"\b(?:the|each|every|its|a|an|your|our|in|of|for|under|json)\s+([A-Za-z_]\w{{1,40}})(?:'s)?\s+{_NOUN}\b", _I
)
_OPENING = re.compile(
    r"(?:in |for |with )?(?:the|each|every) ([A-Za-z_]\w{1,40}) (?:field|key|property|attribute)\b", _I
)
_AFTER = re.compile(
    r"\b(?:field|key|property|attribute|column),? (?:called|named|of name) ([A-Za-z_]\w{1,40})\b"
    r"|\b(?:in|of|for|under|into) the (?:json )?(?:field|key|property|attribute) ([A-Za-z_]\w{1,40})\b",
    _I,
)
_UNDER = re.compile(r"\b(?:value|values|content|contents) (?:of|for|in|under) (?:the )?([A-Za-z_]\w{1,40})\b", _I)
_TAG = re.compile(r"<(/?)([A-Za-z][\w-]{0,40})\s*(/?)>")
_IN_QUOTES = "[\"'`“”‘’]{0,2}"
_DELIMITERS = (
    (r"semi-?colons?", ";"),
    (r"\btabs?\b|\btsv\b|\\t|tab-separated|tabulator", "\t"),
    (r"\bpipes?\b|vertical bars?", "|"),
    (r"\bcommas?\b|comma-separated", ","),
    (r"\bcolons?\b", ":"),
)


def told(id_: str, says: str, make: Callable[[Slots], Any | None], *, bounded: bool = False) -> Family:
    """A family of which what is quoted is a part."""
    return Family(id_, says, make, bounded=bounded, takes_terms=True)


def field_of(slots: Slots) -> str:
    """The key that a sentence speaks of: quoted beside a noun or spelled like one, else the word before "field"."""
    if has_places(slots):
        return ""
    keys = [term for term in slots.terms if _KEY.fullmatch(term)]
    for term in keys:
        shown = _IN_QUOTES + re.escape(term) + _IN_QUOTES
        if re.search(
            rf"{shown} {_NOUN}\b|\b{_NOUN}:? (?:called |named )?{shown}|\bvalues? (?:of|for|in|under) (?:the )?{shown}"
            rf"|\b(?:allowed|invalid|valid|permitted|possible|accepted|refused) (?:for|in|as|under) (?:the )?{shown}",
            slots.text,
            _I,
        ):
            return term
    opening = _OPENING.match(slots.text)
    if opening and opening[1].lower() not in _NO_NAMES:
        return opening[1]
    if keys and slots.terms[0] == keys[0]:
        return keys[0]
    for pattern in (_BEFORE, _AFTER, _UNDER):
        for found in pattern.finditer(slots.text):
            name = str(next(filter(None, found.groups())))
            if name.lower() not in _NO_NAMES:
                return name
    return keys[0] if keys else ""


def values_of(slots: Slots, field: str) -> tuple[str, ...]:
    """The terms beside the field; where there are none what is enumerated."""
    rest = tuple(term for term in slots.terms if term != field)
    return rest or tuple(item for item in slots.listed if item != field)


def tags_of(slots: Slots) -> tuple[str, ...]:
    """Names of tags in order, each once; closing tags name no other."""
    found = [match[2] for match in _TAG.finditer(slots.text)]
    if not found and "[" in slots.text:
        return ()
    if not found and re.search(r"\b(?:tags?|elements?|xml|html|attributes?)\b", slots.text, _I):
        bare = [term.strip("</> ") for term in slots.named]
        found = (
            [name for name in bare if re.fullmatch(r"[A-Za-z][\w-]{0,40}", name)]
            if len(bare) == len(slots.named)
            else []
        )
    if not found:
        named = re.search(r"\b(?:an?|the) ([a-z]\w{1,30}) (?:tag|element)s?\b", slots.text, _I)
        found = [named[1]] if named and named[1].lower() not in _NO_NAMES | {"xml", "html", "root", "opening"} else []
    return tuple(dict.fromkeys(found))


_REFUSED_SIGN = re.compile(
    r"\b(?:not|never|rather than|instead of) (?:(?:by|with|on|at|an?|the) )*"
    r"(?:commas?|semi-?colons?|tabs?|pipes?|spaces?)\b",
    _I,
)


def delimiter_of(slots: Slots) -> str:
    """The sign that is named, what it is to be used instead of aside."""
    for term in slots.terms:
        if term in (";", "|", ",", "\\t", ":"):
            return "\t" if term == "\\t" else term
    text = _REFUSED_SIGN.sub(" ", slots.text)
    for words, sign in _DELIMITERS:
        if re.search(words, text, _I):
            return sign
    return ""


def whole(pattern: str, finds: str = "") -> Any:
    """The whole answer is of the pattern."""
    return c.Matches(pattern=rf"\A\s*(?:{pattern})\s*\z", finds=finds)


def never(pattern: str, finds: str, within: Any = "answer") -> Any:
    return c.Matches(pattern=pattern, least=0, most=0, finds=finds, within=within)


def both(*checks: Any) -> Any:
    return c.AllOf(checks=checks)


def has(slots: Slots, words: str) -> bool:
    """Whether the sentence has one of the words."""
    return re.search(rf"\b(?:{words})\b", slots.text, _I) is not None


def has_places(slots: Slots) -> bool:
    """Whether it holds places that a program fills in (``{keys}``), or is torn out of brackets."""
    text = slots.text
    return re.search(r"\{\{?\s*[A-Za-z_][^{}\n\"']*\}", text) is not None or text.count("(") != text.count(")")


def where(words: str, make: Callable[[Slots], Any | None], unless: str = "") -> Callable[[Slots], Any | None]:
    """A check only where the sentence has one of the words, and none of those of ``unless``."""

    def made(slots: Slots) -> Any | None:
        fits = (
            re.search(rf"\b(?:{words})\b", slots.whole, _I)
            and not (unless and has(slots, unless))
            and not has_places(slots)
        )
        return make(slots) if fits else None

    return made


def named(make: Callable[[tuple[str, ...]], Any], least: int = 1, most: int = 100) -> Callable[[Slots], Any | None]:
    """A check of the terms, where there are as many as are needed."""
    return lambda slots: make(slots.named) if least <= len(slots.named) <= most else None


def always(check: Callable[[], Any]) -> Callable[[Slots], Any | None]:
    return lambda slots: check()


def of_field(make: Callable[[str, Slots], Any | None]) -> Callable[[Slots], Any | None]:
    """A check of the one field that is named."""

    def made(slots: Slots) -> Any | None:
        field = field_of(slots)
        return make(field, slots) if field else None

    return made


def alternatives(terms: tuple[str, ...]) -> str:
    return "|".join(re.escape(term) for term in sorted(terms, key=len, reverse=True))


def any_case(slots: Slots) -> str:
    """ "(?i)", unless the sentence speaks of capitals, of lower case, or of spelling."""
    exact = re.search(
        r"\b(?:capitals?|caps|upper-?case|lower-?case|case|exact(?:ly)?|verbatim|as (?:written|shown|spelled))\b",
        slots.text,
        _I,
    )
    return "" if exact else "(?i)"
