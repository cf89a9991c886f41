"""A slice keeps the structure readable: signature, enclosing headers, whole statements, the lines that answer."""

from __future__ import annotations

import itertools
from pathlib import Path

import click
import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pack_fakes import FakeSource, candidate

from retrieval.compile.builder import Piece, build_pieces
from retrieval.compile.pack_config import PackConfig
from retrieval.compile.render import elision_tokens
from retrieval.compile.slicer import Sliced, slice_pieces
from retrieval.compile.slicer_atoms import cut_atoms
from retrieval.compile.slicer_match import match_documents
from retrieval.records import Block, BlockKind, ChunkKind
from retrieval.text.terms import index_terms, query_terms

CODE = '''\
@cached
def resolve(path, *, strict=False):
    """Turn a path into an absolute one.

    A long explanation of what happens on every platform, which nobody asked about,
    spread over several lines so that it costs something to show.

    Returns the resolved path.
    """
    separator = get_separator()
    other_things = prepare_everything(separator)
    more_things = [thing for thing in other_things if thing]
    for part in path.split(separator):
        if part == "..":
            audit.record(part)
            if strict:
                raise PermissionError(
                    "the path leaves the folder"
                )
            continue
        unrelated_statement(part, more_things)
        yet_another_unrelated_statement(part)
    fill_caches(other_things)
    report_progress(more_things)
    return path
'''
SMALL = PackConfig(small_piece_tokens=20, plain_piece_tokens=0)


def slice_one(source: FakeSource, question: str, config: PackConfig = SMALL, **options: object) -> Sliced:
    path = next(iter(source.files))
    rows = source.chunks(path)
    row = max(rows, key=lambda r: r.tokens)
    pieces, _ = build_pieces([candidate(row, **options)], source)  # type: ignore[arg-type]
    return slice_pieces(pieces, source.files, query_terms(question), 2000, config)[0]


def shown(sliced: Sliced, at: int) -> list[int]:
    return [n for first, last in sliced.rungs[at].ranges for n in range(first, last + 1)]


def test_the_least_variants_are_the_first_line_and_signature_with_first_paragraph() -> None:
    sliced = slice_one(FakeSource({"m.py": CODE}), "where is the separator")
    assert sliced.rungs[0].name == sliced.rungs[1].name == "signature"
    assert shown(sliced, 0) == [2]
    lines = shown(sliced, 1)
    assert {2, 3} <= set(lines) and 5 not in lines and 25 not in lines


def test_a_piece_of_moderate_length_is_shown_by_its_signature_or_whole() -> None:
    sliced = slice_one(FakeSource({"m.py": CODE}), "PermissionError", PackConfig(small_piece_tokens=20))
    assert shown(sliced, 0) == [2]
    assert all({3, 5, 18, 24} <= set(shown(sliced, at)) for at in range(1, len(sliced.rungs)))


def test_the_matching_statement_comes_with_its_enclosing_headers_and_whole() -> None:
    sliced = slice_one(FakeSource({"m.py": CODE}), "PermissionError when the path leaves the folder")
    first_slice = next(i for i, rung in enumerate(sliced.rungs) if rung.name == "sliced")
    lines = set(shown(sliced, first_slice))
    assert {17, 18, 19} <= lines, "the raise statement, uncut"
    assert {13, 14, 16} <= lines, "for, if, if strict"
    assert not {5, 6} <= lines and 24 not in lines


def test_focus_lines_survive_in_every_variant() -> None:
    sliced = slice_one(FakeSource({"m.py": CODE}), "anything", focus=[22])
    for at in range(len(sliced.rungs)):
        assert {2, 22} <= set(shown(sliced, at))


def test_call_sites_show_the_call_and_not_the_callers_body() -> None:
    sliced = slice_one(FakeSource({"m.py": CODE}), "who calls audit.record", focus=[15], whole=False)
    assert sliced.rungs[0].name == "focus"
    assert {2, 13, 14, 15} <= set(shown(sliced, 0)) and len(shown(sliced, 0)) < 9
    assert len(sliced.rungs) == 1
    full = slice_one(FakeSource({"m.py": CODE}), "who calls audit.record")
    assert sliced.rungs[-1].worth < full.rungs[-1].worth


def test_short_gaps_are_closed_instead_of_marked() -> None:
    sliced = slice_one(FakeSource({"m.py": CODE}), "PermissionError folder")
    counts = {n: sliced.price(n) for n in range(1, 26)}
    for rung in sliced.rungs:
        for (_, last), (first, _) in zip(rung.ranges, rung.ranges[1:], strict=False):
            assert sum(counts[n] for n in range(last + 1, first)) > SMALL.closed_gap_tokens


def test_small_pieces_are_shown_whole_or_not_at_all() -> None:
    sliced = slice_one(FakeSource({"m.py": "def f(a):\n    b = a\n    return b\n"}), "f", PackConfig())
    assert [rung.name for rung in sliced.rungs] == ["full"]


