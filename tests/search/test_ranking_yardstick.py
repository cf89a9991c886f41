"""The measure itself: what a place in the list is worth, and what the shipped questions hold."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import harness
from harness.ranking import KINDS, ndcg, read_questions, recall_within, reciprocal_rank

QUESTIONS_B = Path(harness.__file__).parent / "ranking_questions_b.jsonl"


def test_a_file_counts_once_at_its_first_chunk() -> None:
    assert ndcg(["a.py"], ["a.py", "a.py"]) == 1.0
    assert ndcg(["a.py", "b.py"], ["a.py", "a.py", "b.py"]) < ndcg(["a.py", "b.py"], ["a.py", "b.py", "a.py"]) == 1.0


def test_a_later_place_is_worth_less_and_the_eleventh_nothing() -> None:
    assert ndcg(["a.py"], ["x.py", "a.py"]) == pytest.approx(1 / math.log2(3))
    assert ndcg(["a.py"], ["x.py"] * 10 + ["a.py"]) == 0.0
    assert reciprocal_rank(["a.py"], ["x.py", "x.py", "a.py"]) == pytest.approx(1 / 3)
    assert reciprocal_rank(["a.py"], []) == 0.0


def test_recall_stops_where_the_tokens_end() -> None:
    found = [("a.py", 300), ("b.py", 300), ("c.py", 10)]
    assert recall_within(["a.py", "b.py"], found, 500) == 0.5  # c.py is behind what no longer fits
    assert recall_within(["c.py"], found, 500) == 0.0
    assert recall_within(["a.py"], [("a.py", 900)], 500) == 0.0


@pytest.mark.parametrize(("file", "projects"), [(None, 5), (QUESTIONS_B, 6)])
def test_the_shipped_questions_are_whole(file: Path | None, projects: int) -> None:
    rows = read_questions(file)
    assert len({row["id"] for row in rows}) == len(rows) > 200
    assert {row["kind"] for row in rows} == set(KINDS)
    for row in rows:
        assert row["gold"]
        assert all(part["path"].startswith(f"{row['package']}/") for part in row["gold"])
    halves = {row["sdist"]: row["split"] for row in rows}
    assert all(halves[row["sdist"]] == row["split"] for row in rows)  # a project is in one half
    assert sorted(halves.values()) == ["held"] * projects + ["tune"] * projects
