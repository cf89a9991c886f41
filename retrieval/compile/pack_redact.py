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
    for path, windows in _windows(pieces, context_lines).items():
        for first, last in windows if not files[path].clean else ():
            before = files[path].lines[first - 1 : last]
            redacted = redact("\n".join(before))
            if not redacted.count:
                continue
            for number, (old, new) in enumerate(zip(before, redacted.text.split("\n"), strict=True), start=first):
                if old != new:
                    changed.setdefault(path, {})[number] = new
    out = dict(files)
    for path, lines in changed.items():
        out[path] = _with_lines(files[path], lines)
    return RedactedFiles(out, {path: frozenset(lines) for path, lines in changed.items()})


def _windows(pieces: Iterable[Piece], context_lines: int) -> dict[str, list[tuple[int, int]]]:
    """Path -> the lines to read, sorted and disjoint: neighbouring pieces share theirs, which are read once."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for piece in pieces:
        span = max(1, piece.start_line - context_lines), piece.end_line + context_lines
        spans.setdefault(piece.path, []).append(span)
    for path, found in spans.items():
        merged: list[tuple[int, int]] = []
        for first, last in sorted(found):
            if merged and first <= merged[-1][1] + 1:
                merged[-1] = merged[-1][0], max(last, merged[-1][1])
            else:
                merged.append((first, last))
        spans[path] = merged
    return spans


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
