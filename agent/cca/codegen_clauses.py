"""Patterns, clause by clause: what the first emitter that reads a clause makes of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from agent.cca import (
    codegen_edges,
    codegen_figures,
    codegen_form,
    codegen_layout,
    codegen_length,
    codegen_lists,
    codegen_python,
    codegen_shape,
    codegen_signs,
    codegen_terms,
)
from agent.cca.joins import both
from agent.cca.quoted import HOLE, Quoted, quoted_terms
from agent.cca.reading import Reading

_I = re.IGNORECASE
_THEN_DENIES = re.compile(
    r"(?:[,;.)]|\band\b|\bbut\b) (?:and |but |please )?(?=(?:do not|don['’]t|never|no"
    r"|without)\b)",
    _I,
)
_DENIES = re.compile(r"\b(?:not|never|no|avoid|without)\b|n['’]t\b", _I)
_MIN_CLAUSE_WORDS = 4
_BUT_DO = re.compile(r",? but (?:do|always|please|instead|rather)\b ?(?!not\b)", _I)
_OMITS = re.compile(
    r"^(?:please )?(?:leave\b(?: [\w-]+){1,4} out\b|leave out\b|omit\b|skip\b|steer clear of\b"
    r"|stay away from\b|drop\b|do without\b)",
    _I,
)
"""Imperatives that forbid although no word of theirs denies."""
_TWICE = re.compile(r"\b(?:never|not|n['’]t) (?:forget|fail|neglect|omit|skip|leave out|avoid|refrain)\b", _I)
_HEDGED = re.compile(r"\b(?:unless|except (?:for|when|in|if|where|the (?!json)))\b", _I)


def check_of_clauses(body: str, negative: bool, about_code: bool) -> Any | None:
    """``Do not use tables, but do use headings`` forbids and demands: each clause is read by itself."""
    parted = _BUT_DO.search(body) if negative else None
    if parted is not None:
        clauses = ((body[: parted.start()], True), (body[parted.end() :], False))
        return both(*(check_of_clauses(text, denies, about_code) for text, denies in clauses))
    terms = _without_holes(quoted_terms(body))
    made = _first(Reading(body, terms, negative or _OMITS.search(body) is not None, about_code))
    parted = _THEN_DENIES.search(body) if made is None and negative else None
    if parted is None or len(body[: parted.start()].split()) < _MIN_CLAUSE_WORDS:
        return made
    first = check_of_clauses(body[: parted.start()], _DENIES.search(body[: parted.start()]) is not None, about_code)
    second = check_of_clauses(body[parted.end() :], True, about_code)
    return both(first, second)


def _without_holes(terms: tuple[Quoted, ...]) -> tuple[Quoted, ...]:
    """``"ANSWER: $ANSWER"``: of a term with a place to fill in, what stands before that place is to be spelled."""
    out = []
    for each in terms:
        hole = HOLE.search(each.text)
        text = each.text[: hole.start()].strip() if hole else each.text
        if text and (hole is None or len(text) > 1):
            out.append(replace(each, text=text))
    return tuple(out)


def _first(reading: Reading) -> Any | None:
    if not reading.code and (_HEDGED.search(reading.text) or (reading.negative and _TWICE.search(reading.text))):
        return None
    for emit in _EMITTERS:
        try:
            check = emit(reading)
        except ValueError:  # more terms, or a longer pattern, than a check may hold: too much to be told
            continue
        if check is not None:
            return check
    return None


_EMITTERS: tuple[Callable[[Reading], Any | None], ...] = (
    codegen_python.sizes,
    codegen_python.docstrings,
    codegen_python.type_annotations,
    codegen_python.names,
    codegen_python.quotes,
    codegen_python.python_banned,
    codegen_python.python_style,
    codegen_lists.lists,
    codegen_lists.table_size,
    codegen_length.line_length,
    codegen_length.length,
    codegen_lists.one_of,
    codegen_form.table,
    codegen_form.format_,
    codegen_form.keys,
    codegen_form.sections,
    codegen_shape.dates,
    codegen_shape.decimals,
    codegen_layout.characters,
    codegen_signs.signs,
    codegen_signs.lower_case_terms,
    codegen_layout.indent,
    codegen_edges.first_heading,
    codegen_edges.edge_lines,
    codegen_edges.edges,
    codegen_shape.example_form,
    codegen_lists.code_blocks,
    codegen_lists.links,
    codegen_signs.unit_named,
    codegen_figures.numeric,
    codegen_terms.order,
    codegen_terms.manner,
    codegen_layout.structure,
    codegen_terms.terms,
    codegen_figures.cites,
)
