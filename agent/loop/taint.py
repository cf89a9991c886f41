"""No call because a file said so: text from the tree that reads like an order is remembered, and calls that can be
traced to it are refused.

A *region* is text that a model was shown and that speaks to it: what rot detection flags as injection, what names a
tool in the imperative, what says what an assistant must do; with the lines around it. A call is traced to a region when

* one of its string arguments, or a name or path in one (4 characters and more), stands in the region, and neither in
  the user's words nor in any other text that was shown; or
* the region names the tool, or a verb for it, and holds all of the call's string arguments, and the user's words do
  not.

What this cannot see: an order that none of the patterns knows, one whose arguments the model rewords, or one that
merely steers the answer. Tools read, inside the root, what the index may show: that is the most such an order can get.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from retrieval.compile.rot_injection import suspicious_phrases

_AROUND_LINES = 6  # of a paragraph, on either side of the telling line
_MAX_LINE = 4_000  # characters of a line that are looked at, and kept
_LEAST = 4  # characters of an argument that are telling
_MAX_DEPTH = 8

_VERBS: Mapping[str, tuple[str, ...]] = {
    "read_file": ("read", "open", "view", "cat", "print", "display", "load", "fetch"),
    "list_files": ("list", "ls", "enumerate"),
    "grep": ("search", "find", "look"),
    "search": ("find", "look", "grep"),
    "find_symbol": ("find", "look", "locate"),
    "history": ("log", "blame", "git"),
}
_ACT = r"(?:call|use|run|invoke|execute|try|issue|make)"
_SPOKEN_TO = re.compile(
    r"\b(?:assistants?|agents?|chatbots?|llms?|ai|copilot|claude|chatgpt|gpt)\b[^\n]{0,80}"
    r"\b(?:must|should|shall|has to|have to|needs? to|please|always|will now)\b"
    r"|\b(?:before|when|while) (?:answering|you answer|replying|you reply|responding)\b"
    r"|\b(?:ignore|disregard|forget|override|bypass)\b[^\n]{0,40}\b(?:instructions?|prompts?|rules?|guidelines?)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"[\w@][\w./@:-]*\w")
_NUMBER = re.compile(r"\d{1,9}(?::\d{1,9})?(?= |$)")
_HEADER = re.compile(r"\[\d{1,9}\] |=== |\d{1,4}\. \S+:\d")


@dataclass(frozen=True, slots=True)
class Region:
    """Text that speaks to a model. ``where`` is for people, ``text`` is folded."""

    where: str
    phrase: str
    text: str
    words: frozenset[str]


class Taint:
    """What the model was shown in a conversation, and what of it gives orders."""

    def __init__(self, tool_names: Collection[str]) -> None:
        self._names_a_tool = _tool_pattern(tool_names)
        self._regions: list[Region] = []
        self._plain: list[str] = []
        self._trusted: list[str] = []
        self._seen: set[str] = set()

    def trust(self, text: str) -> None:
        """The user's own words."""
        self._trusted.append(_fold(text))

    def read(self, text: str, where: str) -> None:
        """Text from the tree that the model is about to be shown."""
        if text in self._seen:
            return
        self._seen.add(text)
        lines = [_bare(line) for line in text.split("\n")]
        telling = dict(self._telling(lines))
        inside: set[int] = set()
        for at, phrase in telling.items():
            span = _paragraph(lines, at)
            inside.update(span)
            folded = _fold("\n".join(lines[number] for number in span))
            self._regions.append(Region(where, phrase, folded, frozenset(re.findall(r"\w+", folded))))
        self._plain.append(_fold("\n".join(line for at, line in enumerate(lines) if at not in inside)))

    def _telling(self, lines: list[str]) -> Iterator[tuple[int, str]]:
        for at, line in enumerate(lines):
            found = suspicious_phrases(line)
            if found:
                yield at, found[0][1]
                continue
            for pattern in (self._names_a_tool, _SPOKEN_TO):
                match = pattern.search(line) if pattern is not None else None
                if match:
                    yield at, match.group()[:60]
                    break
        # An order broken over lines: only the telling part of it is found again, in what it is joined with.
        for at in range(len(lines) - 1):
            pair = f"{lines[at].rstrip()} {_uncommented(lines[at + 1])}"
            if suspicious_phrases(pair) and not (suspicious_phrases(lines[at]) or suspicious_phrases(lines[at + 1])):
                yield at, suspicious_phrases(pair)[0][1]

    def traced(self, name: str, arguments: Mapping[str, Any]) -> Region | None:
        """The region that a call can be traced to; None when there is none."""
        if not self._regions:
            return None
        values = [folded for value in _strings(arguments, 0) if len(folded := _fold(value)) > 1]
        own = [value for value in values if not self._is_trusted(value)]
        if values and not own:
            return None
        pieces = [
            piece
            for value in own
            for piece in _pieces(value)
            if len(piece) >= _LEAST and not self._is_trusted(piece) and not any(piece in text for text in self._plain)
        ]
        for region in self._regions:
            if any(piece in region.text for piece in pieces):
                return region
            if self._orders(region, name) and all(value in region.text for value in values):
                return region
        return None

    def _is_trusted(self, value: str) -> bool:
        return any(value in text for text in self._trusted)

    def _orders(self, region: Region, name: str) -> bool:
        """Whether the region names the tool, or says it by a verb; not where the user's words name it, too."""
        said = {name.casefold(), *_VERBS.get(name, ())} & region.words
        return bool(said) and not any(name.casefold() in text for text in self._trusted)


