"""Families of an answer that is data of a format: what it is, what stands around it, which keys it has."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.kinds import affirmed, container_of, format_of, is_denied, is_of, items_of, schema_of
from agent.cca.families.contract.said import both, has, has_places, never, told, where, whole
from agent.cca.families.contract.statements import only_sql
from agent.cca.families.family import Family, Slots

_I = re.IGNORECASE
_KEY = re.compile(r"[A-Za-z_$@][\w.$-]{0,60}")
_WHOLE: dict[str, Any] = {"json": "json", "yaml": "yaml", "xml": "xml", "toml": "toml"}
_FENCES = {"json": "json", "yaml": "ya?ml", "xml": "xml", "toml": "toml", "csv": "csv", "sql": "sql", "html": "html"}


_OR = r"(?:json|yaml|xml|toml|csv)(?: \w+)? or|or (?:as |in )?(?:an? )?(?:json|yaml|xml|toml|csv|plain|text)"


def _format(slots: Slots) -> Any | None:
    name = format_of(slots.text)
    denied = not format_of(affirmed(slots.text)) and not has(slots, "other than|but|except")
    return c.Valid(format=_WHOLE[name]) if name in _WHOLE and not denied and not has(slots, _OR) else None


_ALONE = (
    r"only|just|pure|alone|raw|entire|whole|exclusively|solely|by itself|on its own|strictly|no \w+|not a"
    r"|not one|without|consists?|bare|leave out"
    r"|skip"
)


def _only(slots: Slots) -> Any | None:
    around = r"nothing|other than|but|outside|before|after|around|apart|besides?|surround\w*|precede|prose|only|just"
    name = format_of(slots.text)
    if not has(slots, around) and not has(slots, _ALONE):
        return None
    if not format_of(affirmed(slots.text)) and (not has(slots, around) or has(slots, "must not return|in pure text")):
        return None
    if name == "csv":
        return both(c.CsvForm(demand="no_prose"), c.CsvForm(demand="equal_columns"))
    if name == "sql":
        return only_sql()
    return c.Valid(format=_WHOLE[name], whole=True) if name in _WHOLE else None


def _kind(alone: bool) -> Any:
    """An object or an array at the top."""

    def make(slots: Slots) -> Any | None:
        kind = container_of(slots.text)
        if not kind or not is_of(slots.text, "json"):
            return None
        items = items_of(slots.text) if kind == "array" else ""
        return both(c.Valid(format="json", whole=alone), c.Schema(schema=schema_of(kind, items)))

    return make


def _array_of(slots: Slots) -> Any | None:
    items = items_of(slots.text)
    if not items or not is_of(slots.text, "json"):
        return None
    return both(c.Valid(format="json"), c.Schema(schema=schema_of("array", items)))


def _names(slots: Slots) -> tuple[str, ...]:
    return slots.named if all(_KEY.fullmatch(name) for name in slots.named) else ()


_KEYED = r"json|yaml|toml|keys?|fields?|propert(?:y|ies)|attributes?|objects?|required|mandatory|top level|schema"
_NO_OTHERS = re.compile(
    r"\b(?:exactly|only|just|closed|no (?:other|others|more|further|additional|extra|keys? (?:other|beyond))|nothing"
    r"|apart from|other than|beyond|extra|anything else|without others|permitted|allowed)\b",
    _I,
)


def _keys(slots: Slots) -> Any | None:
    names = _names(slots)
    name: Any = format_of(slots.text) or "json"
    counted = {int(number) for number in slots.numbers if number > 1}
    if (
        has(
            slots,
            r"mapped|must be one of|is one of|each of which|array of|list of|yes|outputs|sections?|headings?"
            r"|paragraphs?",
        )
        or has_places(slots)
        or (counted and counted != {len(names)})
        or not has(slots, _KEYED)
    ):
        return None
    if not names or name not in ("json", "yaml", "toml"):
        return None
    return c.Keys(format=name, keys=names, only=_NO_OTHERS.search(slots.text) is not None)


_FENCE = r"(?:fences?|fenced|backticks?|blocks?|markdown)"
_UNFENCED = re.compile(
    rf"(?:\b(?:no|not|never|without|leave off|raw|bare|plain|directly)\b|n['’]t\b)[^,;.]{{0,60}}\b{_FENCE}\b"
    rf"|\b{_FENCE}\b[^,;]{{0,40}}\b(?:not|never)\b|\bunfenced\b|\b(?:no|without)\b.*\b{_FENCE}\b"
    rf"|\b(?:raw|plain|bare)\b.*\b(?:no|never|without)\b.*\b{_FENCE}\b"
    rf"|\b{_FENCE}\b.*\b(?:bare|bug|break\w*|chokes?|trips?)\b|\b(?:leave|strip|drop|remove)\b[^.]*(?:```|\b{_FENCE}\b)",
    _I,
)


def _unfenced(slots: Slots) -> Any | None:
    """Raw JSON, or raw code of any other kind."""
    if not _UNFENCED.search(slots.text) or has(slots, "language|languages"):
        return None
    bare = c.Count(unit="fences", most=0)
    name = format_of(slots.text)
    if name == "json":
        return both(c.Valid(format="json", whole=True), bare)
    return both(never(_SPEAKS, "prose before the code"), bare)


def _fenced(slots: Slots) -> Any | None:
    name = format_of(slots.text)
    denied = is_denied(
        re.sub(r"\bwithout\b|\b(?:never|not|n['’]t) [^,;]*\b(?:bare|raw|unfenced|loose)\b", "", slots.text)
    )
    if name not in _FENCES or (denied and not has(slots, "without")):
        return None
    fence = rf"(?is)^ {{0,3}}```(?:{_FENCES[name]})[ \t]*\n.*^ {{0,3}}```[ \t]*$"
    words = rf"{name} (?:code|fence|block|markdown)|marked|tagged|labelled|language|(?:of )?type {name}"
    tagged = has(slots, words)
    found = c.Matches(pattern=fence, finds=f"a fence of {name}") if tagged else c.Count(unit="fences", least=1)
    return both(found, c.Valid(format="json")) if name == "json" else found


def _or_word(slots: Slots) -> Any | None:
    named = tuple(dict.fromkeys(slots.named)) or tuple(re.findall(r"\b(?!JSON\b)[A-Z][A-Z_]{2,}\b", slots.text))
    if len(named) != 1 or format_of(slots.text) != "json":
        return None
    word = whole(rf'"?{re.escape(named[0])}"?')
    return c.AnyOf(checks=(word, c.Valid(format="json", whole=True)))


def _strict(slots: Slots) -> Any | None:
    """Parsers that are named are no terms, nor are the marks that are not to be there."""
    other = [term for term in slots.terms if re.search(r"\w", term) and not re.search(r"(?i)loads?\b|parse", term)]
    return None if other or not is_of(slots.text, "json") else c.Valid(format="json")


def _empty_array(slots: Slots) -> Any:
    names = r"(?:hits|results|items|matches|entries|records|data|rows|list|values|files|tags|\w+_list)"
    other = r"\A\s*(?:null|None|\"\"|\{\s*\}|(?i:n/a|none|nothing found|no results?)\.?)\s*\z"
    return both(
        never(other, "another empty result"),
        never(rf'(?i)"{names}"\s*:\s*(?:null|"")', "another empty list"),
    )


def _lines(slots: Slots) -> Any:
    return c.Every(scope="line", check=both(c.Valid(format="json", whole=True), c.Schema(schema={"type": "object"})))


def _edges(slots: Slots) -> Any | None:
    square = re.search(r"\bsquare\b|\[", slots.text)
    curly = re.search(r"\bcurly\b|\bbraces?\b|\{", slots.text)
    if bool(square) == bool(curly):
        return None
    opening, closing = ("[", "]") if square else ("{", "}")
    return both(c.Starts(terms=(opening,)), c.Ends(terms=(closing,)))


_SPEAKS = (
    r"(?i)\A\s*(?:sure|certainly|here(?:['’]s| is| are| you)|of course|below\b|this "
    r"|the (?:code|script|function|following)\b)"
)
FAMILIES: tuple[Family, ...] = (
    told("data.keys", "the keys {terms}, and no others where that is said", _keys),
    Family("data.format", "the answer is of the format that is named", _format),
    Family("data.only", "data of the format and nothing else", _only),
    Family("data.fenced", "data in a code fence of its format", _fenced),
    Family(
        "data.unfenced",
        "no code fence around data or code",
        where(r"code|json|query|output|reply|fence|fences|unfenced|backticks", _unfenced, r"more than"),
    ),
    Family("json.kind", "a JSON object or array", _kind(False)),
    Family(
        "json.kind_only",
        "a JSON object or array and nothing else",
        where(r"json|object|array", _kind(True), r"either|none"),
    ),
    Family("json.array_of", "a JSON array of one type", _array_of),
    told(
        "json.empty_array",
        "an empty result is []",
        where(
            r"empty (?:json )?(?:array|list|results?)|nothing|no (?:matches|hits|results?|entries|items"
            r"|findings|names|rows|records)"
            r"|without (?:hits|results|matches)|zero results|any findings",
            _empty_array,
        ),
    ),
    told("json.or_word", "JSON or the word {terms}", _or_word),
    told("json.strict", "no comments or trailing commas in the JSON", where(r"json", _strict)),
    Family("json.lines", "one JSON object a line", where(r"json|jsonl|ndjson|json lines", _lines)),
    told("json.edges", "begins and ends with brackets", _edges),
)
