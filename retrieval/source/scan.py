"""Find files without git: a walk that obeys nested ``.gitignore`` files and knows what is never source."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from retrieval.source.entries import Reason, Skipped
from retrieval.source.git import git_pointer, is_repository
from retrieval.source.ignore import IgnoreFile

IGNORE_FILE = ".gitignore"
OWN_FOLDERS = frozenset({".git", ".contextc"})  # never indexed, never worth a word

_NEVER_SOURCE = {
    ".hg": Reason.CACHE,
    ".svn": Reason.CACHE,
    "__pycache__": Reason.CACHE,
    ".hypothesis": Reason.CACHE,
    ".tox": Reason.DEPENDENCIES,
    ".nox": Reason.DEPENDENCIES,
    ".eggs": Reason.DEPENDENCIES,
    "node_modules": Reason.DEPENDENCIES,
    "bower_components": Reason.DEPENDENCIES,
    "__pypackages__": Reason.DEPENDENCIES,
}
_CACHE_SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55"  # https://bford.info/cachedir/
_BUILT = ("lib.", "temp.", "bdist.", "scripts-")
_MAX_IGNORE_BYTES = 1_048_576
_MAX_DEPTH = 256


@dataclass(frozen=True, slots=True)
class _Rules:
    """An ignore file and where its folder lies: ``outside`` leads from it down to the root when it is above the root,
    ``depth`` is the number of characters of a root-relative path that name it when it is below."""

    ignores: IgnoreFile
    outside: str
    depth: int

    def ask(self, path: str, is_folder: bool) -> bool | None:
        return self.ignores.verdict(self.outside + path[self.depth :], is_folder)


@dataclass(slots=True)
class Scan:
    """What a scan found: candidate files (paths relative to the root), folders left out, nested repositories, and the
    folders that were entered ("" for the root)."""

    files: list[str]
    skipped: list[Skipped]
    repositories: list[str]
    folders: list[str]


def scan_tree(root: Path, top: Path | None) -> Scan:
    """Walk ``root`` without git. Folders behind symbolic links are not entered; links are reported as files.

    Args:
        top: The work tree that holds ``root`` when git refused to answer: its rules above ``root`` hold too.
    """
    found = Scan([], [], [], [])
    base = str(root)
    pending: list[tuple[str, tuple[_Rules, ...]]] = [("", tuple(_rules_above(root, top)))]
    while pending:
        folder, rules = pending.pop()
        try:
            with os.scandir(f"{base}/{folder}" if folder else base) as listing:
                entries = {entry.name: entry for entry in listing}
        except OSError as error:
            found.skipped.append(Skipped(folder or ".", Reason.UNREADABLE, error.strerror or ""))
            continue
        if folder:
            reason, detail = _why_not(root, folder, entries)
            if reason:
                found.skipped.append(Skipped(folder, reason, detail))
                continue
            if ".git" in entries and is_repository(root / folder):
                found.repositories.append(folder)
                continue
        found.folders.append(folder)
        if IGNORE_FILE in entries:
            own = _load(root / folder / IGNORE_FILE)
            if own is not None:
                rules = (_Rules(own, "", len(folder) + 1 if folder else 0), *rules)
        prefix = folder + "/" if folder else ""
        for name, entry in entries.items():
            if name in OWN_FOLDERS:
                continue  # in a linked worktree or a submodule ``.git`` is a file
            path = prefix + name
            is_folder = entry.is_dir(follow_symlinks=False)
            if rules and _is_ignored(path, rules, is_folder):
                continue
            if is_folder:
                pending.append((path, rules))
            else:
                found.files.append(path)
    return found


def _is_ignored(path: str, rules: Sequence[_Rules], is_folder: bool) -> bool:
    # The innermost file with an opinion decides: git reads them from the top down and the last match wins.
    for rule in rules:
        opinion = rule.ask(path, is_folder)
        if opinion is not None:
            return opinion
    return False


def _rules_above(root: Path, top: Path | None) -> Iterator[_Rules]:
    """Rules of the folders between ``root`` (exclusive) and ``top``, innermost first, then ``info/exclude``."""
    if top is None:
        return
    folder = Path(os.path.realpath(root))
    outside = ""
    while folder != top and folder.parent != folder:
        outside = f"{folder.name}/{outside}"
        folder = folder.parent
        own = _load(folder / IGNORE_FILE)
        if own is not None:
            yield _Rules(own, outside, 0)
    exclude = _load(top / ".git" / "info" / "exclude")
    if exclude is not None:
        yield _Rules(exclude, outside, 0)


def _load(path: Path) -> IgnoreFile | None:
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _MAX_IGNORE_BYTES:
            return None  # git does not follow links here either
        return IgnoreFile(os.fsdecode(path.read_bytes())) or None
    except OSError:
        return None


def _why_not(root: Path, folder: str, entries: Mapping[str, os.DirEntry[str]]) -> tuple[str, str]:
    """The reason why a folder with these entries holds no source of the project, or ("", "")."""
    name = folder.rpartition("/")[2]
    if name in _NEVER_SOURCE:
        return _NEVER_SOURCE[name], name
    if name.endswith((".egg-info", ".dist-info")):
        return Reason.BUILD_OUTPUT, "package metadata"
    if "pyvenv.cfg" in entries or "conda-meta" in entries:
        return Reason.DEPENDENCIES, "virtual environment"
    if "CACHEDIR.TAG" in entries and _is_cache(root / folder / "CACHEDIR.TAG"):
        return Reason.CACHE, "CACHEDIR.TAG"
    # A folder merely named "build" is source; one that a build tool made says so by its content.
    if name == "build" and (
        "CMakeCache.txt" in entries or list(entries) == ["lib"] or any(entry.startswith(_BUILT) for entry in entries)
    ):
        return Reason.BUILD_OUTPUT, "setuptools or CMake"
    if folder.count("/") >= _MAX_DEPTH:
        return Reason.UNREADABLE, "too deep"
    return "", ""


def _is_cache(tag: Path) -> bool:
    try:
        if tag.is_symlink() or not tag.is_file():
            return False
        with tag.open("rb") as stream:
            return stream.read(len(_CACHE_SIGNATURE)) == _CACHE_SIGNATURE
    except OSError:
        return False


def main_work_tree(folder: Path) -> Path | None:
    """The folder whose ``.git`` a linked worktree shares, None when ``folder`` is no linked worktree."""
    pointer = git_pointer(folder)
    if pointer is None or pointer.parent.name != "worktrees":
        return None
    return Path(os.path.realpath(pointer.parent.parent.parent))
