"""Which keys the object that is the answer has, in sentences that do not tell that the answer is to be JSON."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.contract.names import NOUN, Terms, names_at

_I = re.IGNORECASE
_OBJECT = (
    r"(?:(?:the|your|this|each|every|any|final|output|returned|resulting|top-level|root) )*(?:json(?: (?:object"
    r"|output|response|document"
    r"|data|result|payload|answer|dict\w*))?|(?:output|response|answer|returned|result) (?:object|dict\w*)|object"
    r"|dict(?:ionary)?)"
)
_MUST = r"(?:must|should|shall|has to|needs to|have to|need to)"
_KEYS = (
    r"(?:(?:the|only|exactly|just|all|of|these|following|required|two|three|four|five|six|both|top-level|json"
    r"|object|output) )*"
)
_FORMS = (
    # (pattern, only): the names stand right behind it
    (re.compile(rf"{_OBJECT} (?:{_MUST} (?:always |also )?(?:have|contain|include|carry|consist of)|{_MUST} never"
                rf" (?:omit|lack|leave out)"
                rf"|(?:must|may|can) only (?:have|contain|include)|never omits) ", _I), False),
    (re.compile(rf"(?:the )?(?:only )?(?:allowed |required |permitted |mandatory |top-level )*(?:keys|fields"
                rf"|properties) (?:of|in|for) {_OBJECT}"
                rf" (?:{_MUST} be|are)(?: exactly| only| named| called)*:? ", _I), False),
    (re.compile(r"(?:no|do not (?:add|include|use|output|return)(?: any)?|never (?:add|include|use|output)(?:"
                r" any)?|don['’]t (?:add|include"
                r"|use)(?: any)?) (?:other |additional |extra |further )*(?:json )?(?:keys|fields|properties)"
                r" (?:besides|except(?: for)?"
                r"|other than|than|beyond|apart from|in addition to) ", _I), True),
)  # fmt: skip
_AFTER_KEYS = re.compile(
    rf"(?: (?:as )?(?:{NOUN}|top-level {NOUN}))?(?: (?:in|to|of) {_OBJECT})?(?: (?:are|is) (?:allowed|permitted"
    rf"|accepted))?"
    r"(?P<only>,? (?:and|with|but) (?:nothing else|no (?:other|others|additional|more|extra)(?: \w+)?)|[;,] (?:no"
    r" )?(?:additional|other|extra|more)"
    r" (?:keys|fields|properties) are (?:not )?(?:allowed|permitted|accepted)| only)?[ .!]*$",
    _I,
)
_NAMED_FIRST = re.compile(
    rf"(?: {NOUN})? (?:(?:are|is) (?:both |all )?(?:required|mandatory|obligatory)(?: {NOUN})?|{_MUST} (?:both |all"
    rf" |always )?be (?:present"
    rf"|included|provided|there|given)|{_MUST} (?:both |all |always )?appear) ?(?:(?:in|of|for) (?:every |each"
    rf" )?{_OBJECT})[ .!]*$",
    _I,
)
_EACH = re.compile(
    rf"(?:each|every|all)(?: of the)? (?:json )?(?:objects?|elements?|items?|entry|entries|records?|dict\w*)(?:"
    rf" (?:in|of|inside) (?:the |this |your )?"
    rf"(?:json |output |resulting )?(?:array|list|json|output|response))? {_MUST} (?:have|contain|include|be (?:an?"
    rf" )?objects? with) ",
    _I,
)
_TOP = re.compile(
    rf"(?:the )?(?:top[- ]level|root|outermost|outer)(?: (?:value|element|node|structure|type|object"
    rf"|container))?(?: (?:of|in) (?:the |your )?(?:json"
    rf"(?: \w+)?|output|response|answer))? {_MUST} (?:always )?be (?:an? )?(?:single )?(?:json )?(?P<kind>array"
    rf"|list|object|dict\w*)"
    r"(?:,? (?:not|never) (?:an? )?(?:json )?(?:array|list|object|dict\w*|string))?[ .!]*$",
    _I,
)


def top_level(terms: Terms) -> Any | None:
    """``The JSON must have exactly "a" and "b"``, ``"a" is a required key of the JSON object``."""
    top = _TOP.match(terms.text)
    if top and "json" in terms.text.lower() + " json":
        kind = "array" if top["kind"].lower() in ("array", "list") else "object"
        return c.AllOf(checks=(c.Valid(format="json"), c.Schema(schema={"type": kind})))
    if not terms.at:
        return None
    for form, closed in _FORMS:
        found = form.match(terms.text)
        if found is None:
            continue
        names, end = names_at(terms, found.end())
        after = _AFTER_KEYS.match(terms.text, end)
        lead = terms.text[found.start() : found.end() + _lead(terms, found.end())]
        if not names or after is None or ("json" not in terms.text.lower() and not closed):
            continue
        only = closed or after["only"] is not None or re.search(r"\b(?:only|exactly|just)\b", lead, _I) is not None
        return c.Keys(keys=tuple(names), only=only)
    each = _EACH.match(terms.text)
    if each and re.search(r"\b(?:json|array|list|output|response)\b", terms.text, _I):
        names, end = names_at(terms, each.end())
        if names and _AFTER_KEYS.match(terms.text, end):
            schema = {"if": {"type": "array"}, "then": {"items": {"type": "object", "required": names}}}
            return c.When(condition=c.Valid(format="json"), then=c.Schema(schema=schema))
    names, end = names_at(terms, 0)
    if names and "json" in terms.text.lower() and _NAMED_FIRST.match(terms.text, end):
        return c.Keys(keys=tuple(names))
    return None


def _lead(terms: Terms, at: int) -> int:
    """How far the first name stands behind ``at``."""
    return max(0, terms.text.find("§", at) - at)
