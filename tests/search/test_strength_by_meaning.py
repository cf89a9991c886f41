"""Evidence strength from words and meaning together: on real code, and each side by itself."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.session import Session, open_session
from harness.abstention import Asked, fit, separation
from retrieval.embed.load import load_embedder
from retrieval.search.filters import PathFilters
from retrieval.search.strength import MIN_STRENGTH, with_likeness

SHARES = st.floats(0.01, 1.0)
SIZES = st.integers(1, 1_000_000)


@pytest.fixture(scope="module")
def click_tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    found = importlib.util.find_spec("click")
    assert found is not None and found.origin is not None
    root = tmp_path_factory.mktemp("tree")
    shutil.copytree(Path(found.origin).parent, root / "click", ignore=shutil.ignore_patterns("__pycache__"))
    session = open_session(root)
    yield session
    session.close()


@pytest.mark.parametrize(
    "question",
    [
        "hide what the user types when asking for a secret",
        "colours removed from the output when it is not a terminal",
        "where do I see the suggestion for a misspelled option computed",
        "let the user write a long text in an external editor",
    ],
)
def test_what_the_code_says_in_other_words_is_evidence(click_tree: Session, question: str) -> None:
    assert click_tree.pack(question, budget=2000).sufficient


@pytest.mark.parametrize(
    "question",
    [
        "how are retries of a failed download spread over time",
        "which columns of the table are indexed in the database migration",
        "how does the garbage collector mark reachable objects",
        "how does a pod get its network address from the cluster",
    ],
)
def test_words_that_any_code_has_are_none(click_tree: Session, question: str) -> None:
    assert not click_tree.pack(question, budget=2000).sufficient


def test_a_name_that_is_found_is_evidence_whatever_is_said_besides(click_tree: Session) -> None:
    pack = click_tree.pack("does `Context.invoke` fly to the moon on tuesdays with a banana", budget=2000)
    assert pack.strength >= click_tree.pack("does it fly to the moon on tuesdays with a banana", budget=2000).strength


def test_of_one_word_the_meaning_says_little(click_tree: Session) -> None:
    assert click_tree.pack("how do I echo it", budget=2000).sufficient
    assert not click_tree.pack("how do I bake it", budget=2000).sufficient


def test_only_the_embedder_of_the_package_is_believed(click_tree: Session) -> None:
    assert getattr(load_embedder("default"), "is_calibrated", False)
    assert click_tree.searcher.likeness("hide what the user types") is not None


@given(SHARES, SHARES, st.floats(-1, 1), st.floats(-1, 1), SIZES, SIZES)
def test_strength_grows_with_both_and_falls_with_size(
    covers: float, more: float, near: float, nearer: float, few: int, many: int
) -> None:
    covers, more = sorted((covers, more))
    near, nearer = sorted((near, nearer))
    few, many = sorted((few, many))
    base = with_likeness(covers, near, many)
    assert 0.0 <= base <= 1.0
    assert with_likeness(more, near, many) >= base
    assert with_likeness(covers, nearer, many) >= base
    assert with_likeness(covers, near, few) >= base
    assert with_likeness(0.0, nearer, few) == 0.0


def test_the_two_sides_are_weighed() -> None:
    assert with_likeness(0.3, 0.6, 2000) >= MIN_STRENGTH > with_likeness(0.6, 0.2, 2000)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=20), st.lists(st.integers(0, 9), min_size=1, max_size=20))
def test_separation_is_the_share_of_pairs_in_order(own: list[int], foreign: list[int]) -> None:
    pairs = [(a > b) + 0.5 * (a == b) for a in own for b in foreign]
    assert separation(own, foreign) == pytest.approx(sum(pairs) / len(pairs))


def test_weights_are_found_again() -> None:
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(4000):
        coverage, likeness, chunks = rng.uniform(), rng.uniform(0.1, 0.8), int(rng.integers(600, 9000))
        rows.append(
            Asked("x", bool(rng.uniform() < with_likeness(coverage, likeness, chunks)), 0, coverage, likeness, chunks)
        )
    _, coverage_weight, likeness_weight, size_weight = fit(rows)
    assert coverage_weight == pytest.approx(5.0, rel=0.2)
    assert likeness_weight == pytest.approx(17.5, rel=0.2)
    assert size_weight == pytest.approx(-0.73, abs=0.4)


def test_meaning_counts_within_the_paths_that_are_searched(click_tree: Session) -> None:
    """Also where the subject stands behind a turn of phrase, and is embedded without it."""
    filters = PathFilters(include=("click/_termui_impl.py",))
    plan = click_tree.plan("Which code has to change for this? The nearest spelling of a mistyped subcommand is told.")
    searcher = click_tree.searcher
    nowhere = np.zeros_like(click_tree.reader.arrays.alive)
    assert searcher.likeness(plan.question, alive=nowhere) == 0.0
    everywhere, there = (searcher.search(plan, 5, paths).strength for paths in (None, filters))
    assert there < everywhere
