"""Repeated evidence becomes one piece with all its provenance; distinct definitions survive."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pack_fakes import FakeSource, candidate

from retrieval.compile.builder import build_pieces, covering_blocks
from retrieval.pack_records import LegHit
from retrieval.records import Block, BlockKind, ChunkKind

BODY = "".join(f"    step_{i} = value_{i} + {i}\n" for i in range(28))
SOURCE = FakeSource(
    {
        "a.py": f"def load(path):\n{BODY}    return step_1\n\n\ndef save(path):\n{BODY}    return step_2\n",
        "vendor/a.py": f"def load(path):\n{BODY}    return step_1\n",
        "fork.py": f"def load(path):\n{BODY}    return step_9\n",
    }
)


def test_equal_texts_merge_and_keep_every_leg() -> None:
    one = candidate(SOURCE.window("a.py", 1, 30, "load"), 0.9, "lexical", rank=1)
    two = candidate(SOURCE.window("vendor/a.py", 1, 30, "load"), 0.5, "vector", rank=3)
    pieces, decisions = build_pieces([two, one], SOURCE)
    assert [(p.path, p.score) for p in pieces] == [("a.py", 0.9)]
    assert {hit.leg: hit.rank for hit in pieces[0].legs} == {"lexical": 1, "vector": 3}
    assert pieces[0].reason == "found by lexical; found by vector"
    assert pieces[0].actions == ("deduplicated",)
    assert [(d.action, d.path) for d in decisions] == [("merged", "vendor/a.py")]
    assert "same text as a.py:1-30" in decisions[0].why


def test_equal_methods_of_two_classes_are_two_definitions() -> None:
    text = "class A:\n    def close(self):\n        pass\n\n\nclass B:\n    def close(self):\n        pass\n"
    source = FakeSource({"m.py": text})
    rows = [source.window("m.py", 2, 3, "A.close"), source.window("m.py", 7, 8, "B.close")]
    pieces, _ = build_pieces([candidate(row) for row in rows], source)
    assert [p.chunk.symbol for p in pieces] == ["A.close", "B.close"]


def test_two_definitions_close_to_each_other_survive() -> None:
    rows = [SOURCE.window("a.py", 1, 30, "load"), SOURCE.window("a.py", 33, 62, "save")]
    pieces, decisions = build_pieces([candidate(row) for row in rows], SOURCE)
    assert len(pieces) == 2 and not decisions


def test_near_copies_in_two_files_collapse_into_the_better() -> None:
    rows = [SOURCE.window("fork.py", 1, 30, "load"), SOURCE.window("a.py", 1, 30, "load")]
    pieces, decisions = build_pieces([candidate(rows[0], 0.4, "graph"), candidate(rows[1], 0.8)], SOURCE)
    assert [p.path for p in pieces] == ["a.py"]
    assert {hit.leg for hit in pieces[0].legs} == {"graph", "lexical"}
    assert "nearly the same text" in decisions[0].why


def test_near_copies_of_another_name_stay() -> None:
    rows = [SOURCE.window("fork.py", 1, 30, "load"), SOURCE.window("a.py", 33, 62, "save")]
    assert len(build_pieces([candidate(row) for row in rows], SOURCE)[0]) == 2


def test_overlapping_and_contained_intervals_become_their_union() -> None:
    rows = [SOURCE.window("a.py", 1, 10), SOURCE.window("a.py", 8, 16), SOURCE.window("a.py", 9, 12)]
    scores = (0.3, 0.9, 0.5)
    found = [candidate(row, score, focus=[row.start_line]) for row, score in zip(rows, scores, strict=True)]
    pieces, decisions = build_pieces(found, SOURCE)
    assert [(p.start_line, p.end_line, p.score) for p in pieces] == [(1, 16, 0.9)]
    assert pieces[0].focus == (1, 8, 9) and pieces[0].actions == ("merged",)
    assert len(decisions) == 2
    assert [b.start for b in pieces[0].blocks] == list(range(1, 17))


def test_the_same_chunk_from_two_legs_is_one_piece() -> None:
    row = SOURCE.window("a.py", 1, 30, "load")
    pieces, _ = build_pieces([candidate(row, 0.5, "vector"), candidate(row, 0.7, "lexical")], SOURCE)
    assert len(pieces) == 1 and pieces[0].score == 0.7 and len(pieces[0].legs) == 2
    assert pieces[0].actions == (), "nothing was changed about what is shown"


def test_parts_of_a_split_definition_join() -> None:
    first = SOURCE.window("a.py", 1, 7, "load", ChunkKind.FUNCTION)._replace(part=1, parts=2)
    second = SOURCE.window("a.py", 8, 14, "load", ChunkKind.FUNCTION)._replace(part=2, parts=2)
    pieces, _ = build_pieces([candidate(second, 0.9), candidate(first, 0.2)], SOURCE)
    assert [(p.start_line, p.end_line, p.chunk.part) for p in pieces] == [(1, 14, 1)]


def test_order_is_by_score_then_path_then_line() -> None:
    rows = [SOURCE.window("fork.py", 8, 9), SOURCE.window("a.py", 5, 6), SOURCE.window("a.py", 1, 3)]
    pieces, _ = build_pieces([candidate(row, 0.5) for row in rows], SOURCE)
    assert [(p.path, p.start_line) for p in pieces] == [("a.py", 1), ("a.py", 5), ("fork.py", 8)]


def test_better_rank_of_a_leg_wins_when_merged() -> None:
    row = SOURCE.window("a.py", 1, 5)
    first = candidate(row, 0.9)._replace(legs=(LegHit("vector", 9, 0.1),))
    second = candidate(row, 0.4)._replace(legs=(LegHit("vector", 2, 0.3),))
    pieces, _ = build_pieces([first, second], SOURCE)
    assert pieces[0].legs == (LegHit("vector", 2, 0.3),)


spans = st.lists(st.tuples(st.integers(1, 30), st.integers(0, 8)), min_size=1, max_size=8)


@given(spans)
def test_pieces_are_disjoint_and_cover_what_was_found(drawn: list[tuple[int, int]]) -> None:
    rows = [SOURCE.window("a.py", start, min(30, start + length)) for start, length in drawn]  # no two lines are equal
    pieces, _ = build_pieces([candidate(row, 1.0 / (1 + i)) for i, row in enumerate(rows)], SOURCE)
    covered = [n for p in pieces for n in range(p.start_line, p.end_line + 1)]
    assert sorted(covered) == sorted({n for row in rows for n in range(row.start_line, row.end_line + 1)})
    for piece in pieces:
        blocks = covering_blocks(piece)
        assert [n for b in blocks for n in range(b.start, b.end + 1)] == list(
            range(piece.start_line, piece.end_line + 1)
        )


def test_blocks_with_holes_are_filled() -> None:
    row = SOURCE.window("a.py", 1, 9)._replace(
        blocks=(Block(2, 3, 0, BlockKind.ASSIGN), Block(6, 6, 0, BlockKind.CALL))
    )
    piece = build_pieces([candidate(row)], SOURCE)[0][0]
    assert [(b.start, b.end) for b in covering_blocks(piece)] == [(1, 1), (2, 3), (4, 5), (6, 6), (7, 9)]
