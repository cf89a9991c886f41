"""The manifest: which build is live, what made it, and whether it may be trusted. Written last and atomically."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from dataclasses import asdict, dataclass
from pathlib import Path

from retrieval.errors import IndexUnavailableError
from retrieval.index.schema import CHUNKER_VERSION, SCHEMA_VERSION

_BUILD_ID = re.compile(r"[0-9a-f]{16}")
_MAX_BYTES = 65_536


MANIFEST_NAME = "manifest.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a reader must know before it opens a build.

    Attributes:
        build: Build id, 16 hex digits; names the database and vectors files.
        owner: The index directory's identity on this machine. An index that arrived inside somebody's repository
            carries another, and is not trusted.
        embedder: Model id of the vectors ("none" without).
    """

    schema: int
    chunker: int
    build: str
    owner: str
    embedder: str
    program: str

    @property
    def database(self) -> str:
        return f"index-{self.build}.sqlite"

    @property
    def outdated(self) -> bool:
        """Whether another version of the program, which cuts or reads files differently, made the build."""
        return self.chunker != CHUNKER_VERSION


def remove(path: Path) -> None:
    """Remove whatever stands at ``path`` inside an index directory; a link goes, not what it points to."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def owner_of(index_dir: Path) -> str:
    """Identity of an index directory: its inode and owner, which a file in a checkout cannot know beforehand."""
    info = index_dir.stat()
    return f"{info.st_ino}-{info.st_uid}"


def _rebuild_hint(index_dir: Path) -> str:
    root = index_dir.parent if index_dir.name == ".contextc" else "PATH"
    return f"Rebuild it: contextc index --rebuild {root}"


def _parse(text: str) -> Manifest:
    """Raises ValueError on whatever is not a manifest: damage has as many shapes as JSON has."""
    try:
        raw = json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    types = {"schema": int, "chunker": int, "build": str, "owner": str, "embedder": str, "program": str}
    if not isinstance(raw, dict) or {name: type(raw.get(name)) for name in types} != types:
        raise ValueError("fields are missing or of another type")
    if not _BUILD_ID.fullmatch(raw["build"]):
        raise ValueError("bad build id")
    return Manifest(**{name: raw[name] for name in types})  # a newer contextc may write more


def _read(path: Path) -> str:
    """Raises OSError, ValueError: also on a FIFO planted there, which would be waited for, and on a link out."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(path, flags), "rb") as handle:
        if not stat.S_ISREG(os.fstat(handle.fileno()).st_mode):
            raise ValueError("it is not a regular file")
        data = handle.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise ValueError("it is too large")
    return data.decode("utf-8")


def read_manifest(index_dir: Path) -> Manifest:
    """Read and check the manifest.

    Raises:
        IndexUnavailableError: Missing, unreadable, foreign, newer, or of an older schema; says how to mend it.
    """
    hint = _rebuild_hint(index_dir)
    if index_dir.is_symlink():
        raise IndexUnavailableError(
            f"{index_dir} is a symbolic link, which contextc does not follow.",
            f"Remove the link: {index_dir}",
            "foreign",
        )
    path = index_dir / MANIFEST_NAME
    try:
        manifest = _parse(_read(path))
    except FileNotFoundError:
        raise IndexUnavailableError(
            f"There is no index in {index_dir}.", "Build it: contextc index", "missing"
        ) from None
    except (OSError, ValueError) as error:
        raise IndexUnavailableError(f"The index manifest {path} cannot be read ({error}).", hint) from None
    if manifest.schema > SCHEMA_VERSION:
        raise IndexUnavailableError(
            f"The index in {index_dir} was made by a newer contextc ({manifest.program}).",
            f"Upgrade contextc, or rebuild: contextc index --rebuild {index_dir.parent}",
            "newer",
        )
    if manifest.schema < SCHEMA_VERSION:
        raise IndexUnavailableError(f"The index in {index_dir} has an older format.", hint, "older")
    if manifest.owner != owner_of(index_dir):
        raise IndexUnavailableError(
            f"The index in {index_dir} was not made here (copied, moved or shipped with the files) and is not trusted.",
            hint,
            "foreign",
        )
    return manifest


def write_manifest(index_dir: Path, manifest: Manifest) -> None:
    """Make ``manifest`` the live one: written aside, flushed to disk, then renamed over the old."""
    path = index_dir / MANIFEST_NAME
    aside = path.with_name(f"{MANIFEST_NAME}.{os.getpid()}")
    remove(aside)
    if path.is_dir() and not path.is_symlink():
        remove(path)
    with aside.open("x", encoding="utf-8") as handle:
        json.dump(asdict(manifest), handle, sort_keys=True)
        handle.write("\n")
        handle.flush()
        os.fsync(handle.fileno())
    aside.replace(path)
