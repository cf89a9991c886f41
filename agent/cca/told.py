"""Rules told in sentences of any form ("Our style never uses emoji"): only the grammar says whether they are rules."""

from __future__ import annotations

import re

from agent.cca import wording as w
from agent.cca.ir import RuleKind
from agent.cca.recognise import Found, body_of, condition_in, layout_in, unquoted
from agent.cca.sentences import Sentence

_I = re.IGNORECASE
_MAX_WORDS = 20
_TOLD = re.compile(
    r"(?:our|we|every|each|all|any|no|neither|zero|briefly|concisely|there must|every(?:thing|one))\b"
    r"|(?:the |your )?(?:very )?(?:first|last|final|opening)\b"
    r"|(?:compose|lay|bold|boldface|show|draft|craft|spell|aim|stick|limit|restrict|strike|word|phrase|reply|close"
    r"|sign)\b"
    r"|(?:the |your |this )?(?:\w+ )?(?:answers?|responses?|repl(?:y|ies)|outputs?|posts?|reports?|bullets?"
    r"|bullet points|bullet lists|list items|headings|lists|tables|links|emojis?|steps|dates|paragraphs|sentences"
    r"|numbers|quotes|times|language)\b"
    r"|(?:[\w-]+ ){0,5}(?:never|not|no|without|only|at most|is the (?:ceiling|limit|maximum)|max|taboo"
    r"|off the table)\b"
    r"|(?:key|important) \w+ (?:is|are|go)\b|[\w -]{3,30}: ",
    _I,
)
_GIVEN = re.compile(
    r"\b(?:will (?:be|get|receive|see)|given|provided|was|were|had|did|enclosed|marks?|means?|contains? the)\b", _I
)
"""It tells what there is."""
_BOUNDS = re.compile(r"\b(?:may|can) (?:\w+ ){0,2}(?:at most|no more than|only|not|never)\b", _I)
_NONE = re.compile(r"(?:no|neither|never)\b", _I)
_DENIES = re.compile(r"\b(?:no|never|not|none|without|zero)\b|n['’]t\b", _I)


def told(sentence: Sentence) -> Found | None:
    """A sentence that demands by what it says is so; a rule only where the grammar reads it all."""
    body = body_of(sentence.text)
    plain = unquoted(body)
    if not 2 <= len(plain.split()) <= _MAX_WORDS or body.endswith("?") or w.IDLE.search(plain):
        return None
    permits = w.PERMITS.match(plain) and not _BOUNDS.search(plain) and not _NONE.match(plain)
    if permits or not _TOLD.match(plain) or _GIVEN.search(plain):
        return None
    condition = condition_in(plain, body)
    kind: RuleKind = "conditional" if condition else "must_not" if _DENIES.search(plain) else "must_do"
    return Found(
        kind, kind != "must_do" and _DENIES.search(plain) is not None, "must", condition, None, layout_in(body)
    )