def _tool_pattern(tool_names: Collection[str]) -> re.Pattern[str] | None:
    """An order that names a tool: any wording for names that are no everyday words, a clear one for those that are."""
    if not tool_names:
        return None
    ordered = sorted(tool_names, key=lambda name: (-len(name), name))
    every = "|".join(map(re.escape, ordered))
    telling = "|".join(re.escape(name) for name in ordered if "_" in name)
    patterns = [
        rf"[\"'](?:name|tool|function)[\"'][ ]?:[ ]?[\"'](?:{every})[\"']",
        rf"\b{_ACT} (?:the |a )?[`\"']?(?:{every})[`\"']? tool\b",
        rf"\btool[ :`\"']{{1,3}}(?:{every})\b",
    ]
    if telling:
        patterns.append(rf"\b{_ACT}\b[^\n]{{0,40}}\b(?:{telling})\b")
    return re.compile("|".join(patterns), re.IGNORECASE)


def _pieces(value: str) -> Iterator[str]:
    """A folded value, and the names and paths in it: a model may wrap what it was told in words of its own."""
    yield value
    for match in _NAME.finditer(value):
        piece = match.group()
        if piece != value and len(piece) >= _LEAST and not piece.isalpha():
            yield piece


def _strings(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < _MAX_DEPTH and isinstance(value, Mapping):
        for each in value.values():
            yield from _strings(each, depth + 1)
    elif depth < _MAX_DEPTH and isinstance(value, list | tuple):
        for each in value:
            yield from _strings(each, depth + 1)


def _fold(text: str) -> str:
    """Case, white space, quotes and escapes do not tell two spellings apart; a leading ``./`` neither."""
    folded = " ".join(_plainly(text).casefold().split())
    return folded.replace("\\", "").replace("`", "").removeprefix("./")


def _bare(line: str) -> str:
    """The line of the file without the number that it is shown with."""
    match = _NUMBER.match(line)
    return _plainly((line[match.end() :] if match else line)[:_MAX_LINE])


def _plainly(text: str) -> str:
    """Without what hides words from a pattern and not from a reader: full-width letters, zero-width characters."""
    if text.isascii():
        return text
    return "".join(char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")


def _uncommented(line: str) -> str:
    return line.strip().lstrip("#*/-;!<> \t")


def _paragraph(lines: list[str], at: int) -> list[int]:
    """The line and its neighbours up to a blank line or a header."""
    first = at
    while first > 0 and at - first < _AROUND_LINES and lines[first - 1].strip() and not _HEADER.match(lines[first - 1]):
        first -= 1
    last = at
    while (
        last + 1 < len(lines)
        and last - at < _AROUND_LINES
        and lines[last + 1].strip()
        and not _HEADER.match(lines[last + 1])
    ):
        last += 1
    return list(range(first, last + 1))
