"""Which of several words is used: "say X, not Y", "X only, not Y or Z", "in X or Y, not in Z"."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.scoped.forms import is_template, shape
from agent.cca.scoped.scopes import scope_at
from agent.cca.scoped.text import SILENT, Text

_I = re.IGNORECASE
_Q = r"§+(?:(?:, ?(?:or |nor |and )?| or | nor | and |/)§+)*"
_SAY = re.compile(
    rf"(?:always )?(?:say|write|use|prefer to say|call it|call them|spell it|spell|the (?:word|term"
    rf"|spelling) is|it is|they are) (?:the (?:words?|terms?|spellings?) )?"
    rf"{_Q},? (?:and )?(?:not|never|rather than|instead of|in place of) (?:the (?:words?"
    rf"|terms?) )?(?P<bad>{_Q})(?P<rest>.*)$",
    _I,
)
_SPELL = re.compile(rf"(?:it is |we write |write )?{_Q},? (?:and )?(?:not|never) (?P<bad>{_Q})(?P<rest>)$", _I)
_ONLY = re.compile(
    rf"(?:[A-Z][\w -]{{2,60}}?) (?:with|by|using|as|in) {_Q} only,? (?:and )?(?:not|never) (?P<bad>{_Q})(?P<rest>)$", _I
)
_GIVEN = re.compile(
    rf"(?:[A-Z][\w -]{{2,60}}?) (?:are|is|must be|should be) (?:given|written|stated|expressed|named|called"
    rf"|spelled|put|shown|reported) (?:as |in |with )?(?:[^§]{{1,60}}?|§+),? (?:and )?"
    rf"(?:not|never) (?:as |in |with )?(?P<bad>{_Q})(?P<rest>)$",
    _I,
)
_WHEN = re.compile(
    r",? (?:when(?:ever)?|if|where|wherever) (?:you|we) (?:\w+ ){0,3}?(?:refer|speak|talk|write|mention"
    r"|tell|describe|ask|name|address|point|explain)\w*\b.*$"
    r"|,? (?:when|for) (?:referring|speaking|talking|addressing|describing|writing) .*$",
    _I,
)
_ANYWHERE = re.compile(
    r"(?:in|throughout) (?:the |your |all )?(?:answers?|repl(?:y|ies)|texts?|prose|copy|running text"
    r"|responses?|everywhere)",
    _I,
)
_MAX_WORDS = 4


def words(text: Text) -> Any | None:
    """The check that the refused words do not stand in the answer's prose."""
    found = (
        _SAY.match(text.masked) or _SPELL.match(text.masked) or _ONLY.match(text.masked) or _GIVEN.match(text.masked)
    )
    if found is None:
        return None
    rest = found["rest"].strip(" .!;,")
    if re.match(r"(?:for|as) (?:the |an? )?(?:verb|noun|adjective|adverb)", rest, _I):
        return SILENT
    scope = None
    if rest and not _WHEN.fullmatch(f" {rest.lstrip(', ')}") and not _ANYWHERE.fullmatch(rest):
        placed = re.match(r"(?:in|as|for|within) ", rest, _I)
        at = text.masked.index(rest, found.start("rest"))
        scope = scope_at(text, at + placed.end(), sections=False) if placed else None
        if scope is None or scope.kind or text.masked[scope.end :].strip(" .!;"):
            return None
    bad = text.cut(found.start("bad"), found.end("bad")).terms()
    good = Text(text.raw[: found.start("bad")], text.masked[: found.start("bad")]).terms()
    if not bad or any(len(term.split()) > _MAX_WORDS or not re.search(r"\w\w|[^\w\s]", term) for term in bad):
        return None
    if any(is_template(term) for term in bad):
        forms = [made for made in map(shape, bad) if made]
        return (
            c.Matches(pattern="|".join(rf"\b{made}" for made in forms), least=0, most=0, within="prose")
            if forms
            else None
        )
    apart = tuple(term for term in bad if not any(_within(term, other) for other in good))
    if not apart:
        return None
    case = any(term.lower() == other.lower() for term in apart for other in good)
    if scope is not None:
        return c.Each(part=scope.part, check=c.Absent(terms=apart, case=case))
    return c.Absent(terms=apart, case=case, within="prose")


def _within(term: str, other: str) -> bool:
    """``say "log in to", not "log in"``: whoever says the one says the other."""
    return (
        term != other
        and re.search(rf"(?<!\w){re.escape(term.lower())}(?!\w)", other.lower()) is not None
        and term.lower() != other.lower()
    )
