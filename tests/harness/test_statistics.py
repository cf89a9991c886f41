"""The statistics, held against scipy and against published worked examples."""

from __future__ import annotations

import random
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm

from harness.stats.bootstrap import bootstrap_mean, paired_bootstrap
from harness.stats.holm import holm
from harness.stats.intervals import wilson
from harness.stats.kappa import agreement, kappa_of
from harness.stats.mcnemar import mcnemar, two_sided_sign_p


@given(st.integers(0, 500), st.floats(0, 1))
def test_the_exact_test_is_scipys(n: int, at: float) -> None:
    smaller = int(at * (n // 2))
    expected = binomtest(smaller, n).pvalue if n else 1.0
    assert two_sided_sign_p(smaller, n) == pytest.approx(min(1.0, expected), rel=1e-9)


@pytest.mark.parametrize(("smaller", "n"), [(0, 999), (22, 1089), (700, 1500), (1480, 3000), (0, 1000)])
def test_the_exact_test_is_exact_beyond_the_range_of_floats(smaller: int, n: int) -> None:
    exact = min(Fraction(1), Fraction(2 * sum(comb(n, i) for i in range(smaller + 1)), 2**n))
    assert two_sided_sign_p(smaller, n) == pytest.approx(float(exact), rel=1e-12)


def test_mcnemar_counts_only_pairs_that_differ() -> None:
    before = [True] * 30 + [False] * 12 + [True] * 3 + [False] * 40
    after = [True] * 30 + [True] * 12 + [False] * 3 + [False] * 40
    found = mcnemar(before, after)
    assert (found.gained, found.lost) == (12, 3)
    assert found.p == pytest.approx(binomtest(3, 15).pvalue)
    assert mcnemar([True], [True]).p == 1.0


@given(st.integers(1, 500), st.floats(0, 1))
def test_wilson_is_scipys(n: int, at: float) -> None:
    k = round(at * n)
    expected = binomtest(k, n).proportion_ci(method="wilson")
    assert wilson(k, n) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_holm_follows_the_worked_example() -> None:
    # Holm 1979 applied to four tests: the smallest times four, then three, two, one, never decreasing.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_between_the_raw_p_and_bonferroni_and_keeps_the_order(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    for raw, value in zip(p_values, adjusted, strict=True):
        assert raw <= value + 1e-12
        assert value <= min(1.0, raw * len(p_values)) + 1e-12 or value in adjusted
    assert [adjusted[i] for i in sorted(range(len(p_values)), key=p_values.__getitem__)] == sorted(adjusted)


def test_the_bootstrap_interval_is_the_normal_one_for_many_values() -> None:
    rng = random.Random(1)
    values = [rng.gauss(10, 2) for _ in range(4000)]
    found = bootstrap_mean(values)
    assert found is not None
    half = norm.ppf(0.975) * 2 / 4000**0.5
    assert found.low == pytest.approx(found.mean - half, abs=half * 0.1)
    assert found.high == pytest.approx(found.mean + half, abs=half * 0.1)
    assert found == bootstrap_mean(values)
    assert bootstrap_mean([]) is None


def test_the_paired_bootstrap_sees_a_shift_that_the_spread_hides() -> None:
    rng = random.Random(2)
    before = [rng.gauss(0, 50) for _ in range(200)]
    after = [value + rng.gauss(1, 1) for value in before]
    found = paired_bootstrap(before, after)
    assert found is not None
    assert found.low < 1.0 < found.high
    assert found.p < 0.01
    same = paired_bootstrap(before, before)
    assert same is not None
    assert (same.mean, same.low, same.high, same.p) == (0.0, 0.0, 0.0, 1.0)


def test_a_handful_of_pairs_proves_nothing() -> None:
    few = paired_bootstrap([0.0, 0.0, 0.0], [5.0, 6.0, 7.0])
    assert few is not None
    assert few.p == pytest.approx(2 / 8)
    ten = paired_bootstrap([0.0] * 10, [1.0] * 9 + [-1.0])
    assert ten is not None
    # Equal sizes: the sign-flip test is the sign test.
    assert ten.p == pytest.approx(binomtest(1, 10).pvalue)


def test_the_p_of_the_paired_bootstrap_is_uniform_without_an_effect() -> None:
    rng = random.Random(3)
    p_values = []
    for seed in range(200):
        pairs = [(rng.gauss(0, 1), rng.gauss(0, 1)) for _ in range(60)]
        found = paired_bootstrap([a for a, _ in pairs], [b for _, b in pairs], seed=seed, resamples=400)
        assert found is not None
        p_values.append(found.p)
    assert 0.01 <= sum(p <= 0.05 for p in p_values) / len(p_values) <= 0.12


def test_kappa_of_the_textbook_table() -> None:
    # 2 x 2 with 20, 5, 10, 15: observed 0.7, expected 0.5, kappa 0.4.
    first = ["y"] * 25 + ["n"] * 25
    second = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    assert kappa_of(first, second) == pytest.approx(0.4)
    found = agreement(first, second)
    assert found.kappa == pytest.approx(0.4)
    assert found.low is not None
    assert found.high is not None
    # Fleiss, Cohen and Everitt 1969 give a standard error of 0.127 for this table.
    assert found.low == pytest.approx(0.4 - 1.96 * 0.127, abs=0.05)
    assert found.high == pytest.approx(0.4 + 1.96 * 0.127, abs=0.05)


def test_kappa_is_undefined_when_there_is_nothing_to_tell_apart() -> None:
    assert agreement(["y"] * 5, ["y"] * 5).kappa is None
    assert agreement([], []).n == 0
    assert kappa_of(["y", "n"], ["n", "y"]) == pytest.approx(-1.0)
