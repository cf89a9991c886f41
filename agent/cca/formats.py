"""Checks that parse: JSON, YAML, TOML, CSV, Markdown, Python, schemas, tables, numbers with units.

Parsers only read; nothing is evaluated. Sizes are bounded before a parser sees the text.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from agent.cca import checks as c
from agent.cca.views import Fence, Span, View

Judgement = tuple[Literal["holds", "violated", "no_verdict"], str, tuple[Span, ...]]

_MAX_PARSED = 400_000  # characters
_LANGUAGES = {
    "json": ("json", "jsonc", "json5"),
    "yaml": ("yaml", "yml"),
    "toml": ("toml",),
    "xml": ("xml", "html", "svg"),
    "csv": ("csv", "tsv"),
    "markdown": ("markdown", "md"),
    "python": ("python", "py", "python3", "pycon"),
}
MODULE_FORMATS = frozenset(
    {"valid", "schema", "keys", "property", "table", "sections", "line_length", "indent", "charset"}
)
"""The checks that the paper's format_validator runs; the others are rule_checker's."""

_HOLDS: Judgement = ("holds", "", ())


_MAX_DOTS = 100
"""On a line of TOML: tables within tables by dotted keys, whose cost is the square of their depth."""


class _UnreadableError(ValueError):
    """Why the text is not of the format, in one clause."""


def fence_of(view: View, format_: str) -> Fence | None:
    """The first fence in that language; an unnamed one serves when it is the only fence."""
    for fence in view.fences:
        if fence.language in _LANGUAGES[format_]:
            return fence
    if format_ != "markdown" and len(view.fences) == 1 and not view.fences[0].language:
        return view.fences[0]
    return None


def body_of(view: View, format_: str) -> Span:
    """Where the answer's ``format_`` stands: in its fence, else the whole answer."""
    fence = fence_of(view, format_)
    return fence.span if fence else Span(0, len(view.text))


def parse(text: str, format_: str) -> Any:
    """The parsed value (of CSV: rows; of Markdown and Python: None).

    Raises:
        _UnreadableError: It is not of the format.
    """
    if len(text) > _MAX_PARSED:
        raise OverflowError("too large to parse")
    if not text.strip():
        raise _UnreadableError("it is empty")
    try:
        return _PARSERS[format_](text)
    except _UnreadableError:
        raise
    except RecursionError:
        raise OverflowError("nested too deeply") from None
    except OverflowError:
        raise
    except Exception as error:
        raise _UnreadableError(" ".join(str(error).split())[:160] or type(error).__name__) from None


def _json(text: str) -> Any:
    def refuse(name: str) -> None:
        raise _UnreadableError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


def _yaml(text: str) -> Any:
    import yaml

    return yaml.safe_load(text)


def _toml(text: str) -> Any:
    import tomllib

    if any(line.count(".") > _MAX_DOTS for line in text.split("\n")):
        raise OverflowError("nested too deeply")
    return tomllib.loads(text)


def _xml(text: str) -> None:
    """Without a document type: entities may grow without bound, and are never expanded here."""
    from xml.parsers import expat

    def refuse(*_: object) -> None:
        raise OverflowError("it declares a document type, which is not read")

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    parser.Parse(text.strip(), True)


def _csv(text: str) -> list[list[str]]:
    import csv
    import io

    rows = [row for row in csv.reader(io.StringIO(text.strip()), strict=True) if row]
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        raise _UnreadableError(f"its rows have {min(widths)} to {max(widths)} fields")
    return rows


def _python(text: str) -> None:
    import ast
    import warnings

    if text.lstrip().startswith(">>>"):
        text = "\n".join(line[4:] for line in text.split("\n") if line.startswith((">>> ", "... ")))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except SyntaxError as error:
            raise _UnreadableError(f"line {error.lineno}: {error.msg}") from None
        except MemoryError:
            raise OverflowError("nested too deeply") from None


def _markdown(text: str) -> None:
    """Markdown has no errors; what renders broken is one: an open fence, a table whose rows differ from its header."""
    view = View(text)
    if any(not fence.closed for fence in view.fences):
        raise _UnreadableError("a code fence is not closed")
    for table in view.tables:
        if any(len(row) > len(table[0]) for row in table[1:]):
            raise _UnreadableError("a table row has more cells than its header")


_PARSERS = {
    "json": _json,
    "yaml": _yaml,
    "toml": _toml,
    "csv": _csv,
    "xml": _xml,
    "python": _python,
    "markdown": _markdown,
}


def _is_prose(value: Any) -> bool:
    """Text is YAML, and CSV of one column; so is a sentence."""
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(row, list) and len(row) == 1 for row in value) and " " in value[0][0]
    )


