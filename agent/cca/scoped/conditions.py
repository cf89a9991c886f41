"""Conditions that the answer itself shows: "When the first line is …", "If a heading has a number, …"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.cca import checks as c
from agent.cca.scoped.predicates import predicate
from agent.cca.scoped.scopes import scope_at
from agent.cca.scoped.text import Text

_I = re.IGNORECASE
_OPENS = re.compile(r"(?:if|when|whenever|where|wherever) ", _I)
_HARMLESS = re.compile(
    r"(?:if|when|whenever|where|wherever|in case) (?:you|we|it|they|the (?:answer|reply|text|response"
    r"|message)) (?:ever )?(?:mention|give|write|state|refer to|quote|cite"
    r"|use|speak of|name|list|include|show|report|describe|talk about)\w* (?P<what>[^,§]{2,60}), ?",
    _I,
)
_THEN = re.compile(r",? then |, ", _I)


def conditional(text: Text, read: Callable[[Text], Any | None]) -> Any | None:
    """The check of a demand with a condition on the same part, or on another one of the answer."""
    opened = _OPENS.match(text.masked)
    if opened is None:
        return None
    scope = scope_at(text, opened.end(), sections=False)
    then = next((match for match in _THEN.finditer(text.masked, scope.end if scope else 0)), None)
    if scope is None or then is None or scope.part.kind == "match":
        return None
    told = predicate(text.cut(scope.end, then.start()), kind=scope.part.kind)
    if told is None or not told.whole or scope.det == "no":
        return None
    rest = text.cut(then.end())
    same = re.match(
        r"(?:it|they|this|that|the (?:line|heading|sentence|option|item|step|bullet|paragraph|question"
        r"|title)) (?=\w)",
        rest.masked,
        _I,
    )
    if same:
        said = predicate(rest.cut(same.end()), kind=scope.part.kind)
        return c.Each(part=scope.part, check=said.check, selects=told.check) if said and said.whole else None
    made = read(rest)
    if made is None:
        return None
    return c.When(condition=c.Each(part=scope.part, check=told.check, one=not scope.part.nth), then=made)


def without_harmless(text: Text) -> Text:
    """Without "When you mention a fine, …", which says of what the rest speaks."""
    lead = _HARMLESS.match(text.masked)
    return text.cut(lead.end()) if lead else text
