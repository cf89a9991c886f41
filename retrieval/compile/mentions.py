"""What a question names: identifiers, files, traceback frames. Linear in the length of the text.

Finding is separate from resolving: ``find_mentions`` reads the text alone, ``resolve_mentions`` asks the symbol table.
Plain words are the hard case. "run" and "request" are symbols in many projects and everyday English in every question,
so a plain word counts only when the sentence puts it where a name stands ("the redirect function", "what calls
redirect"), or when it is not everyday English at all ("jsonify"). ``everyday.txt`` holds the 1,688 words that occur in
the docstrings of at least 30 % of 60 Python packages and slices of the standard library.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from itertools import pairwise

from retrieval.compile.members import exported, inherited
from retrieval.pack_records import FileHint, Mention
from retrieval.records import Role, SymbolLookup, SymbolRow


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_MAX_MENTIONS = 12
_MAX_HINTS = 12
_MAX_SYMBOLS_PER_MENTION = 8
_MAX_IDENTIFIER_CHARS = 200
_MAX_PLAIN_WORD_DEFINITIONS = 3  # a word defined more often than this is a common method name, not a name for a thing
_MAX_LOOKUPS = 200  # symbol-table questions per question; each is an indexed SQL read

_FRAME = re.compile(r'File "([^"\n]{1,512})", line (\d{1,9})(?:, in ([^\s,]{1,200}))?')
_BACKTICK = re.compile(r"`{1,3}([^`\n]{1,200})`{1,3}")
_IDENTIFIER = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_HYPHENATED = re.compile(r"\b[A-Z]\w{0,80}(?:-[A-Z]\w{0,80})+")  # the class Retry is not meant by "Retry-After"
_PATH_TOKEN = re.compile(r"[^\s\"'`(),;<>|?*\[\]{}]+")
_FILE_LINE = re.compile(r"(.+?):(\d{1,9})(?::\d{1,9})?:?\Z")
_CODE_SUFFIXES = _word_set(
    "py pyi pyx pxd toml cfg ini yaml yml json md rst txt html css js jsx ts tsx go rs java c h cc cpp hpp rb php "
    "sh sql proto lark xml csv in lock"
)
# "the redirect function": the noun says which kinds of definition the word before it may name.
_KINDS_BY_NOUN = {
    **dict.fromkeys(
        ("function", "functions", "helper", "decorator", "fixture"), frozenset({"function", "method", "class"})
    ),
    **dict.fromkeys(("method", "methods", "hook"), frozenset({"method", "property", "function"})),
    **dict.fromkeys(
        ("class", "classes", "exception", "mixin", "object", "decorator"), frozenset({"class", "function"})
    ),
    **dict.fromkeys(("module", "package"), frozenset({"module"})),
    **dict.fromkeys(("type", "types"), frozenset({"class"})),
    **dict.fromkeys(
        ("variable", "constant", "attribute", "property", "setting"),
        frozenset({"variable", "attribute", "property"}),
    ),
}
_DISTINCT_KINDS = frozenset({"function", "class"})
_ANY_KIND = _DISTINCT_KINDS | {"method", "module", "property", "variable", "attribute"}
_KIND_ORDER = {"class": 0, "function": 0, "method": 1, "property": 1, "variable": 2, "attribute": 2, "module": 3}
_SLOT_VERBS = _word_set(
    "calls call calling uses use using invokes invoke references imports import subclasses inherits overrides "
    "does is are of on if change changing remove removing rename renaming delete covers cover exercise tests test "
    "explain describe show find locate document reach reaches"
)
_JOINING = _word_set("connect connected relate related interact")  # "how do Group and Command connect"
_AFTER_SLOT = _word_set("called used invoked imported tested defined implemented call use do work change changes")
_STUB = re.compile(r"(?:^|[@.])overload$|\.(?:setter|deleter)$")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_DOTTED_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_PLACEHOLDER = re.compile(r"[a-z_]\w*(?:\.\w+)*\.(?:foo|bar|baz|qux|spam|xyz|[xyz])(?:\(\))?")
_VERY_SHORT_QUESTION_WORDS = 5  # in "where is g" the letter is the name
_SHORT_QUESTION_WORDS = 8  # in a short question even an everyday word in name position is the name
_NOT_NAMES = _word_set(
    "the a an this that these those it its they function functions method methods class classes module modules "
    "decorator test tests exception error variable constant attribute property argument parameter them he she we "
    "you i who what which where when why how and or not no yes do does did is are was were be been has have had "
    "can could would should will shall may might must there here if then else for from to of in on at by with "
    "about into over under between through during before after all any some each every both none other another "
    "such same own more most less least very too so as than up down out off only just also still already code "
    "file files line lines repo repository project codebase self cls true false"
)


@dataclass(frozen=True, slots=True)
class Found:
    """What the text alone shows: mentions still unresolved, hints without paths, plain words in name position."""

    mentions: tuple[Mention, ...]
    hints: tuple[FileHint, ...]
    words: tuple[tuple[str, frozenset[str], bool], ...]  # (word, kinds it may name, stands where a name stands)


@lru_cache(maxsize=1)
def everyday_words() -> frozenset[str]:
    """Lower-case words that are common in the prose of Python documentation."""
    text = resources.files("retrieval.compile").joinpath("everyday.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


def identifier_shape(token: str) -> str:
    """``dotted``, ``snake``, ``camel`` or ``""`` for a plain word. ``token`` is an identifier, dots allowed."""
    if "." in token:
        return "dotted"
    if "_" in token.strip("_") or (token.startswith("_") and len(token.strip("_")) > 1):
        return "snake"
    upper_after_lower = any(a.islower() and b.isupper() for a, b in pairwise(token))
    acronym_prefix = len(token) > 3 and token[0].isupper() and token[1].isupper() and any(c.islower() for c in token)
    if upper_after_lower or (acronym_prefix and not (token.endswith("s") and token[:-1].isupper())):
        return "camel"
    return ""


def find_mentions(text: str) -> Found:
    """Everything in ``text`` that may name a symbol or a file, in order of appearance and without repeats."""
    mentions: dict[str, Mention] = {}
    hints: dict[tuple[str, int | None], FileHint] = {}
    blanked = list(text)

    def blank(start: int, end: int) -> None:
        blanked[start:end] = " " * (end - start)

    for frame in _FRAME.finditer(text):
        hints.setdefault((frame[1], int(frame[2])), FileHint(frame[1], line=int(frame[2])))
        name = (frame[3] or "").strip("<>")
        if name.isidentifier() and name != "module" and frame[3][0] != "<":
            mentions.setdefault(name, Mention(name, "traceback"))
        blank(*frame.span())
    for tick in _BACKTICK.finditer(text):
        inner = tick[1].strip().removesuffix("()").strip()
        if _IDENTIFIER.fullmatch(inner) and not _looks_like_file(inner):
            mentions.setdefault(inner, Mention(inner, "backtick"))
            blank(*tick.span())
    for piece in _PATH_TOKEN.finditer("".join(blanked)):
        raw = piece[0].strip(".:!").removesuffix("'s")
        if len(raw) > 512:
            continue
        located = _FILE_LINE.match(raw)
        path, line = (located[1], int(located[2])) if located else (raw, None)
        if _looks_like_file(path) and "://" not in path:
            hints.setdefault((path, line), FileHint(path, line=line))
            blank(*piece.span())
    rest = "".join(blanked)
    words: dict[str, tuple[frozenset[str], bool]] = {}
    tokens = [m for m in _IDENTIFIER.finditer(rest) if len(m[0]) <= _MAX_IDENTIFIER_CHARS]
    lowered = [m[0].lower() for m in tokens]
    hyphenated = {at for name in _HYPHENATED.finditer(rest) for at in range(*name.span())}
    for position, match in enumerate(tokens):
        token = match[0]
        called = rest[match.end() : match.end() + 1] == "(" and rest[match.end() - 1 : match.end()] != " "
        shape = identifier_shape(token)
        if shape == "dotted" and lowered[position] in {"e.g", "i.e"}:
            continue
        if shape or called:
            how = shape if shape == "dotted" or not called else "call"
            mentions.setdefault(token, Mention(token, how))
        elif lowered[position] not in _NOT_NAMES and token not in words and match.start() not in hyphenated:
            kinds, named = _name_position(lowered, position)
            if len(token) > 2 or (named and len(tokens) <= _VERY_SHORT_QUESTION_WORDS):
                words[token] = kinds, named
    return Found(
        tuple(mentions.values())[:_MAX_MENTIONS],
        tuple(hints.values())[:_MAX_HINTS],
        tuple((word, kinds, named) for word, (kinds, named) in words.items()),
    )


def resolve_mentions(
    found: Found, lookup: SymbolLookup, wants_tests: bool = False
) -> tuple[tuple[Mention, ...], tuple[FileHint, ...]]:
    """Resolve against the symbol table. Mentions that name nothing stay, with no symbols; plain words are dropped.

    A constant that only tests define resolves to nothing, unless the question ``wants_tests``: a key such as
    ``SECRET_KEY`` is spelled in strings, and the test that sets it is not what the question is about.
    """
    resolved: dict[str, Mention] = {}
    hints = [replace(hint, paths=match_paths(hint.text, lookup)) for hint in found.hints]
    for hint in hints:  # "Response.json" has the shape of a file, and is a method
        dotted = not hint.paths and hint.line is None and _DOTTED_NAME.fullmatch(hint.text)
        if dotted and (symbols := _lookup(hint.text, lookup, wants_tests)):
            resolved[hint.text] = Mention(hint.text, "dotted", symbols)
    hints = [hint for hint in hints if hint.text not in resolved]
    for mention in found.mentions:
        symbols = _lookup(mention.text, lookup, wants_tests)
        if not symbols and mention.how == "dotted":
            paths = match_paths(mention.text, lookup)
            if paths:
                hints.append(FileHint(mention.text, paths))
                continue
        if not symbols and mention.how in ("camel", "snake") and mention.text.endswith("s"):
            single = _lookup(mention.text[:-1], lookup, wants_tests)  # "where are ConnectionErrors caught"
            if single:
                mention, symbols = replace(mention, text=mention.text[:-1]), single
        if not symbols and _PLACEHOLDER.fullmatch(mention.text):
            continue  # "from pm.hook.foo() to the plugins": any name stands for it
        if symbols or mention.how != "camel" or mention.text.lower() not in everyday_words():
            resolved[mention.text] = replace(mention, symbols=symbols)
    lookups = 0
    taken = {symbol for mention in resolved.values() for symbol in mention.symbols}
    for word, kinds, named in found.words:
        if lookups >= _MAX_LOOKUPS or len(resolved) >= _MAX_MENTIONS:
            break
        if not named and (word.lower() in everyday_words() or len(word) < 4):
            continue
        lookups += 1
        if not named and _is_product_name(word, lookup):
            continue
        rows = [row for row in lookup.symbols_named(word) if row.symbol.kind in kinds and row.role is not Role.TEST]
        symbols = _best_first(rows)
        if not symbols or symbols[0] in taken or (len(rows) > _MAX_PLAIN_WORD_DEFINITIONS and kinds != _ANY_KIND):
            continue
        resolved[word] = Mention(word, "word", symbols)
    return tuple(resolved.values()), tuple(hints[:_MAX_HINTS])


def _is_product_name(word: str, lookup: SymbolLookup) -> bool:
    """ "Flask" in "How does Flask find templates?" is the project, although a class has that name too."""
    rows = lookup.symbols_named(word.lower())
    return any(row.symbol.kind == "module" and row.symbol.qualname == word.lower() for row in rows)


def match_paths(hint: str, lookup: SymbolLookup) -> tuple[str, ...]:
    """Indexed files that ``hint`` names: by its longest suffix that matches (tracebacks show foreign prefixes)."""
    parts = [part for part in hint.replace("\\", "/").split("/") if part not in {"", ".", ".."}]
    for start in range(max(0, len(parts) - 8), len(parts)):
        paths = lookup.paths_matching("/".join(parts[start:]))
        if paths:
            return paths
    return ()


def _lookup(name: str, lookup: SymbolLookup, wants_tests: bool) -> tuple[str, ...]:
    """Qualified names that ``name`` may mean; of a dotted name the longest suffix with a dot that is known.

    ``Session.send`` finds a method that ``Session`` inherits, too.
    """
    if "." not in name:
        rows = lookup.symbols_named(name)
        if not wants_tests and _CONSTANT.fullmatch(name) and all(row.role is Role.TEST for row in rows):
            return ()
    else:
        parts = name.split(".")
        rows = ()
        for start in range(0, min(len(parts) - 1, 4)):
            rows = lookup.symbols_ending(".".join(parts[start:]))
            if rows:
                break
        if not rows and len(parts) == 2 and parts[0] in {"self", "cls"}:
            rows = lookup.symbols_named(parts[1])
        if not rows:
            rows = inherited(parts[-2], parts[-1], lookup) or exported(parts, lookup)
    return _best_first(rows)


def _best_first(rows: Sequence[SymbolRow]) -> tuple[str, ...]:
    """Code before tests; what a module offers before what classes hold; then as the symbol table orders them.

    Stubs of a definition that is there itself are left out: ``@overload`` signatures, a property's setter and deleter.
    """
    real = [row for row in rows if not any(_STUB.search(decorator) for decorator in row.symbol.decorators)]
    ordered = sorted(real or rows, key=lambda row: (row.role is not Role.CODE, _KIND_ORDER.get(row.symbol.kind, 3)))
    return tuple(row.symbol.qualname for row in ordered[:_MAX_SYMBOLS_PER_MENTION])


def _looks_like_file(token: str) -> bool:
    head, dot, suffix = token.rpartition(".")
    if dot and head and suffix.lower() in _CODE_SUFFIXES:
        return True
    # A folder needs two slashes or a trailing one: "and/or" and "read/write" are prose.
    return token.count("/") >= 2 or (token.endswith("/") and len(token) > 2)


def _name_position(lowered: Sequence[str], position: int) -> tuple[frozenset[str], bool]:
    """Which kinds of definition the word may name, and whether it stands where a name stands."""
    before = lowered[position - 1] if position else ""
    after = lowered[position + 1] if position + 1 < len(lowered) else ""
    if len(lowered) <= 2:
        return _ANY_KIND, True
    if after in _KINDS_BY_NOUN:
        return _KINDS_BY_NOUN[after], True
    first, second = before in {"do", "does", "are"} and after == "and", before == "and" and after == lowered[-1]
    if lowered[-1] in _JOINING and (first or second):
        return _ANY_KIND, True
    in_slot = before in _SLOT_VERBS and (not after or after in _AFTER_SLOT)
    if in_slot and len(lowered) <= _SHORT_QUESTION_WORDS:
        return _ANY_KIND, True
    return _DISTINCT_KINDS, False
