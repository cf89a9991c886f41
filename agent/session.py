"""An open index with its searcher: found, built or brought up to date, as the user allows."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.collecting import uncollected
from retrieval.embed.base import Embedder
from retrieval.errors import DiskFullError, IndexUnavailableError
from retrieval.index.location import Location, for_writing, locate, working_directory
from retrieval.index.reader import IndexReader
from retrieval.index.settings import Overrides, from_meta

if TYPE_CHECKING:
    from retrieval.compile.rot import RotChecks
    from retrieval.graph.query import SymbolGraph
    from retrieval.index.report import IndexReport, Progress
    from retrieval.pack_records import ContextPack, Plan
    from retrieval.search.engine import Searcher

Warn = Callable[[str], None]


@dataclass
class Session:
    """One reader and what hangs on it. ``report`` says what was indexed on the way, None when nothing was."""

    location: Location
    reader: IndexReader
    embedder: Embedder | None
    report: IndexReport | None = None
    warnings: list[str] = field(default_factory=list)

    @cached_property
    def searcher(self) -> Searcher:
        from retrieval.index.vector_store import open_vectors, stored_rows
        from retrieval.search.engine import Searcher

        vectors = open_vectors(self.reader, self.embedder, self.warnings.append)
        return Searcher(self.reader, self.embedder, vectors, rows=stored_rows(self.reader) if vectors else None)

    @cached_property
    def graph(self) -> SymbolGraph:
        from retrieval.graph.query import SymbolGraph

        return SymbolGraph(self.reader.conn)

    def states(self, paths: Collection[str]) -> Callable[[str], str]:
        """``commit:<sha>``, ``worktree`` or ``unknown`` for each of ``paths``, from one git call."""
        from retrieval.source.git import modified_paths

        commit = self.reader.meta.get("commit", "")
        modified = modified_paths(self.reader.root, sorted(paths)) if commit and paths else None
        if modified is None:
            return lambda _path: "unknown"
        return lambda path: "worktree" if path in modified else f"commit:{commit}"

    def plan(self, question: str) -> Plan:
        from retrieval.compile.planner import plan

        return plan(question, self.reader)

    def pack(self, question: str, *, budget: int, reserve: int = 1024, checks: RotChecks | None = None) -> ContextPack:
        """Compile the pack for a question; rot detection looks at the pack alone unless ``checks`` are given."""
        with uncollected():
            return self._compiled(question, budget, reserve, checks)

    def _compiled(self, question: str, budget: int, reserve: int, checks: RotChecks | None) -> ContextPack:
        from retrieval.compile.pipeline import compile_pack
        from retrieval.compile.workspace import collect

        plan = self.plan(question)
        workspace = collect(plan, self.searcher)
        return compile_pack(
            plan,
            workspace,
            self.reader,
            budget=budget,
            reserve=reserve,
            state_of=self.states({candidate.chunk.path for candidate in workspace.candidates}),
            index_id=self.reader.meta.get("content_id", ""),
            commit=self.reader.meta.get("commit", ""),
            checks=checks,
        )

    def checks(self, question: str) -> RotChecks:
        """What rot detection may ask about the present: files on disk, the symbol table, the index's content."""
        from retrieval.compile.rot import RotChecks
        from retrieval.index.freshness import content_sha256

        known: dict[str, str | None] = {}

        def current_sha256(path: str) -> str | None:
            if path not in known:
                known[path] = content_sha256(self.reader.root, path) or None
            return known[path]

        return RotChecks(current_sha256, question, self.reader, self.reader, self.reader.meta.get("content_id", ""))

    def checked_pack(self, question: str, *, budget: int, reserve: int = 1024) -> ContextPack:
        """The pack with every rot finding, staleness against the files on disk included."""
        return self.pack(question, budget=budget, reserve=reserve, checks=self.checks(question))

    def close(self) -> None:
        self.reader.close()


def open_session(
    path: Path | None,
    *,
    update: bool = True,
    progress: Progress | None = None,
    warn: Warn = lambda _text: None,
    overrides: Overrides | None = None,
) -> Session:
    """Open the index for ``path`` (None: the working directory).

    Builds it when there is none and brings it up to date when files or its settings (``overrides``) changed, unless
    ``update`` is False.

    Raises:
        UserError: No such path, no index although updating was declined, an index that may not be used.
    """
    location = locate(path or working_directory(), explicit=path is not None)
    if location.note:
        warn(location.note)
    report: IndexReport | None = None
    try:
        reader = IndexReader.open(location)
    except IndexUnavailableError as error:
        if not update or not error.rebuildable:
            raise
        if error.kind == "missing":
            warn(f"First use here: indexing {location.root}")
        else:
            warn(f"{error.cause} Building it anew.")
        location = for_writing(location)
        report = _update(location, progress, overrides)
        reader = IndexReader.open(location)
    if report is None and update and (_reset(reader, overrides) or _drifted(reader)):
        reader.close()
        location = for_writing(location)
        from retrieval.index.lock import IndexBusyError

        try:
            report = _update(location, progress, overrides)
        except IndexBusyError as error:
            warn(f"{error.cause} Answering from the last complete index.")
        except DiskFullError as error:
            raise DiskFullError(error.cause, _or_without_update(error.mend, reader)) from error
        reader = IndexReader.open(location)
    if not reader.paths:
        warn(f"Nothing is indexed: {location.root} has no file that can be read (contextc index -v lists why).")
    embedder = _embedder(reader)
    if (embedder.model_id if embedder else "none") != reader.manifest.embedder:
        have = embedder.model_id if embedder else "none"
        if not update:
            raise IndexUnavailableError(
                f"The index was made with the embedder {reader.manifest.embedder}, not {have}.",
                f"Rebuild it: contextc index --rebuild {location.root}",
                "embedder",
            )
        reader.close()
        warn(f"The index was made with the embedder {reader.manifest.embedder}; building it anew with {have}.")
        location = for_writing(location)
        report = _update(location, progress, overrides)
        reader = IndexReader.open(location)
    return Session(location, reader, embedder, report)


def _reset(reader: IndexReader, overrides: Overrides | None) -> bool:
    stored = from_meta(reader.meta)
    return overrides is not None and overrides.apply(stored) != stored


def _drifted(reader: IndexReader) -> bool:
    from retrieval.index.freshness import drift

    return reader.manifest.outdated or not drift(reader).none


def _or_without_update(mend: str, reader: IndexReader) -> str:
    """``mend``, and the way that writes nothing, where that index is one to answer from."""
    embedder = _embedder(reader)
    if (embedder.model_id if embedder else "none") != reader.manifest.embedder:
        return mend
    return f"{mend.removesuffix('.')}: with --no-update it is used as it is."


def _update(location: Location, progress: Progress | None, overrides: Overrides | None) -> IndexReport:
    from retrieval.index.build import update_index
    from retrieval.index.report import silent

    return update_index(location, overrides, progress=progress or silent)


def _embedder(reader: IndexReader) -> Embedder | None:
    from retrieval.embed.load import load_embedder

    return load_embedder(from_meta(reader.meta).embedder)
