"""The budgeter on bare ladders: within budget, greedy by marginal worth, monotone in the budget."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from pack_fakes import FakeSource, candidate

from retrieval.compile.allocation import Allocation, Overhead
from retrieval.compile.budgeter import allocate
from retrieval.compile.builder import build_pieces
from retrieval.compile.ladder import Rung
from retrieval.compile.pack_config import PackConfig
from retrieval.compile.slicer import Sliced

SOURCE = FakeSource({f"f{i}.py": "x = 1\n" * 40 for i in range(6)})
CONFIG = PackConfig(max_share=1.0)


def sliced(path: str, rank: int, rungs: list[tuple[int, float]]) -> Sliced:
    pieces, _ = build_pieces([candidate(SOURCE.window(path, rank * 5 + 1, rank * 5 + 5), 1.0 / (1 + rank))], SOURCE)
    names = ["signature", *["sliced"] * len(rungs)]
    start = rank * 5 + 1
    steps = tuple(Rung(names[i], ((start, start + i),), tokens, worth) for i, (tokens, worth) in enumerate(rungs))
    return Sliced(pieces[0], steps, frozenset(), [steps[0].tokens] * 5)


ladders = st.lists(
    st.tuples(
        st.integers(0, 5),
        st.lists(st.tuples(st.integers(1, 60), st.floats(0.1, 20)), min_size=1, max_size=4).map(
            lambda steps: [
                (sum(t for t, _ in steps[: i + 1]), sum(w for _, w in steps[: i + 1])) for i in range(len(steps))
            ]
        ),
    ),
    min_size=1,
    max_size=6,
)


def pieces_of(drawn: list[tuple[int, list[tuple[int, float]]]]) -> list[Sliced]:
    return [sliced(f"f{file}.py", rank, rungs) for rank, (file, rungs) in enumerate(drawn)]


def spent(allocation: Allocation, own: int, entry: int) -> int:
    """Each shown piece pays for its header, the first of each file for the path besides."""
    shown = [choice for choice in allocation.choices if choice.rung]
    files = {choice.sliced.piece.path for choice in shown}
    return sum(choice.rung.tokens + own for choice in shown if choice.rung) + entry * len(files)


@settings(deadline=None, max_examples=300)
@given(ladders, st.integers(1, 400), st.integers(0, 30), st.integers(0, 20))
def test_never_over_and_honestly_counted(
    drawn: list[tuple[int, list[tuple[int, float]]]], budget: int, own: int, entry: int
) -> None:
    pieces = pieces_of(drawn)
    allocation = allocate(pieces, [Overhead(own, entry)] * len(pieces), budget, config=CONFIG)
    assert allocation.tokens == spent(allocation, own, entry) <= budget
    assert allocation.tokens == sum(choice.tokens for choice in allocation.choices)


def test_the_other_pieces_of_a_shown_file_cost_less() -> None:
    """The path is spelled once, so the second method of a file fits where another file's does not."""
    pieces = [sliced("f0.py", 0, [(40, 5.0)]), sliced("f1.py", 1, [(40, 4.1)]), sliced("f0.py", 2, [(40, 4.0)])]
    config = PackConfig(max_share=1.0, pointer_share=0.0)
    allocation = allocate(pieces, [Overhead(10, 8)] * 3, 110, config=config)
    assert [choice.rung is not None for choice in allocation.choices] == [True, False, True]
    assert allocation.tokens == 2 * 50 + 8


@settings(deadline=None, max_examples=400)
@given(ladders, st.integers(1, 300), st.integers(1, 200), st.integers(0, 20))
def test_a_larger_budget_is_never_worth_less(
    drawn: list[tuple[int, list[tuple[int, float]]]], budget: int, more: int, overhead: int
) -> None:
    pieces = pieces_of(drawn)
    overheads = [Overhead(overhead)] * len(pieces)
    config = PackConfig(max_share=1.0, pointer_share=0.0)
    small = allocate(pieces, overheads, budget, config=config)
    if any(choice.rung and choice.rung.name == "cut" for choice in small.choices):
        return  # an emergency cut below the least rung answers to no order
    large = allocate(pieces, overheads, budget + more, config=config)
    assert large.worth >= small.worth - 1e-9


