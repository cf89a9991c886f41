"""Cutting an answer into sentences: nothing lost, nothing cut inside code, names, quotes or abbreviations."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.answer.citations import find_refs
from agent.answer.sentences import CODE, GAP, HEADING, SENTENCE, opaque_spans, split

_FRAGMENTS = st.sampled_from(
    ["`", "``", "```", "```py\n", "~~~\n", "[1]", "[2:3-4]", " ", "\n", "\n\n", ". ", "! ", "?", "…", "e.g. ", "“", "”", '"', "- ",
     "1. ", "| a |", "|---|\n", "# T\n", "> ", "x.y.z", "Flask.run()", "file.py:12", "É", "a\rb", "\x0c", "\u2028", "_", "*", ":"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(_FRAGMENTS, max_size=60).map("".join)))
def test_splitting_never_loses_a_character(text):
    pieces = split(text)
    assert "".join(piece.text for piece in pieces) == text
    assert all(piece.text for piece in pieces)


@settings(max_examples=200, deadline=None)
@given(st.lists(_FRAGMENTS, max_size=60).map("".join))
def test_opaque_spans_are_sorted_disjoint_and_inside(text):
    spans = opaque_spans(text)
    flat = [offset for span in spans for offset in span]
    assert flat == sorted(flat) and all(0 <= offset <= len(text) for offset in flat)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It runs. It stops.", ["It runs.", "It stops."]),
        (
            "See e.g. flask.app.Flask or file.py:12 here. Done.",
            ["See e.g. flask.app.Flask or file.py:12 here.", "Done."],
        ),
        ("It calls `a. B` first. Then ends.", ["It calls `a. B` first.", "Then ends."]),
        ("The doc says “Runs it. Stops it.” [1]. End.", ["The doc says “Runs it. Stops it.” [1].", "End."]),
        ("It runs. [1] It stops. [2]", ["It runs. [1]", "It stops. [2]"]),
        ("It runs.[1] It stops.[2:3]", ["It runs.[1]", "It stops.[2:3]"]),
        ("It runs [1]. [2] shows why.", ["It runs [1].", "[2] shows why."]),
        ("Version 3.1 is out. Why? Because!", ["Version 3.1 is out.", "Why?", "Because!"]),
        ("wrapped\nover lines. next_one() goes on.", ["wrapped\nover lines.", "next_one() goes on."]),
        ("- one\n- two. Three.\n", ["one", "two.", "Three."]),
        ("| name | line |\n|---|---|\n| run. It | 3 [1] |", ["| run. It | 3 [1] |"]),
        ("", []),
    ],
)
def test_sentences(text, sentences):
    assert [piece.text for piece in split(text) if piece.kind == SENTENCE] == sentences


def test_fences_and_headings_are_pieces_of_their_own():
    pieces = split("# Title\nText.\n```py\na. B\n```\nMore.\n~~~\nnever closed. Really.\n")
    kinds = [piece.kind for piece in pieces if piece.kind != GAP]
    assert kinds == [HEADING, SENTENCE, CODE, SENTENCE, CODE]


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("a [1]", [(1, 0, 0)]),
        ("a [1:12-18] b [2:4]", [(1, 12, 18), (2, 4, 4)]),
        ("a [1, 2:3; 4]", [(1, 0, 0), (2, 3, 3), (4, 0, 0)]),
        ("a [1: 12–18]【3:L7-L9】", [(1, 12, 18), (3, 7, 9)]),
        ("a [1-3]", [(1, 0, 0), (2, 0, 0), (3, 0, 0)]),
        ("argv[0] and list[int] and [note]", []),
        ("a [99999999]", []),
    ],
)
def test_citation_grammar(text, refs):
    assert [(ref.number, ref.first, ref.last) for ref in find_refs(text)] == refs
