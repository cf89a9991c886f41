"""The ranking of files: each file once before it comes again, weights that do what they say, fitted as they claim."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from ranking_tree import TREE, write_tree

from agent.session import open_session
from harness.fit_ranking import Asked, Stack, fit, loss, ndcg
from retrieval.compile.planner import plan
from retrieval.records import ChunkKind
from retrieval.search.engine import Searcher
from retrieval.search.file_model import FileModel
from retrieval.search.file_vectors import FileVectors

PRICES = "how is the total price of all items computed with discount and tax"


def listed(reader, question, k=20, **model):
    return Searcher(reader, model=FileModel(**model)).search(plan(question, reader), k, objective="files").candidates


def test_each_file_comes_once_before_any_comes_again(shop):
    paths = [candidate.chunk.path for candidate in listed(shop, PRICES)]
    firsts = len(set(paths))
    assert firsts < len(paths)  # some files have several chunks in the list
    assert len(set(paths[:firsts])) == firsts
    assert paths[0] == "shop/pricing.py"


def test_without_the_penalty_a_file_may_follow_itself(shop):
    paths = [candidate.chunk.path for candidate in listed(shop, PRICES, repeat=0.0)]
    assert len(set(paths[: len(set(paths))])) < len(set(paths))


def test_what_moved_a_result_adds_up_to_its_score(shop):
    for candidate in listed(shop, "where is apply_discount"):
        assert candidate.score == pytest.approx(sum(value for _, value in candidate.features), abs=2e-3)


def test_the_definition_of_a_name_leads_and_tests_come_behind_code(shop):
    found = listed(shop, "apply_discount")
    assert (found[0].chunk.path, found[0].chunk.symbol) == ("shop/pricing.py", "apply_discount")
    assert found[0].reason == "defines a name in the question"
    order = [candidate.chunk.path for candidate in listed(shop, PRICES)]
    assert order.index("shop/pricing.py") < order.index("tests/test_pricing.py")


def test_tests_are_not_held_back_when_they_are_asked_for(shop):
    found = listed(shop, "which tests cover apply_discount")
    assert found[0].chunk.path == "tests/test_pricing.py"


def test_loose_statements_are_held_back_unless_they_are_named(shop):
    def moved(question):
        return {
            candidate.chunk.path: dict(candidate.features).get("module", 0.0)
            for candidate in listed(shop, question)
            if candidate.chunk.kind is ChunkKind.MODULE
        }

    assert moved("what is the rate of the taxes on prices")["shop/pricing.py"] < 0
    assert moved("where is TAX_RATE")["shop/pricing.py"] == 0


def test_a_column_without_weight_does_nothing(shop):
    model = FileModel().without("test")
    found = Searcher(shop, model=model).search(plan(PRICES, shop), 20, objective="files").candidates
    assert not any(name == "test" for candidate in found for name, _ in candidate.features)


def test_a_file_that_is_named_leads_and_a_quoted_message_finds_its_raise(shop):
    assert listed(shop, "what does report.py do")[0].chunk.path == "shop/report.py"
    found = listed(shop, 'where is the error "the cart holds nothing to pay for" raised')
    assert found[0].chunk.path == "shop/cart.py"
    assert found[0].reason == "holds a quoted phrase"


def test_files_are_as_near_as_the_mean_of_their_live_chunks():
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(9, 4)).astype(np.float32)
    alive = np.array([1, 1, 0, 1, 1, 1, 1, 1, 1], bool)
    file_id = np.array([5, 5, 5, 2, 2, 7, 7, 7, 7], np.int32)
    read: list[int] = []

    def rows_of(ids):
        read.extend(ids.tolist())
        return rows[ids]

    vectors = FileVectors(SimpleNamespace(alive=alive, file_id=file_id), rows_of)
    query = rng.normal(size=4).astype(np.float32)
    for _ in range(2):
        found = vectors.similarity(query, np.array([7, 5, 7, 2], np.int32))
        for value, owner in zip(found, (7, 5, 7, 2), strict=True):
            mean = rows[alive & (file_id == owner)].mean(axis=0)
            assert value == pytest.approx(float(mean @ query / np.linalg.norm(mean)), abs=1e-5)
    assert sorted(read) == [0, 1, 3, 4, 5, 6, 7, 8]  # once each, the dead one never


def test_a_real_index_gives_files_a_meaning(tmp_path: Path):
    write_tree(tmp_path, TREE)
    session = open_session(tmp_path)
    found = session.searcher.search(session.plan(PRICES), 10, objective="files").candidates
    again = session.searcher.search(session.plan(PRICES), 10, objective="files").candidates
    session.close()
    assert found == again
    assert any(name == "meaning" for candidate in found for name, _ in candidate.features)


def random_questions(weights: np.ndarray, n: int = 150) -> list[Asked]:
    """Questions whose answering file is drawn by the very model that is fitted."""
    rng = np.random.default_rng(1)
    asked = []
    for nth in range(n):
        file = np.sort(np.concatenate([np.arange(8), rng.integers(0, 8, 22)]))
        x = rng.normal(size=(30, len(weights)))
        scores = np.array([0.5 * np.log(np.exp(x[file == f] @ weights / 0.5).sum()) for f in range(8)])
        gold = np.zeros(8)
        gold[np.argmax(scores + rng.gumbel(size=8))] = 1.0
        asked.append(Asked("set", f"p{nth % 5}", 1.0, x, file, gold, 1))
    return asked


def test_the_gradient_is_that_of_the_loss():
    asked = random_questions(np.array([1.0, -0.5, 0.0]), 20)
    stack, at = Stack.of(asked), np.array([0.3, 0.2, -0.1])
    _, gradient = loss(stack, at, 0.01)
    for column in range(3):
        step = np.eye(3)[column] * 1e-6
        slope = (loss(stack, at + step, 0.01)[0] - loss(stack, at - step, 0.01)[0]) / 2e-6
        assert gradient[column] == pytest.approx(slope, abs=1e-6)


def test_fitting_finds_the_weights_that_made_the_answers():
    true = np.array([1.5, -1.0, 0.0])
    asked = random_questions(true)
    found = fit(Stack.of(asked), 1e-4)
    assert np.abs(found - true).max() < 0.4
    assert np.mean([ndcg(one, found) for one in asked]) > np.mean([ndcg(one, -found) for one in asked])
