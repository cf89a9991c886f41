"""The tree of a commit on disk, without a checkout: no filter, hook or attribute of the repository takes part."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.corpora import corpora_dir
from retrieval.errors import UserError
from retrieval.source.git import GitError, run_git

_BATCH_BLOBS = 500
_MAX_BLOB_BYTES = 8_000_000  # larger ones are data, and would not be indexed
_TIMEOUT_S = 600.0


def export_commit(repository: Path, commit: str) -> Path:
    """The files of a commit, written into the cache at the first call.

    Links, submodules and files above 8 MB are left out.

    Args:
        commit: The full hash.

    Raises:
        UserError: git does not know the commit, or cannot run.
    """
    target = corpora_dir() / "commits" / commit
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        aside = Path(folder) / "tree"
        aside.mkdir()
        try:
            for path, data in read_tree(repository, commit):
                place = aside / os.fsdecode(path)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)
        except GitError as error:
            raise UserError(f"Cannot read commit {commit[:12]} of {repository}: {error}.", _FULL_HISTORY) from error
        try:
            aside.rename(target)
        except OSError:  # another process was faster
            if not target.is_dir():
                raise
    return target


_FULL_HISTORY = "Check that this is the repository that was mined, with its history (a shallow clone has none)."


def read_tree(repository: Path, commit: str) -> Iterator[tuple[bytes, bytes]]:
    """``(path, content)`` of the regular files of a commit, in the order of the tree.

    Raises:
        GitError: git does not know the commit, or cannot run.
    """
    listing = run_git(repository, ["ls-tree", "-r", "-z", "-l", "--full-tree", commit], timeout_s=_TIMEOUT_S)
    files: list[tuple[bytes, bytes]] = []
    for entry in listing.split(b"\0"):
        head, _, path = entry.partition(b"\t")
        mode, _, rest = head.partition(b" ")
        if mode not in (b"100644", b"100755") or not _is_safe(path):
            continue
        _, blob, size = rest.split()
        if int(size) <= _MAX_BLOB_BYTES:
            files.append((path, blob))
    for start in range(0, len(files), _BATCH_BLOBS):
        batch = files[start : start + _BATCH_BLOBS]
        contents = read_blobs(repository, [blob for _, blob in batch])
        for (path, _), data in zip(batch, contents, strict=True):
            yield path, data or b""


def _is_safe(path: bytes) -> bool:
    """git refuses such names, but a crafted object can hold them."""
    parts = path.split(b"/")
    return bool(path) and all(part not in (b"", b".", b"..") and part.lower() != b".git" for part in parts)


def read_blobs(repository: Path, names: Sequence[bytes]) -> list[bytes | None]:
    """The contents of objects, named by hash or as ``commit:path``; None for those that are missing or no blobs.

    Names with a line feed count as missing.

    Raises:
        GitError: git cannot run.
    """
    asked = [name for name in names if b"\n" not in name]
    output = run_git(
        repository, ["cat-file", "--batch"], given=b"".join(n + b"\n" for n in asked), timeout_s=_TIMEOUT_S
    )
    found: dict[bytes, bytes | None] = {}
    at = 0
    for name in asked:
        end = output.index(b"\n", at)
        fields = output[at:end].rsplit(b" ", 2)
        at = end + 1
        if len(fields) == 3 and fields[2].isdigit():
            size = int(fields[2])
            found[name] = output[at : at + size] if fields[1] == b"blob" else None
            at += size + 1
        else:
            found[name] = None  # "NAME missing", "NAME ambiguous"
    return [found.get(name) for name in names]
