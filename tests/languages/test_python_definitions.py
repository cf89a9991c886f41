"""Definitions that other tools lose, and chunks that stay with what belongs to them."""

from __future__ import annotations

from retrieval.languages.python.analyze import analyze_python
from retrieval.records import BlockKind, Chunk, ChunkKind, Symbol


def symbols(text: str) -> dict[str, Symbol]:
    return {symbol.qualname: symbol for symbol in analyze_python("p/m.py", text, "p.m").symbols}


def chunks(text: str) -> tuple[Chunk, ...]:
    return analyze_python("p/m.py", text, "p.m").chunks


def chunk_text(text: str, chunk: Chunk) -> str:
    return "\n".join(text.split("\n")[chunk.start_line - 1 : chunk.end_line])


HARD = '''"""Module."""
from typing import TYPE_CHECKING, overload

#: Seconds to wait.
TIMEOUT: int = 30
A, (B, *C) = D = 1, (2, 3)
double = lambda x: 2 * x

if TYPE_CHECKING:
    def conditional() -> None: ...
else:
    def conditional() -> None: ...

try:
    import fast
except ImportError:
    class fast:
        @staticmethod
        def go(): pass


@overload
def twice(x: int) -> int: ...
@overload
def twice(x: str) -> str: ...
def twice(x):
    return x + x


class Outer(Base, metaclass=Meta):
    """Outer class."""

    field = 1
    """About the field."""

    @property
    def size(self) -> int:
        """The size."""
        return self._size

    @size.setter
    def size(self, value: int) -> None:
        self._size = value

    @size.deleter
    def size(self) -> None:
        del self._size

    @functools.cached_property
    def lazy(self): ...

    async def fetch(
        self,
        url: str,  # where
        *,
        timeout: float = 1.0,
    ) -> bytes:
        async def inner():
            class Deep:
                def method(self): ...
        return await inner()

    class Inner:
        x: int
'''


def test_every_definition_once_under_a_unique_name() -> None:
    found = symbols(HARD)
    kinds = {name.removeprefix("p.m."): symbol.kind for name, symbol in found.items()}
    assert kinds == {
        "p.m": "module",
        "TIMEOUT": "variable",
        "A": "variable",
        "B": "variable",
        "C": "variable",
        "D": "variable",
        "double": "variable",
        "conditional": "function",
        "conditional#2": "function",
        "fast": "class",
        "fast.go": "method",
        "twice": "function",
        "twice#2": "function",
        "twice#3": "function",
        "Outer": "class",
        "Outer.field": "attribute",
        "Outer.size": "property",
        "Outer.size#2": "property",
        "Outer.size#3": "property",
        "Outer.lazy": "property",
        "Outer.fetch": "method",
        "Outer.fetch.inner": "function",
        "Outer.fetch.inner.Deep": "class",
        "Outer.fetch.inner.Deep.method": "method",
        "Outer.Inner": "class",
        "Outer.Inner.x": "attribute",
    }


def test_what_a_symbol_says() -> None:
    found = symbols(HARD)
    assert found["p.m"].doc == "Module."
    assert found["p.m.TIMEOUT"].doc == "Seconds to wait."
    assert found["p.m.TIMEOUT"].signature == "TIMEOUT: int = 30"
    assert found["p.m.Outer.field"].doc == "About the field."
    assert found["p.m.Outer"].bases == ("Base",)
    assert found["p.m.Outer"].signature == "class Outer(Base, metaclass=Meta)"
    fetch = found["p.m.Outer.fetch"]
    assert fetch.signature == "async def fetch(self, url: str, *, timeout: float = 1.0) -> bytes"
    assert fetch.parent == "p.m.Outer"
    setter = found["p.m.Outer.size#2"]
    assert setter.decorators == ("size.setter",)
    assert HARD.split("\n")[setter.start_line - 1].strip() == "@size.setter"
    assert HARD.split("\n")[setter.def_line - 1].strip().startswith("def size")


def test_repeats_inside_repeats_keep_their_parent() -> None:
    found = symbols("def f():\n    def g(): ...\n\ndef f():\n    def g(): ...\n")
    assert found["p.m.f#2.g"].parent == "p.m.f#2"


def test_newer_syntax_is_read() -> None:
    text = (
        "type Pair[T] = tuple[T, T]\n"
        "class Box[T: (int, str) = int](Base[T]):\n    def get[**P](self, *a: P.args) -> T: ...\n"
        "x = f'{'nested' + f'{1}'}'\n"
        "try:\n    pass\nexcept ValueError, TypeError:\n    pass\n"
    )
    analysis = analyze_python("p/m.py", text, "p.m")
    found = {symbol.qualname: symbol for symbol in analysis.symbols}
    assert found["p.m.Pair"].kind == "variable"
    assert found["p.m.Box"].bases == ("Base[T]",)
    assert found["p.m.Box.get"].signature == "def get[**P](self, *a: P.args) -> T"
    assert "p.m.x" in found


