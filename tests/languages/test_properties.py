"""Chunks partition a file, whatever its text."""

from __future__ import annotations

import random
from pathlib import Path

import click
import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from language_invariants import check

from retrieval.chunking.flat import flat_chunks
from retrieval.languages import registry
from retrieval.languages.config import analyze_ini, analyze_json, analyze_toml, analyze_yaml
from retrieval.languages.markdown import analyze_markdown
from retrieval.languages.plain import analyze_text
from retrieval.languages.python.analyze import analyze_python
from retrieval.languages.rst import analyze_rst

ANALYZERS = {
    "python": analyze_python,
    "markdown": analyze_markdown,
    "rst": analyze_rst,
    "toml": analyze_toml,
    "ini": analyze_ini,
    "yaml": analyze_yaml,
    "json": analyze_json,
    "text": analyze_text,
}

NAMES = st.sampled_from(["a", "b", "value", "naïve", "X", "_p"])
SIMPLE = st.sampled_from(
    [
        "pass",
        "x = 1",
        "a, *b = c = 1, 2",
        "y: int",
        "import os",
        "from a import (\n    b,\n    c,\n)",
        "return 1",
        "yield x",
        "raise ValueError('🎉')",
        "call(1,\n     2)",
        "s = '''\nnot: code\ndef f(): pass\n'''",
        '"""Text.\n\n  More."""',
        "x = 1; y = (\n  2)",
        "type A[T] = list[T]",
        "z = f'{a!r:>{b}} {\"nested\"}'",
        "d = {  # comment\n    'k': [1,\n          2],\n}",
        "# a comment",
        "# noqa",
        "",
        "\x0c",
        "w = 'a\u2028b\x85'  # sep",
        "assert x, 'y' \\\n    'z'",
        "print 'old'",
        "def half(self,",
        "lambda = lambda",
        "@decorator",
        "x = <|endoftext|>",
    ]
)


def _indent(lines: list[str]) -> list[str]:
    return ["    " + line if line else line for line in lines]


@st.composite
def statements(draw: st.DrawFn, depth: int = 0) -> list[str]:
    out: list[str] = []
    for _ in range(draw(st.integers(0 if depth == 0 else 1, 5))):
        kind = draw(st.integers(0, 11 if depth < 4 else 5))
        if kind <= 5:
            out += draw(SIMPLE).split("\n")
            continue
        body = _indent(draw(statements(depth + 1)))
        if kind == 6:
            out += [f"class {draw(NAMES)}(Base, metaclass=M):", *body]
        elif kind == 7:
            out += ["@decorated(", "    1)", "# between", f"async def {draw(NAMES)}(self, *, a=1) -> None:", *body]
        elif kind == 8:
            out += [f"def {draw(NAMES)}[T](a: T,", "        b=(1,", "           2)):  # why", *body]
        elif kind == 9:
            out += ["if TYPE_CHECKING:", *body, "elif x:  # y", "    pass", "else:", *body]
        elif kind == 10:
            out += ["try:", *body, "except* E as e:", "    pass", "finally: pass"]
        else:
            out += ["match x:", *_indent(["case [a, {'k': b}] if b:", *body])]
    return out


@settings(max_examples=150, deadline=None)
@given(statements(), st.sampled_from(["\n", "\r\n", "\n\n"]), st.booleans(), st.sampled_from(["", "\ufeff", "\x0c\n"]))
def test_generated_python(lines: list[str], line_end: str, final: bool, start: str) -> None:
    text = start + line_end.join(lines) + (line_end if final else "")
    check(text, analyze_python("p/m.py", text, "p.m"))


FRAGMENTS = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "\n",
                "\r\n",
                "\r",
                "\x0c",
                "\u2028",
                "\x00",
                "🎉",
                "    ",
                "\t",
                "#",
                "# ",
                "===",
                "---",
                "```",
                "~~~",
                "[a]",
                "[[b]]",
                "key: v",
                '"k": 1,',
                "'''",
                '"""',
                "{",
                "}",
                "(",
                ")",
                "def f",
                "class A",
                ":",
                "@d",
                "if x:",
                "else:",
                "- item",
                "1. one",
                ".. _l:",
                "::",
                "x = 1",
                "\\",
                "<",
                "endoftext",
                ">",
                "\ufeff",
                "�",
            ]
        ),
        st.text(max_size=5),
    ),
    max_size=60,
).map("".join)


@pytest.mark.parametrize("language", ANALYZERS)
@settings(max_examples=80, deadline=None)
@given(text=FRAGMENTS)
def test_arbitrary_text(language: str, text: str) -> None:
    check(text, ANALYZERS[language]("d/f.x", text, "m" if language == "python" else ""))


@settings(max_examples=60, deadline=None)
@given(FRAGMENTS, st.sampled_from([*ANALYZERS, "unheard-of"]))
def test_registry_takes_anything(text: str, language: str) -> None:
    check(text, registry.analyze("d/f.x", text, language, ""))


@settings(max_examples=60, deadline=None)
@given(FRAGMENTS, st.integers(1, 9))
def test_flat_windows(text: str, size: int) -> None:
    chunks = flat_chunks(text, lines=size)
    assert all(chunk.end_line - chunk.start_line < size for chunk in chunks)
    covered = {line for chunk in chunks for line in range(chunk.start_line, chunk.end_line + 1)}
    assert {row + 1 for row, line in enumerate(text.split("\n")) if line.strip()} <= covered


def test_real_files_cut_in_two_or_with_a_line_missing() -> None:
    """Half-written files: every prefix and every missing line leaves a partition, and most definitions."""
    rng = random.Random(7)
    kept = total = 0
    for path in sorted(Path(click.__file__).parent.glob("*.py")):
        text = path.read_text("utf-8")
        lines = text.split("\n")
        whole = {symbol.qualname for symbol in analyze_python("m.py", text, "m").symbols if symbol.kind != "variable"}
        for _ in range(3):
            row = rng.randrange(len(lines))
            prefix = "\n".join(lines[:row]) + "\n" + lines[row][: len(lines[row]) // 2]
            check(prefix, analyze_python("m.py", prefix, "m"))
            broken = "\n".join([*lines[:row], "    def half(self,", *lines[row + 1 :]])
            analysis = analyze_python("m.py", broken, "m")
            check(broken, analysis)
            found = {symbol.qualname for symbol in analysis.symbols}
            kept += len(whole & found)
            total += len(whole)
    assert kept / total > 0.95
