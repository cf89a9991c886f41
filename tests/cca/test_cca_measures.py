"""The measurements themselves: labels that are well-formed, matching that is right, figures that hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cca import rules as rules_module
from harness.cca.rules import CORPORA, LABELS, Tally, tally
from harness.cca.verifiers import judge, main, read_lines, table, wilson

DOCUMENT = """\
# Style

Tests must pass. Never force-push.
You can ask for help.

If a test is slow, mark it.
Please sign the form.
"""


def label(line: int, kind: str, *, optional: bool = False) -> dict[str, object]:
    return {"document": "d", "split": "s", "line": line, "kind": kind, "optional": optional}


def test_labels_are_matched_one_to_one() -> None:
    into = Tally()
    wanted = [
        label(3, "must_not"),
        label(3, "must_do"),
        label(4, "must_do"),
        label(6, "must_do"),
        label(7, "must_do", optional=True),
    ]
    tally("d", DOCUMENT, wanted, into)
    assert (into.labelled, into.found, into.hits, into.optional_hits, into.same_kind) == (4, 4, 3, 1, 2)
    assert [line for _, line, _ in into.missed] == [4]
    assert into.false == []
    assert [line for _, line, _ in into.other_kind] == [6]
    figures = into.figures()
    assert figures["precision"][:2] == [3, 3]
    assert figures["strict_precision"][:2] == [3, 4]


def test_a_sentence_that_nobody_labelled_is_a_false_alarm() -> None:
    into = Tally()
    tally("d", DOCUMENT, [label(3, "must_do")], into)
    assert len(into.false) == 3


def test_the_labels_that_ship() -> None:
    rows = read_lines(LABELS)
    assert {row["kind"] for row in rows} == {"must_do", "must_not", "conditional"}
    assert {row["document"].partition(":")[0] for row in rows} == set(CORPORA)
    documents = {(row["split"], row["document"]) for row in rows}
    assert len(documents) == len({name for _, name in documents}) >= 12
    assert {split for split, _ in documents} == {"tuning", "held-out"}


def test_verifiers_are_as_good_as_the_page_says() -> None:
    folder = Path(rules_module.__file__).parent
    sets = (
        ("triples.jsonl", 1_500, 0.98, 0.85),
        ("triples-h.jsonl", 250, 0.95, 0.80),
        ("triples-ij.jsonl", 1_500, 0.95, 0.40),
        ("triples-heldout.jsonl", 150, 0.95, 0.70),
        ("triples-k.jsonl", 1_500, 0.87, 0.27),
        ("triples-o.jsonl", 1_500, 0.97, 0.70),
        ("triples-s.jsonl", 800, 0.95, 0.66),
        ("triples-t.jsonl", 500, 0.93, 0.64),
    )
    for name, size, precision, recall in sets:
        figures = table(judge(read_lines(folder / name)))
        assert figures["triples"] >= size
        assert figures["precision"][0] / figures["precision"][1] >= precision
        assert figures["recall"][0] / figures["recall"][1] >= recall


def test_the_table_is_printed_and_lists_what_went_wrong(tmp_path: Path) -> None:
    file = tmp_path / "few.jsonl"
    cases = [{"answer": "one two three", "verdict": "holds"}, {"answer": "one", "verdict": "violated"}]
    row = {"rule": "Answers must not exceed 2 words.", "codeable": True, "about": "answers", "cases": cases}
    file.write_text(json.dumps(row) + "\n")
    done = CliRunner().invoke(main, ["--triples", str(file), "-v"])
    assert done.exit_code == 0
    assert "few: 2 triples, 1 rules (1 codeable, 1 with a verifier)" in done.output
    assert "false alarm" in done.output
    assert "missed (verifier)" in done.output


def test_wilson_against_known_values() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(8, 10)
    assert (low, high) == (pytest.approx(0.490, abs=1e-3), pytest.approx(0.943, abs=1e-3))
