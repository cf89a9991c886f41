"""The names of fields in a sentence: quoted, with a noun ("the score field"), or spelled like an identifier."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.cca.quoted import Quoted

_I = re.IGNORECASE
NOUN = (
    r"(?:fields?|keys?|propert(?:y|ies)|attributes?|values?|elements?|members?|entry|objects?|arrays?|lists?"
    r"|flags?)"
)
_HOLDER = (
    r"(?: (?:of|in|inside|within) (?:the |your |each |every |its )?(?:final |output |top-level |resulting "
    r"|returned )?"
    r"(?:json(?: (?:object|output|response|data|document|array))?|output|response|answer|objects?|result|reply|root"
    r"|entry|entries|items?|elements?|records?|schema)\b)?"
)
_NAME = re.compile(
    rf"(?:(?:the|your|each|every|its|a|an|any|all|both) )?(?:json )?(?:(?:value|values|content|contents) (?:of|for"
    rf"|in|under)"
    rf" (?:the |each |every )?)?(?:json |top-level )?(?:(?P<before>(?:field|key|property|attribute|column))"
    rf" )?(?:called |named )?"
    rf"(?:§|(?P<bare>[A-Za-z_]\w{{0,40}}(?:\.[A-Za-z_]\w{{0,40}}){{0,3}}))(?:\[\])?(?:"
    rf" (?P<after>{NOUN})(?![\w-]))?{_HOLDER}",
    _I,
)
_KEY = re.compile(r"[A-Za-z_$@][\w.$-]{0,60}(?:\[\])?(?: [\w-]{1,30}){0,3}")
_IDENTIFIER = re.compile(r"[a-z]+[a-z0-9]*(?:_[a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]*)+")
_NOT_NAMES = """
    answer answers response responses output outputs reply replies it this that they there you must should shall
    can may will has have is are do does never always only root top level json yaml xml csv fields keys objects arrays
    lists not and or
    everything nothing all any each every one no the a an input inputs question questions user users format formats
    language prose code sentence sentences word words
"""
_NO_NAMES = frozenset(_NOT_NAMES.split())


@dataclass(frozen=True, slots=True)
class Name:
    """``sure``: quoted, named a field, or spelled like one. ``parent``: the key under which it stands, "" for any."""

    key: str
    parent: str
    sure: bool
    noun: bool


class Terms:
    """The quoted terms of a masked text by where they stand."""

    def __init__(self, masked: str, terms: tuple[Quoted, ...]) -> None:
        self.text = masked
        self.at = {match.start(): term for match, term in zip(re.finditer("§", masked), terms, strict=False)}

    def cut(self, start: int, end: int) -> tuple[str, tuple[Quoted, ...]]:
        """A part of the masked text with its terms."""
        return self.text[start:end], tuple(self.at[at] for at in sorted(self.at) if start <= at < end)


def name_at(terms: Terms, at: int) -> tuple[Name, int] | None:
    """The name that stands at ``at`` and where it ends."""
    found = _NAME.match(terms.text, at)
    if found is None:
        return None
    noun = (found["before"] or found["after"]) is not None
    bare = found["bare"]
    if bare is None:
        place = terms.text.index("§", at)
        spelled = terms.at[place].text if place in terms.at else ""
        if not _KEY.fullmatch(spelled):
            return None
    else:
        spelled = bare
        if spelled.lower() in _NO_NAMES:
            return None
    sure = bare is None or noun or _IDENTIFIER.fullmatch(spelled) is not None
    parts = spelled.replace("[]", "").split(".")
    if not all(parts):
        return None
    return Name(parts[-1], parts[-2] if len(parts) > 1 else "", sure, noun), found.end()


_GLUE = re.compile(
    r"(?:\s*(?:[,;&+]|\band\b|\bas well as\b|\bplus\b))+\s*(?:(?:a|an|the|also|both|with"
    r"|your)\s+)*",
    _I,
)
_LEAD = re.compile(
    rf"(?:\s*(?:the|a|an|both|all|of|these|exactly|only|just|following|required|mandatory|two|three|four|five|six"
    rf"|seven"
    rf"|eight|\d|{NOUN}|named|called|are|:)(?![\w-]))*\s*:?\s*",
    _I,
)
_NOTE = re.compile(r"\s*\([^()]{0,120}\)")


def names_at(terms: Terms, at: int) -> tuple[list[str], int]:
    """The quoted names that stand one after the other, "and" between them, and where the last one ends."""
    found: list[str] = []
    end = at
    place = _LEAD.match(terms.text, at).end()  # type: ignore[union-attr]
    while place in terms.at and _KEY.fullmatch(terms.at[place].text):
        found.append(terms.at[place].text)
        noun = re.compile(rf"§(?: {NOUN}(?![\w-]))?").match(terms.text, place)
        end = noun.end() if noun else place + 1
        note = _NOTE.match(terms.text, end)
        end = note.end() if note else end
        glue = _GLUE.match(terms.text, end)
        if glue is None:
            break
        place = glue.end()
    return found, end
