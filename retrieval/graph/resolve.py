"""Turns the facts of files into edges: all files, or those that a change can have touched."""

from __future__ import annotations

import gc
import logging
import sqlite3
import sys
from collections.abc import Callable, Collection, Iterable

from retrieval.graph import state
from retrieval.graph.edges import edges_of
from retrieval.graph.infer import Evaluator
from retrieval.graph.modules import ModuleStore, packages_of
from retrieval.graph.parallel import resolve_all, resolve_here
from retrieval.graph.rows import Row, targets_of
from retrieval.graph.solver import NO_FLOWS

_log = logging.getLogger(__name__)

#: Python frames that the evaluator may nest: expressions inside variables inside expressions.
_STACK = 20_000
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
    known = state.load(conn)
    store = ModuleStore(conn)
    full = changed_files is None or not known
    store.bits = state.assign_bits({} if full else known, store.names())
    if changed_files is None or not known:
        todo = list(store.names())
        conn.execute("DELETE FROM edges")
        conn.execute("DELETE FROM nodes")
        conn.execute("DELETE FROM graph_files")
        store.preload()
    else:
        todo = _affected(conn, store, known, set(changed_files))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _STACK))
    collecting = gc.isenabled()
    gc.disable()  # millions of small live tuples: each collection would walk them all and free nothing
    try:
        return _write(conn, store, todo, full=full, progress=progress)
    finally:
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()


def _affected(
    conn: sqlite3.Connection, store: ModuleStore, known: dict[str, state.FileState], changed: set[int]
) -> list[str]:
    """Modules to resolve again, in the store's order; edges of files that are gone are deleted."""
    gone = [entry for entry in known.values() if store.file_ids.get(entry.module) != entry.file_id]
    conn.executemany("DELETE FROM edges WHERE file_id = ?", [(entry.file_id,) for entry in gone])
    lost = [entry for entry in gone if entry.module not in store.file_ids]
    conn.executemany("DELETE FROM graph_files WHERE bit = ?", [(entry.bit,) for entry in lost])
    fresh = {name for name, file_id in store.file_ids.items() if file_id in changed}
    fresh.update(
        name
        for name, file_id in store.file_ids.items()
        if name not in known or known[name].file_id != file_id or known[name].role != store.roles[name]
    )
    mask = 0
    moved: set[str] = set()
    for entry in lost:
        mask |= 1 << entry.bit
        moved.add(entry.module)
    for name in fresh:
        before = known.get(name)
        if before is None:
            moved.add(name)
            continue
        module = store.get(name)
        if module is None or before.role != store.roles[name] or before.interface != module.raw["h"]:
            mask |= 1 << before.bit
    todo = set(fresh)
    links = state.load_links(conn) if moved or mask else {}
    if moved:
        moved |= packages_of(known) ^ packages_of(store.names())
        direct = {name for name, entry in links.items() if _imports_any(name, entry.imports, moved)}
        direct.intersection_update(store.file_ids)
        for name in direct:
            mask |= 1 << known[name].bit
        todo |= direct
    if mask:
        todo.update(name for name, entry in links.items() if entry.deps & mask and name in store.file_ids)
    return [name for name in store.names() if name in todo]


def _imports_any(module: str, imports: str, moved: set[str]) -> bool:
    """Whether an import of this module can mean something else now that these modules came or went."""
    folder = module.rpartition(".")[0]
    for written in imports.split(" "):
        for name in (written, f"{folder}.{written}") if folder else (written,):
            for other in moved:
                if name == other or other.startswith(f"{name}.") or name.startswith(f"{other}."):
                    return True
    return False


def _write(
    conn: sqlite3.Connection,
    store: ModuleStore,
    todo: list[str],
    full: bool,
    progress: Callable[[int, int], None] | None,
) -> int:
    evaluator = Evaluator(store)
    indexes = _drop_indexes(conn) if full else []
    ids: dict[str, int] = {}
    states: list[tuple[state.FileState, state.FileLinks]] = []
    written = 0

    def work(name: str) -> tuple[list[Row], int] | None:
        module = store.get(name)
        return None if module is None else (edges_of(module, evaluator, NO_FLOWS)[0], evaluator.deps)

    # Only a full resolve has every file's facts in memory, so that other processes need no database.
    resolved = resolve_all(todo, work, store.weight) if full else resolve_here(todo, work)
    for done, (name, rows, deps) in enumerate(resolved):
        module = store.get(name)
        assert module is not None  # noqa: S101  (it has rows)
        if not full:
            conn.execute("DELETE FROM edges WHERE file_id = ?", (module.file_id,))
        _intern(conn, ids, targets_of(rows), full)
        _insert(conn, module.file_id, rows, ids)
        written += len(rows)
        states.append(
            (
                state.FileState(module.bit, name, module.file_id, module.role, module.raw["h"]),
                state.FileLinks(deps, " ".join(sorted({_named(entry) for entry in module.imports}))),
            )
        )
        if progress is not None:
            progress(done + 1, len(todo))
    if full:
        conn.executemany("INSERT INTO nodes(id, name) VALUES(?, ?)", [(number, name) for name, number in ids.items()])
    for statement in indexes:
        conn.execute(statement)
    state.save(conn, states)
    _log.debug("resolved %d files, %d edges", len(todo), written)
    return written


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
        "INSERT INTO edges(file_id, src, dst, kind, confidence, line, rule, candidates) VALUES(?,?,?,?,?,?,?,'')",
        [
            (file_id, ids[src], ids[dst], kind, confidence, line, rule)
            for src, dst, kind, confidence, line, rule in rows
        ],
    )
