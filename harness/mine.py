"""Questions with gold evidence, mined from source trees: nothing is tuned on the development questions alone.

``python -m harness.mine --source DIR --source DIR … --out DIR [--each N] [--seed S]``

DIR is an unpacked source tree. For each, OUT gets a copy, named like it, from which the text of every question has been
removed (so that no question finds its own words), and ``mined.jsonl`` in the form that ``harness.evidence`` reads.

* *docstring*: the first paragraph of a docstring; gold: the function, and functions that it calls elsewhere;
* *comment*: a long comment inside a function; gold: the statements below it, and functions that they call elsewhere;
* *test*: the words of a test's name and its docstring; gold: the functions that the test calls;
* *prose*: a paragraph of a document that names symbols; gold: their definitions.

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
from dataclasses import dataclass, field
from pathlib import Path

import click

KINDS = ("docstring", "comment", "test", "prose")
_MIN_WORDS = 9
_MAX_WORDS = 60
_MIN_BODY = 4  # lines of a function that is worth asking about
_MAX_GOLD_LINES = 60  # of one definition; of a longer one the first
_MAX_CALLED = 2
_MAX_CALLS = 12  # places that call a name by which it still means something
_MARKUP = re.compile(r":[a-z:]+:`~?\.?([^`<]+?)(?:\s*<[^`]*>)?`|`+([^`]*)`+_*|\*\*?([^*\s][^*]*)\*\*?")
_WORD = re.compile(r"[A-Za-z]{2,}")
_NAME = re.compile(r"`+~?\.?([A-Za-z_][\w.]*)(?:\(\))?`+")
_CODE_NAME = re.compile(r"[a-z]+_[a-z_]+|[A-Z][a-z]+[A-Z]\w+")

Lines = frozenset[int]
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Definition:
    """A function or method. ``doc`` are the lines of its docstring, ``body`` the first line after it."""

    path: str
    name: str
    start: int
    end: int
    doc: tuple[int, int] | None
    node: Function


@dataclass(slots=True)
class Question:
    """``gold``: path -> lines; ``removed``: (path, lines) to be taken out of the tree. Both in the original's lines."""

    kind: str
    text: str
    gold: dict[str, set[int]]
    removed: tuple[str, Lines]


@dataclass(slots=True)
class Tree:
    """A parsed source tree."""

    root: Path
    lines: dict[str, list[str]] = field(default_factory=dict)
    functions: list[Definition] = field(default_factory=list)
    by_name: dict[str, list[Definition]] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)

    def unique(self, name: str) -> Definition | None:
        """The one function of the tree's code with this name."""
        found = self.by_name.get(name, [])
        return found[0] if len(found) == 1 else None


def is_test(path: str) -> bool:
    parts = path.split("/")
    return any(part in {"tests", "test", "testing"} for part in parts[:-1]) or parts[-1].startswith(
        ("test_", "conftest")
    )


def read_tree(root: Path) -> Tree:
    tree = Tree(root)
    for file in sorted(root.rglob("*")):
        path = file.relative_to(root).as_posix()
        if file.suffix not in {".py", ".rst", ".md", ".txt"} or not file.is_file() or ".contextc" in path:
            continue
        try:
            text = file.read_text("utf-8")
            module = ast.parse(text) if file.suffix == ".py" else None
        except (UnicodeDecodeError, SyntaxError, ValueError):
            continue
        if "\r" in text or "\f" in text:
            continue
        tree.lines[path] = text.split("\n")
        if module is None:
            continue
        for node in ast.walk(module):
            if isinstance(node, Function):
                tree.functions.append(_definition(path, node))
            elif isinstance(node, ast.Call):
                tree.calls[_called_name(node)] += 1
    for each in tree.functions:
        if not is_test(each.path):
            tree.by_name.setdefault(each.name, []).append(each)
    return tree


def _definition(path: str, node: Function) -> Definition:
    start = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    first = node.body[0]
    is_doc = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    doc = (first.lineno, first.end_lineno or first.lineno) if is_doc and len(node.body) > 1 else None
    return Definition(path, node.name, start, node.end_lineno or node.lineno, doc, node)


def _called_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _called(tree: Tree, nodes: Iterable[ast.AST], outside: Definition, most: int) -> list[Definition]:
    """Functions that ``nodes`` call and that only one function's name can mean, rarest first."""
    names = {_called_name(node) for top in nodes for node in ast.walk(top) if isinstance(node, ast.Call)}
    found = [d for name in sorted(names) if tree.calls[name] <= _MAX_CALLS and (d := tree.unique(name))]
    found = [d for d in found if d.node is not outside.node and d.end - d.node.lineno >= _MIN_BODY]
    return sorted(found, key=lambda d: (tree.calls[d.name], d.path, d.start))[:most]


def _gold_lines(definition: Definition) -> set[int]:
    """Signature and body without the docstring; of a long definition the first lines."""
    doc = definition.doc or (0, -1)
    lines = [n for n in range(definition.start, definition.end + 1) if not doc[0] <= n <= doc[1]]
    return set(lines[:_MAX_GOLD_LINES])


def _gold(definitions: Iterable[Definition]) -> dict[str, set[int]]:
    gold: dict[str, set[int]] = {}
    for each in definitions:
        gold.setdefault(each.path, set()).update(_gold_lines(each))
    return gold


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
        if (
            each.doc is None
            or is_test(each.path)
            or each.end - each.node.lineno < _MIN_BODY + each.doc[1] - each.doc[0]
        ):
            continue
        paragraph = (ast.get_docstring(each.node) or "").split("\n\n")[0]
        text = spoken(plain(paragraph))
        if _enough(text):
            gold = _gold([each, *_called(tree, [each.node], each, _MAX_CALLED)])
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
            gold = _gold(_called(tree, same, each, 1))
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
        called = _called(tree, [each.node], each, _MAX_CALLED + 1)
        if called and len(_WORD.findall(text)) >= 4:
            yield Question("test", text, _gold(called), (each.path, frozenset(range(each.start, each.end + 1))))


def prose_questions(tree: Tree) -> Iterator[Question]:
    for path, lines in tree.lines.items():
        if path.endswith(".py"):
            continue
        for first, last in _paragraphs(lines):
            raw = " ".join(line.strip() for line in lines[first - 1 : last])
            names = {name.rsplit(".", 1)[-1] for name in _NAME.findall(raw)}
            named = [d for name in sorted(names) if (d := tree.unique(name)) and d.end - d.start >= _MIN_BODY]
            text = spoken(plain(raw))
            if 1 <= len(named) <= 4 and _enough(text) and len(_WORD.findall(text)) >= 12:
                yield Question("prose", text, _gold(named), (path, frozenset(range(first, last + 1))))


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
    makers = (docstring_questions, comment_questions, test_questions, prose_questions)
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
        gold = [_located(path, lines, places.get(path)) for path, lines in sorted(question.gold.items())]
        name, _, version = tree.root.name.rpartition("-")
        row = {
            "id": f"{name}-{number}",
            "sdist": f"{name}=={version}",
            "kind": question.kind,
            "question": question.text,
        }
        rows.append({**row, "gold": [part for part in gold if part["ranges"]]})
    return [row for row in rows if row["gold"]]


def _located(path: str, lines: set[int], place: Mapping[int, int] | None) -> dict[str, object]:
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
