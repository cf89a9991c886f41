"""Families of one named field of an answer that is data."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.said import both, field_of, of_field, told, values_of
from agent.cca.families.family import Family, Slots

_I = re.IGNORECASE
_LITERALS: dict[str, Any] = {"true": True, "false": False, "null": None}


def _typed(schema: dict[str, Any]) -> Any:
    return of_field(lambda field, s: c.Property(name=field, schema=schema))


def _shaped(pattern: str, finds: str, *, most: int | None = None) -> Any:
    """Each text of the field is of the pattern as a whole."""
    return of_field(
        lambda field, s: c.Property(name=field, schema={"type": ["string", "null", "array"]},
                                    check=c.Matches(pattern=rf"\A(?:{pattern})\z", finds=finds))
    )  # fmt: skip


def _text(check: Any) -> Any:
    return of_field(lambda field, s: c.Property(name=field, check=check))


def _range(slots: Slots) -> Any | None:
    field = field_of(slots)
    if not field:
        return None
    whole = re.search(r"\b(?:integers?|whole|ints?)\b", slots.text, _I)
    schema: dict[str, Any] = {"type": ["integer" if whole else "number", "null"]}
    low, high = slots.least, slots.most
    first = slots.numbers[0] if slots.numbers else None
    if low is not None:
        over = not whole and first is not None and high is None and low == first + 1
        schema["exclusiveMinimum" if over else "minimum"] = first if over else low
    if high is not None:
        under = not whole and first is not None and low is None and high == first - 1
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


def _enum(slots: Slots) -> Any | None:
    field = field_of(slots)
    values = values_of(slots, field)
    if not field or len(values) < 2:
        return None
    each = {"enum": [literal for value in values for literal in _literal(value)]}
    return c.Property(name=field, schema={"anyOf": [each, {"type": "array", "items": each}]})


def _const(slots: Slots) -> Any | None:
    field = field_of(slots)
    values = tuple(term for term in slots.terms if term != field)
    literals = re.findall(r"\b(?:always|be|to|is|equals?|as) (true|false|null|-?\d+(?:\.\d+)?)\b", slots.text)
    if not field or len(values or literals) != 1:
        return None
    return c.Property(name=field, schema={"enum": _literal(values[0] if values else literals[0])})


def _not_value(slots: Slots) -> Any | None:
    field = field_of(slots)
    values = slots.contrast or values_of(slots, field)
    return c.Property(name=field, schema={"not": {"enum": list(values)}}) if field and values else None


def _counted(unit: Any) -> Any:
    return of_field(lambda field, s: c.Property(name=field, check=c.Count(unit=unit, least=s.least, most=s.most)))


def _items(field: str, slots: Slots) -> Any:
    size = {"minItems": slots.least, "maxItems": slots.most}
    return c.Property(name=field, schema={"type": ["array", "null"]} | {k: v for k, v in size.items() if v is not None})


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


def _when(absent: bool) -> Any:
    def make(slots: Slots) -> Any | None:
        """``If "status" is "error", "message" is there``: the condition's field, its value, and the other field."""
        if len(slots.terms) + len(slots.contrast) != 3 or (slots.contrast and (not absent or len(slots.terms) != 2)):
            return None
        if slots.contrast:
            key, value = slots.terms
            return c.Property(name=slots.contrast[0], where={key: {"enum": _literal(value)}}, absent=True)
        found = re.search(r"\b(?:if|when|whenever|where|once|for|with|given|in case)\b", slots.text, _I)
        first = slots.text.find(slots.terms[0])
        behind = found is not None and found.start() > first >= 0
        field, key, value = slots.terms if behind else (slots.terms[2], *slots.terms[:2])
        filled = (
            {"type": "string", "minLength": 1} if re.search(r"\bnon-?empty|not (?:be )?empty", slots.text, _I) else {}
        )
        return c.Property(
            name=field,
            where={key: {"enum": _literal(value)}},
            required=not absent,
            absent=absent,
            schema={} if absent else filled,
        )

    return make  # fmt: skip


