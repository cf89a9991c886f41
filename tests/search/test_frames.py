"""Openings that say nothing of the subject, in a tree too small to hold their words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.text.frames import subject_of

TREE = {
    "web.py": "def parse_header(text):\n    name, _, value = text.partition(':')\n    return name, value\n\n\ndef render(page):\n    return page\n"
}


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("Which code has to change for this? Header names keep spaces.", "Header names keep spaces."),
        ("What is this? Traceback: x", "Traceback: x"),
        ("Where is it changed?", "Where is it changed?"),
        ("Where is it changed? ", "Where is it changed? "),
        ("Which code has to change for this?", "Which code has to change for this?"),
        ("Which header has to change? It keeps spaces.", "Which header has to change? It keeps spaces."),
        ("Where is run_app? It fails.", "Where is run_app? It fails."),
        ("? x y", "? x y"),
        ("", ""),
    ],
)
def test_the_subject_of_a_question(question: str, subject: str) -> None:
    assert subject_of(question) == subject


def test_the_words_of_a_template_do_not_make_evidence_thin(
    run: Callable[..., tuple[int, str, str]], write_tree: Callable[..., Path]
) -> None:
    root = write_tree(TREE)
    for text in ("Spaces around header names are kept.", "Header values are parsed.", "Quantum teleportation."):
        plain = json.loads(run("pack", "--json", text, "--root", root)[1])
        framed = json.loads(run("pack", "--json", f"Which code has to change for this? {text}", "--root", root)[1])
        assert framed["strength"] == plain["strength"]
    answer = run("ask", "Which code has to change for this? Quantum teleportation.", "--root", root)[1]
    assert "too thin" in answer
    assert "`change`" not in answer
