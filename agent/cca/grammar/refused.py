"""Readings that a sentence does not bear out: words within what is wanted, edges of parts, data behind text."""

from __future__ import annotations

import re
from typing import Any

from agent.cca.quoted import quoted_terms

_I = re.IGNORECASE
_WANTED = re.compile(
    r"\b(?:write|use|prefer|say|put|choose|call(?:ed)?|(?<!such )as) ?[`\"“'‘*]*$|\b(?:spelled|spelt|written"
    r"|named) ?[`\"“'‘]*$",
    _I,
)
_NOT_THE_OTHER = re.compile(r"\b(?:rather than|instead of|not|never|in place of)\b", _I)
_AT_EDGE = re.compile(r"\bat (?:the )?(?:very )?(?:beginning|start|top|end|bottom)\b", _I)
_EDGE_OF = re.compile(
    r"^(?:please |always |you )*(?:start|begin|open|end|close|finish) (?:(?:each|every|all|any|the|your|its) )*"
    r"(?!(?:answers?|repl(?:y|ies)|responses?|outputs?|messages?|texts?|mails?|e-?mails?|letters?|lists?|arrays?|it|off|out|up|directly|straight|immediately|right|only"
    r"|always|exactly|either|both|neither)\b)"
    r"([a-z]+)s? with\b",
    _I,
)
"""``Start notes with "Note:"``: what begins so is a part."""
_ALL_CODE = re.compile(r"\b(?:all|any|every|each) (?:\w+ )?(?:code|snippets?|commands?|examples?)\b", _I)
_NAMED = re.compile(
    r"^(?:the |all |each |every |an? )?(?:\w+ )?(?:names?|ids?|identifiers?|slugs?|labels?|keys?|tags?|fields?|handles?"
    r"|captions?|log (?:lines?|output))\b(?! of the answer)[^.;]*\b(?:are|is|have|has|must|should|may)\b",
    _I,
)
_OF_NUMBERS = re.compile(
    r"\bcommas? (?:for|in|within|inside|as|between) (?:the |any |large )?(?:numbers?"
    r"|figures?|amounts?)\b",
    _I,
)
_BEHIND_REASONS = re.compile(
    r"\b(?:reason(?:ing)?|think|explain|analy[sz]e|evaluate)\b.*\bthen\b (?:\w+ ){0,4}(?:response|answer"
    r"|result)?.*\bjson\b",
    _I | re.S,
)
_SHOWN_LIST = re.compile(r"(?:\be\.g\.?|\bfor example|\bsuch as|\blike),?:? ?\[[\"']", _I)
_SINGULAR = frozenset({"i", "me", "my", "mine", "myself"})


def takes_back(check: Any, text: str) -> bool:
    """Whether the sentence speaks of something else than this check of it looks at."""
    if check.op in ("starts", "ends"):
        return _EDGE_OF.match(text) is not None
    if check.op == "count":
        every_code = check.unit == "fences" and check.least == 1 and check.most is None and _ALL_CODE.search(text)
        return bool(every_code) or (check.unit in ("characters", "words") and _NAMED.match(text) is not None)
    if check.op == "valid":
        return (check.format == "yaml" and "front matter" in text.lower()) or _BEHIND_REASONS.search(text) is not None
    if check.op == "keys":
        return _SHOWN_LIST.search(text) is not None
    return check.op == "matches" and check.finds == "commas" and _OF_NUMBERS.search(text) is not None


def is_marker(check: Any, text: str) -> bool:
    """``one bullet that starts with "- "``: an item is looked at without its marker."""
    if check.part.kind not in ("list_item", "bullet") or check.part.marked or check.check.op != "matches":
        return False
    return any(re.fullmatch(r"[-*+•] ?", each.text) for each in quoted_terms(text))


def refused(check: Any, text: str) -> Any | None:
    """Of words that must not occur, those that the sentence refuses, told apart from what it wants instead."""
    if _AT_EDGE.search(text) and re.search(r"\b(?:greetings?|openers?|openings?|sign-?offs?|closings?)\b", text, _I):
        return None
    quoted = [(each.text, text[: each.start]) for each in quoted_terms(text)]
    named = {term.lower() for term in check.terms}
    wanted = [
        term
        for term, before in quoted
        if _WANTED.search(before) and _NOT_THE_OTHER.search(text[len(before) :]) and not _denied(before)
    ]
    terms = tuple(term for term in check.terms if term not in wanted)
    if re.search(r"\bsingular\b", text, _I) and _SINGULAR & named:
        shown = {term.lower() for term, _ in quoted}
        terms = tuple(term for term in terms if term.lower() in (shown or _SINGULAR))
    if not terms or any(re.match(r"-\w|--\w", term) for term in terms):
        return None  # options of commands are no words
    within = [term for term in terms for other in wanted if other != term and _holds(other, term)]
    if any(term.lower() != other.lower() for term in within for other in wanted if _holds(other, term)):
        return None  # who runs "uv run pytest" runs "pytest"
    numeral = "I" in terms and re.search(r"\bsingular\b", text, _I) is not None  # no numeral of "section II", nor "i"
    case = check.case or bool(within) or numeral
    return check.model_copy(update={"terms": terms, "case": case})


def _holds(wanted: str, term: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(term)}(?!\w)", wanted, _I) is not None


def _denied(before: str) -> bool:
    return re.search(r"\b(?:not|never|no|avoid|without)\b[^.;:]*$|n['’]t\b[^.;:]*$", before, _I) is not None
