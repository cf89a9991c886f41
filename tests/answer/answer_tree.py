"""A small project in memory: a reader over really analysed sources, and a graph whose edges the test writes down."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace

from retrieval.compile.render import body_text
from retrieval.languages.python.modules import module_names
from retrieval.languages.registry import analyze
from retrieval.pack_records import ContextPack, EvidenceChunk, LegHit, Plan
from retrieval.records import ChunkRow, Confidence, Edge, EdgeKind, FileText, SymbolRow
from retrieval.source.roles import language_of, role_of


class FakeReader:
    def __init__(self, files: Mapping[str, str]) -> None:
        modules = module_names(path for path in files if path.endswith(".py"))
        self.files: dict[str, FileText] = {}
        self.rows: list[ChunkRow] = []
        self.symbols: list[SymbolRow] = []
        for path, text in files.items():
            language = language_of(path)
            role = role_of(path, language)
            sha = hashlib.sha256(text.encode()).hexdigest()
            lines = tuple(text.removesuffix("\n").split("\n"))
            self.files[path] = FileText(path, language, role, sha, lines, [1] * len(lines))
            analysis = analyze(path, text, language, modules.get(path, ""))
            self.symbols += [SymbolRow(path, role, symbol) for symbol in analysis.symbols]
            for each in analysis.chunks:
                body = "\n".join(lines[each.start_line - 1 : each.end_line])
                digest = hashlib.sha256(body.encode()).hexdigest()
                self.rows.append(
                    ChunkRow(
                        len(self.rows), path, language, role, each.kind, each.symbol, each.qualname, each.start_line,
                        each.end_line, each.part, each.parts, digest, len(body) // 3, each.context, each.blocks,
                    )
                )  # fmt: skip

    def file_text(self, path: str) -> FileText:
        return self.files[path]

    def symbol(self, qualname: str) -> SymbolRow | None:
        return next((row for row in self.symbols if row.symbol.qualname == qualname), None)

    def symbols_named(self, name: str) -> tuple[SymbolRow, ...]:
        return tuple(row for row in self.symbols if row.symbol.name == name)

    def symbols_ending(self, dotted: str) -> tuple[SymbolRow, ...]:
        return tuple(row for row in self.symbols if f".{row.symbol.qualname}".endswith(f".{dotted}"))

    def symbols_in(self, path: str) -> tuple[SymbolRow, ...]:
        return tuple(row for row in self.symbols if row.path == path)

    def chunks_of(self, path: str) -> tuple[ChunkRow, ...]:
        return tuple(row for row in self.rows if row.path == path)

    def chunks_of_symbol(self, qualname: str) -> tuple[ChunkRow, ...]:
        return tuple(row for row in self.rows if row.qualname == qualname)

    def paths_matching(self, hint: str) -> tuple[str, ...]:
        return tuple(path for path in self.files if path == hint or path.endswith("/" + hint))

    def similar_names(self, name: str, limit: int = 5) -> tuple[str, ...]:
        names = sorted({row.symbol.name for row in self.symbols})
        return tuple(difflib.get_close_matches(name, names, n=limit, cutoff=0.6))


@dataclass(frozen=True)
class Reach:
    qualname: str
    chain: tuple[Edge, ...]

    @property
    def distance(self) -> int:
        return len(self.chain)


class FakeGraph:
    def __init__(self, *edges: Edge) -> None:
        self.edges = edges

    def edges_into(self, qualname: str, kinds: Collection[EdgeKind]) -> tuple[Edge, ...]:
        return tuple(e for e in self.edges if e.kind in kinds and (e.dst == qualname or qualname in e.candidates))

    def edges_from(self, qualname: str, kinds: Collection[EdgeKind]) -> tuple[Edge, ...]:
        return tuple(e for e in self.edges if e.kind in kinds and e.src == qualname)

    def callers(self, qualname: str) -> SimpleNamespace:
        return SimpleNamespace(omitted=0)

    def impact(self, qualname: str, depth: int, limit: int, floor: Confidence) -> tuple[Reach, ...]:
        found: dict[str, Reach] = {}
        frontier = [Reach(qualname, ())]
        for _ in range(depth):
            following = []
            for reach in frontier:
                for edge in self.edges:
                    open_end = edge.confidence is Confidence.POSSIBLE and floor is not Confidence.POSSIBLE
                    if edge.dst == reach.qualname and edge.src not in (qualname, *found) and not open_end:
                        found[edge.src] = Reach(edge.src, (edge, *reach.chain))
                        following.append(found[edge.src])
            frontier = following
        return tuple(found.values())[:limit]

    def tests_for(self, qualname: str, limit: int, max_distance: int) -> tuple[Reach, ...]:
        return tuple(
            reach for reach in self.impact(qualname, 3, limit, Confidence.LIKELY) if ".test_" in reach.qualname
        )

    def possible_tests(self, qualname: str) -> tuple[tuple[Edge, ...], int]:
        found = self.edges_into(qualname, (EdgeKind.CALL,))
        return tuple(e for e in found if e.confidence is Confidence.POSSIBLE and ".test_" in e.src), 0

    def gaps(self, qualname: str) -> tuple[Edge, ...]:
        return tuple(e for e in self.edges if e.src == qualname and e.dst.startswith("?."))

    def path_between(self, source: str, target: str) -> tuple[Edge, ...]:
        return next(
            (reach.chain for reach in self.impact(target, 6, 100, Confidence.POSSIBLE) if reach.qualname == source), ()
        )


def edge(
    src: str, dst: str, path: str, line: int, kind: EdgeKind = EdgeKind.CALL, sure: str = "certain", **more: object
) -> Edge:
    return Edge(src, dst, kind, Confidence(sure), path, line, "test", **more)  # type: ignore[arg-type]


def pack_from(
    reader: FakeReader, plan: Plan, *qualnames: str, sufficient: bool = True, paths: Iterable[str] = ()
) -> ContextPack:
    """A pack that shows, whole, the chunks of the given symbols and of the given files."""
    rows = [row for name in qualnames for row in reader.chunks_of_symbol(name)]
    rows += [row for row in reader.rows if row.path in paths and row not in rows]
    chunks = tuple(_evidence(reader, row, number) for number, row in enumerate(rows, start=1))
    strength = 0.9 if sufficient else 0.1
    return ContextPack(plan.question, plan, chunks, sum(c.tokens for c in chunks), 4000, 1024, strength, sufficient)


def _evidence(reader: FakeReader, row: ChunkRow, number: int) -> EvidenceChunk:
    file = reader.file_text(row.path)
    shown = {n: file.lines[n - 1] for n in range(row.start_line, row.end_line + 1)}
    ranges = ((row.start_line, row.end_line),)
    return EvidenceChunk(
        number, f"{row.path}:{row.start_line}-{row.end_line}@{row.sha256[:12]}", row.path, row.symbol, row.qualname,
        row.kind.value, row.language, row.role.value, row.start_line, row.end_line, ranges, body_text(ranges, shown),
        "\n".join(shown.values()), max(1, row.tokens), row.sha256, file.sha256, "unknown", 1.0 - number / 100, 0.9,
        (LegHit("lexical", number, 1.0),), (), "matches", (),
    )  # fmt: skip