def check_ladder(sliced: Sliced, piece: Piece) -> None:
    rungs = sliced.rungs
    if piece.whole or rungs[-1].name == "full":
        assert rungs[-1].name == "full" and rungs[-1].ranges == ((piece.start_line, piece.end_line),)
    else:
        assert [rung.name for rung in rungs] == ["focus"]  # a caller never grows beyond its calling lines
    for rung in rungs:
        tokens = sum(sliced.price(n) for first, last in rung.ranges for n in range(first, last + 1))
        marks = sum(elision_tokens(a[1] + 1, b[0] - 1) for a, b in zip(rung.ranges, rung.ranges[1:], strict=False))
        assert rung.tokens == tokens + marks
        assert all(a <= b for a, b in rung.ranges) and piece.start_line <= rung.ranges[0][0]
        assert all(b[0] > a[1] + 1 for a, b in zip(rung.ranges, rung.ranges[1:], strict=False))
    for low, high in itertools.pairwise(rungs):
        inside = {n for first, last in high.ranges for n in range(first, last + 1)}
        assert {n for first, last in low.ranges for n in range(first, last + 1)} <= inside, "rungs are nested"
        assert low.tokens < high.tokens and low.worth <= high.worth + 1e-9


@pytest.mark.parametrize(
    "path", [Path(click.__file__).with_name("core.py"), Path(networkx.__file__).parent / "convert.py"]
)
def test_ladders_of_real_code(path: Path) -> None:
    source = FakeSource({"m.py": path.read_text(encoding="utf-8")})
    pieces, _ = build_pieces([candidate(row) for row in source.chunks("m.py")], source)
    terms = query_terms("how are the parameters of a command parsed into a graph with default values")
    for piece, sliced in zip(pieces, slice_pieces(pieces, source.files, terms, 600, PackConfig()), strict=True):
        check_ladder(sliced, piece)
        atoms = cut_atoms(piece, source.files["m.py"].lines, source.files["m.py"].line_tokens, 600, PackConfig())
        covered = [n for atom in atoms for n in range(atom.start, atom.end + 1)]
        assert covered == list(range(piece.start_line, piece.end_line + 1))
        statements = {
            (b.start, b.end)
            for b in piece.blocks
            if b.kind not in (BlockKind.DOCSTRING, BlockKind.TEXT, BlockKind.COMMENT)
        }
        lines = source.files["m.py"].line_tokens
        for rung in sliced.rungs[1:]:
            inside = {n for first, last in rung.ranges for n in range(first, last + 1)}
            for start, end in statements:
                if sum(lines[start - 1 : end]) <= 600 and sliced.rungs[0].name != "full":
                    part = inside & set(range(start, end + 1))
                    trimmed = [n for n in range(start, end + 1) if source.files["m.py"].lines[n - 1].strip()]
                    assert not part or set(trimmed) <= inside, "no cut runs through a statement"


blocks = st.lists(
    st.tuples(st.integers(1, 6), st.integers(0, 3), st.sampled_from(list(BlockKind))), min_size=1, max_size=15
)


@settings(deadline=None, max_examples=150)
@given(blocks, st.lists(st.sampled_from(["", "  ", "x = alpha", "beta(gamma)", "# alpha beta"]), min_size=95, max_size=95),
       st.integers(5, 300), st.booleans())  # fmt: skip
def test_ladders_of_arbitrary_blocks(
    drawn: list[tuple[int, int, BlockKind]], lines: list[str], allowance: int, whole: bool
) -> None:
    made: list[Block] = []
    at = 1
    for length, depth, kind in drawn:
        made.append(Block(at, at + length - 1, depth, kind))
        at += length
    source = FakeSource({"m.py": "\n".join(lines) + "\n"})
    row = source.window("m.py", 1, at - 1, kind=ChunkKind.FUNCTION)._replace(blocks=tuple(made))
    pieces, _ = build_pieces([candidate(row, focus=[at // 2 + 1 if at > 2 else 1], whole=whole)], source)
    sliced = slice_pieces(pieces, source.files, query_terms("alpha beta gamma"), allowance, SMALL)[0]
    check_ladder(sliced, pieces[0])


def test_matching_agrees_with_rank_bm25_over_whole_documents() -> None:
    """The order is that of BM25Okapi over all terms, although only the question's terms are kept."""
    from rank_bm25 import BM25Okapi

    texts = ["open the file and read", "read read the header", "write a header", "close everything now", "a b c", "d"]
    terms = dict.fromkeys(query_terms("read the header of a file"), 1.0)
    whole = [index_terms(text) for text in texts]
    kept = [[term for term in document if term in terms] for document in whole]
    ours = match_documents(kept, [len(document) for document in whole], terms)
    oracle = BM25Okapi(whole).get_scores(list(terms))
    order = sorted(range(len(texts)), key=lambda i: -ours[i])
    assert [round(oracle[i], 6) for i in order] == sorted((round(s, 6) for s in oracle), reverse=True)
    assert max(ours) == 1.0


def test_no_terms_no_matches() -> None:
    assert match_documents([[], []], [3, 4], {"x": 1.0}) == [0.0, 0.0]
    assert match_documents([], [], {}) == []
