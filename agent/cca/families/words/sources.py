"""Families of sources: citations in brackets, by author and year, at the end, none."""

from __future__ import annotations

from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.words.kit import counted, never, some, wants

_BRACKET = r"\[\d{1,3}(?:[,–-] ?\d{1,3})*\]"
_AUTHOR = (
    r"\([A-Z][^()\n]{1,80},? (?:1[89]|20)\d{2}[a-z]?(?:,[^()\n]{0,30})?\)|\b[A-Z][a-z]+(?: (?:et al\."
    r"|and [A-Z][a-z]+|& [A-Z][a-z]+))? \((?:1[89]|20)\d{2}[a-z]?\)"
)
_LIST = (
    r"(?i)^[\s*_#>-]*(?:sources?|references?|bibliography|works cited|literature|further reading"
    r"|citations)\b[^\n]{0,3}(?::|$|\*)"
)
_SAYS = r"(?i)\b(?:according to|says|said|reports?|reported|source:|via|cited in)\b"
_ANY = rf"{_BRACKET}|{_AUTHOR}|\]\(https?://|https?://"


def _every(s: Slots) -> Any:
    return c.Each(
        part=c.Part(kind="sentence", of=c.Part(kind="paragraph")), check=some(_ANY, "a source", within="answer")
    )


FAMILIES: tuple[Family, ...] = (
    wants("citation.brackets", "sources by numbers in square brackets", _BRACKET, "numbers in brackets", terms=True),
    wants("citation.author", "sources by author and year", _AUTHOR, "author and year", terms=True),
    never("citation.none", "no citations", rf"{_BRACKET}|{_AUTHOR}", "citations", terms=True),
    counted("citation.count", "{limit} citations", rf"{_BRACKET}|{_AUTHOR}|https?://[^\s)]+", "citations", terms=True),
    wants("source.list", "a list of sources at the end", _LIST, "a list of sources", terms=True),
    never("source.no_list", "no list of sources", _LIST, "a list of sources", terms=True),
    wants("source.named", "names where it is from", rf"{_SAYS}|{_ANY}", "a source", terms=True),
)
