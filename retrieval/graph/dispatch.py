"""Calls of a method on what may be an instance of a subclass: how sure they are, and what they possibly run instead.

``self`` and what only an annotation tells of are of the class known or of one below it. Edges found that way carry the
class (in ``candidates``). Where a class below it defines the method anew, the edge is no more than likely, and each
such definition is a possible edge, by the rule ``override``. All of it is settled after every resolve, from the edges
and symbols alone: a subclass that comes or goes needs no file of the callers to be read again.

A class of a test file counts for calls in test files only: nothing else runs it.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from retrieval.graph import quality as q
from retrieval.graph.values import MAX_FUNCTIONS
from retrieval.records import Confidence, EdgeKind

#: Possible edges of this kind in one file: further ones are left out, so that edges grow with the text.
_MAX_OVERRIDES = 2_000
_SELF = q.RULES[q.SELF][1]
_CALL = EdgeKind.CALL.value


class _Call(NamedTuple):
    """An edge with an open receiver, or one made from such."""

    id: int
    file_id: int
    src: int
    dst: int
    confidence: str
    line: int
    rule: str
    receivers: str
    method: str
    role: str


class _Definition(NamedTuple):
    qualname: str
    is_function: bool
    is_test: bool


def dispatch(conn: sqlite3.Connection) -> int:
    """Settles the confidence of open calls and their possible edges; returns how many edges there are more than before.

    The result depends on the other edges and the symbols alone.
    """
    below = _Below(conn)
    made: dict[tuple[int, int, str], tuple[int, int]] = {}  # (file, source, target) -> (line, id)
    wanted: dict[tuple[int, int, str], int] = {}
    counts: defaultdict[int, int] = defaultdict(int)
    changed: list[tuple[str, int]] = []
    for call in _open_calls(conn):
        if call.rule == q.OVERRIDE:
            made[call.file_id, call.src, call.method] = (call.line, call.id)
            continue
        name = call.method.rpartition(".")[2].partition("#")[0]
        found = below.definitions(call.receivers, name, call.role == "test")
        if call.rule == _SELF:
            confidence = Confidence.LIKELY.value if found else Confidence.CERTAIN.value
            if confidence != call.confidence:
                changed.append((confidence, call.id))
        targets = {each.qualname for each in found if each.is_function} - {call.method}
        for target in sorted(targets) if len(targets) <= MAX_FUNCTIONS else ():
            key = (call.file_id, call.src, target)
            if key not in wanted and counts[call.file_id] < _MAX_OVERRIDES and not _is_known(conn, call.src, target):
                counts[call.file_id] += 1
                wanted[key] = call.line
    conn.executemany("UPDATE edges SET confidence = ? WHERE id = ?", changed)
    gone = [(number,) for key, (line, number) in made.items() if wanted.get(key) != line]
    conn.executemany("DELETE FROM edges WHERE id = ?", gone)
    fresh = [(key, line) for key, line in wanted.items() if made.get(key, (0, 0))[0] != line]
    names = sorted({key[2] for key, _line in fresh})
    conn.executemany("INSERT OR IGNORE INTO nodes(name) VALUES(?)", [(name,) for name in names])
    conn.executemany(
        "INSERT INTO edges(file_id, src, dst, kind, confidence, line, rule, candidates) "
        "SELECT ?, ?, id, ?, ?, ?, ?, name FROM nodes WHERE name = ?",
        [
            (file_id, src, _CALL, Confidence.POSSIBLE.value, line, q.OVERRIDE, target)
            for (file_id, src, target), line in fresh
        ],
    )
    return len(fresh) - len(gone)


def _open_calls(conn: sqlite3.Connection) -> Iterator[_Call]:
    """By file and line, so that of several calls of one method in one function the first has the edge."""
    rows = conn.execute(
        "SELECT e.id, e.file_id, e.src, e.dst, e.confidence, e.line, e.rule, e.candidates, d.name, f.role FROM edges e "
        "JOIN nodes s ON s.id = e.src JOIN nodes d ON d.id = e.dst JOIN files f ON f.id = e.file_id "
        "WHERE e.candidates != '' ORDER BY e.file_id, e.line, s.name, d.name"
    ).fetchall()
    return map(_Call._make, rows)


def _is_known(conn: sqlite3.Connection, src: int, target: str) -> bool:
    """Whether the source calls the target by another rule."""
    found = conn.execute(
        "SELECT 1 FROM edges WHERE src = ? AND kind = ? AND dst = (SELECT id FROM nodes WHERE name = ?) AND rule != ?",
        (src, _CALL, target, q.OVERRIDE),
    )
    return found.fetchone() is not None


class _Below:
    """What the classes below a class define."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn
        self._children: defaultdict[str, list[str]] = defaultdict(list)
        for child, base in conn.execute(
            "SELECT DISTINCT s.name, d.name FROM edges e JOIN nodes s ON s.id = e.src JOIN nodes d ON d.id = e.dst "
            "WHERE e.kind = 'inherit' ORDER BY s.name, d.name"
        ):
            self._children[base].append(child)
        self._all: dict[str, tuple[str, ...]] = {}
        self._members: dict[str, dict[str, _Definition]] = {}
        self._found: dict[tuple[str, str], tuple[_Definition, ...]] = {}

    def definitions(self, classes: str, name: str, with_tests: bool) -> list[_Definition]:
        """Definitions of ``name`` in classes below one of ``classes`` (separated by spaces)."""
        found: list[_Definition] = []
        for each in classes.split(" "):
            if each in self._children:
                found += [known for known in self._of(each, name) if with_tests or not known.is_test]
        return found

    def _of(self, class_: str, name: str) -> tuple[_Definition, ...]:
        key = (class_, name)
        if key not in self._found:
            members = (self._defined(each).get(name) for each in self._subclasses(class_))
            self._found[key] = tuple(each for each in members if each is not None)
        return self._found[key]

    def _subclasses(self, class_: str) -> tuple[str, ...]:
        if class_ not in self._all:
            seen = {class_: None}
            frontier = [class_]
            while frontier:
                frontier = [name for each in frontier for name in self._children.get(each, ()) if name not in seen]
                seen.update(dict.fromkeys(frontier))
            del seen[class_]
            self._all[class_] = tuple(seen)
        return self._all[class_]

    def _defined(self, class_: str) -> dict[str, _Definition]:
        """What a class defines, by name; of several definitions of a name the last."""
        if not self._members:
            self._read_members()
        return self._members.get(class_, {})

    def _read_members(self) -> None:
        """Those of all classes with a base, in one pass: a build from nothing has no index of symbols yet."""
        derived = {child for children in self._children.values() for child in children}
        self._members = {class_: {} for class_ in derived}
        for parent, name, qualname, kind, role in self._conn.execute(
            "SELECT s.parent, s.name, s.qualname, s.kind, f.role FROM symbols s JOIN files f ON f.id = s.file_id "
            "WHERE s.parent != '' ORDER BY s.parent, s.def_line, s.qualname"
        ):
            if parent in derived:
                known = _Definition(qualname, kind in ("method", "function"), role == "test")
                self._members[parent][name] = known
