"""Items of a list that says what an answer is made of ("Answer as follows: 1. …"): rules, whatever their form."""

from __future__ import annotations

import re

from agent.cca.ir import RuleKind
from agent.cca.recognise import Found, body_of, condition_in, unquoted
from agent.cca.sentences import Sentence

_I = re.IGNORECASE
_ANSWER = r"(?:answers?|repl(?:y|ies)|responses?|outputs?)"
_FORM = r"(?:order|sequence|form|format|structure|layout|scheme|pattern|shape|way|manner)"
_PARTS = r"(?:parts?|sections?|elements?|components?|pieces?|points?|items?|steps?|blocks?|paragraphs?|headings?)"
_AS_FOLLOWS = (
    rf"(?:as follows|like this|in order|(?:this|these|the following|exactly (?:this|these))(?: [\w-]+)?"
    rf" (?:{_FORM}|{_PARTS})|(?:two|three|four|five|six|seven|\d{{1,2}}) {_PARTS}(?:,? in (?:this|that) order)?)"
)
_LEADS = (
    re.compile(
        r"(?:please |always |you (?:must|should|will) )?(?:answer|reply|respond|structure|format|organi[sz]e|order"
        rf"|arrange|compose|lay out|write|give)\b[^:]{{0,80}}\b{_AS_FOLLOWS}[\s:.]*$",
        _I,
    ),
    re.compile(
        rf"(?:the |your |every |each |an |all )(?:[\w-]+ ){{0,2}}{_ANSWER}\b[^:]{{0,80}}\b{_AS_FOLLOWS}[\s:.]*$", _I
    ),
)
_OF_OTHERS = re.compile(r"\b(?:issues?|bugs?|commits?|pull requests?|tickets?|files?|modules?|tests?|imports?)\b", _I)
"""What is structured so is no answer."""


def part_of_form(sentence: Sentence) -> Found | None:
    """The demand that the answer have this part at its place; None outside such a list.

    "1. **Details**" is neither a sentence nor an imperative and would be told nowhere among the rules. No check is
    made of it: which lines of an answer are its details no program can say.
    """
    lead = body_of(sentence.lead)
    if not (sentence.item and sentence.opening and lead) or sentence.text.endswith("?"):
        return None
    if _OF_OTHERS.search(lead) or not any(pattern.match(lead) for pattern in _LEADS):
        return None
    body = body_of(sentence.text)
    condition = condition_in(unquoted(body), body)
    kind: RuleKind = "conditional" if condition else "must_do"
    return Found(kind, False, "must", condition, None, None)
