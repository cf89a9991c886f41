"""Checks of one sentence that were made by several readers, put together."""

from __future__ import annotations

from typing import Any

from agent.cca import checks as c


def both(first: Any | None, second: Any | None) -> Any | None:
    if first is None or second is None or first == second:
        return second if first is None else first
    parts = [part for each in (first, second) for part in (each.checks if each.op == "all" else (each,))]
    return c.AllOf(checks=tuple(part for at, part in enumerate(parts) if part not in parts[:at]))


def nests(check: Any | None) -> bool:
    """Whether it tells keys of the answer's object from those of an object within."""
    return (
        check is not None and check.op == "all" and any(each.op == "property" and each.parent for each in check.checks)
    )


def looks_at_code(check: Any) -> bool:
    """Whether it says something of the code of an answer only."""
    if check.op in ("all", "any"):
        return all(looks_at_code(each) for each in check.checks)
    return check.op in ("indent", "python_code", "sql", "code") or getattr(check, "within", "") in ("code", "bare_code")
