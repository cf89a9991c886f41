"""Finds what a sentence names: code in backticks, dotted, snake_case and CamelCase names, calls, file names.

One scan per kind over text whose citations and quotes are blanked; every pattern is linear in the text.
"""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass

from agent.answer.sentences import opaque_spans

_WORD = r"[^\W\d]\w*"
_DOTTED = re.compile(rf"(?<![\w./-]){_WORD}(?:\.{_WORD})+")
_CALL = re.compile(rf"(?<![\w.]){_WORD}(?=\(\))")
_PLAIN = re.compile(rf"(?<![\w./-]){_WORD}")
_FILE = re.compile(
    r"(?<![\w/.-])(?:[\w.-]{1,120}/){0,30}[\w.-]{1,120}\.[A-Za-z]{1,8}(?![\w/])(?::(\d{1,7})(?:[-–](\d{1,7}))?)?"
)
_TOKEN = re.compile(_WORD)
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_FILE_SUFFIXES = frozenset(
    "py pyi pyx md rst txt toml ini cfg yaml yml json js ts tsx jsx html css c h cpp hpp rs go java rb sh sql xml "  # noqa: SIM905
    "csv lock ipynb in".split()
)
# Words with the shape of an identifier that are names of things outside any repository.
_PROSE_NAMES = frozenset(
    "GitHub GitLab JavaScript TypeScript PyPI macOS iOS OpenAI MySQL PostgreSQL SQLite MongoDB NumPy SciPy LaTeX "  # noqa: SIM905
    "YouTube CPython PyPy DevOps IDs URLs APIs OSes PRs".split()
)
# Written in backticks about any Python code, whether or not the cited lines spell them.
_LANGUAGE = frozenset(
    (*keyword.kwlist, "self", "cls", "str", "int", "bool", "float", "dict", "list", "tuple", "set", "bytes", "object")
)
_DOTTED_PROSE = frozenset({"e.g", "i.e", "a.k.a", "w.r.t", "Node.js", "node.js", "Vue.js", "ASP.NET"})


@dataclass(frozen=True, slots=True)
class Named:
    """Something a sentence names.

    Attributes:
        text: As written, without backticks.
        kind: ``name`` (all its words must occur), ``code`` (must occur verbatim, or all its words), ``file``.
        line: For a file with ``:line``, the first line; ``last`` the last; 0 when absent.
    """

    text: str
    kind: str
    line: int = 0
    last: int = 0


def named_in(sentence: str) -> tuple[Named, ...]:
    """What ``sentence`` names, in order of kind, each once. Citations and quotes must be blanked already."""
    found: dict[Named, None] = {}
    prose = list(sentence)
    for start, end in opaque_spans(sentence):
        if sentence[start] != "`":
            continue
        code = sentence[start:end].strip("`").strip()
        for named in _in_code(code):
            found[named] = None
        prose[start:end] = " " * (end - start)
    text = "".join(prose)
    masked = list(text)
    for match in _FILE.finditer(text):
        named_file = _as_file(match)
        if named_file is not None:
            found[named_file] = None
            masked[match.start() : match.end()] = " " * (match.end() - match.start())
    text = "".join(masked)
    for match in _DOTTED.finditer(text):
        if match.group() not in _DOTTED_PROSE:
            found[Named(match.group(), "name")] = None
    for match in _CALL.finditer(text):
        found[Named(match.group(), "name")] = None
    for match in _PLAIN.finditer(text):
        if _looks_like_identifier(match.group()):
            found[Named(match.group(), "name")] = None
    return tuple(found)


def words_of(text: str) -> tuple[str, ...]:
    """The identifier words of a name or a snippet: ``flask.app.Flask`` gives flask, app, Flask."""
    return tuple(_TOKEN.findall(text))


def is_language_word(word: str) -> bool:
    return word in _LANGUAGE


def _in_code(code: str) -> tuple[Named, ...]:
    if not code or not any(char.isalnum() or char == "_" for char in code):
        return ()
    match = _FILE.fullmatch(code)
    if match is not None:
        named_file = _as_file(match)
        if named_file is not None:
            return (named_file,)
    if code in _LANGUAGE:
        return ()
    name = code[:-2] if code.endswith("()") else code
    return (Named(name, "name" if re.fullmatch(rf"{_WORD}(?:\.{_WORD})*", name) else "code"),)


def _as_file(match: re.Match[str]) -> Named | None:
    text = match.group()
    path = text.split(":", 1)[0]
    suffix = path.rsplit(".", 1)[-1]
    if suffix not in _FILE_SUFFIXES or (path in _DOTTED_PROSE):
        return None
    first = int(match[1]) if match[1] else 0
    return Named(path.removeprefix("./"), "file", first, int(match[2]) if match[2] else first)


def _looks_like_identifier(word: str) -> bool:
    if word in _PROSE_NAMES:
        return False
    if "_" in word.strip("_"):
        return True
    if word.startswith("__") and word.endswith("__") and len(word) > 4:
        return True
    return bool(_CAMEL.search(word))
