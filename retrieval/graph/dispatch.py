"""Calls of a method on what may be an instance of a subclass: how sure they are, and what they possibly run instead.

``self`` and what only an annotation tells of are of the class known or of one below it. Edges found that way carry the
class (in ``candidates``). Where a class below it defines the method anew, the edge is no more than likely, and each
such definition is a possible edge, by the rule ``override``. All of it is settled after every resolve, from the edges
and symbols alone: a subclass that comes or goes needs no file of the callers to be read again.

A class of a test file counts for calls in test files only: nothing else runs it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from retrieval.graph import quality as q
from retrieval.graph.values import MAX_FUNCTIONS
from retrieval.records import Confidence, EdgeKind

if TYPE_CHECKING:
    import sqlite3

#: Possible edges of this kind in one file: further ones are left out, so that edges grow with the text.
_MAX_OVERRIDES = 2_000
_SELF = q.RULES[q.SELF][1]
_CALL = EdgeKind.CALL.value
_OPEN = "SELECT id, file_id, src, dst, confidence, line, rule, candidates FROM edges WHERE candidates != ''"
_INHERITS = "SELECT DISTINCT s.name, d.name FROM edges e JOIN nodes s ON s.id = e.src JOIN nodes d ON d.id = e.dst"
_NAMES_PER_QUERY = 500

#: (class, name, line, qualified name, kind, file): what a class defines.
Member = tuple[str, str, int, str, str, int]


class Call(NamedTuple):
    """An edge with an open receiver, or one made from such (``receivers`` then repeats the target)."""

    id: int
    file_id: int
    src: str
    dst: str
    confidence: str
    line: int
    rule: str
    receivers: str


class Settled(NamedTuple):
    """What is to be done with the edges.

    Attributes:
        changed: (confidence, edge).
        gone: Edges to be deleted.
        fresh: (file, source, target) of new edges with their lines.
    """

    changed: list[tuple[str, int]]
    gone: list[int]
    fresh: list[tuple[tuple[int, str, str], int]]


class _Definition(NamedTuple):
    class_: str
    qualname: str
    is_function: bool
    is_test: bool


def dispatch(conn: sqlite3.Connection, files: Collection[int] | None = None) -> int:
    """Settles the confidence of open calls and their possible edges; returns how many edges there are more than before.

    The result depends on the other edges and the symbols alone.

    Args:
        files: Where calls are to be settled: enough where their edges are new, and no class and none of its definitions
            are others than before. None settles all.
    """
    where = ""
    if files is not None and len(files) <= _NAMES_PER_QUERY:
        where = f" AND file_id IN ({','.join(map(str, sorted(files)))})"
    open_ = conn.execute(f"{_OPEN}{where}").fetchall()
    if where and not open_:
        return 0
    children = children_of(_below(conn, {each for row in open_ for each in row[7].split(" ")}) if where else _all(conn))
    open_ = [row for row in open_ if concerns(row[6], row[4], row[7], children)]
    names = _names(conn, {row[2] for row in open_} | {row[3] for row in open_})
    sources = {names[row[2]]: row[2] for row in open_}
    calls = [Call(row[0], row[1], names[row[2]], names[row[3]], *row[4:]) for row in open_]
    tests = {row[0] for row in conn.execute("SELECT id FROM files WHERE role = 'test'")}
    members = _members(conn, sorted({_method(call.dst) for call in calls}) if where else [])
    settled = settle(calls, children, members, tests, lambda src, target: _is_known(conn, sources[src], target))
    conn.executemany("UPDATE edges SET confidence = ? WHERE id = ?", settled.changed)
    conn.executemany("DELETE FROM edges WHERE id = ?", [(number,) for number in settled.gone])
    conn.executemany(
        "INSERT OR IGNORE INTO nodes(name) VALUES(?)",
        [(name,) for name in sorted({key[2] for key, _line in settled.fresh})],
    )
    conn.executemany(
        "INSERT INTO edges(file_id, src, dst, kind, confidence, line, rule, candidates) "
        "SELECT ?, ?, id, ?, ?, ?, ?, name FROM nodes WHERE name = ?",
        [
            (file_id, sources[src], _CALL, Confidence.POSSIBLE.value, line, q.OVERRIDE, target)
            for (file_id, src, target), line in settled.fresh
        ],
    )
    return len(settled.fresh) - len(settled.gone)


def _members(conn: sqlite3.Connection, names: Sequence[str]) -> Iterable[Member]:
    """What classes define under these names; for many and for none, what they define at all: one pass, since a build
    from nothing has no index of symbols yet."""
    sql = "SELECT parent, name, def_line, qualname, kind, file_id FROM symbols WHERE parent != ''"
    if 0 < len(names) <= _NAMES_PER_QUERY:
        return conn.execute(f"{sql} AND name IN ({','.join('?' * len(names))})", names)
    return conn.execute(sql)


def concerns(rule: str, confidence: str, receivers: str, children: Mapping[str, list[str]]) -> bool:
    """Whether an edge with ``receivers`` has anything to be settled."""
    return (
        rule == q.OVERRIDE
        or (rule == _SELF and confidence != Confidence.CERTAIN)
        or any(each in children for each in receivers.split(" "))
    )


def settle(
    calls: Collection[Call],
    children: Mapping[str, list[str]],
    members: Iterable[Member],
    tests: Collection[int],
    is_known: Callable[[str, str], bool],
) -> Settled:
    """
    Args:
        children: The classes that derive from a class directly.
        members: What all classes define.
        tests: The files of tests.
        is_known: Whether a source calls a target by another rule.
    """
    below = _Below(children, members, {_method(call.dst) for call in calls}, tests)
    made: dict[tuple[int, str, str], tuple[int, int]] = {}  # (file, source, target) -> (line, id)
    wanted: dict[tuple[int, str, str], int] = {}
    counts: defaultdict[int, int] = defaultdict(int)
    changed: list[tuple[str, int]] = []
    # By line, so that of several calls of one method in one function the first has the edge.
    for call in sorted(calls, key=lambda each: (each.file_id, each.line, each.src, each.dst)):
        if call.rule == q.OVERRIDE:
            made[call.file_id, call.src, call.dst] = (call.line, call.id)
            continue
        found = below.definitions(call.receivers, _method(call.dst), call.file_id in tests)
        if call.rule == _SELF:
            confidence = Confidence.LIKELY.value if found else Confidence.CERTAIN.value
            if confidence != call.confidence:
                changed.append((confidence, call.id))
        targets = {each.qualname for each in found if each.is_function} - {call.dst}
        for target in sorted(targets) if len(targets) <= MAX_FUNCTIONS else ():
            key = (call.file_id, call.src, target)
            if key not in wanted and counts[call.file_id] < _MAX_OVERRIDES and not is_known(call.src, target):
                counts[call.file_id] += 1
                wanted[key] = call.line
    gone = [number for key, (line, number) in made.items() if wanted.get(key) != line]
    fresh = [(key, line) for key, line in wanted.items() if made.get(key, (0, 0))[0] != line]
    return Settled(changed, gone, fresh)


def _method(qualname: str) -> str:
    return qualname.rpartition(".")[2].partition("#")[0]


def children_of(inherits: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The classes that derive from each, from (class, base)."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for child, base in inherits:
        found[base].append(child)
    return dict(found)


def _all(conn: sqlite3.Connection) -> Iterable[tuple[str, str]]:
    """(class, base) of the whole tree."""
    return conn.execute(f"{_INHERITS} WHERE e.kind = 'inherit'")


def _below(conn: sqlite3.Connection, classes: Collection[str]) -> Iterable[tuple[str, str]]:
    """(class, base) of all that derives from these classes, at any depth."""
    seen, frontier = set(classes), sorted(classes)
    while frontier:
        found: list[tuple[str, str]] = []
        for start in range(0, len(frontier), _NAMES_PER_QUERY):
            part = frontier[start : start + _NAMES_PER_QUERY]
            where = f"e.kind = 'inherit' AND d.name IN ({','.join('?' * len(part))})"
            found += conn.execute(f"{_INHERITS} WHERE {where}", part).fetchall()
        yield from found
        frontier = sorted({child for child, _base in found} - seen)
        seen.update(frontier)


def _names(conn: sqlite3.Connection, ids: set[int]) -> dict[int, str]:
    found: dict[int, str] = {}
    wanted = sorted(ids)
    for start in range(0, len(wanted), _NAMES_PER_QUERY):
        part = wanted[start : start + _NAMES_PER_QUERY]
        marks = ",".join("?" * len(part))
        found.update(conn.execute(f"SELECT id, name FROM nodes WHERE id IN ({marks})", part).fetchall())
    return found


def _is_known(conn: sqlite3.Connection, src: int, target: str) -> bool:
    """Whether the source calls the target by another rule."""
    found = conn.execute(
        "SELECT 1 FROM edges WHERE src = ? AND kind = ? AND dst = (SELECT id FROM nodes WHERE name = ?) AND rule != ?",
        (src, _CALL, target, q.OVERRIDE),
    )
    return found.fetchone() is not None


class _Below:
    """What the classes below a class define under some names; of several definitions of a name in a class the last."""

    def __init__(
        self,
        children: Mapping[str, list[str]],
        members: Iterable[Member],
        methods: Collection[str],
        tests: Collection[int],
    ) -> None:
        self._children = children
        self._subclasses: dict[str, frozenset[str]] = {}
        self._found: dict[tuple[str, str], list[_Definition]] = {}
        derived = {child for each in children.values() for child in each}
        last: dict[tuple[str, str], tuple[int, str, str, int]] = {}
        for class_, name, line, qualname, kind, file_id in members:
            if name in methods and class_ in derived:
                key, entry = (class_, name), (line, qualname, kind, file_id)
                last[key] = max(last.get(key, entry), entry)
        self._definitions: defaultdict[str, list[_Definition]] = defaultdict(list)
        for (class_, name), (_line, qualname, kind, file_id) in last.items():
            known = _Definition(class_, qualname, kind in ("method", "function"), file_id in tests)
            self._definitions[name].append(known)

    def definitions(self, classes: str, name: str, with_tests: bool) -> list[_Definition]:
        """Definitions of ``name`` in classes below one of ``classes`` (separated by spaces)."""
        found: list[_Definition] = []
        for each in classes.split(" "):
            if each in self._children and name in self._definitions:
                found += [known for known in self._of(each, name) if with_tests or not known.is_test]
        return found

    def _of(self, class_: str, name: str) -> list[_Definition]:
        key = (class_, name)
        if key not in self._found:
            below = self._below(class_)
            self._found[key] = [known for known in self._definitions[name] if known.class_ in below]
        return self._found[key]

    def _below(self, class_: str) -> frozenset[str]:
        if class_ not in self._subclasses:
            seen = {class_}
            frontier = [class_]
            while frontier:
                frontier = [name for each in frontier for name in self._children.get(each, ()) if name not in seen]
                seen.update(frontier)
            self._subclasses[class_] = frozenset(seen - {class_})
        return self._subclasses[class_]
