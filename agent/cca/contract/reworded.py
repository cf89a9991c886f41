"""What is said of an answer, said of a field in other places of a sentence: ``Keep "summary" to one sentence``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.cca import checks as c
from agent.cca.contract.kinds import form_at, items_at, kind_at
from agent.cca.contract.names import NOUN, Name, Terms, name_at

_I = re.IGNORECASE
_MODAL = re.compile(
    r" (?:must|should|shall|has to|have to|needs? to|may not|may only|can only|cannot|will|is|has|always|never"
    r"|does not|starts?|begins?|ends?"
    r"|may (?=have no|contain no|not))\b",
    _I,
)
_TEXTS = frozenset({"count", "matches", "absent", "case", "starts", "ends", "charset", "language", "not", "all"})
_HEDGE = re.compile(
    r"\b(?:unless|except|optional\w*|if|when|or|null|none|usually|ideally|prefer\w*|instead|each"
    r"|every|table|json)\b",
    _I,
)
_OBJECT = re.compile(r"(?:^|\s)(?:the |your |a )?(?=(?:(?:field|key|value|property|attribute) )?§)", _I)
_ITEMS_OF = re.compile(
    rf"(?:each|every|all|the|any|all of the|each of the) (?:items?|entry|entries|elements?|values?|strings?|tags?"
    rf"|words?|keywords?|names?|ids?|members?) (?:of|in|inside|within|under) (?:the |your )?(?:{NOUN} )?§(?: {NOUN})?"
    r" (?:must|should|shall|has to|have to|needs? to|are|is) (?:all |always |each )?(?:be )?",
    _I,
)
_UNIQUE = re.compile(
    rf"^(?:(?:the )?§(?: {NOUN})? (?:must|should|may|shall)(?: not| never) (?:contain|have|include|repeat)(?: any)?"
    rf" (?:duplicate\w*|repeated|the same)(?: \w+)?"
    rf"|(?:no|never use|do not (?:use|repeat|allow|include|put)|avoid)(?: any)? (?:duplicate\w*|repeated"
    rf"|repeats?)(?: \w+)? (?:in|within|inside) (?:the )?§(?: {NOUN})?)[ .]*$",
    _I,
)
_LIMITED = re.compile(r"^(?:limit|restrict|keep|cap|hold) (?:the )?(?:size of |length of |number of items in )?", _I)
_FILLED = re.compile(r"^(?:include|put|list|give|return|add|provide|write|place|have|use) ", _I)
_IN = re.compile(rf" (?:in|into|inside|within|under) (?:the )?§(?: {NOUN})?[ .]*$", _I)
Reader = Callable[[str], Any | None]


def of_items(terms: Terms) -> Any | None:
    """How many items a list has, that they differ, what each of them is."""
    unique = _UNIQUE.match(terms.text)
    if unique and len(terms.at) == 1:
        return c.Property(name=next(iter(terms.at.values())).text, schema={"uniqueItems": True})
    each = _ITEMS_OF.match(terms.text)
    if each:
        name = terms.at[terms.text.index("§")].text
        rest = terms.text[each.end() :].strip(" .")
        if re.fullmatch(r"(?:unique|distinct|different)", rest, _I):
            return c.Property(name=name, schema={"uniqueItems": True})
        form, kind = form_at(terms.text, each.end()), kind_at(terms.text, each.end())
        if form and not terms.text[form[1] :].strip(" ."):
            return c.Property(name=name, check=form[0])
        if kind and not terms.text[kind[1] :].strip(" ."):
            return c.Property(name=name, schema={"type": "array", "items": kind[0]})
        return None
    limited = _LIMITED.match(terms.text)
    named = name_at(terms, limited.end()) if limited else None
    if named and named[0].sure:
        to = re.compile(r" (?:to|at|under|below) ", _I).match(terms.text, named[1])
        items = items_at(terms.text, to.end()) if to else None
        if items and not terms.text[items[1] :].strip(" ."):
            return c.Property(name=named[0].key, parent=named[0].parent, schema={"type": "array"} | items[0])
    filled, within = _FILLED.match(terms.text), _IN.search(terms.text)
    if filled and within and len(terms.at) == 1:
        items = items_at(terms.text, filled.end())
        if items and items[1] == within.start():
            return c.Property(name=next(iter(terms.at.values())).text, schema={"type": "array"} | items[0])
    return None


def of_text(terms: Terms, read: Reader, sure: bool) -> Any | None:
    """``"code" must start with "ABC-"``, ``Do not use Markdown in the "body" field``.

    Args:
        sure: Only where the field is called one, or stands first.
    """
    named = name_at(terms, 0)
    if named is not None and named[0].sure:
        modal = _MODAL.match(terms.text, named[1])
        if modal:
            return _property(named[0], read, f"The answer{_spelled(terms, named[1])}")
        label = re.compile(
            r"\s?(?::|–|—|-) | ?\((?:str|string|text)(?:, | \()|\s?\((?:str|string|text)\)\s?[:–—-]"
            r" ?",
            _I,
        ).match(terms.text, named[1])
        if label:
            return _property(named[0], read, f"The answer must be {_spelled(terms, label.end()).rstrip(' .)')}")
    for place in _OBJECT.finditer(terms.text):
        at = place.end()
        found = name_at(terms, at)
        if (
            found is None
            or not found[0].sure
            or (sure and not found[0].noun and not re.search(r"\bjson\b", terms.text, _I))
        ):
            continue
        if at == 0:
            continue
        start = place.start() + (1 if terms.text[place.start() : place.start() + 1] == " " else 0)
        body = f"{_spelled(terms, 0, start)}the answer{_spelled(terms, found[1])}"
        made = _property(found[0], read, body)
        if made is not None:
            return made
    return None


def _spelled(terms: Terms, start: int, end: int | None = None) -> str:
    """A part of the sentence with its terms in quotes again."""
    stop = len(terms.text) if end is None else end
    parts, at = [], start
    for place in sorted(place for place in terms.at if start <= place < stop):
        mark = "`" if terms.at[place].code else '"'
        parts += [terms.text[at:place], f"{mark}{terms.at[place].text}{mark}"]
        at = place + 1
    return "".join([*parts, terms.text[at:stop]])


def _property(name: Name, read: Reader, body: str) -> Any | None:
    body = body.rstrip(" .!")
    if _HEDGE.search(body):
        return None
    check = read(body)
    if (
        check is None
        or check.op not in _TEXTS
        or (check.op == "all" and not all(each.op in _TEXTS for each in check.checks))
    ):
        return None
    return c.Property(name=name.key, parent=name.parent, check=check)


_BESIDE = re.compile(
    rf"^(?:please )?(?:(?:do not|don['’]t|never|avoid|no|without)\b[^§]{{2,80}}|(?:all|each|every|any)\b"
    rf" [^§]{{2,40}}) (?:in|inside|within|at the end of|of) (?:the |your )?§(?: (?:{NOUN}))?"
    r"(?: (?:must|should|has to|have to|are|is) .{1,60})?[ .!]*$",
    _I,
)


def is_of_field(masked: str) -> bool:
    """Whether something is said of the text that a quoted name stands for: the name itself is not meant."""
    return _BESIDE.match(masked) is not None
