"""Stage 2: collect the evidence. Search with every leg the plan routes, then expand where the question's class asks.

What each class adds to the searched candidates:

* CALLERS, CALLEES, TESTS: the definition asked about and the sites that prove the relation, as focus lines;
* IMPACT: what depends on the definition, over several steps, nearer first;
* CONNECT: the chain of definitions from one name to the other;
* ERROR: the lines of the traceback's frames, and the lines that raise the named error;
* other classes that name a class: its methods that the question's words name (the second hop);
* questions about values: the lines that hold them (``values.py``);
* questions about structure: what runs the likeliest definitions, and headers of classes (``structure.py``).

Without a name that resolves, a graph question starts from the definitions of its best text hits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from retrieval.compile.additions import Additions
from retrieval.compile.documents import documents_first, searched_text
from retrieval.compile.estimate import estimated
from retrieval.compile.structure import structure_chunks
from retrieval.compile.value_files import TABLE
from retrieval.compile.values import value_chunks
from retrieval.pack_records import GRAPH_CLASSES, Candidate, Decision, Plan, QuestionClass
from retrieval.records import CONFIDENCE_WEIGHT, ChunkKind, ChunkRow, Confidence, Role
from retrieval.search.engine import Searcher
from retrieval.search.filters import PathFilters
from retrieval.search.related import MAX_WHOLE_TESTS, MAX_WHOLE_USERS, Related, related_chunks, targets_of
from retrieval.search.strength import MIN_STRENGTH, absent_names
from retrieval.text.terms import index_terms, query_terms

_SEARCHED = 2  # times the workspace's limit: what is likely as a whole set may rank low by itself
_SEED_HITS = 3  # text hits that stand in for a name, when a graph question has none
_IMPACT_DEPTH = 3  # steps
_IMPACT_LIMIT = 60  # dependents
_TESTS_OF_IMPACT_SHARE = 0.6  # score of a test of what changes, relative to a dependent as near
_DISTANCE_DECAY = 0.7  # score of a dependent one step further away
_MAX_PATH_PAIRS = 6  # pairs of names between which paths are looked for
_MAX_RAISE_SITES = 12
_MAX_METHODS = 8  # of a mentioned class, that the question's words name
_SECOND_HOP_SHARE = 0.5
_ERROR_NAME = re.compile(r"(?:\w{1,80}\.){0,6}(\w{0,80}(?:Error|Exception|Warning|Exit|Interrupt))\Z")


@dataclass(frozen=True, slots=True)
class Workspace:
    """What the compiler works on.

    Attributes:
        candidates: Best first; every chunk once.
        decisions: What the stage added or left out, and why.
        missing: What was looked for in vain: names that resolve to nothing, paths that no indexed file matches.
        strength: Absolute strength of the evidence, 0..1.
    """

    candidates: tuple[Candidate, ...]
    decisions: tuple[Decision, ...] = ()
    missing: tuple[str, ...] = ()
    strength: float = 0.0


def collect(plan: Plan, searcher: Searcher, limit: int = 120, path_filters: PathFilters | None = None) -> Workspace:
    """Evidence for ``plan``: at most ``limit`` candidates, best first; ties by path, then line."""
    searched = replace(plan, question=searched_text(plan))
    result = searcher.search(searched, _SEARCHED * limit, path_filters)
    found = result.candidates
    if plan.question_class is QuestionClass.DOCS:
        found = documents_first(searched, searcher, found, _SEARCHED * limit, path_filters)
    additions = Additions(searcher, plan, found, estimated(found, plan, searcher.links), path_filters)
    targets = targets_of(plan)
    if plan.question_class in GRAPH_CLASSES:
        if not targets:
            targets = _stand_ins(result.candidates)
        _expand_graph(plan, targets, searcher, additions)
    if plan.question_class is QuestionClass.ERROR:
        _expand_error(plan, searcher, additions)
    _expand_classes(plan, targets_of(plan), searcher, additions)
    exact = False
    if plan.question_class not in GRAPH_CLASSES:
        likeliest = additions.likeliest()
        for row, related in value_chunks(plan, searcher.reader, likeliest):
            additions.add_lines(row, related)
            exact = exact or related.reason == TABLE
        for row, related in structure_chunks(plan, searcher.reader, searcher.links, likeliest):
            additions.add_lines(row, related)
    candidates, decisions = additions.merged(limit)
    strength = result.strength
    if any(mention.symbols for mention in plan.mentions) and plan.question_class in GRAPH_CLASSES:
        strength = max(strength, additions.strongest)
    if exact:  # the tables of the build answer for the build, whatever words they use
        strength = max(strength, MIN_STRENGTH)
    return Workspace(candidates, decisions, _missing(plan, searcher), strength)


def _stand_ins(candidates: Iterable[Candidate]) -> tuple[str, ...]:
    """Definitions of the best text hits, for a graph question whose words name nothing."""
    names = [c.chunk.qualname for c in candidates if c.chunk.qualname and c.chunk.kind is not ChunkKind.MODULE]
    return tuple(dict.fromkeys(names))[:_SEED_HITS]


# ----------------------------------------------------------------------------------------------------------- expansion


def _expand_graph(plan: Plan, targets: Sequence[str], searcher: Searcher, additions: Additions) -> None:
    if not targets:
        return
    kind = plan.question_class
    additions.add_ids(related_chunks(searcher.reader, searcher.links, kind, targets))
    if kind is QuestionClass.IMPACT:
        _expand_impact(targets, searcher, additions)
        _expand_tests(targets, searcher, additions, _TESTS_OF_IMPACT_SHARE)
    elif kind is QuestionClass.TESTS:
        _expand_tests(targets, searcher, additions)
    elif kind is QuestionClass.CONNECT:
        _expand_connection(plan, searcher, additions)


def _expand_impact(targets: Sequence[str], searcher: Searcher, additions: Additions) -> None:
    from retrieval.graph.query import SymbolGraph

    reached = SymbolGraph(searcher.reader.conn).impact(targets[0], _IMPACT_DEPTH, _IMPACT_LIMIT)
    direct = sum(item.distance == 1 for item in reached)
    for item in reached:
        step = item.chain[0]
        row = searcher.reader.chunk_at(step.path, step.line)
        if row is None:
            continue
        reason = f"depends on {_short(targets[0])} in {item.distance} step{'s' if item.distance > 1 else ''}"
        whole = item.distance == 1 and direct <= MAX_WHOLE_USERS and row.role is Role.CODE
        additions.add(row, Related(_DISTANCE_DECAY ** (item.distance - 1), (step.line,), whole, reason))


def _expand_tests(targets: Sequence[str], searcher: Searcher, additions: Additions, share: float = 1.0) -> None:
    """Few tests in full, many by the lines that exercise the thing; ``share`` scales their scores."""
    from retrieval.graph.query import SymbolGraph

    graph = SymbolGraph(searcher.reader.conn)
    tests = graph.tests_for(targets[0], _IMPACT_LIMIT)
    whole = len(tests) <= MAX_WHOLE_TESTS and share == 1.0
    for item in tests:
        reason = f"tests {_short(targets[0])}" + ("" if item.distance == 1 else f" over {item.distance - 1} calls")
        step = item.chain[0]
        row = searcher.reader.chunk_at(step.path, step.line)
        if row is not None:
            score = share * _DISTANCE_DECAY ** (item.distance - 1)
            additions.add(row, Related(score, (step.line,), whole, reason))
    for edge in graph.possible_tests(targets[0])[0][:_IMPACT_LIMIT]:
        row = searcher.reader.chunk_at(edge.path, edge.line)
        if row is not None:
            reason = f"may test {_short(targets[0])}, by the name alone"
            weight = share * CONFIDENCE_WEIGHT[Confidence.POSSIBLE]
            additions.add(row, Related(weight, (edge.line,), False, reason))


def _expand_connection(plan: Plan, searcher: Searcher, additions: Additions) -> None:
    from retrieval.graph.query import SymbolGraph

    graph = SymbolGraph(searcher.reader.conn)
    heads = [mention.symbols[0] for mention in plan.mentions if mention.symbols]
    pairs = [(a, b) for i, a in enumerate(heads) for b in heads[i + 1 :]][:_MAX_PATH_PAIRS]
    for source, target in pairs:
        for step in graph.path_between(source, target):
            reason = f"on the path from {_short(source)} to {_short(target)}"
            row = searcher.reader.chunk_at(step.path, step.line)
            if row is not None:
                additions.add(row, Related(1.0, (step.line,), True, reason))
            additions.add_definition(step.dst, Related(0.9, (), True, reason))


def _expand_error(plan: Plan, searcher: Searcher, additions: Additions) -> None:
    """The frames of a traceback, innermost first, and the lines that raise the error it names."""
    frames = [hint for hint in plan.file_hints if hint.line is not None and hint.paths]
    for nth, hint in enumerate(reversed(frames)):
        assert hint.line is not None  # noqa: S101
        row = searcher.reader.chunk_at(hint.paths[0], hint.line)
        if row is not None:
            reason = f"frame {hint.text}:{hint.line}"
            additions.add(row, Related(max(0.6, 1.0 - 0.1 * nth), (hint.line,), True, reason))
    names = {name[1] for mention in plan.mentions if (name := _ERROR_NAME.match(mention.text))}
    if not names:
        return
    wanted = re.compile(r"\braise\b[^#\n]{0,200}?\b(?:" + "|".join(re.escape(name) for name in sorted(names)) + r")\b")
    asked = set(query_terms(plan.question))
    sites: list[tuple[int, ChunkRow, tuple[int, ...], str]] = []
    for row in _mentioning(searcher, sorted(names)):
        lines = searcher.reader.file_text(row.path).lines
        hits = tuple(n for n in range(row.start_line, row.end_line + 1) if wanted.search(lines[n - 1]))
        if hits:
            near = " ".join(" ".join(lines[n - 1 : n + 2]) for n in hits)
            sites.append((len(asked & set(index_terms(near))), row, hits, near))
    sites.sort(key=lambda site: (-site[0], site[1].path, site[1].start_line))
    best = sites[0][0] if sites else 0
    for matched, row, hits, _ in sites[:_MAX_RAISE_SITES]:
        score = 0.5 + 0.4 * (matched / best if best else 0.0)
        additions.add(row, Related(score, hits, True, f"raises {', '.join(sorted(names))}"))


def _mentioning(searcher: Searcher, names: Sequence[str]) -> list[ChunkRow]:
    """Chunks of code that hold one of ``names``, at most a few hundred, by id."""
    from retrieval.lexical.search import read_postings

    arrays = searcher.reader.arrays
    ids: set[int] = set()
    for _, docs, _ in read_postings(searcher.reader.conn, sorted({name.lower().replace("_", "") for name in names})):
        ids.update(int(i) for i in docs[:400] if i < arrays.n and arrays.alive[i])
    return searcher.reader.chunks(sorted(ids)[:400])


def _expand_classes(plan: Plan, targets: Sequence[str], searcher: Searcher, additions: Additions) -> None:
    """Of a class that the question names: the methods whose names the question's words name."""
    asked = set(query_terms(plan.question))
    for target in targets[:4]:
        symbol = searcher.reader.symbol(target)
        if symbol is None or symbol.symbol.kind != "class":
            continue
        ranked = []
        for child in searcher.reader.children_of(target):
            if child.symbol.kind not in {"method", "property"}:
                continue
            words = set(index_terms(child.symbol.name))
            share = len(words & asked) / max(1, len(words))
            if share > 0:
                ranked.append((-share, child.symbol.start_line, child.symbol.qualname))
        for share, _, qualname in sorted(ranked)[:_MAX_METHODS]:
            reason = f"a method of {_short(target)} that the question's words name"
            additions.add_definition(qualname, Related(_SECOND_HOP_SHARE * -share, (), True, reason))


def _missing(plan: Plan, searcher: Searcher) -> tuple[str, ...]:
    """Names and files of the question that the repository does not hold; external names that occur in it are held."""
    names = absent_names(searcher.reader, plan.mentions)
    files = [hint.text for hint in plan.file_hints if not hint.paths]
    return tuple(dict.fromkeys([*names, *files]))


def _short(qualname: str) -> str:
    parts = qualname.split(".")
    return ".".join(parts[-2:]) if len(parts) > 2 else qualname
