"""The evidence score: what counts as shown, what fits, what the interval is of."""

from __future__ import annotations

import pytest

from harness.evidence import BUDGETS, Score, Shown, interval, score, side_by_side, summary

GOLD = [{"path": "a.py", "ranges": [[1, 4]]}, {"path": "b.py", "ranges": [[10, 10]]}]


def test_only_shown_lines_count_and_what_does_not_fit_is_passed_over():
    shown = [
        Shown("a.py", 60, ((1, 2),)),
        Shown("b.py", 60, ((1, 20),)),  # does not fit after the first
        Shown("a.py", 40, ((2, 3), (8, 9))),
    ]
    assert score(GOLD, shown, 100) == Score(0.5, 3 / 5, 100)
    assert score(GOLD, shown, 1000) == Score(1.0, 4 / 5, 160)


def test_gold_without_lines_scores_files_only():
    assert score([{"path": "a.py", "ranges": []}], [Shown("a.py", 1, ())], 10) == Score(1.0, None, 1)


def test_the_interval_holds_the_mean_and_is_repeatable():
    values = [0.0, 1.0] * 50
    low, high = interval(values)
    assert low < 0.5 < high and interval(values) == (low, high)
    assert interval([0.7] * 5) == (pytest.approx(0.7), pytest.approx(0.7))
    assert interval([]) == (0.0, 0.0)


def test_summary_names_each_budget():
    text = summary("x", {1000: [Score(1.0, None, 5)], 2000: [Score(0.5, 0.25, 9)]}, [3.0])
    assert "1000" in text and "2000" in text and "0.250" in text


def test_sets_stand_side_by_side():
    one = {budget: [Score(1.0, 0.5, 5)] for budget in BUDGETS}
    other = {budget: [Score(0.5, None, 9)] for budget in BUDGETS}
    head, first, second = side_by_side("packs", {"mined": one, "held-out": other}).split("\n")
    assert [part for part in head.split() if part.endswith("k")] == ["1k", "2k", "4k", "8k"]
    assert first.startswith("mined") and first.count("1.000 / 0.500") == len(BUDGETS)
    assert second.startswith("held-out") and second.count("0.500 / 0.000") == len(BUDGETS)
