"""CodeGen: the form of an answer. Formats, keys, tables, sections, its first and last words."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.quoted import Quoted
from agent.cca.reading import OTHER_SUBJECT, SUBJECT, Reading, scope_of

_I = re.IGNORECASE
_FORMATS = r"(json|yaml|toml|csv|markdown|python)"
_RESPOND = (
    r"(?:respond|reply|answer|return|output|produce|format|formatted|write|give|provide|present|emit|be|deliver)\w*"
)
_IN_FORMAT = re.compile(
    rf"\b{_RESPOND}\b(?! (?:a|an|the) \w+ (?:file|module|schema))[^.]{{0,60}}?\b(?:in|as|with|"
    rf"valid|only|using|be|a|single)\b[^.]{{0,30}}?\b{_FORMATS}\b(?! (?:file|module|schema|table|code|"
    rf"syntax highlight|code style|version|[23]))",
    _I,
)
_ONLY = re.compile(
    r"\b(?:only|nothing (?:else|but)|no (?:other|additional|extra|surrounding) (?:text|prose|"
    r"commentary|words)|without (?:any )?(?:other |additional |extra )?(?:text|prose|commentary|"
    r"explanation)|raw|solely|exclusively)\b",
    _I,
)


_FORMAT_ALONE = re.compile(
    rf"\b(?:output|return|produce|emit|respond|answer) (?:only )?(?:valid |well-formed |raw )?{_FORMATS}\b"
    r"(?! (?:file|module|schema|table|code|parser|version|[23]))",
    _I,
)
_JSON_TYPE = re.compile(r"\bjson (object|array|list)\b", _I)


_PARSES = re.compile(
    r"\b(json|yaml|toml)\b[^.]{0,40}\b(?:pars(?:e)?able|valid|well-formed)\b(?! (?:file"
    r"|module))",
    _I,
)
_AROUND = re.compile(
    r"\b(?:outside|around|before or after|besides|beyond|other than)\b[^.]{0,20}\b(json"
    r"|yaml|toml|csv)\b",
    _I,
)
_NO_JSON = re.compile(
    r"\b(?:return|output|use|respond (?:with|in)|reply (?:with|in)|produce|emit|write"
    r"|format \w+ as) json\b",
    _I,
)


def _refused_format(reading: Reading) -> Any | None:
    """``Nothing outside the JSON``; ``do not return JSON``."""
    around = _AROUND.search(reading.text)
    if around:
        return c.Valid(format=around[1].lower(), whole=True)  # type: ignore[arg-type]
    if not _NO_JSON.search(reading.text) or reading.code:
        return None
    made = c.Schema(schema={"anyOf": [{"type": "object"}, {"type": "array"}]})
    others = re.search(r"\ba list\b|\bbullets?\b", reading.text, _I)
    return c.AllOf(checks=(c.Not(check=made), c.Count(unit="bullets", most=0))) if others else c.Not(check=made)


def format_(reading: Reading) -> Any | None:
    if reading.negative:
        return _refused_format(reading)
    match = _IN_FORMAT.search(reading.text) or _FORMAT_ALONE.search(reading.text)
    match = match or (None if reading.code else _PARSES.search(reading.text))
    if match is None:
        return None
    name: Any = match[1].lower()
    if name == "markdown":
        return c.Valid(format="markdown")
    valid = c.Valid(format=name, whole=_ONLY.search(reading.text) is not None)
    wanted = keys(reading)
    if wanted is not None:
        return c.AllOf(checks=(valid, wanted))
    kind = _JSON_TYPE.search(reading.text) if name == "json" else None
    if kind is not None:
        named = "object" if kind[1].lower() == "object" else "array"
        return c.AllOf(checks=(valid, c.Schema(schema={"type": named})))
    return valid


def _in_brackets(text: str, first: int, start: int) -> bool:
    """Opened behind the first term: what stands there explains a key."""
    between = text[first:start]
    return between.count("(") > between.count(")")


_OBJECT_OF = re.compile(
    r"\b(?:json|yaml|toml)(?: (?:object|mapping|document|file))?,? (?:with|containing|that (?:contains|has)"
    r"|having)\b",
    _I,
)


_ONLY_KEYS = re.compile(
    r"\b(?:exactly|only|just)\b(?: (?!return|output|respond|in\b)[\w`'\"]+){0,3}? (?:keys?|fields?"
    r"|properties|attributes)\b"
    r"|\b(?:keys?|fields?|properties|attributes) (?:only|alone)\b|\b(?:no other|no additional|no extra"
    r"|nothing else)\b"
    r"|\b(?:keys?|fields?|properties)\b[^.]{0,20}\bexactly\b",
    _I,
)
_BETWEEN_NAMES = re.compile(r"[\s,]*(?:and|or|&)?(?: the)?\s*")


def _enumerated_before(reading: Reading, end: int) -> list[Quoted]:
    """``with the "a", "b" and "c" keys``: the terms that lead up to the word."""
    found: list[Quoted] = []
    for each in reversed(reading.terms):
        if each.end > end:
            continue
        if not _BETWEEN_NAMES.fullmatch(reading.text[each.end : found[0].start if found else end]):
            break
        found.insert(0, each)
    return found


def keys(reading: Reading) -> Any | None:
    match = re.search(r"\b(?:keys?|fields?|properties|attributes)\b", reading.text, _I) or _OBJECT_OF.search(
        reading.text
    )
    if match is None or reading.negative or not re.search(r"\b(json|yaml|toml|object)\b", reading.text, _I):
        return None
    listed = [each for each in reading.terms if each.start > match.start()]
    listed = _enumerated_before(reading, match.start()) or listed
    terms = tuple(each.text for each in listed if not _in_brackets(reading.text, listed[0].start, each.start))
    if not terms:
        return None
    form = re.search(r"\b(yaml|toml)\b", reading.text, _I)
    only = _ONLY_KEYS.search(reading.text) is not None
    return c.Keys(format=form[1].lower() if form else "json", keys=terms, only=only)  # type: ignore[arg-type]


_TABLE = re.compile(r"\btables?\b[^.]{0,60}\bcolumns?\b|\bcolumns?\b[^.]{0,60}\btables?\b", _I)
_LIST_AFTER = re.compile(
    r"\b(?:columns?|sections?|headings?|headers?|parts)\b[^:.]{0,40}?(?:(?::|named|called|titled|labell?ed|of)\s{0,2}"
    r"|\s(?=(?-i:[A-Z])))([^.]{3,400})",
    _I,
)
_LIST_TAIL = re.compile(r"\s+(?:in|as|with|and then)\s+(?:this|that|the|exactly)\b.*$", _I)


def table(reading: Reading) -> Any | None:
    if not _TABLE.search(reading.text) or reading.negative:
        return None
    columns = _listed(reading)
    if not columns:
        return None
    return c.Table(columns=columns, ordered=re.search(r"\border\b", reading.text, _I) is not None)


def _listed(reading: Reading) -> tuple[str, ...]:
    """Quoted terms, else capitalised names after a colon: ``sections: Summary, Risks and Next steps``."""
    if reading.terms:
        return tuple(each.text for each in reading.terms)
    match = _LIST_AFTER.search(reading.text)
    if match is None:
        return ()
    parts = re.split(r",\s*(?:and |or )?|\s+and\s+|;\s*", _LIST_TAIL.sub("", match[1]).strip(" .:"))
    names = tuple(part.strip(" *_()") for part in parts if part.strip(" *_()"))
    fitting = all(len(name) <= 60 and len(name.split()) <= 6 and name[0].isupper() for name in names)
    return names if len(names) >= 2 and fitting else ()


def sections(reading: Reading) -> Any | None:
    text = reading.text
    if reading.negative or not re.search(r"\b(?:sections?|headings?)\b", text, _I):
        return None
    if re.search(r"\b(?:docstrings?|readme|file|document|changelog|release notes)\b", text, _I) or not SUBJECT.search(
        text
    ):
        return None
    names = _listed(reading)
    if not names:
        return None
    return c.Sections(
        headings=names, ordered=re.search(r"\b(?:order|sequence)\b", text, _I) is not None or len(names) == 1
    )


_START = re.compile(r"\b(?:start|begin|open|prefix|lead)(?:s|ning|ing|ed)?\b[^.]{0,30}?\bwith\b", _I)
_END = re.compile(r"\b(?:end|finish|conclude|close|sign off)(?:s|ing|ed)?\b[^.]{0,30}?\b(?:with|in)\b", _I)


_EACH = re.compile(r"\b(?:an?|any|each|every) (sentence|paragraph|bullet|line)s?\b", _I)
_FIRST_LAST = re.compile(r"\b(first|last|final) line\b[^.]{0,40}\b(?:be|is|reads?|says?|contains?)\b", _I)
_GOES_ON = re.compile(
    r"\s{0,2}(?:,? and (?:then )?|,? )?(?:followed by|then|and (?:an?|the)|with (?:an?"
    r"|the)|section|heading)\b",
    _I,
)
_PUNCTUATION = {
    "period": (".",), "full stop": (".",), "question mark": ("?",), "exclamation mark": ("!",), "colon": (":",),
    "comma": (",",), "semicolon": (";",), "question": ("?",), "punctuation": (".", ",", ";", ":", "!", "?"),
}  # fmt: skip
_SIGN = re.compile(
    r"\b(?:with|in) (?:an? |any )?(" + "|".join(sorted(_PUNCTUATION, key=len, reverse=True)) + r")\b", _I
)
_FIRST_SIGN = re.compile(
    r"\bwith (?:an? )?(?:(capital|upper[- ]?case)|(lower[- ]?case|small)|(digit|number)) ?(?:letters?)?\b", _I
)


def edge_lines(reading: Reading) -> Any | None:
    """``The first line must be "STATUS: OK"``."""
    match = _FIRST_LAST.search(reading.text)
    terms = tuple(each.text for each in reading.terms)
    if match is None or not terms or reading.negative:
        return None
    if re.search(r"\b(?:files?|docstrings?|commits?|modules?|scripts?|templates?)\b", reading.text, _I):
        return None
    within: Any = "first_line" if match[1].lower() == "first" else "last_line"
    return c.Starts(terms=terms if re.search(r"\bor\b", reading.text, _I) else terms[:1], within=within)


def edges(reading: Reading) -> Any | None:
    text = reading.text
    for pattern, kind in ((_START, c.Starts), (_END, c.Ends)):
        match = pattern.search(text)
        if match is None:
            continue
        terms = tuple(each.text for each in reading.terms if each.start >= match.end())
        if kind is c.Ends and not reading.negative and terms and _GOES_ON.match(text, reading.terms[-1].end):
            return c.Contains(terms=terms[:1], case=True, words=False)
        if kind is c.Ends and not reading.negative:
            terms = tuple(form for term in terms for form in (term, f"{term}.", f"{term}!"))
        if not terms:
            sign = _SIGN.search(text, match.start())
            if kind is c.Starts:
                return _first_sign(reading, match)
            if sign is None:
                return None
            terms = _PUNCTUATION[sign[1].lower()]
        scoped = _scope_of_edge(text, match)
        if scoped == "other":
            return None
        several = (kind is c.Ends and terms == _PUNCTUATION["punctuation"]) or re.search(
            r"\bor\b|\beither\b"
            r"|\bone of\b",
            text[match.end() :],
            _I,
        ) is not None
        first = terms if several else terms[: 3 if kind is c.Ends and len(terms) >= 3 else 1]
        check: Any = kind(terms=first)
        if reading.negative:
            check = c.Not(check=check)
        return c.Every(scope=scoped, check=check) if scoped else check  # type: ignore[arg-type]
    return None


def _first_sign(reading: Reading, match: re.Match[str]) -> Any | None:
    """``Every bullet starts with a capital letter``."""
    sign = _FIRST_SIGN.search(reading.text, match.start())
    scoped = _scope_of_edge(reading.text, match)
    if sign is None or scoped == "other":
        return None
    pattern = r"\A[^\w`]*[A-Z\u00c0-\u00de0-9`]" if sign[1] else r"\A[^\w`]*[a-z0-9`]" if sign[2] else r"\A[^\w`]*\d"
    check: Any = c.Matches(pattern=pattern)
    if reading.negative:
        check = c.Not(check=check)
    return c.Every(scope=scoped, check=check) if scoped else check  # type: ignore[arg-type]


def _scope_of_edge(text: str, match: re.Match[str]) -> str:
    """What starts or ends so: a unit, the answer (""), or ``other``."""
    inner = _EACH.search(match[0])
    if inner:
        return inner[1].lower()
    if OTHER_SUBJECT.search(match[0]) and not SUBJECT.search(match[0]):
        return "other"
    return scope_of(text[: match.start()])
