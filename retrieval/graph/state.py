"""What an incremental resolve must remember of each file: whom it read, what it imports, what others see of it.

A module keeps its bit in the dependency masks when its file is replaced, since the bit belongs to the module's name.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

DDL = """
CREATE TABLE IF NOT EXISTS graph_files(
    bit INTEGER PRIMARY KEY,
    module TEXT NOT NULL UNIQUE,
    file_id INTEGER NOT NULL,
    role TEXT NOT NULL,
    deps BLOB NOT NULL,
    imports TEXT NOT NULL,
    interface TEXT NOT NULL
)
"""


@dataclass(frozen=True, slots=True)
class FileState:
    """One row. ``deps`` is a mask over bits; ``imports`` the modules named in import statements, space between."""

    bit: int
    module: str
    file_id: int
    role: str
    deps: int
    imports: str
    interface: str


def load(conn: sqlite3.Connection) -> dict[str, FileState]:
    conn.execute(DDL)
    return {
        row[1]: FileState(row[0], row[1], row[2], row[3], int.from_bytes(row[4], "little"), row[5], row[6])
        for row in conn.execute("SELECT bit, module, file_id, role, deps, imports, interface FROM graph_files")
    }


def save(conn: sqlite3.Connection, states: Iterable[FileState]) -> None:
    conn.executemany(
        "INSERT OR REPLACE INTO graph_files VALUES(?,?,?,?,?,?,?)",
        [
            (
                state.bit,
                state.module,
                state.file_id,
                state.role,
                state.deps.to_bytes((state.deps.bit_length() + 7) // 8, "little"),
                state.imports,
                state.interface,
            )
            for state in states
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
