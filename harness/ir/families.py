"""The five families of the reference benchmark's kinds: four that can shrink, and a control that never may."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence

from harness.ir.reader import Seen
from harness.ir.tasks import UNKNOWN, Task, conversation, rows_of, texts_of

_TEMPORAL = ("observed_at", "component", "region", "state", "reported_by")
_SITES = ("Harbor", "Harbour", "Harbor North", "Harbour North")
_STATES = ("ready", "pending", "degraded", "closed")


def temporal() -> Task:
    """Which state did one of four confusable components report last before a time?"""
    rows = [
        {
            "observed_at": f"2025-03-{1 + at // 4:02d}T{(at // 4 * 5) % 24:02d}:30:00Z",  # all four at each round
            "component": _SITES[at % 4],
            "region": ("eu-west", "eu-north")[at % 2],
            "state": _STATES[(at * at + at // 3) % 4],
            "reported_by": ("watcher", "operator", "gateway")[at % 3],
        }
        for at in range(52)
    ]
    until, who = "2025-03-09T00:00:00Z", "Harbour"

    def solve(seen: Sequence[Seen]) -> str:
        mine = [row for row in rows_of(seen, _TEMPORAL) if row["component"] == who and row["observed_at"] < until]
        return max(mine, key=lambda row: str(row["observed_at"]))["state"] if mine else UNKNOWN

    gold = max(
        (row for row in rows if row["component"] == who and row["observed_at"] < until),
        key=lambda row: row["observed_at"],
    )["state"]
    question = f"Which state did {who} (not {who} North) report last before {until}?"
    return conversation("temporal", "shrinkable", [json.dumps(rows, indent=2)], question, solve, gold)


_DEPENDENCY = ("upstream_service", "downstream_service", "connection_kind", "declared_in")


def dependency() -> Task:
    """The shortest chain from one service to another."""
    names = ("edge", "router", "session", "basket", "pricing", "stock", "orders", "billing", "ledger", "mailer")
    links = [(at, (at * 3 + step) % 10) for at in range(10) for step in (1, 4, 6, 8, 9)]
    rows = [
        {
            "upstream_service": f"{names[a]}-service",
            "downstream_service": f"{names[b]}-service",
            "connection_kind": ("synchronous", "asynchronous")[(a + b) % 2],
            "declared_in": f"deploy/{names[a]}/service.yaml",
        }
        for a, b in links
        if a != b
    ]
    start, end = "edge-service", "ledger-service"

    def solve(seen: Sequence[Seen]) -> str:
        after: dict[str, list[str]] = {}
        for row in rows_of(seen, _DEPENDENCY):
            after.setdefault(row["upstream_service"], []).append(row["downstream_service"])
        paths: deque[tuple[str, ...]] = deque([(start,)])
        done = {start}
        while paths:
            path = paths.popleft()
            if path[-1] == end:
                return " > ".join(path)
            for name in sorted(after.get(path[-1], ())):
                if name not in done:
                    done.add(name)
                    paths.append((*path, name))
        return UNKNOWN

    source = json.dumps(rows, indent=2)
    gold = solve([Seen("plain", [list(row.items()) for row in rows], source)])
    return conversation("dependency", "shrinkable", [source], f"How does {start} reach {end}?", solve, gold)


_EXACT = ("parameter_name", "measured_value", "accepted_limit", "approval_status", "measurement_unit", "is_waived")


def exact_values() -> Task:
    """A value as it is written (1.50 is not 1.5), and an approval that differs by a negation."""
    rows = []
    for at in range(44):
        value = (f"{at}.50", f"{at}e-3", f"-{at}.125", f"{at * 1000}", f"0.{at:03d}0")[at % 5]
        status = ("approved", "not approved", "approval pending", "no approval on record")[(at * 7) % 4]
        fields = (
            f'"parameter_name": "valve {chr(97 + at % 26)}{chr(97 + at // 26)}"',
            f'"measured_value": {value}',
            f'"accepted_limit": {at * 2}.00',
            f'"approval_status": "{status}"',
            f'"measurement_unit": "{("kilopascal", "litre per second")[at % 2]}"',
            f'"is_waived": {("false", "null", "true")[at % 3]}',
        )
        rows.append("  {\n    " + ",\n    ".join(fields) + "\n  }")
    source = "[\n" + ",\n".join(rows) + "\n]"

    def solve(seen: Sequence[Seen]) -> str:
        mine = [row for row in rows_of(seen, _EXACT) if row["parameter_name"] == "valve ea"]
        if len(mine) != 1:
            return UNKNOWN
        return f"{mine[0]['measured_value']} of {mine[0]['accepted_limit']}, {mine[0]['approval_status']}"

    question = "What was measured on valve ea, exactly as recorded, against which limit, and is it approved?"
    return conversation("exact-values", "shrinkable", [source], question, solve, _exact_gold())


def _exact_gold() -> str:
    return "0.0040 of 8.00, approved"


_EVENTS = (
    "the harbour gate opened and the pilot boat left for the northern fairway in calm weather",
    "the harbor gate opened and the pilot boat left for the southern fairway in calm weather",
    "the signal mast showed two lights and the crane crew paused its work near the quay",
    "the signal mast showed three lights and the crane crew paused its work near the quay",
    "a coaster waited outside while the ferry took its berth beside the old warehouse",
)


def repeated_spans() -> Task:
    """How often does one of several almost equal lines occur?"""
    order = [(at * at + at // 4) % 5 for at in range(150)]
    source = "\n".join(_EVENTS[at] for at in order) + "\n"
    wanted = _EVENTS[0]

    def solve(seen: Sequence[Seen]) -> str:
        lines = [line for text in texts_of(seen) for line in text.split("\n")]
        count = sum(1 for line in lines if line == wanted)
        return str(count) if count else UNKNOWN

    question = "How many times did the pilot boat leave for the northern fairway?"
    return conversation("repeated-spans", "shrinkable", [source], question, solve, str(order.count(0)))


def control() -> Task:
    """Code, quotations and constraints in prose: nothing of it may be re-encoded, whatever repeats in it."""
    code = "\n".join(
        f"def handler_{at % 6}(request):\n    return dispatch(request, retries={at % 3})\n" for at in range(24)
    )
    quotes = "\n".join(
        'The charter says: "No vessel may leave the basin without the written consent of the harbour master."'
        for _ in range(24)
    )
    rules = "\n".join("Tugs must never pass the boom while the red lamp is lit." for _ in range(40))
    question = "Quote the charter's sentence about consent."
    wanted = '"No vessel may leave the basin without the written consent of the harbour master."'

    def solve(seen: Sequence[Seen]) -> str:
        return wanted if any(wanted in text for text in texts_of(seen)) else UNKNOWN

    return conversation("protected-control", "control", [code, quotes, rules], question, solve, wanted)


FAMILIES = (temporal, dependency, exact_values, repeated_spans, control)
