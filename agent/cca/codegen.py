"""CodeGen: the check that a rule in prose amounts to, or None where it cannot be told from the answer's text.

Deterministic, by phrase. It prefers silence: a check is emitted only for wording that has one reading, because a false
alarm would edit a good answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from agent.cca import checks as c
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
from agent.cca.codegen_regex import matches_pattern, speaks_of_a_pattern
from agent.cca.composed.containers import named
from agent.cca.composed.given import given
from agent.cca.composed.halves import composed
from agent.cca.conditions import condition_of, unconditional
from agent.cca.families.read import by_family
from agent.cca.grammar.choice_of_words import is_better_word, is_word_choice_somewhere, without_the_better_word
from agent.cca.grammar.demand import NOTHING, demand, either_of, field_of, of_data, of_other_text, set_phrase
from agent.cca.grammar.elsewhere import is_elsewhere
from agent.cca.grammar.formed import formed
from agent.cca.grammar.plain import in_words_only
from agent.cca.grammar.residue import accounts_for, excepts
from agent.cca.grammar.rewording import reworded
from agent.cca.grammar.templates import template
from agent.cca.grammar.withheld import kept
from agent.cca.ir import Quote, Rule
from agent.cca.joins import both, looks_at_code, nests
from agent.cca.quoted import HOLE, Quoted, quoted_terms
from agent.cca.reading import Reading
from agent.cca.recognise import Found, declared, fragment, recognise
from agent.cca.scoped.sentence import scoped
from agent.cca.scoped.text import SILENT
from agent.cca.sentences import Sentence

_I = re.IGNORECASE


_OTHER_THAN = re.compile(r"\bother\b.{0,40}?\bthan\b", _I)
_OF_WHOLE = re.compile(
    r"\bfor (?:an?|the) (?:whole|entire|full|single) \w+\W*$"
    r"|^(?:the|each|every) (?:[\w-]+ )?(?:line|row)s? of (?:the|an?|each) (?:file|log|input|document|source|csv"
    r"|table)\b",
    _I,
)


def check_of(rule: Rule, about_code: bool, *, whole: bool = False) -> Any | None:
    """The check of a rule; None where none can be told. ``whole``: only where the grammar reads every word of it."""
    certain = by_family(rule.text, about_code, certain=True)
    read = certain if certain is not None else _read_of(rule, about_code, whole)
    return read if read is not None else by_family(rule.text, about_code)


def _read_of(rule: Rule, about_code: bool, whole: bool) -> Any | None:
    shown = None if about_code else given(in_words_only(rule.text.strip(" .")), read_clause)
    made = _made(rule, about_code, whole) if shown is None else shown
    if about_code:
        return made
    if made is None and not is_elsewhere(named(rule.text)) and not _ADVISES.match(rule.text):
        plain = in_words_only(rule.text.strip(" ."))
        return None if scoped(plain) is SILENT else kept(composed(plain, read_clause), rule.text)
    return kept(made, rule.text)


def read_clause(text: str) -> Any | None:
    """The check of a clause that stands by itself; None where it is not understood."""
    sentence = Sentence(text, text, 1, 1, "")
    stated = recognise(sentence) or declared(sentence)
    found = stated or fragment(sentence) or Found("must_do", False, "must", "", None, None)
    rule = Rule(
        id="R1",
        kind=found.kind,
        text=text,
        quote=Quote(source="clause", first_line=1, last_line=1, text=text),
        strength=found.strength,
        condition=found.condition,
        negative=found.negative,
    )
    return kept(_made(rule, False, stated is None), text)


def _made(rule: Rule, about_code: bool, whole: bool) -> Any | None:
    plain = in_words_only(rule.text.strip(" ."))
    part = None if _ADVISES.match(rule.text) or _OF_WHOLE.search(plain) else scoped(plain, about_code)
    if part is not None:
        return None if part is SILENT else part
    shown = None if about_code or rule.negative or rule.condition or _ADVISES.match(rule.text) else formed(plain)
    if shown is not None and not is_elsewhere(rule.text):
        return shown
    if not about_code and is_better_word(plain):
        return None
    if not (about_code or rule.condition or is_elsewhere(rule.text) or excepts(plain)):
        phrase = set_phrase(plain) or set_phrase(reworded(plain))
        if phrase is not None:
            return phrase
    field = None if about_code or _ADVISES.match(rule.text) else field_of(plain)
    if field is not None:
        return field
    check = None if not about_code and of_other_text(plain) else _check_of(rule, about_code, whole)
    if check is not None and not looks_at_code(check) and is_elsewhere(rule.text):
        check = None
    if check is not None and check.op == "absent" and _OTHER_THAN.search(plain):
        check = None  # what is named is what may be there
    if check is not None or about_code:
        return check
    made = field_of(plain, sure=False)
    told = _ADVISES.match(rule.text) or _OF_WHOLE.search(plain)
    made = made if made is not None or told else scoped(plain, sure=False)
    return None if made is SILENT else made


def _check_of(rule: Rule, about_code: bool, whole: bool) -> Any | None:
    body = in_words_only(_without_condition(rule))
    body = body if about_code else reworded(body)
    body = body if about_code else without_the_better_word(body)
    terms = quoted_terms(body)
    rule = unconditional(rule)
    if _HANGS_ON.match(rule.text) or _IS_CODE.match(rule.text) or _ADVISES.match(rule.text):
        return None
    if not about_code and (excepts(body) or is_word_choice_somewhere(body, terms)):
        return None
    form = None if about_code or rule.negative else either_of(in_words_only(rule.text.strip(" .")))
    if form is None and not (about_code or rule.negative) and (not rule.condition or _LATER.match(rule.condition)):
        form = formed(body) or (None if rule.condition else template(body))
    if form is not None:
        return form
    if any(_LETTER_FOR.search(each.text) for each in terms):
        return None  # capitals stand for what is to be filled in
    if speaks_of_a_pattern(body, terms):
        return None if about_code or rule.condition else matches_pattern(body, terms, rule.negative)
    holes = any(HOLE.search(each.text) for each in terms)
    read = NOTHING if holes else demand(body, terms)
    if (read.whole and not about_code) or whole:
        check = read.check
    else:
        check = _check_of_clauses(body, rule.negative, about_code)
        if check is not None and not (about_code or looks_at_code(check) or accounts_for(check, body, terms)):
            check = None
    if whole and not read.whole:
        return None
    if check is None:
        check = read.check
    elif read.check is not None and not read.whole and not about_code:
        check = both(check, read.check)  # further clauses that deny: "…, without tables"
    if not about_code and not holes and not whole:
        data = of_data(body, terms)
        check = both(None if nests(data) and check is not None and check.op == "keys" else check, data)
    if about_code and not _is_told(check, rule):
        return None
    if check is None or not rule.condition or _OWN_ORDER.match(rule.condition):
        return check
    condition = condition_of(rule.condition)
    return None if condition is None else c.When(condition=condition, then=check)


def _check_of_clauses(body: str, negative: bool, about_code: bool) -> Any | None:
    """``Do not use tables, but do use headings`` forbids and demands: each clause is read by itself."""
    parted = _BUT_DO.search(body) if negative else None
    if parted is not None:
        clauses = ((body[: parted.start()], True), (body[parted.end() :], False))
        return both(*(_check_of_clauses(text, denies, about_code) for text, denies in clauses))
    terms = _without_holes(quoted_terms(body))
    made = _first(Reading(body, terms, negative or _OMITS.search(body) is not None, about_code))
    parted = _THEN_DENIES.search(body) if made is None and negative else None
    if parted is None or len(body[: parted.start()].split()) < _MIN_CLAUSE_WORDS:
        return made
    first = _check_of_clauses(body[: parted.start()], _DENIES.search(body[: parted.start()]) is not None, about_code)
    second = _check_of_clauses(body[parted.end() :], True, about_code)
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
_ABOUT_ANSWERS = re.compile(
    r"\b(?:answers?|answering|respon(?:ses?|d|ding)|repl(?:y|ies|ying)|chat|the user(?!-)"
    r"|(?:your|all|each|every|final) (?:outputs?|messages?))\b",
    _I,
)
_AGENT_FILE = re.compile(r"(?:^|/)(?:AGENTS\.md|CLAUDE\.md|copilot-instructions\.md|\.cursorrules)$")


def _is_told(check: Any, rule: Rule) -> bool:
    """Whether a rule of a document about code binds an answer: it speaks of answers, or of the code in them.

    Most of a contributor's guide is about commits, tickets, docstrings, of which an answer holds none.
    """
    if check is None or _ABOUT_ANSWERS.search(rule.text):
        return True
    if looks_at_code(check):
        return True
    return check.op == "charset" and _AGENT_FILE.search(rule.quote.source) is not None


_LETTER_FOR = re.compile(r"(?<=\s)[NXYZ](?=\s)|^[NXYZ](?=: )|(?<=: )[NXYZ]$")
_TWICE = re.compile(r"\b(?:never|not|n['’]t) (?:forget|fail|neglect|omit|skip|leave out|avoid|refrain)\b", _I)
_HANGS_ON = re.compile(r"(?:else|otherwise|likewise)\b,? (?!:)", _I)
"""The other half of the sentence before it."""
_LATER = re.compile(r"(?:after|once|having) \w+ing\b", _I)
_OWN_ORDER = re.compile(
    r"(?:after|once) (?:providing|giving|writing|stating|you (?:have|['’]ve|are)|your|the) "
    r".{0,40}\b(?:explanation|answer|reasoning|response|analysis|feedback|solution|verdict)\b",
    _I,
)
"""No condition but a place in the answer: "After your explanation, rate …"."""
_IS_CODE = re.compile(r">>>|print\(|\w+ ?= ?\w+\(|\"\w+\": ?\w+\(")
_ADVISES = re.compile(
    r"(?:please )?(?:you (?:must|should) )?(?:pay (?:special |close )?attention|keep in mind|be (?:aware|smart"
    r"|careful)|consider\b)",
    _I,
)
"""It says what to think of, not what the answer is to hold."""
_HEDGED = re.compile(r"\b(?:unless|except (?:for|when|in|if|where|the (?!json)))\b", _I)


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


def _without_condition(rule: Rule) -> str:
    text = rule.text
    if rule.condition and rule.condition in text:
        text = text.replace(rule.condition, " ", 1)
    return " ".join(text.strip(" ,.:;").split())


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
