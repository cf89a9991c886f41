"""That a field is there, or is not, in the objects that a condition is about."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.contract.conditions import Condition
from agent.cca.contract.names import Terms, name_at

_I = re.IGNORECASE
_REQUIRED = re.compile(
    r"(?: (?:must|should|shall|has to|needs to) (?:always )?(?:always )?(?:be (?:present|included|provided|set"
    r"|filled(?: in)?|given|there"
    r"|supplied|non-?null)|appear|exist)| is (?:required|mandatory|obligatory|needed))\W*$",
    _I,
)
_INCLUDES = re.compile(
    r"(?:(?:the |your )?(?:json|object|output|response|answer|result)(?: object)? (?:must|should|has to|needs to)"
    r" (?:also )?"
    r"(?:contain|include|have)|(?:also )?(?:include|add|provide|supply|fill in|require)) ",
    _I,
)
_ABSENT = re.compile(
    r"(?: (?:must|should|shall|has to|needs to) (?:be (?:absent|omitted|left out|missing|removed)|not (?:be"
    r" (?:present|included"
    r"|set|given|provided)|appear|exist))| is omitted)\W*$",
    _I,
)
_OMITS = re.compile(r"(?:omit|leave out|do not include|don['’]t include|never include|skip|drop|exclude) ", _I)


def presence(terms: Terms, condition: Condition) -> Any | None:
    """``… the "message" field is required``, ``… omit "value"``: in the objects that the condition is about."""
    for verb, required in ((_INCLUDES, True), (_OMITS, False)):
        head = verb.match(terms.text)
        named = name_at(terms, head.end()) if head else None
        if (
            named
            and named[0].sure
            and re.fullmatch(
                r"(?: (?:as well|too|in the json|in the object|with [\w ]{1,40}))?\W*", terms.text[named[1] :]
            )
        ):
            return c.Property(
                name=named[0].key, parent=named[0].parent, where=condition.where, required=required, absent=not required
            )
    named = name_at(terms, 0)
    if named is None:
        return None
    for form, required in ((_REQUIRED, True), (_ABSENT, False)):
        if form.match(terms.text, named[1]):
            return c.Property(
                name=named[0].key, parent=named[0].parent, where=condition.where, required=required, absent=not required
            )
    return None
