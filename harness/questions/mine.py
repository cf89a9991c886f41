"""Localisation questions from a repository's own history: the message asks, the files and symbols changed are gold.

Gold is what the commit changes in its parent, tests and documents apart; new files and insertions between definitions
have no place in the parent and count for nothing. The corpus is the tree of the parent (``at="parent"``), or, one for
all, the tree before the oldest commit used (``at="base"``): then questions whose gold that tree does not have are
dropped, and one index serves all of them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.questions.commit_text import is_bot, is_routine, question_text, quoted
from harness.questions.git_history import Commit, changed_paths, read_changes, read_commits
from harness.questions.git_tree import read_blobs
from harness.questions.gold import SourceFile
from harness.questions.patch import Change, indentation
from harness.questions.records import LOCALISATION, Check, Cite, Fact, Gold, Question
from harness.questions.since import check_since
from retrieval.errors import UserError
from retrieval.records import Role
from retrieval.source.decode import source_from_bytes
from retrieval.source.entries import SourceText, WalkLimits
from retrieval.source.git import GitError, git_root
from retrieval.source.roles import language_of, role_of
from retrieval.source.skips import by_name

MAX_FILES = 4  # of code that the parent has; more is a sweep over the tree
MAX_SYMBOLS = 8
MAX_TOUCHED = 30  # files of any kind
MAX_LINES = 400  # added and removed
_BATCH = 100
_MOST_TRIED = 4  # commits tried for each question wanted, at the base
_NO_CODE = frozenset({"", "text", "html", "css", "xml"})

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Mined:
    """What mining gave: the questions, newest first, and how many commits were passed over for which reason."""

    questions: tuple[Question, ...]
    passed_over: Mapping[str, int]
    commits: int


def mine_history(
    repository: Path,
    *,
    limit: int,
    since: str = "",
    rev: str = "HEAD",
    at: str = "parent",
    leaks: bool = True,
    base: Path | None = None,
    progress: Progress | None = None,
) -> Mined:
    """Mine a repository.

    Args:
        limit: Questions at most; the newest commits come first.
        since: As ``git log --since`` takes it; "" for the whole history.
        at: ``parent`` or ``base``.
        leaks: Keep questions that name a gold path or symbol (they are marked); else pass over them.
        base: The question file's folder, from which questions name a repository that holds it, or that lies below it,
            by a relative path; else the path is absolute.

    Raises:
        UserError: No repository, no such revision, or nothing to mine.
    """
    top = git_root(repository)
    if top is None:
        raise UserError(f"{repository} is not inside a git repository.", "Give the folder of one: --from-git FOLDER")
    check_since(since)
    counts: Counter[str] = Counter()
    try:
        commits = read_commits(top, rev, since)
        folder = _folder_from(base, top)
        found: list[tuple[Commit, Question]] = []
        wanted = limit
        for commit, question in _candidates(top, commits, counts, progress):
            if question.leaks and not leaks:
                counts["names its gold"] += 1
                continue
            found.append((commit, question))
            if len(found) >= wanted:
                lacking = limit - len(_at_base(top, found, folder)) if at == "base" else 0
                if lacking <= 0 or len(found) >= _MOST_TRIED * limit:
                    break
                wanted = len(found) + lacking  # an older base, which lacks more: the newest commits may not reach
        questions = _at_parents(found, folder) if at == "parent" else _at_base(top, found, folder)
        counts["gold is not in the base"] = len(found) - len(questions)
    except GitError as error:
        raise UserError(f"git cannot read the history of {repository}: {error}.", "Check the revision.") from error
    if not questions:
        reasons = ", ".join(f"{count} {reason}" for reason, count in counts.most_common(4) if count)
        why = f" ({reasons})" if reasons else ""
        raise UserError(f"Nothing to mine: {len(commits)} commits, none fits{why}.", "Try an earlier --since or --rev.")
    passed = {reason: count for reason, count in counts.most_common() if count}
    return Mined(tuple(questions[:limit]), passed, len(commits))


def _folder_from(base: Path | None, top: Path) -> str:
    if base is None or not (base.is_relative_to(top) or top.is_relative_to(base)):
        return str(top)
    return Path(os.path.relpath(top, base)).as_posix()


def _candidates(
    top: Path, commits: Sequence[Commit], counts: Counter[str], progress: Progress | None
) -> Iterator[tuple[Commit, Question]]:
    """Commits that fit with their questions (corpus still empty), batch by batch, so that a limit stops the work."""
    name = top.name or "repository"
    asked: set[str] = set()
    for start in range(0, len(commits), _BATCH):
        batch = commits[start : start + _BATCH]
        texts = {commit.hash: text for commit in batch if (text := _text(commit, counts))}
        worded = [commit for commit in batch if commit.hash in texts]
        paths = changed_paths(top, worded)
        small = [commit for commit in worded if _is_small(paths[commit.hash], counts)]
        changes = {commit: _code(found) for commit, found in read_changes(top, small).items()}
        fitting = [commit for commit in small if _fits(changes[commit.hash], counts)]
        places = [(commit, change) for commit in fitting for change in changes[commit.hash]]
        blobs = read_blobs(top, [os.fsencode(f"{commit.parent}:{change.path}") for commit, change in places])
        gold: dict[str, list[Gold]] = {}
        for (commit, change), data in zip(places, blobs, strict=True):
            gold.setdefault(commit.hash, []).extend(gold_of(change, data))
        for commit in fitting:
            text, parts = texts[commit.hash], gold.get(commit.hash, [])
            if not parts or len(parts) > MAX_SYMBOLS:
                counts["changes too many definitions" if parts else "changes nothing that its parent has"] += 1
            elif text in asked:
                counts["repeats another"] += 1
            else:
                asked.add(text)
                yield commit, _question(name, commit, text, parts)
        if progress is not None:
            progress(min(start + _BATCH, len(commits)), len(commits))


def _text(commit: Commit, counts: Counter[str]) -> str:
    if is_bot(commit.author):
        counts["by a bot"] += 1
        return ""
    if is_routine(commit.subject):
        counts["routine or formatting"] += 1
        return ""
    text = question_text(commit.subject, commit.body)
    counts["says too little"] += not text
    return text


def _is_small(paths: Sequence[tuple[str, str]], counts: Counter[str]) -> bool:
    code = [path for status, path in paths if status in "MDT" and _is_code(path)]
    if not code:
        counts["changes no code"] += 1
    elif len(code) > MAX_FILES or len(paths) > MAX_TOUCHED:
        counts["changes too many files"] += 1
    else:
        return True
    return False


def _code(changes: Sequence[Change]) -> list[Change]:
    return [change for change in changes if _is_code(change.path)]


def _is_code(path: str) -> bool:
    language = language_of(path)
    return language not in _NO_CODE and "\n" not in path and role_of(path, language) is Role.CODE


def _fits(changes: Sequence[Change], counts: Counter[str]) -> bool:
    if not changes:
        counts["white space only, or nothing that its parent has"] += 1
    elif sum(change.added + change.removed for change in changes) > MAX_LINES:
        counts["changes too many lines"] += 1
    else:
        return True
    return False


def gold_of(change: Change, data: bytes | None) -> list[Gold]:
    """The innermost definitions of the parent's file that a change touches; the file alone when it touches none."""
    if data is None or by_name(change.path, len(data), WalkLimits()) is not None:
        return []
    read = source_from_bytes(change.path, data)
    if not isinstance(read, SourceText):
        return []
    file = SourceFile(change.path, read.text)
    names: dict[str, None] = {}
    for first, last in change.lines:
        for line in range(first, last + 1):
            names.setdefault(_innermost(file, line, None))
    for line, indent in change.gaps:
        names.setdefault(_innermost(file, line, indent))
    return [Gold(change.path, name) for name in sorted(names) if name] or [Gold(change.path)]


