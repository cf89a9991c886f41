"""Questions that describe a thing instead of naming it, as people ask who have read code and not learnt its names.

"How does the inline directive scan in the linter class use the helper that expands rule references?" The description of
a function or class is made of the words of its name, some left out, of the class or module around it, or of the first
sentence of its docstring. What is asked sets the gold:

* *calls*: how a described function uses another that it calls; gold: both;
* *shares*: how two methods of one class work through an attribute; gold: both, and the lines that set the attribute;
* *inherits*: what a described class takes from a base of the tree; gold: what stands in both classes' own lines;
* *handles*: how a described function handles what a name in its body says; gold: the function.

Nothing is taken out of the tree: the words of such questions do stand in the code.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.mine_tree import MIN_BODY, Definition, Function, Question, Tree, called_in, gold_of, is_test

_KEPT = 0.75  # share of a name's words that a description keeps
_BY_DOCSTRING = 0.4
_MAX_DOC_WORDS = 16
_MAX_HEADER_LINES = 25  # of a class: its header, docstring and attributes
_TESTS_SHARE = 0.15  # of the things asked about
_DUNDER = re.compile(r"__\w+__\Z")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

_OF_CALLS = (
    "How does {a} use {b}?",
    "What is the dependency of {a} on {b}?",
    "Why does {a} rely on {b} instead of doing it by itself?",
    "What would change in {a} if {b} were modified?",
)
_OF_SHARES = (
    "How does the {x} coordinate {a} and {b}?",
    "What is the relationship between {a} and {b} through the {x}?",
    "Where does the {x} flow from {a} to {b}?",
)
_OF_BASES = (
    "How does {a} depend on {b}?",
    "Why does {a} inherit from {b}, and what does it override?",
    "What is the division of responsibilities between {a} and {b}?",
)
_OF_HANDLING = (
    "How does {a} handle the {x}?",
    "Where in {a} is the {x} determined?",
    "Why does {a} check the {x}?",
    "What role does the {x} play in {a}?",
)


@dataclass(frozen=True, slots=True)
class _Class:
    path: str
    node: ast.ClassDef
    methods: tuple[Definition, ...]


def described_questions(tree: Tree) -> Iterator[Question]:
    """All four kinds, in an order that does not depend on them; which words are left out is drawn per tree."""
    rng = random.Random(tree.root.name)  # noqa: S311
    functions = [f for f in tree.functions if f.end - f.start >= MIN_BODY and not _DUNDER.match(f.name)]
    functions = [f for f in functions if not is_test(f.path) or rng.random() < _TESTS_SHARE]
    classes = _classes(tree)
    home = {id(method.node): each for each in classes for method in each.methods}
    made: list[Question] = []
    for each in functions:
        made += _of_function(each, home.get(id(each.node)), tree, home, rng)
    by_name: dict[str, list[_Class]] = {}
    for one in classes:
        by_name.setdefault(one.node.name, []).append(one)
    for one in classes:
        if not is_test(one.path):
            made += _of_class(one, by_name, rng)
    yield from made


def _of_function(
    each: Definition, home: _Class | None, tree: Tree, homes: dict[int, _Class], rng: random.Random
) -> Iterator[Question]:
    a = _description(each, home, rng)
    called = called_in(tree, [each.node], each, 1)
    if a and called:
        b = _description(called[0], homes.get(id(called[0].node)), rng)
        if b:
            yield _question(_OF_CALLS, {"a": a, "b": b}, gold_of([each, *called]), each.path, rng)
    names = sorted({n.attr for n in ast.walk(each.node) if isinstance(n, ast.Attribute) and "_" in n.attr.strip("_")})
    if a and names:
        yield _question(_OF_HANDLING, {"a": a, "x": _words(rng.choice(names))}, gold_of([each]), each.path, rng)


def _of_class(one: _Class, by_name: dict[str, list[_Class]], rng: random.Random) -> Iterator[Question]:
    bases = [base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in one.node.bases]
    base = next((by_name[name][0] for name in bases if len(by_name.get(name, ())) == 1), None)
    if base is not None and base is not one:
        texts = {"a": _class_words(one, rng), "b": _class_words(base, rng)}
        gold = _own_lines(one)
        for path, lines in _own_lines(base).items():
            gold.setdefault(path, set()).update(lines)
        yield _question(_OF_BASES, texts, gold, one.path, rng)
    by_attribute: dict[str, list[Definition]] = {}
    for method in one.methods:
        if method.end - method.start >= MIN_BODY - 1 and method.name != "__init__":
            for name in sorted(_own_attributes(method.node)):
                by_attribute.setdefault(name, []).append(method)
    shared = [(name, users) for name, users in by_attribute.items() if 2 <= len(users) <= 3 and "_" in name.strip("_")]
    if shared:
        name, users = rng.choice(shared)
        a, b = (_description(user, one, rng) for user in users[:2])
        if a and b:
            gold = gold_of(users[:2])
            gold.setdefault(one.path, set()).update(_assignments(one.node, name))
            yield _question(_OF_SHARES, {"a": a, "b": b, "x": f"{_words(name)} attribute"}, gold, one.path, rng)


def _question(
    forms: Sequence[str], texts: dict[str, str], gold: dict[str, set[int]], path: str, rng: random.Random
) -> Question:
    text = rng.choice(forms).format_map(texts)
    return Question("described", text[0].upper() + text[1:], gold, (path, frozenset()))


# --------------------------------------------------------------------------------------------------------- descriptions


def _description(each: Definition, home: _Class | None, rng: random.Random) -> str:
    kind = "method" if home else "function"
    where = f" of the {_words(home.node.name)} class" if home else f" in the {_words(_stem(each.path))} module"
    told = rng.random() < 0.6
    sentence = _first_sentence(each.node)
    if sentence and rng.random() < _BY_DOCSTRING:
        return f"the {kind} that {sentence}{where if told else ''}"
    kept = _some(_words(each.name).split(), rng)
    return f"the {' '.join(kept)} {kind}{where if told else ''}" if kept else ""


def _class_words(one: _Class, rng: random.Random) -> str:
    sentence = _first_sentence(one.node)
    if sentence and rng.random() < _BY_DOCSTRING:
        return f"the class for {sentence}"
    return f"the {' '.join(_some(_words(one.node.name).split(), rng))} class in the {_words(_stem(one.path))} module"


def _some(words: Sequence[str], rng: random.Random) -> list[str]:
    kept = [word for word in words if rng.random() < _KEPT] or list(words[-1:])
    if len(kept) > 1 and rng.random() < 0.3:
        kept = [*kept[1:], kept[0]]
    return kept


def _first_sentence(node: Function | ast.ClassDef) -> str:
    text = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
    first = re.split(r"(?<=[a-z)])[.:;] ", text + " ")[0].strip(" .:;`")
    words = [_words(word) if "_" in word else word.strip("`*:") for word in first.split()]
    return " ".join([words[0].lower(), *words[1:]]) if 4 <= len(words) <= _MAX_DOC_WORDS else ""


def _words(name: str) -> str:
    return " ".join(part.lower() if not part.isupper() else part for part in _PART.findall(name))


def _stem(path: str) -> str:
    parts = path.removesuffix(".py").split("/")
    return parts[-2] if parts[-1] == "__init__" and len(parts) > 1 else parts[-1]


# ----------------------------------------------------------------------------------------------------------------- tree


def _classes(tree: Tree) -> list[_Class]:
    by_node = {id(f.node): f for f in tree.functions}
    found: list[_Class] = []
    for path, module in tree.modules.items():
        for node in ast.walk(module):
            if isinstance(node, ast.ClassDef):
                methods = tuple(by_node[id(child)] for child in node.body if id(child) in by_node)
                found.append(_Class(path, node, methods))
    return found


def _own_lines(one: _Class) -> dict[str, set[int]]:
    """The header and attributes of a class up to its first method, and its ``__init__``."""
    first = min((m.start for m in one.methods), default=(one.node.end_lineno or one.node.lineno) + 1)
    lines = set(range(one.node.lineno, min(first, one.node.lineno + _MAX_HEADER_LINES)))
    for method in one.methods:
        if method.name == "__init__":
            lines.update(range(method.start, min(method.end, method.start + _MAX_HEADER_LINES) + 1))
    return {one.path: lines}


def _own_attributes(node: Function) -> set[str]:
    return {
        n.attr
        for n in ast.walk(node)
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == "self"
    }


def _assignments(node: ast.ClassDef, name: str) -> set[int]:
    """Lines of a class that set ``self.name`` or the class attribute."""
    found: set[int] = set()
    for n in ast.walk(node):
        if isinstance(n, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = n.targets if isinstance(n, ast.Assign) else [n.target]
            if any(name in (getattr(t, "attr", ""), getattr(t, "id", "")) for t in targets):
                found.update(range(n.lineno, (n.end_lineno or n.lineno) + 1))
    return found
