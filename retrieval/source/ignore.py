"""What one ``.gitignore`` file says, by the rules of gitignore(5) and of git's own wildmatch.

Written here rather than taken from ``pathspec`` because that answers for a file from the rules of its folders too, and
then differs from git on such common rules as ``*``, ``!*/``, ``!*.py`` (the tests compare with git). Matching is
polynomial in a hostile pattern: stars inside a component are atomic groups, ``**`` is matched by tables.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r"\x20\t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": r"\x21-\x7e",
    "lower": "a-z",
    "print": r"\x20-\x7e",
    "punct": r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
    "space": r"\x20\t\n\r\f\v",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


@dataclass(frozen=True, slots=True)
class _Rule:
    """One line. ``parts`` is None for a rule about the last component alone; in it None stands for ``**``."""

    negated: bool
    folders_only: bool
    name: re.Pattern[str] | None
    parts: tuple[re.Pattern[str] | None, ...] | None

    def matches(self, components: list[str]) -> bool:
        if self.parts is None:
            return self.name is not None and self.name.fullmatch(components[-1]) is not None
        return _match_parts(self.parts, components)


class IgnoreFile:
    """The rules of one ``.gitignore``, asked about paths relative to its folder."""

    def __init__(self, text: str) -> None:
        lines = _as_bytes(text).removeprefix("\xef\xbb\xbf").split("\n")
        rules = [_parse(line) for line in lines if not line.startswith("#")]
        self._rules = [rule for rule in reversed(rules) if rule is not None]
        names = [rule.name.pattern for rule in self._rules if rule.name is not None]
        self._any_name = re.compile("|".join(f"(?:{name})" for name in names), re.DOTALL) if names else None
        self._path_rules = any(rule.parts is not None for rule in self._rules)

    def __bool__(self) -> bool:
        return bool(self._rules)

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """True: ignored; False: kept by a ``!`` rule; None: no rule matches. The last matching line decides."""
        components = _as_bytes(path).split("/")
        if not self._path_rules and (self._any_name is None or self._any_name.fullmatch(components[-1]) is None):
            return None  # most paths match no rule, and one expression settles it
        for rule in self._rules:
            if (is_folder or not rule.folders_only) and rule.matches(components):
                return not rule.negated
        return None


def _as_bytes(text: str) -> str:
    """``text`` with one character per byte: git's ``?`` and ``[…]`` match bytes."""
    return text if text.isascii() else os.fsencode(text).decode("latin-1")


def _parse(line: str) -> _Rule | None:
    line = _trim(line.removesuffix("\r"))
    negated = line.startswith("!")
    pattern = line[1:] if negated else line
    folders_only = pattern.endswith("/")
    pattern = pattern.removesuffix("/")
    if not pattern:
        return None
    if "/" not in pattern:
        name = _translate(pattern)
        return None if name is None else _Rule(negated, folders_only, name, None)
    parts: list[re.Pattern[str] | None] = []
    for part in _split(pattern.removeprefix("/")):
        if len(part) >= 2 and not part.strip("*"):
            if not parts or parts[-1] is not None:
                parts.append(None)
            continue
        compiled = _translate(part)
        if compiled is None:
            return None
        parts.append(compiled)
    return _Rule(negated, folders_only, None, tuple(parts))


def _split(pattern: str) -> list[str]:
    """Components of a pattern; a slash inside a bracket expression is none (and matches nothing)."""
    parts = [""]
    position = 0
    while position < len(pattern):
        start = position
        position += 1
        if pattern[start] == "[":
            found = _translate_set(pattern, position)
            position = found[1] if found else len(pattern)
        elif pattern.startswith(("/", "\\/"), start):
            position = pattern.index("/", start) + 1
            parts.append("")
            continue
        elif pattern[start] == "\\":
            position += 1
        parts[-1] += pattern[start:position]
    return parts


def _trim(line: str) -> str:
    """Drop trailing spaces, except one that a backslash protects."""
    end = 0
    position = 0
    while position < len(line):
        if line[position] == "\\":
            position += 2
            end = position
        else:
            position += 1
            if line[position - 1] != " ":
                end = position
    return line[:end]


def _translate(glob: str) -> re.Pattern[str] | None:
    """One component of a pattern as a regular expression for ``fullmatch``; None when it can match nothing."""
    pieces = [""]  # the expressions between the stars
    position = 0
    while position < len(glob):
        char = glob[position]
        position += 1
        if char == "*":
            if len(pieces) == 1 or pieces[-1]:
                pieces.append("")
        elif char == "?":
            pieces[-1] += "."
        elif char == "[":
            parsed = _translate_set(glob, position)
            if parsed is None:
                return None
            expression, position = parsed
            pieces[-1] += expression
        elif char == "\\":
            if position == len(glob):
                return None
            pieces[-1] += re.escape(glob[position])
            position += 1
        else:
            pieces[-1] += re.escape(char)
    if len(pieces) == 1:
        return re.compile(pieces[0], re.DOTALL)
    # The leftmost place for each piece is as good as any other: once found, never look back.
    middle = "".join(f"(?>.*?{piece})" for piece in pieces[1:-1] if piece)
    return re.compile(f"{pieces[0]}{middle}.*{pieces[-1]}", re.DOTALL)


def _translate_set(glob: str, position: int) -> tuple[str, int] | None:
    """A bracket expression from behind its ``[``: (expression, position behind ``]``); None when it never ends."""
    negated = glob[position : position + 1] in ("!", "^")
    position += negated
    members = ""
    first = True
    while first or glob[position : position + 1] != "]":
        first = False
        if glob.startswith("[:", position):
            end = glob.find(":]", position + 2)
            named = _CLASSES.get(glob[position + 2 : end]) if end >= 0 else None
            if named is None:
                return None
            members += named
            position = end + 2
            continue
        low = _set_member(glob, position)
        if low is None:
            return None
        start, position = low
        members += re.escape(start)  # wildmatch takes it even when the range is empty, as in [b-a]
        if glob.startswith("-", position) and glob[position + 1 : position + 2] not in ("", "]"):
            high = _set_member(glob, position + 1)
            if high is None:
                return None
            stop, position = high
            if start <= stop:
                members += f"{re.escape(start)}-{re.escape(stop)}"
        if position >= len(glob):
            return None
    return f"[{'^' if negated else ''}{members}]", position + 1


def _set_member(glob: str, position: int) -> tuple[str, int] | None:
    if glob[position : position + 1] == "\\":
        position += 1
    return (glob[position], position + 1) if position < len(glob) else None


def _match_parts(parts: tuple[re.Pattern[str] | None, ...], components: list[str]) -> bool:
    """Match components against parts; ``**`` (None) takes any number of them, at the end at least one."""
    reachable = {0}  # numbers of components that the parts so far can have taken
    n = len(components)
    for index, part in enumerate(parts):
        if part is None:
            first = min(reachable) + (index == len(parts) - 1)
            reachable = set(range(first, n + 1))
        else:
            reachable = {i + 1 for i in reachable if i < n and part.fullmatch(components[i]) is not None}
        if not reachable:
            return False
    return n in reachable
