"""Values outside of the constants: what is read from the environment, and the tables of the build files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from retrieval.pack_records import Plan
from retrieval.records import ChunkKind, ChunkRow, Role
from retrieval.search.ports import Reader
from retrieval.search.related import Related
from retrieval.text.terms import index_terms, query_terms

TABLE = "a table of the build files"  # the reason for which a pack shows it
MAX_ENVIRONMENT = 4  # chunks that read the environment
MAX_TABLES = 3  # tables of build files
MAX_BODY = 8_000  # characters of a chunk that are read for names
_ENVIRONMENT_SCORE, _TABLE_SCORE = 0.8, 0.9
_READS_ENVIRONMENT = re.compile(r"\benviron\b|\bgetenv\b|\benvvar\b|\benv_var\b")
_BUILD_FILES = ("pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "noxfile.py")
_BUILD_TABLE = re.compile(
    r"requires-python|python_requires|build-backend|build-system|^\[project|install_requires|entry_points|dependencies",
    re.MULTILINE,
)


def environment_readers(plan: Plan, reader: Reader) -> Iterator[tuple[ChunkRow, Related]]:
    """Chunks of code that read the environment, those first that hold most of the question."""
    asked = set(query_terms(plan.question))
    rows = [row for row in chunks_holding(reader, ("environ", "getenv", "envvar")) if row.role is Role.CODE]
    ranked: list[tuple[int, str, int, ChunkRow, tuple[int, ...]]] = []
    for row in rows:
        lines = reader.file_text(row.path).lines
        shown = range(row.start_line, row.end_line + 1)
        hits = tuple(n for n in shown if _READS_ENVIRONMENT.search(lines[n - 1]))
        if hits:
            held = asked & set(index_terms(f"{row.symbol} {reader.chunk_text(row)[:MAX_BODY]}"))
            ranked.append((-len(held), row.path, row.start_line, row, hits))
    ranked.sort(key=lambda item: item[:3])
    for _, _, _, row, hits in ranked[:MAX_ENVIRONMENT]:
        yield row, Related(_ENVIRONMENT_SCORE, hits, True, "reads the environment")


def chunks_holding(reader: Reader, terms: Iterable[str], limit: int = 200) -> list[ChunkRow]:
    from retrieval.lexical.search import read_postings

    arrays = reader.arrays
    ids: set[int] = set()
    for _, docs, _ in read_postings(reader.conn, sorted({term for word in terms for term in index_terms(word)})):
        ids.update(int(i) for i in docs[:limit] if i < arrays.n and arrays.alive[i])
    return reader.chunks(sorted(ids)[:limit])


def build_tables(plan: Plan, reader: Reader) -> Iterator[tuple[ChunkRow, Related]]:
    """Tables of the build files at the root that tell of building, requirements and commands."""
    asked = set(query_terms(plan.question))
    ranked: list[tuple[int, int, int, ChunkRow]] = []
    for nth, path in enumerate(_BUILD_FILES):
        for row in reader.chunks_of(path) if path in reader.paths else ():
            text = reader.chunk_text(row)[:MAX_BODY]
            if row.kind is ChunkKind.CONFIG or path == "setup.py":
                held = len(asked & set(index_terms(f"{row.symbol} {text}"))) + bool(_BUILD_TABLE.search(text))
                ranked.append((-held, nth, row.start_line, row))
    ranked.sort(key=lambda item: item[:3])
    for held, _, _, row in ranked[:MAX_TABLES]:
        if held:
            yield row, Related(_TABLE_SCORE, (), True, TABLE)
