"""What a field holds, where its name does not come first: ``Set "ok" to true``, ``Allowed values for "a": …``."""

from __future__ import annotations

import re

from agent.cca.contract.conditions import Condition
from agent.cca.contract.names import NOUN, Name, Terms, name_at
from agent.cca.contract.values import Value, choice_at, value_at

_I = re.IGNORECASE
_SET = re.compile(
    r"(?:set|make|give|write|output|return|keep|express|format|represent|provide|report|fill|assign|specify|state"
    r"|encode"
    r"|use|choose|pick|select|put|render|emit|store|leave)\b (?:only )?",
    _I,
)
_TO = re.compile(
    r"(?: field)? (?:only )?(?:to (?:be )?|as |in |from |with |equal to |: ?|= ?|at )(?:either |only )?", _I
)
_FOR = re.compile(r"(?:for|in|within|inside|under) ", _I)
_FOR_USE = re.compile(
    r",? (?:(?:you must |you should |please |always |only |use |choose |pick |select |return |output |give "
    r"|provide |write"
    r" |put |specify |allow |accept )+)", _I
)  # fmt: skip
_ALLOWED = re.compile(
    r"(?:the )?(?:only )?(?:list of )?(?:allowed|valid|permitted|possible|accepted|acceptable|legal|supported"
    r"|available)"
    r" (?:values?|options?|choices|entries|labels) (?:for|of|in) ",
    _I,
)
_ARE = re.compile(r" ?(?:are|is|:|=)(?: (?:only|exactly|limited to|as follows))*:? ?", _I)
_OTHER_THAN = re.compile(r"(?:values?|anything|any value) (?:of|for|in) ", _I)
_REJECTED = re.compile(
    r" (?:are|is|must|will|should|may) (?:not|never|be rejected|be refused)\b.{0,30}$|(?: are| is) (?:forbidden"
    r"|invalid|prohibited|rejected)\W*$",
    _I,
)
_TAIL = re.compile(
    r"\s*(?:[.!;)]*$|,? ?(?:because|since|so that|depending on|based on|according to|indicating|representing"
    r"|reflecting"
    r"|describing|denoting|which (?:indicates|represents|reflects|describes|is|shows)|that (?:indicates|represents"
    r"|reflects"
    r"|describes|shows)|even (?:if|when|for)|no matter|regardless|where \d|for consistency|to (?:make|ease|allow"
    r"|avoid|keep|ensure)"
    r"|and (?:nothing else|no other (?:value|values|option|string))|no other values? (?:is|are)|nothing else"
    r"|without (?:any )?(?:quotes|quotation marks|units?)|in the json|[-–—] )(?P<rest>.{0,200})$)",
    _I,
)
HEDGE = re.compile(
    r"\b(?:unless|except|optional\w*|if|when|or|null|none|usually|ideally|prefer\w*|instead"
    r"|may)\b",
    _I,
)


def closed(terms: Terms, value: Value | None, condition: Condition | None) -> bool:
    """Whether nothing of weight follows the value."""
    if value is None:
        return False
    tail = _TAIL.match(terms.text, value.end)
    return tail is not None and not HEDGE.search(re.sub(r"^even (?:if|when)\b", "", tail[0].strip(" ,"), flags=_I))


def set_to(terms: Terms, condition: Condition | None) -> tuple[Name, Value] | None:
    """``Set "ok" to true or false``."""
    verb = _SET.match(terms.text)
    named = name_at(terms, verb.end()) if verb else None
    to = _TO.match(terms.text, named[1]) if named else None
    if named is None or (to is None and not re.match(r"leave|choose|pick|select", terms.text, _I)):
        return None
    value = value_at(terms, to.end() if to else named[1] + 1)
    if to and value is None and re.search(r"\bfrom\b", to[0], _I):
        value = choice_at(terms, to.end(), listed=True)
    return (named[0], value) if closed(terms, value, condition) else None  # type: ignore[return-value]


def allowed(terms: Terms, condition: Condition | None) -> tuple[Name, Value] | None:
    """``Allowed values for "severity": "low", "high"``."""
    head = _ALLOWED.match(terms.text) or _OTHER_THAN.match(terms.text)
    named = name_at(terms, head.end()) if head else None
    if head is None or named is None:
        return None
    other = re.compile(r" (?:other than|except|besides|apart from|outside(?: of)?) ", _I).match(terms.text, named[1])
    name = Name(named[0].key, named[0].parent, True, named[0].noun)
    if other:
        value = choice_at(terms, other.end(), listed=True)
        return (name, value) if value and _REJECTED.match(terms.text, value.end) else None
    are = _ARE.match(terms.text, named[1]) if head.re is _ALLOWED else None
    value = choice_at(terms, are.end(), listed=True) if are else None
    return (name, value) if closed(terms, value, condition) else None  # type: ignore[return-value]


def for_it(terms: Terms, condition: Condition | None) -> tuple[Name, Value] | None:
    """``For "severity", use one of "low", "high"``."""
    head = _FOR.match(terms.text)
    named = name_at(terms, head.end()) if head else None
    use = _FOR_USE.match(terms.text, named[1]) if named else None
    if named is None or use is None:
        return None
    value = value_at(terms, use.end())
    if value is None and "only" in use[0].lower():
        value = choice_at(terms, use.end(), listed=True)
    return (named[0], value) if closed(terms, value, condition) else None  # type: ignore[return-value]


def use_for(terms: Terms, condition: Condition | None) -> tuple[Name, Value] | None:
    """``Use only "low" or "high" for "severity"``."""
    head = re.compile(r"(?:use|allow|accept|choose|only use|put) (?:only |exactly |just )*", _I).match(terms.text)
    value = choice_at(terms, head.end(), listed="only" in head[0].lower()) if head else None
    link = (
        re.compile(
            rf" (?:as (?:the )?(?:values? )?(?:of|for) |for |in |as )(?=(?:the |a )?(?:{NOUN} )?§|the \w+ {NOUN})", _I
        ).match(terms.text, value.end)
        if value
        else None
    )
    named = name_at(terms, link.end()) if link else None
    if value is None or named is None or not _TAIL.match(terms.text, named[1]):
        return None
    return named[0], value
