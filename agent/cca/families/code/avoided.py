"""Names of code that a demand refuses, puts in place of others, or takes from one module alone."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.demands import PythonDemand
from agent.cca.families.code.build import code
from agent.cca.families.code.commands import commands_avoided, contrasted, is_command
from agent.cca.families.family import Slots

_NAME = re.compile(r"@?[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*[!?]?(?:\(\))?")
_PYTHON: tuple[tuple[str, PythonDemand], ...] = (
    (r"eval(?:\(\))?|exec(?:\(\))?", "no_eval"),
    (r"print(?:\(\))?", "no_print"),
    (r"lambda", "no_lambda"),
    (r"global", "no_global"),
    (r"assert", "no_assert"),
    (r":=", "no_walrus"),
    (r"os\.path(?:\.\w+)?(?:\(\))?", "no_os_path"),
    (r"shell ?= ?True", "no_shell_true"),
    (r"(?:typing\.)?Any", "no_any"),
    (r"(?:typing\.)?Optional(?:\[.*\])?", "no_optional"),
    (r"(?:typing\.)?(?:List|Dict|Tuple|Set)(?:\[.*\])?", "builtin_generics"),
    (r"except:", "no_bare_except"),
    (r"except Exception(?: as \w+)?:?", "no_broad_except"),
    (r"(?:from \w+ )?import \*", "no_wildcard_imports"),
    (r"(?:str)?\.format(?:\(\))?", "no_str_format"),
    (r"== None|!= None", "is_none"),
    (r"== True|== False", "no_bool_comparison"),
    (r"while True:?", "no_endless_loops"),
    (r"\*args|\*\*kwargs", "no_star_arguments"),
    (r"datetime\.utcnow(?:\(\))?|utcnow(?:\(\))?", "aware_times"),
    (r"__all__", "no_module_all"),
)
_MODULE = re.compile(r"\b(?:import|modules?|packages?|library|libraries|dependenc(?:y|ies))\b", re.I)


def _avoided(term: str, slots: Slots) -> Any | None:
    """What a name in code stands for: a construct of Python's, a module, a call, a name."""
    plain = re.sub(r"\(\.{3}\)$", "()", term.strip().rstrip(";,"))
    for words, demand in _PYTHON:
        if re.fullmatch(words, plain):
            return c.PythonCode(demand=demand)
    if re.fullmatch(r"TODO|FIXME|XXX|HACK", plain):
        return c.Code(pattern=rf"\b{plain}\b", most=0, comments=True, finds=plain)
    if re.fullmatch(r"#?\s*(?:noqa|type: ignore)", plain):
        return c.Code(pattern=rf"#\s*{re.escape(plain.lstrip('# '))}", most=0, comments=True, finds=plain)
    if not _NAME.fullmatch(plain) or re.fullmatch(r"(?:\w\.)+\w?", plain):
        return None
    bare = plain.removesuffix("()")
    if _MODULE.search(slots.text) and re.fullmatch(r"[a-z_][\w.]*", bare) and plain == bare:
        return code(rf"^[ \t]*(?:import|from)[ \t]+{re.escape(bare)}(?:[ \t.,;]|$)", f"imports of {bare}", "python")
    if plain != bare:
        return code(
            rf"(?:^|[^\w.]|\b\w+\.){re.escape(bare)}[ \t]*\("
            if "." not in bare
            else rf"(?:^|[^\w.]){re.escape(bare)}[ \t]*\(",
            f"calls of {bare}",
        )
    if re.search(r"[A-Z_.$:!@>]", bare) or f"`{term}`" in slots.text:
        return code(rf"(?:^|[^\w.$@-]){re.escape(bare)}(?:[^\w-]|$)", bare)
    return None


def avoided(slots: Slots, terms: tuple[str, ...]) -> Any | None:
    """None of the terms is in code, or run. None where one is not understood."""
    terms = tuple(dict.fromkeys(terms))
    if not terms:
        return None
    flags = [term for term in terms if re.fullmatch(r"--?[a-zA-Z][\w-]*", term)]
    if all(is_command(term) or term in flags for term in terms) and not all(term == "print" for term in terms):
        commands = commands_avoided(slots, terms)
        if commands is not None:
            return commands
    found = [_avoided(term, slots) for term in terms]
    if any(each is None for each in found):
        return None
    made = tuple(each for each in found if each is not None)
    return made[0] if len(made) == 1 else c.AllOf(checks=made)


def _about_words(slots: Slots) -> bool:
    return (
        re.search(
            r"\b(?:words?|phrases?|terms?|say(?! `)|wording|call it(?! in)|vocabulary"
            r"|spell)\b",
            slots.text,
            re.I,
        )
        is not None
    )


def avoid(slots: Slots) -> Any | None:
    return None if _about_words(slots) else avoided(slots, (*slots.terms, *slots.contrast))


def _dropped(slots: Slots) -> tuple[str, ...]:
    """The one of two terms that the other one stands for: ``Prefer A over B``, ``Replace B by A``."""
    if len(slots.terms) != 2 or slots.terms[0] == slots.terms[1]:
        return ()
    ahead, _, rest = slots.text.partition(slots.terms[0])
    between, _, behind = rest.partition(slots.terms[1])
    if re.search(r"\bprefer\w*\b", ahead, re.I):
        return slots.terms[1:] if re.match(r"\W*(?:over|to)\b", between) else ()
    if re.search(r"\b(?:replace|swap|exchange)\b", ahead, re.I) and re.match(r"\W*(?:by|with|for)\b", between):
        return slots.terms[:1]
    gone = re.search(r"\b(?:dropped|retired|given up|moved away from|gone|replaced)\b", ahead + between, re.I)
    return slots.terms[:1] if gone and re.match(r"\W*instead\b", behind) else ()


def instead(slots: Slots) -> Any | None:
    """What is contrasted is neither in code nor run."""
    contrast = slots.contrast or contrasted(slots.text) or _dropped(slots)
    if _about_words(slots) or not contrast:
        return None
    inside = any(other in term for term in slots.terms for other in contrast if term != other and not is_command(other))
    return None if inside else avoided(slots, contrast)


def only_from(slots: Slots) -> Any | None:
    standard = (
        re.search(
            r"standard library|stdlib|built-?in modules|batteries|third[- ]party|\b(?:ships?"
            r"|comes?) with python",
            slots.text,
            re.I,
        )
        is not None
    )
    names = tuple(term for term in slots.terms if re.fullmatch(r"[a-z][\w.-]*", term))
    if not standard and not names:
        return None
    return c.PythonCode(demand="allowed_imports", names=names, standard=standard)
