"""Secrets leave no index in clear: lines of pieces are redacted before they are priced and shown."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from retrieval.compile.builder import Piece
from retrieval.records import FileText
from retrieval.tokens.counter import SATURATED, estimate_tokens, rendered_line_tokens


@dataclass(frozen=True, slots=True)
class RedactedFiles:
    """Texts with secrets replaced; ``lines`` are the numbers of the changed lines by path."""

    files: Mapping[str, FileText]
    lines: Mapping[str, frozenset[int]]


def redact_pieces(pieces: Iterable[Piece], files: Mapping[str, FileText], context_lines: int) -> RedactedFiles:
    """Redact the lines of ``pieces``; ``context_lines`` around each are read, so that a key cut by it is known."""
    from retrieval.source.secrets import redact

    changed: dict[str, dict[int, str]] = {}
    for piece in pieces:
        file = files[piece.path]
        first = max(1, piece.start_line - context_lines)
        before = file.lines[first - 1 : piece.end_line + context_lines]
        redacted = redact("\n".join(before))
        if not redacted.count:
            continue
        for number, (old, new) in enumerate(zip(before, redacted.text.split("\n"), strict=True), start=first):
            if old != new:
                changed.setdefault(piece.path, {})[number] = new
    out = dict(files)
    for path, lines in changed.items():
        out[path] = _with_lines(files[path], lines)
    return RedactedFiles(out, {path: frozenset(lines) for path, lines in changed.items()})


def _with_lines(file: FileText, new: Mapping[int, str]) -> FileText:
    lines = list(file.lines)
    tokens = array("H", [min(SATURATED, count) for count in file.line_tokens])
    for number, line in new.items():
        lines[number - 1] = line
        tokens[number - 1] = min(SATURATED, rendered_line_tokens(number, estimate_tokens(f" {line}\n")))
    return replace(file, lines=tuple(lines), line_tokens=tokens)


def count_redactions(ranges: Iterable[tuple[int, int]], changed: Collection[int]) -> int:
    """Runs of changed lines among the shown ones: a key over many lines is one secret."""
    runs = 0
    previous = -1
    for first, last in ranges:
        for number in range(first, last + 1):
            if number in changed:
                runs += number != previous + 1
                previous = number
    return runs
