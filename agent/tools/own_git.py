"""Whether the git repository of a tree is the tree's own, so that its history may be shown.

A tree that somebody sent can carry a ``.git`` that borrows from another repository of this machine: a pointer file, a
link, a ``commondir``, alternates. Git follows each, and would show the history of what is none of the tree's.
"""

from __future__ import annotations

import os
from pathlib import Path

from retrieval.errors import UserError
from retrieval.source.git import GitError, git_pointer, git_root, governs, run_git

_NO_HISTORY = "History is shown for trees that are git work trees of their own."


def repository_of(folder: Path) -> Path:
    """The top of the work tree that holds ``folder``.

    Raises:
        UserError: There is none, or its repository borrows from another place of this machine.
    """
    top = git_root(folder)
    try:
        if top is None or not governs(top, folder):
            raise UserError("The tree is not under git.", _NO_HISTORY)
        if not _own(top):
            raise UserError("The tree's .git leads to another repository of this machine.", _NO_HISTORY)
    except GitError as error:
        raise UserError(f"git cannot answer: {error}.", _NO_HISTORY) from None
    return top


def _own(top: Path) -> bool:
    marker = top / ".git"
    pointed = git_pointer(top)
    if pointed is not None and not _inside(pointed, top):
        # Outside of the tree nothing was sent with it. Does that repository know this work tree?
        return _knows(pointed, top)
    folder = pointed or marker
    if not _inside(folder, top):
        return False
    if (folder / "commondir").exists():
        common = Path(os.path.normpath(folder / (folder / "commondir").read_text("utf-8", "replace").strip()))
        if not _inside(common, top):
            return False
        folder = common
    alternates = folder / "objects/info/alternates"
    if alternates.exists():
        for line in alternates.read_text("utf-8", "replace").split("\n"):
            if line.strip() and not line.startswith("#") and not _inside(folder / "objects" / line.strip(), top):
                return False
    looked_at = [folder / name for name in ("", "objects", "objects/info", "objects/pack", "refs", "refs/heads")]
    return all(_inside(entry, top) for place in looked_at if place.is_dir() for entry in _links(place))


def _inside(place: Path, top: Path) -> bool:
    real = os.path.relpath(os.path.realpath(place), os.path.realpath(top))
    return real != os.pardir and not real.startswith(os.pardir + os.sep)


def _links(folder: Path) -> list[Path]:
    with os.scandir(folder) as listing:
        return [Path(entry.path) for entry in listing if entry.is_symlink()]


def _knows(pointed: Path, top: Path) -> bool:
    """A linked worktree's folder names the worktree in ``gitdir``, a submodule's in ``core.worktree``."""
    back = pointed / "gitdir"
    if back.is_file():
        named = pointed / back.read_text("utf-8", "replace").strip()
        return os.path.realpath(named) == os.path.realpath(top / ".git")
    arguments = ["config", "--no-includes", "--file", str(pointed / "config"), "--get", "core.worktree"]
    named_text = os.fsdecode(run_git(top, arguments, ok=(0, 1))).strip()
    return bool(named_text) and os.path.realpath(pointed / named_text) == os.path.realpath(top)