@settings(deadline=None, max_examples=100)
@given(ladders.filter(lambda d: len(d) <= 4), st.integers(20, 200))
def test_greedy_is_near_the_optimum(drawn: list[tuple[int, list[tuple[int, float]]]], budget: int) -> None:
    """At least half of the exhaustive optimum, when no single step is larger than half the budget."""
    pieces = pieces_of(drawn)
    config = PackConfig(max_share=1.0, pointer_share=0.0)
    best = 0.0
    relevance = [
        choice.likelihood for choice in allocate(pieces, [Overhead(0)] * len(pieces), budget, config=config).choices
    ]
    for picks in product(*[[None, *item.rungs] for item in pieces]):
        if sum(rung.tokens for rung in picks if rung) <= budget:
            best = max(best, sum(r.worth * p for r, p in zip(picks, relevance, strict=True) if r))
    steps = [
        b - a
        for item in pieces
        for a, b in zip([0, *[r.tokens for r in item.rungs]], [r.tokens for r in item.rungs], strict=False)
    ]
    if max(steps) * 2 <= budget:
        assert allocate(pieces, [Overhead(0)] * len(pieces), budget, config=config).worth >= 0.5 * best - 1e-9


def test_a_share_is_kept_for_pointers_to_further_files() -> None:
    """Best files first, by their least rung; a file that is shown needs none, and bodies come before pointers."""
    pieces = [
        sliced("f0.py", 0, [(10, 1.0), (100, 50.0)]),
        sliced("f0.py", 1, [(10, 1.0), (100, 40.0)]),
        sliced("f1.py", 2, [(10, 0.1), (100, 1.0)]),
        sliced("f2.py", 3, [(10, 0.1), (100, 1.0)]),
    ]
    overheads = [Overhead(5, 5)] * 4
    config = PackConfig(max_share=1.0, pointer_share=0.1)
    shown = [
        choice.rung.tokens if choice.rung else 0 for choice in allocate(pieces, overheads, 240, config=config).choices
    ]
    assert shown == [100, 100, 10, 0]
    config = PackConfig(max_share=1.0, pointer_share=0.0)
    shown = [
        choice.rung.tokens if choice.rung else 0 for choice in allocate(pieces, overheads, 230, config=config).choices
    ]
    assert shown == [100, 100, 0, 0]


def test_aspects_have_diminishing_returns() -> None:
    a, b, c = (sliced(f"f{i}.py", i, [(50, 5.0)]) for i in range(3))
    covered = [Sliced(p.piece, p.rungs, frozenset({t}), p.prices) for p, t in ((a, "x"), (b, "x"), (c, "y"))]
    config = PackConfig(max_share=1.0, rank_decay=0.0, score_power=0.0, aspect_bonus=10.0, pointer_share=0.0)
    allocation = allocate(covered, [Overhead(10)] * 3, 120, [{"x": 1.0}, {"y": 1.0}], config)
    assert [choice.rung is not None for choice in allocation.choices] == [True, False, True]


def test_no_piece_takes_the_whole_budget_while_there_are_others() -> None:
    big = sliced("f0.py", 0, [(20, 2.0), (95, 50.0)])
    small = sliced("f1.py", 1, [(20, 1.0)])
    allocation = allocate([big, small], [Overhead(2)] * 2, 100, config=PackConfig(max_share=0.6))
    assert all(choice.rung is not None for choice in allocation.choices)
    alone = allocate([big], [Overhead(2)], 100, config=PackConfig(max_share=0.6))
    assert alone.choices[0].rung is big.rungs[1]
