"""JSONL that survives kills, full disks and second writers: whole lines or none, on the disk before they count."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from harness.questions.load import iter_rows, line_policy
from retrieval.errors import UserError
from retrieval.index.lock import try_lock

_TAIL_BYTES = 65_536
_held: list[int] = []


def dump_row(row: Mapping[str, Any]) -> str:
    """One line without its line feed. Lone surrogates, which UTF-8 cannot carry, are escaped."""
    text = json.dumps(row, ensure_ascii=False, separators=(", ", ": "))
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(row, ensure_ascii=True, separators=(", ", ": "))
    return text


class JsonlAppender:
    """The one writer of a JSONL file. ``append`` returns when the line is on the disk.

    A file that ends in the middle of a line (its writer was killed) is cut back to its last whole line first; that
    line was never acknowledged. ``note`` is told.

    Raises:
        UserError: Another process is writing the file; it cannot be opened; or the disk takes no more, in which case
            the file is cut back to what was acknowledged.
    """

    def __init__(self, path: Path, note: Callable[[str], None] = lambda _text: None) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
        except OSError as error:
            raise UserError(
                f"Cannot write {path}: {error.strerror or error}.", "Give another folder with --out."
            ) from error
        if not try_lock(self._fd):
            os.close(self._fd)
            raise UserError(f"Another process is writing {path}.", "Wait until it ends, or write to another file.")
        _held.append(self._fd)
        self._end = self._whole_lines(note)

    def _whole_lines(self, note: Callable[[str], None]) -> int:
        size = os.fstat(self._fd).st_size
        end = size
        while end:
            start = max(0, end - _TAIL_BYTES)
            os.lseek(self._fd, start, os.SEEK_SET)
            block = os.read(self._fd, end - start)
            at = block.rfind(b"\n")
            if at >= 0:
                end = start + at + 1
                break
            end = start
        if end != size:
            note(f"{self.path} ended in the middle of a line, which was never complete: it was removed.")
            os.ftruncate(self._fd, end)
        return end

    def append(self, row: Mapping[str, Any]) -> None:
        data = (dump_row(row) + "\n").encode("utf-8")
        try:
            os.lseek(self._fd, self._end, os.SEEK_SET)
            done = 0
            while done < len(data):
                done += os.write(self._fd, data[done:])
            os.fsync(self._fd)
        except OSError as error:
            os.ftruncate(self._fd, self._end)
            raise UserError(
                f"Cannot write {self.path}: {error.strerror or error}. What was there before is kept.",
                "Make room and give the same command again: it goes on where it stopped.",
            ) from error
        self._end += len(data)

    def clear(self) -> None:
        """Take back every line."""
        os.ftruncate(self._fd, 0)
        self._end = 0

    def close(self) -> None:
        if self._fd in _held:
            _held.remove(self._fd)
            os.close(self._fd)

    def __enter__(self) -> JsonlAppender:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def release_in_child() -> None:
    """Close a forked worker's copies of open files, so that a worker which outlives its parent locks nobody out."""
    while _held:
        os.close(_held.pop())


def create_new(path: Path) -> Path:
    """Create an empty file of that name, or of the first free one of ``name-2``, ``name-3`` …; never an old one.

    Raises:
        UserError: The folder cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            f"Cannot make the folder {path.parent}: {error.strerror or error}.", "Give another file or folder."
        ) from error
    for number in range(1, 10_000):
        free = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        try:
            os.close(os.open(free, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
        except FileExistsError:
            continue
        except OSError as error:
            raise UserError(
                f"Cannot write {free}: {error.strerror or error}.", "Give another file or folder."
            ) from error
        return free
    raise UserError(f"There are 10,000 files like {path}.", "Tidy the folder, or give another one.")


def rows_of(path: Path, *, skip_broken: bool, note: Callable[[str], None]) -> Iterator[tuple[int, dict[str, Any]]]:
    """``(line number, row)``, one at a time. A broken line, or a row whose number of the repeat was edited into
    something else, is an error that names the line, or a note."""
    broken = line_policy(path, skip_broken, note)
    for number, row in iter_rows(path, broken):
        repeat = row.get("repeat")
        if repeat is None or (type(repeat) is int and repeat >= 0):
            yield number, row
        else:
            broken(number, f"repeat is {str(repeat)[:40]!r}, not a whole number from 0")
