"""Questions with gold evidence from consecutive releases: what a changelog entry says, and the functions that changed.

``python -m harness.mine_releases --pair OLD NEW [--pair …] --out DIR``

OLD and NEW are unpacked source distributions of two releases, in that order. An entry is a list item of NEW's
changelog that OLD's does not have; people who keep the project wrote it for people who do not know its code. Gold are
lines of OLD, so nothing of the change can be found in the tree: of each function whose body differs the lines that were
replaced, and of a short one the whole. OUT gets ``releases.jsonl`` in the form that ``harness.evidence`` reads; the
trees stay where they are.

Which of the changed functions an entry speaks of is not written down anywhere. Those are taken that share the most of
the entry's words, rare ones counting more, in name, path, and old or new text; an entry that none of them shares enough
with is left out. So the gold leans towards shared words; what it does not lean on is which of the tree's other
functions share them, too.
"""

from __future__ import annotations

import ast
import difflib
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from harness.mine import located, plain, spoken
from harness.mine_tree import Definition, Tree, is_test, read_tree
from retrieval.text.terms import index_terms, query_terms

_CHANGELOG = re.compile(r"(?:change|history|news|release|whatsnew)[\w.-]*\.(?:rst|md|txt)\Z", re.IGNORECASE)
_ITEM = re.compile(r"\s{0,8}[-*+] +(\S.*)")
_REFERENCE = re.compile(r"\(?(?:#|:\w{1,12}:`?|GH-|PR )\d+`?\)?|\[[^\]]{0,80}\]\([^)]{0,200}\)|by @[\w-]+|https?://\S+")
_MIN_WORDS = 6
_WHOLE = 40  # lines of a function that is gold as a whole
_AROUND = 3  # lines around a change in a longer one
_LEAST_TERMS = 3  # of an entry that the changed functions must hold
_LEAST_SHARE = 0.4  # of the weight of those that one function must hold
_OF_BEST = 0.75
_MOST = 3  # functions of one entry
_MOST_CHANGED = 400  # beyond, the trees are no neighbours


@dataclass(frozen=True, slots=True)
class Changed:
    """A function of the old tree: the lines that the new one replaces, and the terms of both texts and its name."""

    definition: Definition
    lines: frozenset[int]
    terms: frozenset[str]


def entries(old: Tree, new: Tree) -> list[str]:
    """List items of changelogs that only the new tree has, as plain text with identifiers taken apart.

    The newest stand first: what follows an item that the old tree has is old, however it is written now.
    """
    found: dict[str, None] = {}
    for path, lines in new.lines.items():
        if not _CHANGELOG.search(path) and not re.search(r"(?:changes|releases|news)/", path):
            continue
        known = set(map(_cleaned, _items(old.lines.get(path, ()))))
        for item in map(_cleaned, _items(lines)):
            if item in known:
                break
            found.setdefault(item)
    return [text for text in found if len(re.findall(r"[A-Za-z]{2,}", text)) >= _MIN_WORDS]


def _cleaned(item: str) -> str:
    return spoken(plain(_REFERENCE.sub(" ", item))).strip(" .-:(`)")


def _items(lines: Sequence[str]) -> Iterator[str]:
    item: list[str] = []
    for line in [*lines, ""]:
        start = _ITEM.match(line)
        if item and (start or not line.strip() or not line.startswith(" ")):
            yield " ".join(item)
            item = []
        if start:
            item = [start[1].strip()]
        elif item:
            item.append(line.strip())


def changed_functions(old: Tree, new: Tree) -> list[Changed]:
    """Functions of the old tree, tests left out, whose code the new tree has otherwise or no more."""
    after = {(f.path, name): f for f, name in _named(new)}
    found: list[Changed] = []
    for each, name in _named(old):
        if is_test(each.path) or each.path not in new.modules:
            continue
        other = after.get((each.path, name))
        if other is not None and ast.dump(_bare(each)) == ast.dump(_bare(other)):
            continue
        before = old.lines[each.path][each.start - 1 : each.end]
        now = new.lines[other.path][other.start - 1 : other.end] if other else []
        words = " ".join([*before, *now, each.path, name])
        found.append(Changed(each, _replaced(each, before, now), frozenset(index_terms(words))))
    return found


