"""Is the index still true? A stat pass over the tree, and a hash where the stat leaves doubt. Reads, never writes."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from pathlib import Path

from retrieval.index.changes import changed_languages, detect
from retrieval.index.reader import IndexReader
from retrieval.index.settings import from_meta
from retrieval.languages.python.modules import module_names
from retrieval.source.walk import WalkLimits, WalkResult, walk

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Drift:
    """Paths that differ from the index: ``changed`` includes new files."""

    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def none(self) -> bool:
        return not self.changed and not self.removed


def drift(reader: IndexReader) -> Drift:
    """Compare the tree on disk with the open generation."""
    found = walk(reader.root, WalkLimits(max_file_bytes=from_meta(reader.meta).max_file_bytes))
    modules = module_names(file.path for file in found.files if file.path.endswith((".py", ".pyi")))
    changes = detect(reader.conn, found, int(reader.meta["started_ns"]), modules)
    stored = (
        {path: (sha, module) for path, sha, module in reader.conn.execute("SELECT path, sha256, module FROM files")}
        if changes.suspects
        else {}
    )
    changed = [
        file.path
        for file in changes.suspects
        if file.path not in stored
        or stored[file.path] != (content_sha256(reader.root, file.path), modules.get(file.path, ""))
    ]
    return Drift((*changed, *_read_otherwise(reader, found, frozenset(changed))), changes.removed)


def _read_otherwise(reader: IndexReader, found: WalkResult, known: frozenset[str]) -> list[str]:
    """Files that a changed or removed plugin had read. Not asked of an index without any: looking for plugins is slow,
    and ``contextc index`` finds a new one."""
    if not reader.meta.get("languages"):
        return []
    from retrieval.languages.plugin import identities, suffix_of

    suffixes = changed_languages(reader.meta, identities(file.path for file in found.files)[0])
    return [file.path for file in found.files if file.path not in known and suffix_of(file.path) in suffixes]


def content_sha256(root: Path, path: str) -> str:
    """SHA-256 of a file's bytes now; "" when it is gone, unreadable or leads out of the root."""
    from retrieval.errors import UserError
    from retrieval.source.contain import resolve_inside

    try:
        with resolve_inside(root, path).open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except (OSError, UserError) as error:
        _LOG.info("%s cannot be read: %s", path, error)
        return ""
