"""Where gold lies: paths and symbols of questions turned into lines of the corpus as it is now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from harness.questions.records import Gold, Question, Range
from retrieval.chunking.lines import split_lines
from retrieval.languages.python.analyze import read_structure
from retrieval.languages.python.tree import parse
from retrieval.languages.registry import analyze
from retrieval.records import Symbol
from retrieval.source.decode import read_source
from retrieval.source.entries import Skipped
from retrieval.source.roles import language_of

WHOLE_CLASS_LINES = 60
"""A longer class, when it is gold, is its own lines without those of its methods and inner classes."""


class GoldError(ValueError):
    """Gold that the corpus does not have; the message is one line."""


@dataclass(frozen=True)
class SourceFile:
    """One file of a corpus: its lines and what is defined in it."""

    path: str
    text: str

    @cached_property
    def lines(self) -> Sequence[str]:
        return split_lines(self.text)

    @cached_property
    def symbols(self) -> tuple[tuple[str, Symbol], ...]:
        """``(name inside the file, symbol)`` in source order; ``#2`` … of redefinitions are dropped from the name."""
        language = language_of(self.path)
        if language == "python":  # the references between them, most of the analysis, are not needed
            root = parse(self.text.encode("utf-8", "surrogatepass"))
            found = read_structure(root, self.text, "m")[1]
        else:
            found = analyze(self.path, self.text, language, "m").symbols
        return tuple((_inner_name(symbol.qualname), symbol) for symbol in found if symbol.kind != "module")

    def ranges_of(self, name: str) -> tuple[Range, ...]:
        """Lines of the definitions with this name; () when there is none."""
        return merged(each for inner, symbol in self.symbols if inner == name for each in self._own_lines(symbol))

    def _own_lines(self, symbol: Symbol) -> list[Range]:
        whole = (symbol.start_line, symbol.end_line)
        if symbol.kind != "class" or symbol.end_line - symbol.start_line < WHOLE_CLASS_LINES:
            return [whole]
        inside = [
            (each.start_line, each.end_line)
            for _, each in self.symbols
            if each.parent == symbol.qualname and each.kind not in ("attribute", "variable")
        ]
        return list(without(whole, inside))

    def holding(self, text: str, within: Sequence[Range]) -> tuple[Range, ...]:
        """Lines inside ``within`` that hold ``text``."""
        hits = [n for first, last in within for n in range(first, last + 1) if text in self.lines[n - 1]]
        return merged((n, n) for n in hits)

    def paragraph(self, text: str) -> tuple[Range, ...]:
        """The run of lines without a blank one around the first line that holds ``text``; () when none does."""
        for at, line in enumerate(self.lines):
            if text in line:
                first = last = at
                while first and self.lines[first - 1].strip():
                    first -= 1
                while last + 1 < len(self.lines) and self.lines[last + 1].strip():
                    last += 1
                return ((first + 1, last + 1),)
        return ()

    def text_of(self, ranges: Iterable[Range]) -> str:
        return "\n".join(self.lines[n - 1] for first, last in ranges for n in range(first, last + 1))


class GoldFinder:
    """Turns gold into lines of one corpus; reads each file once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: dict[str, SourceFile] = {}

    def file(self, path: str) -> SourceFile:
        """
        Raises:
            GoldError: There is no such file, or contextc would not read it.
        """
        if path not in self._files:
            read = read_source(self._root, path)
            if isinstance(read, Skipped):
                raise GoldError(f"{path}: {read.reason}{f' ({read.detail})' if read.detail else ''}")
            self._files[path] = SourceFile(path, read.text)
        return self._files[path]

    def locate(self, gold: Gold) -> Gold:
        """The gold with its lines as ``ranges``; without any when it names a file alone.

        Raises:
            GoldError: The corpus has no such file, symbol, text or lines.
        """
        file = self.file(gold.path)
        count = len(file.lines)
        # Editors show one line more, the empty one behind the last line feed, and sets have it as gold.
        if any(first > count or last > count + 1 for first, last in gold.ranges):
            raise GoldError(f"{gold.path} has {count} lines, gold names line {max(last for _, last in gold.ranges)}")
        ranges = merged((first, min(last, count)) for first, last in gold.ranges)
        if gold.symbol is not None:
            ranges = file.ranges_of(gold.symbol)
            if not ranges:
                raise GoldError(f"{gold.path} does not define {gold.symbol}")
        if gold.text:
            ranges = file.paragraph(gold.text) if gold.symbol is None else file.holding(gold.text, ranges)
            if not ranges:
                raise GoldError(f"{gold.path}{f' ({gold.symbol})' if gold.symbol else ''} does not hold {gold.text!r}")
        return replace(gold, ranges=ranges)

    def located(self, question: Question) -> dict[tuple[str, str], tuple[Range, ...]]:
        """Lines of each ``(path, symbol)`` that the question's gold and citation checks name, for ``check_facts``.

        Raises:
            GoldError: As ``locate``.
        """
        cites = [fact.check.cites for fact in (*question.must, *question.must_not) if fact.check.cites is not None]
        places = [*question.gold, *(Gold(cite.path, cite.symbol) for cite in cites)]
        return {
            (each.path, each.symbol): self.locate(Gold(each.path, each.symbol)).ranges
            for each in places
            if each.symbol is not None
        }


def _inner_name(qualname: str) -> str:
    inner = qualname.partition(".")[2]
    return ".".join(part.partition("#")[0] for part in inner.split("."))


def merged(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """The union of ranges, sorted, adjacent ones joined."""
    out: list[Range] = []
    for first, last in sorted(ranges):
        if out and first <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(out[-1][1], last))
        else:
            out.append((first, last))
    return tuple(out)


def without(whole: Range, holes: Iterable[Range]) -> tuple[Range, ...]:
    """What is left of ``whole`` when the holes are taken out."""
    left: list[Range] = []
    start = whole[0]
    for first, last in merged(holes):
        if first > start:
            left.append((start, first - 1))
        start = max(start, last + 1)
    if start <= whole[1]:
        left.append((start, whole[1]))
    return tuple(left)
