"""The ranking of files: each file once before it comes again, weights that do what they say, fitted as they claim."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranking_tree import TREE, write_tree

from agent.session import open_session
from harness.fit_ranking import Asked, Stack, fit, loss, ndcg
from retrieval.compile.planner import plan
from retrieval.search.documented import documented_share
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


def test_a_file_that_documents_the_question_stands_before_one_that_merely_uses_its_words(tmp_path: Path):
    about = '"""Hands out tickets while places are left."""\n\n\n'
    body = "def hand(places):\n    tickets = [places]\n    return tickets, places\n"
    write_tree(tmp_path, {"box/a_desk.py": body, "box/b_desk.py": about + body, "box/c_desk.py": body})
    session = open_session(tmp_path)
    question = session.plan("how are tickets handed out for places")
    found = session.searcher.search(question, 10, objective="files").candidates
    model = FileModel().without("documented")
    without = Searcher(session.reader, model=model).search(question, 10, objective="files").candidates
    session.close()
    assert found[0].chunk.path == "box/b_desk.py"
    shares = {candidate.chunk.path: dict(candidate.features).get("documented", 0.0) for candidate in found}
    assert shares["box/b_desk.py"] > 0 == shares["box/a_desk.py"]
    assert not any(name == "documented" for candidate in without for name, _ in candidate.features)


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


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_what_files_document_is_what_a_plain_count_finds(seed: int):
    """Against sets of words: any postings, dead chunks and ids beyond the arrays included."""
    rng = np.random.default_rng(seed)
    n, terms = int(rng.integers(2, 12)), {"a": 1.0, "b": 0.5, "c": 1.5}
    alive, file_id = rng.random(n) < 0.8, rng.integers(0, 4, n).astype(np.int32)
    conn = sqlite3.connect(":memory:")
    conn.execute("CREATE TABLE postings(term TEXT, segment INTEGER, docs BLOB, tfs BLOB, PRIMARY KEY(term, segment))")
    holds: dict[str, set[int]] = {}
    says: dict[str, set[int]] = {}
    for term in terms:
        docs = np.flatnonzero(rng.random(n + 1) < 0.5).astype("<i4")  # one id has no row
        in_doc = rng.random(len(docs)) < 0.5
        tfs = np.where(in_doc, 0x01030000, 0x01000001).astype("<u4")
        if len(docs):
            conn.execute("INSERT INTO postings VALUES (?, 0, ?, ?)", (term, docs.tobytes(), tfs.tobytes()))
        live = [int(doc) for doc in docs if doc < n and alive[doc]]
        holds[term] = set(live)
        says[term] = {int(file_id[doc]) for doc, said in zip(docs, in_doc, strict=True) if doc in live and said}
    idf = {t: np.log((alive.sum() + 1) / (len(holds[t]) + 0.5)) for t in terms if holds[t]}
    total = sum(terms[t] * idf[t] for t in idf)
    files = np.unique(file_id)
    found = documented_share(conn, terms, SimpleNamespace(file_id=file_id), alive, files)
    for value, file in zip(found, files, strict=True):
        told = sum(terms[t] * idf[t] for t in idf if int(file) in says[t])
        assert value == pytest.approx(np.sqrt(told / total) if total else 0.0, abs=1e-5)


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
