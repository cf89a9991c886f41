"""Search: run the legs that the plan routes, fuse, rank by features, return candidates.

The whole pool is ranked with numpy; records are built only for the k chunks that are returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from retrieval.embed.base import Embedder, Matrix
from retrieval.pack_records import Candidate, Plan
from retrieval.search.candidates import candidates_of, ranked
from retrieval.search.clock import Clock
from retrieval.search.compounds import named_by, run_together
from retrieval.search.config import DEFAULT, RankingConfig
from retrieval.search.documented import documented_share
from retrieval.search.features import Pool, apply_features
from retrieval.search.file_model import DEFAULT_MODEL, FileModel, columns, rank_files
from retrieval.search.file_vectors import FileVectors
from retrieval.search.filters import PathFilters
from retrieval.search.fusion import Ids, LegResult, Scores, fuse, text_match
from retrieval.search.legs import Mask, graph_leg, lexical_leg, likeness_of, vector_leg
from retrieval.search.likelihood import likelihoods
from retrieval.search.links import LinkReader
from retrieval.search.named import definitions_of, hinted_chunks
from retrieval.search.phrases import quoted_phrases
from retrieval.search.ports import Reader
from retrieval.search.proximity import proximity_support
from retrieval.search.related import related_chunks, targets_of
from retrieval.search.strength import measure_strength
from retrieval.search.weights import for_files, leg_weights
from retrieval.text.terms import query_terms
from retrieval.vectors.base import VectorEngine

if TYPE_CHECKING:
    from retrieval.lexical.reading import RememberedPostings

Objective = Literal["lines", "files"]
Rows = Callable[[Ids], Matrix]

_SQL_VARIABLES = 500
_MOST_SYMBOLS_KEPT = 20_000  # some 2 MB


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Candidates best first.

    Attributes:
        strength: 0..1, absolute, comparable across questions; below ``strength.MIN_STRENGTH`` the repository probably
            does not hold what is asked about.
        timings: Milliseconds per step.
        legs: The legs that ran.
    """

    candidates: tuple[Candidate, ...]
    strength: float
    timings: Mapping[str, float]
    legs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Gathered:
    """``query`` is the question's vector, None when the vector leg did not run."""

    pool: Pool
    fused: Scores
    results: tuple[LegResult, ...]
    weights: Mapping[str, float]
    alive: Mask
    query: Matrix | None


