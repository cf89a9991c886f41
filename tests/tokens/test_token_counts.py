"""Token counts: exact against tiktoken, never too low, never a download."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import click
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from retrieval.errors import UserError
from retrieval.tokens import vocabulary
from retrieval.tokens.counter import (
    SATURATED,
    count_tokens,
    estimate_tokens,
    line_token_counts,
    number_tokens,
    rendered_counts,
    rendered_line_tokens,
)
from retrieval.tokens.vocabulary import encoding, encoding_for_model

CLICK = sorted(Path(click.__file__).parent.glob("*.py"))


def true_count(text: str) -> int:
    return len(encoding().encode_ordinary(text))


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
lines = st.lists(
    st.one_of(
        texts.map(lambda t: t.replace("\n", " ")),
        st.text(" \t\r\f/)(]'\"#.", max_size=30),
        st.sampled_from(
            ["", "    ", "\t\t", "def f(x):", "return  x", "//", "/", "''", "don't", "1234 5678", "<|endoftext|>"]
        ),
    ),
    max_size=30,
)


def render(lines: list[str], first: int) -> str:
    return "".join(f"{first + i} {line}\n" for i, line in enumerate(lines))


@settings(deadline=None, max_examples=150)
@given(lines, st.integers(1, 120_000))
@example(["", "", "   ", "x", "", ""], 998)
def test_rendered_lines_never_take_more_than_the_sum_of_their_counts(lines: list[str], first: int) -> None:
    counts = line_token_counts(lines)
    total = sum(rendered_line_tokens(first + i, count) for i, count in enumerate(counts))
    true = true_count(render(lines, first))
    assert true <= total
    assert total == true, "the sum is exact while lines are short"


@given(st.lists(st.sampled_from([1, 5, 65_533, 65_534, 65_535]), max_size=20), st.integers(0, 1_100))
def test_counts_of_a_whole_file_are_those_of_its_lines(tail: list[int], before: int) -> None:
    counts = [3] * before + tail
    assert rendered_counts(counts) == [rendered_line_tokens(number, count) for number, count in enumerate(counts, 1)]


def test_the_millionth_line_has_a_number_of_three_tokens() -> None:
    assert rendered_counts([3] * 1_000_000)[-2:] == [5, 6]


def test_counts_of_real_files_are_exact() -> None:
    for path in CLICK:
        lines = path.read_text(encoding="utf-8").split("\n")
        total = sum(rendered_line_tokens(i, n) for i, n in enumerate(line_token_counts(lines), 1))
        assert total == true_count(render(lines, 1))


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12), st.integers(800, 3000))
@example("a", 3000)
@example(" ", 3000)
@example("1", 3000)
@example("\r", 3000)
@example("aB3 ", 2000)
def test_very_long_lines_are_never_under_counted(unit: str, times: int) -> None:
    line = unit.replace("\n", "") * times
    assert line_token_counts([line])[0] >= min(SATURATED, true_count(f" {line}\n"))
    text = unit * times
    assert count_tokens(text) >= true_count(text)


def test_a_huge_line_saturates_instead_of_wrapping() -> None:
    assert line_token_counts(["x y " * 100_000])[0] == SATURATED
    assert rendered_line_tokens(7, SATURATED) == SATURATED


@settings(deadline=None, max_examples=200)
@given(texts)
@example("\n\n\n/x")
@example("a\n  b\n\n\n\tc  \n")
def test_count_tokens_is_exact_for_ordinary_text(text: str) -> None:
    assert count_tokens(text) == true_count(text)


def test_count_tokens_is_exact_for_whole_files() -> None:
    for path in CLICK:
        text = path.read_text(encoding="utf-8")
        assert count_tokens(text) == true_count(text)


def test_special_tokens_are_plain_text() -> None:
    assert count_tokens("<|endoftext|>") > 1
    assert line_token_counts(["<|endoftext|>"])[0] > 2
    assert estimate_tokens("<|endoftext|>") >= count_tokens("<|endoftext|>")


def test_lone_surrogates_are_counted() -> None:
    assert line_token_counts(["x = '\ud800'"])[0] >= 4


def test_a_failing_tokenizer_over_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def encode_ordinary(self, text: str) -> list[int]:
            raise ValueError("stack overflow")

    monkeypatch.setattr("retrieval.tokens.counter.encoding", lambda name: Broken())
    text = "naïve text that the tokenizer refuses"
    assert count_tokens(text) >= len(text.encode())


def test_number_tokens_follow_the_vocabulary() -> None:
    for number in (1, 9, 10, 999, 1000, 99_999, 1_234_567):
        assert number_tokens(number) == true_count(str(number))


@settings(deadline=None, max_examples=400)
@given(st.one_of(texts, st.text("abcdefgXYZ_./- 019'", max_size=60), st.text(max_size=3).map(lambda t: t * 20)))
def test_estimates_are_upper_bounds(text: str) -> None:
    clean = text.encode("utf-8", "replace").decode()
    assert estimate_tokens(clean) >= true_count(clean)


def test_estimates_are_close_for_real_headers_and_lines() -> None:
    headers = []
    for at, path in enumerate(CLICK):
        for line, text in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            assert estimate_tokens(f" {text}\n") >= true_count(f" {text}\n")
            if text.lstrip().startswith(("def ", "class ")):
                name = text.split("(")[0].split()[-1]
                where = f"src/click/{path.name}:{line}-{line + 40}"
                headers.append(f"[{at + 1}] {where} {name} lv93, sliced\n")
    assert len(headers) > 300
    for header in headers:
        assert true_count(header) <= estimate_tokens(header) <= 1.6 * true_count(header)
    assert sum(map(estimate_tokens, headers)) <= 1.2 * sum(map(true_count, headers))


def test_encodings_are_those_of_tiktoken() -> None:
    """The patterns and special tokens are tiktoken's own, compared without its download."""
    import tiktoken_ext.openai_public as public

    for name in ("o200k_base", "cl100k_base"):
        ours = encoding(name)
        ranks = ours._mergeable_ranks
        loader = public.load_tiktoken_bpe
        public.load_tiktoken_bpe = lambda *_, ranks=ranks, **__: ranks  # type: ignore[assignment]
        try:
            theirs = getattr(public, name)()
        finally:
            public.load_tiktoken_bpe = loader
        assert ours._pat_str == theirs["pat_str"]
        assert ours._special_tokens == theirs["special_tokens"]


