"""What a field may hold: one of several values, a type, a range, a form, or what an answer may be told to be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from agent.cca import checks as c
from agent.cca.contract.kinds import form_at, items_at, kind_at, range_at
from agent.cca.contract.names import Terms

_I = re.IGNORECASE


@dataclass(frozen=True, slots=True)
class Value:
    """A JSON Schema of the value and a check of its text."""

    schema: dict[str, Any]
    check: Any | None
    end: int


_INTRO = re.compile(
    r"(?:strictly |exactly |only |always |literally |a |an |the |single |string:? |value |text )*"
    r"(?:(?:exactly |only |just )?(?:one|any|either|1|a member|an element)(?: \w+)? (?:of|from|among|out of)"
    r"|(?:chosen |selected |picked |taken |drawn )(?:only )?(?:from|out of|among)|from|among|either|whether)"
    r"(?: (?:the|following|these|those|allowed|given|permitted|valid|possible|available|predefined|fixed|exact"
    r"|values?"
    r"|options?|strings?|labels?|categor(?:y|ies)|choices|set|list|enum|literals?|words?|two|three|four|five|six"
    r"|of))*"
    r"\s?:?\s?",
    _I,
)
_PLAIN_INTRO = re.compile(
    r"(?:strictly |exactly |only |always |literally |the |string |value |word |literal |text |constant |a |an |as )*",
    _I,
)
_LITERAL = re.compile(r"(?:true|false|null|-?\d+(?:\.\d+)?)(?![\w.%-])", _I)
_WORD = re.compile(r"[A-Za-z][\w+/-]*(?: [a-z][\w-]*)?(?=\s*(?:[,|;\])}.]|$|\s(?:or|and)\b|/))|[A-Za-z][\w-]*")
_SEPARATOR = re.compile(r"\s*(?:[,|;/]\s*(?:or |and |else )*|\s(?:or|and) (?:else )?(?:a |the )?)\s*", _I)
_GLOSS = re.compile(
    r"\s*(?:\([^()]{0,120}\)|\s(?:if|when|for|where|otherwise|in case|in all other cases|in any other case|by"
    r" default)\b"
    r"[^§,;|]{0,120}?(?=\s*(?:[,;|.)]|$|\s(?:or|and)\s§|,? (?:and|or|else|otherwise))))",
    _I,
)  # fmt: skip
_OTHERWISE = re.compile(
    r"\s*[,;]?\s*(?:and |or )*(?:otherwise|else|if not|in all other cases|in any other case|by"
    r" default)[ ,:]*(?:use |set (?:it )?to |return |it (?:is|must be) )?",
    _I,
)
_NOT_VALUES = """
    a an the it its string strings number numbers integer integers boolean list array object text null empty valid
    short clear concise brief left omitted present missing blank unknown in on of to one following
