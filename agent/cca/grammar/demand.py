"""A sentence's check by the grammar: each of its clauses by itself, and whether every one of them was read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agent.cca import checks as c
from agent.cca.contract.reworded import is_of_field
from agent.cca.contract.sentence import of_fields
from agent.cca.contract.shown import object_shown
from agent.cca.grammar.alone import ONLY
from agent.cca.grammar.around import braces, fenced_term, no_fence
from agent.cca.grammar.choices import choice, chosen, either, opens_with
from agent.cca.grammar.clauses import bared, clauses
from agent.cca.grammar.counted import counted
from agent.cca.grammar.data import array_length, dated, listing, typed_field
from agent.cca.grammar.datalines import json_lines, null_values
from agent.cca.grammar.exact import exact
from agent.cca.grammar.light import leaves_nothing
from agent.cca.grammar.manners import of_manners
from agent.cca.grammar.marked import as_list, banned_words, labelled, nth_paragraph, ordered, separator, tags
from agent.cca.grammar.narrow import narrow
from agent.cca.grammar.only_tags import only_tags
from agent.cca.grammar.parts import of_parts
from agent.cca.grammar.polarity import DENIES
from agent.cca.grammar.read import read_clause
from agent.cca.grammar.shown import of_shown
from agent.cca.grammar.spoken import MASK, read_terms
from agent.cca.grammar.structured import structured
from agent.cca.grammar.tabular import block_alone, columns, spelled_json, text_not_json
from agent.cca.grammar.whole import read_whole
from agent.cca.quoted import Quoted, quoted_terms

_MAX_CHARS = 600
_MAX_CLAUSES = 8


@dataclass(frozen=True, slots=True)
class Demand:
    """``whole``: no clause was left unread. ``check``: of the clauses that were read; None where there is none."""

    check: Any | None
    whole: bool


_OF_ANOTHER = re.compile(
    r"(?!(?:answers|responses|replies|outputs|results|messages|texts|sentences|paragraphs|numbers)\b)(?![^§]*§)"
    r"(?:[\w-]+ )?[a-z-]{3,}s "
    r"(?:are|have|use|take|carry"
    r"|read|stand|come|begin|start|end|contain|must|should)\b|(?:the|an?|each|every|this|these|all|any) (?!(?:"
    r"(?:final|entire|whole|full|complete|generated) )*(?:answers?"
    r"|responses?|outputs?|repl\w+|results?|text|summary|message|json))"
    r"[\w' -]{1,40}? (?:is|are|must|should|shall|has|have|will|may|can|contains?)\b",
    re.IGNORECASE,
)
"""A clause about something else than the answer: what its further clauses deny is denied of that."""
_HANGS_ON = re.compile(r"(?:or|otherwise|else|likewise|then)\b", re.IGNORECASE)
"""A sentence that goes on with the one before it."""


def either_of(text: str) -> Any | None:
    """One of two words, each with its condition; None where the sentence is no such choice."""
    terms = quoted_terms(text)
    return either(_masked(text, terms), terms) if len(text) <= _MAX_CHARS else None


def data_of(text: str) -> Any | None:
    """What a sentence demands of an answer as data, where no condition hangs on it."""
    return None if _CONDITION.search(text) else of_data(text, quoted_terms(text))


_CONDITION = re.compile(r"\b(?:if|when(?:ever)?|unless|until|once|can|may|might|could)\b", re.IGNORECASE)


def field_of(text: str, sure: bool = True) -> Any | None:
    """What a sentence demands of a field of an answer that is data; None where it is not about one.

    Args:
        sure: Only where the field's name is quoted, called one, or spelled like one.
    """
    terms = quoted_terms(text)
    masked = _masked(text, terms)
    return of_fields(masked, terms, _whole_check, sure) or null_values(masked, terms)


def of_other_text(text: str) -> bool:
    """Whether something is said of the text that a quoted name stands for."""
    return is_of_field(_masked(text, quoted_terms(text)))


def _whole_check(text: str) -> Any | None:
    read = demand(text, quoted_terms(text))
    return read.check if read.whole else None


def of_data(text: str, terms: tuple[Quoted, ...]) -> Any | None:
    """What a sentence demands of an answer that is data, as far as it is understood."""
    if len(text) > _MAX_CHARS:
        return None
    try:
        masked = _masked(text, terms)
        made = structured(text, masked, terms)
        return (array_length(masked) or object_shown(text)) if made is None else made
    except ValueError:  # more than a check may hold
        return None


NOTHING = Demand(None, False)


def demand(text: str, terms: tuple[Quoted, ...]) -> Demand:
    """Read a sentence whose quoted terms stand at their offsets; where it is not understood, its first half alone."""
    made = _demand(text, terms)
    if made.check is not None:
        return made
    further = _AND_DO.search(text)
    if further is None or _TIED.search(text) or len(text[: further.start()].split()) < _MIN_HEAD_WORDS:
        return made
    first = _demand(text[: further.start()], tuple(each for each in terms if each.end <= further.start()))
    return Demand(first.check, False) if first.whole else made


def set_phrase(text: str) -> Any | None:
    """The check of a sentence that is a set phrase from its first to its last word; None where it is none."""
    terms = quoted_terms(text)
    try:
        return _phrase(text, _masked(text, terms), terms) if len(text) <= _MAX_CHARS else None
    except ValueError:  # more than a check may hold
        return None


def _phrase(text: str, masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    made = of_manners(masked, terms) or of_shown(masked, terms) or of_parts(text, masked, terms)
    return as_list(masked) if made is None and _LIST_AT_END.search(masked) else made


_LIST_AT_END = re.compile(r"\blist[.! ]*$", re.IGNORECASE)


_MIN_HEAD_WORDS = 3
_AND_DO = re.compile(
    r"(?:,|;|\.)? (?:and|but) (?:then |also |always |please |make sure to )?(?=(?:include|mention|use|write|keep|add"
    r"|give|make|put|start|begin"
    r"|end|finish|close|list|cite|provide|explain|describe|avoid|do not|don['’]t|never|highlight|focus|ensure|state"
    r"|say|name|show|answer"
    r"|capture|cover|summari[sz]e|help|ask|refer|link)\b)|; (?=[a-z])|, (?=focus(?:s?ing|ed)\b|highlighting|capturing"
    r"|covering)",
    re.IGNORECASE,
)
_TIED = re.compile(
    r"\b(?:if|when(?:ever)?|unless|except|only|instead|otherwise|or|each|every|either|rather|until|where|for the|in"
    r" the)\b",
    re.IGNORECASE,
)
"""What ties the halves of a sentence together, or says of what it holds."""


def _demand(text: str, terms: tuple[Quoted, ...]) -> Demand:
    """

    A clause that denies stands by itself ("…, no tables"): it is kept where another is not understood. One that demands
    is kept only where the whole is.
    """
    if len(text) > _MAX_CHARS or _HANGS_ON.match(text):
        return NOTHING
    masked = _masked(text, terms)
    alone = ONLY.search(masked) is not None
    slot = (
        _phrase(text, masked, terms)
        or exact(text, masked, terms)
        or opens_with(masked, terms)
        or as_list(masked)
        or no_fence(masked)
        or json_lines(masked)
        or spelled_json(masked)
        or text_not_json(masked)
        or columns(masked, terms)
        or block_alone(masked)
        or narrow(masked, terms)
        or braces(masked, tuple(each.text for each in terms))
        or fenced_term(masked)
        or only_tags(masked, terms)
        or tags(text)
        or banned_words(masked, terms)
        or labelled(masked, terms)
        or chosen(masked, terms, alone)
        or separator(text)
        or listing(masked.strip(" .|"), terms)
    )
    if slot is not None:
        return Demand(slot, True)
    kept, more = bared(masked)
    parts = clauses(kept)
    count = counted(masked) if not terms else None
    if count is not None and len(parts) == 1:
        return Demand(count, True)
    if not parts or len(parts) > _MAX_CLAUSES or sum(part.count(MASK) for part in parts) != _masks_kept(parts, terms):
        return NOTHING
    explained = any(_explains(part) for part in parts)
    made: list[tuple[str, Any | None]] = []
    at = 0
    for part in parts:
        own = terms[at : at + part.count(MASK)]
        at += len(own)
        made.append((part, _read(part, own, explained)))
    implied = any(check is not None for _, check in made)
    unread = [
        part for part, check in made if check is None and not (implied and (_explains(part) or _says_nothing(part)))
    ]
    if unread and _OF_ANOTHER.match(unread[0]):
        return NOTHING
    if unread and not all(DENIES.match(part) for part in unread):
        made = [(part, check) for part, check in made if check is not None and DENIES.match(part)]
    checks = tuple(check for _, check in made if check is not None)
    if not checks:
        return Demand(count, False)
    return Demand(checks[0] if len(checks) == 1 else c.AllOf(checks=checks), not unread and not more)


def _masks_kept(parts: list[str], terms: tuple[Quoted, ...]) -> int:
    """All of the terms, or none: examples of what is named are cut off as a whole."""
    return 0 if not any(MASK in part for part in parts) else len(terms)


def _masked(text: str, terms: tuple[Quoted, ...]) -> str:
    for each in reversed(terms):
        text = f"{text[: each.start]}{MASK}{text[each.end :]}"
    return text


def _read(part: str, terms: tuple[Quoted, ...], explained: bool) -> Any | None:
    try:
        for made in _readings(part, terms, explained):
            if made is not None:
                return made
        return None
    except ValueError:  # more than a check may hold
        return None


def _readings(part: str, terms: tuple[Quoted, ...], explained: bool) -> Iterator[Any | None]:
    yield choice(part, terms, explained)
    yield nth_paragraph(part, terms)
    yield typed_field(part, terms)
    if terms:
        yield read_terms(part, terms)
        return
    yield ordered(part)
    yield dated(part)
    yield read_clause(part)
    yield read_whole(part, explained)


def _says_nothing(part: str) -> bool:
    """``Answer in prose:``, ``Tone: formal``."""
    return leaves_nothing(part) and DENIES.search(part) is None


def _explains(part: str) -> bool:
    """``no explanation``, ``and nothing else``: that there is to be no further text."""
    found = ONLY.search(part)
    return (
        found is not None and leaves_nothing(re.sub(r"\b(?:any|include)\b", " ", DENIES.sub(" ", ONLY.sub(" ", part))))
    ) or (_TEXT.fullmatch(part) or _ELSE.fullmatch(part)) is not None


_ELSE = re.compile(
    r"(?:do not|don['’]t|never|no|without|and) (?:[\w']+ ){0,3}?(?:anything|nothing) (?:else|more"
    r"|further)",
    re.IGNORECASE,
)
_TEXT = re.compile(
    r"(?:(?:do not|don['’]t|never|no|without|avoid)(?: (?:include|add|write|provide|give|output|return))?)(?: any)?"
    r"(?: (?:additional|extra|other|surrounding|further|accompanying|introductory|explanatory|leading|trailing"
    r"|conversational))*"
    r" (?:text|prose|commentary|comments|explanations?|words|content|notes|preambles?|information|introductions?)"
    r"(?:,? (?:or|and|nor) (?:\w+ ){0,2}(?:text|prose|commentary|comments|explanations?|words|content|notes"
    r"|preambles?|formatting|introductions?))*"
    r"(?: (?:before|after|around|outside|in) [\w ]{1,40})?",
    re.IGNORECASE,
)
