"""Which fields the objects in a list, or under a key, have."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.contract.names import NOUN, Terms, names_at

_I = re.IGNORECASE
_THING = r"(?:items?|elements?|entry|entries|objects?|records?|members?|dict(?:ionar(?:y|ies))?s?|rows?)"
_HAS = (
    r"(?:(?:must|should|shall|has to|have to|needs? to|will) )?(?:also |always )?(?:contain|contains|include"
    r"|includes|have|has"
    r"|consists? of|be (?:an? )?(?:json )?(?:objects?|dict\w*)(?:,? (?:with|containing|that has|that have|having"
    r"|that contains?"
    r"|that includes?))?|is (?:an? )?(?:json )?(?:object|dict\w*)(?: (?:with|containing|that has|having))?)\b"
)
_EACH = re.compile(
    rf"(?:each|every|all|the)(?: of the)?(?: json)? {_THING} (?:of|in|inside|within|under) (?:the |your )?(?:json )?"
    rf"(?:(?:list|array|{NOUN}) )?§(?: (?:list|array|{NOUN}))? {_HAS}",
    _I,
)
_LIST = re.compile(
    rf"(?:the )?§(?: {NOUN})? (?:must be|should be|has to be|is|shall be|needs to be|must contain|contains|should"
    rf" contain"
    rf"|holds) (?:an? |the )?(?:json )?(?:(?:list|array) of )?(?:json )?(?:objects|dict(?:ionarie)?s)\b,?"
    rf" ?(?:(?:each|every one"
    rf"|all)(?: of (?:which|them))?(?: {_THING})? )?(?:with|containing|contains|that (?:have|contain|has|contains)"
    rf"|having|has|have"
    rf"|which (?:have|contain)|must (?:have|contain|include)|including|of the form)\b",
    _I,
)
_OBJECT = re.compile(
    rf"(?:the )?§(?P<noun> (?:object|dict(?:ionary)?|{NOUN}))? (?:(?:must|should|shall|has to|needs to) (?:also"
    rf" )?(?:contain|include"
    rf"|have|be an? (?:json )?(?:object|dict\w*) (?:with|containing|that (?:has|contains)|having))|is an? (?:json"
    rf" )?(?:object"
    rf"|dict\w*) (?:with|containing|that (?:has|contains)|having)|contains|has)\b",
    _I,
)
_WITHIN = re.compile(
    rf"(?:(?:the |your )?(?:json(?: object| output| response)?|output|response|answer|object) (?:must|should|has to"
    rf"|needs to)"
    rf" (?:have|contain|include) (?:an? |the )?§(?: {NOUN})? (?:with|containing|that (?:has|contains)|having))\b",
    _I,
)
_END = re.compile(
    r"\s*(?:[.!)]*$|,? (?:where|because|so that|which|describing|for)\b(?!.*\b(?:unless|except|or|if"
    r"|optional)\b).{0,120}$)",
    _I,
)
_ONLY = re.compile(r"\b(?:only|exactly|just)\b", _I)


def members(terms: Terms) -> Any | None:
    """``Each item of "rows" must have "id" and "qty"``, ``"user" must be an object with "id"``."""
    for form in (_EACH, _LIST, _OBJECT, _WITHIN):
        found = form.match(terms.text)
        if found is None:
            continue
        place = terms.text.index("§", found.start())
        names, end = names_at(terms, found.end())
        if not names or place not in terms.at or not _END.match(terms.text, end):
            continue
        said = found[0] + terms.text[found.end() : end]
        nested = re.search(r"\b(?:object|dict\w*|keys?|fields?|propert\w+|attributes?)\b", said, _I)
        if form in (_OBJECT, _WITHIN) and not nested:
            continue  # the text of a field contains a term
        parent = terms.at[place].text.replace("[]", "")
        checks: list[Any] = []
        if form in (_OBJECT, _WITHIN):
            checks.append(c.Property(name=parent, schema={"anyOf": [{"type": "object"}, {"type": "array"}]}))
        elif form is _LIST:
            checks.append(c.Property(name=parent, schema={"type": "array", "items": {"type": "object"}}))
        checks += [c.Property(name=name, parent=parent, required=True) for name in names]
        return checks[0] if len(checks) == 1 else c.AllOf(checks=tuple(checks))
    return None
