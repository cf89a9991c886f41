"""Regular expressions that search in linear time: a bounded subset of ``re``.

Python's engine backtracks, so a pattern that somebody put into a question file could hang a grader. In the subset the
number of ways to match at one position is bounded by a constant: no ``*``, ``+`` or ``{n,}``, no repeated group, no
look-around, no back-reference, and the product of all choices is at most ``MAX_WAYS``.
"""

from __future__ import annotations

import re

MAX_WAYS = 4096
MAX_LENGTH = 400

_REPEAT = re.compile(r"\{(\d{1,3})(?:,(\d{1,3}))?\}")
_ESCAPES = frozenset("wWdDsSbBnt")


class PatternError(ValueError):
    """The pattern is outside the subset; the message says why, in one line."""


def compile_bounded(pattern: str) -> re.Pattern[str]:
    """Compile ``pattern``, case ignored, after checking that it is in the subset.

    Raises:
        PatternError: It is not, or it is no regular expression.
    """
    if len(pattern) > MAX_LENGTH:
        raise PatternError(f"the pattern is longer than {MAX_LENGTH} characters")
    ways = _ways(pattern)
    if ways > MAX_WAYS:
        raise PatternError(f"the pattern can match in {ways:,} ways at one place, more than {MAX_WAYS:,}")
    try:
        return re.compile(pattern, re.IGNORECASE)
    except (re.error, OverflowError) as error:
        raise PatternError(f"not a regular expression: {error}") from error


def _ways(pattern: str) -> int:
    ways, at, before = 1, 0, ""
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            following = pattern[at + 1 : at + 2]
            if following.isalnum() and following not in _ESCAPES:
                raise PatternError(f"\\{following} is not in the subset")
            at, before = at + 2, "atom"
        elif char == "[":
            at, before = _class_end(pattern, at), "atom"
        elif char in "*+":
            raise PatternError(f"{char} has no upper bound; write {{0,20}} or {{1,20}}")
        elif char == "?":
            ways, at, before = ways * 2, at + 1, "repeat"
        elif char == "{" and (repeat := _REPEAT.match(pattern, at)):
            if before != "atom":
                raise PatternError("only a character or a class can be repeated by a count")
            low, high = int(repeat[1]), int(repeat[2] or repeat[1])
            ways, at, before = ways * max(1, high - low + 1), repeat.end(), "repeat"
        elif char == "{":
            raise PatternError("a brace has to be a count such as {0,20}, or escaped")
        elif char == "(":
            special = pattern[at + 1 : at + 2] == "?"
            if special and pattern[at + 2 : at + 3] != ":":
                raise PatternError("only (…) and (?:…) groups are in the subset")
            at, before = at + (3 if special else 1), "open"
        else:
            ways *= 2 if char == "|" else 1
            at, before = at + 1, "group" if char == ")" else "atom"
    return ways


def _class_end(pattern: str, at: int) -> int:
    """Index behind the class that opens at ``at``."""
    place = at + 1
    place += pattern[place : place + 1] == "^"
    place += pattern[place : place + 1] == "]"
    while place < len(pattern) and pattern[place] != "]":
        place += 2 if pattern[place] == "\\" else 1
    if place >= len(pattern):
        raise PatternError("a class is not closed")
    return place + 1