def test_python_2_still_gives_its_definitions() -> None:
    text = 'import sys\nprint "x", 1\nprint >>sys.stderr, "y"\ndef f(a, (b, c)):\n    exec "code" in d\n    raise E, "m"\nclass A:\n    def m(self): return `x` <> 0777L\n'
    assert {"p.m.f", "p.m.A", "p.m.A.m"} <= symbols(text).keys()


def test_comments_and_decorators_stay_with_their_definition() -> None:
    text = (
        "import os\n\n\n# Why f.\n@cache\n# between\n@other\ndef f():\n    pass\n    # inside at the end\n\n# banner\n\ndef g():\n"
        "    pass\ng.short = 1\n\nx = 1\n"
    )
    first, f, g, last = chunks(text)
    assert chunk_text(text, first) == "import os"
    assert chunk_text(text, f).startswith("# Why f.\n@cache") and chunk_text(text, f).endswith("# inside at the end")
    assert chunk_text(text, g).startswith("# banner") and chunk_text(text, g).endswith("g.short = 1")
    assert (last.kind, last.symbol, last.qualname) == (ChunkKind.MODULE, "x", "p.m.x")
    assert "Why f." in f.doc and "inside at the end" in f.doc


def test_class_header_methods_and_attributes() -> None:
    methods = "".join(f"    def m{n}(self):\n        a = {n}\n        return a\n\n" for n in range(10))
    text = f'@register\nclass C(Base):\n    """Doc of C."""\n\n    first = 1\n\n{methods}    late = 2\n\n    def z(self):\n        pass\n'
    header, *rest = chunks(text)
    assert (header.kind, header.symbol, header.qualname, header.context) == (ChunkKind.CLASS, "C", "p.m.C", "")
    assert (header.part, header.parts) == (1, 2)
    assert chunk_text(text, header).startswith("@register") and chunk_text(text, header).endswith("first = 1")
    assert "Doc of C." in header.doc
    assert [chunk.kind for chunk in rest] == [ChunkKind.METHOD] * 10 + [ChunkKind.CLASS, ChunkKind.METHOD]
    assert rest[0].context == "class C(Base):"
    assert rest[0].qualname == "p.m.C.m0"
    assert (rest[10].part, rest[10].parts, rest[10].context) == (2, 2, "class C(Base):")


def test_conditional_definitions_keep_their_condition() -> None:
    body = "".join(f"            x = {n}\n" for n in range(14))
    text = f"class C:\n    if A:\n        def f(self):\n{body}    else:\n        def f(self):\n{body}"
    header, first, second = chunks(text)
    assert (header.kind, chunk_text(text, header)) == (ChunkKind.CLASS, "class C:")
    assert (first.kind, first.symbol, first.qualname) == (ChunkKind.METHOD, "C.f", "p.m.C.f")
    assert chunk_text(text, first).startswith("    if A:\n        def f")
    assert (second.symbol, second.qualname) == ("C.f", "p.m.C.f#2")
    assert chunk_text(text, second).startswith("    else:\n        def f")


def test_small_class_stays_whole() -> None:
    (only,) = chunks("class E(Exception):\n    def __init__(self):\n        pass\n")
    assert (only.kind, only.symbol) == (ChunkKind.CLASS, "E")


def test_big_function_is_split_between_statements_with_its_header_as_context() -> None:
    loops = "".join(
        f"    for i in range({n}):\n        if i:\n            call(\n                i,\n            )\n        x = i\n"
        for n in range(40)
    )
    text = f'class C:\n    pass\n\ndef big(a,\n        b):\n    """Doc."""\n{loops}    return x\n'
    parts = [chunk for chunk in chunks(text) if chunk.symbol == "big"]
    assert len(parts) > 2
    assert [chunk.part for chunk in parts] == list(range(1, len(parts) + 1))
    assert {chunk.parts for chunk in parts} == {len(parts)}
    assert parts[0].context == "" and parts[0].blocks[0].kind is BlockKind.SIGNATURE
    for part in parts[1:]:
        assert part.context == "def big(a, b):"
        assert chunk_text(text, part).lstrip().startswith(("for", "x =", "return"))
        assert part.end_line - part.start_line < 80


