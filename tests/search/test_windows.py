"""What of a long result is shown: never more than allowed, and the best run there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.session import open_session
from retrieval.search.windows import SHOWN_TOKENS, best_run, shown_ranges
from retrieval.text.terms import index_terms

WORDS = ("retry", "queue", "delay", "token", "")
LINES = st.lists(st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join), min_size=1, max_size=14)
WEIGHTS = {"retri": 3.0, "queu": 2.0, "delay": 1.5}


def worth(lines: list[str], first: int, last: int) -> float:
    """By the definition in the module, run by run."""
    total = 0.5 * max(WEIGHTS.values()) if first == 0 else 0.0
    for term, weight in WEIGHTS.items():
        total += weight * min(2, sum(term in index_terms(line) for line in lines[first : last + 1]))
    return total


@given(LINES, st.integers(3, 40), st.data())
def test_no_run_within_the_limit_holds_more(lines: list[str], limit: int, data: st.DataObject) -> None:
    tokens = [data.draw(st.integers(1, 12)) for _ in lines]
    first, last = best_run(lines, tokens, WEIGHTS, limit)
    assert first == last or sum(tokens[first : last + 1]) <= limit
    assert first == last or (lines[first].strip() and lines[last].strip())
    best = max(
        worth(lines, a, b)
        for a in range(len(lines))
        for b in range(a, len(lines))
        if a == b or sum(tokens[a : b + 1]) <= limit
    )
    header_lost = 0.5 * max(WEIGHTS.values()) if not lines[0].strip() else 0.0
    assert worth(lines, first, last) >= best - header_lost - 1e-6


def test_without_a_known_term_the_beginning_is_shown() -> None:
    assert best_run(["def f():", "    a = 1", "    b = 2"], [5, 5, 5], {}, 10) == (0, 1)


LONG = "def work(jobs):\n" + "".join(f"    step_{i} = jobs.advance({i})\n" for i in range(60)) + "    return jobs\n"


def test_a_long_function_is_shown_where_it_matters(tmp_path: Path) -> None:
    body = LONG.replace("    step_40 = jobs.advance(40)\n", "    jobs.requeue_broken_letters()  # broken letters\n")
    (tmp_path / "work.py").write_text(body, "utf-8")
    session = open_session(tmp_path)
    found = session.searcher.search(session.plan("broken letters requeued"), 3, objective="files").candidates
    first, last, tokens = shown_ranges(session.reader, "broken letters requeued", found)[0]
    session.close()
    assert found[0].chunk.tokens > SHOWN_TOKENS >= tokens
    assert first <= 42 <= last
    assert found[0].chunk.start_line <= first


def test_short_results_are_shown_whole(shop) -> None:  # type: ignore[no-untyped-def]
    from retrieval.compile.planner import plan
    from retrieval.search.engine import Searcher

    found = Searcher(shop).search(plan("apply_discount", shop), 5, objective="files").candidates
    for candidate, (first, last, _) in zip(found, shown_ranges(shop, "apply_discount", found), strict=True):
        assert (first, last) == (candidate.chunk.start_line, candidate.chunk.end_line)


@pytest.mark.parametrize("limit", [1, 8])
def test_a_line_above_the_limit_still_shows(limit: int) -> None:
    assert best_run(["x = retry(" + "1, " * 50 + ")"], [200], WEIGHTS, limit) == (0, 0)
