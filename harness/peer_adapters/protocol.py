"""Reading questions and writing results: what the adapter scripts share."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any


def questions() -> list[tuple[Any, str]]:
    """(id, question) of each line of standard input."""
    return [(row["id"], row["question"]) for row in map(json.loads, sys.stdin) if row]


def say(value: dict[str, Any]) -> None:
    print(json.dumps(value, ensure_ascii=False), flush=True)


def serve(ask: Callable[[str], Iterable[tuple[str, int, int]]], index_s: float, version: str) -> None:
    """Answer every question with regions (path, first line, last line), 1-based, best first."""
    say({"meta": {"index_s": round(index_s, 3), "version": version}})
    for row_id, question in questions():
        began = time.perf_counter()
        found = list(ask(question))
        ms = (time.perf_counter() - began) * 1000
        results = [{"path": path, "start_line": first, "end_line": last} for path, first, last in found]
        say({"id": row_id, "ms": round(ms, 2), "results": results})
