"""Where the index of a path lives: which folder is its root, and which directory holds its files."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from dataclasses import dataclass, replace
from pathlib import Path

from retrieval.errors import UserError
from retrieval.index.manifest import MANIFEST_NAME, read_manifest

INDEX_DIR_NAME = ".contextc"
_MAX_SHOWN = 300  # characters of a path in a message


@dataclass(frozen=True, slots=True)
class Location:
    """A root and its index directory. ``note`` tells the user when the root is not the path that was asked for."""

    root: Path
    index_dir: Path
    note: str = ""

    @property
    def manifest(self) -> Path:
        return self.index_dir / MANIFEST_NAME


def user_cache_dir() -> Path:
    """The user's cache directory for contextc (``CONTEXTC_CACHE_DIR``, then ``XDG_CACHE_HOME``, then the default).

    A relative ``XDG_CACHE_HOME`` is passed over, as the specification says: it would be a folder of whatever tree the
    command was called in.
    """
    own = os.environ.get("CONTEXTC_CACHE_DIR")
    if own:
        return Path(own)
    given = os.environ.get("XDG_CACHE_HOME", "")
    if Path(given).is_absolute():
        return Path(given) / "contextc"
    base = os.environ.get("LOCALAPPDATA") if os.name == "nt" else str(Path.home() / ".cache")
    return Path(base or Path.home()) / "contextc"


def _cached_dir(root: Path) -> Path:
    return user_cache_dir() / "indexes" / hashlib.sha256(os.fsencode(root)).hexdigest()[:24]


def _writable(directory: Path) -> bool:
    probe = directory / INDEX_DIR_NAME
    if probe.is_dir():
        return os.access(probe, os.W_OK)
    return os.access(directory, os.W_OK | os.X_OK)


def index_dir_of(root: Path) -> Path:
    """The directory that holds (or will hold) the index of ``root``.

    ``<root>/.contextc`` unless the tree cannot be written and has no index of its own; then the user cache.
    """
    inside = root / INDEX_DIR_NAME
    cached = _cached_dir(root)
    has_own = (inside / MANIFEST_NAME).exists() and inside.is_dir() and not inside.is_symlink()
    if has_own and (_writable(root) or not (cached / MANIFEST_NAME).exists()):
        return inside
    if (cached / MANIFEST_NAME).exists() or not _writable(root):
        return cached
    return inside


def for_writing(location: Location) -> Location:
    """``location``, or the user cache's place for its root when the index inside the tree can no longer be written."""
    if location.index_dir == location.root / INDEX_DIR_NAME and not _writable(location.root):
        return replace(location, index_dir=_cached_dir(location.root))
    return location


def working_directory() -> Path:
    """Raises UserError when the folder this process stands in is gone."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise UserError(
            "The folder you are in no longer exists.", "Change to one that does, or name a tree with --root."
        ) from None


def _has_index(folder: Path) -> bool:
    return (folder / INDEX_DIR_NAME / MANIFEST_NAME).exists() or (_cached_dir(folder) / MANIFEST_NAME).exists()


def locate(path: Path, *, explicit: bool) -> Location:
    """Find the root and index directory for ``path``.

    The nearest folder at or above ``path`` that has an index is the root. Without one, an explicitly named folder is
    a root itself, and the working directory stands for the git work tree it is in.

    Args:
        path: A folder, or a file inside the tree.
        explicit: Whether the user named the path (as opposed to the working directory).

    Raises:
        UserError: The path does not exist or cannot be entered.
    """
    try:
        resolved = path.resolve(strict=True)
    except (OSError, RuntimeError):
        raise UserError(
            f"No such path: {_short(path)}.", "Give a folder that exists, or leave it out to use this one."
        ) from None
    if not resolved.is_dir() and not resolved.is_file():
        raise UserError(
            f"{_short(path)} is neither a folder nor a file.", "Give a folder, or leave it out to use this one."
        )
    folder = resolved if resolved.is_dir() else resolved.parent
    if not os.access(folder, os.R_OK | os.X_OK):
        raise UserError(f"Cannot read {folder}: permission denied.", "Change its permissions or name another folder.")
    for candidate in (folder, *folder.parents):
        if _has_index(candidate):
            note = "" if candidate == folder else f"{folder} is inside the indexed tree {candidate}; using that index."
            if candidate == folder or _covers(candidate, folder):
                return Location(candidate, index_dir_of(candidate), note)
            break
    if not explicit:
        from retrieval.source.git import git_root

        top = git_root(folder)
        if top is not None and top != folder:
            return Location(top, index_dir_of(top), f"{folder} is inside the git work tree {top}; using that root.")
    return Location(folder, index_dir_of(folder))


def _short(path: Path) -> str:
    text = str(path)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def _covers(root: Path, folder: Path) -> bool:
    """Whether the index of ``root`` holds any file of ``folder`` (an ignored subfolder has none, and needs its own)."""
    from retrieval.index.schema import connect_read

    index_dir = index_dir_of(root)
    prefix = folder.relative_to(root).as_posix() + "/"
    try:
        manifest = read_manifest(index_dir)
        conn = connect_read(index_dir / manifest.database, immutable=not os.access(index_dir, os.W_OK))
        try:
            query = "SELECT 1 FROM files WHERE path >= ? AND path < ? LIMIT 1"
            return conn.execute(query, (prefix, prefix[:-1] + "0")).fetchone() is not None
        finally:
            conn.close()
    except (UserError, OSError, sqlite3.Error):
        return True  # a damaged index is reported by whoever opens it, with the command that mends it
