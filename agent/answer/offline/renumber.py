"""Citations as a reader wants them: one number for each file, counted in the order in which the answer cites them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.answer.records import CheckedAnswer, Citation, Statement
from agent.answer.sentences import is_within, opaque_spans

_REF = re.compile(r"\[(\d{1,6}):(\d{1,7}(?:-\d{1,7})?)\]")


def renumber(checked: CheckedAnswer) -> CheckedAnswer:
    """The same answer with new numbers. Its text must be the offline answerer's own, in which every citation has lines
    and nothing that is opaque (inline code, quotes) spans lines; the evidence that carries each is unchanged."""
    files: dict[str, int] = {}
    numbers: dict[int, int] = {}
    merged: dict[tuple[int, int, int], int] = {}
    citations: list[Citation] = []
    index: list[int] = []  # of an old citation among the new ones
    for old in checked.citations:
        number = numbers[old.number] = files.setdefault(old.path, len(files) + 1)
        key = (number, old.start, old.end)
        if key not in merged:
            merged[key] = len(citations)
            citations.append(replace(old, number=number))
        index.append(merged[key])
    return CheckedAnswer(
        text=_in_lines(checked.text, numbers),
        marked=_in_lines(checked.marked, numbers),
        statements=tuple(_statement(each, numbers, index) for each in checked.statements),
        citations=tuple(citations),
        abstained=checked.abstained,
    )


def _statement(old: Statement, numbers: dict[int, int], index: Sequence[int]) -> Statement:
    cited = tuple(dict.fromkeys(index[each] for each in old.citations))
    return replace(old, text=_in_lines(old.text, numbers), citations=cited)


def _in_lines(text: str, numbers: dict[int, int]) -> str:
    return "\n".join(_in_line(line, numbers) for line in text.split("\n"))


def _in_line(line: str, numbers: dict[int, int]) -> str:
    spans = opaque_spans(line)

    def new(match: re.Match[str]) -> str:
        number = numbers.get(int(match[1]))
        hidden = is_within(spans, match.start())
        return match.group() if hidden or number is None else f"[{number}:{match[2]}]"

    return _REF.sub(new, line)
