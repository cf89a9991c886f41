"""What a walk finds: files to read, files left out and why, and the limits that decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


class Reason:
    """Why a file is not indexed, as users read it in ``contextc index``. One short phrase per kind."""

    BINARY = "binary"
    MINIFIED = "minified"
    GENERATED = "generated"
    HUGE = "huge"
    DATA = "data"
    SECRET = "secret"  # noqa: S105
    UNSUPPORTED = "unsupported type"
    SYMLINK = "symlink"
    BROKEN_LINK = "broken symlink"
    OUTSIDE = "outside root"
    NESTED = "nested repository"
    WORKTREE = "worktree"
    EMPTY_SUBMODULE = "submodule not checked out"
    SPECIAL = "not a regular file"
    UNREADABLE = "unreadable"
    UNPRINTABLE = "unprintable name"
    VANISHED = "vanished"
    DEPENDENCIES = "installed dependencies"
    CACHE = "cache"
    BUILD_OUTPUT = "build output"


@dataclass(frozen=True, slots=True)
class WalkLimits:
    """What is too much.

    Attributes:
        max_file_bytes: Larger files are ``huge``.
        max_json_bytes: Larger JSON and XML files are ``data`` (fixtures, dumps), smaller ones configuration.
        max_data_bytes: Larger CSV, TSV, JSON-lines … files are ``data``.
        git_timeout_s: After so many seconds git is given up and the tree scanned without it.
    """

    max_file_bytes: int = 1_048_576
    max_json_bytes: int = 102_400
    max_data_bytes: int = 16_384
    git_timeout_s: float = 60.0


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file worth reading. ``mode`` is ``st_mode``; sizes are bytes."""

    path: str
    size: int
    mtime_ns: int
    mode: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder left out. ``path`` is always printable; ``reason`` is one of `Reason`."""

    path: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class WalkResult:
    """Both tuples are sorted by path. ``vcs`` says whether git or our own ignore rules decided."""

    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    vcs: Literal["git", "none"]


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file's content.

    Attributes:
        data: The raw bytes, as on disk.
        text: Decoded, without a byte order mark; old-Mac line ends (a lone ``\\r``) turned into ``\\n``, ``\\r\\n``
            kept.
        encoding: Codec name; ``(fallback)`` or ``(repaired)`` after it says that it was guessed.
        lossy: The text may not be what the author wrote.
        sha256: Of ``data``, hexadecimal.
    """

    path: str
    data: bytes
    text: str
    encoding: str
    lossy: bool
    sha256: str