def test_models_name_their_encoding_and_stand_ins_are_admitted() -> None:
    assert encoding_for_model("gpt-4o-mini").name == "o200k_base"
    assert encoding_for_model("openai/gpt-4.1").note == ""
    assert encoding_for_model("gpt-4").name == "cl100k_base"
    assert encoding_for_model("gpt-3.5-turbo").name == "cl100k_base"
    other = encoding_for_model("qwen2.5-coder:7b")
    assert other.name == "o200k_base" and "stand-in" in other.note
    with pytest.raises(UserError, match="not available offline"):
        encoding("p50k_base")


def test_an_altered_vocabulary_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "o200k_base.tiktoken.gz").write_bytes(gzip.compress(b"YQ== 0\n"))
    monkeypatch.setattr(vocabulary, "data_folder", lambda: tmp_path)
    encoding.cache_clear()
    try:
        with pytest.raises(UserError, match="SHA-256"):
            encoding()
        (tmp_path / "o200k_base.tiktoken.gz").write_bytes(b"not gzip")
        with pytest.raises(UserError, match="cannot be read"):
            encoding()
    finally:
        encoding.cache_clear()


def test_counting_needs_no_network_and_no_slow_import() -> None:
    script = """
import socket, sys
def refuse(*a, **k): raise AssertionError("dialled out")
socket.socket.connect = refuse
socket.getaddrinfo = refuse
from retrieval.tokens.counter import count_tokens, estimate_tokens
estimate_tokens("src/flask/app.py:1-20")
assert "tiktoken" not in sys.modules
assert count_tokens("hello world") == 2
assert "bpe_openai" not in sys.modules and "requests" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[2])


@pytest.mark.parametrize("unit", ["`a", "a.b_c", "(", "x", "Ab1"])
def test_one_endless_word_is_bounded_in_one_pass(unit: str) -> None:
    """Read to its end for each of its pieces, as it once was, a word of this length takes minutes."""
    word = unit * (300_000 // len(unit))
    assert estimate_tokens(word) >= estimate_tokens(unit * 1_000)
    for text in (f"{unit * 100}é", f"é{unit * 100}", f"{unit * 40}é{unit * 40}"):
        assert estimate_tokens(text) >= true_count(text)