"""
_NO_WORDS = frozenset(_NOT_VALUES.split())
_JSON = {"true": True, "false": False, "null": None}
_MAX_VALUES = 60


def choice_at(terms: Terms, at: int, *, listed: bool = False) -> Value | None:
    """``one of "a", "b"``. ``listed``: what stands there is known to be a list of values."""
    text = terms.text
    intro = _INTRO.match(text, at)
    begin = intro.end() if intro else _PLAIN_INTRO.match(text, at).end()  # type: ignore[union-attr]
    opened = re.compile(r"[\[({]").match(text, begin)
    place = opened.end() if opened else begin
    values: list[Any] = []
    bare = glossed = False
    end = place
    joined: list[str] = []
    while len(values) < _MAX_VALUES:
        item = _item(terms, place, bool(intro) or listed or _pipes(text, begin))
        if item is None:
            break
        found, end, plain = item
        values += found
        bare = bare or plain
        gloss = _GLOSS.match(text, end)
        if gloss and gloss[0].strip():
            glossed = glossed or gloss[0].lstrip()[:1] != "("
            end = gloss.end()
        separator = _OTHERWISE.match(text, end) or _SEPARATOR.match(text, end)
        if separator is None:
            break
        joined.append(separator[0].strip().lower())
        place = separator.end()
    if opened:
        closed = re.compile(r"\s*[\])}]").match(text, end)
        if closed is None:
            return None
        end = closed.end()
    several = len(joined) > 0 and len(values) > 1
    if not values or (glossed and not several) or (intro and intro[0].strip() and not several):
        return None
    if (
        several
        and not (intro or listed or opened)
        and not any(re.search(r"\bor\b|[|/]|else|otherwise", each) for each in joined)
    ):
        return None  # "a" and "b"
    unique = [each for i, each in enumerate(values) if not any(type(each) is type(o) and each == o for o in values[:i])]
    return Value({"enum": unique}, None, end)


def _pipes(text: str, at: int) -> bool:
    return re.compile(r"[\[({]?[A-Za-z][\w-]*(?:\s?\|\s?[A-Za-z][\w-]*)+").match(text, at) is not None


def _item(terms: Terms, at: int, words: bool) -> tuple[list[Any], int, bool] | None:
    """The JSON values that an item may be meant as, where it ends, and whether it is a bare word."""
    if at in terms.at:
        spelled = terms.at[at].text
        low = spelled.lower()
        as_json: list[Any] = [_JSON[low]] if low in _JSON else []
        if re.fullmatch(r"-?\d{1,9}(?:\.\d{1,9})?", spelled):
            as_json = [float(spelled) if "." in spelled else int(spelled)]
        return [spelled, *as_json], at + 1, False
    literal = _LITERAL.match(terms.text, at)
    if literal:
        low = literal[0].lower()
        return [_JSON[low] if low in _JSON else float(low) if "." in low else int(low)], literal.end(), False
    word = _WORD.match(terms.text, at) if words else None
    if word is None or word[0].split()[0].lower() in _NO_WORDS:
        return None
    spelled = word[0].strip()
    return list(dict.fromkeys([spelled, spelled.lower(), spelled.upper(), spelled.capitalize()])), word.end(), True


_EMPTY: tuple[tuple[re.Pattern[str], dict[str, Any]], ...] = (
    (re.compile(r"(?:be )?(?:an? )?(?:non-?empty|non-?blank)(?: strings?|"
                r" text)?(?![\w-])", _I), {"minLength": 1, "minItems": 1, "not": {"type": "null"}}),
    (re.compile(r"(?:be )?(?:left |an |the |a |set to )*empty (?:array|list)(?![\w-])"
                r"|\[\]", _I), {"type": "array", "maxItems": 0}),
    (re.compile(r"(?:be )?(?:left |an |the |a |set to )*(?:empty|blank) (?:string"
                r"|text)(?![\w-])", _I), {"const": ""}),
    (re.compile(r"(?:be )?(?:left |set to )*(?:empty|blank)(?![\w-])", _I), {"enum": ["", None, [], {}]}),
)  # fmt: skip
_MORE = re.compile(r"\s*,?\s*(?:\(|(?:and|which|that|with|in|but) )?\s*(?:it )?(?:must |should |is |are |be )*", _I)
_INCLUSIVE = re.compile(
    r"\s*[,(]?\s*(?:both )?(?:inclusive(?:ly)?|included|exclusive)\s*\)?|\s*\(inclusive of both ends\)", _I
)
_SHOWN_AS = re.compile(r"\s?\((?:e\.g\.,? |i\.e\.,? |format:? |like )?[A-Z0-9:/.T§-]{1,25}(?: format)?\)")
_NOT_ANOTHER = re.compile(
    r",?\s*\(?(?:and |but )?(?:not|never|rather than|instead of)(?: as| be)? (?:an? |the )?(?:plain |single |json )?"
    r"(?:strings?|numbers?|floats?|text|booleans?|objects?|lists?|arrays?|words?|null|percentages?"
    r"|quoted[\w ]{0,20}|dict\w*|integers?)\)?(?![\w-])",
    _I,
)


_OR_NULL = re.compile(r"\s?(?:\([^()]{1,30}\))?,? or (?:else |be |is )*(?:null|none)(?![\w-])", _I)
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


def value_at(terms: Terms, at: int) -> Value | None:
    """The demand on a value that starts at ``at``, with the words that narrow it."""
    text = terms.text
    chosen = choice_at(terms, at)
    if chosen is not None:
        return chosen
    for pattern, emptied in _EMPTY:
        empty = pattern.match(text, at)
        if empty:
            null = _OR_NULL.match(text, empty.end())
            if null:
                return Value(
                    {"anyOf": [{k: v for k, v in emptied.items() if k != "not"}, {"type": "null"}]}, None, null.end()
                )
            return Value(emptied, None, empty.end())
    schema: dict[str, Any] = {}
    check: Any | None = None
    end = start = at
    for _ in range(6):
        made: tuple[dict[str, Any], int] | None = None
        if "type" not in schema and "anyOf" not in schema:
            made = kind_at(text, start)
        if made is None and schema.get("type") not in ("string", "boolean", "array", "object"):
            made = range_at(text, start)
        if made is None and schema.get("type") in (None, "array"):
            made = items_at(text, start)
            if made and "type" not in schema:
                made = ({"type": "array"} | made[0], made[1])
        if made is not None:
            schema |= made[0]
            end = made[1]
        else:
            form = form_at(text, start) if check is None else None
            more = choice_at(terms, start) if form is None and schema else None
            if form is not None:
                check, end = form
            elif more is not None:
                schema, end = more.schema, more.end
            else:
                break
        for closing in (_INCLUSIVE, _NOT_ANOTHER, _SHOWN_AS):
            closed = closing.match(text, end)
            end = closed.end() if closed else end
        start = _MORE.match(text, end).end()  # type: ignore[union-attr]
        if start >= len(text):
            break
    if not schema and check is None:
        return None
    null = _OR_NULL.match(text, end)
    if null:
        schema = {"anyOf": [schema, {"type": "null"}]} if schema else {"type": ["string", "null"]}
        end = null.end()
    if (
        "minimum" in schema or "maximum" in schema or "exclusiveMinimum" in schema or "exclusiveMaximum" in schema
    ) and "type" not in schema:
        schema = {"type": "number"} | schema
    if "(" in text[at:end] and text[at:end].count("(") > text[at:end].count(")"):
        closed = re.compile(r"\s*\)").match(text, end)
        end = closed.end() if closed else end
    return Value(schema, check, end)


def denied(value: Value) -> Value | None:
    """The demand that a value is not so."""
    if value.check is not None:
        return None if value.schema else Value({}, c.Not(check=value.check), value.end)
    return Value({"not": value.schema}, None, value.end)
