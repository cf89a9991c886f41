"""Words that stand on a certain line: ``… on the last line``, ``Close with "A" and, on the next line, "B"``."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.quoted import quoted_terms
from agent.cca.scoped.forms import is_template, shape

_I = re.IGNORECASE
_LIST = r"§(?:(?:, (?:or )?| or |/)§)*"
_WHERE = (
    r"(?:in|on|as|at) the (?:very )?(?P<nth>first|last|final|second) line(?: of (?:the|your|each|every)"
    r" (?:answer|\w+))?"
)
_PLACED = (
    re.compile(
        rf"^(?:the |your |its )?(?:[\w-]+ ){{1,4}}(?:is|are|must be|should be|goes|go|stands?|appears?|has to be)"
        rf" (?:always )?(?:stated|given|named"
        rf"|written|shown|put|placed|noted|marked|printed)? ?{_WHERE},? (?:as|with|by|in the form)"
        rf" (?P<list>{_LIST})[\s.!]*$",
        _I,
    ),
    re.compile(
        rf"^(?:please |always )*(?:state|give|put|write|link|add|name|note|show|print|mark|place|quote|repeat"
        rf"|mention|include|refer to)"
        rf" (?:[\w'-]+ ){{0,5}}?(?:(?:with|as|by|using) )?(?P<list>{_LIST}),? {_WHERE}[\s.!]*$",
        _I,
    ),
)
_NTH = {"first": 1, "second": 2, "last": -1, "final": -1}
_CLOSES = re.compile(
    r"^(?:close|end|finish|sign off|conclude)(?: (?:the|your|each|every|an?) [\w-]+)? with § (?:and|then|followed"
    r" by)?,? ?"
    r"(?:(?:then )?(?:on|in) (?:the next|a new|the following|the last) line|below (?:it|that)|(?:and |then"
    r" )?directly below|on the line below),? §"
    r"(?:,? (?:with|and) nothing (?:after|below|behind) (?:it|that|them))?[\s.!]*$",
    _I,
)
_BOTH = re.compile(
    r"^(?:close|end|finish|conclude|sign off|start|open|begin)(?: (?:the|your|each|every|an?) [\w-]+)? with § and"
    r" §,? each"
    r" (?:on|in) (?:its|a|their) (?:own|new|separate) line,? in (?:this|that) order[\s.!]*$",
    _I,
)


def placed(text: str) -> Any | None:
    terms = quoted_terms(text)
    masked = text
    for each in reversed(terms):
        masked = f"{masked[: each.start]}§{masked[each.end :]}"
    words = [each.text for each in terms]
    if _CLOSES.match(masked) and len(words) == 2:
        first, second = map(re.escape, words)
        return c.Matches(pattern=rf"{first}[,.!]?[ \t*_]*\n\s*[*_]*{second}[.!*_]*\s*\z", finds=_above(words))
    if _BOTH.match(masked) and len(words) == 2:
        first, second = map(re.escape, words)
        return c.Matches(pattern=rf"(?s)(?:\A|\n)[ \t*_]*{first}.*\n[ \t*_]*{second}", finds=_above(words))
    for form in _PLACED:
        found = form.match(masked)
        if found and masked.count("§") == found["list"].count("§"):
            spelled = "|".join(_spelled(word) for word in words)
            check = c.Matches(pattern=spelled, finds=" or ".join(f"“{word}”" for word in words)[:80])
            return c.Each(part=c.Part(kind="line", nth=_NTH[found["nth"].lower()]), check=check, required=True)
    return None


def _spelled(word: str) -> str:
    made = shape(word) if is_template(word) else ""
    return made or re.escape(word) + (r"\b" if word[-1].isascii() and word[-1].isalnum() else "")


def _above(words: list[str]) -> str:
    return f"“{words[0][:30]}” above “{words[1][:30]}”"
