"""Conditions of rules that the question or the answer's text decides."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.ir import Rule
from agent.cca.quoted import quoted_terms

_I = re.IGNORECASE
_ASKED = re.compile(
    r"\b(?:(?:when|if|whenever) asked|(?:the )?(?:user|question|request|query|caller|customer)\w*"
    r" (?:asks?|is|mentions?|concerns?|contains?|wants|requests?)|asks?)\b(?: for| about| to| on| regarding|)",
    _I,
)
_IS_SO = re.compile(
    r" (?:(?:field|key|value|property|attribute|option|setting|flag|array|list|object) )?(?:is|are|equals?|was|has|=)",
    _I,
)
"""Of a field: that its name stands in the answer does not mean that it has that value."""
_DENIED = re.compile(r"\b(?:unless|except|without|no|not|never|nobody|none)\b|n['’]t\b", _I)
_MAX_TOPIC_WORDS = 4
_PRONOUN = re.compile(r"it|this|that|so|them|these|those|one|to|you|more|otherwise", _I)


def _question_of(topic: str) -> Any | None:
    """A condition on the question: it quotes terms, or names a topic of a few words that the question has to hold."""
    terms = tuple(each.text for each in quoted_terms(topic))
    if re.search(r"\b(?:no|not|without|unless)\b", topic, _I):
        return None
    if not terms:
        words = re.sub(r"^(?:the|an?|any|some|your|our)\s", "", topic.strip(" ,.:()"), flags=_I)
        if not words or len(words.split()) > _MAX_TOPIC_WORDS or _PRONOUN.fullmatch(words):
            return None
        terms = (words,)
    return c.Contains(terms=terms, least=1, case=False, of="question")


def condition_of(condition: str) -> Any | None:
    """A condition that the answer's text decides: it quotes a term, or speaks of code or a table being there."""
    asked = _ASKED.search(condition)
    if asked:
        denials = _DENIED.findall(condition[: asked.end()])
        met = _question_of(condition[asked.end() :])
        if met is None or not denials:
            return met
        # A topic may be asked for in other words than the rule's: that a question lacks them tells nothing.
        return c.Not(check=met) if len(denials) == 1 and quoted_terms(condition[asked.end() :]) else None
    terms = quoted_terms(condition)
    if terms:
        behind = condition[terms[0].end :]
        if re.search(r"\b(?:no|not|without|unless|missing|absent)\b", condition, _I) or _IS_SO.match(behind):
            return None
        return c.Contains(terms=tuple(each.text for each in terms), least=1, case=any(each.code for each in terms))
    if re.search(r"\b(?:no|not|without|unless)\b|n['’]t\b", condition, _I):
        return None
    if re.search(
        r"\b(?:includ|show|contain|provid|giv|writ|us)\w*\s(?:\w+ )?(?:code|snippets?|code blocks?|"
        r"examples? of code)\b",
        condition,
        _I,
    ):
        return c.Count(unit="fences", least=1)
    if re.search(r"\b(?:includ|show|contain|provid|giv|us)\w*\s(?:an? )?tables?\b", condition, _I):
        return c.Table(least_rows=0)
    if re.search(
        r"\b(?:includ|contain|us|giv|list)\w*\s(?:an? )?(?:lists?|bullets?"
        r"|bullet points?)\b",
        condition,
        _I,
    ):
        return c.Count(unit="bullets", least=1)
    return None


_SHOWS = re.compile(r"\b(?:e\.g\.?|for example|for instance|such as),? ?$", _I)
_ALWAYS_SO = re.compile(
    r"(?:when|while|whenever|after|before|once) (?:you (?:are )?)?(?:providing|giving|writing|answer(?:ing)?|respond"
    r"(?:ing)?|reply(?:ing)?"
    r"|generating|producing|formulating|compos(?:e|ing)|return(?:ing)?|give|provide|write)"
    r"(?: (?:an?|the|your|any) (?:final )?(?:answers?|responses?|repl(?:y|ies)|outputs?|messages?)| to (?:the )?"
    r"(?:user|customer)s?|to them)?",
    _I,
)
"""No condition: every answer is one that is given."""


def unconditional(rule: Rule) -> Rule:
    """A clause that only illustrates ("e.g., if x=1, then …"), or is always met, is no condition."""
    if rule.condition and _ALWAYS_SO.fullmatch(rule.condition.strip(" ,.")):
        return rule.model_copy(update={"condition": ""})
    at = rule.text.find(rule.condition) if rule.condition else -1
    shown = at >= 0 and _SHOWS.search(rule.text[:at]) is not None
    return rule.model_copy(update={"condition": ""}) if shown else rule
