"""What a value is by its words: types, numbers in a range, lists of so many, texts of a set form."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.limits import limit_at

_I = re.IGNORECASE
_NUMBER = r"[-−]?\d+(?:\.\d+)?"
_KINDS: tuple[tuple[str, dict[str, Any]], ...] = (
    (r"true (?:or|and|/) false|true/false|true\|false", {"type": "boolean"}),
    (r"bool(?:ean)?s?(?: values?)?", {"type": "boolean"}),
    (r"integers?(?: (?:numbers?|values?|ids?|indices))?|ints?|whole numbers?|(?:zero-based |0-based |1-based "
     r"|integer )?ind(?:ices|exes)|ids as integers",
     {"type": "integer"}),
    (r"(?:floating[- ]point|decimal|real|numeric(?:al)?)(?: (?:numbers?|values?))|floats?(?: (?:numbers?|values?))?"
     r"|decimals?|doubles?|numeric|numbers?|percentages?", {"type": "number"}),
    (r"(?:text |character )?strings?(?: values?)?|str|text", {"type": "string"}),
    (r"null|none", {"type": "null"}),
    (r"objects?|dict(?:ionar(?:y|ies))?s?|mappings?|maps?", {"type": "object"}),
)  # fmt: skip
_ADJECTIVES = (
    r"(?:(?:valid|single|json|plain|simple|proper|real|actual|native|raw|short|brief|concise|flat|python|unquoted"
    r"|one|of"
    r"|type|the|an|a|descriptive|human-readable|unique|free-form|clear|double-quoted|quoted|nested|detailed) )*"
)
_SIGNED = {
    "positive": {"exclusiveMinimum": 0}, "negative": {"exclusiveMaximum": 0},
    "non-negative": {"minimum": 0}, "nonnegative": {"minimum": 0},
}  # fmt: skip
_ONE = re.compile(
    rf"{_ADJECTIVES}(?:(?P<sign>positive|non-?negative|negative) )?(?:(?P<filled>non-?empty) )?{_ADJECTIVES}"
    rf"(?:(?P<list>(?:lists?|arrays?|sequences?)\b(?: \(array\))?(?: (?:of|containing|with)(?: only| the)?"
    rf"(?= {_ADJECTIVES}(?:{'|'.join(pattern for pattern, _ in _KINDS)})\b(?! \d)))?)|"
    + "|".join(f"(?P<k{at}>{pattern})" for at, (pattern, _) in enumerate(_KINDS))
    + r")(?![\w-])",
    _I,
)


def kind_at(text: str, at: int) -> tuple[dict[str, Any], int] | None:
    """The schema of a type ("a non-empty list of strings", "string or null") and where it ends."""
    first = _one(text, at)
    if first is None:
        return None
    schema, end = first
    more = re.compile(r"(?:,? or (?:else )?(?:a |an )?|\s?\|\s?|/)(?=\w)").match(text, end)
    other = _one(text, more.end()) if more else None
    return ({"anyOf": [schema, other[0]]}, other[1]) if other else (schema, end)


def _one(text: str, at: int) -> tuple[dict[str, Any], int] | None:
    found = _ONE.match(text, at)
    if found is None:
        return None
    if found["list"]:
        schema: dict[str, Any] = {"type": "array"} | ({"minItems": 1} if found["filled"] else {})
        if re.search(r"\b(?:unique|distinct)\b", text[found.start() : found.end() + 12], _I):
            schema["uniqueItems"] = True
        if re.search(r"\b(?:of|containing|with)(?: only| the)?$", found["list"], _I):
            inner = _one(text, found.end() + 1)
            if inner is None:
                return None
            return schema | {"items": inner[0]}, inner[1]
        return schema, found.end()
    kind = next(schema for at_, (_, schema) in enumerate(_KINDS) if found[f"k{at_}"])
    if found["sign"]:
        if kind["type"] not in ("integer", "number"):
            return None
        return kind | _SIGNED[found["sign"].lower()], found.end()
    if found["filled"]:
        return kind | ({"minLength": 1} if kind["type"] == "string" else {}), found.end()
    return dict(kind), found.end()


_END = (
    r"(?![\w.%°]|-\w| (?:words?|sentences?|characters?|chars|items?|lines?|elements?|entries|paragraphs?"
    r"|bullets?|decimals?|digits?|years|days|tags|keywords|strings|values))"
)
_RANGE = re.compile(
    rf"(?:(?:(?:with(?:in)?|in|on|has|have) )?(?:the |a |an |inclusive )*(?:values? )?(?:(?:closed )?(?:range"
    rf"|interval|scale)"
    rf"(?: (?:of|from|between))?|lie between|between|ranging from|ranges from|range from|from|within)[: ]*)?"
    rf"[\[(]?(?P<low>{_NUMBER})\s?(?:-|–|—|to|and|through|\.\.\.?|,)\s?(?P<high>{_NUMBER})[\])]?{_END}",
    _I,
)  # fmt: skip
_BOUNDS = (
    (re.compile(rf"(?:be )?(?:at most|no (?:more|greater|higher|larger) than|not (?:exceed|be (?:more|greater"
                rf"|higher) than"
                rf"|more than|greater than|above|over)|less than or equal to|up to|≤|<=|a maximum of"
                rf"|max(?:imum)?(?: of|:)?)"
                rf" ?({_NUMBER}){_END}", _I), "maximum"),
    (re.compile(rf"(?:be )?(?:at least|no (?:less|lower|smaller) than|not (?:be )?(?:less|lower|below|under)"
                rf" ?(?:than)?"
                rf"|greater than or equal to|≥|>=|a minimum of|min(?:imum)?(?: of|:)?)"
                rf" ?({_NUMBER}){_END}", _I), "minimum"),
    (re.compile(rf"(?:be )?(?:less|lower|smaller) than ({_NUMBER}){_END}|<({_NUMBER}){_END}|below"
                rf" ({_NUMBER}){_END}", _I),
     "exclusiveMaximum"),
    (re.compile(rf"(?:be )?(?:greater|higher|larger|more) than ({_NUMBER}){_END}|>({_NUMBER}){_END}"
                rf"|above ({_NUMBER}){_END}", _I), "exclusiveMinimum"),
)  # fmt: skip


def range_at(text: str, at: int) -> tuple[dict[str, Any], int] | None:
    """Bounds of a number: "between 0 and 1", "at most 10"."""
    found = _RANGE.match(text, at)
    if found:
        low, high = (float(found[name].replace("−", "-")) for name in ("low", "high"))
        if (
            re.fullmatch(rf"{_NUMBER}", found[0][: found.start("high") - found.start()].strip(" ,-–—to."))
            and "," in found[0]
        ):
            return None  # "1, 2": two values
        return ({"minimum": low, "maximum": high}, found.end()) if low < high else None
    for pattern, word in _BOUNDS:
        bound = pattern.match(text, at)
        if bound:
            return {word: float(next(group for group in bound.groups() if group).replace("−", "-"))}, bound.end()
    return None


_ITEMS = re.compile(
    r"(?:list |array |distinct |unique |different |short |relevant |top )*(?:items?|elements?|entries|entry"
    r"|strings?|values?"
    r"|objects?|tags?|keywords?|names?|ids?|numbers?|integers?|bullets?|options?|questions?|steps?|examples?"
    r"|suggestions?)"
    r"(?![\w-])",
    _I,
)


def items_at(text: str, at: int) -> tuple[dict[str, Any], int] | None:
    """How many items a list has: "with at most five items", "of exactly 3 strings"."""
    noun = _ITEMS.search(text, at)
    if noun is None or noun.start() - at > 50:
        return None
    limit = limit_at(text, noun.start(), noun.end(), False)
    if (
        limit is None
        or limit.turned
        or re.fullmatch(r"(?:be|contain|have|of|with|,|has|holds?|hold|\s)*", text[at : limit.start], _I) is None
    ):
        return None
    schema: dict[str, Any] = {} if limit.least is None else {"minItems": limit.least}
    return schema | ({} if limit.most is None else {"maxItems": limit.most}), noun.end()


_LETTERS = {"YYYY": r"\d{4}", "MM": r"\d{2}", "DD": r"\d{2}", "HH": r"\d{2}", "SS": r"\d{2}"}
_DATE = re.compile(
    r"(?:a |an |the |valid |as |in |of |date |dates |with |string |format |form |formatted |following |using )*"
    r"(?:(?P<letters>(?:YYYY|MM|DD)(?:[-/.](?:YYYY|MM|DD)){1,2}(?:[T ]HH:MM(?::SS)?)?|HH:MM(?::SS)?)"
    r"|(?P<iso>ISO(?:[- ]?8601)?(?:[- ]1)?)(?: (?:dates?|date-?times?|timestamps?|formats?|strings?|standard"
    r"|compliant))*"
    r")(?: (?:formats?|form|dates?|strings?|notation))*(?![\w-])",
    _I,
)
_ISO = r"\A\s*(?:\d{4}(?:-?\d{2}(?:-?\d{2})?)?(?:[T ]\d{2}.*)?|\d{4}-?W\d.*|\d{2}:?\d{2}.*|-?P[\dT].*)\s*\z"
_FORMS: tuple[tuple[str, str], ...] = (
    (r"(?:a |an )?(?:valid |full |absolute |complete )*(?:https? )?urls?|(?:a )?(?:valid )?(?:web"
     r" )?links?", r"\A\s*[a-zA-Z][a-zA-Z0-9+.-]*://\S+\s*\z"),
    (r"(?:an? )?(?:valid )?e-?mail(?: address(?:es)?)?", r"\A\s*[^@\s]+@[^@\s]+\.[^@\s]+\s*\z"),
    (r"(?:an? )?(?:valid )?uuids?(?: ?v?4)?", r"(?i)\A\s*[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\s*\z"),
    (r"(?:in |use |written in )?snake[_ -]case", r"\A[a-z0-9]+(?:_[a-z0-9]+)*\z"),
    (r"(?:in |use |written in )?(?:upper|screaming)[_ -]snake[_ -]case", r"\A[A-Z0-9]+(?:_[A-Z0-9]+)*\z"),
    (r"(?:in |use |written in )?kebab[_ -]case", r"\A[a-z0-9]+(?:-[a-z0-9]+)*\z"),
    (r"(?:in |use |written in )?(?:lower )?camel[_ -]?case", r"\A[a-z][a-zA-Z0-9]*\z"),
    (r"(?:in |use |written in )?(?:pascal[_ -]?case|upper camel[_ -]?case)", r"\A[A-Z][a-zA-Z0-9]*\z"),
    (r"(?:in |all |written in |only |entirely |be )*lower[- ]?case(?: only| letters| string| text)*", r"\A[^A-Z]*\z"),
    (r"(?:in |all |written in |only |entirely |be )*upper[- ]?case(?: only| letters| string| text)*", r"\A[^a-z]*\z"),
    (r"(?:a )?(?:valid )?(?:two|2)[- ]letter (?:(?:iso|country|language|state|code|3166(?:-1)?|639-1"
     r"|alpha-2)[ -]?)+s?",
     r"\A\s*[A-Za-z]{2}\s*\z"),
    (r"(?:a )?(?:valid )?(?:three|3)[- ]letter (?:(?:iso|country|currency|language|code|4217|alpha-3)[ -]?)+s?",
     r"\A\s*[A-Za-z]{3}\s*\z"),
    (r"(?:a )?(?:valid )?hex(?:adecimal)? colou?r(?: codes?)?", r"(?i)\A#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})\z"),
)  # fmt: skip
_FORM = tuple((re.compile(rf"(?:{words})(?![\w-])", _I), pattern) for words, pattern in _FORMS)


def form_at(text: str, at: int) -> tuple[Any, int] | None:
    """The check of a text's form: dates, addresses, ways to spell a name."""
    found = _DATE.match(text, at)
    if found:
        if found["iso"]:
            return c.Matches(pattern=_ISO, finds="ISO 8601"), found.end()
        pattern = re.sub(r"YYYY|MM|DD|HH|SS", lambda each: _LETTERS[each[0]], re.escape(found["letters"].upper()))
        return c.Matches(pattern=rf"\A\s*{pattern}\s*\z", finds=found["letters"]), found.end()
    for words, pattern in _FORM:
        form = words.match(text, at)
        if form:
            return c.Matches(pattern=pattern, finds=form[0].strip()[:60]), form.end()
    return None
