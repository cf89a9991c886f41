"""Families of demands on what Python does: errors, calls, docstrings, constructs that are not wanted."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.code.build import fixed, guarded, python, python_at_most
from agent.cca.families.family import Family, Slots

_ANY = r"."
_DOC = r"doc-?strings?|doc strings?"
_SUBPROCESS = r"subprocess|process|\bcommands?\b|\brun\b"


def _starts_not(slots: Slots) -> Any | None:
    names = tuple(dict.fromkeys([*slots.terms, *slots.contrast]))
    names = tuple(
        name for name in names if 0 < len(name) <= 40 and re.match(r"\w", name) and "docstring" not in name.lower()
    )
    return c.PythonCode(demand="docstring_starts_not", names=names) if names else None


def _tags(slots: Slots) -> Any | None:
    """Which marks of unfinished work are named; the usual two where none is."""
    found = re.findall(r"(?<!\w)(todo|fixme|xxx|hack|wip|tbd)s?(?!\w)", slots.text, re.I)
    names = "|".join(dict.fromkeys(name.upper() for name in found)) or "TODO|FIXME|XXX"
    return c.Code(pattern=rf"\b(?:{names})\b", most=0, comments=True, strings=True, finds="marks of unfinished work")


def _suppressions(slots: Slots) -> Any | None:
    kinds = {
        r"noqa": "noqa",
        r"type:? ?-?ignore": r"type:\s*ignore",
        r"pylint": r"pylint:\s*disable",
        r"eslint": "eslint-disable",
        r"ts-ignore": "@ts-ignore",
        r"nosec": "nosec",
        r"pragma": r"pragma:\s*no\s*cover",
        r"nolint": "nolint",
    }
    found = [pattern for words, pattern in kinds.items() if re.search(words, slots.text, re.I)]
    if not found:
        found = list(kinds.values())
    return c.Code(
        pattern=rf"(?i)(?:#|//|/\*)\s*(?:{'|'.join(found)})\b", most=0, comments=True, finds="suppressed warnings"
    )


FAMILIES: tuple[Family, ...] = (
    python("lazy_logging", r"\blog", about=_ANY),
    python("named_logger", r"logger|__name__|getlogger", about=_ANY),
    python("open_encoding", r"encoding|utf", about=_ANY),
    python("with_open", r"\bwith\b|context manager", about=_ANY, forbids=r"timeout|encoding|\block"),
    python("no_os_path", r"pathlib|os\.path|\bPath\b", about=_ANY, forbids=r"backtick|relative to"),
    python("no_shell_true", r"shell ?= ?true|\bshell\b", about=_ANY),
    python("check_true", r"\bcheck\b|exit (?:code|status)|returncode", about=_ANY),
    python(
        "argument_lists",
        rf"(?:{_SUBPROCESS}).*(?:list|sequence|string|argv)|(?:list|sequence|string).*(?:{_SUBPROCESS})",
        about=_ANY,
    ),
    python(
        "process_timeout",
        rf"(?:{_SUBPROCESS}).*time-?out|time-?out.*(?:{_SUBPROCESS})",
        about=_ANY,
        forbids=r"http|requests|network",
    ),
    python("http_timeout", r"time-?outs?|time limit", about=_ANY, forbids=r"subprocess|process"),
    python("aware_times", r"datetime|time ?zone|\btz\b|utc|naive|aware|timestamps?|clock", about=_ANY),
    python("frozen_dataclasses", r"fr[eo]e?ze|frozen|immutable|mutable dataclass", about=_ANY),
    python("slots_dataclasses", r"slots", about=_ANY),
    python("raise_from", r"\bfrom\b|chain|cause", about=_ANY),
    python("no_silent_except", r"except|swallow|silen|pass(?:es)?\b|ignor", about=_ANY),
    python("no_bare_except", r"except|catch", about=_ANY),
    python("no_broad_except", r"except|catch", about=_ANY),
    python("no_mutable_defaults", r"default|=\[\]|=\{\}", about=_ANY),
    python("no_recursion", r"recurs|calls? itself|call themselves", about=_ANY),
    python("no_nested_functions", r"function|closure|\bdef\b", about=_ANY),
    python("no_nested_comprehensions", r"comprehension", about=_ANY),
    python("no_comprehensions", r"comprehension", about=_ANY, forbids=r"nest|more than one|double|within|inside"),
    python("no_ternary", r"ternar|conditional expression|inline if|if[/ -]else|one-line if|\bif\b", about=_ANY),
    python("no_classes", r"class", about=_ANY, forbids=r"test|except|abstract|nested|base"),
    python(
        "no_lambda",
        r"lambda|anonymous function",
        about=_ANY,
        forbids=r"\b(?:a name\b|naming|bound|bind|assign|variable|aws)",
    ),
    python("no_named_lambda", r"lambda|anonymous function", about=_ANY),
    python("no_global", r"global", about=_ANY, forbids=r"install|variables? (?:are )?(?:fine|ok)|constant"),
    python("no_assert", r"assert", about=_ANY),
    python("no_walrus", r"walrus|:=|assignment expression", about=_ANY),
    python("no_print", r"print", about=_ANY, forbids=r"fingerprint|blueprint|pretty"),
    python("no_eval", r"\beval\b|\bexec\b", about=_ANY),
    python("no_async", r"async|await|corou?tine", about=_ANY),
    python("async_only", r"async|corou?tine|synchronous|plain `?def", about=_ANY),
    python("no_endless_loops", r"while|endless|infinite", about=_ANY),
    python("no_else_after_return", r"\belse\b|elif|early return|guard clause", about=_ANY),
    python(
        "no_stubs",
        r"stub|placeholder|\bpass\b|\.\.\.|…|empty|NotImplemented|unimplemented|incomplete|ellips|unfinished"
        r"|\bimplement|\bhas a body",
        about=_ANY,
    ),
    python("no_star_arguments", r"args", about=_ANY),
    python(
        "no_fstrings",
        r"f-?strings?|formatted string literal",
        about=_ANY,
        forbids=r"(?<!not )(?<!n't )(?<!never )use f-|prefer f-|logg",
    ),
    python(
        "no_percent_format", r"%|percent|printf", about=_ANY, forbids=r"logg|\.format|str\.format|confidence|coverage"
    ),
    python("no_str_format", r"format\b", about=_ANY, forbids=r"logg|%|percent|json|\bdates?\b"),
    fixed(
        "python.fstrings",
        "text is formatted by f-strings",
        c.AllOf(checks=(c.PythonCode(demand="no_percent_format"), c.PythonCode(demand="no_str_format"))),
        r"f-?strings?",
        about=_ANY,
        forbids=r"logg",
    ),
    python("is_none", r"none", about=_ANY),
    python("no_bool_comparison", r"true|false|bool", about=_ANY),
    python(
        "function_docstrings", _DOC, about=_ANY, forbids=r"class|module|file|section|style|google|numpy|period|line"
    ),
    python("class_docstrings", rf"class.*(?:{_DOC})|(?:{_DOC}).*class", about=_ANY, forbids=r"function|method|module"),
    python("module_docstring", rf"(?:{_DOC}|docs)", about=_ANY),
    python("no_docstrings", _DOC, about=_ANY),
    python("docstring_quotes", _DOC, about=_ANY),
    python("docstring_period", rf"(?:{_DOC}|summary)", about=_ANY),
    python("docstring_no_period", rf"(?:{_DOC}|summary)", about=_ANY),
    python("docstring_capital", _DOC, about=_ANY),
    python("docstring_one_line", _DOC, about=_ANY),
    python(
        "docstring_no_types",
        _DOC,
        about=_ANY,
        forbids=r"types? (?:live|go|belong|stand|are|is) in (?:the )?docstring|signature:",
    ),
    python("docstring_summary_first", _DOC, about=_ANY),
    Family(
        "python.docstring_starts_not",
        "docstrings do not begin with {terms}",
        guarded(_starts_not, _DOC, _ANY),
        takes_terms=True,
    ),
    python("docstring_arguments", r"\bargs\b|argument|paramet|params?\b", about=_ANY),
    python("docstring_returns", r"returns?\b", about=_ANY),
    python("docstring_raises", r"raises?\b|exception|throws?", about=_ANY),
    fixed(
        "python.docstring_google",
        "docstrings have Args and Returns sections",
        c.AllOf(checks=(c.PythonCode(demand="docstring_arguments"), c.PythonCode(demand="docstring_returns"))),
        r"google|args",
        about=_ANY,
    ),
    python_at_most(
        "docstring_lines", "docstrings have at most {limit} lines", rf"(?:{_DOC}).*lines?\b|lines?\b.*(?:{_DOC})"
    ),
    python_at_most("docstring_width", "docstring lines have at most {limit} characters", _DOC),
    Family(
        "code.no_todo",
        "no TODO or FIXME in code",
        guarded(_tags, r"todo|fixme|xxx|hack|unfinished|wip|to-do", _ANY),
        takes_terms=True,
    ),
    Family(
        "code.no_suppressions",
        "no suppressed warnings",
        guarded(
            _suppressions,
            r"noqa|type:? ?-?ignore|pylint|eslint|ts-ignore|nosec|pragma|nolint|suppress|silenc|disabl|linter|checker",
            _ANY,
        ),
        takes_terms=True,
    ),
)
