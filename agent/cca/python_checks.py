"""What can be demanded of Python in an answer, read from its syntax tree. Nothing is run.

A fence that does not parse gives no verdict, and neither does what an answer may have elided (a body of ``...``): code
in an answer is often a fragment. The demands themselves are in
``python_definitions.py`` and ``python_style.py``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from agent.cca import checks as c
from agent.cca import python_calls, python_docstrings, python_flow, python_layout, python_names
from agent.cca import python_definitions as d
from agent.cca import python_style as s
from agent.cca.demands import WORDS
from agent.cca.formats import Judgement
from agent.cca.python_source import Finding, Source, python_of
from agent.cca.views import Fence, Span, View

_MAX_SPANS = 20


def judge_python(view: View, check: c.PythonCode) -> Judgement:
    find = _FINDERS[check.demand]
    if check.demand == "usage_example" and len(view.fences) > 1:
        return "no_verdict", "the example may stand in another block", ()
    seen = False
    spans: list[Span] = []
    for source in python_of(view):
        relevant, lines = find(source, check)
        seen = seen or relevant
        starts = _line_spans(view, source.fence)
        spans.extend(starts[line - 1] for line in sorted(set(lines)) if 0 < line <= len(starts))
    if spans:
        lines_said = "a line of Python breaks" if len(spans) == 1 else f"{len(spans)} lines of Python break"
        return "violated", f"{lines_said} “{WORDS[check.demand]}”", tuple(spans[:_MAX_SPANS])
    return ("holds", "", ()) if seen else ("no_verdict", "there is no such Python", ())


def _line_spans(view: View, fence: Fence) -> list[Span]:
    spans, start = [], fence.span.start
    for line in view.of(fence.span).split("\n"):
        spans.append(Span(start, start + len(line)))
        start += len(line) + 1
    return spans


_FINDERS: dict[str, Callable[[Source, c.PythonCode], Finding]] = {
    "function_docstrings": d.function_docstrings,
    "class_docstrings": d.class_docstrings,
    "annotations": d.annotated,
    "arguments": d.argument_count,
    "function_lines": d.function_lines,
    "snake_case_functions": d.snake_functions,
    "snake_case_variables": d.snake_variables,
    "capwords_classes": d.capwords_classes,
    "allowed_imports": s.allowed_imports,
    "no_bare_except": s.nodes(lambda node: isinstance(node, ast.ExceptHandler) and node.type is None),
    "no_broad_except": s.nodes(
        lambda node: isinstance(node, ast.ExceptHandler) and (node.type is None or s.is_exception(node.type))
    ),
    "no_wildcard_imports": s.nodes(
        lambda node: isinstance(node, ast.ImportFrom) and any(name.name == "*" for name in node.names)
    ),
    "no_relative_imports": s.nodes(lambda node: isinstance(node, ast.ImportFrom) and node.level > 0),
    "no_mutable_defaults": s.mutable_defaults,
    "no_percent_format": s.nodes(s.is_percent),
    "no_str_format": s.nodes(s.is_format_call),
    "is_none": s.nodes(s.compares(None)),
    "no_bool_comparison": s.nodes(s.compares(True, False)),
    "no_lambda": s.nodes(lambda node: isinstance(node, ast.Lambda)),
    "no_global": s.nodes(lambda node: isinstance(node, ast.Global)),
    "no_assert": s.asserts,
    "no_walrus": s.nodes(lambda node: isinstance(node, ast.NamedExpr)),
    "no_comments": s.comments,
    "no_print": s.nodes(s.calls("print")),
    "no_eval": s.nodes(s.calls("eval", "exec")),
    "sorted_imports": s.sorted_imports,
    "top_blank_lines": s.top_blank_lines,
    "double_quotes": s.quotes('"'),
    "single_quotes": s.quotes("'"),
    **python_calls.FINDERS,
    **python_docstrings.FINDERS,
    **python_flow.FINDERS,
    **python_layout.FINDERS,
    **python_names.FINDERS,
}
