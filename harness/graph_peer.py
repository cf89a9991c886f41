"""Runs another call graph tool inside its own virtual environment, for ``harness.graph_peers``.

``python graph_peer.py TOOL JOBS ANSWERS``: a line of JOBS is ``{"root": folder, "files": [relative path, …]}``, one of
ANSWERS ``{"edges": [[caller, callee], ...]}`` or ``{"error": text}``. An end of an edge is ``[path, line of the
definition, name]`` where the tool knows the place, else ``["", 0, dotted name]``. A module's code is line 0. It imports
nothing but the standard library and the tool.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

End = tuple[str, int, str]


def pycg(root: str, files: list[str]) -> Iterator[tuple[End, End]]:
    import_module("unicodedata")  # the tool takes the import path away, and then its parser cannot read \\N{…}
    generator = import_module("pycg.pycg").CallGraphGenerator(files, root, -1, "call-graph")
    generator.analyze()
    for caller, callees in import_module("pycg.formats").Simple(generator).generate().items():
        for callee in callees:
            yield ("", 0, caller), ("", 0, callee)


def pyan3(root: str, files: list[str]) -> Iterator[tuple[End, End]]:
    visitor = import_module("pyan.analyzer").CallGraphVisitor(files, root=root, logger=logging.getLogger("pyan"))
    for caller, callees in visitor.uses_edges.items():
        for callee in callees:
            ends = _pyan_end(caller, root), _pyan_end(callee, root)
            if ends[0] and ends[1]:
                yield ends[0], ends[1]


def _pyan_end(node: Any, root: str) -> End | None:
    """Of what the tool calls uses, those of functions; naming a class or a module is no call."""
    flavor = str(getattr(node.flavor, "value", node.flavor))
    path = os.path.relpath(os.path.realpath(node.filename), root) if node.filename else ""
    if flavor == "module":
        return (path, 0, "") if path else None
    if flavor == "class" or node.ast_node is None or not path:
        return None
    return path, int(node.ast_node.lineno), str(node.name)


def code2flow(root: str, files: list[str]) -> Iterator[tuple[End, End]]:
    engine: Any = import_module("code2flow.engine")
    made: dict[int, str] = {}
    original = engine.make_file_group

    def remember(tree: Any, filename: str, extension: str) -> Any:
        group = original(tree, filename, extension)
        made[id(group)] = os.path.relpath(os.path.realpath(filename), root)
        return group

    engine.make_file_group = remember
    try:
        _, _, edges = engine.map_it(files, "py", True, [], [], [], [], True, engine.LanguageParams())
    finally:
        engine.make_file_group = original
    for edge in edges:
        yield _code2flow_end(edge.node0, made), _code2flow_end(edge.node1, made)


def _code2flow_end(node: Any, made: dict[int, str]) -> End:
    path = made[id(node.file_group())]
    return (path, 0, "") if node.token == "(global)" else (path, int(node.line_number or 0), str(node.token))  # noqa: S105


TOOLS = {"pycg": pycg, "pyan3": pyan3, "code2flow": code2flow}


def main(tool: str, jobs: str, answers: str) -> None:
    sys.setrecursionlimit(20_000)
    logging.disable(logging.CRITICAL)
    with Path(jobs).open(encoding="utf-8") as reading, Path(answers).open("w", encoding="utf-8") as writing:
        for line in reading:
            writing.write(json.dumps(_answer(tool, json.loads(line))) + "\n")


def _answer(tool: str, job: dict[str, Any]) -> dict[str, Any]:
    root = os.path.realpath(job["root"])
    files = [str(Path(root, name)) for name in job["files"]]
    os.chdir(root)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return {"edges": sorted(set(TOOLS[tool](root, files)))}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {str(error)[:200]}"}


if __name__ == "__main__":
    main(*sys.argv[1:])
