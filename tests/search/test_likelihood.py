"""The chance that a line is evidence: of the chunk by itself, not of its place in a diversified ranking."""

from __future__ import annotations

from dataclasses import replace

from retrieval.compile.planner import plan
from retrieval.search.config import DEFAULT
from retrieval.search.engine import Searcher

QUESTION = "How is the total price of all items with discount and tax computed?"


def likelihoods(reader, question=QUESTION, config=DEFAULT, **changes):
    asked = replace(plan(question, reader), **changes)
    found = Searcher(reader, config=config).search(asked, 40).candidates
    return {(c.chunk.path, c.chunk.symbol): c.likelihood for c in found}


def test_likelihoods_are_chances_and_the_answer_is_the_likeliest(shop):
    found = likelihoods(shop)
    assert all(0.0 <= chance <= 1.0 for chance in found.values())
    assert max(found, key=lambda key: found[key]) == ("shop/pricing.py", "total_price")


def test_places_in_the_ranking_do_not_count(shop):
    lifted = replace(DEFAULT, coherence_bonus=5.0)
    assert likelihoods(shop) == likelihoods(shop, config=lifted)


def test_tests_are_likelier_where_the_question_wants_them(shop):
    plain, wanted = likelihoods(shop), likelihoods(shop, wants_tests=True)
    tests = [key for key in plain if key[0].startswith("tests/")]
    assert tests and all(wanted[key] > plain[key] for key in tests)
    assert all(wanted[key] == plain[key] for key in plain if key not in tests)


def test_a_mentioned_name_makes_its_definition_likelier(shop):
    key = ("shop/pricing.py", "total_price")
    without = replace(DEFAULT, features=DEFAULT.features - {"definition"})
    question = "Where is `total_price` defined?"
    assert likelihoods(shop, question)[key] > likelihoods(shop, question, without)[key]
