"""Families of code that parses and is shown in use, of commands and their options, of names and verbs."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.code.build import code, fixed, guarded
from agent.cca.families.code.commands import AT, is_command
from agent.cca.families.code.commits import subject
from agent.cca.families.code.forms import found, none
from agent.cca.families.family import Family, Slots

_ANY = r"."
_PARSED = {"python": r"\bpython\b", "json": r"\bjson\b", "yaml": r"\bya?ml\b", "toml": r"\btoml\b"}


def _parses(slots: Slots) -> Any | None:
    """Each block of the language that is named; a session of an interpreter is none."""
    named = [language for language, words in _PARSED.items() if re.search(words, slots.text, re.I)]
    if len(named) != 1:
        return None
    language: Any = named[0]
    return c.Each(
        part=c.Part(kind="code", name=language),
        check=c.Valid(format=language),
        selects=c.Not(check=c.Matches(pattern=r"^[ \t]*(?:>>>|\.\.\.|…|\$ |%|!)|^[ \t]*(?:#|//) ?\.\.\.")),
    )


_OPTION = re.compile(r"(?<![\w-])(?:--[A-Za-z][\w-]*|-[A-Za-z]{1,3}(?![\w-]))")
_ONE_COMMAND = r"\A(?:[ \t]*(?:#[^\n]*)?\n)*[^\n#]*[^\n#\s\\][^\n]*(?:\n(?:[ \t]*#[^\n]*|[ \t]*))*\z"


def _one_command(slots: Slots) -> Any:
    """Lines that a backslash continues, loops and here-documents are one command, too."""
    several = r"\\\n|<<|\b(?:do|then|done|fi|case)\b|[{(]\n"
    own = c.Matches(pattern=_ONE_COMMAND, finds="one command")
    check = c.AnyOf(checks=(c.Matches(pattern=several), own))
    parts = [c.Each(part=c.Part(kind="code", name=name), check=check) for name in ("shell", "console", "other_shell")]
    return c.AllOf(checks=tuple(parts))


def _with_option(slots: Slots) -> Any | None:
    """Each call of the command that is named has one of its options."""
    terms = [*slots.terms, *_OPTION.findall(slots.text)]
    flags = tuple(dict.fromkeys(flag for term in terms for flag in _OPTION.findall(term)))
    names = [term for term in slots.terms if is_command(term) and not _OPTION.search(term)]
    names = names or [found[1] for found in re.finditer(r"\b(kubectl|docker run|git commit|git push|pytest|npm|curl"
                                                        r"|terraform|helm|ssh|rsync"
                                                            r"|pip install)\b", slots.text)]  # fmt: skip
    if not flags or len(set(names)) != 1 or slots.contrast:
        return None
    words = r"[ \t]+".join(map(re.escape, names[0].split()))
    one_of = "|".join(map(re.escape, flags))
    call = rf"(?m)^[ \t]*(?:\$ )?(?:sudo )?({words}[ \t][^\n]*(?:\\\n[^\n]*)*)"
    check = found(rf"(?:^|\s)(?:{one_of})(?:[\s=\d]|$)", f"{flags[0]} in {names[0][:30]}")
    return c.Each(part=c.Part(kind="match", pattern=call), check=check)


def _verbs(slots: Slots) -> Any | None:
    """A subject, behind its type and ticket, begins with one of the verbs."""
    names: list[str] = []
    for given in (slots.terms, slots.listed):
        names = names or [
            name.strip('`" ') for name in given if re.fullmatch(r"[A-Za-z][a-z]{2,15}", name.strip('`" '))
        ]
    if len(names) < 2:
        return None
    prefix = r"(?:\[?[A-Z]{2,10}-\d+\]?:? +)?(?:[a-z]+(?:\([^()\n]*\))?!?: +)?"
    either = "|".join(map(re.escape, names))
    case = "" if any(name[0].isupper() for name in names) else "(?i)"
    return subject(found(rf"{case}\A{prefix}(?:{either})\b", "one of the verbs"))


_OTHER_LANGUAGE = r"\b(?:java|javascript|typescript|rust|golang|sql|css|kotlin|c\+\+|react|jsx)\b"
_PEP8 = c.AllOf(checks=(c.PythonCode(demand="snake_case_functions"), c.PythonCode(demand="capwords_classes")))
_LOOSE = r"[\"']?[A-Za-z][\w.-]*(?:\[[\w,]+\])?(?:(?:>=|<=|~=|!=|>|<)[^\s\"']*)?[\"']?(?:[ \t]|$|[;&|])"
_UNPINNED = (
    rf"{AT}(?:python3?[ \t]+-m[ \t]+)?pip3?[ \t]+install"
    r"(?:[ \t]+(?:--?(?:U|q|v|upgrade|user|quiet|no-deps|pre|no-cache-dir)|[\"']?[\w.-]+(?:\[[\w,]+\])?==[^\s]+))*"
    rf"[ \t]+{_LOOSE}"
)
FAMILIES: tuple[Family, ...] = (
    Family(
        "code.parses",
        "blocks of a language parse",
        guarded(
            _parses,
            r"pars|valid|synta|syntactic|compil|well-formed|runs?\b|runnable"
            r"|execut",
            _ANY,
            r"pyproject|schema",
        ),
        takes_terms=True,
    ),
    fixed(
        "code.usage_example",
        "a function that is defined is called",
        c.PythonCode(demand="usage_example"),
        r"\busage\b|\bexamples?\b|\bcalls? (?:of|to|it|the)|\bcalled\b|\bhow (?:it|they|to call)",
        about=_ANY,
        forbids=r"docstring|\bno (?:usage|example)|\bnever\b|n['’]t\b|for example|such as|in examples"
        r"|no (?:usage )?example|curl|json",
    ),
    Family(
        "command.one_a_block",
        "one command in each block",
        guarded(
            _one_command,
            r"(?=.*command)(?=.*(?:block|fence|snippet|box))",
            _ANY,
            r"per line|each line"
            r"|a line\b|own line",
        ),
        takes_terms=True,
    ),
    fixed(
        "command.pip_pinned",
        "pip installs pinned versions",
        code(_UNPINNED, "packages without a version", "commands"),
        r"\bpip\b|packages?|dependenc|requirements",
        about=_ANY,
        forbids=r"\bnpm\b|docker|image|\buv\b",
    ),
    Family(
        "command.with_option",
        "a command with its option",
        guarded(_with_option, r"-", _ANY, r"\b(?:no|not|never|without|avoid|instead|rather)\b|n['’]t\b"),
        takes_terms=True,
    ),
    fixed(
        "python.pep8_names",
        "functions in snake_case, classes in CapWords",
        _PEP8,
        r"(?:function|method)s?\b.*\bclass|\bclass\w*\b.*\b(?:function|method)|pep ?8 nam|nam\w+ .*pep ?8",
        about=_ANY,
        forbids=_OTHER_LANGUAGE,
    ),
    Family(
        "commit.verbs",
        "the subject begins with one of {terms}",
        guarded(
            _verbs,
            r"commit|subject",
            _ANY,
            r"\bin the changelog|changelog entr|release notes|types?\b"
            r"|branch",
            True,
        ),
        takes_terms=True,
    ),
    fixed(
        "cite.doi_links",
        "DOIs as links",
        none(r"(?:^|[^/\w.])10\.\d{4,9}/\S", "a bare DOI"),
        r"(?=.*(?:link|url|https?|address))(?:.*\bDOIs?\b|.*doi\.org)",
        about=_ANY,
        forbids=r"\bno (?:links?|urls?)\b|bare dois? only",
    ),
    fixed(
        "js.pascal_components",
        "components in PascalCase",
        c.Code(
            pattern=r"(?s)function[ \t]+[a-z]\w*[ \t]*\([^)]*\)[ \t]*(?::[^{]*)?\{"
            r"[^}]{0,400}?return[ \t]*\(?\s*<[A-Za-z>]"
            r"|const[ \t]+[a-z]\w*[ \t]*=[ \t]*\([^)]*\)[ \t]*=>\s*(?:\{[^}]{0,400}?return[ \t]*)?\(?\s*<[A-Za-z>]",
            language="javascript",
            most=0,
            finds="components in small letters",
        ),
        r"component",
        about=_ANY,
        forbids=r"files?\b|css|class components",
    ),
)
