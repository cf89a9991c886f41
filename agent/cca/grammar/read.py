"""Reads a clause as polarity, features, limit and scope, and makes its check; None where a word is left unread."""

from __future__ import annotations

import itertools
import re
from typing import Any, NamedTuple

from agent.cca import checks as c
from agent.cca.grammar.clauses import NO_BOUND
from agent.cca.grammar.features import FEATURES, WHERE, Feature, wanted
from agent.cca.grammar.light import leaves_nothing
from agent.cca.grammar.limits import Limit, limit_at
from agent.cca.grammar.polarity import ANSWERS_THEM, BAILS, PERMITS, denials, without_denials
from agent.cca.reading import is_of_another

_I = re.IGNORECASE
_UNIT = r"(sentence|paragraph|bullet(?:[- ]point)?|(?:list |bullet )?item|line|heading)"
_SCOPES = (
    re.compile(rf"(?<![\w-])(?P<word>each|every|any|all|no|per|individual|single)(?: (?:of|in) (?:the|your"
               rf"|its))?(?: single| individual)? {_UNIT}s?(?![\w-])", _I),
    re.compile(rf"(?:^|\b(?:keep|make|write|limit|cap|restrict|hold) )(?P<word>the |your |all "
               rf"|individual )?{_UNIT}s\b(?=.*\d|.*\b(?:words?|characters?|sentences?)\b)", _I),
    re.compile(rf"^(?P<word>an?) {_UNIT}\b(?= (?:must|should|may|shall|is|has|can|never))", _I),
)  # fmt: skip
_OF_UNITS = re.compile(
    rf"(?<![\w-])(?:each|every|per|any) (?:(?:of|in) (?:the|your|its) )?(?:single )?{_UNIT}s?(?![\w-])"
    rf"|\b(?:keep|limit|restrict|cap|hold)(?:s|ing|ted)? (?:all |the |your )*{_UNIT}s\b",
    _I,
)
"""A limit beside one of these is one of each of them, never of the whole."""
_PLACES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(?:in |on |of )?(?:the |your )?(?:very )?first line(?: of (?:the|your) \w+)?\b", _I),
     "first_line"),
    (re.compile(r"\b(?:in |on |of )?(?:the |your )?(?:very )?(?:last|final) line(?: of (?:the|your) \w+)?\b", _I),
     "last_line"),
    (re.compile(r"\b(?:in |of )?(?:the |your )?(?:first|opening) sentence(?: of (?:the|your) \w+)?\b", _I),
     "first_sentence"),
)  # fmt: skip
_HIGHLIGHT = re.compile(
    r"\bhighlight ((?:\w+ ){1,4}?)(sections?|parts?|phrases?|passages?)\b(?P<rest>.{0,40}?)(?: (?:with|in"
    r"|using) markdown)?$",
    _I,
)
_FURTHER = re.compile(
    r"(?:,? (?:or|and|nor))? (?:any )?(?:additional|extra|other|surrounding|further|accompanying|introductory"
    r"|explanatory|leading|trailing) "
    r"(?:text|prose|commentary|comments|explanations?|words|content|notes|information|formatting|characters"
    r"|output)\b(?: (?:or|and)(?= ))?"
    r"|,? (?:or|and|nor) (?:any )?(?:commentary|explanations?|prose|text|explanatory text|conversation)$",
    _I,
)
"""``no fences or extra text``: the second forbids what no check can tell."""
_DATA = re.compile(
    r"\b(?:the|your) (?:json|yaml|xml|output|final)(?: (?:object|output|response|document|data|answer))? ((?:(?:must"
    r"|should|shall|has to|needs to|is|are|not|never|always) )+(?:be )?"
    r"(?=(?:wrapped|enclosed|encapsulated|surrounded|placed|embedded|inside|within|in)\b))",
    _I,
)
_WRAPPED = re.compile(
    r"\b(wrap|enclose|encapsulate|surround|put|place|embed) (?:the |your )?(?:json|yaml|xml)(?: (?:object|output"
    r"|response|document|data|answer))?\b",
    _I,
)
_TIMES = re.compile(
    r" (?:(?:must|should|shall|has to|have to|needs? to|may|can|is|are|be|not|never|only|to) ){0,3}(?:appear|occur"
    r"|used|present|show up)\b[^.]{0,40}?\b(times?)\b",
    _I,
)
_OR = re.compile(r"\b(?:or|either)\b|/", _I)
_EXCEEDS = re.compile(r"\b(?:exceed|more than|longer than|over|beyond)\b", _I)
_LOOSE_UNITS = frozenset({"words", "characters"})
_JOINED = re.compile(r"[,;:/&+(–—-]|\b(?:and|or|nor|plus|but|as well as)\b", _I)
_NOT_BUT = re.compile(r"not (?:as |in |with |by )?(?:an? )?[\w-]+(?: [\w-]+)?(?:,| but) (?!(?:and|or|nor)\b)", _I)
"""``Not tables, lists``."""
_MAX_FEATURES = 8
_EXACT_FROM_MOST = 3  # "in 50 words" is an upper bound, "in two words" is meant


class _Found(NamedTuple):
    """Offsets: the words that a feature takes up with its limit."""

    start: int
    end: int
    feature: Feature
    limit: Limit | None


