"""Terms that a sentence quotes: in backticks, double or typographic quotes, or as an upper-case code."""

from __future__ import annotations

import re
from dataclasses import dataclass

_QUOTED = re.compile(
    r"``([^`\n]{1,200})``|`([^`\n]{1,200})`|“([^”\n]{1,200})”|\"([^\"\n]{1,200})\"|«([^»\n]{1,200})»"
    r"|(?<![\w])'([^'\n\w\s]|[^'\n]{2,200})'(?!\w)|‘([^’\n]{2,200})’"
)
HOLE = re.compile(
    r"\$\{?[A-Za-z_]\w*|<[A-Za-z][\w -]{0,40}>|\{[A-Za-z_]\w{0,40}\}|\[[a-z][a-z _-]{1,40}\]"
    r"|(?<=[:=] )\[[A-Z][A-Za-z _-]{1,40}\]"
)
"""A place to fill in within a term: ``ANSWER: $ANSWER``."""
_PLACEHOLDER = re.compile(r"^<[^<>]{1,60}>$|^\{[^{}]{1,60}\}$|^\[[^\[\]]{1,60}\]$|^\.{3}$|^…$")


@dataclass(frozen=True, slots=True)
class Quoted:
    """``code``: it stood in backticks. Offsets are those of the sentence, quotes included."""

    text: str
    code: bool
    start: int
    end: int


def quoted_terms(text: str) -> tuple[Quoted, ...]:
    """In order; placeholders (``<name>``, ``…``) are left out, for nobody has to spell them."""
    found = []
    for match in _QUOTED.finditer(text):
        term = next(group for group in match.groups() if group is not None).strip()
        if not term or _PLACEHOLDER.match(term):
            continue
        if match[6] is not None and match[6][0] == match[6][-1] == " ":
            continue  # what stands between two terms
        code = match[1] is not None or match[2] is not None
        if not code:
            term = term.rstrip("\\").rstrip(",.;") or term
        found.append(Quoted(term, code, match.start(), match.end()))
    return tuple(found)


_EXPLAINED = re.compile(r"\b(?:where|with) ([A-Za-z]|[A-Z]{2,12}) (?:is|are|being|stands?|=)(?=\W)")


def stands_for(term: str, text: str) -> bool:
    """Whether a letter or a name in capitals of ``term`` is a place to fill in, as ``text`` says: "where N is"."""
    names = set(_EXPLAINED.findall(text))
    return bool(names) and any(word in names for word in re.findall(r"[A-Za-z]+", term))
