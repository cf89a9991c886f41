"""Families of one named field of an answer that is data."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.kinds import FORMS, bare, form_of, items_of, schema_of, type_of
from agent.cca.families.contract.labels import within
from agent.cca.families.contract.said import both, field_of, has, of_field, told, values_of, whole
from agent.cca.families.family import Family, Slots
from agent.cca.families.slots import without_reason

_I = re.IGNORECASE
_LITERALS: dict[str, Any] = {"true": True, "false": False, "null": None}


def _typed(schema: dict[str, Any]) -> Any:
    return of_field(lambda field, s: c.Property(name=field, schema=schema))


def _text(check: Any) -> Any:
    return of_field(lambda field, s: c.Property(name=field, check=check))


def _range(slots: Slots) -> Any | None:
    field = field_of(slots)
    if not field:
        return within(slots) if _is_answer(slots) else None
    is_whole = re.search(r"\b(?:integers?|whole|ints?)\b", slots.text, _I)
    schema: dict[str, Any] = {"type": ["integer" if is_whole else "number", "null"]}
    low, high = slots.least, slots.most
    first = slots.numbers[0] if slots.numbers else None
    if low is not None:
        over = not is_whole and first is not None and high is None and low == first + 1
        schema["exclusiveMinimum" if over else "minimum"] = first if over else low
    if high is not None:
        under = not is_whole and first is not None and low is None and high == first - 1
        schema["exclusiveMaximum" if under else "maximum"] = first if under else high
    return c.Property(name=field, schema=schema)


def _literal(value: str) -> list[Any]:
    out: list[Any] = [value]
    if value.lower() in _LITERALS:
        out.append(_LITERALS[value.lower()])
    elif re.fullmatch(r"-?\d{1,9}", value):
        out.append(int(value))
    elif re.fullmatch(r"-?\d{1,9}\.\d{1,9}", value):
        out.append(float(value))
    return out


_DENIES = re.compile(
    r"\b(?:no|not|never|cannot|forbidden|avoid)\b|n['’]t\b|\b(?:other|another|but)\b"
    r"|\b(?:nothing|none)(?= (?:but|other|else but)\b)|\b(?:invalid|rejected|refused)\b",
    _I,
)
_LEAVES_OUT = re.compile(
    r"\b(?:no|not|never)\b|n['’]t\b|\b(?:omit\w*|leave(?:\s+(?:the|a|any|it))*\s+out|drop|absent|missing)\b", _I
)


def _value(slots: Slots) -> Any | None:
    """One of several values, one that is fixed, or what it may not be: two denials affirm."""
    field = field_of(slots)
    if not field or re.search(r"[{<]|--", slots.text):
        return None
    denied = len(_DENIES.findall(bare(slots.text))) % 2 == 1 and not has(slots, "nothing else|and nothing|no other")
    values = (slots.contrast if denied else ()) or values_of(slots, field)
    if not values:
        values = tuple(re.findall(r"\b(?:always|be|to|is|equals?|as) (true|false|null|-?\d+(?:\.\d+)?)\b", slots.text))
    each = {"enum": [literal for value in values for literal in _literal(value)]}
    if not values:
        return None
    if denied:
        return c.Property(name=field, schema={"not": each})
    return c.Property(
        name=field, schema={"anyOf": [each, {"type": "array", "items": each}]} if len(values) > 1 else each
    )


def _counted(unit: Any) -> Any:
    return of_field(lambda field, s: c.Property(name=field, check=c.Count(unit=unit, least=s.least, most=s.most)))


def _decimals(field: str, slots: Slots) -> Any | None:
    """A JSON number does not keep its zeros: no more decimals than that, and as text as many."""
    places = {int(number) for number in slots.numbers}
    if len(places) != 1:
        return None
    many = places.pop()
    if not 0 <= many <= 12:
        return None
    shown = rf"\d+\.\d{{{many}}}" if many else r"\d+"
    number = rf'"{re.escape(field)}"\s*:\s*-?\d+\.\d{{{many + 1},}}'
    return both(
        c.Property(name=field, check=c.Matches(pattern=rf"\A\D*{shown}\D*\z", finds="a number of so many decimals")),
        c.Matches(pattern=number, least=0, most=0, finds="numbers with more decimals"),
    )


def _when(slots: Slots) -> Any | None:
    """``If "status" is "error", "message" is there``: the condition's field, its value, and the other field."""
    absent = len(_LEAVES_OUT.findall(bare(slots.text))) % 2 == 1
    names = (*slots.terms, *slots.contrast)
    literal = _IS_LITERAL.search(bare(slots.text))
    if len(names) == 2 and literal and not slots.contrast:
        first, second = slots.terms
        between = slots.text.find(literal[0]) < slots.text.find(second)  # the value stands behind its key
        key, field = (first, second) if between else (second, first)
        return _required(slots, field, key, literal[1], absent)
    if len(names) != 3 or len(slots.contrast) > 1 or (slots.contrast and not absent):
        return None
    found = re.search(
        r"\b(?:if|when|whenever|where|once|as soon as|(?<!calls )(?<!call )(?<!asks )for|with|given|in case)\b",
        slots.text,
        _I,
    )
    behind = found is not None and found.start() > slots.text.find(slots.terms[0]) >= 0
    field, key, value = names if behind and not slots.contrast else (names[2], *names[:2])
    return _required(slots, field, key, value, absent)


_IS_LITERAL = re.compile(r"\b(?:is|are|equals?|set to|be|=|==|to)\s+(true|false|null|-?\d+(?:\.\d+)?)\b", _I)


