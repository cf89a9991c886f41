"""The transcript of a conversation: JSONL, each event on the disk before anything that follows from it is shown.

The first line is ``{"event": "start", "version": 1, …}``. A file that ends in the middle of a line was cut off while
that line was being written; nobody was told of that event, so it is dropped, and said.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from retrieval.errors import UserError
from retrieval.index.lock import try_lock

VERSION = 1
_MAX_BYTES = 512 * 1024 * 1024
_MAX_FIRST = 65_536  # bytes of the first event


@dataclass(frozen=True, slots=True)
class Read:
    """What a transcript holds. ``torn``: bytes of an event that was never finished; ``size``: bytes before them."""

    events: tuple[dict[str, Any], ...]
    torn: int
    size: int


def read_transcript(path: Path) -> Read:
    """The events of a transcript.

    Raises:
        UserError: There is no such file, it is no transcript, it is of a later version, or a line in it is damaged.
    """
    try:
        if not path.is_file():
            raise UserError(f"There is no transcript {path}.", "Give the file that --save or a chat named.")
        if path.stat().st_size > _MAX_BYTES:
            raise UserError(f"{path} is too large for a transcript.", "Give the file that --save or a chat named.")
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from None
    size = data.rfind(b"\n") + 1
    lines = data[:size].split(b"\n")[:-1]
    events = [_event(path, number, line) for number, line in enumerate(lines, 1)]
    if not events:
        raise UserError(f"{path} holds no event.", "It is no transcript, or was cut off at once: start a new chat.")
    first = events[0]
    if first["event"] != "start" or not isinstance(first.get("version"), int):
        raise UserError(f"{path} is no transcript of contextc's.", "Give the file that --save or a chat named.")
    if first["version"] > VERSION:
        raise UserError(f"{path} was written by a later version.", "Update contextc.")
    return Read(tuple(events), len(data) - size, size)


def started_in(path: Path) -> str:
    """The ``owner`` that a transcript's first event names; "" for none, and for what is no file of ours."""
    try:
        if path.is_symlink() or not path.is_file():
            return ""
        with path.open("rb") as handle:
            return str(_event(path, 1, handle.readline(_MAX_FIRST)).get("owner", ""))
    except (OSError, UserError):
        return ""


def _event(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        mend = f"Cut the file before that line to keep what precedes it: head -n {number - 1} {path}"
        raise UserError(f"{path}:{number} is no event.", mend)
    return event


class Recorder:
    """Appends events. When the disk takes no more it says so once and goes on without it.

    Attributes:
        path: None when the conversation is not saved, or is not any more.
        events: All of this conversation, those before a resumption included.
    """

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._fd = -1
        self._size = 0
        self.path: Path | None = None
        self.events: list[dict[str, Any]] = []

    def start(self, path: Path, first: Mapping[str, Any]) -> None:
        """Begin a new file.

        Raises:
            UserError: It exists, or cannot be made.
        """
        self._open(path, os.O_CREAT | os.O_EXCL)
        self.write("start", {"version": VERSION, **first})
        with contextlib.suppress(OSError):
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)  # the name of a new file is the folder's content
            finally:
                os.close(folder)

    def resume(self, path: Path) -> Read:
        """Go on in a file that exists; an unfinished event at its end is cut off.

        Raises:
            UserError: As ``read_transcript``; or another process has it open.
        """
        read = read_transcript(path)
        self._open(path, 0)
        self.events = list(read.events)
        self._size = read.size
        if read.torn:
            os.ftruncate(self._fd, read.size)
        return read

    def _open(self, path: Path, more: int) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            fd = os.open(path, os.O_RDWR | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | more, 0o600)
        except FileExistsError:
            raise UserError(f"{path} exists.", "Go on in it with --resume, or save to another file.") from None
        except OSError as error:
            raise UserError(
                f"The transcript {path} cannot be written: {error.strerror}.", "Save elsewhere, or give --no-save."
            ) from None
        if not try_lock(fd):
            os.close(fd)
            raise UserError(f"Another chat is writing {path}.", "End that chat first, or start a new one.")
        if hasattr(os, "fchmod"):  # Windows has none
            os.fchmod(fd, 0o600)
        self.close()
        self._fd, self.path = fd, path

    def write(self, event: str, data: Mapping[str, Any]) -> None:
        """Keep an event; when this returns it is on the disk, or the user has been told that nothing is saved."""
        made = {"event": event, **data}
        self.events.append(made)
        if self._fd < 0:
            return
        line = json.dumps(made, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"
        try:
            _write_all(self._fd, line)
            self._size += len(line)
            os.fsync(self._fd)
            if os.fstat(self._fd).st_nlink == 0:  # written, and nobody will ever read it
                self._give_up("it was deleted", "nothing of it is left")
        except OSError as error:
            self._give_up(str(error.strerror or error), "what precedes is in it")
        except KeyboardInterrupt:
            self._cut_half_a_line()
            raise

    def _cut_half_a_line(self) -> None:
        """No line goes on where another was broken off."""
        if os.fstat(self._fd).st_size > self._size and os.pread(self._fd, 1, os.fstat(self._fd).st_size - 1) != b"\n":
            os.ftruncate(self._fd, self._size)

    def _give_up(self, why: str, left: str) -> None:
        path = self.path
        with contextlib.suppress(OSError):
            os.ftruncate(self._fd, self._size)  # no half a line where the file system still obeys
        self.close()
        self._warn(
            f"The transcript {path} takes no more ({why}); {left}, and the conversation goes on unsaved. "
            ":save FILE writes all of it elsewhere."
        )

    def save_as(self, path: Path) -> None:
        """Write all events to a new file and go on in it.

        Raises:
            UserError: It exists, or cannot be written.
        """
        events, self.events = self.events, []
        try:
            self._open(path, os.O_CREAT | os.O_EXCL)
            self._size = 0
            for event in events:
                self.write(event["event"], {name: value for name, value in event.items() if name != "event"})
        finally:
            self.events = events

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
        self._fd, self.path = -1, None


def _write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]
