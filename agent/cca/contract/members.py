"""Which fields the objects in a list, or under a key, have."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.cca import checks as c
from agent.cca.contract.kinds import kind_at
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


_SOME = re.compile(
    r".{0,160}?\b(?:list|array) of (?:json )?(?:dictionaries|dicts|objects),? (?:where )?(?:each|every)(?:"
    r" (?:dictionary|object|dict|one|item|element"
    r"|entry))?(?: of which)? (?:contains?|has|with|having|containing|(?:must|should) (?:contain|have|include))\b",
    _I,
)
_TOLD = re.compile(
    r"\b(?:return|output|provide|respond|answer|give|produce|generate|format|write|reply|response"
    r"|present)\b",
    _I,
)
_KIND = re.compile(rf"§(?: {NOUN})? ?\(")
_OF = re.compile(r" (?:of|with|that (?:is|has)|which (?:is|has)|limited to|containing) ", _I)


def _in_a_list(terms: Terms) -> Any | None:
    """``… as a list of dictionaries, where each contains a "header" (string)``, JSON not named."""
    found = _SOME.match(terms.text)
    if found is None or not _TOLD.search(found[0]) or re.search(r"\b(?:json|given|input|if|when)\b", terms.text, _I):
        return None
    names, end = names_at(terms, found.end())
    if not names or not _END.match(terms.text, end):
        return None
    kinds: dict[str, Any] = {}
    for noted in _KIND.finditer(terms.text, found.end(), end):
        kind = kind_at(terms.text, noted.end())
        if kind and terms.text[kind[1] : kind[1] + 1] == ")":
            kinds[terms.at[noted.start()].text] = kind[0]
    item = {"type": "object", "required": names} | ({"properties": kinds} if kinds else {})
    return c.When(condition=c.Valid(format="json"), then=c.Schema(schema={"type": "array", "items": item}))


def members(terms: Terms, read: Callable[[str], Any | None]) -> Any | None:
    """``Each item of "rows" must have "id" and "qty"``, ``"user" must be an object with "id"``.

    Args:
        read: The check of a sentence about an answer, where all of it is read.
    """
    listed = _in_a_list(terms)
    if listed is not None:
        return listed
    for form in (_EACH, _LIST, _OBJECT, _WITHIN):
        found = form.match(terms.text)
        if found is None:
            continue
        place = terms.text.index("§", found.start())
        names, end = names_at(terms, found.end())
        if not names or place not in terms.at:
            continue
        of = _OF.match(terms.text, end) if len(names) == 1 else None
        inner = read(f"The answer has {terms.text[of.end() :]}") if of and "§" not in terms.text[of.end() :] else None
        if inner is None and not _END.match(terms.text, end):
            continue
        said = found[0] + terms.text[found.end() : end]
        nested = re.search(r"\b(?:object|dict\w*|keys?|fields?|propert\w+|attributes?)\b", said, _I)
        if form in (_OBJECT, _WITHIN) and (not nested or inner is not None):
            continue  # the text of a field contains a term
        parent = terms.at[place].text.replace("[]", "")
        checks: list[Any] = []
        if form in (_OBJECT, _WITHIN):
            checks.append(c.Property(name=parent, schema={"anyOf": [{"type": "object"}, {"type": "array"}]}))
        elif form is _LIST:
            checks.append(c.Property(name=parent, schema={"type": "array", "items": {"type": "object"}}))
        checks += [c.Property(name=name, parent=parent, required=True, check=inner) for name in names]
        return checks[0] if len(checks) == 1 else c.AllOf(checks=tuple(checks))
    return None
