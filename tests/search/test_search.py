"""Search on a real index: legs, features, strength, filters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from retrieval.compile.planner import plan
from retrieval.search.config import DEFAULT, FEATURES
from retrieval.search.engine import Searcher
from retrieval.search.filters import PathFilters
from retrieval.search.fusion import LegResult, fuse, z_scores
from retrieval.search.phrases import quoted_phrases
from retrieval.search.strength import MIN_STRENGTH, absent_names
from retrieval.search.weights import for_files, leg_weights


def search(reader, question, k=10, config=DEFAULT, filters=None):
    return Searcher(reader, config=config).search(plan(question, reader), k, filters)


def symbols(result):
    return [candidate.chunk.symbol for candidate in result.candidates]


@pytest.mark.parametrize("question", ["total_price", "Where is `total_price` defined?", "shop.pricing.total_price"])
def test_the_definition_of_a_named_identifier_comes_first(shop, question):
    assert symbols(search(shop, question))[0] == "total_price"


def test_a_camel_case_class_and_its_words_find_the_class(shop):
    for question in ("ShoppingCart", "How does the shopping cart work?"):
        assert search(shop, question).candidates[0].chunk.path == "shop/cart.py"


def test_tests_and_legacy_do_not_drown_code(shop):
    question = "How is the total price of all items with discount and tax computed?"
    ranked = [(c.chunk.path, c.chunk.symbol) for c in search(shop, question).candidates]
    assert ranked[0] == ("shop/pricing.py", "total_price")
    assert ranked.index(("shop/legacy/pricing.py", "total_price_v1")) > 0


def test_tests_come_first_when_asked_for(shop):
    result = search(shop, "Which tests cover total_price?")
    assert "tests/test_pricing.py" in {c.chunk.path for c in result.candidates[:2]}
    assert "graph" in result.legs


def test_a_named_file_lifts_its_chunks(shop):
    assert search(shop, "what is in shop/report.py?").candidates[0].chunk.path == "shop/report.py"


def test_a_named_line_lifts_its_chunk(shop):
    top = search(shop, "what happens at shop/pricing.py:13?").candidates[0]
    assert (top.chunk.path, top.chunk.symbol) == ("shop/pricing.py", "total_price")


def test_a_quoted_message_finds_its_line(shop):
    result = search(shop, 'who says "the cart holds nothing to pay for"?')
    top = result.candidates[0]
    assert top.chunk.path == "shop/cart.py"
    assert "phrase" in dict(top.features)


def test_every_hit_keeps_its_legs_and_features(shop):
    result = search(shop, "What calls total_price?")
    for candidate in result.candidates:
        assert candidate.legs or candidate.features
        for hit in candidate.legs:
            assert hit.leg in {"lexical", "graph"} and hit.rank >= 1
    callers = {c.chunk.path for c in result.candidates if any(h.leg == "graph" for h in c.legs)}
    assert {"shop/cart.py", "shop/report.py"} <= callers


def test_path_filters_hold(shop):
    result = search(shop, "total price", filters=PathFilters(include=("shop/**",), exclude=("legacy",)))
    paths = {c.chunk.path for c in result.candidates}
    assert paths and all(p.startswith("shop/") and "legacy" not in p for p in paths)
    assert search(shop, "total price", filters=PathFilters(include=("nowhere/**",))).candidates == ()


def test_same_index_same_question_same_order(shop):
    first, second = (search(shop, "How are prices discounted?", 20).candidates for _ in range(2))
    assert first == second


def test_scores_fall_and_ties_go_by_place(shop):
    found = search(shop, "price", 50).candidates
    keys = [(-c.score, c.chunk.path, c.chunk.start_line) for c in found]
    assert keys == sorted(keys)
    assert len({c.chunk.id for c in found}) == len(found)


@pytest.mark.parametrize("feature", FEATURES)
def test_each_feature_can_be_switched_off_and_used_alone(shop, feature):
    question = "How does ShoppingCart.checkout in shop/cart.py compute 'the cart holds nothing'?"
    without = search(shop, question, config=replace(DEFAULT, features=DEFAULT.features - {feature}))
    assert all(feature not in dict(c.features) for c in without.candidates)
    alone = search(shop, question, config=replace(DEFAULT, features=frozenset({feature})))
    assert all(set(dict(c.features)) <= {feature} for c in alone.candidates)


def test_strength_is_low_for_what_is_not_there(shop):
    for question in (
        "How does the Kubernetes ingress controller route traffic?",
        "What does FrobnicatorManager.spin do?",
        "What does `price_oracle_v9` return?",
    ):
        assert search(shop, question).strength < MIN_STRENGTH
    for question in ("How is the discount applied?", "What does ShoppingCart.checkout do?", "total_price"):
        assert search(shop, question).strength >= MIN_STRENGTH
    assert search(shop, "zzqx wvvk").strength == 0.0


def test_absent_names(shop):
    made = plan("Does `total_price` call no_such_thing or EmptyCartError?", shop)
    assert absent_names(shop, made.mentions) == ("no_such_thing",)


def test_a_question_that_finds_nothing_is_empty_and_weak(shop):
    result = search(shop, "qqqqq wwwww")
    assert (result.candidates, result.strength) == ((), 0.0)


def test_timings_name_every_step(shop):
    assert {"lexical", "vector", "graph", "rank", "total"} <= set(search(shop, "price").timings)


class FakeEmbedder:
    model_id, dim, local, batch_size = "fake", 4, True, 8

    def embed_query(self, text):
        return np.asarray([0, 0, 0, 0] if "zero" in text else [1, 0, 0, 0], np.float32)


class FakeVectors:
    name, reason = "exact", ""

    def __init__(self, ids):
        self.ids = ids

    def search(self, query, k, alive):
        ids = np.asarray([i for i in self.ids if alive[i]][:k], np.int64)
        return ids, np.linspace(0.9, 0.5, len(ids), dtype=np.float32)


def test_the_vector_leg_brings_chunks_that_no_word_finds(shop):
    wanted = shop.chunks_of("shop/errors.py")[-1].id
    searcher = Searcher(shop, FakeEmbedder(), FakeVectors([wanted]))
    result = searcher.search(plan("monthly", shop), 10)
    assert "vector" in result.legs
    found = {c.chunk.id: c for c in result.candidates}
    assert [h.leg for h in found[wanted].legs] == ["vector"]


def test_a_question_that_embeds_to_nothing_leaves_the_vector_leg_empty(shop):
    result = Searcher(shop, FakeEmbedder(), FakeVectors([0])).search(plan("zero monthly report", shop), 5)
    assert result.candidates[0].chunk.symbol == "monthly_report"


def test_z_scores_keep_distances_and_floor_what_is_missing():
    leg = LegResult("a", np.array([7, 3, 5]), np.array([9.0, 5.0, 4.0], np.float32), 3)
    z = z_scores(np.array([3, 5, 7, 8]), leg)
    assert z[2] > z[0] > z[1] == z[3]
    assert (z[2] - z[0]) == pytest.approx(4 * (z[0] - z[1]), rel=1e-5)


def test_fusion_spans_zero_to_one_and_ignores_unweighted_legs():
    one = LegResult("a", np.array([1, 2]), np.array([2.0, 1.0], np.float32), 2)
    two = LegResult("b", np.array([2, 1]), np.array([9.0, 1.0], np.float32), 2)
    pool = np.array([1, 2])
    assert fuse(pool, [one, two], {"a": 1.0}).tolist() == [1.0, 0.0]
    assert fuse(pool, [one, two], {"b": 1.0}).tolist() == [0.0, 1.0]
    assert fuse(pool, [], {}).tolist() == [1.0, 1.0]


def test_leg_weights_scale_to_what_is_available():
    for kind in plan_classes():
        assert sum(leg_weights(kind).values()) == pytest.approx(1.0)
        assert leg_weights(kind, {"lexical"}) == {"lexical": 1.0}


def test_files_are_ranked_with_more_weight_on_meaning():
    for kind in plan_classes():
        lines = leg_weights(kind)
        files = for_files(lines)
        assert sum(files.values()) == pytest.approx(1.0)
        assert files.keys() == lines.keys()
        assert files["vector"] > lines["vector"] and files["lexical"] < lines["lexical"]
    assert for_files({"lexical": 1.0}) == {"lexical": 1.0}
    assert for_files({}) == {}


def plan_classes():
    from retrieval.pack_records import QuestionClass

    return list(QuestionClass)


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ('says "not found here" twice', ("not found here",)),
        ("it's a dog's life, isn't it", ()),
        ("`url_for` and `--debug-mode`", ("--debug-mode",)),
        ("RuntimeError: Working outside of context. See docs", ("Working outside of context",)),
        ('File "a b/c.py", line 3', ()),
    ],
)
def test_phrases(text, phrases):
    assert quoted_phrases(text) == phrases
