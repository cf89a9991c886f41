"""Whether lines that a tool showed still stand in their file as they did."""

from __future__ import annotations

from agent.tools.context import digest_of_lines
from agent.tools.paths import read_now, validate_path
from agent.tools.records import Evidence
from retrieval.errors import UserError
from retrieval.index.codec import split_lines
from retrieval.index.reader import IndexReader


def is_current(reader: IndexReader, evidence: Evidence) -> bool:
    """Compare with the file on disk; a file that is gone or may not be shown any more is not current."""
    try:
        source = read_now(reader, validate_path(reader, evidence.path))
    except UserError:
        return False
    return digest_of_lines(split_lines(source.text), evidence.first, evidence.last) == evidence.sha256
