"""Chunks that a workspace adds to those that the search found: merged with them, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from retrieval.compile.estimate import relevance
from retrieval.pack_records import Candidate, Decision, LegHit, Plan
from retrieval.records import ChunkRow, Role
from retrieval.search.engine import Searcher
from retrieval.search.filters import PathFilters
from retrieval.search.related import Related

_GRAPH_SHARE = 0.95  # score of a certain relation, relative to the best candidate
_PERIPHERAL_SHARE = 0.85  # of that, for relations in tests, examples and documents
_FILES = 64  # beyond the limit the likeliest candidate of each further file stays, up to so many files
_IN_FULL = 30  # best chunks, which are not cut to the lines that hold a value


class Additions:
    """Chunks that expansion adds, and their merger with the searched candidates."""

    def __init__(
        self,
        searcher: Searcher,
        plan: Plan,
        searched: Sequence[Candidate],
        likelihoods: Sequence[float | None],
        filters: PathFilters | None,
    ) -> None:
        self._wants_tests = plan.wants_tests
        self._reader = searcher.reader
        self._searched = searched
        self._likelihoods = {c.chunk.id: chance for c, chance in zip(searched, likelihoods, strict=True)}
        self._filters = filters
        self._top = max((candidate.score for candidate in searched), default=1.0)
        self._found: dict[int, tuple[ChunkRow, Related]] = {}
        self.strongest = 0.0

    def add(self, row: ChunkRow, related: Related) -> None:
        if self._filters and not self._filters.allows(row.path):
            return
        self.strongest = max(self.strongest, related.score)
        old = self._found.get(row.id)
        if old is not None:
            kept = old[1] if old[1].score >= related.score else related
            focus = tuple(sorted({*old[1].focus, *related.focus}))
            related = Related(kept.score, focus, old[1].whole or related.whole, kept.reason)
        self._found[row.id] = (row, related)

    def likeliest(self) -> list[Candidate]:
        """The searched candidates, likeliest first; by score where nobody estimated."""
        chances = [self._likelihoods.get(each.chunk.id) or 0.0 for each in self._searched]
        order = sorted(range(len(chances)), key=lambda at: (-chances[at], at))
        return [self._searched[at] for at in order]

    def add_lines(self, row: ChunkRow, related: Related) -> None:
        """Lines that are wanted by themselves. What ranks high anyhow keeps the rest of its lines, too."""
        first = {each.chunk.id for each in self._searched[:_IN_FULL]}
        self.add(row, replace(related, whole=related.whole or row.id in first))

    def add_ids(self, found: dict[int, Related]) -> None:
        for row in self._reader.chunks(found):
            self.add(row, found[row.id])

    def add_definition(self, qualname: str, related: Related) -> None:
        for row in self._reader.chunks_of_symbol(qualname)[:3]:
            self.add(row, related)

    def merged(self, limit: int) -> tuple[tuple[Candidate, ...], tuple[Decision, ...]]:
        by_id = {candidate.chunk.id: candidate for candidate in self._searched}
        decisions: list[Decision] = []
        for chunk_id, (row, related) in self._found.items():
            score = self._top * _GRAPH_SHARE * related.score
            if row.role is not Role.CODE and not (row.role is Role.TEST and self._wants_tests):
                score *= _PERIPHERAL_SHARE
            known = by_id.get(chunk_id)
            if known is None:
                hit = LegHit("graph", 0, related.score)
                by_id[chunk_id] = Candidate(
                    row, score, related.score, (hit,), focus=related.focus, whole=related.whole, reason=related.reason
                )
                decisions.append(decision(row, "added", related.reason))
            else:
                by_id[chunk_id] = known._replace(
                    score=max(known.score, score),
                    strength=max(known.strength, related.score),
                    focus=tuple(sorted({*known.focus, *related.focus})),
                    # A caller is evidence by its call sites, also when its text matches the question by chance.
                    whole=related.whole,
                    reason=related.reason or known.reason,
                )
                if related.focus:
                    decisions.append(decision(row, "focused", related.reason))
        ordered = sorted(by_id.values(), key=lambda c: (-c.score, c.chunk.path, c.chunk.start_line, c.chunk.id))
        likelihoods = [self._likelihoods.get(candidate.chunk.id) for candidate in ordered]
        chances = relevance(ordered, likelihoods)
        likeliest = sorted(range(len(ordered)), key=lambda at: (-chances[at], at))
        chosen = set(likeliest[:limit])
        files = {ordered[at].chunk.path for at in chosen}
        for at in likeliest[limit:]:  # a pack may point at further files
            if len(files) < _FILES and ordered[at].chunk.path not in files:
                files.add(ordered[at].chunk.path)
                chosen.add(at)
        why = f"less likely than the {limit} candidates of the workspace"
        decisions.extend([decision(each.chunk, "left out", why) for at, each in enumerate(ordered) if at not in chosen])
        judged = [Candidate(*ordered[at][:-1], likelihoods[at]) for at in sorted(chosen)]  # half as long as _replace
        return tuple(judged), tuple(decisions)


def decision(row: ChunkRow, action: str, why: str) -> Decision:
    return Decision("workspace", row.path, row.start_line, row.end_line, row.symbol, action, why)
