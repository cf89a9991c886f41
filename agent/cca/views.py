"""The parts of an answer that a check can look at: code, prose, headings, bullets, sentences, tables.

Every part is a span of the answer, so that a violation can point at its place. One pass over the lines; nothing here
raises or backtracks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+|$)")
_BULLET = re.compile(r"[ \t]*[-*+•][ \t]+\S")
_NUMBERED = re.compile(r"[ \t]*\d{1,4}[.)][ \t]+\S")
_MARKER = re.compile(r"[ \t]*(?:[-*+•]|\d{1,4}[.)])[ \t]+")
_BREAK = re.compile(r"\*{3,}|-{3,}|_{3,}|(?:\* ){2,}\*|(?:- ){2,}-")
_RULE_ROW = re.compile(r"[\s|:+=-]*-[\s|:+=-]*$")
_INLINE = re.compile(r"`([^`\n]{1,2000})`")
_SENTENCE_END = re.compile(r"[.!?…](?:[\"'”’)\]]{0,2})(?=\s|$)|[。！？]")
_NOT_ENDS = re.compile(
    r"(?:^|(?<=[\s(\"“‘\[]))(?i:e\.g|i\.e|vs|cf|figs?|drs?|mr|mrs|ms|mx|prof|hon|rev|gen|col|capt|lt|sgt|gov|sen|messrs"
    r"|approx|resp|ca|cl|art|eqs?|eds?|vol|pp|op|est|dept|univ|viz|nos)\.\Z"
)
_MAY_END = re.compile(
    r"(?:^|(?<=[\s(\"“‘\[]))(?:[A-Z]|(?i:etc|inc|ltd|co|corp|bros|st|jr|sr|al|u\.s|u\.k|a\.m|p\.m))\.\Z"
)
_IS_LETTER = re.compile(r"\b(?:is|are|was|were|be|equals?) [A-Z]\.\Z")
_BEFORE_NUMBER = re.compile(r"(?i)(?:^|[\s(])(?:no|p|ch|sec|jan|feb|mar|apr|aug|sept?|oct|nov|dec)\.\Z")
_GOES_ON = re.compile(
    r"\s+(?!(?:The|An?|It|This|These|Those|That|He|She|They|We|You|I|In|On|At|For|But|And|If|When|As|There|Its|Their|Our"
    r"|Your|No|To|All|Some|Both|After|Before|Then|Not|So|Yes)\b)\S"
)
"""What may end a sentence goes on where no usual first word of one follows."""
_MAX_CHARS = 2_000_000  # of an answer; what is longer is judged by its first part


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of the answer."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block: ``language`` in lower case, the span of its content without the fence lines."""

    language: str
    span: Span
    closed: bool


