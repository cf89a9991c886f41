"""The languages by name, and the one entry point that turns a file into chunks and symbols."""

from __future__ import annotations

import logging

from retrieval.chunking.flat import window_chunks
from retrieval.chunking.lines import Limits
from retrieval.languages.config import analyze_ini, analyze_json, analyze_toml, analyze_yaml
from retrieval.languages.markdown import analyze_markdown
from retrieval.languages.plain import analyze_text
from retrieval.languages.protocol import Analyzer
from retrieval.languages.python.analyze import analyze_python
from retrieval.languages.rst import analyze_rst
from retrieval.records import FileAnalysis

_LOG = logging.getLogger(__name__)

WINDOW_LIMITS = Limits(40, 4_000)

_ANALYZERS: dict[str, Analyzer] = {
    "python": analyze_python,
    "markdown": analyze_markdown,
    "rst": analyze_rst,
    "toml": analyze_toml,
    "ini": analyze_ini,
    "yaml": analyze_yaml,
    "json": analyze_json,
    "text": analyze_text,
}
#: Languages that no plugin may claim the files of; plain text is what is left when nothing else reads a file.
READ_BY_US = frozenset(_ANALYZERS) - {"text"}


def analyze(path: str, text: str, language: str, module: str) -> FileAnalysis:
    """Chunks, symbols and raw references of one file. Never raises on content.

    Args:
        path: Relative to the root.
        text: Decoded text of the file.
        language: As ``retrieval.source.roles.language_of`` names it; unknown ones are cut into windows.
        module: Dotted module name of a Python file, else "".
    """
    analyzer = _ANALYZERS.get(language)
    if analyzer is None:
        return FileAnalysis(window_chunks(text, WINDOW_LIMITS))
    try:
        return analyzer(path, text, module)
    except Exception:  # a fault of ours must cost the structure of one file, not the run
        _LOG.warning("%s: analysis as %s failed, indexed as plain windows", path, language, exc_info=True)
        return FileAnalysis(window_chunks(text, WINDOW_LIMITS), partial=True)
