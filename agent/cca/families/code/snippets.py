"""Families of demands on code in any language: what it calls and names, how it is laid out, what its blocks show."""

from __future__ import annotations

from typing import Any

from agent.cca import checks as c
from agent.cca.families.code.avoided import avoid, instead, only_from
from agent.cca.families.code.build import code, fixed, guarded
from agent.cca.families.family import Family, Slots

_ANY = r"."


def _width(slots: Slots) -> Any | None:
    return None if slots.most is None or slots.least else c.LineLength(most=slots.most, within="code")


def _block_lines(slots: Slots) -> Any | None:
    return c.Each(part=c.Part(kind="code"), check=c.Count(unit="lines", least=slots.least, most=slots.most))


def _indent(slots: Slots) -> Any | None:
    if slots.least is None or slots.least != slots.most or not 1 <= slots.least <= 8:
        return None
    return c.Indent(width=slots.least)


_PATH_COMMENT = (
    r"\A(?:#![^\n]*\n)?[ \t]*(?:#|//|--|/\*|<!--|;|%)[ \t]*(?:(?i:file(?:name)?|path):?["
    r" \t]+)?`?[\w./@-]*[\w-]\.\w{1,10}\b|\A(?:---|diff --git|\+\+\+) |\A(?:#|//)[ \t]*"
    r"(?:[\w.-]+/)*(?:Makefile|Dockerfile)\b"
)
_ELIDED = (
    r"(?im)^[ \t]*(?:#|//|/\*|--|<!--)?[ \t]*(?:\.\.\.|…)|(?:#|//|/\*|<!--)[ \t]*(?:\[?(?:the )?"
    r"(?:rest|remaining|remainder|existing|other|previous|your|more|same)\b[^\n]{0,40}\b(?:code"
    r"|here|unchanged|methods?|functions?|imports?|implementation|logic|before|above|omitted)|"
    r"(?:unchanged|omitted|snip))|(?:#|//)[^\n]*(?:\.\.\.|…)[ \t]*$"
)
FAMILIES: tuple[Family, ...] = (
    Family("code.avoid", "{terms} is not in code", guarded(avoid, _ANY, _ANY), takes_terms=True),
    Family("code.instead", "something else is used instead", guarded(instead, _ANY, _ANY), takes_terms=True),
    Family(
        "code.only_imports",
        "nothing else is imported",
        guarded(only_from, r"standard library|stdlib|import|dependenc|package|librar|modules|third-party", _ANY),
        takes_terms=True,
    ),
    Family(
        "code.width",
        "lines of code have at most {limit} characters",
        guarded(
            _width,
            r"\bcode\b|snippet|python|black|ruff|pep|listing|fence|program|script|source|columns?|characters?|line",
            _ANY,
            r"prose|markdown|docstring|commit|subject|body|title|heading|entry|summary",
            True,
        ),
        bounded=True,
        takes_terms=True,
    ),
    Family(
        "code.block_lines",
        "blocks of code have {limit} lines",
        guarded(
            _block_lines, r"\blines?\b", _ANY, r"function|method|docstring|commit|import|class\b|context|prose", True
        ),
        bounded=True,
        takes_terms=True,
    ),
    Family(
        "code.indent",
        "code is indented by {limit} spaces",
        guarded(_indent, r"indent|spaces?", _ANY, r"json|yaml|bullet|list|paragraph", True),
        bounded=True,
        takes_terms=True,
    ),
    fixed(
        "code.no_tabs",
        "no tabs in code",
        c.Charset(allow="no_tabs", within="code"),
        r"\btabs?\b",
        about=_ANY,
        numbers=True,
        forbids=r"browser|\bopen|(?<!not )(?<!n't )(?<!never )use tabs|with tabs,? not|tabs over spaces|tabs rather",
    ),
    fixed(
        "code.tabs",
        "code is indented by tabs",
        c.Indent(tabs=True),
        r"\btabs?\b",
        about=_ANY,
        forbids=r"browser|no tabs|not (?:with |by |use )?tabs|never tabs|instead of tabs",
    ),
    fixed(
        "code.path_comment",
        "code begins with a comment that names its file",
        c.Each(
            part=c.Part(kind="code", pattern=r"(?s)."),
            check=c.Matches(pattern=_PATH_COMMENT, least=1, finds="a comment with the path"),
            selects=c.Not(check=c.Matches(pattern=r"\A[ \t]*(?:\$ |>>> )")),
        ),
        r"comment|first line|top|head|begin|start|open",
        about=_ANY,
        forbids=r"citation|commit|license|copyright|docstring",
    ),
    fixed(
        "code.diff",
        "edits are shown as a diff",
        c.When(
            condition=c.Count(unit="fences", least=1), then=c.Pieces(part=c.Part(kind="code", name="diff"), least=1)
        ),
        r"diff|patch",
        about=_ANY,
        forbids=r"commit",
    ),
    fixed(
        "code.no_diff", "no diffs", c.Pieces(part=c.Part(kind="code", name="diff"), most=0), r"diff|patch", about=_ANY
    ),
    fixed(
        "code.complete",
        "code is shown whole",
        c.Code(pattern=_ELIDED, most=0, comments=True, strings=True, finds="elided code"),
        r"\.\.\.|…|ellips|elid|elision|omit|\brest\b|existing code|complete|whole|full|truncat|abbreviat"
        r"|left out|excerpt|stays the same|as it stands"
        r"|placeholder|unchanged|cut|skip|in full|left out|\ball of\b|excerpt|as it stands|parts",
        about=_ANY,
    ),
    fixed(
        "code.no_line_numbers",
        "no line numbers in code",
        c.Not(
            check=c.Each(
                part=c.Part(kind="code"),
                check=c.Matches(pattern=r"\A[ \t]*1[ \t:|.)]+[^\n]*\n[ \t]*2[ \t:|.)]"),
                one=True,
            )
        ),
        r"number",
        about=_ANY,
    ),
    fixed(
        "code.no_repl",
        "no >>> in code",
        code(r"^[ \t]*(?:>>>|In \[\d+\]:)", "prompts of an interpreter", "", comments=True),
        r">>>|repl\b|doctest|interactive|prompt",
        about=_ANY,
    ),
    fixed(
        "code.ascii",
        "code is ASCII",
        c.Charset(allow="ascii", within="code"),
        r"ascii|unicode|non-latin",
        about=_ANY,
        forbids=r"prose|everything|whole|answer must be",
    ),
    fixed(
        "code.no_trailing_space",
        "no spaces at the ends of lines of code",
        c.Code(pattern=r"[ \t]+$", most=0, comments=True, strings=True, finds="spaces at the end of a line"),
        r"trailing|end of (?:a |any |each )?line|line ends?|\bends?\b|\bfinish",
        about=_ANY,
        forbids=r"comma|semicolon|newline|comment|prose|markdown",
    ),
    fixed(
        "code.no_blank_runs",
        "no two blank lines in a row in code",
        code(r"\n[ \t]*\n[ \t]*\n", "two blank lines in a row", comments=True),
        r"blank|empty",
        about=_ANY,
        forbids=r"top-level|functions|class|definition|heading|paragraph",
    ),
    fixed(
        "code.no_commented_out",
        "no commented-out code",
        c.Code(
            pattern=r"^[ \t]*(?:#|//)[ \t]*(?:(?:def|class|for|while|if|elif|with|try|except)\b[^\n]*:[ \t]*$|"
            r"(?:import|from)[ \t]+\w+(?:[ \t]+import|[ \t]*$)|return\b[ \t]+\w+[\w.()\[\]]*;?[ \t]*$"
            r"|[\w.]+\([^\n]*\);?[ \t]*$|(?:const |let |var )?[\w.]+[ \t]*=[ \t]*[^\s=][^\n]*;?["
            r" \t]*$)",
            most=0,
            comments=True,
            finds="commented-out code",
        ),
        r"comment|dead code",
        about=_ANY,
    ),
    fixed(
        "code.no_secrets",
        "no keys or passwords in code",
        c.Code(
            pattern=r"(?i)\b(?:api_?key|secret|password|passwd|token|access_key)\b[\"']?[ \t]*[:=]["
            r" \t]*[\"'][^\"'<>{}$\n]{6,}[\"']",
            most=0,
            strings=True,
            finds="a secret",
        ),
        r"secret|key|password|credential|token",
        about=_ANY,
        forbids=r"commit|keyword|json keys|log|rotate",
    ),
)