@dataclass
class View:
    """An answer and its parts, each computed when first asked for."""

    text: str
    _lines: list[Span] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.text = self.text[:_MAX_CHARS].replace("\r\n", "\n")

    def of(self, span: Span) -> str:
        return self.text[span.start : span.end]

    @cached_property
    def lines(self) -> tuple[Span, ...]:
        """Without line ends; a final line feed opens no further line."""
        spans, start = [], 0
        while start < len(self.text):
            end = self.text.find("\n", start)
            end = len(self.text) if end < 0 else end
            spans.append(Span(start, end))
            start = end + 1
        return tuple(spans)

    @cached_property
    def _split(self) -> tuple[tuple[Fence, ...], tuple[Span, ...], tuple[Span, ...]]:
        """(fences, lines of code, lines of prose)."""
        fences: list[Fence] = []
        code: list[Span] = []
        prose: list[Span] = []
        mark, language, begun = "", "", 0
        for line in self.lines:
            match = _FENCE.match(self.text, line.start, line.end)
            if mark:
                if match and match[1].startswith(mark) and not self.text[match.end(1) : line.end].strip():
                    fences.append(Fence(language, Span(begun, max(begun, line.start)), True))
                    mark = ""
                else:
                    code.append(line)
            elif match:
                mark, language = match[1], match[2].lower()
                begun = min(line.end + 1, len(self.text))
            else:
                prose.append(line)
        if mark:
            fences.append(Fence(language, Span(begun, len(self.text)), False))
        return tuple(fences), tuple(code), tuple(prose)

    @property
    def fences(self) -> tuple[Fence, ...]:
        return self._split[0]

    @property
    def code_lines(self) -> tuple[Span, ...]:
        return self._split[1]

    @property
    def prose_lines(self) -> tuple[Span, ...]:
        return self._split[2]

    @cached_property
    def headings(self) -> tuple[Span, ...]:
        """Text of ATX headings, and of lines in bold alone (which many answers use as headings)."""
        found = []
        for line in self.prose_lines:
            match = _HEADING.match(self.text, line.start, line.end)
            if match:
                end = line.end
                while end > match.end() and self.text[end - 1] in "# \t":
                    end -= 1
                found.append(Span(match.end(), max(match.end(), end)))
                continue
            shown = self.of(line).strip()
            if (
                len(shown) > 4
                and shown.startswith("**")
                and shown.rstrip(":").endswith("**")
                and shown.count("**") == 2
            ):
                start = self.text.index("**", line.start) + 2
                found.append(Span(start, self.text.index("**", start)))
        return tuple(found)

    @cached_property
    def bullets(self) -> tuple[Span, ...]:
        return tuple(line for line in self.prose_lines if _BULLET.match(self.text, line.start, line.end))

    @cached_property
    def numbered(self) -> tuple[Span, ...]:
        return tuple(line for line in self.prose_lines if _NUMBERED.match(self.text, line.start, line.end))

    @cached_property
    def paragraphs(self) -> tuple[Span, ...]:
        """Runs of prose lines that are neither blank, headings, bullets, table rows nor rules between parts."""
        runs: list[Span] = []
        current: Span | None = None
        last_end = -1
        for line in self.prose_lines:
            shown = self.of(line).strip()
            plain = bool(shown) and not self._is_marked(line, shown)
            if plain and current is not None and line.start == last_end + 1:
                current = Span(current.start, line.end)
            else:
                if current is not None:
                    runs.append(current)
                current = line if plain else None
            last_end = line.end
        if current is not None:
            runs.append(current)
        return tuple(runs)

    def _is_marked(self, line: Span, shown: str) -> bool:
        return (
            shown.startswith("|")
            or _BREAK.fullmatch(shown) is not None
            or _HEADING.match(self.text, line.start, line.end) is not None
            or _BULLET.match(self.text, line.start, line.end) is not None
            or _NUMBERED.match(self.text, line.start, line.end) is not None
        )

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """Sentences of paragraphs, and of each bullet or numbered item."""
        marked = {*self.bullets, *self.numbered}
        blocks = sorted((*self.paragraphs, *marked), key=lambda span: span.start)
        return tuple(sentence for block in blocks for sentence in self._sentences_of(block))

    def _sentences_of(self, block: Span) -> list[Span]:
        found, start = [], block.start
        for match in _SENTENCE_END.finditer(self.text, block.start, block.end):
            end = match.end()
            if self.text[end - 1] == "." and self._is_abbreviation(self.text[max(start, end - 10) : end], end):
                continue
            found.append(self._trim(Span(start, end)))
            start = end
        if self.text[start : block.end].strip():
            found.append(self._trim(Span(start, block.end)))
        return [span for span in found if span.end > span.start]

    def _is_abbreviation(self, word: str, end: int) -> bool:
        """Whether the full stop behind ``word`` belongs to it; of "no." and months where a number follows."""
        if _BEFORE_NUMBER.search(word) and self.text[end : end + 2].strip().isdigit():
            return True
        if _IS_LETTER.search(word):
            return False  # "the lowest is G."
        if _MAY_END.search(word):
            return _GOES_ON.match(self.text, end) is not None
        return _NOT_ENDS.search(word) is not None

    def _trim(self, span: Span) -> Span:
        start, end = span.start, span.end
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1].isspace():
            end -= 1
        return Span(start, end)

    @cached_property
    def inline_code(self) -> tuple[Span, ...]:
        return tuple(
            Span(match.start(1), match.end(1))
            for line in self.prose_lines
            for match in _INLINE.finditer(self.text, line.start, line.end)
        )

    def _without_inline_code(self, line: Span) -> list[Span]:
        pieces, start = [], line.start
        for match in _INLINE.finditer(self.text, line.start, line.end):
            pieces.append(Span(start, match.start()))
            start = match.end()
        return [*pieces, Span(start, line.end)]

    @cached_property
    def tables(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """Markdown tables: rows of cells, the header first, the rule row left out."""
        found: list[tuple[tuple[str, ...], ...]] = []
        rows: list[tuple[str, ...]] = []
        ruled = False
        for line in (*self.prose_lines, Span(len(self.text), len(self.text))):
            shown = self.of(line).strip()
            if "|" in shown:
                if _RULE_ROW.match(shown):
                    ruled = ruled or len(rows) == 1
                else:
                    rows.append(tuple(cell.strip() for cell in shown.strip("|").split("|")))
                continue
            if ruled and rows:
                found.append(tuple(rows))
            rows, ruled = [], False
        return tuple(found)

    def _after_marker(self, item: Span) -> Span:
        match = _MARKER.match(self.text, item.start, item.end)
        return Span(match.end(), item.end) if match else item

    def part(self, within: str) -> list[Span]:
        """The spans that ``within`` of a check names."""
        if within == "code":
            return list(self.code_lines)
        if within == "prose":
            return [piece for line in self.prose_lines for piece in self._without_inline_code(line)]
        if within == "inline_code":
            return list(self.inline_code)
        if within == "headings":
            return list(self.headings)
        if within in ("first_line", "last_line"):
            filled = [line for line in self.lines if self.of(line).strip()]
            return filled[:1] if within == "first_line" else filled[-1:]
        if within == "first_sentence":
            return list(self.sentences[:1])
        return [Span(0, len(self.text))]

    def units(self, scope: str) -> tuple[Span, ...]:
        """The spans that ``every`` runs over."""
        return {
            "line": self.lines,
            "sentence": self.sentences,
            "paragraph": self.paragraphs,
            "bullet": tuple(
                self._after_marker(span)
                for span in sorted((*self.bullets, *self.numbered), key=lambda span: span.start)
            ),
            "code_line": self.code_lines,
            "heading": self.headings,
        }[scope]
