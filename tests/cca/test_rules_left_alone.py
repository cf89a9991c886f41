"""Sentences that look like demands on the answer and are none, or hold only at times: no answer breaks them.

``left_alone.txt``: of another document, a tool, an input, a part, a field, an example; advice, permissions, and demands
under a condition that an answer does not show.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.cca.compiled import Source
from agent.cca.deterministic import compile_deterministic
from agent.cca.grammar.elsewhere import is_elsewhere
from agent.cca.grammar.exact import exact
from agent.cca.verify import verify

SENTENCES = [
    sentence
    for path in sorted(Path(__file__).parent.glob("left_alone*.txt"))
    for sentence in path.read_text("utf-8").strip().split("\n")
]
ANSWERS = (
    "It is so, and it stays.",
    'The value is 7, I think; it isn\'t (quite) "so": a-b & c! See https://e.org/x [1] — fine… 🎉 Is it?',
    '{"name": "x", "values": [1, 2]}',
    '[{"id": "a b", "kind": "B", "score": "12", "status": "On", "items": {"id": null}, "tags": "x", "date": "May 1"}]',
    "- red\n- green\n- blue\n- grey",
    "# Title\n\nIt is **bold** and _so_.\n\n## More\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    "```python\nx = 1  # a\nprint(x)\n```",
    "Yes.",
    "word " * 250,
    "Der Hund ist nicht in dem Haus und die Katze ist auch nicht da, weil sie auf dem Dach sitzt.",
    "One is. Two is. Three is. Four is. Five is. Six is.\n\nSeven.\n\nEight.\n\nNine.",
)


@pytest.mark.parametrize("sentence", SENTENCES, ids=[sentence[:60] for sentence in SENTENCES])
def test_no_answer_breaks_what_is_not_demanded_of_it(sentence: str) -> None:
    compiled = compile_deterministic([Source("prompt", sentence)])
    assert [answer for answer in ANSWERS if verify(compiled, answer).violations] == []


def test_the_answers_are_of_many_forms() -> None:
    """Each demand of a form is broken by some of them, so that a misread sentence would be seen."""
    for rule in (
        "Answer in one sentence.",
        "Return only valid JSON.",
        "Use bullet points.",
        "No emojis.",
        "Use a table.",
    ):
        compiled = compile_deterministic([Source("prompt", rule)])
        assert any(verify(compiled, answer).violations for answer in ANSWERS)


@pytest.mark.parametrize(
    "piece", ["section with ", "with ", "§, ", "no lists ", "json with keys a, b and c, ", "each "]
)
def test_reading_what_goes_on_and_on_comes_to_an_end(piece: str) -> None:
    text = f"section {piece * 20_000}"
    assert not is_elsewhere(text)
    assert exact(text, text, ()) is None
