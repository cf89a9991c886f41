"""What files send to one another's parameters, kept in the index, so that a change reaches who receives it.

See ``delivery`` for what arrives.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping

from retrieval.compact_json import dumps_ascii, loads
from retrieval.graph.delivery import Delivery, Slot, Values, received
from retrieval.graph.flow_sinks import Named, Sent
from retrieval.graph.given import Received

DDL = """
CREATE TABLE IF NOT EXISTS graph_flows(
    sender INTEGER NOT NULL,
    module TEXT NOT NULL,
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    vals TEXT NOT NULL,
    PRIMARY KEY(module, scope, name, sender)
) WITHOUT ROWID
"""
_SENDERS = "CREATE INDEX IF NOT EXISTS graph_flows_sender ON graph_flows(sender)"


class SentStore:
    """The table of what files send."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn
        conn.execute(DDL)
        conn.execute(_SENDERS)

    def clear(self) -> None:
        self._conn.execute("DELETE FROM graph_flows")

    def replace(self, sender: int, sent: Sent) -> set[Slot]:
        """Puts what a file sends in place of what it sent before; returns the parameters for which that differs.

        Args:
            sender: The bit of the sending module.
        """
        before = {
            Slot(*row[:3]): row[3]
            for row in self._conn.execute(
                "SELECT module, scope, name, vals FROM graph_flows WHERE sender = ?", (sender,)
            )
        }
        now = {Slot(*key): _written(values) for key, values in sent.items()}
        changed = {slot for slot in before.keys() | now.keys() if before.get(slot) != now.get(slot)}
        self._conn.executemany(
            "DELETE FROM graph_flows WHERE sender = ? AND module = ? AND scope = ? AND name = ?",
            [(sender, *slot) for slot in changed if slot in before],
        )
        self.add(sender, {slot: sent[slot] for slot in changed if slot in now})
        return changed

    def add(self, sender: int, sent: Mapping[tuple[str, str, str], dict[Named, int]]) -> None:
        self._conn.executemany(
            "INSERT INTO graph_flows VALUES(?,?,?,?,?)",
            [(sender, *key, _written(values)) for key, values in sorted(sent.items())],
        )

    def fill(self, delivery: Delivery) -> None:
        """All that is sent, into the empty table; in the order of its key, which costs least."""
        rows = [(sender, *slot, _written(values)) for sender, slot, values in delivery.everything()]
        rows.sort(key=lambda row: (row[1:4], row[0]))
        self._conn.executemany("INSERT INTO graph_flows VALUES(?,?,?,?,?)", rows)

    def reached(self, changed: Iterable[Slot]) -> set[Slot]:
        """These parameters and all that they are handed on to."""
        seen = set(changed)
        if not seen:
            return seen
        handed: dict[Slot, list[Slot]] = {}
        for module, scope, name, values in self._conn.execute(
            "SELECT module, scope, name, vals FROM graph_flows WHERE instr(vals, '[\"p\",') > 0"
        ):
            for named, _step in loads(values):
                if named[0] == "p":
                    handed.setdefault(Slot(*named[1:]), []).append(Slot(module, scope, name))
        work = list(seen)
        while work:
            for slot in handed.get(work.pop(), ()):
                if slot not in seen:
                    seen.add(slot)
                    work.append(slot)
        return seen

    def receiving(self, names: Iterable[str]) -> set[str]:
        """Modules to whose parameters a definition of one of these names is sent."""
        slots: set[Slot] = set()
        for name in sorted(names):
            query = "SELECT module, scope, name FROM graph_flows WHERE instr(vals, ?) > 0"
            slots.update(Slot(*row) for row in self._conn.execute(query, (f".{name}",)))
        return {slot.module for slot in self.reached(slots)}

    def received(self, module: str, bit: int) -> Received:
        """What reaches the parameters of a module from other files, and the containers that it reads."""
        rows = self._conn.execute("SELECT DISTINCT scope, name FROM graph_flows WHERE module = ?", (module,)).fetchall()
        return received(module, rows, bit, self._stored)

    def _stored(self, slot: Slot) -> list[tuple[int, Values]]:
        rows = self._conn.execute(
            "SELECT sender, vals FROM graph_flows WHERE module = ? AND scope = ? AND name = ? ORDER BY sender", slot
        ).fetchall()
        return [(sender, [(tuple(named), step) for named, step in loads(values)]) for sender, values in rows]


def _written(values: Mapping[Named, int]) -> str:
    return dumps_ascii(sorted((list(named), step) for named, step in values.items()))
