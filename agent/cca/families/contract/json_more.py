"""Families of JSON: where a key stands, what counts a list, what keys and values of a kind are like, the envelope."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.kinds import affirmed, bare, is_denied, is_of, type_of
from agent.cca.families.contract.said import has, told, where
from agent.cca.families.family import Family, Slots

_I = re.IGNORECASE
_KEY = re.compile(r"[A-Za-z_$@][\w.$-]{0,60}")
_PAIR = re.compile(r"\{?\s*\"?([A-Za-z_$@][\w$-]{0,60})\"?\s*:.*", re.S)
_NOTHING_BEFORE = re.compile(
    r"\b(?:no(?: other| further)?|nothing|never any(?:thing)?|not any)\b[^,;.]*?\b(?:before|precedes?|ahead|above|after"
    r"|behind|follows?|below)\b",
    _I,
)


def _keys(slots: Slots) -> tuple[str, ...]:
    """The keys that are quoted, of ``"version": "1.0"`` the first part; () where another thing is quoted."""
    names = []
    for term in slots.terms:
        if term in ("[", "{", "[...]", "{...}"):
            continue
        pair = _PAIR.fullmatch(term)
        name = pair[1] if pair else term
        if not _KEY.fullmatch(name):
            return ()
        names.append(name)
    return tuple(dict.fromkeys(names))


def _place(slots: Slots) -> Any | None:
    """The one key that is named is the first of its object, or the last."""
    names = _keys(slots)
    text = bare(slots.text)
    first = re.search(
        r"\b(?:first|starts?|begins?|opens?|open with|top|leads?|leading|ahead of|opening|before)\b", text, _I
    )
    last = re.search(r"\b(?:last|final|ends?|bottom|closes?|closing|very end|after all|behind)\b", text, _I)
    if len(names) != 1 or bool(first) == bool(last) or not is_of(slots.text, "json"):
        return None
    if is_denied(_NOTHING_BEFORE.sub(" ", text)) and not has(slots, "not (?:somewhere|anywhere|further|buried|at the)"):
        return None
    return c.JsonForm(demand="first_key" if first else "last_key", names=names)


def _counts(slots: Slots) -> Any | None:
    names = _keys(slots)
    if len(names) != 2 or is_denied(re.sub(r"\bno (?:more|less|fewer)\b", " ", bare(slots.text))):
        return None
    return c.JsonForm(demand="counts", names=names) if is_of(slots.text, "json") else None


def _text_length(slots: Slots) -> Any | None:
    """Of all texts: a field that is named has families of its own."""
    if slots.most is None or slots.terms or not is_of(slots.text, "json"):
        return None
    words, signs = has(slots, "words?"), has(slots, "characters?|chars?|letters")
    if words == signs or slots.least not in (None, 0):
        return None
    return c.JsonForm(demand="text_words" if words else "text_characters", most=slots.most)


def _text_ids(slots: Slots) -> Any | None:
    other = [term for term in slots.terms if not re.fullmatch(r"(?i)\"?(?:\w*_)?ids?\"?|\"?\d+\"?|\w*Ids?", term)]
    if other or type_of(slots.text) not in ("string", "number", "integer") or not has(slots, r"strings?|quot\w+|text"):
        return None
    wanted = affirmed(bare(slots.text))
    if not re.search(r"\b(?:strings?|quot\w+|text)\b", wanted, _I) or re.search(r"\bbare numbers\b", wanted, _I):
        return None
    return c.JsonForm(demand="text_ids") if is_of(slots.text, "json") else None


def _no_markup(slots: Slots) -> Any | None:
    if not is_of(re.sub(r"\bhtml\b", " ", slots.text, flags=_I), "json"):
        return None
    free = r"none|plain text|free of|strip\w*|unformatted|leave \w+ out|clean of"
    if not (is_denied(slots.text) or has(slots, free)):
        return None
    html, markdown = has(slots, r"html|tags?|<\w+>"), has(slots, r"markdown|asterisks|backticks|bold|headings")
    made = [c.JsonForm(demand="no_html")] if html or not markdown else []
    made += [c.JsonForm(demand="no_markdown")] if markdown else []
    return made[0] if len(made) == 1 else c.AllOf(checks=tuple(made))


_AT_TOP = re.compile(
    r"\b(?:wrap\w*|envelope\w*|top[- ]level|root|single key|only key|sole key|whole|everything|all fields)\b|\{\s*\"",
    _I,
)


def _envelope(slots: Slots) -> Any | None:
    """An object that has the key at its top, which holds the array where one is spoken of."""
    names = _keys(slots)
    denied = re.search(
        r"\b(?:do not|don['’]t|never|no)\b[^,;.:]{0,20}\b(?:wrap|envelop\w*|nest|put|object around)", slots.text, _I
    )
    if len(names) != 1 or denied or not is_of(slots.text, "json") or not _AT_TOP.search(slots.text):
        return None
    schema: dict[str, Any] = {"type": "object", "required": [names[0]], "properties": {names[0]: {}}}
    shown = next((term for term in slots.terms if ":" in term), "")
    if re.search(r"\b(?:arrays?|lists?)\b", affirmed(bare(slots.text)), _I) or re.search(r":\s*\[", shown):
        schema["properties"] = {names[0]: {"type": ["array", "null"]}}
    if has(slots, r"single key|only key|sole key|one key|only property|single property|single field|only one key"):
        schema["additionalProperties"] = False
    return c.When(condition=c.Valid(format="json"), then=c.Schema(schema=schema))


_PREFIXES = re.compile(r"(?:is|has|can|should|was|did|does|will|needs|allows?|are|may|must|supports|use|uses)_?")


def _boolean_keys(slots: Slots) -> Any | None:
    """Only where all prefixes are told: examples leave it open which there are."""
    names = tuple(dict.fromkeys(term.rstrip("*…-") for term in slots.terms))
    if not names or set(slots.terms) & set(slots.examples) or not all(map(_PREFIXES.fullmatch, names)):
        return None
    if is_denied(bare(slots.text)) and not has(slots, "no other|not (?:a |an )?adjective|not bare|nothing else"):
        return None
    return c.JsonForm(demand="boolean_keys", names=names)


def _decimals(slots: Slots) -> Any | None:
    if slots.most is None or slots.terms or slots.least not in (None, 0, slots.most):
        return None
    return c.JsonForm(demand="decimals", most=slots.most) if is_of(slots.text, "json") else None


def _ascii(slots: Slots) -> Any | None:
    shown = r"\\?u(?:X{4}|[0-9a-f]{4})|\\u|[^\x00-\x7f]|ascii"
    other = [term for term in slots.terms if not re.search(shown, term, _I)]
    if other or re.search(r"\b(?:do not|don['’]t|never|without)\b[^,;.]{0,20}\bescap\w+", slots.text, _I):
        return None
    return c.JsonForm(demand="ascii_only") if is_of(slots.text, "json") else None


_OBJECT = r"keys?|fields?|propert\w+|objects?|json|payload|attributes?|members?"
_NO_ITEMS = (
    r"sort|sorting|sorted|order(?:ed)? by|(?:first|last|final) (?:item|object|element|row|column|entry|line|record)s?"
    r"|front matter|alphabetical\w*|header|newest|latest|csv|steps?"
)
FAMILIES: tuple[Family, ...] = (
    told("json.key_place", "{terms} is the first key, or the last", where(_OBJECT, _place, _NO_ITEMS)),
    told(
        "json.counts",
        "a number tells how long a list is: {terms}",
        where(
            r"number|counts?|length|size|how many|many|entries|items|elements|equals?|match\w*",
            _counts,
            r"at least|at most|greater|less|pages?|limit|sum|earlier|later|before|after|first|up to",
        ),
    ),
    told(
        "json.text_length",
        "each text in the JSON has {limit}",
        where(r"strings?|text values?|values|texts", _text_length, r"keys?|names?|labels?|each array|items in"),
        bounded=True,
    ),
    told("json.text_ids", "ids are strings", where(r"ids?|identifiers?|\w+_ids?", _text_ids)),
    told("json.no_markup", "no HTML, no Markdown in the values", where(r"values?|strings?|fields?|json", _no_markup)),
    told(
        "json.envelope",
        "the result stands under {terms}",
        where(
            r"wrap\w*|envelope\w*|under|inside|enclos\w*|single key|root key|only key|sole key|top[- ]level|nest\w*"
            r"|packed?",
            _envelope,
            r"each item|every item|each object|each element|optional\w*|tags?|section|heading",
        ),
    ),
    told("json.boolean_keys", "keys of booleans begin with {terms}", where(r"booleans?|true|flags?", _boolean_keys)),
    told(
        "json.decimals",
        "numbers in the JSON have {limit} decimals",
        where(
            r"json|payload|objects?|floats?|keys?|fields?",
            _decimals,
            r"strings?|at least|trailing zeros|padded|prose|text",
        ),
        bounded=True,
    ),
    told("json.ascii", "ASCII alone, the rest escaped", where(r"json|payload|object|strings?|escape\w*", _ascii)),
)
