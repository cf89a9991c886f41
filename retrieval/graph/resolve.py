"""Turns the facts of files into edges: all files, or those that a change can have touched."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Collection, Iterable

from retrieval.graph import state
from retrieval.graph.affected import affected
from retrieval.graph.delivery import Slot
from retrieval.graph.dispatch import dispatch
from retrieval.graph.fixtures import conftest_names, takes_fixtures
from retrieval.graph.parallel import Resolved, resolve_here, rows_of
from retrieval.graph.rows import Row, targets_of
from retrieval.graph.run import Run, deep_stack
from retrieval.graph.sent import SentStore
from retrieval.graph.store import IndexedModules, ModuleStore

_log = logging.getLogger(__name__)

_NAMES_PER_QUERY = 500


def resolve_tree(
    conn: sqlite3.Connection,
    changed_files: Collection[int] | None,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """(Re)computes edges and writes them.

    Args:
        conn: A writable connection with the tables of ``retrieval.index.schema``; the caller owns the transaction.
        changed_files: Ids of files that are new or have new facts; None resolves everything. Files that are gone are
            noticed without being named. The result is the same as that of a full resolve.
        progress: Called with (files done, files to do).

    Returns:
        The number of edges written.
    """
    with deep_stack():
        return _resolved_tree(conn, changed_files, progress)


def _resolved_tree(
    conn: sqlite3.Connection, changed_files: Collection[int] | None, progress: Callable[[int, int], None] | None
) -> int:
    known = state.load(conn)
    store = IndexedModules(conn)
    sent = SentStore(conn)
    full = changed_files is None or not known
    store.bits = state.assign_bits({} if full else known, store.names())
    if changed_files is None or not known:
        todo = list(store.names())
        conn.execute("DELETE FROM edges")
        conn.execute("DELETE FROM nodes")
        conn.execute("DELETE FROM graph_files")
        sent.clear()
        store.preload()
        lost: list[state.FileState] = []
        is_seen = True
    else:
        todo, lost, is_seen = affected(conn, store, sent, known, set(changed_files))
    run = _IndexRun(conn, store, sent, full, progress)
    written = run.all(todo) if full else run.some(todo, lost)
    return written + dispatch(conn, None if is_seen else run.touched)


class _IndexRun(Run):
    """A resolve whose result goes into an index."""

    def __init__(
        self,
        conn: sqlite3.Connection,
        store: ModuleStore,
        sent: SentStore,
        full: bool,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        super().__init__(store, store.bits)
        self.conn = conn
        self.sent = sent
        self.full = full
        self.progress = progress
        self.ids: dict[str, int] = {}
        self.written = 0
        self.touched: list[int] = []

    def all(self, todo: list[str]) -> int:
        indexes = _drop_indexes(self.conn)
        for resolved in self.everything(todo, self.progress):
            self._keep(resolved)
        self.sent.fill(self.delivery)
        self.conn.executemany("INSERT INTO nodes(id, name) VALUES(?, ?)", zip(self.ids.values(), self.ids, strict=True))
        for statement in indexes:
            self.conn.execute(statement)
        self._save(todo)
        _log.debug("resolved %d files, %d of them twice, %d edges", len(todo), len(self.given), self.written)
        return self.written

    def some(self, todo: list[str], lost: list[state.FileState]) -> int:
        changed: set[Slot] = set()
        for entry in lost:
            changed |= self.sent.replace(entry.bit, {})
        alone: dict[str, Resolved] = {}
        for done, resolved in enumerate(resolve_here(todo, self.work)):
            alone[resolved[0]] = resolved
            changed |= self.sent.replace(self.store.bits[resolved[0]], resolved[2])
            if self.progress is not None:
                self.progress(done + 1, len(todo))
        reached = {slot.module for slot in self.sent.reached(changed)}
        names = [name for name in self.store.names() if name in alone or name in reached]
        self.receive(names, self.sent.received)
        for name in names:
            if name in alone and not self.is_given(name):
                self._keep((*alone[name][:3], alone[name][3] | self.given[name][1]))
                continue
            for resolved in resolve_here([name], self.work):
                before = alone[name][3] if name in alone else 0
                self._keep((*resolved[:3], resolved[3] | before))
        self._save(names)
        _log.debug("resolved %d files and %d that they send to, %d edges", len(todo), len(names), self.written)
        return self.written

    def _keep(self, resolved: Resolved) -> None:
        name, rows, deps = resolved[0], rows_of(resolved), resolved[3]
        module = self.store.get(name)
        assert module is not None  # noqa: S101  (it has rows)
        if not self.full:
            self.conn.execute("DELETE FROM edges WHERE file_id = ?", (module.file_id,))
        _intern(self.conn, self.ids, targets_of(rows), self.full)
        _insert(self.conn, module.file_id, rows, self.ids)
        self.touched.append(module.file_id)
        self.written += len(rows)
        self.deps[name] = self.deps.get(name, 0) | deps

    def _save(self, names: Iterable[str]) -> None:
        states: list[tuple[state.FileState, state.FileLinks]] = []
        for name in names:
            module = self.store.get(name)
            if module is None or name not in self.deps:
                continue
            named = {_named(entry) for entry in module.imports}
            if any(map(takes_fixtures, module.scopes)):
                named.update(conftest_names(name))
            imports = " ".join(sorted(named))
            states.append(
                (
                    state.FileState(module.bit, name, module.file_id, module.role, module.raw["h"]),
                    state.FileLinks(self.deps[name], imports, json.dumps(module.raw.get("hp", {}))),
                )
            )
        state.save(self.conn, states)


def _drop_indexes(conn: sqlite3.Connection) -> list[str]:
    """Takes the indexes off the empty table of edges; returns what creates them, faster after than during."""
    found = conn.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'edges' AND sql != '' ORDER BY name"
    ).fetchall()
    for name, _sql in found:
        conn.execute(f'DROP INDEX "{name}"')
    return [sql for _name, sql in found]


def _named(entry: list[object]) -> str:
    """The module of an import; with the name, which may be a submodule."""
    return f"{entry[2]}.{entry[3]}" if entry[3] and entry[3] != "*" else str(entry[2])


def _intern(conn: sqlite3.Connection, ids: dict[str, int], names: set[str], full: bool) -> None:
    missing = sorted(names.difference(ids))
    if full:
        for name in missing:
            ids[name] = len(ids) + 1
        return
    for start in range(0, len(missing), _NAMES_PER_QUERY):
        part = missing[start : start + _NAMES_PER_QUERY]
        conn.executemany("INSERT OR IGNORE INTO nodes(name) VALUES(?)", [(name,) for name in part])
        marks = ",".join("?" * len(part))
        ids.update(conn.execute(f"SELECT name, id FROM nodes WHERE name IN ({marks})", part).fetchall())


def _insert(conn: sqlite3.Connection, file_id: int, rows: Iterable[Row], ids: dict[str, int]) -> None:
    conn.executemany(
        "INSERT INTO edges(file_id, src, dst, kind, confidence, line, rule, candidates) VALUES(?,?,?,?,?,?,?,?)",
        [
            (file_id, ids[src], ids[dst], kind, confidence, line, rule, receivers)
            for src, dst, kind, confidence, line, rule, receivers in rows
        ],
    )
