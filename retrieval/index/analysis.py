"""One file, from bytes on disk to everything the index stores about it. Runs in worker processes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from retrieval.embed.base import Embedder
from retrieval.index.codec import pack_blocks, pack_text, split_lines
from retrieval.index.embed_cache import EmbeddingCache, embedding_key
from retrieval.lexical.file_terms import FileTerms, TermCounter
from retrieval.records import FileAnalysis, Role, Symbol
from retrieval.source.decode import read_source
from retrieval.source.roles import language_of, role_of
from retrieval.source.secrets import RULES_ID, redact
from retrieval.source.walk import Skipped, WalkLimits

#: Characters of a chunk that are embedded: about four times what a static embedder still profits from.
_EMBED_CHARS = 6000
#: No secret that can be told from a word is shorter.
_MIN_SECRET = 12


@dataclass(frozen=True, slots=True)
class Job:
    """A file to analyse."""

    path: str
    size: int
    mtime_ns: int
    module: str


class AnalyzedChunk(NamedTuple):
    """A chunk as it is stored; ``blocks`` are packed already. Tuples of plain values, as symbols are, since tens of
    thousands are sent between processes: a frozen dataclass takes ten times as long."""

    kind: str
    symbol: str
    qualname: str
    start_line: int
    end_line: int
    part: int
    parts: int
    context: str
    blocks: bytes
    sha256: str
    embed_key: bytes


#: A row of the table of symbols without its ids: qualified name, name, kind, start line, line of the name, end line,
#: signature, doc, parent, and decorators and bases as JSON.
SymbolValues = tuple[str, str, str, int, int, int, str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class AnalyzedFile:
    """``vectors`` has one float16 row per chunk, or is None when the embedder is remote or absent; ``fresh`` are the
    rows that did not come from the cache. ``clean`` is ``RULES_ID`` of the rules that found no secret in it, or 0."""

    path: str
    sha256: str
    size: int
    mtime_ns: int
    language: str
    role: Role
    module: str
    encoding: str
    partial: bool
    clean: int
    n_lines: int
    text: bytes
    facts: str
    symbols: tuple[SymbolValues, ...]
    chunks: tuple[AnalyzedChunk, ...]
    terms: FileTerms
    vectors: npt.NDArray[np.float16] | None
    fresh: tuple[int, ...]


def embed_text(path: str, symbol: str, context: str, text: str) -> str:
    """What stands for a chunk before the embedder: where it is, what it is called, what encloses it, its lines."""
    return f"{path}\n{symbol}\n{context}\n{text}"[:_EMBED_CHARS]


def _without_secret_names(analysis: FileAnalysis, language: str) -> FileAnalysis:
    """Names are shown wherever a chunk is listed. Code's are identifiers; a heading can be any text, a token too."""
    if language == "python":
        return analysis

    def clean(name: str) -> str:
        return redact(name).text if len(name) >= _MIN_SECRET else name

    return replace(
        analysis,
        symbols=tuple(
            replace(
                s, name=clean(s.name), qualname=clean(s.qualname), parent=clean(s.parent), signature=clean(s.signature)
            )
            for s in analysis.symbols
        ),
        chunks=tuple(
            replace(c, symbol=clean(c.symbol), qualname=clean(c.qualname), context=clean(c.context))
            for c in analysis.chunks
        ),
    )


def analyze_file(
    root: Path,
    job: Job,
    limits: WalkLimits,
    counter: TermCounter,
    embedder: Embedder | None,
    cache: EmbeddingCache | None,
) -> AnalyzedFile | Skipped:
    """Read, decode and chunk one file, count its terms and embed its chunks. Never raises on content.

    Args:
        embedder: A local embedder, whose vectors are then part of the result; None leaves them out.
    """
    from retrieval.languages.plugin import plugin_for
    from retrieval.languages.registry import analyze

    source = read_source(root, job.path, limits)
    if isinstance(source, Skipped):
        return source
    plugin = plugin_for(job.path)
    language = plugin.name if plugin else language_of(job.path)
    role = role_of(job.path, language)
    found = plugin.analyze(job.path, source.text) if plugin else None
    if found is None:
        found = analyze(job.path, source.text, language_of(job.path), job.module)
    analysis = _without_secret_names(found, language)
    lines = split_lines(source.text)
    model_id = embedder.model_id if embedder else "none"
    chunks: list[AnalyzedChunk] = []
    bodies: list[str] = []
    texts: list[str] = []
    for chunk in analysis.chunks:
        text = "\n".join(lines[chunk.start_line - 1 : chunk.end_line])
        bodies.append(text)
        texts.append(embed_text(job.path, chunk.symbol, chunk.context, text))
        chunks.append(
            AnalyzedChunk(
                chunk.kind.value,
                chunk.symbol,
                chunk.qualname,
                chunk.start_line,
                chunk.end_line,
                chunk.part,
                chunk.parts,
                chunk.context,
                pack_blocks(chunk.blocks, chunk.start_line),
                hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
                embedding_key(model_id, texts[-1]),
            )
        )
    vectors, fresh = _embed(texts, [chunk.embed_key for chunk in chunks], embedder, cache)
    return AnalyzedFile(
        path=job.path,
        sha256=source.sha256,
        size=job.size,
        mtime_ns=job.mtime_ns,
        language=language,
        role=role,
        module=job.module,
        encoding=source.encoding,
        partial=analysis.partial,
        clean=0 if redact("\n".join(lines)).count else RULES_ID,
        n_lines=len(lines),
        text=pack_text(source.text),
        facts=analysis.facts,
        symbols=tuple(map(_symbol_values, analysis.symbols)),
        chunks=tuple(chunks),
        terms=counter.count(job.path, analysis.chunks, bodies),
        vectors=vectors,
        fresh=fresh,
    )


def _symbol_values(symbol: Symbol) -> SymbolValues:
    return (
        symbol.qualname,
        symbol.name,
        symbol.kind,
        symbol.start_line,
        symbol.def_line,
        symbol.end_line,
        symbol.signature,
        symbol.doc,
        symbol.parent,
        json.dumps(symbol.decorators) if symbol.decorators else "[]",
        json.dumps(symbol.bases) if symbol.bases else "[]",
    )


def _embed(
    texts: list[str], keys: list[bytes], embedder: Embedder | None, cache: EmbeddingCache | None
) -> tuple[npt.NDArray[np.float16] | None, tuple[int, ...]]:
    if embedder is None or not embedder.local:
        return None, ()
    vectors = np.zeros((len(texts), embedder.dim), np.float16)
    known = cache.get(keys) if cache else {}
    fresh: list[int] = []
    for row, key in enumerate(keys):
        if key in known:
            vectors[row] = known[key]
        else:
            fresh.append(row)
    if fresh:
        vectors[fresh] = embedder.embed_documents([texts[row] for row in fresh])
    return vectors, tuple(fresh)
