"""Families of openings and closings: with given words, without them, greetings, sign-offs, questions at the end."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.words.kit import QUOTE_OPENS, either, never, none, some, wants
from agent.cca.families.words.names import is_open, named

_I = re.IGNORECASE
_LOOSE = r"[\s*_,]+"
_TAIL = r"[\s*_\"”'’`.!?…)]*\z"
_GREET = re.compile(
    r"\b(?:greet\w*|start|begin|open|say|salutation|greeting|first word)\b[^.;]{0,60}?\b(?:with|is|be|say|as)"
    r" (?:either |an? |the word |plain |just )*(?P<t>[A-Z][a-z]+(?:(?: or |/)[A-Z][a-z]+)?)"
)
_YES = re.compile(r"\b(?:a )?(?:plain |simple |clear )?(yes) or (?:a )?(?:plain )?(no)\b", _I)


def _shown(s: Slots) -> tuple[str, ...]:
    if s.terms:
        return () if any(is_open(term) for term in s.terms) else s.terms
    yes = _YES.search(s.text)
    if yes:
        return (yes[1], yes[2])
    found = _GREET.search(s.text)
    return tuple(re.split(r" or |/", found["t"])) if found else ()


def starts(terms: tuple[str, ...]) -> str:
    return rf"(?i)\A{QUOTE_OPENS}{either(terms, _LOOSE)}"


def ends(terms: tuple[str, ...]) -> str:
    kept = tuple(term.rstrip(".!?… ") or term for term in terms)
    return rf"(?i){either(kept, _LOOSE)}{_TAIL}"


def _open_with(s: Slots) -> Any | None:
    found = _shown(s)
    return some(starts(found), "such a beginning", within="answer") if found else None


def _open_without(s: Slots) -> Any | None:
    found = s.terms or s.contrast or _shown(s)
    return none(starts(found), "such a beginning", "answer") if found else None


def _close_with(s: Slots) -> Any | None:
    found = named(s)
    return some(ends(found), "such an end", within="answer") if found else None


def _close_without(s: Slots) -> Any | None:
    """The last sentence does not begin with what is quoted: it may go on behind it."""
    found = s.terms or s.contrast
    if not found:
        return None
    said = either(tuple(term.rstrip(".!?… ") or term for term in found), _LOOSE)
    return none(rf"(?i){said}[^.!?\n]{{0,120}}[.!?]*[\s*_]*\z", "such an end", "answer")


def _open_close(s: Slots) -> Any | None:
    if len(s.terms) != 2 or any(is_open(term) for term in s.terms):
        return None
    first, last = s.terms
    close = re.search(r"\b(?:end|finish|close|sign|conclude)\w*\b", s.text, _I)
    start = re.search(r"\b(?:start|begin|open|greet)\w*\b", s.text, _I)
    if close and start and close.start() < start.start():
        first, last = last, first
    return c.AllOf(
        checks=(
            some(starts((first,)), "such a beginning", within="answer"),
            some(ends((last,)), "such an end", within="answer"),
        )
    )


_NEVER = re.compile(r"(?:please )?(?:never|do not|don['’]t|avoid|no)\b(?! (?:forget|omit|leave|skip|miss|drop))", _I)


def _last_line(s: Slots) -> Any | None:
    found = s.terms
    if not found or any(is_open(term.rstrip(": ")) for term in found) or _NEVER.match(s.text):
        return None
    if not re.search(r"\b(?:lines?|begin\w*|start\w*|open\w*|label\w*|follow\w*|introduc\w*|head\w*)\b", s.text, _I):
        return None
    check = c.Matches(pattern=rf"(?i)\A{QUOTE_OPENS}{either(found)}", finds="such a beginning")
    return c.Each(part=c.Part(kind="line", nth=-1), check=check)


def _starts_each(kind: Any, deny: bool) -> Any:
    def make(s: Slots) -> Any | None:
        found = s.terms or s.contrast
        if not found and deny and kind == "sentence" and _NUMERAL.search(s.text):
            numeral = none(r"\A[\s*_]*\d(?:[\d,.]*\d)?%? [A-Za-z]", "number at its start", "answer")
            return c.Each(part=c.Part(kind="sentence"), check=numeral)
        if not found or any(is_open(term) for term in found):
            return None
        nth = _NTH.search(s.text)
        at = 0
        if nth and kind == "paragraph":
            at = _NUMBER.get(nth[1].lower(), 0)
        pattern = rf"\A(?:[-*+•]\s+|\d{{1,3}}[.)]\s+)?{QUOTE_OPENS}(?i:{either(found)})"
        check = (
            none(pattern, "such a beginning", "answer") if deny else some(pattern, "such a beginning", within="answer")
        )
        return c.Each(part=c.Part(kind=kind, nth=at), check=check)

    return make


_NUMERAL = re.compile(r"\b(?:numbers?|numerals?|digits?|figures?)\b", _I)
_NTH = re.compile(r"\b(first|second|third|fourth|fifth|last|final|closing|opening) paragraph\b", _I)
_NUMBER = {
    "first": 1, "opening": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1, "final": -1, "closing": -1,
}  # fmt: skip

HELLO = (
    r"(?i)\A\W*(?:hi|hello|hey|hiya|howdy|dear|greetings|welcome|good (?:morning|afternoon|evening|day)|hallo|bonjour"
    r"|hola|salut|ciao)\b"
)
_SIGN = (
    r"(?:kind|best|warm|warmest|kindest|many)? ?(?:regards|wishes)|yours (?:sincerely|faithfully|truly)|sincerely"
    r"(?: yours)?|cheers|all the best|best|take care|respectfully|warmly|cordially|thanks again|many thanks|thank you"
    r"|thanks|see you(?: soon)?|talk soon|have a (?:nice|great|good|lovely|wonderful) (?:day|evening|weekend|week)"
)
SIGN_OFF = rf"(?i)^[\s*_]*(?:{_SIGN})[,!.]?[\s*_]*(?:\n\s*[^\n]{{1,60}}){{0,3}}\s*\z"
OFFER = (
    r"(?i)\b(?:let me know if|let us know if|i? ?hope (?:this|that) (?:helps|answers)|feel free to (?:ask|reach"
    r"|contact)"
    r"|(?:is there )?anything else (?:i|we) can|happy to (?:help|assist)|if you have any (?:other |further |more )?"
    r"questions|don['’]t hesitate to|do not hesitate to|reach out (?:to us )?if|would you like me to|do you want me to"
    r"|if you(?:['’]d like| want| need)[^.!?\n]{0,60}\b(?:help|assist|just ask|let me know|say so|more))"
)
PREAMBLE = (
    r"(?i)\A\W*(?:sure\b|certainly\b|of course\b|absolutely\b|definitely\b|great question|good question"
    r"|excellent question"
    r"|what a (?:great|good|lovely|fantastic|wonderful)|okay[,!. ]|ok[,!] |no problem[,!. ]|happy to help"
    r"|glad you asked"
    r"|i['’]d be (?:happy|glad|delighted)|i would be (?:happy|glad|delighted)|i['’]m (?:happy|glad) to"
    r"|thank you for (?:your|reaching|asking|contacting|getting|writing)|thanks for (?:your|reaching|asking|contacting"
    r"|getting|writing)|here(?:['’]s| is| are) |let me (?:explain|walk|help|show)|in this (?:answer|response|reply)"
    r"|i hope (?:you|this)|that['’]s a (?:great|good|excellent))"
)
_CONCLUDES = (
    r"(?i)^[\s*_#]*(?:in (?:conclusion|summary|short|closing|sum)|to (?:conclude|summari[sz]e|sum up|wrap up|recap)"
    r"|summing up|all in all|overall|conclusions?(?:$|:|\*)|in a nutshell|to sum it up|final thoughts?)\b"
)
THANKS = (
    r"(?i)\b(?:thank (?:you|u)\b|thanks(?:[,.!;:)]|$| again| for| so much| a lot| in advance| very)|grateful\b"
    r"|appreciate (?:you|your|it)\b|much appreciated\b)"
)
_GREETS = re.compile(r"(?:please |always )?(?:greet|start|open|begin) (?:\w+ )?with\b", _I)
"""With what to greet is said, not that one must not."""
FAMILIES: tuple[Family, ...] = (
    Family("open.with", "the answer begins with {terms}", _open_with, takes_terms=True),
    Family("open.without", "the answer does not begin with {terms}", _open_without, takes_terms=True),
    Family("close.with", "the answer ends with {terms}", _close_with, takes_terms=True),
    Family("close.without", "the answer does not end with {terms}", _close_without, takes_terms=True),
    Family("open.close", "the answer begins and ends with {terms}", _open_close, takes_terms=True),
    Family("last.starts", "the last line begins with {terms}", _last_line, takes_terms=True),
    Family("sentence.starts_not", "no sentence begins with {terms}", _starts_each("sentence", True), takes_terms=True),
    Family("paragraph.starts", "the paragraph begins with {terms}", _starts_each("paragraph", False), takes_terms=True),
    Family("paragraph.starts_not", "no paragraph begins with {terms}", _starts_each("paragraph", True),
           takes_terms=True),
    wants("greeting.present", "a greeting at the start", HELLO, "a greeting at the start", "answer"),
    Family("greeting.none", "no greeting", lambda s: None if _GREETS.match(s.text) else none(
        HELLO, "a greeting at the start", "answer"), takes_terms=True),
    wants("signoff.present", "a sign-off at the end", SIGN_OFF, "a sign-off", "answer"),
    never("signoff.none", "no sign-off", SIGN_OFF, "a sign-off", "answer", terms=True),
    never("preamble.none", "no pleasantries before the answer", PREAMBLE, "a preamble", "answer", terms=True),
    never("offer.none", "no offer of further help", OFFER, "an offer of help", terms=True),
    wants("offer.present", "an offer of further help", OFFER, "an offer of help"),
    Family("pleasantries.none", "no pleasantries before or behind the answer", lambda s: _pleasantries(s),
           takes_terms=True),
    never("conclusion.none", "no summing up at the end", _CONCLUDES, "a conclusion", terms=True),
    never("thanks.none", "no thanks", THANKS, "thanks", terms=True),
    Family("thanks.present", "thanks", lambda s: _thanks(s)),
    wants("tldr.present", "a TL;DR line", r"(?i)^\W*tl;? ?dr\b", "a TL;DR line", terms=True),
)  # fmt: skip


def _pleasantries(s: Slots) -> Any:
    """Of a sentence about how to begin, what it quotes must not stand first."""
    if s.terms and re.match(
        r"(?:please |do not |don['’]t |never )*(?:begin|start|open)\b(?!.*\b(?:end|close|pleasantr)\w*)", s.text, _I
    ):
        return none(
            starts(tuple(term for term in s.terms if not is_open(term)) or s.terms), "such a beginning", "answer"
        )
    return c.AllOf(checks=(none(PREAMBLE, "a preamble", "answer"), none(OFFER, "an offer of help")))


def _thanks(s: Slots) -> Any:
    if re.search(r"\b(?:first|opening) sentence\b|\b(?:start|begin|open)\w*\b|\bfirst\b", s.text, _I):
        return c.Each(part=c.Part(kind="sentence", nth=1), check=some(THANKS, "thanks"))
    if re.search(r"\b(?:last|closing|final) sentence\b|\b(?:end|close|finish|conclud)\w*\b", s.text, _I):
        return c.Each(part=c.Part(kind="sentence", nth=-1), check=some(THANKS, "thanks"))
    return some(THANKS, "thanks")
