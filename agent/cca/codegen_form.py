"""CodeGen: the form of an answer. Formats, keys, tables, sections, its first and last words."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.quoted import Quoted
from agent.cca.reading import NUMBER, SUBJECT, Reading

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
    rf"\b(?:output|return|produce|emit|respond|answer) (?:only )?(?:(?:a|an|one|exactly one"
    rf"|a single) )?(?:valid |well-formed |raw )?{_FORMATS}\b"
    r"(?! (?:file|module|schema|table|code|parser|version|[23]))",
    _I,
)
_JSON_TYPE = re.compile(r"\bjson (object|array|list)\b", _I)


_PARSES = re.compile(
    r"\b(json|yaml|toml)\b[^.]{0,40}\b(?:parse?able|valid|well-formed|syntactically correct|formatted)\b(?! (?:file"
    r"|module))",
    _I,
)
_AROUND = re.compile(
    r"\b(?:outside|around|before or after|besides|beyond|other than|else than|anything (?:except"
    r"|but))\b[^.]{0,20}\b(json"
    r"|yaml|toml|csv)\b",
    _I,
)
_OR_JSON = re.compile(r"\b(?:include|contain|use|add)\b[^.]{0,40}(?<!in )(?<!in the )(?<!the )\bjson\W*$", _I)
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
    no = _NO_JSON.search(reading.text)
    if no and not re.search(
        r"(?:\b(?:not|never|no|avoid|without)\b"
        r"|n['’]t\b)[^.;,]{0,30}$",
        reading.text[: no.start()],
        _I,
    ):
        no = None
    if not (no or _OR_JSON.search(reading.text)) or reading.code:
        return None
    made = c.Schema(schema={"anyOf": [{"type": "object"}, {"type": "array"}]})
    others = re.search(r"\ba list\b|\bbullets?\b", reading.text, _I)
    return c.AllOf(checks=(c.Not(check=made), c.Count(unit="bullets", most=0))) if others else c.Not(check=made)


_OF_SOFTWARE = re.compile(
    r"\b(?:can|may|could) (?:also )?be\b.{0,20}\bjson\b|\b(?:arguments?|parameters?|inputs?) (?:must|should) be\b|"
    r"\bjson (?:format |object |data |value )?for (?:the|each|any|all|every|your) (?!(?:final |whole )?(?:answer"
    r"|response|output|reply|result|evaluation))|"
    r"^\W*(?:\w+ )?(?:parameters?|arguments?|inputs?|values?|payloads?|config\w*|metadata|headers?|bod(?:y|ies)"
    r"|variables?)"
    r" (?:must|should|shall|has|have|needs?|is|are)\b|\b(?:instruct|ask|tell)\w*\b|\b(?:configured|functions?"
    r"|methods?|tools?|endpoints?|api|servers?"
    r"|components?|parsers?|class(?:es)?"
    r"|callbacks?|hooks?)"
    r" (?:\w+ ){0,3}?(?:should|must|shall|needs? to|has to|to|returns?)\b",
    _I,
)


_EITHER_FORMAT = re.compile(rf"\b{_FORMATS}(?: or |/| / ){_FORMATS}\b", _I)


def format_(reading: Reading) -> Any | None:
    if reading.negative:
        return _refused_format(reading)
    match = _IN_FORMAT.search(reading.text) or _FORMAT_ALONE.search(reading.text)
    match = match or (None if reading.code else _PARSES.search(reading.text))
    if match is None or _OF_SOFTWARE.search(reading.text) or _EITHER_FORMAT.search(reading.text):
        return None
    name: Any = match[1].lower()
    if name == "json":
        return None
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


_BARE_KEYS = re.compile(
    r"\b(?:keys?|fields?|properties"
    r"|attributes)\s?:\s{0,2}([a-z_]\w{0,40}(?:(?:, ?(?:and )?| and )[a-z_]\w{0,40}){1,20})\W*$",
    _I,
)
_OBJECT_OF = re.compile(
    r"\b(?:json|yaml|toml)(?: (?:object|mapping|document|file))?,? (?:with|containing|that (?:contains|has)"
    r"|having)\b",
    _I,
)


_ONLY_KEYS = re.compile(
    r"\b(?:exactly|only|just)\b(?: (?!return|output|respond|in\b|as\b|for\b)[\w`'\"]+){0,3}? (?:keys?|fields?"
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


_MATCHED = re.compile(
    r"\b(?:keys?|fields?) (?:must|should) (?:exactly )?(?:match|equal|be the same)\b|^\W*(?:your"
    r"|the) inputs?\b",
    _I,
)
_BEYOND = re.compile(r"\b(?:beyond|other than|besides|except|apart from)\b", _I)


_OF_SOME = re.compile(r"[\"`”'] for (?!the\b|each\b|your\b|all\b|every\b|an?\b|this\b)\w+\W*(?:$|[;,)])", _I)
"""``("name" for entities; "source" for relationships)``."""


def keys(reading: Reading) -> Any | None:
    if _MATCHED.search(reading.text) or _OF_SOME.search(reading.text):
        return None
    bare = _BARE_KEYS.search(reading.text)
    if bare is not None and not reading.negative and re.search(r"\bjson\b", reading.text, _I):
        return c.Keys(keys=tuple(re.findall(r"[A-Za-z_]\w*", re.sub(r"\b(?:and|or)\b", " ", bare[1]))))
    beyond = _BEYOND.search(reading.text) if reading.negative else None
    if beyond is not None and re.search(r"\b(?:fields?|keys?)\b[^.]*\bjson\b", reading.text, _I):
        allowed = tuple(each.text.strip("\"'.,;") for each in reading.terms if each.start > beyond.start())
        return c.Keys(keys=allowed, only=True) if allowed else None
    match = re.search(r"\b(?:keys?|fields?|properties|attributes)\b", reading.text, _I) or _OBJECT_OF.search(
        reading.text
    )
    if match is None or reading.negative or not re.search(r"\b(json|yaml|toml|object)\b", reading.text, _I):
        return None
    listed = [each for each in reading.terms if each.start > match.start()]
    listed = _enumerated_before(reading, match.start()) or listed
    terms = tuple(
        each.text.strip("\"'.,;") for each in listed if not _in_brackets(reading.text, listed[0].start, each.start)
    )
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
        return tuple(each.text.lstrip("# ") or each.text for each in reading.terms)
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
    if re.search(
        r"\bfrom (?:the|these|all)\b|\bmay be\b|\bkeep in mind\b|\b(?:read|see|review|check|copy|refer)\b", text, _I
    ):
        return None
    if re.search(r"\b(?:docstrings?|readme|file|document|changelog|release notes)\b", text, _I) or not (
        SUBJECT.search(text) or re.match(r"(?:please )?use (?:exactly )?(?:the|these) ", text, _I)
    ):
        return None
    names = _listed(reading)
    if not names:
        return None
    if re.search(rf"\bonly (?:{NUMBER} )?(?:new )?(?:sections?|headings?)\b", text, _I):
        exact = c.Count(unit="headings", most=len(names))
        return c.AllOf(checks=(c.Sections(headings=names, ordered=False), exact))
    return c.Sections(
        headings=names, ordered=re.search(r"\b(?:order|sequence)\b", text, _I) is not None or len(names) == 1
    )