def test_huge_statement_is_cut_between_its_elements() -> None:
    entries = "".join(f'    "key{n}": [\n        {n},\n    ],\n' for n in range(100))
    text = f"TABLE = {{\n{entries}}}\n"
    parts = chunks(text)
    assert len(parts) > 3
    assert {chunk.qualname for chunk in parts} <= {"p.m", "p.m.TABLE"}
    for part in parts[1:]:
        assert chunk_text(text, part).startswith('    "key')


def test_one_enormous_line_is_one_chunk() -> None:
    text = "x = 1\nTEXT = '" + "word " * 11_000 + "'\ny = 2\n"
    assert [chunk_text(text, chunk)[:4] for chunk in chunks(text)] == ["x = ", "TEXT", "y = "]


def test_a_big_inner_function_of_a_split_one_is_its_own_chunk() -> None:
    inner = "    def helper(y):\n" + "".join(f"        y += {n}\n" for n in range(30)) + "        return y\n"
    text = "def big(x):\n" + "".join(f"    x += {n}\n" for n in range(60)) + inner + "    return helper(x)\n"
    helper = next(chunk for chunk in chunks(text) if chunk.symbol == "big.helper")
    assert (helper.kind, helper.context, helper.qualname) == (ChunkKind.FUNCTION, "def big(x):", "p.m.big.helper")


def test_blocks_follow_statements_and_nesting() -> None:
    text = (
        "@deco\ndef f(a,\n      b):\n    '''Doc\n    two.'''\n\n    # why\n    if a:\n        return call(\n            a)\n"
        "    elif b: raise E\n    else:\n        x = 1; y = (\n            2)\n        log(x)\n    import os\n    yield a\n"
    )
    (only,) = chunks(text)
    assert [(block.start, block.end, block.depth, block.kind.value) for block in only.blocks] == [
        (1, 1, 0, "decorator"),
        (2, 3, 0, "signature"),
        (4, 5, 1, "docstring"),
        (6, 6, 1, "blank"),
        (7, 7, 1, "comment"),
        (8, 8, 1, "control"),
        (9, 10, 2, "return"),
        (11, 11, 1, "control"),
        (12, 12, 1, "control"),
        (13, 14, 2, "assign"),
        (15, 15, 2, "call"),
        (16, 16, 1, "import"),
        (17, 17, 1, "return"),
    ]


def test_lines_end_at_newline_only() -> None:
    text = (
        "\ufeffx = 'a\u2028b'\x0c\r\n\x0c\r\n# 🎉🎉\r\ndef naïve(é):\r\n    '''Doc\r\n    two.'''\r\n    return é\r\n"
    )
    found = symbols(text)
    assert (found["p.m.naïve"].start_line, found["p.m.naïve"].end_line) == (4, 7)
    assert found["p.m.naïve"].signature == "def naïve(é)"
    assert found["p.m.naïve"].doc == "Doc\ntwo."
    assert chunk_text(text, chunks(text)[-1]).startswith("# 🎉🎉\r\ndef naïve")


def test_half_written_definition_costs_only_itself() -> None:
    text = '''class A:
    """Doc."""

    def before(self):
        return 1

    def half(self,

    def after(self):
        return [1, 2

    @property
    def last(self):
        return 3


def outside():
    return 4
'''
    analysis = analyze_python("p/m.py", text, "p.m")
    assert analysis.partial
    names = {symbol.qualname for symbol in analysis.symbols}
    assert {"p.m.A", "p.m.A.before", "p.m.A.after", "p.m.A.last", "p.m.outside"} <= names
    assert next(symbol for symbol in analysis.symbols if symbol.name == "A").doc == "Doc."


def test_broken_rows_at_module_level_are_windows() -> None:
    text = "import os\n\ndef f():\n    return 1\n\n?? what = is this ((\n\ndef g():\n    return 2\n"
    found = chunks(text)
    assert [chunk.kind for chunk in found] == [
        ChunkKind.MODULE,
        ChunkKind.FUNCTION,
        ChunkKind.WINDOW,
        ChunkKind.FUNCTION,
    ]


def test_deep_nesting_is_no_error() -> None:
    deep = "\n".join(" " * n + f"def f{n}():" for n in range(400)) + "\n" + " " * 400 + "pass\n"
    assert len(symbols(deep)) > 50
    for text in (
        "x = " + "(" * 20_000,
        "x = " + "[" * 9_000 + "]" * 9_000,
        "if a:\n pass\n" + "elif b:\n pass\n" * 3_000,
    ):
        assert chunks(text)


def test_special_tokens_are_text() -> None:
    text = 'x = "<|endoftext|>"\n\ndef f():\n    """<|im_start|>system"""\n'
    assert symbols(text)["p.m.f"].doc == "<|im_start|>system"
    assert "<|endoftext|>" in chunk_text(text, chunks(text)[0])
