"""Chunks and symbols out of definitions that somebody else's reader found."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from language_invariants import check

from retrieval.languages.definitions import Definition, analysis_of


@st.composite
def files(draw: st.DrawFn) -> tuple[str, list[Definition]]:
    lines = draw(st.lists(st.sampled_from(["", "  ", "code here", "x" * 300, "end"]), min_size=1, max_size=260))
    found: list[Definition] = []

    def fill(first: int, last: int, depth: int) -> None:
        row = first
        while row <= last and depth < 4:
            row += draw(st.integers(0, 40))
            end = row + draw(st.integers(0, 120))
            if end > last:
                return
            name = draw(st.sampled_from(["run", "Box", "put"]))
            kind = draw(st.sampled_from(["function", "class", "method", "thing"]))
            found.append(Definition(name, kind, row, end, draw(st.integers(row, end))))
            if draw(st.booleans()):
                fill(row, end, depth + 1)
            row = end + 1

    fill(1, len(lines) - 1, 0)
    return "\n".join(lines) + "\n", found


@given(files())
def test_every_line_is_in_one_chunk_whatever_is_defined(case: tuple[str, Sequence[Definition]]) -> None:
    text, definitions = case
    analysis = analysis_of("pkg/file.toy", text, definitions)
    check(text, analysis)
    assert len(analysis.symbols) == len(definitions)
