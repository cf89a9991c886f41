"""Runs checks: a total function from (check, answer) to a verdict. It cannot raise, loop or touch the system.

``no_verdict`` is an outcome of its own: the check does not apply here, or could not be decided. It is never counted
as a violation, for a false alarm costs more than a miss: correction would edit a good answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agent.cca import checks as c
from agent.cca import text_checks as t
from agent.cca.code_source import judge_code
from agent.cca.csv_checks import judge_csv_form
from agent.cca.formats import judge_keys, judge_schema, judge_table, judge_valid
from agent.cca.indents import judge_indent
from agent.cca.json_checks import judge_json_form
from agent.cca.layout_checks import judge_layout
from agent.cca.numeric import judge_numeric
from agent.cca.part_checks import judge_pieces, judge_series, named
from agent.cca.pieces import pieces
from agent.cca.properties import judge_property
from agent.cca.python_checks import judge_python
from agent.cca.sql_source import judge_sql
from agent.cca.views import Span, View

Status = Literal["holds", "violated", "no_verdict"]

_MAX_STEPS = 20_000  # checks run for one answer, ``every`` counting once a unit


@dataclass(frozen=True, slots=True)
class Verdict:
    """``spans``: the places in the answer that the verdict is about, at most 20. ``message``: one clause."""

    status: Status
    message: str = ""
    spans: tuple[Span, ...] = ()


HOLDS = Verdict("holds")
_NEGATIVE = frozenset(
    {"absent", "charset", "line_length"}
)  # an answer without code neither keeps nor breaks them there


def run_check(check: Any, answer: str | View, question: str | None = None) -> Verdict:
    """The verdict of one check about an answer. Never raises.

    Args:
        question: What the answer answers; without it a check that hangs on the question gives no verdict.
    """
    try:
        view = answer if isinstance(answer, View) else View(answer)
        return _Run(view, None if question is None else View(question)).judge(check, 0)
    except Exception as error:  # the last guard of totality: a fault of ours is no violation of theirs
        return Verdict("no_verdict", f"could not be checked ({type(error).__name__})")


class _Run:
    def __init__(self, view: View, question: View | None = None) -> None:
        self.view = view
        self.question = question
        self.steps = 0

    def judge(self, check: Any, depth: int) -> Verdict:
        self.steps += 1
        if depth > c.MAX_DEPTH or self.steps > _MAX_STEPS:
            return Verdict("no_verdict", "too large to check")
        judge = _JUDGES.get(check.op)
        if check.op in _NEGATIVE and check.within in ("code", "bare_code") and not self.view.code_lines:
            return Verdict("no_verdict", "there is no code")
        return judge(self, check, depth) if judge else Verdict("no_verdict", "unknown check")


def _contains(run: _Run, check: c.Contains, depth: int) -> Verdict:
    if check.of == "question":
        if run.question is None:
            return Verdict("no_verdict", "the question is not known")
        return Verdict(*t.judge_contains(run.question, check))
    return Verdict(*t.judge_contains(run.view, check))


def _property(run: _Run, check: c.Property, depth: int) -> Verdict:
    return Verdict(*judge_property(run.view, check, lambda text: _of_text(run, check, text, depth)))


def _of_text(run: _Run, check: c.Property, text: str, depth: int) -> str:
    """What is wrong with a property's text; "" for nothing."""
    inner = _Run(View(text), run.question)
    inner.steps = run.steps
    verdict = inner.judge(check.check, depth + 1)
    run.steps = inner.steps
    return verdict.message or "is what must not be" if verdict.status == "violated" else ""


def _every(run: _Run, check: c.Every, depth: int) -> Verdict:
    return _over(run, run.view.units(check.scope), check, check.scope, depth)


def _each(run: _Run, check: c.Each, depth: int) -> Verdict:
    spans = pieces(run.view, check.part)
    if not spans and check.required:
        return Verdict("violated", f"there is no {named(check.part)}")
    return _over(run, spans, check, named(check.part), depth)


