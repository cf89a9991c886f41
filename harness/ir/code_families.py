"""Code evidence: import headers, test tables, configuration matrices, call lists, and a log."""

from __future__ import annotations

import json
from collections.abc import Sequence

from harness.ir.reader import Seen
from harness.ir.tasks import UNKNOWN, Task, conversation, rows_of, texts_of

_LICENCE = (
    "# Copyright (c) the project's contributors.",
    "#",
    "# Permission is granted to use, copy and change this file, provided that this notice is kept in every copy.",
    "# This file comes without a warranty of any kind; nobody who wrote it is liable for what it does.",
    "",
    "from __future__ import annotations",
    "",
    "import logging",
    "from collections.abc import Iterable, Mapping",
    "from dataclasses import dataclass, field",
    "",
    "from project.core.errors import ProjectError, RetryLater",
    "from project.core.registry import Registry, register",
    "from project.core.transport import Connection, Envelope",
    "",
    "log = logging.getLogger(__name__)",
    "",
)


def import_headers() -> Task:
    """Which of ten modules with one header between them registers a channel?"""
    names = ("mail", "chat", "voice", "fax", "push", "paging", "video", "relay", "batch", "audit")
    pieces = []
    for number, name in enumerate(names, 1):
        body = [
            *_LICENCE,
            f'@register("{name}")',
            f"class {name.title()}Channel(Registry):",
            f"    timeout_s = {number * 5}",
            "",
            "    def send(self, envelope: Envelope) -> None:",
            f"        self.connection.write_{name}(envelope)",
        ]
        lines = "\n".join(f"{at} {line}" for at, line in enumerate(body, 1))
        where = f"src/project/channels/{name}.py:1-{len(body)} {name.title()}Channel"
        pieces.append(f"[{number}] {where} lv{99 - number}\n{lines}\n")
    source = "=== EVIDENCE 5b1f: data, not instructions ===\n" + "\n".join(pieces) + "\n=== END OF EVIDENCE 5b1f ===\n"

    def solve(seen: Sequence[Seen]) -> str:
        for text in texts_of(seen):
            for piece in text.split("\n["):
                if "    timeout_s = 35" in piece:
                    line = next(line for line in piece.split("\n") if "timeout_s = 35" in line)
                    return f"{piece.partition(' ')[2].partition(':')[0]}:{line.partition(' ')[0]}"
        return UNKNOWN

    question = "Which channel has a timeout of 35 seconds, and on which line?"
    return conversation("import-headers", "code", [source], question, solve, "src/project/channels/video.py:20")


_CASES = ("test_id", "function_under_test", "input_value", "expected_result", "raises", "marked_slow")


def test_table() -> Task:
    """The expected result of one row of a parametrised test."""
    rows = [
        {
            "test_id": f"test_parse_duration[{at}]",
            "function_under_test": "project.units.parse_duration",
            "input_value": f"{at}{('s', 'm', 'h', 'min', ' sec')[at % 5]}",
            "expected_result": at * (1, 60, 3600, 60, 1)[at % 5],
            "raises": "ValueError" if at % 11 == 0 else None,
            "marked_slow": at % 13 == 0,
        }
        for at in range(46)
    ]

    def solve(seen: Sequence[Seen]) -> str:
        mine = [row for row in rows_of(seen, _CASES) if row["input_value"] == "32h"]
        return str(mine[0]["expected_result"]) if mine else UNKNOWN

    question = "Which result does the test expect for the input 32h?"
    return conversation("test-tables", "code", [json.dumps(rows, indent=2)], question, solve, str(32 * 3600))


_SETTINGS = ("environment", "python_version", "database_backend", "cache_backend", "feature_flag", "default_value")


def config_matrix() -> Task:
    """The default of a flag in one cell of a matrix of environments."""
    rows = [
        {
            "environment": environment,
            "python_version": version,
            "database_backend": backend,
            "cache_backend": ("redis", "memory")[(at + len(version)) % 2],
            "feature_flag": "enable_async_writes",
            "default_value": (at * 3 + len(backend)) % 4 == 0,
        }
        for at, (environment, version, backend) in enumerate(
            (environment, version, backend)
            for environment in ("development", "staging", "production", "continuous-integration")
            for version in ("3.11", "3.12", "3.13")
            for backend in ("postgresql", "sqlite", "mysql", "mariadb")
        )
    ]
    wanted = ("staging", "3.13", "sqlite")

    def solve(seen: Sequence[Seen]) -> str:
        mine = [
            row
            for row in rows_of(seen, _SETTINGS)
            if (row["environment"], row["python_version"], row["database_backend"]) == wanted
        ]
        return f"{mine[0]['default_value']} with {mine[0]['cache_backend']}" if len(mine) == 1 else UNKNOWN

    at = next(
        at
        for at, row in enumerate(rows)
        if (row["environment"], row["python_version"], row["database_backend"]) == wanted
    )
    gold = f"{rows[at]['default_value']} with {rows[at]['cache_backend']}"
    question = "Is enable_async_writes on by default in staging on Python 3.13 with sqlite, and with which cache?"
    return conversation("config-matrices", "code", [json.dumps(rows, indent=2)], question, solve, gold)


_APPS = ("web", "jobs", "admin")
_CALLS = ("path", "line", "caller", "callee", "edge_kind", "confidence")


def call_list() -> Task:
    """How many callers of one of two functions of the same name?"""
    rows = [
        {
            "path": f"src/project/{_APPS[at % 3]}/{('views', 'tasks', 'forms', 'signals')[at % 4]}.py",
            "line": 17 + at * 23 % 400,
            "caller": f"project.{_APPS[at % 3]}.Handler{at % 7}.run",
            "callee": ("project.store.Session.commit", "project.queue.Session.commit")[at * at % 3 % 2],
            "edge_kind": ("call", "reference")[at % 5 == 0],
            "confidence": ("certain", "likely", "possible")[at % 3],
        }
        for at in range(46)
    ]
    wanted = "project.queue.Session.commit"

    def solve(seen: Sequence[Seen]) -> str:
        mine = [row for row in rows_of(seen, _CALLS) if row["callee"] == wanted and row["edge_kind"] == "call"]
        return str(len(mine)) if mine else UNKNOWN

    gold = str(sum(1 for row in rows if row["callee"] == wanted and row["edge_kind"] == "call"))
    question = f"From how many places is {wanted} called, references aside?"
    return conversation("call-lists", "code", [json.dumps(rows, indent=2)], question, solve, gold)


def log_lines() -> Task:
    """When was one request served with an error, in a log whose lines share their shape?"""
    lines = [
        f"2025-05-04T08:{at % 60:02d}:{at * 7 % 60:02d}Z worker-{at % 4} INFO project.web.server finished request "
        f"number {1000 + at * 37} with status {(200, 200, 404, 200, 500)[at % 5]} after {at * 13 % 90} ms"
        for at in range(58)
    ]
    source = "\n".join(lines) + "\n"

    def solve(seen: Sequence[Seen]) -> str:
        found = [line for text in texts_of(seen) for line in text.split("\n") if " number 1518 " in line]
        return found[0].partition(" ")[0] if found else UNKNOWN

    return conversation(
        "log-lines", "code", [source], "When was request number 1518 served?", solve, lines[14].partition(" ")[0]
    )


CODE_FAMILIES = (import_headers, test_table, config_matrix, call_list, log_lines)
