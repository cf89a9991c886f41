"""Families of demands on what is typed into a shell: tools that are (not) to be used, prompts, chains, scripts."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.code.build import code, fixed, guarded
from agent.cca.families.family import Family, Slots

_ANY = r"."
AT = r"(?:^|[;&|(]|\bthen\b|\bdo\b|\$|>)[ \t]*(?:sudo[ \t]+)?(?:[A-Z_]+=\S*[ \t]+)*"
"""Where a command begins."""
_PROGRAMS = (
    "git|pip|pip3|pipx|python|python3|npm|npx|yarn|pnpm|docker|docker-compose|kubectl|make|curl"
    "|wget|sudo|rm|cp|mv|ls|cat|grep|find"
    "|sed|awk|chmod|chown|apt|apt-get|brew|conda|poetry|pdm|uv|uvx|tox|nox|pytest|unittest|ruff"
    "|black|flake8|isort|pylint|mypy|go"
    "|cargo|mvn|gradle|gh|ssh|scp|tar|kill|killall|pkill|echo|export|source|cd|svn|hg"
    "|virtualenv|venv|easy_install|setup.py|helm"
    "|terraform|podman|systemctl|service|which|type|ifconfig|ip|netstat|ss|vim|vi|nano|rg|fd|jq"
    "|bundle|gem|rake|node|bun|deno|tsc"
)
_PROGRAM = re.compile(rf"(?:{_PROGRAMS})(?:\s.*)?", re.S)


def is_command(term: str) -> bool:
    return _PROGRAM.fullmatch(term.strip()) is not None


def contrasted(text: str) -> tuple[str, ...]:
    """A program that is named without quotes behind "not", "instead of"."""
    named = re.search(
        r"(?:\bnot|\bnever|\binstead of|\brather than|\bin place of|\bno|\bover|\bavoid) "
        rf"(?:plain |bare |the |with |by |using )*({_PROGRAMS})\b",
        text,
        re.I,
    )
    return (named[1].lower(),) if named else ()


def command_pattern(term: str) -> str:
    """Words in this order at the start of a command; options may stand anywhere behind them."""
    words = term.strip().split()
    pattern = AT + re.escape(words[0])
    for word in words[1:]:
        pattern += r"(?:[ \t]+[^\s;&|]+)*?[ \t]+" if word.startswith("-") else r"[ \t]+"
        pattern += re.escape(word)
    return pattern + r"(?:[^\w=.-]|\.?$)"


_LETS_THROUGH = re.compile(r"^[`\"”']?,? (?:is|are) (?:ok|okay|fine|allowed|permitted|acceptable|good|safe)\b", re.I)


def _is_let_through(slots: Slots, term: str) -> bool:
    at = slots.text.find(term)
    return at >= 0 and _LETS_THROUGH.match(slots.text[at + len(term) :]) is not None


def commands_avoided(slots: Slots, terms: tuple[str, ...]) -> Any | None:
    """What is banned is no command of the answer's. A flag that stands alone belongs to the command before it."""
    found: list[str] = []
    base = ""
    for term in dict.fromkeys(terms):
        if _is_let_through(slots, term):
            continue
        if is_command(term):
            base = " ".join(word for word in term.split() if not word.startswith("-"))
            found.append(command_pattern(term))
        elif re.fullmatch(r"--?[a-zA-Z][\w-]*", term) and base:
            found.append(command_pattern(f"{base} {term}"))
        else:
            return None
    return code("|".join(found), "commands that are not wanted", "commands") if found else None


def _script_has(slots: Slots) -> Any | None:
    """Scripts with a shebang have the line; behind it, or anywhere."""
    line = next(
        (term for term in slots.terms if re.match(r"set -", term)),
        "set -euo pipefail" if "pipefail" in slots.text else "",
    )
    if not line:
        return None
    right = re.search(
        r"\b(?:right|directly|immediately|second line|first command|straight|at the top|first thing|first line)\b",
        slots.text,
        re.I,
    )
    flags = r"[ \t]+".join(re.escape(word) for word in line.split())
    pattern = rf"\A#![^\n]*\n(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*{flags}" if right else rf"^[ \t]*{flags}"
    return c.Code(pattern=pattern, language="shell", where=r"\A#!", least=1, comments=True, finds=line)


