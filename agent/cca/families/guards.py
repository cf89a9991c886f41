"""Sentences that sound like demands and permit, or take a bound back: no check is made of them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

_I = re.IGNORECASE
_REFUSES = (
    r"\b(?:no|not|never|nothing|none|neither|nor|only|nobody|without|cannot|forbidden|banned|just|alone|exactly|must"
    r"|shall|should)\b|n['’]t\b|\bat (?:most|least)\b|\bno more\b|\bup to\b|\bmaximum\b|\bmax\b"
)
_PERMITS = re.compile(r"\b(?:may|might|can|could|feel free)\b", _I)
_ALLOWED = re.compile(r"\b(?:is|are) (?:allowed|permitted|welcome|fine|ok|okay|optional|free to)\b|\bfeel free\b", _I)
_REFUSED = re.compile(_REFUSES, _I)
_NOT_NEEDED = re.compile(
    r"\b(?:no need (?:for|to|of)|need not|needn['’]t|do(?:es)?(?: not|n['’]t) (?:have|need) to)\b", _I
)
_BOUND_TAKEN_BACK = re.compile(
    r"(?:\bnot|n['’]t|\bnever)(?: \w+){0,2}? (?:limit(?:ed)?|restrict(?:ed)?|confined?|necessarily)\b"
    r"|(?:\bnot|n['’]t) (?:only|just|always)\b|^not (?:every|all|each|everything)\b",
    _I,
)

_OF_OTHERS = re.compile(
    r"^(?:(?:all|the|these|your|our|new) )*(?:rules?|instructions?|guidelines?|prompts?|policies|inputs?|requests?)"
    r" (?:must|shall|should|may|can|have|has|is|are|need)\b",
    _I,
)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|`[^`]*`")
_OF_SOME = re.compile(
    r"^(?:most|many|some) (?:of (?:the|your|our) )?(?:[\w-]+ ){0,2}?(?:answers|responses|replies|outputs|messages"
    r"|sentences|paragraphs|headings|sections|titles|bullets|tables|lists|lines)(?= \w)[^,;:]*$",
    _I,
)
"""``Most answers have three parts``: no single answer breaks it."""
_HABIT = re.compile(
    r"^(?:(?:all|the|your|our|most|old(?:er)?) )*(?:answers?|responses?|repl(?:y|ies)|outputs?|messages?|prompts?|we"
    r"|they|it) (?:\w+ )?used to \w"
    r"|^(?:(?:all|the|your|our|most|many|some|of) )*(?:users|customers|readers|visitors|clients|people)"
    r" (?:\w+ly |often )?(?:write|ask|speak|type|send)\b[^,;:]*$",
    _I,
)
"""What was so, and what users do."""
_OF_A_KIND = re.compile(
    r"^(?:an?|any|each|every|all) (?:[\w-]+ )?(?:refusals?|rejections?|denials?|declin\w+|apolog(?:y|ies)|escalations?"
    r"|corrections?|retractions?|follow-ups?|out-of-scope \w+) (?:must|shall|should|has|have|is|are|need|contain|end"
    r"|begin|start|open|close|say|use|carr|mention)",
    _I,
)
"""``A refusal must say …``: which answers are of that kind, no check can tell."""
_DESCRIBES = re.compile(r"^\W*§?(?: ?\([^()]*\))? ?: [a-z]+s (?:an?|the)\b", _I)
"""``open_ticket``: opens a ticket."""


def permits(text: str) -> bool:
    """Whether it allows, and refuses and demands nothing beside that ("Sentences may be longer than …"), or tells what
    something does."""
    return (
        takes_back(text)
        or _DESCRIBES.search(text) is not None
        or _OF_OTHERS.match(text) is not None
        or _OF_A_KIND.match(text) is not None
        or (_PERMITS.search(text) is not None and _REFUSED.search(text) is None)
    )


def takes_back(text: str) -> bool:
    """The same where it says so outright: ``need not``, ``is allowed``, ``do not limit``."""
    if _NOT_NEEDED.search(text) or _BOUND_TAKEN_BACK.search(text) or _tells_a_habit(text):
        return True
    return _ALLOWED.search(text) is not None and _REFUSED.search(text) is None


def _tells_a_habit(text: str) -> bool:
    plain = _QUOTED.sub(" ", text)
    return _OF_SOME.search(plain) is not None or (_HABIT.search(plain) is not None and _REFUSED.search(plain) is None)


def mark_of(shaped: Sequence[str]) -> int:
    """What a sentence is remembered by, its slots aside."""
    return zlib.crc32("\0".join(shaped).encode())
