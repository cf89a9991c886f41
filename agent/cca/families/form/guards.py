"""What a sentence has to speak of, and must not, for a family of form: the classifier weighs all words, these decide.

A sentence of other people is told from wordings that share most of its words; the word that tells "bullets end
without a full stop" from the same of headings is one in eight. So each family names what its sentences cannot do
without, and which word makes them a demand on another thing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from agent.cca.families.family import Family, Slots
from agent.cca.families.form.guards_blocks import GUARDS as OF_BLOCKS
from agent.cca.families.form.guards_marks import GUARDS as OF_MARKS
from agent.cca.grammar.polarity import denials

_I = re.IGNORECASE
GUARDS = (*OF_BLOCKS, *OF_MARKS)
_FOREIGN = (
    r"\b(?:commits?|pull requests?|docstrings?|functions?|variables?|identifiers?|parameters?|arguments?|fields?"
    r"|propert(?:y|ies)|json|csv|yaml|branch(?:es)?|tools?|prompts?|inputs?|documents? you|comments|methods?"
    r"|class(?:es)?"
    r"|modules?|(?<!write )file ?names?|log (?:lines?|messages?|entr(?:y|ies))|user(?:'s)?(?= (?:message"
    r"|question|text|input))"
    r"|quer(?:y|ies))\b|(?<!shift )\bkeys?\b(?! (?:term|phrase|word|message|figure|point|fact|takeaway|idea)s?)"
)
"""Other things than a chat answer, that have lengths and forms of their own."""
_ABOUT = (
    r"\b(?:about|around|roughly|approximately|approx\.?|circa|nearly|almost|close to|on average)(?: an?)?"
    r" (?=\d|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|fifty|hundred|sixty"
    r"|eighty)"
    r"|(?<!, )(?<!; )(?<!\()\bnot (?:\d+|two|three|four|five|six|ten)\b"
    r"|\bor so\b|\bon average\b|\bgive or take\b(?! (?:\d|one|two|three|four|five|six|ten))"
    r"|\bin the (?:region|order) of\b"
)
_BOUNDS = (
    r"\b(?:no|not|never|nothing) (?:\w+ )?(?:more|fewer|less|longer|shorter) than (?!a\b|one\b)"
    r"|\bat most (?!one\b|once\b)"
)
_DENIES_TOO = (
    r"\b(?:nothing|rules? out|are out|is out|stay out|out of|leave off|away|instead of|rather than|un\w+|not"
    r"|forbidden|banned|prohibited|off[- ]limits)\b|\bplain\b"
    r"|\bleav\w+ (?:\w+[\w’']* ){1,5}(?:off|away|aside)\b|\bagainst (?:our|the|house)\b|\breserved for\b"
    r"|\bgets? (?:\w+ )?(?:blocked|rewritten|rejected|refused|deleted)\b|\bbreaks the\b|\bsent back\b"
    r"|\b(?:have|write|leave|use) none\b|\bkeep .{2,30} to yourself\b|\brestricts?\b"
    r"|\bno [\w ]{2,30}(?:,|,? and|,? or) no\b"
)
_MISSED = (
    r"\b(?:without|lacks?|does not|doesn['’]t|do not|don['’]t)\b.*\b(?:sent back|incomplete|not complete"
    r"|isn['’]t complete"
    r"|rejected|refused|returned|out of place|worthless|an insult|useless)\b"
)
"""What happens to an answer that does without a thing: the thing is wanted."""
_CONTRASTED = r"[,;:.(–—]|\b(?:so that|since|because|as)\b|\b(?:instead|rather|but)\b"


def guarded(family: Family) -> Family:
    """The family, its check made only of sentences that pass each of its guards."""
    own = [guard for pattern, guard in GUARDS if re.fullmatch(pattern, family.id)]
    about = [re.compile(each, _I) for guard in own for each in guard.about]
    foreign = "" if family.id.startswith(("code.", "fences.")) else _FOREIGN
    forbids = [re.compile(each, _I) for each in (*(guard.forbids for guard in own), foreign) if each]
    if not family.bounded and not family.id.startswith(("blank.", "headings.", "parts.")):
        forbids.append(re.compile(_BOUNDS, _I))
    wanted = next((guard.wanted for guard in own if guard.wanted is not None), None)
    hedged = re.compile(_ABOUT, _I) if family.bounded else None

    def make(slots: Slots) -> Any | None:
        text = _without_terms(slots)
        if any(not each.search(slots.whole) for each in about) or any(each.search(text) for each in forbids):
            return None
        if hedged is not None and hedged.search(text):
            return None
        if wanted is not None and not _polarity_fits(text, wanted):
            return None
        return family.make(slots)

    return replace(family, make=make)


def _without_terms(slots: Slots) -> str:
    text = slots.text
    for term in slots.terms:
        text = text.replace(term, " ")
    return text


def _polarity_fits(text: str, wanted: bool) -> bool:
    """A clause with an odd number of denials refuses; where a sentence contrasts, either may be meant."""
    odd = denials(text) % 2 == 1
    if wanted:
        return not odd or re.search(f"{_CONTRASTED}|{_MISSED}", text, _I) is not None
    return (
        odd
        or re.search(_DENIES_TOO, text, _I) is not None
        or (denials(text) > 0 and re.search(r"[,;:]", text) is not None)
    )