_EMPTY: list[dict[str, Any]] = [
    {"type": "null"},
    {"type": "string", "maxLength": 0},
    {"type": "array", "maxItems": 0},
    {"type": "object", "maxProperties": 0},
]
_FILLED: dict[str, Any] = {"not": {"anyOf": _EMPTY}}
_NO_NULL: dict[str, Any] = {"not": {"type": "null"}}
_STRINGS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
_DATE = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_TIME = r"[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?"
FAMILIES: tuple[Family, ...] = (
    told("field.string", "the field is a string", _typed({"type": ["string", "null"]})),
    told("field.integer", "the field is an integer", _typed({"type": ["integer", "null"]})),
    told("field.number", "the field is a number", _typed({"type": ["number", "null"]})),
    told("field.boolean", "the field is a boolean", _typed({"type": ["boolean", "null"]})),
    told("field.array", "the field is an array", _typed({"type": "array"})),
    told("field.strings", "the field is an array of strings", _typed(_STRINGS)),
    told("field.numbers", "the field is an array of numbers", _typed({"type": "array", "items": {"type": "number"}})),
    told("field.objects", "the field is an array of objects", _typed({"type": "array", "items": {"type": "object"}})),
    told("field.object", "the field is an object", _typed({"type": ["object", "null"]})),
    told("field.range", "the field is {limit}", _range, bounded=True),
    told("field.positive", "the field is above zero", _typed({"type": ["number", "null"], "exclusiveMinimum": 0})),
    told("field.non_negative", "the field is not negative", _typed({"type": ["number", "null"], "minimum": 0})),
    told("field.enum", "the field is one of {terms}", _enum),
    told("field.const", "the field is always {terms}", _const),
    told("field.not_value", "the field is never {terms}", _not_value),
    told("field.filled", "the field is not empty", _typed(_FILLED)),
    told("field.not_null", "the field is not null", _typed(_NO_NULL)),
    told("field.characters", "the field has {limit} characters", _counted("characters"), bounded=True),
    told("field.words", "the field has {limit} words", _counted("words"), bounded=True),
    told("field.sentences", "the field has {limit} sentences", _counted("sentences"), bounded=True),
    told("field.items", "the field has {limit} items", of_field(_items), bounded=True),
    told(
        "field.unique",
        "the field's items differ",
        _typed({"anyOf": [{"not": {"type": "array"}}, {"uniqueItems": True}]}),
    ),
    told("field.iso_date", "the field is a date as YYYY-MM-DD", _shaped(_DATE, "a date as YYYY-MM-DD")),
    told(
        "field.iso_datetime",
        "the field is an ISO timestamp",
        _shaped(_DATE + _TIME.replace("[T ]", "T") + r"(?:Z|[+-]\d{2}:?\d{2})?", "an ISO timestamp"),
    ),
    told("field.utc", "the field is a timestamp that ends in Z", _shaped(r"\S*Z", "a Z at the end")),
    told("field.time", "the field is a time as HH:MM", _shaped(r"(?:[01]\d|2[0-3]):[0-5]\d", "a time as HH:MM")),
    told("field.email", "the field is an email address", _shaped(r"[^\s@]+@[^\s@]+\.[^\s@]+", "an email address")),
    told("field.url", "the field is a URL", _shaped(r"https?://\S+", "an address")),
    told("field.https", "the field is an https URL", _shaped(r"https://\S+", "an https address")),
    told("field.country", "the field is an ISO country code of two capitals", _shaped("[A-Z]{2}", "two capitals")),
    told(
        "field.currency", "the field is an ISO currency code of three capitals", _shaped("[A-Z]{3}", "three capitals")
    ),
    told(
        "field.language",
        "the field is an ISO language code of two small letters",
        _shaped("[a-z]{2}", "two small letters"),
    ),
    told(
        "field.uuid",
        "the field is a UUID",
        _shaped("(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "a UUID"),
    ),
    told("field.hex_colour", "the field is a colour as #rrggbb", _shaped("#[0-9A-Fa-f]{6}", "a colour as #rrggbb")),
    told(
        "field.slug", "the field is in small letters, digits and hyphens", _shaped("[a-z0-9]+(?:-[a-z0-9]+)*", "a slug")
    ),
    told("field.digits", "the field holds digits alone", _shaped(r"\d+", "digits alone")),
    told("field.lower", "the field is in lower case", _text(c.Case(letters="lower"))),
    told("field.upper", "the field is in upper case", _text(c.Case(letters="upper"))),
    told("field.no_spaces", "the field has no spaces", _shaped(r"\S*", "a text without spaces")),
    told("field.no_line_breaks", "the field has no line breaks", _shaped(r"[^\n]*", "one line")),
    told(
        "field.no_final_stop",
        "the field ends without a full stop",
        _shaped(r"(?s).*[^.\s]\s*|", "a text without a full stop at its end"),
    ),
    told(
        "field.no_markdown",
        "the field holds no Markdown",
        _text(c.Matches(pattern=r"\*\*[^*\s]|^#{1,6} |`|\]\(https?:|^[-*] ", least=0, most=0, finds="Markdown")),
    ),
    told("field.decimals", "the field has so many decimals", of_field(_decimals)),
    told("field.required_when", "a field is there where another has a value", _when(False)),
    told("field.absent_when", "a field is not there where another has a value", _when(True)),
)
