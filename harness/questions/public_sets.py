"""Public question sets as questions of ours: one reader a format, each a stream. ``docs/questions.md`` shows samples.

What a set does not carry is the corpus. A template says where it lies: ``git:repos/{name}@{sha}`` or
``path:trees/{repo}``.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.questions.load import Broken, Note, iter_rows, line_policy
from harness.questions.parse import QuestionError, question_from
from harness.questions.patch import parse_patch
from harness.questions.records import EXPLANATION, LOCALISATION, SYMBOL_LOOKUP, Question
from retrieval.errors import UserError

EVIDENCE_CORPUS = "{sdist}#sha256={sha256}"
GIT_CORPUS = "git:{name}@{sha}"

_LINES = re.compile(r"#L(\d{1,7})(?:-L(\d{1,7}))?\Z")
_MIN_DOC_CHARS = 12


@dataclass(frozen=True, slots=True)
class SetOptions:
    """How to read a set.

    Attributes:
        corpus: Template of the corpus; "" for the format's own.
        skip_bad_lines: Pass over broken lines with a ``note`` each.
    """

    corpus: str = ""
    skip_bad_lines: bool = False
    note: Note | None = None


def read_set(kind: str, path: Path, options: SetOptions) -> Iterator[Question]:
    """The questions of a JSONL file of a public set; see ``READERS`` for the kinds.

    Raises:
        UserError: The file cannot be read; a line is broken and ``skip_bad_lines`` is off; the template does not fit.
    """
    make, template = READERS[kind]
    template = options.corpus or template
    _check_template(template)
    broken: Broken = line_policy(path, options.skip_bad_lines, options.note)
    seen: set[str] = set()
    for number, row in iter_rows(path, broken):
        try:
            question = question_from(make(row, template, number))
        except _UnfitError as error:
            if options.note is not None:
                options.note(f"{path}, line {number}: {error}; passed over.")
            continue
        except (QuestionError, _RowError) as error:
            broken(number, str(error))
            continue
        if question.id in seen:
            broken(number, f"the id {question.id!r} was there before")
            continue
        seen.add(question.id)
        yield question


class _RowError(ValueError):
    """A row lacks what its format promises."""


class _UnfitError(ValueError):
    """A row is sound, but no question can be made of it."""


def _evidence(row: Mapping[str, Any], template: str, _number: int) -> dict[str, Any]:
    """``{"id", "sdist": "name==version", "sdist_sha256", "question", "gold": [{"path", "ranges"}]}``."""
    sdist = _text(row, "sdist")
    name, _, version = sdist.partition("==")
    fields = {"sdist": sdist, "sha256": _text(row, "sdist_sha256"), "name": name, "version": version}
    gold = row.get("gold")
    if not isinstance(gold, list) or not all(isinstance(part, dict) for part in gold):
        raise _RowError("field 'gold' has to be a list of objects")
    return _row(
        _text(row, "id"),
        _fill(template, fields),
        _text(row, "question"),
        EXPLANATION,
        [{key: part[key] for key in ("path", "ranges") if part.get(key)} for part in gold],
    )


def _codesearchnet(row: Mapping[str, Any], template: str, number: int) -> dict[str, Any]:
    """``{"repo": "owner/name", "path", "func_name", "docstring", "sha", "url": "…#L10-L20"}``: the docstring asks."""
    question = _text(row, "docstring").replace("\r", "").split("\n\n")[0].strip()
    if len(question) < _MIN_DOC_CHARS:
        raise _UnfitError("the docstring's first paragraph is too short to ask anything")
    place: dict[str, Any] = {"path": _text(row, "path")}
    lines = _LINES.search(str(row.get("url", "")))
    if lines:
        place["ranges"] = [[int(lines[1]), int(lines[2] or lines[1])]]
    else:
        place["symbol"] = _text(row, "func_name")
    sha = _text(row, "sha")
    fields = _repository(row) | {"sha": sha}
    text = " ".join(question.split())
    return _row(f"csn-{sha[:12]}-{number}", _fill(template, fields), text, SYMBOL_LOOKUP, [place])


def _swe_bench(row: Mapping[str, Any], template: str, _number: int) -> dict[str, Any]:
    """``{"instance_id", "repo", "base_commit", "problem_statement", "patch"}``: gold is what the patch changes."""
    changes = [change for _, change in parse_patch(_text(row, "patch").encode("utf-8", "surrogatepass"))]
    if not changes:
        raise _UnfitError("the patch changes no file that the base has")
    gold = []
    for change in changes:
        around = [(max(1, gap), max(1, gap)) for gap, _ in change.gaps]
        gold.append({"path": change.path, "ranges": [list(pair) for pair in sorted({*change.lines, *around})]})
    fields = _repository(row) | {"sha": _text(row, "base_commit")}
    must = [
        {"id": f"file-{at}", "text": f"It cites {part['path']}.", "check": {"cites": {"path": part["path"]}}}
        for at, part in enumerate(gold, 1)
    ]
    text = _text(row, "problem_statement")
    return _row(_text(row, "instance_id"), _fill(template, fields), text, LOCALISATION, gold, must)


Maker = Callable[[Mapping[str, Any], str, int], dict[str, Any]]
READERS: Mapping[str, tuple[Maker, str]] = {
    "evidence": (_evidence, EVIDENCE_CORPUS),
    "codesearchnet": (_codesearchnet, GIT_CORPUS),
    "swe-bench": (_swe_bench, GIT_CORPUS),
}


def _row(
    name: str,
    corpus: str,
    question: str,
    category: str,
    gold: Sequence[Mapping[str, Any]],
    must: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    return {
        "id": name,
        "corpus": corpus,
        "question": question,
        "category": category,
        "difficulty": "medium" if len(gold) < 2 else "hard",
        "answerable": True,
        "gold": list(gold),
        "must": list(must),
        "must_not": [],
    }


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise _RowError(f"field {name!r} has to be a text that is not empty")
    return value


def _repository(row: Mapping[str, Any]) -> dict[str, str]:
    repo = _text(row, "repo")
    owner, _, name = repo.rpartition("/")
    return {"repo": repo, "owner": owner, "name": name}


def _fill(template: str, fields: Mapping[str, str]) -> str:
    for name in _names(template):
        if name not in fields:
            raise UserError(f"The template {template!r} names {{{name}}}.", f"It may name {', '.join(sorted(fields))}.")
    text = template
    for name, value in fields.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _names(template: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]


def _check_template(template: str) -> None:
    try:
        _names(template)
    except ValueError as error:
        raise UserError(f"{template!r} is no template: {error}.", "Write for example git:repos/{name}@{sha}") from error
