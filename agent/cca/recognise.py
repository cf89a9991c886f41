"""Which sentences are rules, and of which kind: modal verbs, negation, imperatives, conditional clauses.

Deterministic and lexical; the phrases stand in ``wording.py``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.cca import wording as w
from agent.cca.documents import Sentence
from agent.cca.ir import Layout, RuleKind, Strength, Temporal

_I = re.IGNORECASE


@dataclass(frozen=True, slots=True)
class Found:
    """What makes a sentence a rule."""

    kind: RuleKind
    negative: bool
    strength: Strength
    condition: str
    temporal: Temporal | None
    layout: Layout | None


def recognise(sentence: Sentence) -> Found | None:
    """The rule in a sentence, or None for a description, a question, a permission, a step of a tutorial."""
    text = sentence.text
    body = w.MARKS.sub("", text)
    if len(body) < 8 or body.endswith("?") or (body.endswith(":") and len(body) < 25):
        return None
    plain = _unquoted(body)
    after_label = w.LABEL.sub("", plain, count=1)
    inherited = _polarity_of_lead(sentence.lead)
    negative = _forbids(plain) or w.LEADING_NO.match(after_label) is not None
    idle = w.IDLE.search(plain) is not None
    modal = w.DEMANDS.search(plain) is not None
    if idle and not (w.STRONG.search(w.IDLE.sub(" ", plain)) and not negative):
        return None
    main = _main_clause(after_label)
    imperative = (
        w.STARTER.match(main) is not None
        and w.NO_IMPERATIVE.match(main) is None
        and not (sentence.number and not modal and not w.RULE_SECTION.search(sentence.section))
    )
    if not (negative or modal or imperative or inherited):
        return None
    if inherited == "not":
        negative = True
    condition = _condition(plain, body)
    kind: RuleKind = "conditional" if condition else "must_not" if negative else "must_do"
    strong = w.STRONG.search(f"{sentence.lead} {plain}") is not None or not modal
    return Found(kind, negative, "must" if strong else "should", condition, _temporal(body), _layout(body))


def _forbids(text: str) -> bool:
    """Forbidden in the main clause: a negation inside the condition alone ("if you don't have …") forbids nothing."""
    for match in w.FORBIDS.finditer(text):
        if not any(span[0] <= match.start() < span[1] for span in (m.span(1) for m in w.CONDITION.finditer(text))):
            return True
    return False


def _unquoted(text: str) -> str:
    """Quoted and inline code contents blanked: the words of an example are no modal verbs of ours."""
    return w.QUOTED.sub(lambda match: "`" + "x" * (len(match.group()) - 2) + "`", text)


def _polarity_of_lead(lead: str) -> str:
    """``do`` or ``not`` when the sentence before a list makes each of its items a rule."""
    if not lead or w.IDLE.search(lead):
        return ""
    if w.FORBIDS.search(lead):
        return "not"
    return "do" if w.RULE_LEAD.search(lead) else ""


def _main_clause(text: str) -> str:
    """The text after a leading condition ("When in doubt, add a test")."""
    match = w.CONDITION.match(text) or w.SETTING.match(text)
    if match and text[match.end() : match.end() + 1] in ",:":
        return text[match.end() + 1 :].lstrip().removeprefix("then ").lstrip()
    return text


def _condition(text: str, verbatim: str) -> str:
    match = w.CONDITION.search(text) or w.TRAILING_CONDITION.search(text)
    if match is None:
        return ""
    clause = verbatim[match.start(1) : match.end(1)].strip()
    first = clause.split(" ", 1)[0].lower()
    if text[: match.start(1)].rstrip(" ,").lower().endswith("even"):
        return ""  # "even if …" widens the rule
    if first in ("before", "after", "until", "once", "while", "where") and match.start(1) > 0:
        return ""  # "run the tests before you commit" orders two things and makes nothing conditional
    return clause


def _temporal(text: str) -> Temporal | None:
    within = w.WITHIN.search(text)
    match = w.TEMPORAL.match(text)
    if match is None:
        return Temporal(first="", then="", within=within[1]) if within else None
    left, word, right = match[1].strip(" ,"), match[2].lower(), match[3].strip(" ,")
    first, then = (left, right) if word in ("before", "prior to", "until") else (right, left)
    return Temporal(first=first[:200], then=then[:200], within=within[1] if within else "")


_NUMBERS = {"two": "2", "four": "4", "eight": "8"}


def _layout(text: str) -> Layout | None:
    match = w.INDENT.search(text)
    if match:
        number = match[1] or match[2]
        return Layout(aspect="indent", value=f"{_NUMBERS.get(number.lower(), number)} spaces")
    match = w.LINE_LENGTH.search(text)
    if match and re.search(r"\blines?\b|\bwrap", text, _I):
        return Layout(aspect="line_length", value=f"{match[1]} characters")
    if re.search(r"\bblank lines?\b", text, _I):
        return Layout(aspect="blank_lines", value=text[:200])
    if re.search(r"\bcolumns?\b.{0,80}\border\b|\bcolumns? (?:in|named|called|are)\b", text, _I):
        return Layout(aspect="columns", value=text[:200])
    if re.search(r"\b(?:at the (?:top|bottom|end|beginning|start) of|first line|last line)\b", text, _I):
        return Layout(aspect="placement", value=text[:200])
    return None
