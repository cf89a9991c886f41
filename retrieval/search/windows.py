"""Which lines of a long result to show: the run of lines that says most of the question.

A result is a place to read. A function of eighty lines as a whole spends what three results could have shown, so a
chunk above ``limit`` tokens is narrowed to the run of at most that many tokens whose lines hold the question's terms,
rare ones counting more; its header line gives a run a start, so that without any term the beginning is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from retrieval.lexical.search import term_idf
from retrieval.pack_records import Candidate
from retrieval.records import ChunkRow
from retrieval.search.ports import Reader
from retrieval.text.terms import index_terms, query_terms

SHOWN_TOKENS = 200  # of one result: about sixteen lines
_MOST_COUNTED = 2  # lines of a run that a term counts in; more say nothing new
_HEADER_SHARE = 0.5  # what the chunk's first line is worth, of the rarest term


def shown_ranges(
    reader: Reader, question: str, found: Sequence[Candidate], limit: int = SHOWN_TOKENS
) -> list[tuple[int, int, int]]:
    """(first line, last line, upper bound of their tokens) of each candidate, in order."""
    long = [candidate for candidate in found if candidate.chunk.tokens > limit]
    weights: dict[str, float] = {}
    if long:
        terms = query_terms(question)
        idf = term_idf(reader.conn, terms, reader.arrays.alive)
        weights = {term: terms[term] * idf[term] for term in terms if term in idf}
    return [_shown(reader, candidate.chunk, weights, limit) for candidate in found]


def _shown(reader: Reader, chunk: ChunkRow, weights: Mapping[str, float], limit: int) -> tuple[int, int, int]:
    if chunk.tokens <= limit:
        return chunk.start_line, chunk.end_line, chunk.tokens
    text = reader.file_text(chunk.path)
    first, last = best_run(
        text.lines[chunk.start_line - 1 : chunk.end_line],
        text.line_tokens[chunk.start_line - 1 : chunk.end_line],
        weights,
        limit,
    )
    start, end = chunk.start_line + first, chunk.start_line + last
    return start, end, sum(text.line_tokens[start - 1 : end])


def best_run(lines: Sequence[str], tokens: Sequence[int], weights: Mapping[str, float], limit: int) -> tuple[int, int]:
    """(first, last) positions of the run of at most ``limit`` tokens that holds most; one line at least.

    Blank lines at its ends are left off. Of equal runs the earliest.
    """
    held = [sorted({term for term in index_terms(line) if term in weights}) for line in lines]
    header = _HEADER_SHARE * max(weights.values(), default=1.0)
    counts = dict.fromkeys(weights, 0)
    best, best_score, score, spent, end = (0, 0), -1.0, header, 0, 0
    for start in range(len(lines)):
        while end < len(lines) and (end == start or spent + tokens[end] <= limit):
            spent += tokens[end]
            for term in held[end]:
                counts[term] += 1
                score += weights[term] if counts[term] <= _MOST_COUNTED else 0.0
            end += 1
        if score > best_score + 1e-9:
            best, best_score = (start, end - 1), score
        spent -= tokens[start]
        for term in held[start]:
            score -= weights[term] if counts[term] <= _MOST_COUNTED else 0.0
            counts[term] -= 1
        if start == 0:
            score -= header
    return _trimmed(lines, *best)


def _trimmed(lines: Sequence[str], first: int, last: int) -> tuple[int, int]:
    while first < last and not lines[first].strip():
        first += 1
    while first < last and not lines[last].strip():
        last -= 1
    return first, last
