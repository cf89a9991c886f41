"""The one walk of a tree: every consumer of file lists (index, status, doctor) gets it from here.

In a git work tree the candidates are what ``git ls-files --cached --others --exclude-standard`` prints, submodules
included; elsewhere `retrieval.source.scan` scans. Then one ``lstat`` per candidate and the predicates of
`retrieval.source.skips` that need no content decide.
"""

from __future__ import annotations

import logging
import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from retrieval.errors import UserError
from retrieval.source import skips
from retrieval.source.entries import Reason, Skipped, SourceFile, SourceText, WalkLimits, WalkResult
from retrieval.source.git import GitError, git_root, governs, is_repository, list_work_tree
from retrieval.source.scan import OWN_FOLDERS, main_work_tree, scan_tree
from retrieval.source.secrets import holds_token, redact

__all__ = ["Reason", "Skipped", "SourceFile", "SourceText", "WalkLimits", "WalkResult", "printable", "walk"]

_LOG = logging.getLogger(__name__)

_MAX_TIME_NS = 2**63 - 1  # what SQLite stores; an archive may give a file a time of the year 2300
_MAX_NESTING = 16  # repositories inside repositories
# Control characters, line and paragraph separators, bidirectional overrides, and the surrogates that stand for
# bytes that are not UTF-8: a citation with one of these in it cannot be printed, clicked or trusted.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def walk(root: Path, limits: WalkLimits | None = None) -> WalkResult:
    """List the files below ``root`` that are worth reading, and what was left out and why.

    Ignored files are no news and are not among the skipped. A file name that cannot be printed is skipped
    (``unprintable name``), since citations are lines of text.

    Raises:
        UserError: ``root`` does not exist or is not a folder.
    """
    limits = limits or WalkLimits()
    if not root.is_dir():
        state = "is not a folder" if root.exists() else "does not exist"
        raise UserError(f"{root} {state}.", "Name the folder of a source tree.")
    collector = _Collector(root, limits)
    vcs = collector.collect()
    return WalkResult(
        tuple(sorted(collector.files, key=lambda file: file.path)),
        tuple(sorted(collector.skipped, key=lambda skip: (skip.path, skip.reason))),
        vcs,
    )


def printable(path: str) -> str:
    """``path`` with every unprintable character written as an escape (``\\n``, ``\\udcff``)."""
    return _UNPRINTABLE.sub(lambda match: match.group().encode("unicode_escape").decode("ascii"), path)


