"""What differs between a tree and its index. Size and modification time suggest; the content hash decides."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from retrieval.source.walk import Skipped, SourceFile, WalkResult

#: A file modified this close to (or after) the start of the last run may have changed again within one clock tick.
_RACY_NS = 20_000_000


@dataclass(frozen=True, slots=True)
class Changes:
    """``suspects`` are new files and files whose stat differs; their content has not been read yet.

    ``skipped`` is the whole new list of skipped paths as far as it is known without reading suspects; with the size
    and time at which a file was read and skipped, so that it is not read again until it changes.
    """

    suspects: tuple[SourceFile, ...]
    removed: tuple[str, ...]
    skipped: tuple[tuple[Skipped, int, int], ...]

    @property
    def none(self) -> bool:
        return not self.suspects and not self.removed


def detect(conn: sqlite3.Connection, walk: WalkResult, started_ns: int, modules: Mapping[str, str]) -> Changes:
    """Compare a walk with the stored files.

    Args:
        started_ns: When the last run began to read files (wall clock).
        modules: Module name of each Python path; a file whose name changed is a suspect too.
    """
    stored = {
        path: (size, mtime_ns, module)
        for path, size, mtime_ns, module in conn.execute("SELECT path, size, mtime_ns, module FROM files")
    }
    read_and_skipped = {
        path: (Skipped(path, reason, detail), size, mtime_ns)
        for path, reason, detail, size, mtime_ns in conn.execute(
            "SELECT path, reason, detail, size, mtime_ns FROM skipped WHERE mtime_ns != 0"
        )
    }
    suspects: list[SourceFile] = []
    skipped: list[tuple[Skipped, int, int]] = [(item, 0, 0) for item in walk.skipped]
    for file in walk.files:
        racy = file.mtime_ns >= started_ns - _RACY_NS
        known = stored.get(file.path)
        if known is not None:
            if racy or known != (file.size, file.mtime_ns, modules.get(file.path, "")):
                suspects.append(file)
            continue
        unread = read_and_skipped.get(file.path)
        if unread is not None and not racy and unread[1:] == (file.size, file.mtime_ns):
            skipped.append(unread)
        else:
            suspects.append(file)
    present = {file.path for file in walk.files}
    removed = tuple(sorted(path for path in stored if path not in present))
    return Changes(tuple(suspects), removed, tuple(skipped))


def languages_to_meta(languages: Mapping[str, str]) -> str:
    """What reads which suffix, as the index keeps it; "" for no plugin at all."""
    return " ".join(f"{suffix}={identity}" for suffix, identity in sorted(languages.items()))


def changed_languages(meta: Mapping[str, str], languages: Mapping[str, str]) -> frozenset[str]:
    """Suffixes that another plugin, another state of a plugin or no plugin reads now."""
    stored = dict(item.partition("=")[::2] for item in meta.get("languages", "").split())
    return frozenset(
        suffix for suffix in stored.keys() | languages.keys() if stored.get(suffix) != languages.get(suffix)
    )


def forget_files(conn: sqlite3.Connection, suffixes: Iterable[str]) -> None:
    """Make files with these suffixes suspects whose content is not known; their rows stay until they are read."""
    for suffix in sorted(suffixes):
        ending = f".{suffix}"
        paths = [path for (path,) in conn.execute("SELECT path FROM files") if path.lower().endswith(ending)]
        conn.executemany("UPDATE files SET sha256 = '', mtime_ns = -1 WHERE path = ?", ((path,) for path in paths))


def store_skipped(conn: sqlite3.Connection, skipped: Iterable[tuple[Skipped, int, int]]) -> None:
    """Make these the skipped paths; what is stored already is not written again."""
    wanted = {item.path: (item.path, item.reason, item.detail, size, mtime_ns) for item, size, mtime_ns in skipped}
    stored = {row[0]: row for row in conn.execute("SELECT path, reason, detail, size, mtime_ns FROM skipped")}
    conn.executemany("DELETE FROM skipped WHERE path = ?", [(path,) for path in sorted(stored.keys() - wanted.keys())])
    conn.executemany(
        "INSERT OR REPLACE INTO skipped(path, reason, detail, size, mtime_ns) VALUES (?, ?, ?, ?, ?)",
        [row for path, row in wanted.items() if stored.get(path) != row],
    )
