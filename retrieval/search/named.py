"""Chunks that a question names: definitions of its identifiers and words, and chunks of the files it hints at."""

from __future__ import annotations

from retrieval.pack_records import Plan
from retrieval.records import ChunkKind, Role
from retrieval.search.fusion import Scores
from retrieval.search.links import LinkReader
from retrieval.search.ports import Reader

_MAX_CHUNKS_OF_HINTED_FILE = 40
_MAX_DEFINITIONS = 24
_PARTS_OF_DEFINITION = 3
_MODULE_KIND = tuple(ChunkKind).index(ChunkKind.MODULE)
_TEST_ROLE = tuple(Role).index(Role.TEST)
_TEST_DEFINITION_SHARE = 0.2  # a name that a test defines is rarely what a question means


def definitions_of(reader: Reader, links: LinkReader, plan: Plan, *, words: bool) -> dict[int, float]:
    """Chunk id -> share: of several definitions of one name the best gets 1, the others less."""
    arrays = reader.arrays
    wanted = [mention for mention in plan.mentions if (mention.how == "word") is words]
    known = links.chunk_ids(qualname for mention in wanted for qualname in mention.symbols)
    shares: dict[int, float] = {}
    for mention in wanted:
        # A name with many definitions ("__init__") points nowhere in particular.
        clarity = 1.0 / max(1.0, len(mention.symbols) / 2.0)
        for nth, qualname in enumerate(mention.symbols):
            # A symbol without a chunk of its own (a constant, a short method) is in the chunk around it.
            ids = known.get(qualname) or [row.id for row in reader.chunks_of_symbol(qualname)]
            for part, chunk_id in enumerate(ids[:_PARTS_OF_DEFINITION]):
                if qualname in known and arrays.kind[chunk_id] == _MODULE_KIND:
                    continue  # a module is named by its path; its loose statements define nothing
                share = clarity / (1.0 + 0.5 * nth + 0.5 * part)
                if arrays.role[chunk_id] == _TEST_ROLE and not plan.wants_tests:
                    share *= _TEST_DEFINITION_SHARE
                shares[chunk_id] = max(shares.get(chunk_id, 0.0), share)
                if len(shares) >= _MAX_DEFINITIONS:
                    return shares
    return shares


def hinted_chunks(reader: Reader, plan: Plan, dense: Scores) -> dict[int, float]:
    """Chunk id -> 1.0 (its file is named; the best by the lexical scores ``dense``) or 2.0 (its line is)."""
    hinted: dict[int, float] = {}
    for hint in plan.file_hints:
        for path in hint.paths[:3]:
            rows = reader.chunks_of(path)
            best = sorted(rows, key=lambda row: (-float(dense[row.id]), row.start_line))
            for row in best[:_MAX_CHUNKS_OF_HINTED_FILE]:
                hinted.setdefault(row.id, 1.0)
            if hint.line is not None:
                at = reader.chunk_at(path, hint.line)
                if at is not None:
                    hinted[at.id] = 2.0
    return hinted
