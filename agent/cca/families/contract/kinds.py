"""What a sentence names by a word of its own: a format, a type, the form of a value, a case of letters, a direction."""

from __future__ import annotations

import re
from typing import Any

from agent.cca.families.family import Slots

_I = re.IGNORECASE
_DENIED = re.compile(
    r"(?:\bnot\b|\bnever\b|n['’]t\b|\bno\b|\brather than\b|\binstead of\b|\bwithout\b|\bin place of\b)"
    r"(?:(?!\bbut\b)[^,;.:])*",
    _I,
)
_TERM = re.compile(r"\"[^\"]*\"|`[^`]*`|“[^”]*”|(?<!\w)'[^']*'(?!\w)")
_FORMAT = re.compile(r"\b(json(?!\s?lines|l\b)|ya?ml|xml|toml|csv|tsv|html|sql|markdown|ndjson|jsonl|json lines)\b", _I)
_TYPES = (
    (r"integers?|whole[- ]numbers?|ints?", "integer"),
    (r"numbers?|numeric|floats?|floating|decimals?", "number"),
    (r"booleans?|bool|true or false|either true or false", "boolean"),
    (r"objects?|dict\w*|mapping", "object"),
    (r"arrays?|lists?", "array"),
    (r"strings?|text|quote", "string"),
)
_ITEM = r"(?:strings?|numbers?|numeric(?: values)?|integers?|objects?)\b"
_ITEMS = re.compile(
    r"\b(?:arrays?|lists?),? (?:of|consisting of|made up of|all of (?:its|the) (?:elements|items|entries)(?: are)?"
    r"|whose (?:elements|items|entries) are|in which (?:each|every) \w+ is)(?: an?)? "
    rf"(?:\w+ )?({_ITEM})"
    r"|\b(string|number|object|integer)\[\]|\b(string|numeric|number|object) array\b"
    rf"|\b(?:elements?|entry|entries|items?|objects?)\b.*\b(?:is|are|be|as)(?: an?| of its own)? ({_ITEM})"
    r"|\b(?:contains?|holds?)\b.*?\b(strings|numbers|objects|integers)\b"
    r"|\b(strings|numbers|objects)\b.*\bin (?:the|a) (?:\w+ )?(?:array|list)\b"
    r"|\b(object|string|number)s? (?:per|a|for each|each) \w+|\beach(?: \w+)? as an? (object|string|number)\b",
    _I,
)


def affirmed(text: str) -> str:
    """Without what is denied or contrasted, up to the next mark."""
    return _DENIED.sub(" ", text)


def bare(text: str) -> str:
    """Without what is quoted."""
    return _TERM.sub(" ", text)


def format_of(text: str) -> str:
    """The one format that a sentence names, what it denies aside; "" for none or several."""
    for seen in (affirmed(text), text):
        found = {match[1].lower().replace("yml", "yaml") for match in _FORMAT.finditer(seen)}
        found -= {"markdown"} if len(found) > 1 else set()
        if found:
            return found.pop() if len(found) == 1 else ""
    return ""


def is_of(text: str, *formats: str) -> bool:
    """Whether it names no other format than these."""
    found = {match[1].lower().replace("yml", "yaml") for match in _FORMAT.finditer(affirmed(text))}
    return not found - {*formats, "markdown"}


def items_of(text: str) -> str:
    """The type of an array's elements; "" where none is told."""
    match = _ITEMS.search(bare(affirmed(text))) or _ITEMS.search(bare(text))
    if match is None:
        return ""
    word = next(group for group in match.groups() if group).lower()
    return "number" if word == "numeric" or word == "numeric values" else word.rstrip("s")


def type_of(text: str) -> str:
    """The JSON type that is named first and not denied; "" for none."""
    for seen in (bare(affirmed(text)), bare(text)):
        found = [
            (match.start(), name)
            for words, name in _TYPES
            for match in [re.search(rf"\b(?:{words})\b", seen, _I)]
            if match is not None
        ]
        if found:
            return min(found)[1]
    return ""


def container_of(text: str) -> str:
    """``object`` or ``array``, whichever is named first and not denied; "" for neither."""
    kind = r"(?:(objects?|dict\w*)|arrays?|lists?)\b"
    for seen in (bare(affirmed(text)), bare(text)):
        one = re.search(rf"\b(?:an?|one|single|the) (?:[\w-]+ ){{0,2}}{kind}", seen, _I)
        found = one or re.search(rf"\b{kind}", seen, _I)
        if found:
            return "object" if found[1] else "array"
    return ""


def cases_of(text: str) -> set[str]:
    """Which of snake, kebab, camel and pascal case it names."""
    return {each.lower() for each in re.findall(r"(?i)\b(?:\w+_)?(snake|kebab|camel|pascal)", text)}


def is_denied(text: str) -> bool:
    return re.search(r"\b(?:not|never|no|without|avoid|forbidden|rejected)\b|n['’]t\b", text, _I) is not None


def letters_of(text: str) -> str:
    """``lower`` or ``upper``: the case that is wanted; "" where none is named."""
    upper = re.search(r"\b(?:upper[- ]?cased?|capitals?|capitali[sz]ed?|uppercas\w+|caps|capital letters)\b", text, _I)
    lower = re.search(r"\b(?:lower[- ]?cased?|small letters|lowercas\w+)\b", text, _I)
    if bool(upper) == bool(lower):
        return ""
    denied = is_denied(re.sub(r"\b(?:not accepted|not allowed)\b", "never", text, flags=_I))
    return ("lower" if upper else "upper") if denied else ("upper" if upper else "lower")


