"""The one gate for paths that come from outside: what may be read is what the index would hold, and nothing else."""

from __future__ import annotations

import os
import re
from pathlib import Path

from retrieval.errors import UserError
from retrieval.index.reader import IndexReader
from retrieval.index.settings import from_meta
from retrieval.source.contain import resolve_inside
from retrieval.source.entries import SourceText, WalkLimits
from retrieval.source.secrets import is_secret_path

MAX_PATH_CHARS = 1_024
_PLACE = re.compile(r"(.+?):(\d{1,9})(?:[-:]\d*)?")
_LIST = "List the files: list_files"


def validate_path(reader: IndexReader, path: str) -> str:
    """The path of an indexed file, relative to the root, that ``path`` names.

    It must resolve inside the root, name no secret, and be a file that the index holds: ignored, generated, huge and
    binary files, devices and FIFOs never are. What a link inside the tree leads to is judged by its own name. An
    absolute path is taken where it lies inside the root.

    Raises:
        UserError: Any of this fails; says which.
    """
    if len(path) > MAX_PATH_CHARS:
        raise UserError(f"The path has {len(path):,} characters.", f"Give one of at most {MAX_PATH_CHARS:,}.")
    place = resolve_inside(reader.root, relative_to(reader.root, path))
    inside = os.path.relpath(place, os.path.realpath(reader.root)).replace(os.sep, "/")
    shown = ascii(path)
    if is_secret_path(inside) or is_secret_path(path):
        raise UserError(f"{shown} is a secret by its name.", "Secret files are never shown.")
    if reader.file_sha256(inside) is not None:
        return inside
    row = reader.conn.execute("SELECT reason FROM skipped WHERE path = ?", (inside,)).fetchone()
    if row:
        raise UserError(f"{shown} is not indexed: {row[0]}.", _LIST)
    if place.is_dir():
        raise UserError(f"{shown} is a folder.", f"List what is in it: list_files {inside}")
    if place.exists():
        raise UserError(f"{shown} is not indexed (ignored, or newer than the index).", _LIST)
    place_and_line = _PLACE.fullmatch(inside)
    if place_and_line and reader.file_sha256(place_and_line.group(1)) is not None:
        name, line = place_and_line.groups()
        raise UserError(f"There is no file {shown}.", f"Give the line apart: path {name}, first {line}.")
    near = reader.paths_matching(inside.rpartition("/")[2])[:3] if "/" not in inside or "." in inside else ()
    raise UserError(f"There is no file {shown}.", f"Meant: {', '.join(near)}?" if near else _LIST)


def relative_to(root: Path, path: str) -> str:
    """``path`` without the root before it; editors name files by their absolute paths."""
    for start in (str(root), os.path.realpath(root)):
        if path.startswith(start.rstrip("/") + "/"):
            return path[len(start.rstrip("/")) + 1 :].lstrip("/")
    return path


def read_now(reader: IndexReader, path: str) -> SourceText:
    """The file as it is on disk, through every gate of the walk; ``path`` as `validate_path` returned it.

    Raises:
        UserError: It is gone, or has become something that is not shown.
    """
    from retrieval.source.decode import read_source

    found = read_source(reader.root, path, WalkLimits(max_file_bytes=from_meta(reader.meta).max_file_bytes))
    if isinstance(found, SourceText):
        return found
    raise UserError(f"{path!a} cannot be shown: {found.reason}.", _LIST)
