"""What breaks if X changes: what depends on it, by distance, with the proving chain; and which tests cover it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from agent.answer.offline.bearing import ask_of, say_bearing
from agent.answer.offline.context import Context, Draft, label, title, where
from agent.answer.offline.ports import Reach
from agent.answer.offline.relations import is_behind_decorator, possible_uses
from agent.answer.offline.wording import code, not_listed, plural
from retrieval.records import CONFIDENCE_WEIGHT, Confidence, Edge, EdgeKind, SymbolRow

MAX_DISTANCE = 3
MAX_TEST_DISTANCE = 4  # calls from a test
MAX_LISTED = 50  # dependents
MAX_INDIRECT = 10  # of them at each distance beyond the first
MAX_DIRECT = 12  # of them, where a change is only supposed
MAX_CHANGED = 2  # symbols whose change is supposed
MAX_TESTS = 50
MAX_INDIRECT_TESTS = 15
MAX_TESTS_OF_IMPACT = 10  # tests listed behind dependents
MAX_FILES = 6  # named when a list is cut
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
        reached = context.graph.impact(row.symbol.qualname, MAX_DISTANCE, _SEARCH_LIMIT, Confidence.LIKELY)
        tests = context.graph.tests_for(row.symbol.qualname, _SEARCH_LIMIT, MAX_TEST_DISTANCE)
        covering = {reach.qualname for reach in tests}
        uses = context.graph.edges_into(row.symbol.qualname, (EdgeKind.CALL,))
        others = [reach for reach in reached if reach.qualname not in covering]
        if others or not any(map(is_behind_decorator, uses)):  # else those calls are what depends on it
            _dependents(context, row, others, draft, len(tests))
        proven = {(edge.path, edge.line) for reach in (*reached, *tests) for edge in reach.chain}
        possible_uses(
            context, [edge for edge in uses if _is_open(edge) and (edge.path, edge.line) not in proven], draft
        )
        _tests(context, row, tests, draft, MAX_TESTS_OF_IMPACT)
    return draft


def answer_change(context: Context) -> Draft:
    """``If X did otherwise, what would …``: what directly depends on X, what X does, and what bears on the rest."""
    draft = Draft()
    for row in context.targets[:MAX_CHANGED]:
        if context.graph is None or row.symbol.kind == "module":
            continue
        reached = list(context.graph.impact(row.symbol.qualname, 1, MAX_LISTED, Confidence.LIKELY))
        ordered = sorted(
            reached, key=lambda reach: (not context.book.is_code(reach.chain[0].path), -_certainty(reach.chain))
        )
        shown = [reach for reach in ordered if context.book.is_code(reach.chain[0].path)] or ordered
        if shown:
            draft.gap()
            count = len(shown)
            depend = f"{plural(count, 'definition')} {'depends' if count == 1 else 'depend'}"
            beside = f", beside {len(reached) - count} in tests, examples or documents" if count < len(reached) else ""
            draft.say(f"{depend} on {code(title(row.symbol.qualname), 200)} directly{beside}:")
            draft.say(*(f"- {chain_text(context, reach)}" for reach in shown[:MAX_DIRECT]))
            _cut(draft, shown, MAX_DIRECT, "dependents", row)
    draft.gap()
    say_bearing(context, ask_of(context), draft, lead=context.targets[:MAX_CHANGED], others=3)
    return draft


def answer_tests(context: Context) -> Draft:
    draft = Draft()
    for row in context.meant()[:MAX_TARGETS]:
        draft.gap()
        draft.say(where(context, row))
        if context.graph is None:
            draft.say("The evidence does not show tests: this index has no graph.")
            continue
        tests = context.graph.tests_for(row.symbol.qualname, _SEARCH_LIMIT, MAX_TEST_DISTANCE)
        _tests(context, row, tests, draft, MAX_TESTS)
    return draft


def _is_open(edge: Edge) -> bool:
    """Tied to the symbol by its name alone."""
    return edge.confidence is Confidence.POSSIBLE


def _dependents(context: Context, row: SymbolRow, reached: Sequence[Reach], draft: Draft, tests: int) -> None:
    cited = context.book.cite(row.path, row.symbol.def_line, names=(row.symbol.qualname,))
    name = code(title(row.symbol.qualname), 200)
    if not reached and tests:
        draft.say(f"Only tests depend on {name} in the graph of the indexed tree {cited}.")
        draft.say("Inference: a change breaks no other code by name, unless it is used dynamically or from outside.")
        return
    if not reached:
        draft.say(f"Nothing in the graph of the indexed tree depends on {name} {cited}.")
        draft.say("Inference: a change breaks nothing here by name, unless it is used dynamically or from outside.")
        return
    total = plural(len(reached), "definition") + (" or more" if len(reached) >= _SEARCH_LIMIT else "")
    draft.say(f"{total} {'depends' if len(reached) == 1 else 'depend'} on {name} within {MAX_DISTANCE} steps {cited}.")
    ordered = sorted(
        reached,
        key=lambda reach: (reach.distance, not context.book.is_code(reach.chain[0].path), -_certainty(reach.chain)),
    )
    left = MAX_LISTED
    for distance, group in groupby(ordered, key=lambda reach: reach.distance):
        members = list(group)
        shown = members[: min(left, MAX_LISTED if distance == 1 else MAX_INDIRECT)]
        left -= len(shown)
        draft.gap()
        how = "directly" if distance == 1 else f"through {plural(distance - 1, 'other definition')}"
        count = len(members)
        if shown:
            draft.say(f"{plural(count, 'definition')} {'depends' if count == 1 else 'depend'} on it {how}:")
            draft.say(*(f"- {chain_text(context, reach)}" for reach in shown))
        _cut(draft, members, len(shown), f"dependents at distance {distance}", row)


def _tests(context: Context, row: SymbolRow, tests: Sequence[Reach], draft: Draft, limit: int) -> None:
    """Tests that exercise it themselves, then those that reach it over calls, with the chain."""
    cited = context.book.cite(row.path, row.symbol.def_line, names=(row.symbol.qualname,))
    name = code(title(row.symbol.qualname), 200)
    draft.gap()
    maybe, omitted = context.graph.possible_tests(row.symbol.qualname) if context.graph else ((), 0)
    proven = {(edge.path, edge.line) for reach in tests for edge in reach.chain}
    possible = [edge for edge in maybe if (edge.path, edge.line) not in proven]
    if not tests:
        certain = "certain or likely " if possible else ""
        draft.say(f"No {certain}test reaches {name} within {MAX_TEST_DISTANCE} steps in the graph {cited}.")
        if not possible:
            draft.say("Inference: tests may still reach it over more steps, or over calls that could not be resolved.")
    ordered = sorted(tests, key=lambda reach: (reach.distance, -_certainty(reach.chain)))
    direct = [reach for reach in ordered if reach.distance == 1]
    indirect = [reach for reach in ordered if reach.distance > 1]
    if direct:
        verb = "exercises" if len(direct) == 1 else "exercise"
        draft.say(f"{plural(len(direct), 'test')} {verb} {name} directly {cited}:")
        draft.say(*(f"- {chain_text(context, reach)}" for reach in direct[:limit]))
        _cut(draft, direct, limit, "direct tests", row)
    if indirect:
        draft.gap()
        further = "further test" if direct else "test"
        verb = "reaches" if len(indirect) == 1 else "reach"
        draft.say(f"{plural(len(indirect), further)} {verb} {name} indirectly, through the calls shown {cited}:")
        shown = min(limit, MAX_INDIRECT_TESTS)
        draft.say(*(f"- {chain_text(context, reach)}" for reach in indirect[:shown]))
        _cut(draft, indirect, shown, "indirect tests", row)
    possible_uses(context, possible, draft, limit)
    if omitted:
        draft.notes.append(
            f"{plural(omitted, 'unresolved call')} of a {row.symbol.name} left out: too many definitions have the name"
        )


def _cut(draft: Draft, reached: Sequence[Reach], shown: int, what: str, row: SymbolRow) -> None:
    """Says how many are left out, in which files all of them are, and what lists them."""
    if len(reached) <= shown:
        return
    files = Counter(reach.chain[0].path for reach in reached)
    told = ", ".join(f"{path} ({count})" for path, count in files.most_common(MAX_FILES))
    more = f" and {plural(len(files) - MAX_FILES, 'more file')}" if len(files) > MAX_FILES else ""
    relation = "tests" if "tests" in what else "impact"
    every = f"all of them: contextc graph {relation} {title(row.symbol.qualname)}"
    draft.notes.append(f"{not_listed(len(reached) - shown, what)}; all by file: {told}{more}; {every}")


def chain_text(context: Context, reach: Reach) -> str:
    """``` `b` at `x.py:12` calls `C.f` [4:12], which calls `g` (line 3) [5:3] (likely)```: the weakest hop counts."""
    hops = [hop_text(context, edge, first=at == 0) for at, edge in enumerate(reach.chain)]
    weakest = min(reach.chain, key=lambda edge: CONFIDENCE_WEIGHT[edge.confidence]).confidence
    joined = ", which ".join(hops)
    opening = "Inference: " if weakest is Confidence.POSSIBLE else ""
    sure = "" if weakest is Confidence.CERTAIN else f" ({weakest.value})"
    return f"{opening}{joined}{sure}"


def hop_text(context: Context, edge: Edge, *, first: bool) -> str:
    """One hop with the line that proves it. Without ``first`` the source is left out."""
    cited = context.book.cite(edge.path, edge.line, names=(edge.src,), resolved=(edge.dst,))
    verb = _HOP.get(edge.kind, "uses")
    target = code(label(context, edge.dst), 200)
    if not first:
        return f"{verb} {target} (line {edge.line}) {cited}"
    return f"{code(label(context, edge.src), 200)} at {code(f'{edge.path}:{edge.line}', 300)} {verb} {target} {cited}"


def _certainty(chain: Sequence[Edge]) -> float:
    product = 1.0
    for edge in chain:
        product *= CONFIDENCE_WEIGHT[edge.confidence]
    return product
