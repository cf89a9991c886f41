"""A pack never takes more tokens than its budget, shows the files' own lines, and uses its budget well."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pack_fakes import FakeSource, FakeWorkspace, candidate, plan, ranked, true_tokens

from retrieval.compile.builder import build_pieces
from retrieval.compile.pipeline import compile_pack
from retrieval.compile.render import render_pack, render_summary
from retrieval.errors import UserError
from retrieval.pack_records import ContextPack, Plan
from retrieval.records import ChunkRow

CLICK = Path(click.__file__).parent
QUESTION = "How does click parse the options of a command and where is a missing parameter reported?"


@pytest.fixture(scope="module")
def source() -> FakeSource:
    names = ("core.py", "parser.py", "exceptions.py", "decorators.py")
    return FakeSource({f"click/{name}": (CLICK / name).read_text(encoding="utf-8") for name in names})


@pytest.fixture(scope="module")
def chunks(source: FakeSource) -> list[ChunkRow]:
    """About 60 chunks, interleaved from four files."""
    by_file = [source.chunks(path) for path in source.files]
    return [rows[at] for at in range(4, 60, 4) for rows in by_file if at < len(rows)]


def check(pack: ContextPack, source: FakeSource) -> None:
    """What holds for every pack."""
    text = render_pack(pack)
    assert true_tokens(text) <= pack.total_tokens <= pack.budget
    assert pack.total_tokens == sum(chunk.tokens for chunk in pack.chunks)
    seen: set[tuple[str, int]] = set()
    for number, chunk in enumerate(pack.chunks, 1):
        assert chunk.number == number
        assert true_tokens(f"{chunk.text}\n") < chunk.tokens
        lines = source.files[chunk.path].lines
        shown = [n for first, last in chunk.ranges for n in range(first, last + 1)]
        assert shown == sorted(set(shown)), "ranges are sorted and disjoint"
        assert all(b[0] > a[1] + 1 for a, b in zip(chunk.ranges, chunk.ranges[1:], strict=False))
        assert chunk.start_line <= shown[0] and shown[-1] <= chunk.end_line
        assert not seen & {(chunk.path, n) for n in shown}, "no line is shown twice"
        seen |= {(chunk.path, n) for n in shown}
        if "redacted" not in chunk.actions:
            assert chunk.source == "\n".join(lines[n - 1] for n in shown)
        assert _lines_of_text(chunk.text) == dict(zip(shown, chunk.source.split("\n"), strict=True))


def _lines_of_text(text: str) -> dict[int, str]:
    """What a reader takes from a piece's text: line number -> line; every elision mark must bridge the gap."""
    found: dict[int, str] = {}
    expected = 0
    for line in text.split("\n"):
        mark = re.fullmatch(r"… (\d+)(?:-(\d+))?", line)
        if mark:
            assert int(mark[1]) == expected
            expected = int(mark[2] or mark[1]) + 1
            continue
        number, _, rest = line.partition(" ")
        assert not expected or int(number) == expected
        found[int(number)] = rest
        expected = int(number) + 1
    return found


@pytest.mark.parametrize("budget", [1, 5, 17, 30, 45, 60, 100, 300, 1000, 2000, 4000, 8000, 50_000])
def test_no_budget_is_overrun(source: FakeSource, chunks: list[ChunkRow], budget: int) -> None:
    pack = compile_pack(plan(QUESTION), ranked(chunks), source, budget=budget)
    check(pack, source)
    if budget >= 60:
        assert pack.chunks
    else:
        assert pack.chunks or "holds no evidence" in pack.warnings[0]
    if 1000 <= budget <= 4000:
        assert pack.total_tokens > 0.9 * budget, "the budget is used"


