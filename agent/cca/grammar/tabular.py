"""Tables, CSV and code as the answer: their columns by name, and that nothing stands beside them."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_HEADS = (
    r"(?:columns?|headers?|column (?:headers?|headings?|names?|titles?)|header row|heading row|headings|first"
    r" row|first line)"
)
_THESE = r"(?:the|these|two|three|four|five|six|seven|eight|following|exactly|only|this|a|with|of|having)"
_CELL = r"[A-Z](?:(?! in (?:this|that|the) )[\w/% -]){0,40}(?: ?\([\w/% -]{1,20}\))?"
_COLUMNS = re.compile(
    rf"\b{_HEADS}(?: of (?:the )?(?:table|csv))?(?:(?: (?:must|should|shall|have to|has to))? (?:be|are|is"
    rf"|read))?(?: exactly| named| called| labell?ed| titled| for| of)?"
    rf"(?:,? in (?:this|that|the following) order)?[:,]? ?(?P<list>(?:§|\|?\s?{_CELL})(?:(?:, and |, or |, | and |"
    rf" \| |\|)(?:§|{_CELL}))*\|?)"
    r"(?P<order>,? (?:in (?:this|that|the (?:given|following|same)) (?:exact )?order|exactly in this order|\(in"
    r" (?:this|that) order\)))?[ .)|]*$"
)
_TABLE = re.compile(r"\btables?\b(?!['’]?s? of contents)", _I)
_CSV = re.compile(r"\bcsv\b(?! files?\b)", _I)
_TOLD = re.compile(
    r"^\W*(?:(?:please|always|only|just|you must|you should|then|finally|your task is to|must|should) )*(?:use"
    r"|make|present|output|format|return|give|show|respond|reply|answer|provide|write"
    r"|create|produce|organi[sz]e|display|render|summari[sz]e|list|include|build|print|draw|lay out|report"
    r"|structure|generate)\b|^\W*(?:the |your |a |each |every |all )*(?:final )?(?:answers?|responses?|outputs?"
    r"|results?"
    r"|repl(?:y|ies)|tables?|columns?|csv)(?:['’]s)?\b.{0,40}?\b(?:must|should|shall|has to|needs to|is|are|have"
    r"|has|:)",
    _I,
)
_OTHER = re.compile(
    r"\b(?:databases?|sql|schema|dataframes?|input|given|if|when|unless|or|not|never|may|can|could|optional"
    r"|existing|create table|join|query|queries|migration|upload\w*|spreadsheets?)\b|n['’]t\b",
    _I,
)


def columns(masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    """``Use a table with the columns Name and Age``, ``Return CSV with the header name,age``."""
    if not _TOLD.match(masked) or _OTHER.search(masked):
        return None
    if _CSV.search(masked):
        return _csv(masked, terms)
    if not _TABLE.search(masked):
        return None
    found = _COLUMNS.search(masked.replace("Columns", "columns").replace("Headers", "headers"))
    if found is None or found["list"].count("§") != len(terms):
        return None
    names = _names(found["list"], terms)
    if len(names) < 2:
        return None
    ordered = (
        found["order"] is not None
        or re.search(
            r"\bin (?:this|that|the following)"
            r" order\b",
            masked,
            _I,
        )
        is not None
    )
    return c.Table(columns=tuple(names), ordered=ordered)


def _names(listed: str, terms: tuple[Quoted, ...]) -> list[str]:
    marks = iter(terms)
    parts = [part.strip(" |") for part in re.split(r", and |, or |, | and |\s?\|\s?", listed)]
    names = [next(marks).text if part == "§" else part for part in parts if part]
    if len(names) == 1 and re.search(r"[,|]", names[0]):
        names = [part.strip() for part in re.split(r"[,|]", names[0]) if part.strip()]
    return names if all(len(name.split()) <= 5 for name in names) else []


_HEADER = re.compile(
    rf"\b{_HEADS}(?: of (?:the )?csv)?(?:(?: (?:must|should|shall|has to))? (?:be|are|is|read))?(?: exactly| named|"
    rf" called| of| containing)?[: ]+(?P<list>§|[A-Za-z_]\w*(?:(?:, ?and |, ?| and |;)[A-Za-z_]\w*)+|§(?:(?:, and "
    rf"|, | and )§)+)"
    r"(?: in (?:this|that) order)?(?:,? (?:and|with) (?:no|nothing) [\w ]{1,30})?[ .]*$",
    _I,
)


def _csv(masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    found = _HEADER.search(masked)
    if found is None or found["list"].count("§") != len(terms):
        return None
    marks = iter(terms)
    listed = re.sub("§", lambda _: next(marks).text, found["list"])
    names = [name.strip(" \"'") for name in re.split(r",\s*and\s+|\s+and\s+|[,;|]", listed)]
    if len(names) < 2 or not all(re.fullmatch(r"[\w .-]{1,40}", name) for name in names):
        return None
    row = r"\s*[,;|\t]\s*".join(rf"\"?{re.escape(name)}\"?" for name in names)
    return c.AllOf(
        checks=(
            c.Valid(format="csv"),
            c.Matches(pattern=rf"(?im)\A\s*(?:[^\n]*\n)*?(?:```\w*[ \t]*\n)?[ \t]*{row}[ \t]*$"),
        )
    )


_LANGUAGE = (
    r"(?:python|sql|bash|shell|javascript|typescript|java|rust|go|html|css|json|yaml|c\+\+|r|ruby|markdown"
    r"|mermaid|code)"
)
_BLOCK = rf"(?:fenced |markdown )?(?:{_LANGUAGE} )?(?:fenced )?code ?(?:block|fence|snippet)s?"
_ONLY_BLOCK = re.compile(
    rf"^(?:please |you must |you should |always )*(?:(?:only |just )?(?:output|return|respond with|reply with|give"
    rf"|give me|provide|write|produce|print|answer with)(?: back)?(?: me)? (?:only |just |nothing but |exactly "
    rf"|solely )?"
    rf"(?:a |the |one |an |single |exactly one |your )*{_BLOCK}|(?:the |your )?(?:entire |whole |final )?(?:answer"
    rf"|response|output|reply) (?:must|should|has to) (?:only |just )?(?:contain|be|consist of|include)"
    rf" (?:only |just |nothing but |exactly |solely )?(?:a |the |one |single |exactly one"
    rf" )*{_BLOCK})(?P<tail>.{{0,80}})$",
    _I,
)
_ALONE = re.compile(
    r"\b(?:only|just|nothing but|solely|nothing else|no (?:other )?(?:text|prose|explanations?|commentary"
    r"|comments)|without (?:any )?(?:other |additional |further )?(?:text|explanations?|prose|commentary"
    r"|comments))\b",
    _I,
)
_AFTER_BLOCK = re.compile(
    r"(?:[,;:]? ?(?:and )?(?:only|nothing else|alone|no (?:other |additional |extra )?(?:text|prose|explanations?"
    r"|commentary|comments)|without (?:any )?(?:other |additional |further )?(?:text|explanations?|prose"
    r"|commentary|comments)|(?:with )?no (?:text|prose|explanation) (?:before or after(?: it)?|around it"
    r"|outside(?: of it)?)|(?:before or after(?: it)?)|(?:or|nor) \w+))*[ .!]*$",
    _I,
)


def block_alone(masked: str) -> Any | None:
    """``Output only a code block``, ``Reply with one Python code block, no prose``."""
    found = _ONLY_BLOCK.match(masked)
    if found is None or not _ALONE.search(masked) or not _AFTER_BLOCK.fullmatch(found["tail"]):
        return None
    one = re.search(r"\b(?:one|single|a)\b[\w ]{0,30}\bcode", found[0], _I) is not None
    fences = c.Count(unit="fences", least=1, most=1 if one else None)
    return c.AllOf(checks=(fences, c.Count(unit="words", most=0, within="prose")))


_NO = re.compile(
    r"\b(?:no|not|never|without|free of|free from|neither|avoid|omit|leave out|do not|does not"
    r"|invalid|forbidden)\b|n['’]t\b",
    _I,
)
_QUOTES = re.compile(r"\bdouble[- ]quot(?:es|ed|ation marks)\b", _I)
_LOOKS_JSON = c.Matches(pattern=r"(?s)[{,]\s*['\"]?\w[\w -]*['\"]?\s*:")


def spelled_json(masked: str) -> Any | None:
    """``Use double quotes for all keys``, ``No trailing commas or comments in the JSON``: it is JSON."""
    if len(masked) > 160 or "§" in masked or _OF_INPUT.search(masked):
        return None
    named = re.search(r"\bjson\b", masked, _I) is not None
    commas = re.search(r"\btrailing commas?\b", masked, _I) is not None and named and _NO.search(masked) is not None
    keys = re.search(r"\b(?:keys|property names|field names)\b", masked, _I) is not None
    quotes = (
        _QUOTES.search(masked) is not None
        and (keys or named)
        and re.search(r"\b(?:keys?|strings?|values?|names)\b", masked, _I) is not None
        and not re.search(r"\bescap\w*\b|\b(?:no|not|never|without)\b[^,;]{0,20}double", masked, _I)
    )
    single = named and re.search(r"\b(?:no|not|never|avoid)\b[^,;]{0,16}\bsingle[- ]quotes\b", masked, _I) is not None
    if not (commas or quotes or single):
        return None
    return c.When(condition=_LOOKS_JSON, then=c.Valid(format="json"))


_OF_INPUT = re.compile(
    r"\b(?:if|when|unless|input|given|files?|python|javascript|shell|bash|sql|may|can"
    r"|escape)\b",
    _I,
)


_TEXT_NOT_JSON = re.compile(
    r"^(?:please |always |only |you must )*(?:respond|reply|answer|write|return|output|give"
    r"|use)\b[\w ,]{0,40}?\b(?:pure|plain|normal|simple|natural"
    r"|flowing)? ?(?:text|prose|english|language|sentences)(?: only)?,? (?:and )?(?:not|never|no|without|instead"
    r" of|rather than) (?:as |in |using |any "
    r"|valid )?json(?: format| object)?[ .!]*$"
    r"|^(?:please )?(?:do not|don['’]t|never) (?:return|output|use|write|respond (?:with|in)|reply (?:with|in)"
    r"|answer in) json[ .!]*$",
    _I,
)


def text_not_json(masked: str) -> Any | None:
    """``Respond in plain text, not JSON``."""
    if not _TEXT_NOT_JSON.match(masked):
        return None
    return c.Not(check=c.Schema(schema={"anyOf": [{"type": "object"}, {"type": "array"}]}))
