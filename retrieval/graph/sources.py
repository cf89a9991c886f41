"""The graph straight from source files, without an index: for exports of a tree that has none.

The same edges as an index holds (``tests/graph/test_graph_sources.py``), without what only incremental updates need.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from retrieval.compact_json import loads
from retrieval.graph.definitions import Definition
from retrieval.graph.dispatch import Call, Member, Settled, children_of, concerns, settle
from retrieval.graph.export import Plain
from retrieval.graph.modules import Module, Scope
from retrieval.graph.parallel import line_of, rows_of, spread
from retrieval.graph.quality import OVERRIDE
from retrieval.graph.rows import Row
from retrieval.graph.run import Run, deep_stack
from retrieval.graph.store import NO_FACTS, ModuleStore
from retrieval.languages.python.facts_ops import Op
from retrieval.records import Confidence, EdgeKind

#: Files from which several processes are worth starting.
_MANY = 24
_PROPERTY = re.compile(r"(?:^|[._])(?:property|setter|getter|deleter)$|property$", re.IGNORECASE)
_KINDS = {"c": "class", "l": "lambda", "m": "module"}
_CALL, _INHERIT = EdgeKind.CALL.value, EdgeKind.INHERIT.value


class SourceFile(NamedTuple):
    """``module`` is the file's dotted name, unique in the tree; ``size`` is in bytes."""

    path: str
    module: str
    role: str
    size: int


class SourceGraph(NamedTuple):
    """Every definition of a tree, and the edges between them in no order."""

    definitions: tuple[Definition, ...]
    edges: list[Plain]


class _Read(NamedTuple):
    """``others`` are definitions of a broken file that its facts do not tell: (qualified name, kind, line)."""

    file: SourceFile
    facts: dict[str, Any]
    others: list[tuple[str, str, int]]


def graph_of_sources(
    files: Sequence[SourceFile],
    read: Callable[[str], str | None],
    kinds: Collection[EdgeKind],
    progress: Callable[[str, int, int], None] = lambda _stage, _done, _total: None,
) -> SourceGraph:
    """
    Args:
        read: The text of a path; None for what is to be left out.
        kinds: Of the edges.
        progress: Called with a stage (``read``, ``graph``), files done and files to do.
    """
    with deep_stack():
        found = _read_all(files, read, lambda done: progress("read", done, len(files)))
        store = ModuleStore((number, each.file.module, each.file.role) for number, each in enumerate(found))
        store.bits = dict.fromkeys(store.names(), 0)  # nobody asks later who read what
        modules = [
            store.add(number, each.file.module, each.file.role, each.facts or loads(NO_FACTS))
            for number, each in enumerate(found)
        ]
        wanted = {kind.value for kind in kinds} | {_INHERIT}
        run = Run(store, store.file_ids, _MANY, calls_only={*kinds} <= {EdgeKind.CALL, EdgeKind.INHERIT})
        made = [
            (store.file_ids[resolved[0]], [row for row in rows_of(resolved) if row[2] in wanted])
            for resolved in run.everything(list(store.names()), lambda done, total: progress("graph", done, total))
        ]
        paths = [each.file.path for each in found]
        tests = {number for number, each in enumerate(found) if each.file.role == "test"}
        settled = _settled(made, modules, tests) if EdgeKind.CALL in kinds else Settled([], [], [])
        edges = _edges(made, paths, settled, {kind.value for kind in kinds})
        return SourceGraph(tuple(_definitions(found, modules)), edges)


def _read_all(
    files: Sequence[SourceFile], read: Callable[[str], str | None], progress: Callable[[int], None]
) -> list[_Read]:
    from retrieval.languages.python.graph_facts import analyze_graph

    def work(run: Sequence[SourceFile]) -> Iterator[_Read]:
        for file in run:
            text = read(file.path)
            if text is not None:
                facts, symbols = analyze_graph(file.path, text, file.module)
                yield _Read(file, facts, [(each.qualname, each.kind, each.start_line) for each in symbols])

    def pack(made: _Read) -> tuple[bytes, ...]:
        return line_of([made.file, made.others]), line_of(made.facts)

    def unpack(first: bytes, second: bytes) -> _Read:
        file, others = loads(first)
        return _Read(SourceFile(*file), loads(second), [(each[0], each[1], each[2]) for each in others])

    found: list[_Read] = []
    for made in spread(files, work, lambda file: file.size, _MANY, pack, unpack):
        found.append(made)
        progress(len(found))
    return found