def test_the_smallest_budget_named_in_the_warning_is_enough(source: FakeSource, chunks: list[ChunkRow]) -> None:
    pack = compile_pack(plan(QUESTION), ranked(chunks), source, budget=3)
    assert not pack.chunks and not pack.sufficient
    need = int(re.search(r"--budget (\d+)", pack.warnings[0])[1])  # type: ignore[index]
    pack = compile_pack(plan(QUESTION), ranked(chunks), source, budget=need)
    assert pack.chunks
    check(pack, source)


@pytest.mark.parametrize("budget", [0, -1])
def test_a_budget_that_is_not_positive_is_an_error(source: FakeSource, chunks: list[ChunkRow], budget: int) -> None:
    with pytest.raises(UserError, match="budget"):
        compile_pack(plan(), ranked(chunks), source, budget=budget)
    with pytest.raises(UserError, match="reserve"):
        compile_pack(plan(), ranked(chunks), source, reserve=-1)


def test_no_candidates_make_an_empty_insufficient_pack(source: FakeSource) -> None:
    pack = compile_pack(plan(), FakeWorkspace((), missing=("kubernetes",)), source)
    assert pack.chunks == () and not pack.sufficient and pack.total_tokens == 0
    assert pack.missing == ("kubernetes",)
    assert render_pack(pack) == ""


def test_the_same_input_gives_the_same_pack(source: FakeSource, chunks: list[ChunkRow]) -> None:
    forward = compile_pack(plan(QUESTION), ranked(chunks), source)
    workspace = FakeWorkspace(tuple(reversed(ranked(chunks).candidates)))
    assert compile_pack(plan(QUESTION), workspace, source) == forward


def test_the_first_hit_larger_than_the_budget_is_cut_not_dropped(source: FakeSource) -> None:
    big = max(source.chunks("click/core.py"), key=lambda row: row.tokens)
    pack = compile_pack(plan(QUESTION), ranked([big]), source, budget=120)
    check(pack, source)
    assert pack.chunks[0].path == big.path
    assert "Shown in part" in " ".join(pack.warnings)


def test_one_huge_line_is_elided_and_does_not_overrun() -> None:
    text = "def f():\n    x = 1\n    blob = '" + "ab/" * 60_000 + "'\n    return x\n"
    source = FakeSource({"m.py": text})
    for budget in (40, 400, 4000):
        pack = compile_pack(plan("what does f return"), ranked(source.chunks("m.py")), source, budget=budget)
        check(pack, source)
        assert pack.chunks and "blob" not in pack.chunks[0].text


def test_a_statement_longer_than_the_allowance_is_cut_at_lines() -> None:
    body = "".join(f"    'key{i}': 'value number {i} of a long table',\n" for i in range(400))
    source = FakeSource({"m.py": "TABLE = {\n" + body + "}\n"})
    pack = compile_pack(plan("where is key37 in the table"), ranked(source.chunks("m.py")), source, budget=300)
    check(pack, source)
    assert pack.chunks and "key37'" in pack.chunks[0].text


def test_pieces_of_a_file_stay_together_in_line_order(source: FakeSource, chunks: list[ChunkRow]) -> None:
    pack = compile_pack(plan(QUESTION), ranked(chunks), source, budget=6000)
    paths = [chunk.path for chunk in pack.chunks]
    assert len(set(paths)) > 1
    assert len([a for a, b in itertools.pairwise(paths) if a != b]) == len(set(paths)) - 1
    for path in set(paths):
        starts = [chunk.start_line for chunk in pack.chunks if chunk.path == path]
        assert starts == sorted(starts)
    best = ranked(chunks).candidates[0].chunk
    assert pack.chunks[0].path == best.path, "the file that answers comes first"


def test_every_candidate_is_accounted_for(source: FakeSource, chunks: list[ChunkRow]) -> None:
    pack = compile_pack(plan(QUESTION), ranked(chunks), source, budget=1500)
    told = {(d.path, d.start_line) for d in pack.decisions}
    assert {(c.path, c.start_line) for c in chunks} <= told
    assert any(d.action == "dropped" for d in pack.decisions)
    assert "did not fit" in " ".join(pack.warnings)


