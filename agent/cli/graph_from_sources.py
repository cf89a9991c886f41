"""The graph of a tree that has no index, read from its files: in a fraction of the time, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from agent.cli.common import index_overrides
from retrieval.errors import UserError

if TYPE_CHECKING:
    from retrieval.graph.export import GraphExport
    from retrieval.graph.sources import SourceGraph
    from retrieval.records import Confidence, EdgeKind


def graph_without_index(
    path: Path | None, kinds: Collection[EdgeKind], progress: Callable[[str, int, int], None]
) -> SourceGraph | None:
    """None where there is an index to ask, or where a graph needs one: a plugin reads some of the files."""
    from retrieval.index.location import locate, working_directory

    location = locate(path or working_directory(), explicit=path is not None)
    if location.manifest.exists():
        return None
    from retrieval.graph.sources import SourceFile, graph_of_sources
    from retrieval.index.settings import IndexSettings
    from retrieval.languages.plugin import identities
    from retrieval.languages.python.modules import module_names
    from retrieval.source.decode import read_source
    from retrieval.source.entries import SourceText
    from retrieval.source.roles import language_of, role_of
    from retrieval.source.walk import WalkLimits, walk

    overrides = index_overrides()
    settings = overrides.apply(IndexSettings()) if overrides is not None else IndexSettings()
    limits = WalkLimits(max_file_bytes=settings.max_file_bytes)
    found = walk(location.root, limits).files
    sizes = {file.path: file.size for file in found if language_of(file.path) == "python"}
    modules = module_names(name for name in sizes if name.endswith((".py", ".pyi")))
    if len(modules) < len(sizes) or identities(file.path for file in found)[0]:
        return None

    def read(name: str) -> str | None:
        source = read_source(location.root, name, limits)
        return source.text if isinstance(source, SourceText) else None

    files = [
        SourceFile(name, modules[name], role_of(name, "python").value, size) for name, size in sorted(sizes.items())
    ]
    return graph_of_sources(files, read, kinds, progress)


def export_of(made: SourceGraph, package: str | None, floor: Confidence) -> GraphExport:
    """All of it, or what has an end in a package or module."""
    from retrieval.graph.export import records_of

    if package is None:
        return records_of(made.definitions, made.edges, None, floor)
    start = f"{package}."

    def is_inside(name: str) -> bool:
        return name == package or name.startswith(start)

    inside = [each.qualname for each in made.definitions if is_inside(each.qualname)]
    if not inside:
        raise UserError(f"There is no package or module {package!r} in the tree.", "Name it as it is imported.")
    edges = (edge for edge in made.edges if is_inside(edge[0]) or is_inside(edge[1]))
    return records_of(made.definitions, edges, inside, floor)