FAMILIES: tuple[Family, ...] = (
    fixed(
        "command.no_sudo",
        "no sudo",
        code(r"(?:^|[;&|(]|\$)[ \t]*sudo[ \t]+\S|\bxargs sudo\b", "sudo", "commands"),
        r"sudo|root|superuser",
        about=_ANY,
        forbids=r"heading|user input",
    ),
    fixed(
        "command.no_prompt",
        "no $ prompt",
        code(r"^[ \t]*[$>#%][ \t]+[a-z./~]", "prompts", "commands", comments=True),
        r"prompt|\$|dollar",
        about=_ANY,
        forbids=r"system prompt|user prompt|price|currency|variable",
    ),
    fixed(
        "command.prompt",
        "commands have a $ prompt",
        c.Code(pattern=r"\A[ \t]*\$[ \t]+\S", language="shell", least=1, comments=True, finds="$ prompt"),
        r"prompt|\$|dollar",
        about=_ANY,
        forbids=r"system prompt|user prompt|price|currency|variable",
    ),
    fixed(
        "command.no_chain",
        "one command a line",
        code(r"&&|;[ \t]*[a-z./]", "chained commands", "commands"),
        r"chain|&&|(?:multiple|two|several) commands|one command|single command|separate (?:line|command)"
        r"|joined?|per line|(?:a|its"
        r"|own) line|;|semicolon",
        about=_ANY,
        forbids=r"pipe\b",
    ),
    fixed(
        "command.no_pipe_to_shell",
        "nothing fetched is piped into a shell",
        code(
            r"\b(?:curl|wget)\b[^\n|]*\|[ \t]*(?:sudo[ \t]+)?(?:env[ \t]+\S+[ \t]+)*(?:/\S*/)?(?:ba|z"
            r"|da|k)?sh\b|\b(?:ba|z)?sh[ \t]+(?:-c[ \t]+\"\$|<)\([ \t]*(?:curl|wget)",
            "scripts piped into a shell",
            "commands",
        ),
        r"curl|wget|download|\bpip(?:e|ed|ing)\b",
        about=_ANY,
    ),
    fixed(
        "command.no_rm_rf",
        "no rm -rf",
        code(r"\brm[ \t]+(?:-\w+[ \t]+)*-(?:\w*r\w*f|\w*f\w*r)\w*\b|\brm[ \t]+-r[ \t]+-f\b", "rm -rf", "commands"),
        r"\brm\b|delete",
        about=_ANY,
    ),
    fixed(
        "command.no_force_push",
        "no forced pushes",
        code(r"\bgit[ \t]+push\b[^\n;&|]*?[ \t](?:--force(?:[ \t]|$)|-f\b|\+\w)", "forced pushes", "commands"),
        r"force|push -f",
        about=_ANY,
    ),
    fixed(
        "command.long_options",
        "long options",
        code(r"[ \t]-[A-Za-z]+(?:[ \t]|$)", "short options", "commands"),
        r"options?|flags?|switch|--[a-z]",
        about=_ANY,
    ),
    fixed(
        "command.no_absolute_paths",
        "no home directories in commands",
        code(r"(?:^|[ \t=\"'])(?:/home/|/Users/|[A-Z]:\\Users)", "absolute paths", "commands"),
        r"path|/home|/Users|home director",
        about=_ANY,
        forbids=r"cit|refer|answer|line",
    ),
    Family(
        "command.no_pip",
        "pip is not used",
        guarded(
            lambda slots: code(
                rf"{AT}(?:python3?[ \t]+-m[ \t]+)?pip3?[ \t]+(?:install|uninstall|freeze|list)\b", "pip", "commands"
            ),
            r"\bpip3?\b",
            _ANY,
            r"pip install is (?:fine|ok|allowed|used)|requirements|pipx|npm|wrong version|pin\b",
        ),
        takes_terms=True,
    ),
    fixed(
        "command.python_m_pip",
        "pip is run by python -m",
        code(rf"{AT}pip3?[ \t]+\w", "bare pip", "commands"),
        r"-m pip|python -m",
        about=_ANY,
    ),
    Family(
        "script.strict",
        "scripts set -euo pipefail",
        guarded(_script_has, r"pipefail|set -|strict mode|errexit", _ANY),
        takes_terms=True,
    ),
    fixed(
        "script.shebang",
        "scripts begin with a shebang",
        c.Code(
            pattern=r"\A#!",
            language="shell",
            least=1,
            comments=True,
            where=r"\n[^\n]*\n[^\n]*\n|^(?:if|for|while|function)\b",
            finds="a shebang",
        ),
        r"shebang|#!|hashbang",
        about=_ANY,
        forbids=r"pipefail|set -",
    ),
    fixed(
        "script.env_shebang",
        "shebangs go through env",
        c.Code(pattern=r"\A#!/usr/bin/env[ \t]", least=1, comments=True, where=r"\A#!", finds="#!/usr/bin/env"),
        r"shebang|#!|interpreter",
        about=_ANY,
        forbids=r"pipefail|set -",
    ),
    fixed(
        "script.double_brackets",
        "tests stand in [[ ]]",
        code(r"(?:^|\bif|\bwhile|&&|\|\|)[ \t]+\[[ \t]", "single brackets", "shell"),
        r"bracket|\[\[|\[ ",
        about=_ANY,
    ),
    fixed(
        "script.no_backticks",
        "commands are substituted by $( )",
        code(r"`[^`\n]+`", "backticks", "shell"),
        r"backtick|\$\(|substitut",
        about=_ANY,
        forbids=r"in backticks",
    ),
    fixed(
        "command.fence_bash",
        "commands stand in blocks marked bash",
        code(r"(?s).+", "blocks with another tag", "other_shell", comments=True, strings=True),
        r"\bbash\b",
        about=_ANY,
        forbids=r"shebang|script must|\[\[|zsh is",
    ),
)