_RISES = re.compile(r"\bto the (?:largest|highest)|\bnever decreas\w+", _I)
_FALLS = re.compile(
    r"\b(?:descend\w+|falling|decreas\w+|high to low|best first|newest|latest first|most recent|highest|largest"
    r"|biggest|go down|reverse|never (?:increases|rises|goes up))\b",
    _I,
)


def falls(text: str) -> bool:
    """Whether what is sorted falls."""
    return _FALLS.search(_RISES.sub("", text)) is not None


_DATE = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d"
_HEX = "[0-9a-f]"
FORMS: dict[str, tuple[str, str]] = {
    "hex": ("#[0-9A-Fa-f]{6}", "a colour as #rrggbb"),
    "uuid": (rf"(?i){_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}", "a UUID"),
    "email": (r"[^\s@<>]+@[^\s@<>]+\.[A-Za-z]{2,}", "an email address"),
    "url": (r"https?://\S+", "an address"),
    "https": (r"https://\S+", "an https address"),
    "country": ("[A-Z]{2}", "two capitals"),
    "currency": ("[A-Z]{3}", "three capitals"),
    "language": ("[a-z]{2}", "two small letters"),
    "utc": (r"\S*Z", "a Z at the end"),
    "in_utc": (r"\S*(?:Z|[+-]00:?00|UTC)", "a time in UTC"),
    "datetime": (rf"{_DATE}T{_CLOCK}(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d{{2}}:?\d{{2}})?", "an ISO timestamp"),
    "date": (_DATE, "a date as YYYY-MM-DD"),
    "time": (_CLOCK, "a time as HH:MM"),
    "slug": ("[a-z0-9]+(?:-[a-z0-9]+)*", "a slug"),
    "digits": (r"\d+", "digits alone"),
    "phone": (r"\+[1-9]\d{6,14}", "a number like +4930123456"),
    "semver": (r"\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?", "a version of three numbers"),
    "path": (r"[~.]{0,2}/?[\w.@+-]+(?:/[\w.@+ -]+)*/?", "a path"),
}
"""Forms of a value: a pattern of all of it, and what it is called."""
_NAMES = (
    (r"\bslugs?\b|\ba-z\b", "slug"),
    (r"\bhex\w*|#rrggbb|\bcolou?rs? (?:codes?|like)", "hex"),
    (r"\buuids?\b", "uuid"),
    (r"\be\.?164\b", "phone"),
    (r"\bsemver\b|\bsemantic version\w*", "semver"),
    (r"\be-?mails?\b", "email"),
    (r"http://", "url"),
    (r"\bhttps\b(?! in front)", "https"),
    (r"\b(?:urls?|links?|web address\w*|addresses)\b", "url"),
    (r"\bcountr\w+|\b3166|\balpha-?2", "country"),
    (r"\bcurrenc\w+|\b4217|\bthree[- ]letter|\bthree (?:capitals?|letters)|\bof three\b", "currency"),
    (r"\blanguages?\b|\b639", "language"),
    (r"(?-i:\bZ\b)", "utc"),
    (r"\butc\b", "in_utc"),
    (r"\btime-?stamps?\b|\bdate-?times?\b|\bdate and time|\b3339", "datetime"),
    (
        r"\byyyy-mm-dd\b|\biso\b.*\bdates?\b|\bdates?\b.*\biso\b|\b8601\b|\byear-month-day|\bdates?\b.*\bhyphens"
        r"|\bdates?\b.*\b\d{4}-\d\d-\d\d\b",
        "date",
    ),
    (r"\bhh:mm\b", "time"),
    (r"\bkebab|\bhyphen", "slug"),
    (r"\bdigits?\b", "digits"),
    (r"\bpaths?\b", "path"),
)
_HINTS = (("lang", "language"), ("country", "country"), ("currency", "currency"))


def form_of(slots: Slots, field: str = "") -> str:
    """The name of the form that a value is to have; where letters alone are counted the field's name tells which."""
    text = re.sub(rf"\b{re.escape(field)} (?:field|key)\b", " ", bare(slots.text)) if field else bare(slots.text)
    examples = " ".join(term for term in slots.terms if term in ("YYYY-MM-DD", "HH:MM", "Z", "https://"))
    for seen in (affirmed(text) + " " + examples, text + " " + examples):
        for words, name in _NAMES:
            if re.search(words, seen, _I):
                return name
        if re.search(
            r"\btwo[- ]letter|\btwo (?:small |capital |upper-case |lower-case )?(?:letters|capitals)", seen, _I
        ):
            return next((name for sign, name in _HINTS if sign in field.lower()), letters_named(seen))
    return next((name for sign, name in _HINTS if sign in field.lower() and re.search(r"\biso\b|\bcode", text, _I)), "")


def letters_named(text: str) -> str:
    return "country" if letters_of(text) == "upper" else "language" if letters_of(text) == "lower" else ""


def schema_of(kind: str, items: str = "") -> dict[str, Any]:
    return {"type": kind, "items": {"type": items}} if items else {"type": kind}
