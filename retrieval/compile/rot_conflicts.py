"""Evidence that contradicts itself: two live definitions of one name, and documents that describe old signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.pack_records import ContextPack, EvidenceChunk, RotFinding
from retrieval.records import ChunkKind, Role, SymbolLookup, SymbolRow, TextSource

_CALLABLE = frozenset({"function", "method"})
_MEMBERS = frozenset({"method"})
_VARIANT_DECORATORS = (
    "overload",
    "setter",
    "getter",
    "deleter",
    "property",
    "register",
    "singledispatch",
    "typing.overload",
)
_MAX_DOC_SIGNATURES = 40

# ``name(args)`` on one line; args without parentheses, so that matching is linear and calls inside calls are left out.
_CALL = re.compile(r"(?<![\w.])((?:[A-Za-z_]\w{0,80}\.){0,6}[A-Za-z_]\w{0,80})\(([^()\n]{0,300})\)")
_DIRECTIVE = re.compile(r"^[ \t]*\.\.[ \t]+(?:py:)?(?:function|method|classmethod|staticmethod)::", re.MULTILINE)
_BRANCH = re.compile(r"[ \t]*(?:if|elif|else|try|except|finally|for|while|with|match|case)\b")
_NAME = re.compile(r"\*{0,2}[A-Za-z_]\w*\Z")
_FIRST_WORD = re.compile(r"\*{0,2}([A-Za-z_]\w*)")


def find_conflicts(pack: ContextPack, lookup: SymbolLookup | None, source: TextSource | None) -> Iterator[RotFinding]:
    """Conflicting findings. Without a symbol table and text only definitions inside the pack are compared."""
    yield from _redefinitions(pack, lookup, source)
    if lookup is not None:
        yield from _outdated_documents(pack, lookup)


# ------------------------------------------------------------------------------------------------------- redefinitions


def _redefinitions(pack: ContextPack, lookup: SymbolLookup | None, source: TextSource | None) -> Iterator[RotFinding]:
    by_name: dict[str, list[EvidenceChunk]] = {}
    for chunk in pack.chunks:
        if chunk.qualname and chunk.kind in (ChunkKind.FUNCTION, ChunkKind.METHOD, ChunkKind.CLASS):
            by_name.setdefault(chunk.qualname.partition("#")[0], []).append(chunk)
    for name, chunks in by_name.items():
        others = _definitions(name, lookup) if lookup is not None else ()
        if others and source is not None:
            if len(others) > 1 and _disagree(others) and not any(_is_conditional(row, source) for row in others):
                where = ", ".join(f"{row.path}:{row.symbol.start_line}" for row in others)
                numbers = tuple(chunk.number for chunk in chunks)
                message = f"{name} is defined {len(others)} times ({where}); the last one replaces the others"
                yield RotFinding(
                    "conflicting", "warning", numbers, message, "Read the last definition as the live one."
                )
        elif len(chunks) > 1 and _bodies_disagree(chunks):
            where = ", ".join(f"{chunk.path}:{chunk.start_line}" for chunk in chunks)
            numbers = tuple(chunk.number for chunk in chunks)
            message = f"{name} is defined {len(chunks)} times ({where}) and the definitions differ"
            yield RotFinding("conflicting", "warning", numbers, message, "Find out which of them is live.")


def _definitions(name: str, lookup: SymbolLookup) -> tuple[SymbolRow, ...]:
    """All definitions of exactly this qualified name, redefinitions included, in one file, by line."""
    rows = [row for row in lookup.symbols_ending(name) if row.symbol.qualname.partition("#")[0] == name]
    return tuple(sorted(rows, key=lambda row: (row.path, row.symbol.start_line)))


def _disagree(rows: Sequence[SymbolRow]) -> bool:
    """Whether definitions of one name differ in signature or kind; overloads, accessors and dispatch variants agree."""
    if any(_is_variant(decorator) for row in rows for decorator in row.symbol.decorators):
        return False
    if any(row.symbol.kind not in (*_CALLABLE, "class") for row in rows):
        return False
    shapes = {(row.symbol.kind, _plain(row.symbol.signature), row.symbol.bases) for row in rows}
    return len(shapes) > 1


def _is_conditional(row: SymbolRow, source: TextSource) -> bool:
    """Whether the definition stands in a branch: the nearest line above it that is indented less opens one."""
    lines = source.file_text(row.path).lines
    start = min(row.symbol.start_line, len(lines))
    indent = _indent(lines[start - 1]) if start else 0
    for number in range(start - 1, 0, -1):
        line = lines[number - 1]
        if line.strip() and not line.lstrip().startswith("#") and _indent(line) < indent:
            return _BRANCH.match(line) is not None
    return False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _is_variant(decorator: str) -> bool:
    name = decorator.lstrip("@").partition("(")[0].strip()
    return name.rsplit(".", 1)[-1] in _VARIANT_DECORATORS


def _plain(signature: str) -> str:
    return "".join(signature.split())


def _bodies_disagree(chunks: Sequence[EvidenceChunk]) -> bool:
    whole = [chunk for chunk in chunks if not {"sliced", "demoted", "focused", "cut"} & set(chunk.actions)]
    if len({chunk.path for chunk in chunks}) != 1 or len(whole) < 2:
        return False
    heads = [chunk.source.lstrip().split("\n", 1)[0] for chunk in chunks]
    if any(_is_variant(head) for head in heads if head.startswith("@")):
        return False
    indents = {_indent(c.source) for c in whole}
    return len(indents) == 1 and len({chunk.sha256 for chunk in whole}) > 1


# ---------------------------------------------------------------------------------------------------------- documents


@dataclass(frozen=True, slots=True)
class _Parameters:
    """What a signature accepts."""

    names: frozenset[str]
    positional: int
    takes_args: bool
    takes_kwargs: bool


def _outdated_documents(pack: ContextPack, lookup: SymbolLookup) -> Iterator[RotFinding]:
    for chunk in pack.chunks:
        if chunk.role != Role.DOC and chunk.kind != ChunkKind.SECTION:
            continue
        for text, arguments, is_signature in _doc_calls(chunk.source):
            rows = _callables(text, lookup)
            problem = _mismatch(arguments, rows, is_signature) if rows else ""
            if problem:
                where = f"{rows[0].path}:{rows[0].symbol.def_line}"
                message = f"{chunk.path} shows {text}({', '.join(arguments)}), but {problem} ({where})"
                yield RotFinding("conflicting", "warning", (chunk.number,), message, "Trust the code.")
                break


def _doc_calls(source: str) -> Iterator[tuple[str, list[str], bool]]:
    """(dotted name, arguments, whether it is a signature rather than an example call)."""
    directives = {source.count("\n", 0, match.end()) for match in _DIRECTIVE.finditer(source)}
    for nth, match in enumerate(_CALL.finditer(source)):
        if nth >= _MAX_DOC_SIGNATURES:
            return
        arguments = [part.strip() for part in match.group(2).split(",") if part.strip()]
        quoted = (
            source[max(0, match.start() - 1) : match.start()] == "`" and source[match.end() : match.end() + 1] == "`"
        )
        signature = source.count("\n", 0, match.start()) in directives or quoted
        yield match.group(1), arguments, signature


def _callables(dotted: str, lookup: SymbolLookup) -> list[SymbolRow]:
    """The definitions that a document can mean by a name; none when that is uncertain.

    Uncertain are names of different things, and methods without their class.
    """
    rows = [row for row in lookup.symbols_ending(dotted) if row.symbol.kind in _CALLABLE and row.role is Role.CODE]
    owners = {row.symbol.qualname.partition("#")[0] for row in rows}
    if len(owners) != 1 or ("." not in dotted and any(row.symbol.kind in _MEMBERS for row in rows)):
        return []
    return rows


def _mismatch(arguments: Sequence[str], rows: Sequence[SymbolRow], is_signature: bool) -> str:
    """What every definition among ``rows`` lacks; "" when one of them fits."""
    problem = ""
    for row in rows:
        problem = _misfit(arguments, _parameters(row), is_signature)
        if not problem:
            return ""
    return problem


def _misfit(arguments: Sequence[str], takes: _Parameters, is_signature: bool) -> str:
    positional = 0
    for argument in arguments:
        name, equals, _ = argument.partition("=")
        name = name.partition(":")[0].strip().lstrip("*")
        if equals and _NAME.match(name) and not argument.startswith(("'", '"')):
            if name not in takes.names and not takes.takes_kwargs:
                return f"the code has no parameter {name}"
        elif is_signature and _NAME.match(argument.partition(":")[0].strip()):
            if (
                name not in takes.names
                and not argument.startswith("*")
                and not (takes.takes_args or takes.takes_kwargs)
            ):
                return f"the code has no parameter {name}"
            positional += 1
        else:
            positional += 1
    if not is_signature and positional > takes.positional and not takes.takes_args:
        return f"the code takes at most {takes.positional} positional arguments"
    return ""


def _parameters(row: SymbolRow) -> _Parameters:
    """Parameter names out of a one-line signature, ``self`` and ``cls`` left out."""
    _, _, rest = row.symbol.signature.partition("(")
    names: list[str] = []
    positional = 0
    takes_args = takes_kwargs = keyword_only = False
    for nth, part in enumerate(_split_top_level(rest)):
        if part.startswith("**"):
            takes_kwargs = True
        elif part == "*":
            keyword_only = True
        elif part.startswith("*"):
            takes_args = keyword_only = True
        elif match := _FIRST_WORD.match(part):
            if nth == 0 and match.group(1) in ("self", "cls"):
                continue
            names.append(match.group(1))
            positional += not keyword_only
    return _Parameters(frozenset(names), positional, takes_args, takes_kwargs)


def _split_top_level(text: str) -> list[str]:
    """The parameters before the closing parenthesis, split at commas outside brackets and quotes."""
    parts: list[str] = []
    depth = 0
    quote = ""
    start = 0
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            if depth == 0:
                parts.append(text[start:at])
                return [part.strip() for part in parts if part.strip()]
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]
