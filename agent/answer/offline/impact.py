"""What breaks if X changes: what depends on it, by distance, with the proving chain; and which tests cover it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from agent.answer.offline.context import Context, Draft, where
from agent.answer.offline.ports import Reach
from agent.answer.offline.wording import code, plural
from retrieval.records import CONFIDENCE_WEIGHT, Confidence, Edge, EdgeKind, SymbolRow

MAX_DISTANCE = 3
MAX_LISTED = 60
MAX_TESTS = 40
MAX_TARGETS = 3
_SEARCH_LIMIT = 2_000  # dependents looked at before counting stops
_HOP = {
    EdgeKind.CALL: "calls",
    EdgeKind.REFERENCE: "refers to",
    EdgeKind.INHERIT: "derives from",
    EdgeKind.IMPORT: "imports",
    EdgeKind.TEST: "tests",
    EdgeKind.CONTAIN: "contains",
}


def answer_impact(context: Context) -> Draft:
    draft = Draft()
    for row in context.meant()[:MAX_TARGETS]:
        draft.gap()
        draft.say(where(context, row))
        if context.graph is None:
            draft.say("The evidence does not show dependents: this index has no graph.")
            continue
        reached = context.graph.impact(row.symbol.qualname, MAX_DISTANCE, _SEARCH_LIMIT)
        tests = context.graph.tests_for(row.symbol.qualname, _SEARCH_LIMIT)
        covering = {reach.qualname for reach in tests}
        _dependents(context, row, [reach for reach in reached if reach.qualname not in covering], draft)
        _tests(context, row, tests, draft)
    return draft


def answer_tests(context: Context) -> Draft:
    draft = Draft()
    for row in context.meant()[:MAX_TARGETS]:
        draft.gap()
        draft.say(where(context, row))
        if context.graph is None:
            draft.say("The evidence does not show tests: this index has no graph.")
            continue
        _tests(context, row, context.graph.tests_for(row.symbol.qualname, _SEARCH_LIMIT), draft)
    return draft


def _dependents(context: Context, row: SymbolRow, reached: Sequence[Reach], draft: Draft) -> None:
    cited = context.book.cite(row.path, row.symbol.def_line, names=(row.symbol.qualname,))
    name = code(row.symbol.qualname, 200)
    if not reached:
        draft.say(f"Nothing in the graph of the indexed tree depends on {name} {cited}.")
        draft.say("Inference: a change breaks nothing here by name, unless it is used dynamically or from outside.")
        return
    total = plural(len(reached), "definition") + (" or more" if len(reached) >= _SEARCH_LIMIT else "")
    draft.say(f"{total} {'depends' if len(reached) == 1 else 'depend'} on {name} within {MAX_DISTANCE} steps {cited}.")
    per_distance = Counter(reach.distance for reach in reached)
    listed = sorted(
        reached,
        key=lambda reach: (reach.distance, not context.book.is_code(reach.chain[0].path), -_certainty(reach.chain)),
    )[:MAX_LISTED]
    for distance, group in groupby(listed, key=lambda reach: reach.distance):
        members = list(group)
        draft.gap()
        how = "directly" if distance == 1 else f"through {plural(distance - 1, 'other definition')}"
        count = per_distance[distance]
        draft.say(f"{plural(count, 'definition')} {'depends' if count == 1 else 'depend'} on it {how}:")
        draft.say(*(f"- {chain_text(context, reach)}" for reach in members))
    if len(reached) > len(listed):
        draft.notes.append(f"{len(reached) - len(listed)} more dependents are not listed (limit {MAX_LISTED})")


def _tests(context: Context, row: SymbolRow, tests: Sequence[Reach], draft: Draft) -> None:
    cited = context.book.cite(row.path, row.symbol.def_line, names=(row.symbol.qualname,))
    name = code(row.symbol.qualname, 200)
    draft.gap()
    if not tests:
        draft.say(f"No test that exercises {name} is in the graph of the indexed tree {cited}.")
        draft.say("Inference: tests may still reach it over calls that could not be resolved.")
        return
    ordered = sorted(tests, key=lambda reach: (reach.distance, -_certainty(reach.chain)))
    listed = ordered[:MAX_TESTS]
    exercise = "exercises" if len(tests) == 1 else "exercise"
    draft.say(f"{plural(len(tests), 'test')} {exercise} {name} {cited}:")
    draft.say(*(f"- {chain_text(context, reach)}" for reach in listed))
    if len(tests) > len(listed):
        draft.notes.append(f"{len(tests) - len(listed)} more tests are not listed (limit {MAX_TESTS})")


def chain_text(context: Context, reach: Reach) -> str:
    """``` `a.b` calls `c.d` (line 12) [4:12], which calls `e.f` (line 3) [5:3] (likely)```: the weakest hop counts."""
    hops = [hop_text(context, edge, first=at == 0) for at, edge in enumerate(reach.chain)]
    weakest = min(reach.chain, key=lambda edge: CONFIDENCE_WEIGHT[edge.confidence]).confidence
    joined = ", which ".join(hops)
    label = "Inference: " if weakest is Confidence.POSSIBLE else ""
    return f"{label}{joined} ({weakest.value})"


def hop_text(context: Context, edge: Edge, *, first: bool) -> str:
    """One hop with the line that proves it. Without ``first`` the source is left out."""
    cited = context.book.cite(edge.path, edge.line, names=(edge.src,), resolved=(edge.dst,))
    verb = _HOP.get(edge.kind, "uses")
    source = f"{code(edge.src, 200)} " if first else ""
    return f"{source}{verb} {code(edge.dst, 200)} (line {edge.line}) {cited}"


def _certainty(chain: Sequence[Edge]) -> float:
    product = 1.0
    for edge in chain:
        product *= CONFIDENCE_WEIGHT[edge.confidence]
    return product