def _required(slots: Slots, field: str, key: str, value: str, absent: bool) -> Any:
    text = {"type": "string", "minLength": 1} if has(slots, r"non-?empty|not (?:be )?empty") else {}
    return c.Property(
        name=field,
        where={key: {"enum": _literal(value)}},
        required=not absent,
        absent=absent,
        schema={} if absent else text,
    )


def _is_its_type(slots: Slots, field: str) -> bool:
    """Of several names that are quoted, the type is told of the field, or of all of them."""
    names = {term for term in slots.terms if re.fullmatch(r"[A-Za-z_]\w+", term)}
    if len(names) < 2 or has(slots, "both|all|each|every|are"):
        return True
    told_of = rf"{re.escape(field)}\W{{0,3}}(?:field|key|property|value)? ?(?:must|is|has to|should|shall|as)\b"
    return re.search(told_of, slots.text) is not None


_CONCEDES = re.compile(r"\b(?:even though|although|though|even if|while)\b[^,;]*,", _I)


def _type(slots: Slots) -> Any | None:
    field = field_of(slots)
    own = without_reason(slots)  # "phone numbers keep their zeros in text only, so …" names another type
    slots = own if own is not None and type_of(own.text) else slots
    items = items_of(slots.text)
    kind = "array" if items else type_of(_CONCEDES.sub(" ", slots.text))
    if not field or not kind or not _is_its_type(slots, field):
        return None
    schema = schema_of(kind, items)
    return c.Property(name=field, schema=schema if kind == "array" else {"type": [kind, "null"]})


def _form(slots: Slots) -> Any | None:
    """Of the field that is named; without one, of all dates or timestamps."""
    field = field_of(slots)
    regex = [term for term in slots.terms if re.fullmatch(r"\^.+\$", term)]
    if field and len(regex) == 1 and len(slots.terms) == 2:
        try:
            own = whole(regex[0][1:-1], "the regular expression")
        except ValueError:  # none that RE2 knows
            return None
        return c.Property(name=field, schema={"type": ["string", "null", "array"]}, check=own)
    name = form_of(slots, field)
    if name not in FORMS or (field and name == "path"):
        return None
    if name == "digits" and re.search(r"\b(?:dash|hyphen|prefix|year)\b|\b[A-Z]{2,}-", slots.text):
        return None  # digits are a part of it
    if field and len([term for term in slots.terms if len(term) > 1 and term.isidentifier()]) > 1:
        return None  # of several fields
    pattern, finds = FORMS[name]
    if field and field not in ("YYYY-MM-DD", "Z", "T"):
        own = c.Matches(pattern=rf"\A(?:{pattern})\z", finds=finds)
        return c.Property(name=field, schema={"type": ["string", "null", "array"]}, check=own)
    if _ALONE.search(slots.text) and not slots.terms and not has(slots, "not|never|links|urls"):
        return whole(pattern, f"{finds} alone") if name not in _PARTS_OF else None
    if name == "date":
        return c.JsonForm(demand="iso_dates")
    if name in _CODES:
        own = c.Matches(pattern=rf"\A(?:{pattern})\z", finds=finds)
        return both(*(c.Property(name=key, schema={"type": ["string", "null", "array"]}, check=own)
                      for key in _CODES[name]))  # fmt: skip
    if name not in ("utc", "in_utc", "datetime"):
        return None
    ends = r"(?:Z|[+-]00:?00|UTC)\z"
    shown: Any = (
        c.Ends(terms=("Z",)) if name == "utc" else c.Matches(pattern=ends if name == "in_utc" else r"\d{2}T\d{2}")
    )
    return c.Each(part=c.Part(kind="match", pattern=_STAMP), check=shown)


_PARTS_OF = ("utc", "in_utc", "datetime", "slug", "digits")
_CODES = {
    "country": ("country", "country_code", "countryCode", "country_iso"),
    "currency": ("currency", "currency_code", "currencyCode"),
    "language": ("language_code", "languageCode", "lang", "locale"),
}
"""Keys that hold such a code, of sentences that name none."""
_ALONE = re.compile(
    r"\b(?:only|alone|nothing|just|bare|single|entire|whole|no words|without any text|all (?:that )?we need)\b", _I
)


def _is_answer(slots: Slots) -> bool:
    """Whether the whole answer is the number."""
    kind = r"numbers?|integers?|decimals?|floats?|scores?|rate|rating|probability|value"
    alone = (
        r"answer (?:is|with)|reply|respond|return|only|just|alone|nothing|no words|not a word|print|single|one whole"
        r"|output"
    )
    denied = re.match(r"(?:do not|don['’]t|never|no)\b", slots.text, _I)
    return (
        has(slots, kind)
        and has(slots, alone)
        and not slots.terms
        and not has(slots, "asterisks?|brackets?|each|every")
        and not denied
    )


_STAMP = r"\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[ ]?(?:Z|UTC|[+-]\d{2}:?\d{2}))?"
FAMILIES: tuple[Family, ...] = (
    told("field.value", "the field has one of the values {terms}, or none of them", _value),
    told("field.when", "a field is there, or not, where another has a value", _when),
    told("field.range", "the field, or the answer, is {limit}", _range, bounded=True),
    told("field.type", "the field is of the type that is named", _type),
    told("field.form", "the field is of the form that is named", _form),
    told("field.characters", "the field has {limit} characters", _counted("characters"), bounded=True),
    told("field.words", "the field has {limit} words", _counted("words"), bounded=True),
    told("field.sentences", "the field has {limit} sentences", _counted("sentences"), bounded=True),
    told(
        "field.no_markdown",
        "the field holds no Markdown",
        _text(c.Matches(pattern=r"\*\*[^*\s]|^#{1,6} |`|\]\(https?:|^[-*] ", least=0, most=0, finds="Markdown")),
    ),
    told("field.decimals", "the field has so many decimals", of_field(_decimals)),
)
