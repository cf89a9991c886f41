"""Find files without git: a walk that obeys nested ``.gitignore`` files and knows what is never source."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
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
    """What a scan found: candidate files (paths relative to the root), folders left out, nested repositories."""

    files: list[str]
    skipped: list[Skipped]
    repositories: list[str]


def scan_tree(root: Path, top: Path | None) -> Scan:
    """Walk ``root`` without git. Folders behind symbolic links are not entered; links are reported as files.

    Args:
        top: The work tree that holds ``root`` when git refused to answer: its rules above ``root`` hold too.
    """
    found = Scan([], [], [])
    pending: list[tuple[str, tuple[_Rules, ...]]] = [("", tuple(_rules_above(root, top)))]
    while pending:
        folder, rules = pending.pop()
        try:
            with os.scandir(root / folder if folder else root) as listing:
                entries = list(listing)
        except OSError as error:
            found.skipped.append(Skipped(folder or ".", Reason.UNREADABLE, error.strerror or ""))
            continue
        if any(entry.name == IGNORE_FILE for entry in entries):
            own = _load(root / folder / IGNORE_FILE)
            if own is not None:
                rules = (_Rules(own, "", len(folder) + 1 if folder else 0), *rules)
        prefix = folder + "/" if folder else ""
        for entry in entries:
            path = prefix + entry.name
            if not entry.is_dir(follow_symlinks=False):
                # In a linked worktree or a submodule ``.git`` is a file.
                if entry.name not in OWN_FOLDERS and not _is_ignored(path, rules, False):
                    found.files.append(path)
                continue
            if entry.name in OWN_FOLDERS or _is_ignored(path, rules, True):
                continue
            reason, detail = _why_not(Path(entry.path))
            if reason:
                found.skipped.append(Skipped(path, reason, detail))
            elif is_repository(Path(entry.path)):
                found.repositories.append(path)
            elif path.count("/") >= _MAX_DEPTH:
                found.skipped.append(Skipped(path, Reason.UNREADABLE, "too deep"))
            else:
                pending.append((path, rules))
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


def _why_not(folder: Path) -> tuple[str, str]:
    """The reason why a folder of this kind holds no source of the project, or ("", "")."""
    name = folder.name
    if name in _NEVER_SOURCE:
        return _NEVER_SOURCE[name], name
    if name.endswith((".egg-info", ".dist-info")):
        return Reason.BUILD_OUTPUT, "package metadata"
    if (folder / "pyvenv.cfg").is_file() or (folder / "conda-meta").is_dir():
        return Reason.DEPENDENCIES, "virtual environment"
    tag = folder / "CACHEDIR.TAG"
    try:
        if tag.is_file() and not tag.is_symlink():
            with tag.open("rb") as stream:
                if stream.read(len(_CACHE_SIGNATURE)) == _CACHE_SIGNATURE:
                    return Reason.CACHE, "CACHEDIR.TAG"
    except OSError:
        pass
    if name == "build" and _is_build_output(folder):
        return Reason.BUILD_OUTPUT, "setuptools or CMake"
    return "", ""


def _is_build_output(folder: Path) -> bool:
    # A folder merely named "build" is source; one that a build tool made says so by its content.
    if (folder / "CMakeCache.txt").exists():
        return True
    try:
        with os.scandir(folder) as listing:
            names = [entry.name for entry in listing]
    except OSError:
        return False
    made = ("lib.", "temp.", "bdist.", "scripts-")
    return any(name.startswith(made) for name in names) or names == ["lib"]


def main_work_tree(folder: Path) -> Path | None:
    """The folder whose ``.git`` a linked worktree shares, None when ``folder`` is no linked worktree."""
    pointer = git_pointer(folder)
    if pointer is None or pointer.parent.name != "worktrees":
        return None
    return Path(os.path.realpath(pointer.parent.parent.parent))
