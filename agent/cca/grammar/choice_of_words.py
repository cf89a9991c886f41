"""One word instead of another: the better one need not occur, the worse one must not."""

from __future__ import annotations

import re

from agent.cca.grammar.light import leaves_nothing
from agent.cca.grammar.polarity import denials
from agent.cca.quoted import Quoted, quoted_terms

_I = re.IGNORECASE
_MASK = "\u00a7"
_SIGNS = " ;,.:-\u2013\u2014"
_BETTER = re.compile(
    rf"(?:[;,.:]|\s[\u2013\u2014-]) ?(?:but |and )?(?:always |please |just |simply )?(?:use|say|write|prefer|choose"
    rf"|put) {_MASK}"
    rf"(?:,? (?:or|and) {_MASK})*(?: instead| in its place| there)?[.! ]*$",
    _I,
)
_CHOSEN = re.compile(
    rf"^(?:please |always )*(?:use|write|say|spell|prefer|put) {_MASK}[^{_MASK};.]{{0,30}}?,? (?:and )?(?:not|never"
    rf"|rather than|instead of) {_MASK}"
    rf"(?:,? (?:or|nor|and) {_MASK})*(?P<tail>.*)$",
    _I,
)


_ALONE = re.compile(
    rf"(?:use|say|write|prefer|choose|put) {_MASK}(?: instead)?[.! ]*$|(?i:use|say|write|prefer|choose|put) {_MASK}"
    rf" instead[.! ]*$"
)


def is_better_word(text: str) -> bool:
    """``use "Orchard"``, ``Use "easily" instead``: the end of a sentence that refuses another word."""
    return _ALONE.match(_masked(text, quoted_terms(text))) is not None


def without_the_better_word(text: str) -> str:
    """``Do not use "we"; use "Orchard"``: without its last clause, where something is refused before it."""
    terms = quoted_terms(text)
    masked = _masked(text, terms)
    found = _BETTER.search(masked)
    if found is None or denials(masked[: found.start()]) % 2 == 0 or _MASK not in masked[: found.start()]:
        return text
    kept = masked[: found.start()].count(_MASK)
    before = text[: terms[kept].start].rstrip(_SIGNS)
    verbs = len(masked[found.start() :].split(_MASK)[0].strip(_SIGNS).split())
    return before.rsplit(" ", verbs)[0].rstrip(_SIGNS)


def is_word_choice_somewhere(text: str, terms: tuple[Quoted, ...]) -> bool:
    """``Use "more than", not "over", with numbers``: the worse word is one in some places only."""
    found = _CHOSEN.match(_masked(text, terms))
    return found is not None and not leaves_nothing(found["tail"])


def _masked(text: str, terms: tuple[Quoted, ...]) -> str:
    for each in reversed(terms):
        text = f"{text[: each.start]}{_MASK}{text[each.end :]}"
    return text
