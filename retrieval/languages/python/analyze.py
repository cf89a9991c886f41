"""From the text of a Python file to its chunks, symbols and raw references."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from retrieval.chunking.lines import split_lines
from retrieval.languages.python.chunks import PythonChunker
from retrieval.languages.python.definitions import collect_symbols, document
from retrieval.languages.python.facts import extract_facts
from retrieval.languages.python.salvage import Salvage, damage
from retrieval.languages.python.tree import Statement, StatementTree, parse
from retrieval.records import BlockKind, Chunk, FileAnalysis, Symbol

_LOG = logging.getLogger(__name__)


def analyze_python(path: str, text: str, module: str) -> FileAnalysis:
    """Analyse one file.

    Args:
        path: Relative to the root.
        module: Dotted module name, see ``modules.module_names``; the file's stem when "".
    """
    module = module or path.rpartition("/")[2].partition(".")[0] or "module"
    source = text.encode("utf-8", "surrogatepass")
    root = parse(source)
    chunks, symbols = read_structure(root, text, module)
    return FileAnalysis(chunks, symbols, _facts(root, source, path, module, symbols), root.has_error)


def read_structure(root: Node, text: str, module: str) -> tuple[tuple[Chunk, ...], tuple[Symbol, ...]]:
    """Chunks and symbols of the parsed ``text``; each chunk's text is its lines of the file."""
    lines = split_lines(text)
    statements, comments = statements_of(root, lines)
    symbols = collect_symbols(statements, module, len(lines), comments)
    chunker = PythonChunker(lines, statements, module, comments, list(_documents(statements)))
    return chunker.chunk(statements), symbols


def statements_of(root: Node, lines: Sequence[str]) -> tuple[list[Statement], list[tuple[int, str]]]:
    """Statements and comments; of a broken file those of the reading that loses less."""
    tree = StatementTree(root)
    if root.has_error:
        salvage = Salvage(lines)
        if damage(salvage.statements) < damage(tree.statements):
            return salvage.statements, salvage.comments
    return tree.statements, tree.comments


def _facts(root: Node, source: bytes, path: str, module: str, symbols: Sequence[Symbol]) -> str:
    try:
        return extract_facts(root, source, path, module, symbols)
    except Exception:  # a fault in the references must not cost the file its chunks and symbols
        _LOG.warning("%s: no references extracted", path, exc_info=True)
        return ""


def _documents(statements: Sequence[Statement], opening: bool = True) -> Iterator[tuple[int, str]]:
    """``(row, text)`` of every docstring, and of the bare strings that document an attribute."""
    for index, statement in enumerate(statements):
        if statement.kind is BlockKind.DOCSTRING:
            if (index == 0 and opening) or (index and statements[index - 1].kind is BlockKind.ASSIGN):
                doc = document((statement,))
                if doc:
                    yield statement.start, doc
        elif statement.body:
            yield from _documents(statement.body, statement.is_definition)