def _innermost(file: SourceFile, line: int, inserted: int | None) -> str:
    """The smallest definition around a line, or around a gap behind it into which code of that indentation is put."""
    best, size = "", 0
    for name, symbol in file.symbols:
        if symbol.kind in ("attribute", "variable") or not symbol.start_line <= line <= symbol.end_line:
            continue
        if inserted is not None and line == symbol.end_line:
            head = file.lines[symbol.def_line - 1] if symbol.def_line <= len(file.lines) else ""
            if inserted <= indentation(head):
                continue  # behind the definition, not at its end
        lines = symbol.end_line - symbol.start_line
        if not best or lines <= size:
            best, size = name, lines
    return best


def _question(name: str, commit: Commit, text: str, gold: Sequence[Gold]) -> Question:
    paths = list(dict.fromkeys(part.path for part in gold))
    leaks: dict[str, None] = {}
    for path in paths:
        symbols = tuple(part.symbol for part in gold if part.path == path and part.symbol is not None)
        leaks.update(dict.fromkeys(quoted(text, path, symbols)))
    return Question(
        id=f"{name}-{commit.hash[:12]}",
        corpus="",
        question=f"Which code has to change for this? {text}",
        category=LOCALISATION,
        difficulty="easy" if leaks else "medium" if len(paths) == 1 else "hard",
        gold=tuple(gold),
        must=tuple(
            Fact(f"file-{at}", f"It cites {path}.", Check(cites=Cite(path))) for at, path in enumerate(paths, 1)
        ),
        leaks=tuple(leaks),
        source=f"commit {commit.hash}",
    )


def _at_parents(found: Sequence[tuple[Commit, Question]], folder: str) -> list[Question]:
    return [replace(question, corpus=f"git:{folder}@{commit.parent}") for commit, question in found]


def _at_base(top: Path, found: Sequence[tuple[Commit, Question]], folder: str) -> list[Question]:
    """The questions whose gold the tree before the oldest commit has, under the same paths and names."""
    if not found:
        return []
    base = found[-1][0].parent
    paths = sorted({gold.path for _, question in found for gold in question.gold})
    blobs = read_blobs(top, [os.fsencode(f"{base}:{path}") for path in paths])
    files: dict[str, SourceFile] = {}
    for path, data in zip(paths, blobs, strict=True):
        read = source_from_bytes(path, data) if data is not None else None
        if isinstance(read, SourceText):
            files[path] = SourceFile(path, read.text)
    kept = []
    for _, question in found:
        present = all(
            gold.path in files and (gold.symbol is None or files[gold.path].ranges_of(gold.symbol))
            for gold in question.gold
        )
        if present:
            kept.append(replace(question, corpus=f"git:{folder}@{base}"))
    return kept
