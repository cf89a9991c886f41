"""The tables of a run: pass rates by domain and sub-category, McNemar's tests, and the cost table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent.cca.client import Usage
from agent.cca.protocol import Cost, amortised
from harness.report.tables import Table
from harness.stats.holm import holm
from harness.stats.intervals import wilson
from harness.stats.mcnemar import mcnemar

Row = Mapping[str, Any]


def tables(prepared: Sequence[Row], tasks: Sequence[Row]) -> list[Table]:
    """Of the rows as ``run.read_rows`` gives them; methods in the order in which they first occur."""
    methods = list(dict.fromkeys(row["method"] for row in tasks))
    found = [_overall(methods, tasks), _by("category", "Passed by domain", methods, tasks)]
    found.append(_by("sub_category", "Passed by sub-category", methods, tasks))
    if len(methods) > 1:
        found.append(_tests(methods, tasks))
    found.append(_costs(methods, prepared, tasks))
    found.append(_phases(methods, prepared, tasks))
    return [table for table in found if table.rows]


def _overall(methods: Sequence[str], tasks: Sequence[Row]) -> Table:
    rows = []
    for method in methods:
        own = [row for row in tasks if row["method"] == method]
        graded = [row for row in own if row["grade"]["passed"] is not None]
        passed = sum(row["grade"]["passed"] for row in graded)
        met = [verdict for row in graded for verdict in row["grade"]["rubrics"].values() if verdict is not None]
        low, high = wilson(passed, len(graded))
        corrected = sum(bool(row["meta"].get("corrected")) for row in own)
        rows.append(
            (
                method,
                f"{passed}/{len(graded)}",
                _percent(passed, len(graded)),
                f"[{100 * low:.1f}, {100 * high:.1f}]",
                _percent(sum(met), len(met)),
                str(len(own) - len(graded)),
                str(corrected),
            )
        )
    header = ("method", "passed", "%", "95 %", "criteria met %", "ungraded", "corrected")
    return Table("Tasks passed (every criterion met)", header, tuple(rows))


def _by(key: str, title: str, methods: Sequence[str], tasks: Sequence[Row]) -> Table:
    groups = sorted({row[key] for row in tasks if row[key]})
    rows = []
    for group in groups:
        cells = []
        for method in methods:
            verdicts = [
                row["grade"]["passed"]
                for row in tasks
                if row["method"] == method and row[key] == group and row["grade"]["passed"] is not None
            ]
            cells.append(f"{sum(verdicts)}/{len(verdicts)} {_percent(sum(verdicts), len(verdicts))}")
        rows.append((group, *cells))
    return Table(title, (key.replace("_", "-"), *(f"{method} %" for method in methods)), tuple(rows))


def _tests(methods: Sequence[str], tasks: Sequence[Row]) -> Table:
    """Each method against the first one, over the tasks that both have graded."""
    verdicts = {
        method: {row["task_id"]: row["grade"]["passed"] for row in tasks if row["method"] == method}
        for method in methods
    }
    first, others = methods[0], methods[1:]
    found = []
    for method in others:
        shared = [
            task
            for task, passed in verdicts[first].items()
            if passed is not None and verdicts[method].get(task) is not None
        ]
        before, after = [bool(verdicts[first][t]) for t in shared], [bool(verdicts[method][t]) for t in shared]
        found.append((method, len(shared), mcnemar(before, after)))
    adjusted = holm([test.p for _, _, test in found])
    rows = tuple(
        (
            f"{method} against {first}",
            str(n),
            str(test.gained),
            str(test.lost),
            f"{100 * (test.gained - test.lost) / n:+.1f}" if n else "–",
            f"{test.p:.4f}",
            f"{p:.4f}",
        )
        for (method, n, test), p in zip(found, adjusted, strict=True)
    )
    header = ("pair", "tasks", "gained", "lost", "points", "p", "p (Holm)")
    return Table("McNemar's exact test", header, rows)


def costs(method: str, prepared: Sequence[Row], tasks: Sequence[Row]) -> Cost:
    offline = [_usage(row) for row in prepared if row["method"] == method]
    return amortised(offline, [_usage(row) for row in tasks if row["method"] == method])


def _costs(methods: Sequence[str], prepared: Sequence[Row], tasks: Sequence[Row]) -> Table:
    found = {method: costs(method, prepared, tasks) for method in methods}
    base = found[methods[0]] if methods else None
    rows = []
    for method, cost in found.items():
        rows.append(
            (
                method,
                f"{cost.tasks / cost.contexts:.2f}" if cost.contexts else "–",
                f"{cost.offline:,.0f}",
                f"{cost.online:,.0f}",
                f"{cost.tokens:,.0f}",
                f"{cost.tokens / base.tokens:.2f}" if base and base.tokens else "–",
                f"{cost.offline_seconds:.2f}",
                f"{cost.online_seconds:.2f}",
                f"{cost.seconds / base.seconds:.2f}" if base and base.seconds else "–",
            )
        )
    header = ("method", "tasks a context", "offline", "online", "tokens", "x", "offline s", "online s", "x s")
    return Table("Cost a task: tokens and seconds, preparing shared out over a context's tasks", header, tuple(rows))


def _phases(methods: Sequence[str], prepared: Sequence[Row], tasks: Sequence[Row]) -> Table:
    rows = []
    for method in methods:
        for half, source in (("offline", prepared), ("online", tasks)):
            spent: dict[str, Usage] = {}
            for row in source:
                if row["method"] == method:
                    for phase, usage in _usage(row).items():
                        spent[phase] = spent.get(phase, Usage()) + usage
            for phase, usage in spent.items():
                figures = (usage.calls, usage.prompt_tokens, usage.completion_tokens)
                rows.append((f"{method}: {phase}", half, *(f"{each:,}" for each in figures), f"{usage.seconds:.1f}"))
    return Table("Spent by phase, all tasks", ("phase", "", "calls", "prompt", "completion", "s"), tuple(rows))


def _usage(row: Row) -> dict[str, Usage]:
    return {
        phase: Usage(each["calls"], each["prompt_tokens"], each["completion_tokens"], each["seconds"])
        for phase, each in row["usage"].items()
    }


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "–"
