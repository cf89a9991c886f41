"""Which folders of a tree can hold files that the walk lists, so that a watcher looks at those and at no others.

A watcher must not wake for a dependency folder or a build's output, nor follow a link out of the tree; an empty new
folder, on the other hand, is where the next file appears.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from retrieval.source.git import GitError, git_pointer, git_root, governs, is_repository, list_ignored
from retrieval.source.scan import OWN_FOLDERS, main_work_tree, scan_tree

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TreeFolders:
    """Absolute paths. ``ignored`` are files (as far as they are known) that stand in ``folders`` and are never listed.

    ``repositories`` are the folders that hold git's own state of this tree: staging an ignored file lists it.
    """

    folders: tuple[str, ...]
    ignored: frozenset[str]
    repositories: tuple[str, ...]


def tree_folders(root: Path) -> TreeFolders:
    """The folders of the tree at ``root`` as it is now; folders that vanish meanwhile are left out."""
    top = git_root(root)
    try:
        if top is not None and governs(top, root):
            return _in_work_tree(root, top)
        top = None  # a world of its own, which the rules of the work tree around it do not concern
    except GitError as failure:
        _LOG.info("git cannot list what %s ignores (%s); its .gitignore files are read instead", root, failure)
    folders: list[str] = []
    pending = [root]
    while pending:
        start = pending.pop()
        found = scan_tree(start, top)
        folders.extend(str(start / folder) if folder else str(start) for folder in found.folders)
        pending.extend(start / folder for folder in found.repositories if main_work_tree(start / folder) is None)
    return TreeFolders(tuple(sorted(set(folders))), frozenset(), ())


def _in_work_tree(root: Path, top: Path) -> TreeFolders:
    folders: list[str] = []
    ignored: set[str] = set()
    repositories = [_git_folder(top)]
    pending = [root]
    while pending:
        start = pending.pop()
        here = {f"{start}/{name}" for name in list_ignored(start)}
        ignored.update(here)
        pruned = {name.rstrip("/") for name in here}
        for folder, nested in _descend(str(start), pruned):
            folders.append(folder)
            for name in nested:
                repositories.append(_git_folder(Path(name)))
                pending.append(Path(name))
    return TreeFolders(tuple(sorted(set(folders))), frozenset(ignored), tuple(sorted(set(repositories))))


def _descend(start: str, pruned: set[str]) -> Iterator[tuple[str, list[str]]]:
    """Each folder below ``start`` with the repositories (submodules, mostly) in it, which have ignore rules of their
    own."""
    pending = [start]
    while pending:
        folder = pending.pop()
        nested: list[str] = []
        try:
            with os.scandir(folder) as listing:
                below = [entry.path for entry in listing if _is_candidate(entry) and entry.path not in pruned]
        except OSError:
            continue
        for path in below:
            if not is_repository(Path(path)):
                pending.append(path)
            elif main_work_tree(Path(path)) is None:
                nested.append(path)
        yield folder, nested


def _is_candidate(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.name not in OWN_FOLDERS and entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _git_folder(top: Path) -> str:
    return str(git_pointer(top) or top / ".git")
