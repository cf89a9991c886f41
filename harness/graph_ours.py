"""Our call graph in the form of ``graph_peer``: ``python -m harness.graph_ours (all|certain+likely) JOBS ANSWERS``.

Each job is read, parsed and resolved from nothing, by the language module and the resolver that an index run uses,
without chunks, terms and vectors.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from retrieval.graph.export import all_edges, export
from retrieval.graph.resolve import resolve_tree
from retrieval.index.schema import DDL
from retrieval.languages.python.definitions import collect_symbols
from retrieval.languages.python.facts import extract_facts
from retrieval.languages.python.modules import module_names
from retrieval.languages.python.tree import StatementTree, parse
from retrieval.records import Confidence, EdgeKind, Symbol

_MANY = 24  # files from which several processes are worth starting
_End = tuple[str, int, str]
_Analyzed = tuple[str, str, Sequence[Symbol], str]


def _analyzed(job: tuple[str, str, str]) -> _Analyzed:
    """Symbols and facts of a file, as an index run gets them; its chunks are not made."""
    root, path, module = job
    text = Path(root, path).read_text(encoding="utf-8", errors="replace")
    source = text.encode("utf-8", "surrogatepass")
    parsed = parse(source)
    tree = StatementTree(parsed)
    symbols = collect_symbols(tree.statements, module, text.count("\n") + 1, tree.comments)
    return path, module, symbols, extract_facts(parsed, source, path, module, symbols)


def _all_analyzed(jobs: Sequence[tuple[str, str, str]]) -> Iterator[_Analyzed]:
    if len(jobs) < _MANY or sys.platform != "linux":
        yield from map(_analyzed, jobs)
        return
    with multiprocessing.get_context("fork").Pool(len(os.sched_getaffinity(0))) as pool:
        yield from pool.imap(_analyzed, jobs, chunksize=16)


def graph(root: str, files: Sequence[str]) -> sqlite3.Connection:
    """An index in memory that holds modules, symbols and edges."""
    conn = sqlite3.connect(":memory:", isolation_level=None)
    conn.executescript(DDL)
    conn.execute("BEGIN")
    modules = module_names(files)
    jobs = [(root, path, module) for path, module in sorted(modules.items())]
    for number, (path, module, symbols, facts) in enumerate(_all_analyzed(jobs), start=1):
        role = "test" if path.rpartition("/")[2].startswith("test") else "code"
        conn.execute(
            "INSERT INTO files(id, path, sha256, size, mtime_ns, language, role, module, encoding, partial,"
            " exact_tokens, n_lines, text, line_tokens, facts) VALUES(?,?,'',0,0,'python',?,?,'utf-8',0,0,0,'','',?)",
            (number, path, role, module, facts),
        )
        conn.executemany(
            "INSERT INTO symbols(file_id, qualname, name, kind, start_line, def_line, end_line, signature, doc, parent,"
            " decorators, bases) VALUES(?,?,?,?,?,?,?,'','',?,'','')",
            [
                (
                    number,
                    each.qualname,
                    each.name,
                    each.kind,
                    each.start_line,
                    each.def_line,
                    each.end_line,
                    each.parent,
                )
                for each in symbols
            ],
        )
    resolve_tree(conn, None)
    return conn


def edges(conn: sqlite3.Connection, floor: Confidence) -> Iterable[tuple[_End, _End]]:
    """Calls between places; what lies outside the tree has its name alone."""
    ends: dict[str, _End] = {}
    for qualname, name, kind, line, path in conn.execute(
        "SELECT s.qualname, s.name, s.kind, s.def_line, f.path FROM symbols s JOIN files f ON f.id = s.file_id"
    ):
        ends[qualname] = (path, 0, "") if kind == "module" else (path, line, name)
    for path, facts in conn.execute("SELECT path, facts FROM files"):
        for scope in json.loads(facts or '{"S":[]}')["S"]:
            if scope["k"] == "l":
                ends[scope["n"]] = (path, scope["l"], "")
    for edge in export(conn, all_edges(conn, (EdgeKind.CALL,)), (), floor, keep_names=True).edges:
        yield ends.get(edge.caller, ("", 0, edge.caller)), ends.get(edge.callee, ("", 0, edge.callee))


def main(which: str, jobs: str, answers: str) -> None:
    floor = Confidence.LIKELY if which == "certain+likely" else Confidence.POSSIBLE
    with Path(jobs).open(encoding="utf-8") as reading, Path(answers).open("w", encoding="utf-8") as writing:
        for line in reading:
            job = json.loads(line)
            conn = graph(job["root"], job["files"])
            writing.write(json.dumps({"edges": sorted(set(edges(conn, floor)))}) + "\n")
            conn.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