def judge_valid(view: View, check: c.Valid) -> Judgement:
    body = body_of(view, check.format)
    try:
        value = parse(view.of(body), check.format)
    except _UnreadableError as error:
        return "violated", f"is not valid {check.format}: {error}", (body,)
    except OverflowError as error:
        return "no_verdict", str(error), ()
    if check.format in ("yaml", "csv") and body.end - body.start == len(view.text) and _is_prose(value):
        return "violated", f"is prose, not {check.format.upper()}", (body,)
    if check.whole and view.text[: body.start].strip().strip("`~").strip().lower() not in (
        "",
        *_LANGUAGES[check.format],
    ):
        return "violated", f"has text before the {check.format}", (Span(0, body.start),)
    if check.whole and view.text[body.end :].strip().strip("`~").strip():
        return "violated", f"has text after the {check.format}", (Span(body.end, len(view.text)),)
    return _HOLDS


def _value(view: View, format_: str) -> tuple[Any, Span, Judgement | None]:
    body = body_of(view, format_)
    try:
        return parse(view.of(body), format_), body, None
    except _UnreadableError as error:
        return None, body, ("violated", f"is not valid {format_}: {error}", (body,))
    except OverflowError as error:
        return None, body, ("no_verdict", str(error), ())


def judge_schema(view: View, check: c.Schema) -> Judgement:
    """By jsonschema; a schema with references (they dial) or patterns (they may not be linear) gives no verdict."""
    import jsonschema

    value, body, fault = _value(view, check.format)
    if fault:
        return fault
    if is_foreign(check.schema_):
        return "no_verdict", "the schema uses references or patterns, which are not run", ()
    try:
        error = next(iter(jsonschema.Draft202012Validator(check.schema_).iter_errors(value)), None)
    except Exception as broken:
        return "no_verdict", f"the schema cannot be used ({type(broken).__name__})", ()
    if error is None:
        return _HOLDS
    return "violated", f"does not satisfy the schema: {' '.join(error.message.split())[:200]}", (body,)


def is_foreign(schema: Any) -> bool:
    """Whether a schema has references (they dial) or patterns (they may not be linear)."""
    names = ("$ref", "$dynamicRef", "pattern", "patternProperties", "format")
    stack = [schema]
    while stack:
        current = stack.pop()
        if isinstance(current, dict):
            if any(name in current for name in names):
                return True
            stack.extend(current.values())
        elif isinstance(current, list | tuple):
            stack.extend(current)
    return False


def judge_keys(view: View, check: c.Keys) -> Judgement:
    value, body, fault = _value(view, check.format)
    if fault:
        return fault
    items = value if isinstance(value, list) and value else [value]
    for item in items:
        if not isinstance(item, dict):
            return "violated", f"its {check.format} is no object", (body,)
        lacking = [key for key in check.keys if key not in item]
        if lacking:
            return "violated", f"lacks the key {lacking[0]!r}", (body,)
        if check.only and set(map(str, item)) - set(check.keys):
            extra = sorted(set(map(str, item)) - set(check.keys))[0]
            return "violated", f"has the key {extra[:60]!r}, which is not asked for", (body,)
    return _HOLDS


def judge_table(view: View, check: c.Table) -> Judgement:
    tables = list(view.tables)
    fence = fence_of(view, "csv")
    if fence is not None and fence.language:
        try:
            tables.append(tuple(tuple(row) for row in parse(view.of(fence.span), "csv")))
        except (_UnreadableError, OverflowError):
            return "violated", "its CSV cannot be read", (fence.span,)
    if not tables:
        return "violated", "has no table", ()
    faults = [_table_fault(table, check) for table in tables]
    return _HOLDS if "" in faults else ("violated", faults[0], ())


def _table_fault(table: tuple[tuple[str, ...], ...], check: c.Table) -> str:
    header = [cell.strip("*_` ").lower() for cell in table[0]]
    wanted = [column.strip("*_` ").lower() for column in check.columns]
    lacking = [column for column, key in zip(check.columns, wanted, strict=True) if key not in header]
    if lacking:
        return f"its table lacks the column “{lacking[0][:60]}”"
    if check.ordered and [cell for cell in header if cell in wanted] != wanted:
        return "the columns of its table are in another order"
    rows, columns = len(table) - 1, len(table[0])
    if check.least_columns is not None and columns < check.least_columns:
        return f"its table has {columns} columns, fewer than {check.least_columns}"
    if check.most_columns is not None and columns > check.most_columns:
        return f"its table has {columns} columns, more than {check.most_columns}"
    if check.least_rows is not None and rows < check.least_rows:
        return f"its table has {rows} rows, fewer than {check.least_rows}"
    if check.most_rows is not None and rows > check.most_rows:
        return f"its table has {rows} rows, more than {check.most_rows}"
    return ""
