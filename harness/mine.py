"""Questions with gold evidence, mined from source trees: nothing is tuned on the development questions alone.

``python -m harness.mine --source DIR --source DIR … --out DIR [--each N] [--seed S]``

DIR is an unpacked source tree. For each, OUT gets a copy, named like it, from which the text of every question has been
removed (so that no question finds its own words), and ``mined.jsonl`` in the form that ``harness.evidence`` reads.

* *docstring*: the first paragraph of a docstring; gold: the function, and functions that it calls elsewhere;
* *comment*: a long comment inside a function; gold: the statements below it, and functions that they call elsewhere;
* *test*: the words of a test's name and its docstring; gold: the functions that the test calls;
* *prose*: a paragraph of a document that names symbols; gold: their definitions;
* *message*, *callers*, *file*: look-ups, see ``harness.mine_lookups``; their trees keep what they ask for;
* *described*: things described instead of named, and how they hang together, see ``harness.mine_described``.

What is called is found by name alone, and only where one function of the tree has that name: the questions must not
depend on the graph that they judge.
"""

from __future__ import annotations

import ast
import io
import json
import random
import re
import shutil
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from harness.mine_described import described_questions
from harness.mine_lookups import caller_questions, file_questions, message_questions
from harness.mine_tree import (
    MIN_BODY,
    Definition,
    Function,
    Question,
    Tree,
    called_in,
    gold_of,
    is_test,
    read_tree,
)

KINDS = ("docstring", "comment", "test", "prose", "message", "callers", "file", "described")
_MIN_WORDS = 9
_MAX_WORDS = 60
_MAX_CALLED = 2
_MARKUP = re.compile(r":[a-z:]+:`~?\.?([^`<]+?)(?:\s*<[^`]*>)?`|`+([^`]*)`+_*|\*\*?([^*\s][^*]*)\*\*?")
_WORD = re.compile(r"[A-Za-z]{2,}")
_NAME = re.compile(r"`+~?\.?([A-Za-z_][\w.]*)(?:\(\))?`+")
_CODE_NAME = re.compile(r"[a-z]+_[a-z_]+|[A-Z][a-z]+[A-Z]\w+")


def plain(text: str) -> str:
    """Prose without markup, its first 60 words; identifiers stay."""
    text = _MARKUP.sub(lambda m: next(g for g in m.groups() if g is not None).rsplit("/", 1)[-1], text)
    return " ".join(text.split()[:_MAX_WORDS])


def spoken(text: str) -> str:
    """Identifiers taken apart, as one who does not know the name would say it: ``url_for`` -> ``url for``."""
    return _CODE_NAME.sub(lambda m: re.sub(r"(?<=[a-z])(?=[A-Z])", " ", m.group().replace("_", " ")).lower(), text)


# --------------------------------------------------------------------------------------------------------------- kinds


def docstring_questions(tree: Tree) -> Iterator[Question]:
    for each in tree.functions:
        if each.doc is None or is_test(each.path) or each.end - each.node.lineno < MIN_BODY + each.doc[1] - each.doc[0]:
            continue
        paragraph = (ast.get_docstring(each.node) or "").split("\n\n")[0]
        text = spoken(plain(paragraph))
        if _enough(text):
            gold = gold_of([each, *called_in(tree, [each.node], each, _MAX_CALLED)])
            yield Question("docstring", text, gold, (each.path, frozenset(range(each.doc[0], each.doc[1] + 1))))


def comment_questions(tree: Tree) -> Iterator[Question]:
    for each in tree.functions:
        if is_test(each.path):
            continue
        lines = tree.lines[each.path]
        for first, last in _comment_blocks(lines, each):
            words = " ".join(lines[n - 1].strip().lstrip("#").strip() for n in range(first, last + 1))
            below = [node for node in _statements(each.node) if node.lineno > last]
            text = spoken(plain(words))
            if not below or not _enough(text) or "TODO" in text or "XXX" in text or "noqa" in text:
                continue
            start = min(below, key=lambda node: node.lineno)
            same = [node for node in below if node.col_offset == start.col_offset and node.lineno <= start.lineno + 12]
            end = min(max(node.end_lineno or node.lineno for node in same), start.lineno + 14)
            gold = gold_of(called_in(tree, same, each, 1))
            gold.setdefault(each.path, set()).update(range(start.lineno, end + 1), {each.node.lineno})
            yield Question("comment", text, gold, (each.path, frozenset(range(first, last + 1))))


def _statements(node: Function) -> list[ast.stmt]:
    return [child for child in ast.walk(node) if isinstance(child, ast.stmt) and child is not node]


def _comment_blocks(lines: Sequence[str], within: Definition) -> Iterator[tuple[int, int]]:
    text = "\n".join(lines[within.node.lineno - 1 : within.end]) + "\n"
    numbers: list[int] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and token.line.strip().startswith("#"):
                numbers.append(token.start[0] + within.node.lineno - 1)
    except (tokenize.TokenError, IndentationError):
        return
    while numbers:
        first = last = numbers.pop(0)
        while numbers and numbers[0] == last + 1:
            last = numbers.pop(0)
        yield first, last