def _settled(made: Sequence[tuple[int, list[Row]]], modules: Sequence[Module], tests: Collection[int]) -> Settled:
    """What the classes below open receivers say; an edge's number is its file's and its own place in that."""
    children = children_of((row[0], row[1]) for _file, rows in made for row in rows if row[2] == _INHERIT)
    calls = [
        Call(number, file, row[0], row[1], row[3], row[4], row[5], row[6])
        for number, (file, row) in enumerate((file, row) for file, rows in made for row in rows)
        if row[6] and concerns(row[5], row[3], row[6], children)
    ]
    sources = {call.src for call in calls}
    known: defaultdict[str, set[str]] = defaultdict(set)
    for _file, rows in made:
        for row in rows:
            if row[0] in sources and row[2] == _CALL:
                known[row[0]].add(row[1])
    return settle(calls, children, _members(modules), tests, lambda src, target: target in known[src])


def _edges(
    made: Sequence[tuple[int, list[Row]]], paths: Sequence[str], settled: Settled, kinds: Collection[str]
) -> list[Plain]:
    changed = {number: confidence for confidence, number in settled.changed}
    edges: list[Plain] = []
    number = -1
    for file, rows in made:
        path = paths[file]
        for src, dst, kind, confidence, line, rule, _receivers in rows:
            number += 1
            if kind in kinds:
                edges.append((src, dst, kind, changed.get(number, confidence), path, line, rule))
    possible = Confidence.POSSIBLE.value
    edges.extend((src, dst, _CALL, possible, paths[file], line, OVERRIDE) for (file, src, dst), line in settled.fresh)
    return edges


def _members(modules: Iterable[Module]) -> Iterator[Member]:
    """What classes define: functions, classes, and names that are assigned to."""
    for module in modules:
        for scope in module.scopes:
            if scope.kind != "c":
                if scope.kind == "f" and module.scopes[scope.parent].kind == "c":
                    parent = module.scopes[scope.parent].qualname
                    yield parent, scope.short, scope.data["l"], scope.qualname, _kind(module, scope), module.file_id
                continue
            holder = module.scopes[scope.parent]
            yield holder.qualname, scope.short, scope.data["l"], scope.qualname, "class", module.file_id
            for name, expression, order, *_rest in scope.data.get("b", ()):
                is_plain = not isinstance(expression, list) or expression[0] not in _NOT_ASSIGNED
                if order % 2 == 0 and is_plain:
                    yield scope.qualname, name, order // 2, f"{scope.qualname}.{name}", "attribute", module.file_id


_NOT_ASSIGNED = (Op.DEF, Op.MODULE, Op.FROM, Op.ALSO)


def _definitions(found: Iterable[_Read], modules: Iterable[Module]) -> Iterator[Definition]:
    for each, module in zip(found, modules, strict=True):
        told: set[str] = set()
        for qualname, kind, line in each.others:
            if kind in ("module", "class", "function", "method", "property"):
                told.add(qualname)
                yield Definition(qualname, kind, each.file.path, line)
        for scope in module.scopes:
            if scope.qualname not in told:
                name = scope.qualname or each.file.module
                yield Definition(name, _kind(module, scope), each.file.path, scope.data["l"])


def _kind(module: Module, scope: Scope) -> str:
    if scope.kind != "f":
        return _KINDS[scope.kind]
    if module.scopes[scope.parent].kind != "c":
        return "function"
    written = (value for value, _line in scope.data.get("dec", ()) if isinstance(value, str))
    return "property" if any(_PROPERTY.search(name) for name in written) else "method"
