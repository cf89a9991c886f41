"""What a row of a run must hold before tables are made of it: a hand may have edited the file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_FIGURES = ("calls", "prompt_tokens", "completion_tokens")
_MOST = 10**15  # of any figure: sums stay exact, and tables readable


def fault_of(row: Mapping[str, Any]) -> str:
    """The name of a field that is not what a run writes; "" for a sound row."""
    kind = row.get("kind")
    if kind not in ("prepared", "task"):
        return "kind"
    names = ("method", "context_id") if kind == "prepared" else ("method", "task_id", "category", "sub_category")
    for name in names:
        if not isinstance(row.get(name), str):
            return name
    if not _is_usage(row.get("usage")):
        return "usage"
    if kind == "prepared":
        return ""
    if not isinstance(row.get("meta"), Mapping):
        return "meta"
    return "" if _is_grade(row.get("grade")) else "grade"


def _is_grade(grade: object) -> bool:
    if not isinstance(grade, Mapping) or not isinstance(grade.get("rubrics"), Mapping):
        return False
    return all(
        verdict is None or isinstance(verdict, bool)
        for verdict in (grade.get("passed", ""), *grade["rubrics"].values())
    )


def _is_usage(usage: object) -> bool:
    if not isinstance(usage, Mapping):
        return False
    return all(
        isinstance(each, Mapping)
        and all(type(each.get(name)) is int and 0 <= each[name] <= _MOST for name in _FIGURES)
        and _is_time(each.get("seconds"))
        for each in usage.values()
    )


def _is_time(seconds: object) -> bool:
    return isinstance(seconds, int | float) and 0 <= seconds <= _MOST  # which no NaN is
