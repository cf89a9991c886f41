"""What an incremental resolve must remember of each file: whom it read, what it imports, what others see of it.

A module keeps its bit in the dependency masks when its file is replaced, since the bit belongs to the module's name.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

DDL = """
CREATE TABLE IF NOT EXISTS graph_files(
    bit INTEGER PRIMARY KEY,
    module TEXT NOT NULL UNIQUE,
    file_id INTEGER NOT NULL,
    role TEXT NOT NULL,
    deps BLOB NOT NULL,
    imports TEXT NOT NULL,
    interface TEXT NOT NULL,
    parts TEXT NOT NULL
)
"""


class FileState(NamedTuple):
    """What is remembered of one module; ``interface`` is the digest that its facts carried."""

    bit: int
    module: str
    file_id: int
    role: str
    interface: str


class FileLinks(NamedTuple):
    """What a module's edges rested on. ``deps`` is a mask over bits; ``imports`` the names in its import statements;
    ``parts`` the digests of what others see of it, as JSON."""

    deps: int
    imports: str
    parts: str = "{}"


def load(conn: sqlite3.Connection) -> dict[str, FileState]:
    conn.execute(DDL)
    rows = conn.execute("SELECT bit, module, file_id, role, interface FROM graph_files")
    return {state.module: state for state in map(FileState._make, rows)}


def load_links(conn: sqlite3.Connection) -> dict[str, FileLinks]:
    """Read only when a change can reach other files: nine tenths of the table."""
    rows = conn.execute("SELECT module, deps, imports FROM graph_files")
    return {module: FileLinks(int.from_bytes(deps, "little"), imports) for module, deps, imports in rows}


def load_parts(conn: sqlite3.Connection, module: str) -> dict[str, str]:
    """Digests of what others saw of a module."""
    row = conn.execute("SELECT parts FROM graph_files WHERE module = ?", (module,)).fetchone()
    return json.loads(row[0]) if row else {}


def save(conn: sqlite3.Connection, states: Iterable[tuple[FileState, FileLinks]]) -> None:
    conn.executemany(
        "INSERT OR REPLACE INTO graph_files VALUES(?,?,?,?,?,?,?,?)",
        [
            (
                state.bit,
                state.module,
                state.file_id,
                state.role,
                links.deps.to_bytes((links.deps.bit_length() + 7) // 8, "little"),
                links.imports,
                state.interface,
                links.parts,
            )
            for state, links in states
        ],
    )


def assign_bits(known: dict[str, FileState], modules: Iterable[str]) -> dict[str, int]:
    """A bit for each module: its old one, else the next free one in the order given."""
    bits = {name: state.bit for name, state in known.items()}
    free = max(bits.values(), default=-1) + 1
    for name in modules:
        if name not in bits:
            bits[name] = free
            free += 1
    return bits
