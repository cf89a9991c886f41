"""The files of an index directory: made safely, swept of leftovers, and a full disk told in one line."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from retrieval.errors import DiskFullError, IndexUnavailableError, UserError
from retrieval.index.manifest import MANIFEST_NAME, Manifest, read_manifest, remove
from retrieval.index.schema import is_disk_error
from retrieval.index.vector_store import drop_build


def prepare_directory(index_dir: Path) -> None:
    if index_dir.is_symlink():
        raise UserError(f"{index_dir} is a symbolic link, which contextc does not follow.", f"Remove it: {index_dir}")
    if index_dir.exists() and not index_dir.is_dir():
        raise UserError(f"{index_dir} is not a folder, and the index belongs there.", f"Remove it: {index_dir}")
    try:
        index_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.suppress(FileExistsError), (index_dir / ".gitignore").open("x", encoding="utf-8") as ignore:
            ignore.write("*\n")
    except OSError as error:
        raise UserError(
            f"Cannot write the index directory {index_dir} ({error.strerror}).",
            "Make it writable, or set CONTEXTC_CACHE_DIR to a folder that is.",
        ) from None


def remove_leftovers(index_dir: Path, live: Manifest | None) -> None:
    """Remove builds that no manifest names. While there is no live one to keep, the manifest's own is kept too."""
    keep = live.build if live else ""
    if not keep:
        with contextlib.suppress(IndexUnavailableError):
            keep = read_manifest(index_dir).build
    builds = {path.name.split("-", 1)[1].split(".", 1)[0] for path in index_dir.glob("index-*.sqlite*")}
    for build in sorted(builds - {keep}):
        drop_build(index_dir, build)
    for aside in sorted(index_dir.glob(f"{MANIFEST_NAME}.*")):
        remove(aside)


def flush_to_disk(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


@contextlib.contextmanager
def disk_errors(index_dir: Path) -> Iterator[None]:
    """Raises DiskFullError for what the system says of a disk that takes no more."""
    mend = "Free some space and run the same command again; the last complete index is untouched."
    try:
        yield
    except sqlite3.DatabaseError as error:
        if is_disk_error(error):
            raise DiskFullError(f"The disk that holds {index_dir} is full ({error}).", mend) from error
        raise
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise DiskFullError(f"The disk that holds {index_dir} is full.", mend) from error
        raise