def _over(run: _Run, units: Sequence[Span], check: c.Every | c.Each, name: str, depth: int) -> Verdict:
    judged = held = 0
    broken: list[Span] = []
    message = ""
    for unit in units:
        inner = _Run(View(run.view.of(unit)), run.question)
        inner.steps = run.steps
        if check.selects is not None and inner.judge(check.selects, depth + 1).status != "holds":
            run.steps = inner.steps
            continue
        verdict = inner.judge(check.check, depth + 1)
        run.steps = inner.steps
        if run.steps > _MAX_STEPS:
            return Verdict("no_verdict", "too large to check")
        judged += verdict.status != "no_verdict"
        held += verdict.status == "holds"
        if verdict.status == "violated":
            broken.append(unit)
            message = message or verdict.message
    if broken and not (held and isinstance(check, c.Each) and check.one):
        return Verdict("violated", f"{len(broken)} of its {name}s: {message}", tuple(broken[: t.MAX_SPANS]))
    return HOLDS if judged else Verdict("no_verdict", f"there is no {name} to check")


def _when(run: _Run, check: c.When, depth: int) -> Verdict:
    if run.judge(check.condition, depth + 1).status != "holds":
        return Verdict("no_verdict", "its condition is not met here")
    return run.judge(check.then, depth + 1)


def _all(run: _Run, check: c.AllOf, depth: int) -> Verdict:
    verdicts = [run.judge(each, depth + 1) for each in check.checks]
    broken = [verdict for verdict in verdicts if verdict.status == "violated"]
    if broken:
        spans = tuple(span for verdict in broken for span in verdict.spans)
        return Verdict("violated", "; ".join(dict.fromkeys(v.message for v in broken))[:400], spans[: t.MAX_SPANS])
    return HOLDS if any(v.status == "holds" for v in verdicts) else verdicts[0]


def _any(run: _Run, check: c.AnyOf, depth: int) -> Verdict:
    verdicts = [run.judge(each, depth + 1) for each in check.checks]
    for wanted in ("holds", "no_verdict"):
        for verdict in verdicts:
            if verdict.status == wanted:
                return verdict
    return Verdict("violated", " and ".join(dict.fromkeys(v.message for v in verdicts))[:400])


def _not(run: _Run, check: c.Not, depth: int) -> Verdict:
    verdict = run.judge(check.check, depth + 1)
    if verdict.status == "no_verdict":
        return verdict
    if verdict.status == "violated":
        return HOLDS
    return Verdict("violated", "is what must not be", verdict.spans)


def _by_view(judge: Callable[[View, Any], tuple[Status, str, tuple[Span, ...]]]) -> Callable[[_Run, Any, int], Verdict]:
    return lambda run, check, depth: Verdict(*judge(run.view, check))


_JUDGES: dict[str, Callable[[_Run, Any, int], Verdict]] = {
    "contains": _contains,
    "property": _property,
    "every": _every,
    "each": _each,
    "pieces": _by_view(judge_pieces),
    "series": _by_view(judge_series),
    "sql": _by_view(judge_sql),
    "code": _by_view(judge_code),
    "when": _when,
    "all": _all,
    "any": _any,
    "not": _not,
    "absent": _by_view(t.judge_absent),
    "matches": _by_view(t.judge_matches),
    "count": _by_view(t.judge_count),
    "order": _by_view(t.judge_order),
    "starts": _by_view(t.judge_starts),
    "ends": _by_view(t.judge_ends),
    "charset": _by_view(t.judge_charset),
    "case": _by_view(t.judge_case),
    "language": _by_view(t.judge_language),
    "sorted": _by_view(t.judge_sorted),
    "line_length": _by_view(t.judge_line_length),
    "sections": _by_view(t.judge_sections),
    "valid": _by_view(judge_valid),
    "schema": _by_view(judge_schema),
    "keys": _by_view(judge_keys),
    "table": _by_view(judge_table),
    "numeric": _by_view(judge_numeric),
    "indent": _by_view(judge_indent),
    "layout": _by_view(judge_layout),
    "python_code": _by_view(judge_python),
    "json_form": _by_view(judge_json_form),
    "csv_form": _by_view(judge_csv_form),
}
