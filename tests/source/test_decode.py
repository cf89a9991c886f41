"""From bytes to text: nothing is dropped in silence, nothing raises, lines stay lines."""

from __future__ import annotations

import codecs
import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.source.decode import declared_encoding, decode, read_source, source_from_bytes
from retrieval.source.entries import Reason, Skipped, SourceText, WalkLimits

TEXT = "# naïve café\nx = 'é'\n"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "utf-16-le"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16-be"),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), "utf-32-le"),
        (codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"), "utf-32-be"),
    ],
)
def test_marks_and_utf8(data: bytes, encoding: str) -> None:
    assert decode(data) == (TEXT, encoding, False)


@pytest.mark.parametrize("name", ["latin-1", "iso-8859-15", "cp1252", "koi8-r", "utf8", "euc-jp", "shift_jis"])
def test_a_declaration_is_obeyed_as_python_does(name: str) -> None:
    word = {"koi8-r": "привет", "euc-jp": "日本", "shift_jis": "日本"}.get(name, "é")
    text = f"#!/usr/bin/python\n# -*- coding: {name} -*-\nx = '{word}'\n"
    decoded = decode(text.encode(name), is_python=True)
    assert decoded is not None
    assert decoded[0] == text
    assert not decoded[2]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"# coding=latin-1\n", "iso8859-1"),
        (b"\n# vim: set fileencoding=cp1252 :\n", "cp1252"),
        (b"x = 1\n# coding=latin-1\n", None),  # only comments may come before it
        (b"\n\n# coding=latin-1\n", None),  # the third line is too late
        (b"# coding=utf-16\n", None),  # could not be read if it were true
        (b"# coding=rot13\n", None),
        (b"# coding=zlib_codec\n", None),
        (b"# coding=punycode\n", None),
        (b"# coding=unicode_escape\n", None),
        (b"# coding=cp037\n", None),
        (b"# coding=no-such-thing\n", None),
        (b"# coding=utf_7\n", None),
        (b"", None),
    ],
)
def test_which_declarations_count(head: bytes, expected: str | None) -> None:
    assert declared_encoding(head) == expected


def test_a_wrong_declaration_falls_through() -> None:
    data = "# coding: ascii\nx = 'é'\n".encode()
    assert decode(data, is_python=True) == (data.decode(), "utf-8", False)


def test_fallbacks_are_marked() -> None:
    assert decode("x = 'é'\n".encode("latin-1")) == ("x = 'é'\n", "cp1252 (fallback)", True)
    assert decode(b"x = '\x81\xe9'\n") == ("x = '\x81é'\n", "latin-1 (fallback)", True)
    mostly = "größer, süß, öde\n".encode() + b"\xff\n"
    assert decode(mostly) == ("größer, süß, öde\n\ufffd\n", "utf-8 (repaired)", True)
    assert decode(codecs.BOM_UTF16_LE + "ab".encode("utf-16-le") + b"\x00\xd8") == (
        "ab\ufffd",
        "utf-16-le (repaired)",
        True,
    )


def test_utf16_without_a_mark_is_text_and_small_integers_are_not() -> None:
    assert decode("import os\n".encode("utf-16-le") * 20) == ("import os\n" * 20, "utf-16-le (fallback)", True)
    assert decode("import os\n".encode("utf-16-be") * 20) == ("import os\n" * 20, "utf-16-be (fallback)", True)
    assert decode(bytes(b for n in range(200) for b in (n % 32, 0))) is None


@pytest.mark.parametrize("data", [b"\x7fELF\0\0\0", b"abc\0def", bytes(range(1, 32)) * 10])
def test_binary(data: bytes) -> None:
    assert decode(data) is None
    assert source_from_bytes("a.py", data) == Skipped("a.py", Reason.BINARY)


def test_line_ends() -> None:
    assert decode(b"a\rb\rc") == ("a\nb\nc", "utf-8", False)
    assert decode(b"a\r\nb\r\n") == ("a\r\nb\r\n", "utf-8", False)
    assert decode(b"a\rb\n") == ("a\rb\n", "utf-8", False)
    decoded = decode("a\x0cb\u2028c\x85d\n".encode())
    assert decoded is not None
    assert decoded[0] == "a\x0cb\u2028c\x85d\n"


@given(st.binary(max_size=300), st.booleans())
def test_any_bytes_are_text_or_binary_and_text_is_utf8_again(data: bytes, is_python: bool) -> None:
    decoded = decode(data, is_python=is_python)
    if decoded is not None:
        decoded[0].encode("utf-8")
        assert "\0" not in decoded[0]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=200))
def test_utf8_survives_unchanged(text: str) -> None:
    assert decode(text.encode()) == (text.removeprefix("\ufeff"), "utf-8", False)


def test_read_source_gives_bytes_text_and_hash(make) -> None:
    data = codecs.BOM_UTF8 + "x = 'é'\r\n".encode()
    root = make("r", {"pkg/a.py": data})
    assert read_source(root, "pkg/a.py") == SourceText(
        "pkg/a.py", data, "x = 'é'\r\n", "utf-8", False, hashlib.sha256(data).hexdigest()
    )


def test_read_source_names_every_reason(make) -> None:
    outside = make("outside", {"x.py": "leak"})
    root = make(
        "r",
        {
            "big.py": "x" * 200,
            "bin.py": b"\0",
            ".env": "A=b",
            "gen.py": "# @generated by x\n",
            "min.js": "a" * 3000,
            "folder/x.py": "",
        },
    )
    (root / "link.py").symlink_to(outside / "x.py")
    os.mkfifo(root / "pipe.py")
    limits = WalkLimits(max_file_bytes=100)

    def reason(path: str, limits: WalkLimits = limits) -> str:
        found = read_source(root, path, limits)
        assert isinstance(found, Skipped)
        assert found.path == path
        return found.reason

    assert reason("big.py") == Reason.HUGE
    assert reason("bin.py") == Reason.BINARY
    assert reason(".env") == Reason.SECRET
    assert reason("gen.py") == Reason.GENERATED
    assert reason("min.js", WalkLimits()) == Reason.MINIFIED
    assert reason("link.py") == Reason.OUTSIDE
    assert reason("../outside/x.py") == Reason.OUTSIDE
    assert reason("pipe.py") == Reason.SPECIAL
    assert reason("gone.py") == Reason.VANISHED
    assert reason("folder") in (Reason.UNREADABLE, Reason.SPECIAL)
    assert reason("big.py/x") in (Reason.UNREADABLE, Reason.VANISHED)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_no_permission(make) -> None:
    root = make("r", {"a.py": ""})
    (root / "a.py").chmod(0)
    found = read_source(root, "a.py")
    assert isinstance(found, Skipped)
    assert found.reason == Reason.UNREADABLE


def test_a_read_error_is_a_reason(make, monkeypatch) -> None:
    def fail(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    root = make("r", {"a.py": ""})
    monkeypatch.setattr("retrieval.source.contain.os.open", fail)
    assert read_source(root, "a.py") == Skipped("a.py", Reason.UNREADABLE, "Permission denied")


def test_real_sources_decode_as_python_reads_them() -> None:
    import tokenize

    import click

    root = Path(click.__file__).parent
    for file in sorted(root.glob("*.py")):
        found = read_source(root, file.name)
        assert isinstance(found, SourceText)
        with tokenize.open(file) as stream:
            assert found.text.replace("\r\n", "\n") == stream.read()