def test_questions(tree: Tree) -> Iterator[Question]:
    for each in tree.functions:
        if not is_test(each.path) or not each.name.startswith("test"):
            continue
        words = each.name.removeprefix("test").strip("_").replace("_", " ")
        doc = (ast.get_docstring(each.node) or "").split("\n\n")[0]
        text = spoken(plain(f"{words}. {doc}" if doc else words))
        called = called_in(tree, [each.node], each, _MAX_CALLED + 1)
        if called and len(_WORD.findall(text)) >= 4:
            yield Question("test", text, gold_of(called), (each.path, frozenset(range(each.start, each.end + 1))))


def prose_questions(tree: Tree) -> Iterator[Question]:
    for path, lines in tree.lines.items():
        if path.endswith(".py"):
            continue
        for first, last in _paragraphs(lines):
            raw = " ".join(line.strip() for line in lines[first - 1 : last])
            names = {name.rsplit(".", 1)[-1] for name in _NAME.findall(raw)}
            named = [d for name in sorted(names) if (d := tree.unique(name)) and d.end - d.start >= MIN_BODY]
            text = spoken(plain(raw))
            if 1 <= len(named) <= 4 and _enough(text) and len(_WORD.findall(text)) >= 12:
                yield Question("prose", text, gold_of(named), (path, frozenset(range(first, last + 1))))


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    first = 0
    for number, line in enumerate([*lines, ""], 1):
        if line.strip() and not first:
            first = number
        elif not line.strip() and first:
            yield first, number - 1
            first = 0


def _enough(text: str) -> bool:
    return len(_WORD.findall(text)) >= _MIN_WORDS


# ------------------------------------------------------------------------------------------------------------- writing


def mine(root: Path, each: int, seed: int) -> tuple[Tree, list[Question]]:
    """At most ``each`` questions of each kind, from different functions and files where possible."""
    tree = read_tree(root)
    rng = random.Random(f"{root.name} {seed}")  # noqa: S311
    chosen: list[Question] = []
    makers = (
        docstring_questions,
        comment_questions,
        test_questions,
        prose_questions,
        message_questions,
        caller_questions,
        file_questions,
        described_questions,
    )
    for make in makers:
        found = list(make(tree))
        rng.shuffle(found)
        seen: Counter[str] = Counter()
        taken = 0
        for question in found:
            path = question.removed[0]
            if (
                taken < each
                and seen[path] < 2
                and not any(question.removed[1] & q.removed[1] for q in chosen if q.removed[0] == path)
            ):
                seen[path] += 1
                taken += 1
                chosen.append(question)
    return tree, chosen


def write(tree: Tree, questions: Sequence[Question], out: Path) -> list[dict[str, object]]:
    """The copy of the tree without the questions' texts, and the questions' rows in the copy's lines."""
    target = out / tree.root.name
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(tree.root, target, ignore=shutil.ignore_patterns(".contextc", ".git", "__pycache__"))
    removed: dict[str, set[int]] = {}
    for question in questions:
        removed.setdefault(question.removed[0], set()).update(question.removed[1])
    places: dict[str, dict[int, int]] = {}
    for path, gone in removed.items():
        kept = [n for n in range(1, len(tree.lines[path]) + 1) if n not in gone]
        places[path] = {old: new for new, old in enumerate(kept, 1)}
        (target / path).write_text("\n".join(tree.lines[path][n - 1] for n in kept), "utf-8")
    rows: list[dict[str, object]] = []
    for number, question in enumerate(questions):
        gold = [located(path, lines, places.get(path)) for path, lines in sorted(question.gold.items())]
        name, _, version = tree.root.name.rpartition("-")
        row = {
            "id": f"{name}-{number}",
            "sdist": f"{name}=={version}",
            "kind": question.kind,
            "question": question.text,
        }
        rows.append({**row, "gold": [part for part in gold if part["ranges"]]})
    return [row for row in rows if row["gold"]]


def located(path: str, lines: Iterable[int], place: Mapping[int, int] | None = None) -> dict[str, object]:
    """A part of a row's gold; ``place`` says where a line of the original stands now."""
    new = sorted(lines if place is None else {place[n] for n in lines if n in place})
    ranges: list[list[int]] = []
    for n in new:
        if ranges and n == ranges[-1][1] + 1:
            ranges[-1][1] = n
        else:
            ranges.append([n, n])
    return {"path": path, "ranges": ranges}


@click.command()
@click.option("--source", type=click.Path(exists=True, file_okay=False, path_type=Path), multiple=True, required=True)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--each", default=12, show_default=True, help="Questions of each kind and tree.")
@click.option("--seed", default=0, show_default=True)
def main(source: tuple[Path, ...], out: Path, each: int, seed: int) -> None:
    """Mine questions from source trees."""
    out.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, object]] = []
    for root in source:
        tree, questions = mine(root, each, seed)
        mined = write(tree, questions, out)
        counts = Counter(str(row["kind"]) for row in mined)
        click.echo(f"{root.name}: " + ", ".join(f"{counts[kind]} {kind}" for kind in KINDS))
        rows += mined
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (out / "mined.jsonl").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
