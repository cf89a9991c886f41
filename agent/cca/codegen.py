"""CodeGen: the check that a rule in prose amounts to, or None where it cannot be told from the answer's text.

Deterministic, by phrase. It prefers silence: a check is emitted only for wording that has one reading, because a false
alarm would edit a good answer.
"""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.codegen_clauses import check_of_clauses
from agent.cca.codegen_regex import matches_pattern, speaks_of_a_pattern
from agent.cca.composed.containers import named
from agent.cca.composed.given import given
from agent.cca.composed.halves import composed
from agent.cca.conditions import condition_of, unconditional
from agent.cca.families.demands import demands
from agent.cca.families.guards import takes_back
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
from agent.cca.quoted import HOLE, quoted_terms, stands_for
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
    if takes_back(in_words_only(rule.text)):
        return None
    certain = by_family(rule.text, about_code, certain=True)
    read = certain if certain is not None else _read_of(rule, about_code, whole)
    read = read if read is not None else by_family(rule.text, about_code)
    if about_code or whole:
        return read
    for each in demands(rule.text):
        read = both(read, by_family(each, about_code))
    return read


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
    if any(_LETTER_FOR.search(each.text) or stands_for(each.text, body) for each in terms):
        return None  # capitals stand for what is to be filled in
    if speaks_of_a_pattern(body, terms):
        return None if about_code or rule.condition else matches_pattern(body, terms, rule.negative)
    holes = any(HOLE.search(each.text) for each in terms)
    read = NOTHING if holes else demand(body, terms)
    if (read.whole and not about_code) or whole:
        check = read.check
    else:
        check = check_of_clauses(body, rule.negative, about_code)
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


def _without_condition(rule: Rule) -> str:
    text = rule.text
    if rule.condition and rule.condition in text:
        text = text.replace(rule.condition, " ", 1)
    return " ".join(text.strip(" ,.:;").split())