class _Collector:
    """One walk's state. Paths are relative to ``root`` throughout; ``base`` ends with ``/`` or is empty."""

    def __init__(self, root: Path, limits: WalkLimits) -> None:
        self.root = root
        self.root_text = str(root)
        self.real_root = os.path.realpath(root)
        self.limits = limits
        self.files: list[SourceFile] = []
        self.skipped: list[Skipped] = []
        self._real_folders: dict[str, bool] = {"": True}

    def collect(self) -> Literal["git", "none"]:
        top = git_root(self.root)
        if top is not None:
            try:
                if governs(top, self.root, self.limits.git_timeout_s):
                    self._add_work_tree("", list_work_tree(self.root, timeout_s=self.limits.git_timeout_s), 0)
                    if self.files or self.skipped:
                        return "git"
                    # Nothing: an empty tree, or a repository whose configuration claims a work tree elsewhere. Look.
                else:
                    top = None
            except GitError as failure:
                _LOG.warning("git cannot list %s (%s); its .gitignore files are read instead", self.root, failure)
        self._add_scan("", top, 0)
        return "none"

    def _add_work_tree(self, base: str, names: Iterable[str], nesting: int) -> None:
        candidates = []
        for name in names:
            path = base + name
            if name.endswith("/"):
                folder = path[:-1]
                reason = Reason.NESTED if main_work_tree(self.root / folder) is None else Reason.WORKTREE
                self._skip(folder, reason)
            elif not OWN_FOLDERS.isdisjoint(path.split("/")):
                continue
            else:
                candidates.append(path)
        nested = {skip.path for skip in self.skipped}
        for path in self._add_files(candidates):
            # A tracked path that is a folder on disk: a submodule, or a file that a folder has replaced.
            if path in nested:
                continue
            if is_repository(self.root / path):
                self._add_repository(path, nesting + 1)
            elif _is_empty(self.root / path):
                self._skip(path, Reason.EMPTY_SUBMODULE)

    def _add_repository(self, path: str, nesting: int) -> None:
        """List a repository inside the tree by its own rules: a submodule, or one that no outer git knows of."""
        folder = self.root / path
        if nesting > _MAX_NESTING:
            self._skip(path, Reason.NESTED, "nested too deeply")
            return
        try:
            names = list_work_tree(folder, ceiling=folder.parent, timeout_s=self.limits.git_timeout_s)
        except GitError as failure:
            _LOG.warning("git cannot list %s (%s); its .gitignore files are read instead", path, failure)
            self._add_scan(path + "/", folder, nesting)
        else:
            self._add_work_tree(path + "/", names, nesting)

    def _add_scan(self, base: str, top: Path | None, nesting: int) -> None:
        found = scan_tree(self.root / base if base else self.root, top)
        for skip in found.skipped:
            self._skip(base + skip.path, skip.reason, skip.detail)
        self._real_folders.update((base + folder, True) for folder in found.folders if folder)  # the scan was in them
        self._add_files([base + path for path in found.files])
        for path in found.repositories:
            folder = self.root / base / path
            main = main_work_tree(folder)
            if main is not None and (top is not None or main.is_relative_to(self.real_root)):
                self._skip(base + path, Reason.WORKTREE)
            elif top is not None and (folder / ".git").is_dir():
                self._skip(base + path, Reason.NESTED)
            else:
                self._add_repository(base + path, nesting + 1)

    def _add_files(self, paths: list[str]) -> list[str]:
        """Add regular files, skip what is none, and return the paths that are folders."""
        folders = []
        prefix = self.root_text + "/"
        lstat, is_regular, limits = os.lstat, stat.S_ISREG, self.limits
        # one look at all of them
        some_name_tells, some_unprintable = holds_token("\n".join(paths)), _UNPRINTABLE.search("/".join(paths))
        for path in paths:
            if some_unprintable and _UNPRINTABLE.search(path):
                self._skip(path, Reason.UNPRINTABLE)
                continue
            if some_name_tells and holds_token(path):
                self._skip(path, Reason.SECRET, "its name holds one")
                continue
            parent = path.rpartition("/")[0]
            if not (self._real_folders.get(parent) or self._is_real_folder(parent)):
                continue  # deleted, or a link took the folder's place: git would say deleted
            try:
                status = lstat(prefix + path)
            except FileNotFoundError:
                continue  # deleted and not yet committed
            except OSError as error:
                self._skip(path, Reason.UNREADABLE, error.strerror or "")
                continue
            mode = status.st_mode
            if is_regular(mode):
                skip = skips.by_name(path, status.st_size, limits)
                if skip is None:
                    mtime_ns = max(-_MAX_TIME_NS, min(status.st_mtime_ns, _MAX_TIME_NS))
                    self.files.append(SourceFile(path, status.st_size, mtime_ns, mode))
                else:
                    self.skipped.append(skip)
            elif stat.S_ISDIR(mode):
                folders.append(path)
            elif stat.S_ISLNK(mode):
                self._skip_link(path)
            else:
                self._skip(path, Reason.SPECIAL)
        return folders

    def _is_real_folder(self, folder: str) -> bool:
        parts = folder.split("/")
        real = True
        for end in range(1, len(parts) + 1):
            ancestor = "/".join(parts[:end])
            known = self._real_folders.get(ancestor)
            if known is None:
                try:
                    known = real and stat.S_ISDIR(os.lstat(f"{self.root_text}/{ancestor}").st_mode)
                except OSError:
                    known = False
                self._real_folders[ancestor] = known
            real = known
        return real

    def _skip_link(self, path: str) -> None:
        target = os.path.realpath(self.root / path)
        inside = os.path.relpath(target, self.real_root)
        if inside == os.pardir or inside.startswith(os.pardir + os.sep):
            self._skip(path, Reason.OUTSIDE)
        elif not Path(target).exists():
            self._skip(path, Reason.BROKEN_LINK)
        else:
            self._skip(path, Reason.SYMLINK, printable(inside.replace(os.sep, "/")))

    def _skip(self, path: str, reason: str, detail: str = "") -> None:
        named = redact(path).text if holds_token(path) else path
        self.skipped.append(Skipped(printable(named), reason, detail))


def _is_empty(folder: Path) -> bool:
    try:
        with os.scandir(folder) as listing:
            return next(listing, None) is None
    except OSError:
        return False
