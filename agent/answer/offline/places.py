"""The definitions that a pack shows, with their units, and how well each fits the question."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agent.answer.offline.asked import Asked, similarities
from agent.answer.offline.context import Context
from agent.answer.offline.fitness import asks_for_changes, fitness, neighbours
from agent.answer.offline.prose import is_history
from agent.answer.offline.units import CLASS, COMMENT, DOC, ENTRY, PARAMETER, STATEMENTS, Span, Unit, units_of
from retrieval.compile.value_wording import asks_about_the_build
from retrieval.pack_records import EvidenceChunk, QuestionClass
from retrieval.records import BlockKind, ChunkRow, Confidence, EdgeKind, Role, SymbolRow

MAX_PLACES = 24  # definitions whose statements are judged
_ASIDE = frozenset({Role.TEST.value, Role.EXAMPLE.value})
_MAX_TEXT = 600  # characters of a unit that are judged

_LEXICAL = 1.0
_MEANING = 1.0
_COVERAGE = 0.6  # of a definition's value: what its best units hold of the question
_DECIDES = 0.08  # a return or a raise under a condition
_EXPLAINS = 0.35  # a comment or sentence, where reasons are asked for
_PROSE = 0.05
_CALLS = 0.05  # a call
_STEPS = 0.15  # a call, where steps are asked for
_CALL = re.compile(
    r"(?:\bself|\bcls|\bsuper\(\)|\w)\.[A-Za-z_]\w*\(|(?<![\w.])_?[a-z]\w{3,}_\w+\(|(?<![\w.])[A-Z]\w+\("
)
_PARAMETER_LIST = 0.2  # what its entries say is rarely asked
_DEFAULTS = 0.15  # a default or a constant, where values are asked for
_AMOUNTS = 0.3  # a number, where one is asked for
_IDENTIFIER = re.compile(r"[A-Za-z_]\w{2,60}")
_KEYWORDS = frozenset((*keyword.kwlist, "self", "cls"))
_NUMBER = re.compile(r"(?<![\w.])\d+(?!\w)")
_BEST = 0.5  # what the best of them says
_BEST_UNITS = 3
_FEW = 2  # statements
_FEW_STATEMENTS = 0.6  # an exception class and its like explain little
_BUILD_FILES = 1.0  # where the build is asked about
_FIRST_FILE = 0.25  # of the pack's first file, half of it of the second: what ranks files is the wisest
NEXT_TO_TOLD = 0.3  # calls a definition that is told, or is called by one


@dataclass(slots=True)
class Place:
    """A definition, the top level of a module, or a part of a configuration file, as far as the pack shows it.

    Has what ``fitness`` asks of a piece of evidence: ``path``, ``symbol``, ``qualname``, ``role``, ``score``.
    """

    path: str
    symbol: str
    qualname: str
    role: str
    number: int
    score: float
    row: SymbolRow | None
    chunks: list[ChunkRow] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    values: list[float] = field(default_factory=list)  # of each unit
    best_for: list[float] = field(default_factory=list)  # of each part of the question: its best unit's value
    value: float = 0.0
    lines: Sequence[str] = ()  # of the file

    def names_of(self, span: Span) -> frozenset[str]:
        """The identifiers on lines of the file, without keywords."""
        return frozenset(_IDENTIFIER.findall(" ".join(self.lines[span[0] - 1 : span[1]]))) - _KEYWORDS


def places_of(context: Context, asked: Asked, extra: Iterable[SymbolRow] = ()) -> list[Place]:
    """Definitions of the pack, best first, with their units judged. ``extra`` come first, in order."""
    places = _gather(context)
    near = neighbours(context)
    build = asks_about_the_build(context.pack.question)
    wanted = [row.symbol.qualname for row in extra]
    for place in places:
        place.value = fitness(context, place, asked, near)
        if build and place.role == Role.CONFIG.value:
            place.value += _BUILD_FILES
    for row in extra:
        if all(place.qualname != row.symbol.qualname for place in places):
            places.append(_of_symbol(context, row))
    if not context.pack.plan.wants_tests:
        places = [place for place in places if place.role not in _ASIDE or place.qualname in wanted] or places
    places.sort(key=lambda place: (place.qualname not in wanted, -place.value, place.number, place.path))
    places = places[:MAX_PLACES]
    for place in places:
        place.lines = context.book.lines(place.path)
        units = units_of(place.chunks, place.lines)
        place.units = [unit for unit in units if _wanted(unit, asked)]
    _judge(places, asked)
    locates = context.pack.plan.question_class is QuestionClass.LOCATE
    for place in places:
        place.value += _COVERAGE * _covered(place, asked) + _BEST * max(place.values, default=0.0)
        if not locates and not asked.value and sum(unit.kind == STATEMENTS for unit in place.units) < _FEW:
            place.value *= _FEW_STATEMENTS
    files = {path: at for at, path in enumerate(dict.fromkeys(chunk.path for chunk in context.pack.chunks))}
    for place in places:
        place.value += _FIRST_FILE / (1 + files.get(place.path, len(files)))
    rank = {name: at for at, name in enumerate(wanted)}
    places.sort(key=lambda place: (rank.get(place.qualname, len(rank)), -place.value, place.number))
    return places


def _wanted(unit: Unit, asked: Asked) -> bool:
    return (unit.kind != PARAMETER or asked.value) and (unit.kind != CLASS or asked.kinds)


def linked_to(context: Context, qualname: str) -> frozenset[str]:
    """What a definition calls, and what calls it, as far as resolution is sure or nearly sure."""
    if context.graph is None or not qualname:
        return frozenset()
    graph = context.graph
    edges = (*graph.edges_from(qualname, (EdgeKind.CALL,)), *graph.edges_into(qualname, (EdgeKind.CALL,)))
    return frozenset(
        name for edge in edges if edge.confidence is not Confidence.POSSIBLE for name in (edge.src, edge.dst)
    )


def _gather(context: Context) -> list[Place]:
    """One place for each definition of which a line is shown, in the order of the pack."""
    found: dict[tuple[str, str], Place] = {}
    changes = asks_for_changes(context)
    for chunk in context.pack.chunks:
        if is_prose(chunk) or (is_history(chunk.path) and chunk.language != "python" and not changes):
            continue
        for row in context.reader.chunks_of(chunk.path):
            if not _touches(chunk, row) or _imports_alone(row):
                continue
            name = row.qualname or row.symbol
            key = (row.path, name if name and row.kind.value != "window" else str(row.start_line))
            place = found.get(key)
            if place is None:
                symbol = context.reader.symbol(row.qualname) if row.qualname else None
                place = found[key] = Place(
                    row.path, row.symbol, row.qualname, row.role.value, chunk.number, chunk.score, symbol
                )
            place.score = max(place.score, chunk.score)
            if row not in place.chunks:
                place.chunks.append(row)
    for place in found.values():
        place.chunks.sort(key=lambda row: row.start_line)
    return list(found.values())


def _of_symbol(context: Context, row: SymbolRow) -> Place:
    chunks = list(context.reader.chunks_of_symbol(row.symbol.qualname))
    return Place(row.path, row.symbol.name, row.symbol.qualname, row.role.value, 0, 0.0, row, chunks)


def is_prose(chunk: EvidenceChunk) -> bool:
    return chunk.role == Role.DOC.value or chunk.kind == "section" or (chunk.kind == "window" and not _is_code(chunk))


def _is_code(chunk: EvidenceChunk) -> bool:
    return chunk.language not in ("", "text", "markdown", "rst")


def _touches(chunk: EvidenceChunk, row: ChunkRow) -> bool:
    return any(first <= row.end_line and last >= row.start_line for first, last in chunk.ranges)


def _imports_alone(row: ChunkRow) -> bool:
    kinds = {block.kind for block in row.blocks}
    return bool(kinds) and kinds <= {BlockKind.IMPORT, BlockKind.BLANK, BlockKind.COMMENT}


def _judge(places: Sequence[Place], asked: Asked) -> None:
    """The value of each unit: the words and the meaning that it shares with the part of the question it serves best."""
    from retrieval.text.terms import index_terms

    texts = [f"{place.symbol} {unit.text}"[:_MAX_TEXT] for place in places for unit in place.units]
    near = similarities(asked.parts, texts)
    at = 0
    for place in places:
        place.values, place.best_for = [], [0.0] * len(asked.parts)
        for unit in place.units:
            terms = frozenset(index_terms(unit.text[:_MAX_TEXT]))
            bonus = _bonus(unit, asked)
            values = [
                round(_LEXICAL * part.share(terms) + _MEANING * max(0.0, float(near[row, at])) + bonus, 4)
                for row, part in enumerate(asked.parts)
            ]
            place.values.append(max(values))
            place.best_for = [max(pair) for pair in zip(place.best_for, values, strict=True)]
            at += 1


def _bonus(unit: Unit, asked: Asked) -> float:
    bonus = _DECIDES if unit.deciding and unit.conditions else 0.0
    if unit.kind in (DOC, COMMENT):
        bonus += _EXPLAINS if asked.why else _PROSE
    if unit.kind == STATEMENTS and _CALL.search(unit.text):
        bonus += _STEPS if asked.order else 0.0 if asked.value else _CALLS
    sets = unit.kind == PARAMETER or (unit.kind == STATEMENTS and "=" in unit.text)
    if asked.quantity and sets and _NUMBER.search(unit.text):
        bonus += _AMOUNTS
    if unit.kind == ENTRY and not asked.value:
        bonus -= _PARAMETER_LIST
    tells = unit.kind in (DOC, ENTRY) and "default" in unit.text.lower()
    if asked.value and ((sets and not unit.conditions) or tells):
        bonus += _DEFAULTS
    return bonus


def _covered(place: Place, asked: Asked) -> float:
    """What the best units together hold of the question, 0..1."""
    from retrieval.text.terms import index_terms

    best = sorted(range(len(place.units)), key=lambda at: -place.values[at])[:_BEST_UNITS]
    terms = {term for at in best for term in index_terms(place.units[at].text[:_MAX_TEXT])}
    return max(part.share(terms) for part in asked.parts)