def _bare(each: Definition) -> ast.AST:
    """The function without its docstring."""
    if each.doc is None:
        return each.node
    return ast.Module(body=[each.node.args, *each.node.body[1:]], type_ignores=[])  # type: ignore[list-item]


def _named(tree: Tree) -> Iterator[tuple[Definition, str]]:
    """Functions with a name that is unique in their file: the classes around them, a number for repetitions."""
    by_node = {id(f.node): f for f in tree.functions}
    for module in tree.modules.values():
        seen: Counter[str] = Counter()
        stack: list[tuple[ast.AST, str]] = [(module, "")]
        while stack:
            node, prefix = stack.pop()
            for child in ast.iter_child_nodes(node):
                name = f"{prefix}.{child.name}" if isinstance(child, ast.ClassDef | ast.FunctionDef) else prefix
                if id(child) in by_node:
                    each = by_node[id(child)]
                    seen[f"{prefix}.{each.name}"] += 1
                    yield each, f"{prefix}.{each.name}#{seen[f'{prefix}.{each.name}']}"
                stack.append((child, name))


def _replaced(each: Definition, before: Sequence[str], now: Sequence[str]) -> frozenset[int]:
    if len(before) <= _WHOLE or not now:
        return frozenset(range(each.start, min(each.end, each.start + _WHOLE) + 1))
    lines: set[int] = {each.node.lineno}
    for tag, first, last, _, _ in difflib.SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        if tag != "equal":
            low, high = max(0, first - _AROUND), min(len(before), last + _AROUND)
            lines.update(range(each.start + low, each.start + high))
    return frozenset(lines)


def aligned(texts: Iterable[str], changed: Sequence[Changed]) -> Iterator[tuple[str, list[Changed]]]:
    """Each entry with the changed functions that it speaks of; entries without any are left out."""
    frequency = Counter(term for each in changed for term in each.terms)
    for text in texts:
        terms = query_terms(text)
        weight = {t: w * math.log((len(changed) + 2) / frequency[t]) for t, w in terms.items() if frequency[t]}
        total = sum(weight.values())
        shares = [sum(w for t, w in weight.items() if t in each.terms) / total for each in changed] if total else []
        best = max(shares, default=0.0)
        chosen = [at for at, share in enumerate(shares) if share >= max(_LEAST_SHARE, _OF_BEST * best)]
        if 1 <= len(chosen) <= _MOST and len(weight) >= _LEAST_TERMS:
            yield text, [changed[at] for at in chosen]


def questions(old_root: Path, new_root: Path) -> list[dict[str, object]]:
    """Rows about the old tree."""
    old, new = read_tree(old_root), read_tree(new_root)
    changed = changed_functions(old, new)
    if not 1 <= len(changed) <= _MOST_CHANGED:
        return []
    name, _, version = old_root.name.rpartition("-")
    rows: list[dict[str, object]] = []
    for number, (text, about) in enumerate(aligned(entries(old, new), changed)):
        gold: dict[str, set[int]] = {}
        for each in about:
            gold.setdefault(each.definition.path, set()).update(each.lines)
        row = {"id": f"{name}-{version}-r{number}", "sdist": f"{name}=={version}", "kind": "release", "question": text}
        rows.append({**row, "gold": [located(path, lines) for path, lines in sorted(gold.items())]})
    return rows


@click.command()
@click.option("--pair", "pairs", type=(Path, Path), multiple=True, required=True, help="Trees of two releases.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True)
def main(pairs: tuple[tuple[Path, Path], ...], out: Path) -> None:
    """Mine questions from consecutive releases."""
    out.mkdir(parents=True, exist_ok=True)
    rows: list[Mapping[str, object]] = []
    for old, new in pairs:
        mined = questions(old, new)
        click.echo(f"{old.name} -> {new.name}: {len(mined)} questions")
        rows += mined
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (out / "releases.jsonl").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
