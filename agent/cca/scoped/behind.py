"""A demand with the part behind a preposition: "No emoji in headings", "at most one link per paragraph"."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.polarity import denials
from agent.cca.scoped.predicates import HEDGED, predicate
from agent.cca.scoped.scopes import scope_at
from agent.cca.scoped.text import Text

_I = re.IGNORECASE
_PLACED = re.compile(
    r"(?:,? (?:in|inside|within|for|from|of|per|to)|,) (?=(?:each|every|any|all|the|an?|your|both|first"
    r"|last|headings?|headlines?|titles?"
    r"|subject|link|bullets?|bullet|steps?|step|paragraph|sentence|line|section|item|entry|option|question"
    r"|heading|title|quotations?)\b)",
    _I,
)
_FIRM = re.compile(
    r"§|\d|\b(?:no|not|never|avoid|must|only|without|at most|each|every|one|two|three|four|five|six|seven|eight"
    r"|nine|ten)\b",
    _I,
)


def behind(text: Text) -> Any | None:
    return _in_commit(text) or _object_in(text)


_IN_COMMIT = re.compile(r" in (?:an?|the|your|any|each|every|all) (?:git )?commit messages?[^\w§]*$", _I)


def _in_commit(text: Text) -> Any | None:
    """``Do not use bold in a commit message``: where the answer is one."""
    found = _IN_COMMIT.search(text.masked)
    if found is None:
        return None
    read = predicate(text.cut(0, found.start()))
    if read is None or not read.whole or denials(text.masked[: found.start()]) % 2 == 0:
        return None
    is_one = c.Each(part=c.Part(kind="subject"), check=c.Count(unit="characters", least=1))
    return c.When(condition=is_one, then=read.check)


def _object_in(text: Text) -> Any | None:
    """``No emoji in headings``, ``Use at most one link per paragraph``."""
    for place in _PLACED.finditer(text.masked):
        scope = scope_at(text, place.end(), sections=False)
        if scope is None or scope.part.kind == "match" or text.masked[scope.end :].strip(" .!)"):
            continue
        said = text.cut(0, place.start())
        if HEDGED.search(re.sub(r"\b(?:may|can|must) not\b|\bonly\b(?= one)", " ", said.masked)) or not _FIRM.search(
            text.masked
        ):
            return None
        lead = re.match(
            r"(?:(?P<no>do not|don['’]t|never|avoid) )?(?P<verb>use|using|write|writing|include|including|have|put"
            r"|putting|add|adding|place|give|allow"
            r"|permit|ask|name|show|mention) ",
            said.masked,
            _I,
        )
        avoids = re.match(r"avoid(?:ing)? (?=\w)", said.masked, _I) if lead is None else None
        what = said.cut(lead.end()) if lead else said.cut(avoids.end()) if avoids else said
        allowed = re.search(
            r" (?:(?:is|are) (?:not (?:allowed|permitted|used|accepted|wanted)|forbidden|banned|prohibited))$",
            what.masked,
            _I,
        )
        denied = (lead is not None and lead["no"] is not None) or allowed is not None or avoids is not None
        if allowed:
            what = what.cut(0, allowed.start())
        verb = lead["verb"].lower() if lead else ""
        bare = denials(said.masked) == 0 and not denied
        every = scope.det in ("each", "every", "all", "both", "the", "your") or place[0].strip().endswith("per")
        if bare and not every and not re.search(r"\b(?:at most|no more|exactly|up to|max)", said.masked, _I):
            return None
        if (
            lead is None
            and avoids is None
            and denials(said.masked) == 0
            and not allowed
            and not re.match(r"(?:at most|no more|exactly|one|two|only|max)", said.masked, _I)
        ):
            return None
        inner = Text(f"has {what.raw}", f"has {what.masked}")
        if denied:
            inner = Text(f"must not contain {what.raw}", f"must not contain {what.masked}")
        read = predicate(inner, kind=scope.part.kind) or (
            None if verb == "name" else predicate(what, kind=scope.part.kind) if not denied else None
        )
        if read is None or not read.whole:
            continue
        return c.Each(part=scope.part, check=read.check)
    return None
