"""Whether a clause wants a thing or refuses it: denials are counted, for two demand ("never omit the table")."""

from __future__ import annotations

import re

_I = re.IGNORECASE
DENIES = re.compile(
    r"\b(?:do not|does not|must not|should not|shall not|may not|can ?not|is not|are not|will not|not|never|no|none"
    r"|zero|without|avoid(?:s|ing|ed)?|omit(?:s|ted|ting)?"
    r"|exclud(?:e|es|ed|ing)|skip(?:s|ped|ping)?|refrain(?:s|ing)? from|forbid(?:s|den)?|prohibit(?:s|ed)?"
    r"|bann?(?:ed|s)?|disallow(?:s|ed)?"
    r"|leav(?:e|ing)(?= (?:\w+ ){0,4}out\b)|left out|leave out|out of bounds|steer(?:ing)? clear(?: of)?"
    r"|stay(?:ing)? away(?: from)?|keep(?:ing)? away from|dispense with"
    r"|do away with|drop(?:ped|ping)?|remov(?:e|ed|ing)|strip(?:ped|ping)?|eliminat(?:e|ed|ing)|off[- ]limits"
    r"|lack(?:s|ing)?|devoid of|minus|unacceptable"
    r"|unwanted|unwelcome|undesirable|reject(?:s|ed)?|free (?:of|from)|abstain(?:ing)? from|forget(?:ting)?(?: to)?"
    r"|fail(?:s|ing)?(?: to)?|neglect(?:ing)?(?: to)?"
    r"|discouraged|stop(?:ping)? (?:using|adding)|nowhere|nor|neither|resist|cut(?: out)?|too many|too much"
    r"|inadmissible|absent|do without|invalid|disqualified"
    r"|penali[sz]ed|wrong|not ok|no-go|verboten)\b|n['’]t\b|(?<=[a-z])-free\b|✗|❌",
    _I,
)
"""Each match is one denial. "do not", "cannot" are one; "nor" goes on with what denied before."""
_GOES_ON = re.compile(r"\b(?:nor|neither)\b", _I)
_NEITHER = re.compile(r"\bneither\b", _I)
_LEAVES = re.compile(r"\bout\b", _I)
BAILS = re.compile(
    r"\b(?:unless|except|apart from|other than|besides|only (?:when|if|where|for|on|after|as|in (?:the|a|an|case)\b)"
    r"|not only|no need|need not|not (?:need|required|necessary|mandatory|obliged)"
    r"|does not (?:matter|have to)|don['’]t (?:have|need) to|do not (?:have|need) to|optional\w*|could|might|if"
    r"|when(?:ever)?|where(?:ver)?|instead"
    r"|rather|else(?:where)?|first|last|before|after|between each|consider|prefer(?:ably|red)?|ideally|try to"
    r"|usually|generally|sparingly|excessive\w*|unnecessar\w*|overus\w*"
    r"|too many|too much|long|large|same|both|who|whom|how|why|was|were|had|did|although|while|again|repeat\w*)\b",
    _I,
)
"""A clause with one of these says more than that a thing is wanted or not."""


ANSWERS_THEM = re.compile(
    r"\banswer(?:s|ed|ing)? (?:\w+ ){0,3}questions?\b|\bquestions? (?:asked|above|below|that|you|in)\b"
    r"|\b(?:provide|generate|write|list|output|return|repeat)\w* (?:\w+ ){0,3}questions?\b",
    _I,
)
"""Questions that are not the answer's own."""
PERMITS = re.compile(r"\b(?:may|can)\b(?! ?not\b)", _I)
"""Without a denial before it a permission ("you may use bullets")."""


def denials(text: str) -> int:
    plain = sum(1 for match in DENIES.finditer(text) if not _GOES_ON.fullmatch(match[0]))
    return plain + (_NEITHER.search(text) is not None)


def without_denials(text: str) -> str:
    out = DENIES.sub(" ", text)
    return _LEAVES.sub(" ", out) if out != text else out
