"""Per-chunk arrays: the few numbers that ranking needs of every chunk, stored as columns so that opening is cheap."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from retrieval.records import ChunkKind, Role

ROLES: tuple[Role, ...] = tuple(Role)
KINDS: tuple[ChunkKind, ...] = tuple(ChunkKind)

_DTYPES = {
    "alive": "|b1",
    "file_id": "<i4",
    "role": "|u1",
    "kind": "|u1",
    "start": "<i4",
    "end": "<i4",
    "tokens": "<i4",
    "centrality": "<f4",
    "field_lengths": "<u2",
}


@dataclass(frozen=True, slots=True)
class ChunkArrays:
    """One row per chunk id, dead ids included (``alive`` is False there).

    ``role`` and ``kind`` index ``list(Role)`` and ``list(ChunkKind)``; ``field_lengths`` has shape (n, 4) in terms;
    ``centrality`` is 0..1.
    """

    n: int
    alive: npt.NDArray[np.bool_]
    file_id: npt.NDArray[np.int32]
    role: npt.NDArray[np.uint8]
    kind: npt.NDArray[np.uint8]
    start: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    tokens: npt.NDArray[np.int32]
    centrality: npt.NDArray[np.float32]
    field_lengths: npt.NDArray[np.uint16]


def empty_arrays() -> ChunkArrays:
    return _from_columns({name: np.zeros((0, 4) if name == "field_lengths" else 0, d) for name, d in _DTYPES.items()})


def _from_columns(columns: dict[str, npt.NDArray[Any]]) -> ChunkArrays:
    return ChunkArrays(n=len(columns["alive"]), **columns)


def load_arrays(conn: sqlite3.Connection) -> ChunkArrays:
    """Read the columns of the open generation (zero-copy views of the blobs)."""
    columns: dict[str, npt.NDArray[Any]] = {}
    for name, data in conn.execute("SELECT name, data FROM columns"):
        if name in _DTYPES:
            try:
                array = np.frombuffer(data, dtype=_DTYPES[name])
                columns[name] = array.reshape(-1, 4) if name == "field_lengths" else array
            except (ValueError, TypeError) as error:
                raise sqlite3.DatabaseError(f"the per-chunk array {name} is damaged: {error}") from error
    if len(columns) != len(_DTYPES) or len({len(column) for column in columns.values()}) != 1:
        raise sqlite3.DatabaseError("per-chunk arrays are missing or disagree in length")
    return _from_columns(columns)


def store_arrays(conn: sqlite3.Connection, arrays: ChunkArrays) -> None:
    rows = [
        (name, dtype, np.ascontiguousarray(getattr(arrays, name), dtype=dtype).tobytes())
        for name, dtype in _DTYPES.items()
    ]
    conn.executemany("INSERT OR REPLACE INTO columns(name, dtype, data) VALUES (?, ?, ?)", rows)


def extended(
    arrays: ChunkArrays,
    dead: list[int],
    rows: list[tuple[int, Role, str, int, int, int]],
    lengths: list[npt.NDArray[np.int64]],
) -> ChunkArrays:
    """``arrays`` with the ids ``dead`` masked and new rows (file_id, role, kind, start, end, tokens) appended.

    ``lengths`` has one array (rows, 4) a file.
    """
    alive = np.concatenate([arrays.alive, np.ones(len(rows), bool)])
    alive[np.asarray(dead, np.int64)] = False
    role_code = {role: code for code, role in enumerate(ROLES)}
    kind_code = {kind.value: code for code, kind in enumerate(KINDS)}

    def column(old: npt.NDArray[Any], new: list[int]) -> npt.NDArray[Any]:
        return np.concatenate([old, np.asarray(new, old.dtype)])

    return ChunkArrays(
        n=len(alive),
        alive=alive,
        file_id=column(arrays.file_id, [row[0] for row in rows]),
        role=column(arrays.role, [role_code[row[1]] for row in rows]),
        kind=column(arrays.kind, [kind_code[row[2]] for row in rows]),
        start=column(arrays.start, [row[3] for row in rows]),
        end=column(arrays.end, [row[4] for row in rows]),
        tokens=column(arrays.tokens, [row[5] for row in rows]),
        centrality=np.concatenate([arrays.centrality, np.zeros(len(rows), np.float32)]),
        field_lengths=np.concatenate([arrays.field_lengths, *(part.astype(np.uint16) for part in lengths)]),
    )
