"""Where the corpus of a question lies on this machine.

``self`` is this repository; a name is a pinned source distribution of ``harness.corpora``;
``NAME==VERSION#sha256=DIGEST`` is any other one; ``path:FOLDER`` is a tree on disk, ``git:FOLDER@COMMIT`` the tree of
one commit, exported into the cache. Folders are relative to the question file's folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from harness.corpora import CORPORA, Corpus, fetch_all, fetch_corpus
from harness.questions.records import SELF
from retrieval.errors import UserError

BENCHMARK_FILE = "benchmark-questions.jsonl"

_SDIST = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,99})==(?P<version>[0-9][A-Za-z0-9.+!_-]{0,49})")
_SHA256 = re.compile(r"#sha256=(?P<digest>[0-9a-f]{64})\Z")
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def corpus_root(spec: str, base: Path) -> Path:
    """The folder of a corpus, fetched or exported at the first call.

    Args:
        base: The question file's folder.

    Raises:
        UserError: An unknown form, a folder or commit that is not there, or a failed download.
    """
    if spec == SELF:
        return self_root()
    if spec.startswith("path:"):
        return _folder(spec, base)
    if spec.startswith("git:"):
        from harness.questions.git_tree import export_commit

        place, _, commit = spec.rpartition("@")
        if not place or not _COMMIT.fullmatch(commit):
            raise UserError(
                f"The corpus {spec[:100]!r} names no commit.", "Write git:FOLDER@COMMIT with the full hash."
            )
        return export_commit(_folder(place, base), commit)
    return fetch_corpus(sdist_of(spec))


def sdist_of(spec: str) -> Corpus:
    """The source distribution that a corpus names.

    Raises:
        UserError: It is none, or it is not pinned.
    """
    if spec in CORPORA:
        return CORPORA[spec]
    match = _SDIST.match(spec)
    if match is None:
        forms = "NAME==VERSION#sha256=…, path:FOLDER or git:FOLDER@COMMIT"
        raise UserError(f"There is no corpus {spec[:100]!r}.", f"Take self, {', '.join(sorted(CORPORA))}, {forms}.")
    digest = _SHA256.fullmatch(spec, match.end())
    if digest:
        return Corpus(match["name"], match["version"], digest["digest"])
    pinned = CORPORA.get(match["name"])
    if pinned is not None and match.end() == len(spec) and pinned.version == match["version"]:
        return pinned
    raise UserError(f"The corpus {spec[:100]!r} is not pinned.", "Append its archive's digest: #sha256=…")


def fetch_needed(specs: Iterable[str], progress: Callable[[str, int, int], None] | None = None) -> None:
    """Download the source distributions among the corpora, several at a time; ``progress`` as ``fetch_all`` has it.

    Raises:
        UserError: One of them cannot be had.
    """
    outside = sorted({spec for spec in specs if spec != SELF and not spec.startswith(("path:", "git:"))})
    fetch_all([sdist_of(spec) for spec in outside], progress)


def self_root() -> Path:
    """The checkout of this repository.

    Raises:
        UserError: contextc runs from an installed package, not from a checkout.
    """
    root = Path(__file__).resolve().parent.parent.parent
    if not (root / BENCHMARK_FILE).is_file() or not (root / "pyproject.toml").is_file():
        raise UserError("The corpus 'self' is contextc's own repository, and this is an installed package.", _CHECKOUT)
    return root


_CHECKOUT = "Run from a checkout of the repository, or choose other corpora."


def _folder(spec: str, base: Path) -> Path:
    folder = base / spec.partition(":")[2]
    if not folder.is_dir():
        raise UserError(
            f"The corpus {spec[:200]!r} is not there: no folder {folder}.", "Mend the path in the questions."
        )
    return folder
