"""What "it" and "they" stand for at the start of a sentence: the subject of the sentence before.

"The first line is the headline. It has at most 60 characters": the first line has. What is told to be answered with is
the answer itself ("Reply in one paragraph. It has …").
"""

from __future__ import annotations

import re
from dataclasses import replace

from agent.cca.quoted import quoted_terms
from agent.cca.sentences import Sentence

_PRONOUN = re.compile(r"(?:it|they)(?= )", re.IGNORECASE)
_VERB = (
    r"(?:is|are|has|have|must|should|shall|may|can|will|needs?|contains?|starts?|begins?|ends?|consists?|follows?|goes|go"
    r"|comes?|stands?|lists?|gives?|holds?|stays?|uses?|opens?|closes?|names?|carr(?:y|ies))"
)
_ELLIPTIC = re.compile(
    r"(?:use|give|list|name|write|include|provide|there (?:are|is|must be|should be|may be)|keep it to|and|but"
    r"|aim for)?"
    r" ?(?:(?:at least|at most|exactly|no more than|no fewer than|not more than|up to|a maximum of|a minimum of|only"
    r"|just|between|never more than) )*(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
    r"(?: (?:or|to|and) (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|more|fewer|less))?"
    r"(?: (?:at (?:the )?(?:most|least)|in (?:all|total)|max(?:imum)?|min(?:imum)?|of them|is (?:enough|plenty)))?\W*$",
    re.IGNORECASE,
)
"""A number without what is counted."""
_SUBJECT = re.compile(
    rf"(?:please |and )?(?P<subject>(?:the|each|every|all|any|your|our|an?|no) [^.,;:()]{{2,60}}?) {_VERB}\b",
    re.IGNORECASE,
)
_PLURAL = re.compile(rf"(?P<subject>[A-Z][\w-]+(?: [\w-]+){{0,3}}?) {_VERB}\b")
_ANSWERS = re.compile(
    r"(?:please |always |only |you (?:must|should|shall|will|are to) |i (?:want|need|expect) )?(?:re(?:ply|spond|turn)"
    r"|answer|output|emit|print|send|deliver|produce)\b"
    r"|.*\b(?:answer|repl(?:y|ies)|response|output|message|text|result)\W*$"
    r"|(?:please )?(?:write|give|provide|make|keep|i want|i need) (?:me )?(?:the|your|an?|each|every|one)"
    r" (?:[\w-]+ ){0,2}(?:answer|reply|response|output|message|text|report|summary|essay|email|e-mail|story|poem"
    r"|letter|post|article|json|csv|yaml|xml|table|object|array|list)\b",
    re.IGNORECASE,
)


def resolved(said: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """The sentences, an opening pronoun replaced; ``unclear`` where nothing tells what it stands for."""
    found: list[Sentence] = []
    for each in said:
        found.append(each if each.opening or not found else _behind(found[-1], each))
    return tuple(found)


def _behind(last: Sentence, each: Sentence) -> Sentence:
    """``each`` as it is meant behind ``last``."""
    if _ELLIPTIC.match(each.text):
        return replace(each, unclear=True)
    pronoun = _PRONOUN.match(each.text)
    if pronoun is None:
        return each
    subject = _SUBJECT.match(last.text) or _PLURAL.match(last.text)
    if subject is not None:
        return replace(each, text=f"{subject['subject']}{each.text[pronoun.end() :]}")
    told = bool(quoted_terms(each.text)) or (_ANSWERS.match(last.text) is not None and not last.unclear)
    return replace(each, unclear=not told)  # what is quoted has to be there, whatever it stands in


_EXEMPTS = re.compile(
    r"\b(?:(?:is|are|stay|remain) exempt(?:ed)?|excepted|(?:the )?(?:only )?exceptions?(?: (?:is|are)|:)"
    r"|(?:does|do) not (?:apply|count)|(?:doesn|don)['’]t (?:apply|count)"
    r"|leave out (?:the |those |any )?(?:ones?|those|that|if|where)"
    r"|(?:may|can) (?:be )?(?:omitted|left out|longer|shorter|skipped|exceed|run over|go over|missing|dropped)"
    r"|(?:is|are) optional|(?:omit|skip) (?:it|them|those|the ones|any)\b)",
    re.IGNORECASE,
)


def exempts(following: Sentence) -> bool:
    """Whether a sentence takes something out of the one before: "Lines that hold a URL are exempt."."""
    return not following.opening and _EXEMPTS.search(following.text) is not None
