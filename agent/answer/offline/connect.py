"""How do X and Y connect: the shortest path between them with the proving line of each hop."""

from __future__ import annotations

from itertools import combinations, product

from agent.answer.offline.context import Context, Draft, title, unique, where
from agent.answer.offline.impact import hop_text
from agent.answer.offline.relations import sites
from agent.answer.offline.wording import code, plural
from retrieval.records import CONFIDENCE_RANK, Confidence, Edge, Role, SymbolRow

MAX_TARGETS = 4
MAX_MEANINGS = 4  # of one name, of which the surest path chooses
MAX_GAPS = 8  # unresolved calls shown for each end


def answer_connect(context: Context) -> Draft:
    draft = Draft()
    rows = context.targets[:MAX_TARGETS]
    pairs = [_surest(context, *pair) for pair in combinations(rows, 2)]
    draft.say(*(where(context, row) for row in (unique([row for pair in pairs for row in pair]) or rows)))
    if len(rows) < 2:
        draft.gap()
        draft.say(
            "The evidence does not show a second definition that the question names, so there is no path to look for."
        )
        return draft
    for first, second in pairs:
        draft.gap()
        _between(context, first, second, draft)
    return draft


def _surest(context: Context, first: SymbolRow, second: SymbolRow) -> tuple[SymbolRow, SymbolRow]:
    """The definitions of both names that the surest, then shortest path joins.

    ``how does Flask.wsgi_app reach make_response``: the method of the class, not the function of the same name. A path
    that rests on a guess, or none, says little about which definition was meant.
    """
    if context.graph is None:
        return first, second
    best: tuple[tuple[int, int], SymbolRow, SymbolRow] | None = None
    for start, end in product(_of_one_name(context, first), _of_one_name(context, second)):
        path = context.graph.path_between(start.symbol.qualname, end.symbol.qualname)
        if not path:
            continue
        key = (max(CONFIDENCE_RANK[edge.confidence] for edge in path), len(path))
        if best is None or key < best[0]:
            best = key, start, end
    return best[1:] if best else (first, second)


def _of_one_name(context: Context, row: SymbolRow) -> list[SymbolRow]:
    """The definition that a name is taken for, and the other code that has it."""
    same = [each for each in context.alternatives if each.symbol.name == row.symbol.name and each.role is Role.CODE]
    return [row, *same][:MAX_MEANINGS]


def _between(context: Context, first: SymbolRow, second: SymbolRow, draft: Draft) -> None:
    a, b = code(title(first.symbol.qualname), 200), code(title(second.symbol.qualname), 200)
    if context.graph is None:
        draft.say("The evidence does not show relations: this index has no graph.")
        return
    path = context.graph.path_between(first.symbol.qualname, second.symbol.qualname)
    if not path:
        draft.say(
            f"The evidence does not show a connection: no path of calls, imports or inheritance joins {a} and {b}."
        )
        _gaps(context, first, draft)
        _gaps(context, second, draft)
        return
    start = context.book.cite(first.path, first.symbol.def_line, names=(first.symbol.qualname,))
    end = context.book.cite(second.path, second.symbol.def_line, names=(second.symbol.qualname,))
    draft.say(f"{a} and {b} are joined by a path of {plural(len(path), 'step')} {start}{end}:")
    for number, edge in enumerate(path, start=1):
        draft.say(f"{number}. {hop_text(context, edge, first=True)}{_sure(edge)}")
    _line_of_thought(path, draft)


def _gaps(context: Context, row: SymbolRow, draft: Draft) -> None:
    """Calls near one end whose target nobody could tell: a path may lead through them."""
    found = context.graph.gaps(row.symbol.qualname) if context.graph is not None else ()
    if not found:
        return
    draft.gap()
    # A callable held in a variable may be anything; a method of an unknown object is most often one from outside.
    shown = sorted(found, key=lambda edge: edge.rule != "unknown-value")[:MAX_GAPS]
    rest = f"; {len(shown)} of them" if len(shown) < len(found) else ""
    name = code(title(row.symbol.qualname), 200)
    draft.say(
        f"Inference: a path may lead through {plural(len(found), 'call')} near {name} that could not be resolved{rest}:"
    )
    draft.say(*sites(context, sorted(shown, key=lambda edge: (edge.path, edge.line)), "calls what is not known"))


def _sure(edge: Edge) -> str:
    return "" if edge.confidence is Confidence.CERTAIN else f" ({edge.confidence.value})"


def _line_of_thought(path: tuple[Edge, ...], draft: Draft) -> None:
    if any(edge.confidence is Confidence.POSSIBLE for edge in path):
        draft.say("", "Inference: a step marked possible rests on a name alone, so the path may not be taken.")
