"""What bears on the question: the definition that fits best told at length, the next ones by what they add."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent.answer.offline.asked import Asked, asked, similarities
from agent.answer.offline.context import Context, Draft, doc_statements, find_lines, label, title, where
from agent.answer.offline.flow import call_flow
from agent.answer.offline.places import NEXT_TO_TOLD, Place, linked_to, places_of
from agent.answer.offline.tell import chosen_units, unit_lines
from agent.answer.offline.values import say_values
from agent.answer.offline.wording import code, doc_sentences, plural, quote
from retrieval.compile.value_wording import asks_about_the_build
from retrieval.pack_records import QuestionClass
from retrieval.records import Confidence, EdgeKind, SymbolRow

LEAD_LINES = 8
OTHER_LINES = (4, 4, 3, 3, 3, 3, 2)
_HEADS = frozenset({QuestionClass.ARCHITECTURE, QuestionClass.LOCATE})
_RUNNERS = 6  # best definitions, of which one may run the others
_BESIDES_THE_BUILD = 2  # definitions
MAX_NEXT = 3  # definitions that are named and not told
_LEAD_DOC = 2  # first sentences of the docstring
_MAX_CALLERS = 3
_LEAST_STRENGTH = 0.35  # below it no likeness in meaning is trusted
_MEANS_IT = 0.9  # strength and cosine similarity together: answerable questions lie above, others below 0.85
SERVES_A_PART = 1.0  # holds the sentence or statement that is nearest to one part of the question
_FAR_IN_LEAD = 0.2  # of the lead's best unit's value: what is below is left out
_FAR = 0.5  # of the best unit's value: what is below is told of the lead alone


def ask_of(context: Context, without: Sequence[str] = ()) -> Asked:
    texts = [f"{chunk.path} {chunk.symbol}\n{chunk.source}" for chunk in context.pack.chunks]
    return asked(context.pack.question, texts, without)


def means_it(context: Context) -> bool:
    """Whether a statement or sentence of the evidence is so near to the question in meaning that it makes up for words
    that the evidence does not have: strength sees whole chunks, and in them one sentence drowns."""
    from retrieval.search.strength import MIN_STRENGTH

    strength = context.pack.strength
    if not _LEAST_STRENGTH <= strength < MIN_STRENGTH:  # at the floor and above, something else made the pack thin
        return False
    asking = ask_of(context)
    texts = [unit.text for place in places_of(context, asking) for unit in place.units]
    return bool(texts) and strength + float(similarities(asking.parts[:1], texts).max()) >= _MEANS_IT


def say_bearing(
    context: Context,
    asking: Asked,
    draft: Draft,
    *,
    lead: Sequence[SymbolRow] = (),
    told: Collection[str] = (),
    others: int = len(OTHER_LINES),
) -> list[Place]:
    """Tell the places that fit, best first; those of ``lead`` first of all.

    Args:
        told: Qualified names that the answer has told of already.

    Returns:
        The places told, in order.
    """
    places = [place for place in places_of(context, asking, lead) if place.qualname not in told and place.units]
    places = [place for place in places if _may_lead(context, place)] + [
        place for place in places if not _may_lead(context, place)
    ]
    if not places:
        return []
    best = max((value for place in places for value in place.values), default=0.0)
    if asks_about_the_build(context.pack.question):
        others = min(others, _BESIDES_THE_BUILD)
    first = places[0]
    _say_lead(context, first, draft)
    if asking.order:
        _say_flow(context, places, draft)
    said = [first]
    entries: list[str] = []
    heads = asking.kinds or context.pack.plan.question_class in _HEADS
    linked = linked_to(context, first.qualname)
    left = places[1:]
    serving = {id(max(places, key=lambda each: each.best_for[part])) for part in range(1, len(asking.parts))}
    while left and len(said) <= others:
        place = max(left, key=lambda each: _rank(each, id(each) in serving, _is_linked(each, linked, said)))
        left.remove(place)
        lines = _other(context, place, OTHER_LINES[len(said) - 1], _FAR * best, heads)
        if lines:
            entries += lines
            said.append(place)
            linked |= linked_to(context, place.qualname)
    entries = say_values(context, asking, entries, draft)
    if entries:
        draft.gap()
        draft.say("Other code that ranks high:", *entries)
    _next_in_rank(context, [place for place in places if place not in said], draft)
    return said


def _say_flow(context: Context, places: Sequence[Place], draft: Draft) -> None:
    """The calls between shown definitions: from the lead, or from what fits nearly as well and leads through more."""
    flows = [call_flow(context, place.qualname) for place in places[:_RUNNERS]]
    longest = max(range(len(flows)), key=lambda at: (len(flows[at]), -at))
    if len(flows[0]) > 1 and len(flows[longest]) <= len(flows[0]) + 1:
        longest = 0
    if len(flows[longest]) > 1:
        runner = places[longest]
        start = code(label(context, runner.qualname), 200)
        at = runner.row.symbol.def_line if runner.row is not None else runner.units[0].first
        cited = context.book.cite(runner.path, at, names=(runner.qualname,))
        lead = "From there it goes on:" if not longest else f"The steps that {start} takes {cited}:"
        draft.say(lead, *flows[longest])


def _next_in_rank(context: Context, places: Sequence[Place], draft: Draft) -> None:
    """One line of names: where to look next."""
    named = [place for place in places if place.row is not None and place.row.symbol.kind != "module"][:MAX_NEXT]
    told = [
        f"{code(label(context, place.qualname), 200)} "
        f"{context.book.cite(place.path, row.symbol.def_line, names=(place.qualname,))}"
        for place in named
        if (row := place.row) is not None
    ]
    if told:
        draft.gap()
        draft.say(f"Next in rank: {', '.join(told)}.")


def _is_linked(place: Place, linked: frozenset[str], told: Sequence[Place]) -> bool:
    """It calls a place that is told, is called by one, or is a method of a class that is told."""
    return place.qualname in linked or any(
        each.row is not None and each.row.symbol.kind == "class" and place.qualname.startswith(each.qualname + ".")
        for each in told
    )


def _rank(place: Place, serves_a_part: bool, linked: bool) -> float:
    return place.value + (SERVES_A_PART if serves_a_part else 0.0) + (NEXT_TO_TOLD if linked else 0.0)


def _may_lead(context: Context, place: Place) -> bool:
    """Not the top level of a module, unless values are asked for there."""
    return place.row is None or place.row.symbol.kind != "module"


def _say_lead(context: Context, place: Place, draft: Draft) -> None:
    said: tuple[str, ...] = ()
    if place.row is not None and place.row.symbol.kind != "module":
        head = (where(context, place.row), *doc_statements(context, place.row, _LEAD_DOC))
        draft.say(*(line for line in head if line not in draft.lines))
        said = doc_sentences(place.row.symbol.doc, _LEAD_DOC)
    floor = _FAR_IN_LEAD * max(place.values, default=0.0)
    lines = unit_lines(context, place, chosen_units(place, LEAD_LINES, floor, said), calls=True)
    if lines:
        named = f" of {code(place.path, 300)}" if place.row is None or place.row.symbol.kind == "module" else ""
        draft.say("Its key statements:" if not named else f"Key lines{named}:", *lines)
    _callers(context, place, draft)


def _other(context: Context, place: Place, limit: int, floor: float, heads: bool) -> list[str]:
    """One line of what it is, and below it what bears on the question.

    When nothing does: nothing; with ``heads`` what a class or function says of itself.
    """
    head, said = _head(context, place)
    lines = unit_lines(context, place, chosen_units(place, limit, floor, said), indent="  ")
    if lines:
        return [f"- {head}:", *lines]
    return [f"- {head}"] if heads and said else []


def _head(context: Context, place: Place) -> tuple[str, tuple[str, ...]]:
    row = place.row
    if row is None or row.symbol.kind == "module":
        first = place.units[0].first
        name = f"{code(title(place.symbol), 200)} in " if place.symbol else ""
        return f"{name}{code(place.path, 300)} {context.book.cite(place.path, first, names=(place.symbol,))}", ()
    name, at = code(title(place.qualname), 300), code(f"{row.path}:{row.symbol.def_line}", 300)
    cited = context.book.cite(row.path, row.symbol.def_line, names=(place.qualname,))
    for sentence in doc_sentences(row.symbol.doc, 1):
        quoted = quote(sentence)
        span = find_lines(context.book.lines(row.path), sentence, row.symbol.start_line, row.symbol.end_line)
        if quoted and span:
            return f"{name} at {at}: {quoted} {cited}{context.book.cite(row.path, *span)}", (sentence,)
    return f"{name} at {at} {cited}", ()


def _callers(context: Context, place: Place, draft: Draft) -> None:
    if context.graph is None or place.row is None:
        return
    edges = [
        edge
        for edge in context.graph.edges_into(place.qualname, (EdgeKind.CALL,))
        if edge.confidence is not Confidence.POSSIBLE and context.book.is_code(edge.path) and edge.src != place.qualname
    ]
    callers = list({edge.src: edge for edge in reversed(edges)}.values())[::-1]
    if callers:
        names = [
            f"{code(label(context, edge.src), 200)} {context.book.cite(edge.path, edge.line, names=(edge.src,))}"
            for edge in callers[:_MAX_CALLERS]
        ]
        more = f" and at {plural(len(callers) - _MAX_CALLERS, 'other place')}" if len(callers) > _MAX_CALLERS else ""
        draft.say(f"It is called by {', '.join(names)}{more}.")
