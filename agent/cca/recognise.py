"""Which sentences are rules, and of which kind: modal verbs, negation, imperatives, conditional clauses.

Deterministic and lexical; the phrases stand in ``wording.py``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.cca import wording as w
from agent.cca.ir import Layout, RuleKind, Strength, Temporal
from agent.cca.sentences import Sentence
from agent.cca.verbs import opens_instruction

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
    text = w.MARKS.sub("", sentence.text, count=1) if sentence.text[:1] != "`" else sentence.text
    body = body_of(sentence.text)
    if len(body) < 8 or body.endswith("?") or w.POINTS.match(body) or w.LINK_ALONE.fullmatch(text):
        return None
    if sentence.introduces and not sentence.item and w.LEAD_ONLY.search(body):
        return None  # its items say what it demands
    own = _own(sentence, body)
    inherited = _of_lead(sentence) if sentence.opening else None
    if inherited is not None and (own is None or inherited.negative):
        plain = _main_clause(unquoted(body))[0]
        if own is None and (w.PERMITS.match(plain) or w.DECLARES.match(plain)):
            return None
        condition = inherited.condition or (own.condition if own else condition_in(unquoted(body), body))
        negative = inherited.negative or (own is not None and own.negative)
        kind: RuleKind = "conditional" if condition else "must_not" if negative else "must_do"
        return Found(kind, negative, inherited.strength, condition, _temporal(body), layout_in(body))
    return own


def declared(sentence: Sentence) -> Found | None:
    """What may be a rule stated as a fact ("Every answer has a summary.") or without a verb ("ASCII only.").

    It is a rule only where a check can be made of it: most sentences of this form are none.
    """
    body = body_of(sentence.text)
    plain = unquoted(body)
    if len(plain) > _MAX_DECLARED or body.endswith("?") or w.PERMITS.match(plain):
        return None
    main, _ = _main_clause(plain)
    if not (w.STATED.match(main) or (len(plain.split()) <= _MAX_FRAGMENT_WORDS and w.FRAGMENT.match(main))):
        return None
    negative = re.search(r"\b(?:no|never|not)\b|n['’]t\b", plain, _I) is not None
    condition = condition_in(plain, body)
    kind: RuleKind = "conditional" if condition else "must_not" if negative else "must_do"
    return Found(kind, negative, "must", condition, None, layout_in(body))


def fragment(sentence: Sentence) -> Found | None:
    """A short sentence of any other form ("Bullets: none", "Tone: formal, no emoji"), or a row of a table.

    It is a rule only where the grammar of demands reads all of it.
    """
    body = body_of(sentence.text)
    plain = unquoted(body)
    if (
        not 2 <= len(plain.split()) <= _MAX_SHORT
        or body.endswith("?")
        or w.PERMITS.match(plain)
        or w.IDLE.search(plain)
    ):
        return None
    if not _DEMANDING.search(plain):
        return None
    negative = re.search(r"\b(?:no|never|not|none|without)\b|n['’]t\b", plain, _I) is not None
    condition = condition_in(plain, body)
    kind: RuleKind = "conditional" if condition else "must_not" if negative else "must_do"
    return Found(kind, negative, "must", condition, None, layout_in(body))


def tells_output(sentence: Sentence) -> bool:
    """Whether it opens with a verb that tells an answerer what to give ("Output raw SQL with no comments")."""
    return not sentence.cell and _OUTPUTS.match(body_of(sentence.text)) is not None


_OUTPUTS = re.compile(
    r"(?:please )?(?:only |just )?(?:output|answer|reply|respond|return)\b(?! (?:of|is|are|was|to|from|values?"
    r"|types?|codes?|format (?:is|of))\b)",
    _I,
)
_MAX_SHORT = 14  # words
_DEMANDING = re.compile(
    r"[:|]|\b(?:no|not|none|never|without|only|must|should|shall|max(?:imum)?|min(?:imum)?|limit|most|least|exactly"
    r"|fewer|less|more|forbidden"
    r"|banned|prohibited|off-limits|free|up to|required|under|over|neither)\b|\d|-free\b"
    r"|^(?:steer|stay|print|place|put|output|start|begin|end|open|close|answer|order|list|split|title|finish|respond"
    r"|reply)\b",
    _I,
)
"""A name alone ("code blocks!") demands nothing."""
_MAX_DECLARED = 240  # characters
_MAX_FRAGMENT_WORDS = 12


def _own(sentence: Sentence, body: str) -> Found | None:
    """What the sentence is by itself."""
    plain = w.IDLE.sub(lambda match: "\x00" * len(match[0]), unquoted(body))
    main, situated = _main_clause(plain)
    if not opens_instruction(main, situated=situated):
        main, situated = _main_clause(w.LABEL.sub("", plain, count=1))
    negative = _forbids(plain) or w.LEADING_NO.match(main) is not None
    modal = _demands(plain)
    purpose = w.PURPOSE.match(plain)
    if modal and purpose and _only_for_a_purpose(plain[purpose.end() :]):
        modal = False
    if modal and sentence.command and w.STRONG.search(plain) is None:
        return None
    if not (negative or modal):
        tutorial = (sentence.number or w.SETUP_SECTION.search(sentence.section.rsplit(" > ", 1)[-1])) and not (
            situated
            or w.RULE_SECTION.search(sentence.section)
            or w.of_answers(sentence.section)
            or w.ANSWER_LEAD.search(sentence.lead)
        )
        if tutorial or purpose or w.INVITED.match(plain) or w.INVITES.search(sentence.lead):
            return None
        if sentence.command and plain[:7].lower() != "before ":
            return None
        if not opens_instruction(main, situated=situated):
            return None
    condition = condition_in(plain, body)
    kind: RuleKind = "conditional" if condition else "must_not" if negative else "must_do"
    strong = w.STRONG.search(plain) is not None or not modal
    return Found(kind, negative, "must" if strong else "should", condition, _temporal(body), layout_in(body))


def _only_for_a_purpose(rest: str) -> bool:
    """After "To run the tests, …": what one needs for that is no rule, what things must be is one."""
    return re.match(r"(?:you|we) (?:\w+ )?(?:need|have|must|should)\b", rest, _I) is not None or not w.FIRM.search(rest)


def _of_lead(sentence: Sentence) -> Found | None:
    """What the sentence before a list makes of each of its items."""
    if not sentence.lead:
        return None
    body = body_of(sentence.lead)
    if w.INVITES.search(body) or w.POINTS.match(body):
        return None
    found = _own(Sentence(sentence.lead, sentence.lead, 1, 1, ""), body)
    if found is None and w.RULE_LEAD.search(body) and not w.PERMITS.match(body):
        found = Found("must_do", False, "must", condition_in(unquoted(body), body), None, None)
    return found


def body_of(text: str) -> str:
    """The text without markers, links and emphasis."""
    text = w.RST_LINK.sub(r"\1", w.ROLE.sub("", text))
    text = w.MD_LINK.sub(r"\1", w.RST_REFERENCE.sub(r"\1", text))
    return w.EMPHASIS.sub("", w.MARKS.sub("", text)).strip()


_BEFORE_CLAUSE = re.compile(
    r"(?:^|[,;:.!?(–—…\"”)-]|\b(?:please|and|but|or|then|so|also|just|always|either|simply|generally|usually|still"
    r"|instead|"
    r"must|should|shall|is|absolutely|really))\s{0,3}$",
    _I,
)


def _at_clause_start(text: str, at: int) -> bool:
    return _BEFORE_CLAUSE.search(text[max(0, at - 24) : at]) is not None


def _forbids(text: str) -> bool:
    """Forbidden in the main clause: a negation inside the condition alone ("if you don't have …") forbids nothing."""
    return _outside_conditions(text, w.FORBIDS, w.FORBIDS_AT_START)


def _demands(text: str) -> bool:
    return w.FIRM.search(text) is not None or _outside_conditions(text, w.DEMANDS, w.DEMANDS_AT_START)


def _outside_conditions(text: str, anywhere: re.Pattern[str], at_start: re.Pattern[str]) -> bool:
    spans = [match.span(1) for match in w.CONDITION.finditer(text)]
    places = [match.start() for match in anywhere.finditer(text)]
    places += [match.start() for match in at_start.finditer(text) if _at_clause_start(text, match.start())]
    return any(not any(start <= place < end for start, end in spans) for place in places)


def unquoted(text: str) -> str:
    """Quoted and inline code contents blanked: the words of an example are no modal verbs of ours."""
    return w.QUOTED.sub(lambda match: "`" + "x" * (len(match.group()) - 2) + "`", text)


def _main_clause(text: str) -> tuple[str, bool]:
    """The text after connectives and a leading condition ("When in doubt, add a test"); whether there was one."""
    situated = False
    for _ in range(4):
        match = w.CONNECTIVE.match(text)
        if match:
            text = text[match.end() :]
            continue
        match = w.CONDITION.match(text) or w.SETTING.match(text)
        if match is None or text[match.end() : match.end() + 1] not in (",", ":"):
            break
        situated = situated or match.re is w.CONDITION
        text = text[match.end() + 1 :].lstrip().removeprefix("then ").lstrip()
    return text, situated


def condition_in(text: str, verbatim: str) -> str:
    match = w.CONDITION.search(text) or w.TRAILING_CONDITION.search(text)
    if match is None:
        return ""
    clause = verbatim[match.start(1) : match.end(1)].strip()
    first = clause.split(" ", 1)[0].lower()
    if text[: match.start(1)].rstrip(" ,").lower().endswith("even"):
        return ""  # "even if …" widens the rule
    if re.match(r"(?:if|when(?:ever)?|where(?:ver)?) (?:at all )?possible\b", clause, _I):
        return ""
    if re.search(
        r"\b(?:see|check|know|sure|decide|verify|tell|determine|or|consider)$", text[: match.start(1)].rstrip(), _I
    ):
        return ""  # "check if …" asks, "…, or if not sure" goes on
    if first == "while" and not clause.split(" ")[1].endswith("ing"):
        return ""  # concession
    if first in ("before", "after", "until", "once", "while", "where", "depending") and match.start(1) > 0:
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


def layout_in(text: str) -> Layout | None:
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
