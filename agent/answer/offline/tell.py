"""Puts the units of a definition that bear on the question into lines of the answer, in source order, each cited."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from agent.answer.offline.context import Context, find_lines
from agent.answer.offline.places import Place
from agent.answer.offline.units import COMMENT, DOC, ENTRY, PARAMETER, STATEMENTS, Span, Unit
from agent.answer.offline.wording import code, doc_sentences, quote
from retrieval.records import Confidence, Edge, EdgeKind

MAX_CODE = 150  # characters of one statement
MAX_CONDITION = 260  # characters of a condition, which decides and is worth reading whole
_PROSE_SHARE = 3  # one line in three may quote a docstring, where statements are shown, too
_SETS = re.compile(r"(?:^|[\s.])([A-Za-z_]\w{2,60})(?: ?: ?[^=:]{1,80})? ?[|&+-]?= ?(?!=)")
_MAX_SEARCHED = 400  # characters of a unit
_MAX_TESTED = 2
_MAX_CALLEES = 5  # of them, whose summary stands beside the call


def chosen_units(place: Place, limit: int, floor: float = 0.0, said: Sequence[str] = ()) -> list[Unit]:
    """The units of most value, in source order; headers are told with what stands under them.

    Args:
        floor: Units of less value are left out.
        said: Sentences that the answer has already.
    """
    held = {unit.conditions[-1] for unit in place.units if unit.conditions}
    candidates = [
        (-value, at)
        for at, (unit, value) in enumerate(zip(place.units, place.values, strict=True))
        if value >= floor and not _is_header_of(unit, held) and unit.text not in said
    ]
    allowed = {at for at, unit in enumerate(place.units) if not _is_header_of(unit, held) and unit.text not in said}
    statements = sum(place.units[at].kind == STATEMENTS for _, at in candidates)
    prose = max(limit // _PROSE_SHARE, limit - statements)
    chosen: list[int] = []
    for _, at in sorted(candidates):
        is_doc = place.units[at].kind in (DOC, ENTRY)
        if len(chosen) < limit and (not is_doc or prose > 0):
            chosen.append(at)
            prose -= is_doc
    chosen += _tested(place, chosen, allowed)
    return [place.units[at] for at in sorted(chosen)]


def _tested(place: Place, chosen: Sequence[int], allowed: Collection[int]) -> list[int]:
    """Statements under a condition that tests a name which a chosen one has just set: what it was set for."""
    names = {match[1] for at in chosen for match in _SETS.finditer(place.units[at].text[:_MAX_SEARCHED])}
    names -= {name for at in chosen for span in place.units[at].conditions for name in place.names_of(span)}
    found: list[int] = []
    for at in sorted(set(allowed) - set(chosen)):
        unit = place.units[at]
        if len(found) < _MAX_TESTED and unit.conditions and names & place.names_of(unit.conditions[-1]):
            found.append(at)
    return found


def _is_header_of(unit: Unit, held: set[Span]) -> bool:
    return unit.kind == STATEMENTS and not unit.conditions and unit.spans[0] in held


def unit_lines(
    context: Context, place: Place, units: Sequence[Unit], indent: str = "", *, calls: bool = False
) -> list[str]:
    """``calls``: the summary of what a statement calls stands behind it."""
    summaries = _callees(context, place) if calls else {}
    out: list[str] = []
    for unit in _joined(units):
        line = _line(context, place, unit)
        if line is None:
            continue
        spans = (*unit.conditions, *unit.spans)
        called = [number for first, last in spans for number in range(first, last + 1) if number in summaries]
        out.append(f"{indent}- {line}" + "".join(summaries.pop(number) for number in called[:1]))
    return out


def _joined(units: Sequence[Unit]) -> list[Unit]:
    """Neighbours under the same condition as one."""
    out: list[Unit] = []
    for unit in units:
        before = out[-1] if out else None
        if (
            before is not None
            and before.kind == unit.kind == STATEMENTS
            and before.conditions == unit.conditions
            and unit.conditions
            and unit.note is None
            and 0 < unit.first - before.last <= 2
            and len(before.spans) + len(unit.spans) <= 4
        ):
            out[-1] = Unit(STATEMENTS, unit.conditions, (*before.spans, *unit.spans), before.text, note=before.note)
        else:
            out.append(unit)
    return out


def _line(context: Context, place: Place, unit: Unit) -> str | None:
    note = quote(unit.note[0]) if unit.note else None
    noted = (unit.note[1],) if unit.note and note else ()
    cited = cite_spans(context, place.path, (*unit.conditions, *unit.spans, *noted))
    if unit.kind in (DOC, ENTRY, COMMENT):
        quoted = quote(unit.text)
        return f"{'comment' if unit.kind == COMMENT else 'docstring'}: {quoted} {cited}" if quoted else None
    lines = context.book.lines(place.path)

    def folded(span: Span, limit: int = MAX_CODE) -> str:
        return code(" ".join(lines[span[0] - 1 : span[1]]), limit)

    told = "; ".join(folded(span) for span in unit.spans)
    if unit.kind == PARAMETER:
        return f"parameter {told} {cited}"
    before = ", ".join(folded(span, MAX_CONDITION) for span in unit.conditions) + (" → " if unit.conditions else "")
    return f"{note + ': ' if note else ''}{before}{told} {cited}"


def cite_spans(context: Context, path: str, spans: Sequence[Span]) -> str:
    """Citations of lines in order; spans that touch are cited as one."""
    merged: list[Span] = []
    for first, last in sorted(set(spans)):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return "".join(dict.fromkeys(context.book.cite(path, *span) for span in merged))


def _callees(context: Context, place: Place) -> dict[int, str]:
    """Line of a call -> what the called definition says of itself, for calls that resolution is sure of."""
    if context.graph is None or not place.qualname:
        return {}
    edges: dict[str, Edge] = {}
    for edge in sorted(context.graph.edges_from(place.qualname, (EdgeKind.CALL,)), key=lambda each: each.line):
        if edge.confidence is not Confidence.POSSIBLE and edge.path == place.path:
            edges.setdefault(edge.dst, edge)
    out: dict[int, str] = {}
    for name, edge in edges.items():
        row = context.reader.symbol(name)
        if row is None or edge.line in out or len(out) == _MAX_CALLEES or row.symbol.name.startswith("__"):
            continue
        lines = context.book.lines(row.path)
        for sentence in doc_sentences(row.symbol.doc, 1):
            quoted, span = quote(sentence), find_lines(lines, sentence, row.symbol.start_line, row.symbol.end_line)
            if quoted and span:
                out[edge.line] = f" — {quoted} {context.book.cite(row.path, *span)}"
    return out
