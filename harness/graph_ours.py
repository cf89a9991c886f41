"""Our call graph in the form of ``graph_peer``: ``python -m harness.graph_ours (all|certain+likely) JOBS ANSWERS``.

Each job is read, parsed and resolved from nothing, as ``contextc graph export`` does it for a tree without an index.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from retrieval.graph.export import records_of
from retrieval.graph.run import deep_stack
from retrieval.graph.sources import SourceFile, SourceGraph, graph_of_sources
from retrieval.languages.python.modules import module_names
from retrieval.records import Confidence, EdgeKind

_End = tuple[str, int, str]


def graph(root: str, files: Sequence[str]) -> SourceGraph:
    def read(path: str) -> str:
        return Path(root, path).read_text(encoding="utf-8", errors="replace")

    jobs = []
    for path, module in sorted(module_names(files).items()):
        role = "test" if path.rpartition("/")[2].startswith("test") else "code"
        jobs.append(SourceFile(path, module, role, Path(root, path).stat().st_size))
    return graph_of_sources(jobs, read, (EdgeKind.CALL,))


def edges(made: SourceGraph, floor: Confidence) -> Iterable[tuple[_End, _End]]:
    """Calls between places; what lies outside the tree has its name alone."""
    ends: dict[str, _End] = {}
    for each in made.definitions:
        if each.kind == "module":
            ends[each.qualname] = (each.path, 0, "")
        else:
            ends[each.qualname] = (each.path, each.line, "" if each.kind == "lambda" else each.simple_name)
    for edge in records_of(made.definitions, made.edges, (), floor, keep_names=True).edges:
        yield ends.get(edge.caller, ("", 0, edge.caller)), ends.get(edge.callee, ("", 0, edge.callee))


def main(which: str, jobs: str, answers: str) -> None:
    floor = Confidence.LIKELY if which == "certain+likely" else Confidence.POSSIBLE
    with (
        deep_stack(),
        Path(jobs).open(encoding="utf-8") as reading,
        Path(answers).open("w", encoding="utf-8") as writing,
    ):
        for line in reading:
            job = json.loads(line)
            made = graph(job["root"], job["files"])
            writing.write(json.dumps({"edges": sorted(set(edges(made, floor)))}) + "\n")
    gc.freeze()  # the process ends here: nothing is worth a last walk over all objects


if __name__ == "__main__":
    main(*sys.argv[1:])
