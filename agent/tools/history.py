"""``history``: which commits made lines what they are. Read-only git without hooks, filters, textconv or signatures."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal

from pydantic import Field

from agent.tools.context import FileLines, ToolContext
from agent.tools.files import Last, Path
from agent.tools.find import Offset
from agent.tools.own_git import repository_of
from agent.tools.paging import window
from agent.tools.records import Item, Line, Outcome
from retrieval.errors import UserError
from retrieval.index.codec import split_lines
from retrieval.source.git import GitError, run_git

_LOG = logging.getLogger(__name__)

_SECONDS = 20.0
_MAX_COMMITS = 50  # of one page
_MAX_BLAMED = 2_000  # lines
# Each of these settings makes git run a program or read a file that the repository's configuration names.
_SAFE = (
    "log.showSignature=false",
    "log.mailmap=false",
    "mailmap.file=",
    "mailmap.blob=",
    "blame.ignoreRevsFile=",
    "diff.external=",
    f"diff.orderFile={os.devnull}",
    "i18n.logOutputEncoding=utf-8",
    "color.ui=false",
)
_FORMAT = "--format=%H%x1f%ad%x1f%an%x1f%s"
_PLAIN = ("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes", "--no-mailmap", "--date=short")


def history(
    context: ToolContext,
    path: Path,
    first: Last = 0,
    last: Last = 0,
    view: Literal["commits", "blame", "patch"] = "commits",
    commit: Annotated[str, Field(pattern=r"^([0-9a-f]{7,64})?$")] = "",
    offset: Offset = 0,
) -> Outcome:
    """Tell the git history of a file or of some of its lines: commits, who last changed each line, or one patch.

    Args:
        path: Relative to the root.
        first: First line; 0 for the whole file.
        last: Last line; 0 for the same as first.
        view: commits lists them, newest first; blame tells the commit of each line; patch shows one commit's change.
        commit: The commit whose patch to show: at least seven of its hex digits.
    """
    name = context.path(path)
    if last and last < max(first, 1):
        raise UserError(f"Lines {first} to {last} are none.", "Give first and last in order.")
    if (view == "patch") != bool(commit):
        raise UserError("A patch is of one commit.", 'Give view "patch" and commit together.')
    place = FilePath(os.path.realpath(context.reader.root)) / name
    top = repository_of(place.parent)  # of a file in a submodule that is the submodule's
    inside = place.relative_to(top).as_posix()
    lines = (first, last or first) if first else None
    try:
        if view == "blame":
            return _blame(context, top, inside, name, lines, offset)
        return _patch(top, inside, name, commit, offset) if commit else _commits(top, inside, name, lines, offset)
    except GitError as error:
        # What git complains of can quote a file that the repository's configuration names: it is for the log alone.
        _LOG.info("history of %s: %s", name, error)
        said = f"The last commit has no {name}, or not these lines, or there is no such commit."
        raise UserError(said, "Ask for lines and commits that the last commit has.") from None


def _git(top: FilePath, arguments: Sequence[str]) -> str:
    output = run_git(top, ["--literal-pathspecs", *arguments], config=_SAFE, timeout_s=_SECONDS)
    return output.decode("utf-8", "replace")


def _commits(top: FilePath, inside: str, name: str, lines: tuple[int, int] | None, offset: int) -> Outcome:
    wanted = ["-n", str(offset + _MAX_COMMITS + 1), "-z", _FORMAT, *_PLAIN, "-s"]
    # git takes no pathspec beside a range of lines.
    scope = [f"-L{lines[0]},{lines[1]}:./{inside}"] if lines else ["--", f"./{inside}"]
    rows = [row.strip("\n").split("\x1f", 3) for row in _git(top, ["log", *wanted, *scope]).split("\0") if row.strip()]
    items = []
    for row in rows[offset : offset + _MAX_COMMITS]:
        sha, date, author, subject = (*row, "", "", "")[:4]
        data = {"commit": sha, "date": date, "author": author, "subject": subject}
        items.append(Item((Line(f"{sha[:12]} {date} {author}: {subject}"),), data))
    where = f"{name}:{lines[0]}-{lines[1]}" if lines else name
    rest = max(0, len(rows) - offset - len(items))
    said = f"Commits that changed {where}, newest first:" if rows else f"No commit changed {where}."
    return Outcome((said,), items, start=offset, rest=rest, data={"path": name})


def _patch(top: FilePath, inside: str, name: str, commit: str, offset: int) -> Outcome:
    text = _git(top, ["show", _FORMAT, *_PLAIN, "--patch", commit, "--", f"./{inside}"])
    head, _, patch = text.partition("\n")
    sha, date, author, subject = (*head.split("\x1f", 3), "", "", "")[:4]
    shown = FileLines.of(split_lines(patch.strip("\n")), "").shown  # redacted as a whole: a key has many lines
    items = [Item((Line(line),), line) for line in shown]
    data = {"path": name, "commit": sha, "date": date, "author": author, "subject": subject}
    said = f"{sha[:12]} {date} {author}: {subject}"
    return Outcome((said if items else f"{said} (does not change {name})",), **window(items, offset), data=data)


_HEADER = re.compile(r"([0-9a-f]{40,64}) \d+ (\d+)")


def _blame(
    context: ToolContext, top: FilePath, inside: str, name: str, lines: tuple[int, int] | None, offset: int
) -> Outcome:
    # HEAD, not the file on disk: for that one git runs the filters that the repository's configuration names.
    scope = f"-L{lines[0]},{lines[1]}" if lines else f"-L1,{_MAX_BLAMED}"
    if lines and lines[1] - lines[0] >= _MAX_BLAMED:
        raise UserError(f"That is more than {_MAX_BLAMED:,} lines.", "Ask for fewer.")
    arguments = ["blame", "--line-porcelain", "--no-textconv", scope, "HEAD", "--", f"./{inside}"]
    if not lines:
        total = _git(top, ["cat-file", "-p", f"HEAD:./{inside}"]).count("\n")
        arguments[3] = f"-L1,{max(1, min(total, _MAX_BLAMED))}"
    blamed: list[dict[str, Any]] = []
    row: dict[str, Any] = {}
    for text in _git(top, arguments).split("\n"):
        header = _HEADER.match(text)
        if text.startswith("\t"):
            blamed.append({**row, "text": text[1:].removesuffix("\r")})
        elif header:
            row = {"commit": header.group(1), "line": int(header.group(2))}
        else:
            key, _, value = text.partition(" ")
            if key in ("author", "author-time", "summary"):
                row[key.replace("-", "_")] = value
    shown = FileLines.of([row["text"] for row in blamed], "").shown
    items = []
    for row, line in zip(blamed, shown, strict=True):
        date = _date(row.pop("author_time", ""))
        row.update(text=line, date=date)
        said = f"{row['line']} {row['commit'][:12]} {date} {row.get('author', '')}: {line}"
        items.append(Item((Line(said),), row))
    head = [f"{name}: the commit of each line, as of the last commit"]
    if context.session.states([name])(name) == "worktree":
        head.append("note: the file has changed since, so that its lines may have other numbers now")
    return Outcome(tuple(head), **window(items, offset), data={"path": name})


def _date(seconds: str) -> str:
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(int(seconds), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""
