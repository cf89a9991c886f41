"""The graph leg: from the symbols a question names to the chunks that stand in the relation it asks about.

One hop, by SQL. What needs more than one hop (impact, paths) is the workspace's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.pack_records import Plan, QuestionClass
from retrieval.records import CONFIDENCE_WEIGHT, ChunkKind, ChunkRow, Confidence, EdgeKind, Role
from retrieval.search.links import Link, LinkReader
from retrieval.search.ports import Reader

_MAX_TARGETS = 12  # symbols that mentions resolve to
_MAX_LINKS = 200
_MAX_HITS = 120  # chunks that one question gets from the graph
MAX_WHOLE_TESTS = 6  # beyond, the lines that exercise the thing say more than a few tests in full
MAX_WHOLE_USERS = 8  # definitions of code that use the thing; of more the using lines say more than a few in full
_DEFINITION = 0.9  # score of a definition of the thing asked about; a certain call site has 1
_KIND_WEIGHT = {
    EdgeKind.CALL: 1.0,
    EdgeKind.TEST: 1.0,
    EdgeKind.INHERIT: 0.9,
    EdgeKind.REFERENCE: 0.6,
    EdgeKind.IMPORT: 0.3,
}
_INCOMING = {
    QuestionClass.CALLERS: (EdgeKind.CALL, EdgeKind.REFERENCE, EdgeKind.INHERIT, EdgeKind.IMPORT),
    QuestionClass.IMPACT: (EdgeKind.CALL, EdgeKind.INHERIT, EdgeKind.REFERENCE, EdgeKind.IMPORT),
    QuestionClass.TESTS: (EdgeKind.TEST,),
    QuestionClass.CONNECT: (EdgeKind.CALL,),
}
_OUTGOING = {
    QuestionClass.CALLEES: (EdgeKind.CALL, EdgeKind.REFERENCE),
    QuestionClass.CONNECT: (EdgeKind.CALL,),
}
_VERB = {
    EdgeKind.CALL: "calls",
    EdgeKind.REFERENCE: "refers to",
    EdgeKind.INHERIT: "inherits from",
    EdgeKind.IMPORT: "imports",
    EdgeKind.TEST: "tests",
    EdgeKind.CONTAIN: "contains",
}


@dataclass(frozen=True, slots=True)
class Related:
    """A chunk that the graph found.

    Attributes:
        score: 0..1: confidence of the edge times the weight of its kind.
        focus: Lines that prove the relation, sorted; with ``whole`` False only they matter.
        reason: One clause for the pack.
        definition: It holds the thing asked about, not what stands in relation to it.
    """

    score: float
    focus: tuple[int, ...] = ()
    whole: bool = True
    reason: str = ""
    definition: bool = False


def targets_of(plan: Plan) -> tuple[str, ...]:
    """Qualified names that the mentions resolve to, the best of each mention first, at most twelve."""
    named = [mention.symbols for mention in plan.mentions if mention.symbols]
    ordered = [symbols[0] for symbols in named]
    ordered += [symbol for symbols in named for symbol in symbols[1:4]]
    return tuple(dict.fromkeys(ordered))[:_MAX_TARGETS]


def related_chunks(
    reader: Reader, links: LinkReader, question_class: QuestionClass, targets: Sequence[str]
) -> dict[int, Related]:
    """Chunk id -> why the graph brings it, for the symbols ``targets``. Calls of a class are calls of ``__init__``."""
    if not targets:
        return {}
    found: dict[int, Related] = {}
    kinds = _INCOMING.get(question_class, ())
    names = sorted({*targets, *(f"{target}.__init__" for target in targets)})
    arriving = links.incoming(names, kinds, _MAX_LINKS)
    if EdgeKind.CALL in kinds:
        arriving += _possible_calls(reader, targets)
    arriving = _ranked(arriving)
    leaving = _ranked(links.outgoing(list(targets), _OUTGOING.get(question_class, ()), _MAX_LINKS))
    few = len(arriving) <= MAX_WHOLE_TESTS
    sites = [(link, row) for link in arriving if (row := reader.chunk_at(link.path, link.line)) is not None]
    users = {row.id for link, row in sites if _uses_in_code(link, row)}
    for link, row in sites:
        in_full = len(users) <= MAX_WHOLE_USERS and _uses_in_code(link, row)
        _merge(found, row, _site(link, row, whole=in_full or (few and link.kind is EdgeKind.TEST)))
    by_name = links.chunk_ids([*targets, *(link.dst for link in leaving)])
    rows = {row.id: row for row in reader.chunks(i for ids in by_name.values() for i in ids[:3])}
    for link in leaving:
        for chunk_id in by_name.get(link.dst, ())[:3]:
            reason = f"called by {_short(link.src)} at line {link.line}"
            _merge(found, rows[chunk_id], Related(link.weight * _KIND_WEIGHT[link.kind], reason=reason))
    for target in targets:
        called_at = tuple(sorted({link.line for link in leaving if link.src == target}))
        for chunk_id in by_name.get(target, ())[:3]:
            row = rows[chunk_id]
            focus = tuple(line for line in called_at if row.start_line <= line <= row.end_line)
            _merge(found, row, Related(_DEFINITION, focus, True, "defines a name in the question", True))
    best = sorted(found, key=lambda i: (-found[i].score, i))[:_MAX_HITS]
    return {chunk_id: found[chunk_id] for chunk_id in best}


def _uses_in_code(link: Link, row: ChunkRow) -> bool:
    return row.role is Role.CODE and link.kind is not EdgeKind.IMPORT and row.kind is not ChunkKind.MODULE


def _possible_calls(reader: Reader, targets: Sequence[str]) -> list[Link]:
    """Calls that may mean a target: through an overridden method, or by a name that few definitions share."""
    from retrieval.graph.query import SymbolGraph

    graph = SymbolGraph(reader.conn)
    weight = CONFIDENCE_WEIGHT[Confidence.POSSIBLE]
    return [
        Link(edge.src, target, edge.kind, weight, edge.path, edge.line)
        for target in targets
        for edge in graph.callers(target, limit=_MAX_LINKS).unresolved
    ]


def _ranked(found: Iterable[Link]) -> list[Link]:
    return sorted(found, key=lambda link: (-link.weight * _KIND_WEIGHT[link.kind], link.path, link.line))[:_MAX_LINKS]


def _site(link: Link, row: ChunkRow, *, whole: bool) -> Related:
    verb = _VERB[link.kind]
    reason = f"{_short(link.src)} {verb} {_short(link.dst)} at line {link.line}"
    inside = row.start_line <= link.line <= row.end_line
    return Related(link.weight * _KIND_WEIGHT[link.kind], (link.line,) if inside else (), whole, reason)


def _merge(found: dict[int, Related], row: ChunkRow, new: Related) -> None:
    old = found.get(row.id)
    if old is None:
        found[row.id] = new
        return
    best, other = (old, new) if old.score >= new.score else (new, old)
    focus = tuple(sorted({*best.focus, *other.focus}))
    found[row.id] = Related(best.score, focus, old.whole or new.whole, best.reason, old.definition or new.definition)


def _short(qualname: str) -> str:
    parts = qualname.split(".")
    return ".".join(parts[-2:]) if len(parts) > 2 else qualname
