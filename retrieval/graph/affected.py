"""Which files a change can have touched.

A file rests on the modules that it read (a mask). Of a module that changed, only some names mean something else than
before; who can notice has read the module, and a file that names one of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping

from retrieval.graph import state
from retrieval.graph.modules import Module
from retrieval.graph.sent import SentStore
from retrieval.graph.store import ModuleStore, packages_of
from retrieval.languages.python.facts_interface import Parts, names_changed, names_read

#: With more names than this, whoever read the module counts as touched: looking for them would cost as much.
_MAX_NAMES = 20
_MODULES_PER_QUERY = 500


def affected(
    conn: sqlite3.Connection,
    store: ModuleStore,
    sent: SentStore,
    known: dict[str, state.FileState],
    changed: set[int],
) -> tuple[list[str], list[state.FileState], bool]:
    """Modules to resolve again, in the store's order, those that are gone, whose edges are deleted, and whether others
    can see any change at all."""
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
    named: dict[str, frozenset[str]] = {}
    for entry in lost:
        mask |= 1 << entry.bit
        moved.add(entry.module)
    for name in fresh:
        before = known.get(name)
        if before is None:
            moved.add(name)
            continue
        module = store.get(name)
        if module is None or before.role != store.roles[name]:
            mask |= 1 << before.bit
        elif before.interface != module.raw["h"]:
            names = _names(module, state.load_parts(conn, name))
            if names is None:
                mask |= 1 << before.bit
            else:
                named[name] = names
    todo = set(fresh)
    links = state.load_links(conn) if moved or mask or named else {}
    if moved:
        moved |= packages_of(known) ^ packages_of(store.names())
        direct = {name for name, entry in links.items() if _imports_any(name, entry.imports, moved)}
        direct.intersection_update(store.file_ids)
        for name in direct:
            mask |= 1 << known[name].bit
        todo |= direct
    if mask:
        todo.update(name for name, entry in links.items() if entry.deps & mask)
    for name, names in named.items():
        todo |= _noticing(conn, known, links, known[name].bit, names)
        todo |= sent.receiving(names)
    return [name for name in store.names() if name in todo], lost, bool(gone or moved or mask or named)


def _names(module: Module, before: Parts) -> frozenset[str] | None:
    """The names of a module that changed for others; None where everybody who read it may notice."""
    names = names_changed(before, module.raw["hp"])
    if names is None or len(names) > _MAX_NAMES or names_read(module.raw, names):
        return None
    return names


def _noticing(
    conn: sqlite3.Connection,
    known: Mapping[str, state.FileState],
    links: Mapping[str, state.FileLinks],
    bit: int,
    names: Collection[str],
) -> set[str]:
    """Modules that read the one of this bit, and themselves or another file with one of the names in its facts."""
    readers = {name: entry.deps for name, entry in links.items() if entry.deps >> bit & 1}
    read = 0
    for deps in readers.values():
        read |= deps
    looked_at = [entry.module for entry in known.values() if read >> entry.bit & 1 and entry.bit != bit]
    telling = 0
    where = " OR ".join(["instr(facts, ?) > 0"] * len(names))
    for start in range(0, len(looked_at), _MODULES_PER_QUERY):
        part = looked_at[start : start + _MODULES_PER_QUERY]
        marks = ",".join("?" * len(part))
        for (module,) in conn.execute(
            f"SELECT module FROM files WHERE module IN ({marks}) AND ({where})", [*part, *sorted(names)]
        ):
            telling |= 1 << known[module].bit
    return {name for name, deps in readers.items() if deps & telling}


def _imports_any(module: str, imports: str, moved: set[str]) -> bool:
    """Whether an import of this module can mean something else now that these modules came or went."""
    folder = module.rpartition(".")[0]
    for written in imports.split(" "):
        for name in (written, f"{folder}.{written}") if folder else (written,):
            for other in moved:
                if name == other or other.startswith(f"{name}.") or name.startswith(f"{other}."):
                    return True
    return False
