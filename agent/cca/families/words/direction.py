"""Which of two ways a sentence wants: "a point, not a comma", "never single quotes", "instead of X, use Y"."""

from __future__ import annotations

import re
from collections.abc import Mapping

_I = re.IGNORECASE
_BOUND = re.compile(r"[;:.!?](?=\s|$)|,(?=\s)|\s[–—-]\s|\bbut\b|\band\b(?= (?:not|never|no|use|write)\b)", _I)
_DENIES = re.compile(
    r"\b(?:not|never|no|none|avoid\w*|without|instead of|rather than|in place of|in lieu of|leave out"
    r"|leave off|omit"
    r"|drop|skip|ban|forbid|refrain|replace|swap|ditch|remove|neither|nor|stop|do without|than)\b|n['’]t\b",
    _I,
)
_DENIED_BEHIND = re.compile(
    r"^\W{0,2}(?:never|not at all)[.!]?$|^[^,;:]{0,40}?(?:\b(?:is|are|be|must|may|should|can|has|have|do"
    r"|does)\b[^,;:]{0,20}\b(?:not|never|no)\b|n['’]t\b"
    r"|\b(?:forbidden|banned|prohibited|disallowed|unwanted|out|off limits|avoided|omitted|old-fashioned|unacceptable"
    r"|replaced|wrong)\b)",
    _I,
)
_JOINED = re.compile(
    r"(?:\.?[\"”'])?[\s,\"“'()/]*(?:(?:or|and|nor|units?|such as|like|e\.g\.|the|signs?|symbols?)[\s,\"“”'(]+)*", _I
)
_TO = re.compile(r"\bprefer\w* [^,;]{2,60}? (?:to|over) $", _I)
REFUSES = re.compile(
    r"\b(?:no|not|never|none|nothing|must go|prefer|neutral|whole|integers?|words|neither|nor|without|zero"
    r"|avoid\w*|leave|left|omit\w*|skip\w*|drop\w*|refrain\w*"
    r"|ban\w*|forbid\w*"
    r"|prohibit\w*|free of|instead of|rather than|do without|stop\w*|remov\w*|cut|strike|strip\w*|delet\w*|keep\w*"
    r"|steer\w*"
    r"|stay\w*|spare|exclud\w*|disallow\w*|off|out|away|unwanted|unwelcome|taboo|absent|redact\w*|mask\w*|hide"
    r"|refuse\w*"
    r"|abstain\w*|cringe|allergic|nobody|nowhere|reject\w*|straight|directly|get|dive|expand|full|spell\w*"
    r"|replace\w*|fill\w*"
    r"|only|lipogram|unacceptable|than|blacklist\w*|eliminat\w*|resist|wrong|sparing|edit|turn|banish\w*"
    r"|purge\w*)\b|n['’]t\b",
    _I,
)
"""What a sentence that refuses something has somewhere."""
_TWICE = re.compile(
    r"(?:\b(?:not|never)\b|n['’]t)[^.;]{0,30}?\b(?:forget|omit|leave|skip|miss|fail|without|drop|lack|answer|send)\w*"
    r"|\bwithout\b|\bno \w+ without\b|\bmay not be missing\b|\bmust not be missing\b",
    _I,
)
_OTHER = re.compile(r"\b(?:not|never|instead of|rather than) (?:the |as |by )* *§", _I)
_PLAINLY = re.compile(
    r"\b(?:not|never|no|avoid\w*|without|omit\w*|skip|refrain\w*|forbidden|banned|prohibited)\b|n['’]t\b|\bleave out\b",
    _I,
)


def refuses(text: str) -> bool:
    """Whether something in the sentence may deny: of a family that refuses."""
    return REFUSES.search(text) is not None


def demands(text: str) -> bool:
    """Whether nothing denies, or something denies twice: of a family that demands."""
    text = _OTHER.sub(" ", text)
    return _PLAINLY.search(text) is None or _TWICE.search(text) is not None


def _mentions(text: str, ways: Mapping[str, str]) -> list[tuple[int, int, str]]:
    found = [
        (match.start(), match.end(), name) for name, pattern in ways.items() for match in re.finditer(pattern, text, _I)
    ]
    found.sort(key=lambda each: (each[0], -each[1]))
    kept: list[tuple[int, int, str]] = []
    for each in found:
        if not kept or each[0] >= kept[-1][1]:
            kept.append(each)
    return kept


def told(text: str, ways: Mapping[str, str]) -> tuple[frozenset[str], frozenset[str]]:
    """(the ways that are wanted, those that are refused), by what stands around each mention."""
    groups: list[tuple[int, int, set[str]]] = []
    for start, end, name in _mentions(text, ways):
        if groups and _JOINED.fullmatch(text[groups[-1][1] : start]):
            groups[-1] = (groups[-1][0], end, groups[-1][2] | {name})
        else:
            groups.append((start, end, {name}))
    wanted: set[str] = set()
    refused: set[str] = set()
    for at, (start, end, names) in enumerate(groups):
        ahead = text[:start]
        bounds = [match.end() for match in _BOUND.finditer(ahead)]
        before = text[max([*bounds[-1:], groups[at - 1][1] if at else 0]) : start]
        behind = text[end : groups[at + 1][0] if at + 1 < len(groups) else len(text)]
        denied = (
            len(_DENIES.findall(before)) % 2 == 1
            or _DENIED_BEHIND.search(behind) is not None
            or _TO.search(ahead) is not None
        )
        (refused if denied else wanted).update(names)
    return frozenset(wanted - refused), frozenset(refused - wanted)


def choose(text: str, ways: Mapping[str, str]) -> str | None:
    """The one way that is wanted: alone so, or of two the other one is refused; None where that cannot be told."""
    wanted, refused = told(text, ways)
    if len(wanted) == 1:
        return next(iter(wanted))
    if not wanted and len(ways) == 2 and len(refused) == 1:
        return next(name for name in ways if name not in refused)
    return None
