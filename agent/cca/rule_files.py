"""Finds a repository's own rule files, nearest to the evidence first, and reads rule files that a user names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from agent.cca.compiled import Source
from retrieval.errors import UserError

NAMES = (
    "AGENTS.md",
    "CLAUDE.md",
    "CONTRIBUTING.md",
    "CONTRIBUTING.rst",
    "CONTRIBUTING.txt",
    "CONTRIBUTING",
    "STYLE.md",
    "STYLEGUIDE.md",
    "STYLE_GUIDE.md",
    "CODING_STYLE.md",
    ".github/CONTRIBUTING.md",
    ".github/copilot-instructions.md",
    ".cursorrules",
    "docs/CONTRIBUTING.md",
    "docs/contributing.md",
    "docs/contributing.rst",
)
MAX_FILES = 8
MAX_BYTES = 512 * 1024


def find(paths: Iterable[str], near: Sequence[str] = ()) -> tuple[str, ...]:
    """Rule files among the indexed ``paths``: those in the folders of ``near`` and above them, the nearest first."""
    known = frozenset(paths)
    folders: dict[str, int] = {}
    for path in near:
        for depth, parent in enumerate(PurePosixPath(path).parents):
            key = "" if str(parent) == "." else str(parent)
            folders[key] = min(folders.get(key, depth), depth)
    folders.setdefault("", 1_000)
    order = sorted(folders, key=lambda folder: (-folder.count("/") - bool(folder), folders[folder], folder))
    found = [f"{folder}/{name}" if folder else name for folder in order for name in NAMES]
    return tuple(path for path in found if path in known)[:MAX_FILES]


def read_named(files: Sequence[str], what: str = "rule file") -> tuple[Source, ...]:
    """Files by the paths that a user gave, with those names; ``what`` they are called when one is amiss.

    Raises:
        UserError: A file is not there, not readable, too large, no text.
    """
    return tuple(Source(name, _read(Path(name), what)) for name in files)


def _read(path: Path, what: str) -> str:
    shown = str(path)
    if not path.is_file():
        kind = "a folder" if path.is_dir() else "not there" if not path.exists() else "no regular file"
        raise UserError(
            f"The {what} {shown} is {kind}.",
            "Name a text file, for example CONTRIBUTING.md." if what == "rule file" else "Name a text file.",
        )
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(f"The {what} {shown} cannot be read: {error.strerror}.", "Check its permissions.") from None
    return _text_of(data, what, shown)


def read_standard_input(stream: BinaryIO, what: str) -> str:
    """All of ``stream``, held to the same bounds as a file.

    Raises:
        UserError: It is too large, or no text.
    """
    return _text_of(stream.read(MAX_BYTES + 1), what, "on standard input")


def _text_of(data: bytes, what: str, shown: str) -> str:
    if len(data) > MAX_BYTES:
        raise UserError(
            f"The {what} {shown} is larger than {MAX_BYTES // 1024} KiB.",
            "Give the part with the rules." if what == "rule file" else "Give a part of it.",
        )
    if b"\0" in data[:8192]:
        raise UserError(f"The {what} {shown} is not text.", "Give a text file.")
    return data.decode("utf-8-sig", "replace")
