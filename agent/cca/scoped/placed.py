"""Where the part is named first, or within another demand: "In headings, …", "a headline of at most eight words"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.polarity import denials
from agent.cca.scoped.predicates import HEDGED, predicate
from agent.cca.scoped.scopes import Scope, is_section_name, scope_at, section_named
from agent.cca.scoped.text import Text

_I = re.IGNORECASE
_IN = re.compile(r"(?:in|within|under|for|inside) ", _I)
_UNDER = re.compile(
    r"(?i:under|in|below) (?:the (?:heading|section) )?(?:(?P<quoted>§+)|the (?P<quoted2>§+) section"
    r"|(?:the )?(?P<name>[A-Z][\w-]*(?: [A-Z]?[\w-]+){0,2}))(?P<noun> section| heading)?(?=,? (?:there|put"
    r"|list|write|give|use|do|never|no|have|include|bullets|items|lines|steps|each|every|all)\b)"
)
_THEN = re.compile(
    r",? ?(?:(?:you )?(?P<no>do not|don['’]t|never|avoid) )?(?P<verb>there (?:is|are|may be|must be"
    r"|should be|can be|must|should|may)|put|list|write|give|use|using|include|allow|have|add|place|no"
    r"|at most)\b ?(?:(?:to )?(?:be|have) )?",
    _I,
)
_SIZED = re.compile(
    r"(?P<noun>headlines?|titles?|(?:section |sub)?headings?|subject lines?|link texts?|bullets?"
    r"|bullet points|steps|paragraphs|sentences|options)"
    r" (?:of|with|containing|having|that (?:has|have|is|are)|,) (?P<limit>(?:exactly |at most |at least "
    r"|no more than |not more than |up to |fewer than |less than |under |max(?:imum|\.)? (?:of )?"
    r"|no longer than |between )[^,.;:§]{1,40}?(?:words?|characters?|sentences?|lines?)(?: (?:each|long"
    r"|in length))?)(?=$|[,.;]| (?:and|that|which|for|under|over|to|in|about|followed|with)\b)",
    _I,
)


_GENERATES = re.compile(
    r"(?:write|generate|produce|create|suggest|propose|give|come up with|return|output|find) (?:me )?(?:an?"
    r"|one|the) (?:\w+ ){0,2}(?:title|headline)\b",
    _I,
)
"""The answer may be the title and nothing else."""
Reader = Callable[[Text], Any | None]


def placed(text: Text, read: Reader) -> Any | None:
    """``read``: reads a sentence about a part that is named as its subject."""
    return _first(text, read) or _sized(text)


def _first(text: Text, subject: Reader) -> Any | None:
    """``In headings, do not use colons``, ``Under "Next steps" there are at most three bullets``."""
    lead = _IN.match(text.masked)
    if lead is None:
        return None
    scope = _named(text) or scope_at(text, lead.end(), sections=False)
    if scope is None or scope.kind or not scope.sure:
        return None
    then = _THEN.match(text.masked, scope.end)
    if then is None:
        comma = re.compile(r", ").match(text.masked, scope.end)
        inner = subject(text.cut(comma.end())) if comma else None
        return None if inner is None else c.Each(part=scope.part, check=inner)
    said = text.cut(then.end())
    denied = then["no"] is not None
    verb = then["verb"].lower()
    if (
        not denied
        and denials(said.masked) == 0
        and not re.match(r"(?:at most|no more|exactly|one|two|only|max|up to|at least|between|a )", said.masked, _I)
        and verb not in ("no", "at most")
    ):
        return None
    if verb in ("no", "at most"):
        said = text.cut(then.start("verb"))
    lead_words = "must not contain" if denied else "has"
    read = predicate(Text(f"{lead_words} {said.raw}", f"{lead_words} {said.masked}"), kind=scope.part.kind)
    read = read or (None if denied else predicate(said, kind=scope.part.kind))
    if read is None or not read.whole:
        return None
    return c.Each(part=scope.part, check=read.check)


def _named(text: Text) -> Scope | None:
    match = _UNDER.match(text.raw) if "§" not in text.masked[:12] else _UNDER.match(text.masked)
    if match is None:
        return None
    quoted = match["quoted"] or match["quoted2"]
    if quoted:
        at = match.start("quoted") if match["quoted"] else match.start("quoted2")
        return Scope(section_named(text.raw[at : at + len(quoted)]), "the", match.end(), True)
    known = is_section_name(match["name"]) or match["noun"]
    return Scope(section_named(match["name"]), "the", match.end(), True) if known else None


def _sized(text: Text) -> Any | None:
    """A length within a demand for more: what else it says is not looked at."""
    found = _SIZED.search(text.masked)
    if found is None or denials(text.masked[: found.start()]) or HEDGED.search(text.masked[: found.start()]):
        return None
    if re.search(
        r"\b(?:each|every|per|if|when)\b|^(?:split|cut|divide|break|merge|convert|turn|count|find|mark|list|check)\b",
        text.masked[: found.start()],
        _I,
    ) or _SIZED.search(text.masked, found.end()):
        return None
    scope = scope_at(text, found.start("noun"), sections=False)
    if scope is None or not scope.sure:
        scope = scope_at(text.cut(found.start("noun"), found.end("noun")), 0, sections=False)
    read = predicate(text.cut(found.start("limit"), found.end("limit")))
    if scope is None or read is None or not read.whole:
        return None
    every = c.Each(part=scope.part, check=read.check)
    if scope.part.kind != "title" or not _GENERATES.match(text.masked):
        return every
    return c.AllOf(checks=(every, c.When(condition=c.Count(unit="lines", most=1), then=read.check)))
