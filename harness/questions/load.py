"""Question files: JSONL, read as a stream. A broken line is named by its number and passed over only when asked to."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from harness.questions.parse import QuestionError, question_from
from harness.questions.records import Question
from retrieval.errors import UserError

MAX_LINE_BYTES = 4_000_000

Note = Callable[[str], None]
Broken = Callable[[int, str], None]
"""Told of each broken line: its number and what is wrong. It raises, or returns to pass over the line."""


def iter_rows(path: Path, broken: Broken) -> Iterator[tuple[int, dict[str, Any]]]:
    """``(line number, object)`` of each line that is not blank; ``.gz`` is unpacked. Memory is that of one line.

    Raises:
        UserError: The file cannot be read.
    """
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as handle:
            number = 0
            while line := handle.readline(MAX_LINE_BYTES + 1):
                number += 1
                if len(line) > MAX_LINE_BYTES:
                    while line and not line.endswith(b"\n"):
                        line = handle.readline(MAX_LINE_BYTES)
                    broken(number, f"longer than {MAX_LINE_BYTES:,} bytes")
                    continue
                if not line.strip(b"\xef\xbb\xbf \t\r\n"):
                    continue
                try:
                    row = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
                except (ValueError, RecursionError) as error:
                    broken(number, f"not JSON: {error}")
                    continue
                if isinstance(row, dict):
                    yield number, row
                else:
                    broken(number, "not a JSON object")
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(
            f"Cannot read {path}: {getattr(error, 'strerror', None) or error}.", "Give a readable JSONL file."
        ) from error


def line_policy(path: Path, skip_bad_lines: bool, note: Note | None) -> Broken:
    """Refuses the file at its first broken line, or passes over each with a ``note``."""

    def refuse(number: int, why: str) -> None:
        raise UserError(f"{path}, line {number}: {why}.", "Mend the line, or pass over it: --skip-bad-lines")

    def skip(number: int, why: str) -> None:
        if note is not None:
            note(f"{path}, line {number}: {why}; passed over.")

    return skip if skip_bad_lines else refuse


def iter_questions(path: Path, *, skip_bad_lines: bool = False, note: Note | None = None) -> Iterator[Question]:
    """The questions of a file, in order. Memory grows with the number of ids alone.

    Raises:
        UserError: The file cannot be read; a line is broken, or repeats an id, and ``skip_bad_lines`` is off.
    """
    broken = line_policy(path, skip_bad_lines, note)
    seen: dict[str, int] = {}
    for number, row in iter_rows(path, broken):
        try:
            question = question_from(row)
        except QuestionError as error:
            broken(number, str(error))
            continue
        first = seen.setdefault(question.id, number)
        if first == number:
            yield question
        else:
            broken(number, f"the id {question.id!r} is that of line {first}")


def load_questions(path: Path, *, skip_bad_lines: bool = False, note: Note | None = None) -> list[Question]:
    """All questions of a file; see ``iter_questions``."""
    return list(iter_questions(path, skip_bad_lines=skip_bad_lines, note=note))


def dump_question(question: Question) -> str:
    """One line of JSONL with its line feed; equal questions give equal text."""
    text = json.dumps(question.to_dict(), ensure_ascii=False)
    return text.encode("utf-8", "replace").decode() + "\n"  # a lone surrogate is no UTF-8


def write_questions(path: Path, questions: Iterable[Question]) -> int:
    """Write a question file as a stream, aside, and put it in place when it is whole; without questions write none.

    Returns:
        The number of questions.

    Raises:
        UserError: The file cannot be written; an older one is left as it was.
    """
    count = 0
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            with aside.open("x", encoding="utf-8", newline="\n") as handle:
                for question in questions:
                    handle.write(dump_question(question))
                    count += 1
            if count:
                aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(f"Cannot write {path}: {error.strerror or error}.", "Choose another --out.") from error
    return count
