"""The contract over a conversation: a citation stands for the run of lines that was shown there, not for the file.

In this conversation a file has one evidence number. For the check each citation with lines is given to the run that
shows them, so that a sentence has to be carried by what it cites, as in ``contextc ask``; then the numbers return.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from agent.answer.citations import CITATION_RE, find_refs
from agent.answer.contract import check
from agent.answer.records import CheckedAnswer
from agent.answer.sentences import is_within, opaque_spans
from agent.loop.ledger import FIRST_PIECE, Ledger

_WITH_LINES = re.compile(r"(\d{1,4})(?=[ ]?:[ ]?[Ll]?(\d{1,7})(?:[ ]?[-–—][ ]?[Ll]?(\d{1,7}))?)")
_PIECE = re.compile(r"(?<!\d)(\d{4})(?=[ ]?:[ ]?[Ll]?\d)")


def check_answer(text: str, ledger: Ledger, question: str) -> CheckedAnswer:
    """Hold an answer against what the conversation has shown; its citations carry the numbers of files."""
    pack = ledger.pieces(question)
    if any(ref.number >= FIRST_PIECE for ref in find_refs(text)):
        return check(text, ledger.pack(question))  # numbers that were never told: they resolve to nothing
    files = {chunk.path: chunk.number for chunk in pack.chunks if chunk.number < FIRST_PIECE}
    runs: dict[int, list[tuple[int, int, int]]] = {}
    back: dict[int, int] = {}
    for chunk in pack.chunks:
        if chunk.number >= FIRST_PIECE:
            back[chunk.number] = files[chunk.path]
            runs.setdefault(files[chunk.path], []).append((chunk.start_line, chunk.end_line, chunk.number))

    def piece(match: re.Match[str]) -> str:
        first, last = int(match[2]), int(match[3] or match[2])
        for start, end, number in runs.get(int(match[1]), ()):
            if start <= first and last <= end:
                return str(number)
        return match[1]

    def file_number(match: re.Match[str]) -> str:
        return str(back.get(int(match[1]), match[1]))

    def restored(said: str) -> str:
        return _in_citations(said, lambda inner: _PIECE.sub(file_number, inner))

    checked = check(_in_citations(text, lambda inner: _WITH_LINES.sub(piece, inner)), pack)
    return CheckedAnswer(
        text=text,
        marked=restored(checked.marked),
        statements=tuple(
            replace(one, text=restored(one.text), why=_PIECE.sub(file_number, one.why)) for one in checked.statements
        ),
        citations=tuple(replace(one, number=back.get(one.number, one.number)) for one in checked.citations),
        abstained=checked.abstained,
    )


def _in_citations(text: str, change: Callable[[str], str]) -> str:
    """``text`` with its citations changed; what looks like one in inline code or a quote is none."""
    spans = opaque_spans(text)

    def one(match: re.Match[str]) -> str:
        return match.group() if is_within(spans, match.start()) else change(match.group())

    return CITATION_RE.sub(one, text)
