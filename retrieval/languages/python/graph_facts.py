"""What the graph alone needs of a Python file: no chunks, no signatures, no documentation."""

from __future__ import annotations

import logging
from typing import Any

from retrieval.languages.python.facts import read_facts
from retrieval.languages.python.tree import parse
from retrieval.records import Symbol

_LOG = logging.getLogger(__name__)


def analyze_graph(path: str, text: str, module: str) -> tuple[dict[str, Any], tuple[Symbol, ...]]:
    """The facts of a file, and its symbols where it is broken and the facts may not tell all of them.

    Args:
        path: Relative to the root.
        module: Dotted module name, not empty.
    """
    source = text.encode("utf-8", "surrogatepass")
    root = parse(source)
    symbols: tuple[Symbol, ...] = ()
    if root.has_error:
        from retrieval.chunking.lines import split_lines
        from retrieval.languages.python.analyze import statements_of
        from retrieval.languages.python.definitions import collect_symbols

        lines = split_lines(text)
        statements, comments = statements_of(root, lines)
        symbols = collect_symbols(statements, module, len(lines), comments)
    try:
        return read_facts(root, source, path, module, symbols), symbols
    except Exception:  # as in an index run: a fault in the references must not cost more than these
        _LOG.warning("%s: no references extracted", path, exc_info=True)
        return {}, symbols
