"""Commits of a repository as data: messages, changed paths, changed lines. Three git commands, whatever the number."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.questions.patch import Change, parse_patch
from retrieval.source.git import run_git

_TIMEOUT_S = 600.0
_FORMAT = "%H%x00%P%x00%an%x00%ae%x00%s%x00%b%x00"
_FIELDS = 6
_COMMIT = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_DIFF_OPTIONS = ("--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit with one parent. ``author`` is ``name <address>``."""

    hash: str
    parent: str
    author: str
    subject: str
    body: str


def read_commits(repository: Path, rev: str, since: str) -> list[Commit]:
    """Commits with exactly one parent, newest first, reachable from ``rev``.

    Raises:
        GitError: No repository, no such revision, or git cannot run.
    """
    limits = [f"--since={since}"] if since else []
    arguments = ["log", "-z", "--no-merges", "--date-order", f"--format={_FORMAT}", *limits, "--end-of-options", rev]
    fields = run_git(repository, [*arguments, "--"], timeout_s=_TIMEOUT_S).decode("utf-8", "replace").split("\0")
    commits = []
    for at in range(0, len(fields) - _FIELDS, _FIELDS + 1):  # each record ends with its own NUL and that of -z
        name, parents, who, address, subject, body = fields[at : at + _FIELDS]
        if parents and " " not in parents:
            commits.append(Commit(name, parents, f"{who} <{address}>", subject, body))
    return commits


def changed_paths(repository: Path, commits: Sequence[Commit]) -> dict[str, list[tuple[str, str]]]:
    """commit -> ``(status letter, path)`` of each file that it changes; compares trees, reads no file."""
    arguments = ["diff-tree", "--stdin", "-r", "-z", "--no-renames", "--name-status"]
    given = "".join(f"{commit.hash}\n" for commit in commits).encode()
    fields = run_git(repository, arguments, given=given, timeout_s=_TIMEOUT_S).split(b"\0")
    found: dict[str, list[tuple[str, str]]] = {commit.hash: [] for commit in commits}
    current, at = "", 0
    while at < len(fields):
        field = fields[at].lstrip(b"\n")
        if _COMMIT.fullmatch(field):
            current, at = field.decode(), at + 1
        elif len(field) == 1 and at + 1 < len(fields):
            found[current].append((field.decode(), os.fsdecode(fields[at + 1])))
            at += 2
        else:
            at += 1
    return found


def read_changes(repository: Path, commits: Sequence[Commit]) -> dict[str, list[Change]]:
    """commit -> what it does to files of its parent; changes of white space alone and binary files are left out."""
    arguments = ["diff-tree", "--stdin", "-r", "-p", "-U0", "-w", "--ignore-blank-lines", *_DIFF_OPTIONS]
    given = "".join(f"{commit.hash}\n" for commit in commits).encode()
    output = run_git(repository, arguments, given=given, timeout_s=_TIMEOUT_S)
    found: dict[str, list[Change]] = {commit.hash: [] for commit in commits}
    for commit, change in parse_patch(output):
        if commit in found:
            found[commit].append(change)
    return found
