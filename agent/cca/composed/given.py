"""Conditions that an answer shows by its words: ``A letter with the words "…" in it includes …``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.cca import checks as c
from agent.cca.composed.containers import ANSWER, named
from agent.cca.quoted import quoted_terms

_I = re.IGNORECASE
_LIST = r"§(?:(?:, (?:or |and )?| or | and )§)*"
_WORDS = (
    r"(?:(?:the|an?|any of the|one of the) )?(?:(?:exact )?(?:words?|phrases?|sentences?|terms?|lines?|label"
    r"|text) )?"
)
_HAS = r"(?:has|have|contains?|includes?|uses?|mentions?|says?|carries|bears)"
_OF = re.compile(
    rf"^(?:an?|each|every|any|the|all) {ANSWER} (?:(?:with|containing|that {_HAS}|which {_HAS})"
    rf" {_WORDS}(?P<list>{_LIST})"
    rf"(?: in (?:it|them))?|(?:that|which) (?P<edge>begins?|starts?|opens?) with {_WORDS}(?P<first>{_LIST}))"
    rf",? (?P<rest>(?:must|should|shall|has|have|includes?|contains?|ends?|is|are|needs?|may not|never|asks?|shows?"
    rf"|gives?"
    r"|carries|uses?|states?|mentions?|also)\b.*)$",
    _I,
)
_IF = re.compile(
    rf"^(?:if|when|whenever|where) (?:(?:an?|the|your) {ANSWER} {_HAS} {_WORDS}(?P<list>{_LIST})(?: in it)?"
    rf"|you (?:use|write|say|mention) {_WORDS}(?P<said>{_LIST})|(?P<word>[a-z][\w-]{{4,20}}) (?:is|are) mentioned),"
    rf" (?:then )?(?P<rest>.+)$",
    _I,
)
_PRONOUN = re.compile(r"^(?:it|that|this)(?: (?:one|answer|text))? (?=\w)", _I)
_UNSURE = re.compile(r"\b(?:if|when|unless|except|may (?!not)|can (?!not)|could|prefer\w*)\b", _I)


def given(text: str, read: Callable[[str], Any | None]) -> Any | None:
    """A check that applies where the words stand in the answer; None where it says something else."""
    terms = quoted_terms(text)
    masked = text
    for each in reversed(terms):
        masked = f"{masked[: each.start]}{'§' * (each.end - each.start)}{masked[each.end :]}"
    folded = re.sub(r"§+", "§", masked)
    found = _OF.match(folded) or _IF.match(folded)
    if found is None or _UNSURE.search(found["rest"]):
        return None
    groups = found.groupdict()
    listed = next((groups[name] for name in ("list", "said", "first") if groups.get(name)), "")
    count = listed.count("§")
    words = tuple(each.text for each in terms[:count]) or ((groups["word"],) if groups.get("word") else ())
    if not words:
        return None
    rest = _PRONOUN.sub("The answer ", text[len(text) - len(_tail(masked, found["rest"])) :])
    check = read(named(rest if found.re is _IF else f"The answer {rest}"))
    if check is None:
        return None
    told: Any = c.Contains(terms=words, least=0 if " and " in listed else 1)
    if groups.get("edge"):
        told = c.Starts(terms=words)
    return c.When(condition=told, then=check)


def _tail(masked: str, rest: str) -> str:
    """As much of the end of ``masked`` as ``rest`` is with its terms folded."""
    marks = rest.count("§")
    at = len(masked)
    for _ in range(marks):
        at = masked.rindex("§", 0, at)
        while at and masked[at - 1] == "§":
            at -= 1
    lead = rest.split("§", 1)[0]
    return masked[at - len(lead) :] if marks else masked[len(masked) - len(rest) :]