class Searcher:
    """Search over one open index. ``embedder`` and ``vectors`` are both given or the vector leg is off."""

    def __init__(
        self,
        reader: Reader,
        embedder: Embedder | None = None,
        vectors: VectorEngine | None = None,
        config: RankingConfig = DEFAULT,
        model: FileModel = DEFAULT_MODEL,
        rows: Rows | None = None,
    ) -> None:
        self.reader = reader
        self.config = config
        self.model = model
        self._known_symbols: dict[int, str] = {}
        self.embedder = embedder
        self.vectors = vectors if embedder is not None else None
        self._rows: Rows | None = rows or getattr(self.vectors, "rows", None)

    @cached_property
    def _postings(self) -> RememberedPostings:
        from retrieval.lexical.reading import RememberedPostings

        return RememberedPostings(self.reader.conn)

    @cached_property
    def _run_together(self) -> tuple[str, ...]:
        return run_together(self.reader.paths)

    @cached_property
    def links(self) -> LinkReader:
        """Direct neighbours in the graph."""
        return LinkReader(self.reader.conn)

    @cached_property
    def _file_vectors(self) -> FileVectors | None:
        return FileVectors(self.reader.arrays, self._rows) if self._rows is not None else None

    def search(
        self, plan: Plan, k: int = 10, path_filters: PathFilters | None = None, objective: Objective = "lines"
    ) -> SearchResult:
        """The best ``k`` chunks for ``plan``, best first; ties by path, then line.

        Args:
            objective: ``files`` for a list that a person reads: each file once, by its best chunk, before further
                chunks of it. ``lines`` for packs, which want every line by its own chance.
        """
        clock = Clock()
        found = self.gather(plan, path_filters, clock, objective)
        pool, results = found.pool, found.results
        if objective == "files":
            scores, contributions = rank_files(
                pool, found.fused, self._meaning(found), self._documented(found), self.model
            )
            chances = np.zeros(len(pool.ids), np.float32)
        else:
            scores, contributions = apply_features(pool, found.fused, self.config)
            chances = likelihoods(pool, text_match(pool.ids, results, found.weights), contributions, self.config)
        clock.lap("rank")
        order = ranked(scores, pool.paths, pool.arrays.start[pool.ids])[:k]
        strength = measure_strength(
            self.reader,
            plan,
            pool.terms,
            pool.ids[order],
            found.alive,
            self._postings,
            self.likeness(plan.question, results, found.alive),
        )
        clock.lap("strength")
        candidates = candidates_of(self.reader, order, pool.ids, scores, chances, contributions, results, strength)
        clock.lap("records")
        return SearchResult(candidates, strength.overall, clock.laps, tuple(r.leg for r in results))

    def file_columns(self, plan: Plan) -> tuple[Pool, dict[str, Scores]]:
        """The pool of a question and the columns that ``file_model`` weighs: what its weights are fitted on."""
        found = self.gather(plan, None, Clock(), "files")
        return found.pool, columns(found.pool, found.fused, self._meaning(found), self._documented(found))

    # ---------------------------------------------------------------------------------------------------- the steps

    def gather(
        self, plan: Plan, path_filters: PathFilters | None, clock: Clock, objective: Objective = "lines"
    ) -> _Gathered:
        """Run the legs, fuse them, and collect what the features need to know of the pool."""
        reader, config = self.reader, self.config
        alive = self._mask(path_filters)
        terms = query_terms(plan.question)
        if objective == "files" and self.model.compound:
            for term in named_by(plan.question, self._run_together):
                terms.setdefault(term, self.model.compound)
        weights = self._weights(plan) if objective == "lines" else for_files(self._weights(plan))
        lexical, dense = lexical_leg(reader, self._postings, terms, alive, config.pool_size)
        results = [lexical] if "lexical" in weights else []
        clock.lap("lexical")
        query: Matrix | None = None
        if "vector" in weights and self.embedder is not None and self.vectors is not None:
            query = self.embedder.embed_query(plan.question)
            results.append(vector_leg(self.vectors, query, alive, config.pool_size))
        clock.lap("vector")
        sites: dict[int, float] = {}
        if "graph" in weights:
            related = related_chunks(reader, self.links, plan.question_class, targets_of(plan))
            results.append(graph_leg({i: hit.score for i, hit in related.items()}, alive, config.pool_size))
            sites = {i: hit.score for i, hit in related.items() if not hit.definition}
        clock.lap("graph")
        definitions = definitions_of(reader, self.links, plan, words=False)
        word_definitions = definitions_of(reader, self.links, plan, words=True)
        hinted = hinted_chunks(reader, plan, dense)
        extra = [i for group in (definitions, word_definitions, hinted) for i in group if alive[i]]
        ids = np.unique(np.concatenate([*(r.candidates for r in results), np.asarray(extra, np.int64)]))
        fused = fuse(ids, results, weights)
        clock.lap("pool")
        near: Mapping[int, float] = {}
        if "proximity" in config.features:
            near = proximity_support(self.links, ids, fused, alive, config)
            ids = np.union1d(ids, np.asarray(list(near), np.int64))
            fused = fuse(ids, results, weights)
        ids, fused = self._pruned(ids, fused, {*extra, *near, *sites})
        clock.lap("proximity")
        pool = self._pool(plan, terms, ids, fused, definitions, word_definitions, hinted, near, sites)
        return _Gathered(pool, fused, tuple(results), weights, alive, query)

    def _mask(self, filters: PathFilters | None) -> Mask:
        arrays = self.reader.arrays
        if not filters:
            return arrays.alive
        ids = np.unique(arrays.file_id[arrays.alive])
        allowed = np.asarray(
            [i for i in ids if filters.allows(self.reader.path_of_file_id(int(i)))], arrays.file_id.dtype
        )
        return np.asarray(arrays.alive & np.isin(arrays.file_id, allowed))

    def _weights(self, plan: Plan) -> dict[str, float]:
        runnable = {leg for leg in plan.leg_weights if leg != "vector" or self.vectors is not None}
        if runnable == set(plan.leg_weights):
            return dict(plan.leg_weights)
        return leg_weights(plan.question_class, runnable) or {"lexical": 1.0}

    def likeness(self, question: str, results: Iterable[LegResult] = (), alive: Mask | None = None) -> float | None:
        """See ``legs.likeness_of``; ``results`` are those of the legs for this question, where they have run.

        Args:
            alive: bool[n], the chunks that count; all that the index holds where it is left out.
        """
        if self.embedder is None or self.vectors is None:
            return None
        return likeness_of(
            question, self.embedder, self.vectors, self.reader.arrays.alive if alive is None else alive, results
        )

    def _meaning(self, found: _Gathered) -> Scores:
        ids = found.pool.ids
        if found.query is None or self._file_vectors is None or not len(ids):
            return np.zeros(len(ids), np.float32)
        return self._file_vectors.similarity(found.query, found.pool.arrays.file_id[ids])

    def _documented(self, found: _Gathered) -> Scores:
        pool = found.pool
        files = np.unique(pool.arrays.file_id[pool.ids])  # in the order in which ``file_of`` numbers them
        return documented_share(self._postings, pool.terms, pool.arrays, found.alive, files)[pool.file_of]

    def _pool(
        self,
        plan: Plan,
        terms: Mapping[str, float],
        ids: Ids,
        fused: Scores,
        definitions: Mapping[int, float],
        word_definitions: Mapping[int, float],
        hinted: Mapping[int, float],
        near: Mapping[int, float],
        sites: Mapping[int, float],
    ) -> Pool:
        arrays = self.reader.arrays
        _, file_of = np.unique(arrays.file_id[ids], return_inverse=True)
        path_of = self.reader.path_of_file_id
        paths = tuple([path_of(file_id) for file_id in arrays.file_id[ids].tolist()])
        symbols = self._symbols(ids)
        phrases = quoted_phrases(plan.question) if "phrase" in self.config.features else ()
        hits: frozenset[int] = frozenset()
        if phrases and len(ids):
            first = ids[np.argsort(-fused, kind="stable")[: self.config.phrase_checks]]
            rows = self.reader.chunks(first)
            hits = frozenset(row.id for row in rows if any(p in self.reader.chunk_text(row) for p in phrases))
        return Pool(
            ids, arrays, paths, file_of, symbols, plan, terms, definitions, word_definitions, hinted, hits, near, sites
        )

    def _pruned(self, ids: Ids, fused: Scores, keep: set[int]) -> tuple[Ids, Scores]:
        """The chunks worth the features' work: the best by the legs, and those that a feature will lift."""
        if len(ids) <= self.config.ranked_size:
            return ids, fused
        chosen = np.isin(ids, np.asarray(sorted(keep), np.int64))
        chosen[np.argsort(-fused, kind="stable")[: self.config.ranked_size]] = True
        return ids[chosen], fused[chosen]

    def _symbols(self, ids: Ids) -> tuple[str, ...]:
        """Of the chunks, "" for none; remembered, since questions share most of what they look at."""
        known, wanted = self._known_symbols, ids.tolist()
        if len(known) > _MOST_SYMBOLS_KEPT:
            known.clear()
        missing = [i for i in wanted if i not in known]
        for start in range(0, len(missing), _SQL_VARIABLES):
            part = missing[start : start + _SQL_VARIABLES]
            marks = ",".join("?" * len(part))
            known.update(self.reader.conn.execute(f"SELECT id, symbol FROM chunks WHERE id IN ({marks})", part))
        return tuple([known.get(i, "") for i in wanted])