def read_clause(text: str) -> Any | None:
    """The check of one clause, bared of politeness and reasons; None where it is not understood whole."""
    place = next(((p, name) for p, name in _PLACES if p.search(text)), None)
    if place is not None:
        return _read(place[0].sub(" ", text, count=1), "", place[1])
    for pattern, within in WHERE:
        if pattern.search(text):
            return _read(pattern.sub(" ", text, count=1), "", within)
    if not _OF_UNITS.search(text):
        made = _read(text, "", "")
        if made is not None:
            return made
    for pattern in _SCOPES:
        scoped = pattern.search(text)
        if scoped is None:
            continue
        word = (scoped["word"] or "").lower().strip()
        unit = scoped[2].lower()
        scope = "bullet" if "bullet" in unit or "item" in unit else unit
        kept = max(scoped.start(), scoped.start("word") if scoped["word"] else scoped.start(2))  # "limit", "keep" stay
        rest = f"{text[:kept]} {'no answer ' if word == 'no' else ''}{text[scoped.end() :]}"
        made = _read(" ".join(rest.split()), scope, "")
        if made is not None:
            return made
    return None


def _read(text: str, scope: str, within: str) -> Any | None:
    permits = PERMITS.search(text)
    if BAILS.search(text) or ANSWERS_THEM.search(text) or (permits and not denials(text[: permits.start()])):
        return None
    if _NOT_BUT.match(text):
        return None
    if denials(text) % 2:
        further = _FURTHER.sub(" ", text)
        text = text if leaves_nothing(without_denials(further)) else further
    text = _WRAPPED.sub(r"\1 it", _DATA.sub(r"the answer \1", text))
    text = _HIGHLIGHT.sub(r"use \1 highlighted \2\g<rest>", text)
    denied = denials(NO_BOUND.sub(" ", text)) % 2 == 1
    found: list[_Found] = []
    counted: list[tuple[int, int]] = []
    rest = text
    for feature in FEATURES:
        at = 0
        while match := feature.noun.search(rest, at):
            at = match.end()
            if len(found) >= _MAX_FEATURES:
                return None
            limit = limit_at(rest, match.start(), match.end(), denied) or _times(rest, match.end(), denied)
            if feature.only == "count" and limit is None:
                counted.append(match.span())
                continue
            start, end = (limit.start, limit.end) if limit else match.span()
            start, end = min(start, match.start()), max(end, match.end())
            rest = rest[:start] + " " * (end - start) + rest[end:]
            found.append(_Found(start, end, feature, limit))
    if not found or not leaves_nothing(without_denials(rest)) or not _are_beside(text, found, counted):
        return None
    if is_of_another(text) and any(each.limit and each.feature.unit and each.feature.only == "count" for each in found):
        return None
    turned = sum(1 for each in found if each.limit is not None and each.limit.turned)
    wants = (denials(rest) - turned) % 2 == 0
    checks: tuple[Any, ...] = tuple(
        _check(each.feature, each.limit, wants, within) for each in sorted(found, key=lambda each: each.start)
    )
    if None in checks:
        return None
    bounded = any(
        each.limit is not None and each.limit.least is None for each in found
    )  # "not over 3 lines or 50 words"
    either = wants and len(checks) > 1 and not (bounded and _EXCEEDS.search(text)) and _OR.search(rest) is not None
    check: Any = checks[0] if len(checks) == 1 else c.AnyOf(checks=checks) if either else c.AllOf(checks=checks)
    return c.Every(scope=scope, check=check) if scope else check  # type: ignore[arg-type]


def _are_beside(text: str, found: list[_Found], counted: list[tuple[int, int]]) -> bool:
    """Whether the things that are named stand side by side: of "code blocks of at most 20 lines" the second is said of
    the first, whatever the first is. One paragraph or sentence is the whole answer, and may be followed by its size.

    Args:
        counted: Where units are named without a number.
    """
    spans = [(each.start, each.end, each.limit is not None and each.limit.most == 1) for each in found]
    bare = [(*span, False) for span in counted if not any(start <= span[0] < end for start, end, _ in spans)]
    ordered = sorted([*spans, *bare])
    return all(
        one or _JOINED.search(text[end:start]) is not None
        for (_, end, one), (start, _, _) in itertools.pairwise(ordered)
    )


def _times(text: str, end: int, denied: bool) -> Limit | None:
    """``… should appear at least 2 times``."""
    times = _TIMES.match(text, end)
    return limit_at(text, times.start(1), times.end(1), denied) if times else None


def _check(feature: Feature, limit: Limit | None, wants: bool, within: str) -> Any | None:
    if limit is None:
        if feature.only == ("denied" if wants else "wanted"):
            return None
        return wanted(feature, within, 1, None) if wants else wanted(feature, within, None, 0)
    if not wants or feature.only == "denied":
        return None
    least, most = limit.least, limit.most
    if limit.bare and feature.unit in _LOOSE_UNITS and (most or 0) > _EXACT_FROM_MOST:
        least = None
    if feature.name == "sections":
        most = None
    if feature.unit == "items" and limit.bare:
        return None
    return None if least is None and most is None else wanted(feature, within, least, most)
