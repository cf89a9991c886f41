"""The citation grammar: ``[3]``, ``[3:12]``, ``[3:12-18]``, lists of them, and the brackets some models use instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_DASH = "[-–—]"
_REF = rf"(?:E|#|\^)?\d{{1,4}}(?:[ ]?:[ ]?[Ll]?\d{{1,7}}(?:[ ]?{_DASH}[ ]?[Ll]?\d{{1,7}})?|[ ]?{_DASH}[ ]?\d{{1,4}})?"
CITATION_RE = re.compile(rf"[\[【]{_REF}(?:[ ]?[,;][ ]?{_REF}){{0,63}}[\]】]")
_ONE = re.compile(
    rf"(?:E|#|\^)?(?P<n>\d+)(?:[ ]?:[ ]?[Ll]?(?P<first>\d+)(?:[ ]?{_DASH}[ ]?[Ll]?(?P<last>\d+))?"
    rf"|[ ]?{_DASH}[ ]?(?P<upto>\d+))?"
)
_MAX_SPAN = 20  # "[1-3]" names evidence 1, 2 and 3; a wider span is no list of evidence


@dataclass(frozen=True, slots=True)
class Ref:
    """One reference: evidence ``number``, and lines ``first..last`` when given (else 0, 0). ``text`` as written."""

    number: int
    first: int
    last: int
    text: str


def find_refs(text: str) -> tuple[Ref, ...]:
    """References in ``text`` in order, duplicates included. The caller blanks inline code first."""
    found: list[Ref] = []
    for match in CITATION_RE.finditer(text):
        if (
            match.group() == "[0]"
            and match.start()
            and (text[match.start() - 1].isalnum() or text[match.start() - 1] in "_)")
        ):
            continue  # an index, not a citation: evidence is numbered from 1
        for one in _ONE.finditer(match.group()):
            found.extend(_expand(one))
    return tuple(found)


def _expand(match: re.Match[str]) -> Iterator[Ref]:
    number = int(match["n"])
    if match["first"] is not None:
        first = int(match["first"])
        last = int(match["last"]) if match["last"] is not None else first
        yield Ref(number, first, last, match.group())
    elif match["upto"] is not None and number < int(match["upto"]) <= number + _MAX_SPAN:
        for each in range(number, int(match["upto"]) + 1):
            yield Ref(each, 0, 0, match.group())
    else:
        yield Ref(number, 0, 0, match.group())


def blank_citations(text: str) -> str:
    """``text`` with every citation replaced by spaces of the same length."""
    return CITATION_RE.sub(lambda match: " " * len(match.group()), text)