def test_control_characters_in_names_cannot_forge_lines() -> None:
    source = FakeSource({"a\n[9] b.py": "x = 1\n"})
    pack = compile_pack(plan(), ranked([source.window("a\n[9] b.py", 1, 1)]), source)
    assert render_pack(pack).count("\n") == 2
    check(pack, source)


def test_the_summary_stands_outside_the_evidence(source: FakeSource, chunks: list[ChunkRow]) -> None:
    pack = compile_pack(plan(QUESTION), ranked(chunks), source, budget=1500, reserve=77)
    summary = render_summary(pack)
    assert f"{pack.total_tokens} of 1500 tokens" in summary and "77" in summary
    assert summary.split("\n")[0] not in render_pack(pack)
    assert pack.reserve == 77


def test_compound_questions_show_every_aspect() -> None:
    parse = "".join(f"def parse_{i}(text):\n    parsing = text.parse({i})\n    return parsing\n\n\n" for i in range(18))
    render = "def render(page):\n    return page.rendering()\n"
    source = FakeSource({"parse.py": parse, "render.py": render})
    rows = [*source.chunks("parse.py"), *source.chunks("render.py")]
    candidates = tuple(candidate(c, 1.0 - 0.02 * at) for at, c in enumerate(rows))
    question = "How is parsing done, and how does rendering of pages work?"
    asked: Plan = plan(question, ("How is parsing done", "how does rendering of pages work"))
    pack = compile_pack(asked, FakeWorkspace(candidates), source, budget=400)
    assert {chunk.path for chunk in pack.chunks} == {"parse.py", "render.py"}


# ------------------------------------------------------------------------------------------------------------ property

line = st.one_of(
    st.sampled_from(
        ["", "", "    ", "\t", "def f(a, b):", "    return a", "    if x:", "class A:", "# note", "x = [1, 2, 3]", "/", "//x",
         "<|endoftext|>", "    '''doc'''", "import os", "1234 + 5678", "... 3-4", "… 3-4", "[1] a.py:1-2 (lexical 1.00)"]
    ),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=60),
)  # fmt: skip
text = st.lists(line, min_size=1, max_size=60).flatmap(
    lambda lines: st.sampled_from(["\n", "\r\n"]).map(lambda end: end.join(lines) + end)
)


@st.composite
def cases(draw: st.DrawFn) -> tuple[FakeSource, FakeWorkspace]:
    """A few files of any text, chunked for real and by arbitrary (also overlapping) windows."""
    names = draw(st.lists(st.sampled_from(["a.py", "b/c.py", "docs/é.md", "d.py"]), min_size=1, unique=True))
    source = FakeSource({name: draw(text) for name in names})
    found = []
    for name in names:
        rows = source.chunks(name)
        total = len(source.files[name].lines)
        for _ in range(draw(st.integers(0, 3))):
            start = draw(st.integers(1, total))
            rows.append(source.window(name, start, draw(st.integers(start, total))))
        for row in rows:
            focus = draw(st.lists(st.integers(row.start_line, row.end_line), max_size=2))
            found.append(candidate(row, draw(st.floats(-1, 2)), focus=focus, whole=draw(st.booleans())))
    return source, FakeWorkspace(tuple(found))


@settings(deadline=None, max_examples=80)
@given(cases(), st.integers(1, 1200))
def test_any_pack_holds_its_invariants(case: tuple[FakeSource, FakeWorkspace], budget: int) -> None:
    source, workspace = case
    pack = compile_pack(plan("return the doc of class a"), workspace, source, budget=budget)
    check(pack, source)
    if workspace.candidates:
        assert pack.chunks or "holds no evidence" in pack.warnings[0]
    pieces, _ = build_pieces(workspace.candidates, source)
    shown = {(c.path, c.start_line, c.end_line) for c in pack.chunks}
    assert shown <= {(p.path, p.start_line, p.end_line) for p in pieces}
