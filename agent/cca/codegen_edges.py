"""CodeGen: the first and the last of an answer, of its lines, sentences and bullets."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from agent.cca import checks as c
from agent.cca.quoted import HOLE
from agent.cca.reading import OTHER_SUBJECT, SUBJECT, Reading, scope_of

_I = re.IGNORECASE
_START = re.compile(r"\b(?:start|begin|open|prefix|lead)(?:s|ning|ing|ed)?\b[^.]{0,30}?\bwith\b", _I)
_END = re.compile(
    r"(?<!the )(?<!very )\b(?:end|finish|conclude|close|sign off)(?:s|ing|ed)?\b[^.]{0,30}?\b(?:with|in)\b", _I
)


_EACH = re.compile(r"\b(?:an?|any|each|every) (sentence|paragraph|bullet|line)s?\b", _I)
_FIRST_LAST = re.compile(r"\b(first|last|final) line\b[^.]{0,40}\b(?:be|is|reads?|says?|contains?)\b", _I)
_GOES_ON = re.compile(
    r"\s{0,2}(?:,? and (?:then )?|,? )?(?:followed by|then|and (?:an?|the)|with (?:an?"
    r"|the)|section|heading)\b",
    _I,
)
_PUNCTUATION = {
    "period": (".",), "full stop": (".",), "question mark": ("?",), "exclamation mark": ("!",), "colon": (":",),
    "comma": (",",), "semicolon": (";",), "question": ("?",), "punctuation": (".", ",", ";", ":", "!", "?"),
}  # fmt: skip
_SIGN = re.compile(
    r"\b(?:with|in) (?:an? |any )?(" + "|".join(sorted(_PUNCTUATION, key=len, reverse=True)) + r")\b", _I
)
_FIRST_SIGN = re.compile(
    r"\bwith (?:an? )?(?:(capital|upper[- ]?case)|(lower[- ]?case|small)|(digit|number)) ?(?:letters?)?\b", _I
)


def edge_lines(reading: Reading) -> Any | None:
    """``The first line must be "STATUS: OK"``."""
    match = _FIRST_LAST.search(reading.text)
    terms = tuple(each.text for each in reading.terms)
    if match is None or not terms or reading.negative:
        return None
    if re.search(r"\b(?:files?|docstrings?|commits?|modules?|scripts?|templates?)\b", reading.text, _I):
        return None
    within: Any = "first_line" if match[1].lower() == "first" else "last_line"
    return c.Starts(terms=terms if re.search(r"\bor\b", reading.text, _I) else terms[:1], within=within)


_FIRST_HEADING = re.compile(
    r"\b(?:start|begin|open)\w* with an? (?:markdown )?(?:(?:level[- ]|h)([1-6])|(first|top"
    r"|second)[- ]level)[- ]?(?: ?heading)?\b"
    r"|\bfirst line\b[^.]{0,30}\b(?:be|is) an? (?:markdown )?(?:(?:level[- ]|h)([1-6])|(first|top"
    r"|second)[- ]level)\b",
    _I,
)


def first_heading(reading: Reading) -> Any | None:
    """``The first line must be a level-1 heading``."""
    match = _FIRST_HEADING.search(reading.text)
    if match is None or reading.negative or reading.code:
        return None
    level = match[1] or match[3] or ("2" if (match[2] or match[4]).lower() == "second" else "1")
    return c.Matches(pattern=rf"\A\s*#{{{level}}} \S")


_BRACKETS = {"curly": ("{", "}"), "square": ("[", "]"), "angle": ("<", ">")}
_BRACKETED = re.compile(
    r"\b(?:start|begin)\w* and (?:must )?end\w* with (?:an? )?(curly|square|angle) (?:brackets?|braces?)\b", _I
)


def edges(reading: Reading) -> Any | None:
    """How the answer, or each of its units, starts and ends; a rule may demand both."""
    bracketed = _BRACKETED.search(reading.text)
    if bracketed and not reading.negative:
        opening, closing = _BRACKETS[bracketed[1].lower()]
        return c.AllOf(checks=(c.Starts(terms=(opening,)), c.Ends(terms=(closing,))))
    if re.search(
        r"\b(?:interaction|conversation|session)\b|[`\"'”] (?:tools?|functions?|commands?)\b", reading.text, _I
    ):
        return None  # one begins by doing, not by saying
    start, end = _START.search(reading.text), _END.search(reading.text)
    if start is not None and end is not None and start.end() < end.start() and not reading.negative:
        before = tuple(each for each in reading.terms if each.end <= end.start())
        after = tuple(each for each in reading.terms if each.start >= end.end())
        if before and after:
            parts = (replace(reading, text=reading.text[: end.start()], terms=before), replace(reading, terms=after))
            made = [_edge(parts[0], c.Starts), _edge(parts[1], c.Ends)]
            if made[0] is None:
                return None  # of something else
            found = tuple(each for each in made if each is not None)
            return c.AllOf(checks=found) if len(found) == 2 else (found[0] if found else None)
    return _edge(reading, c.Starts) if start is not None else _edge(reading, c.Ends) if end is not None else None


_SO_NO = re.compile(r", (?:so|hence|thus|i\.e\.,?) (?:no|not|never|without)\b", _I)
_NAMED_SECTION = re.compile(
    r"\b(?:section|heading)(?: (?:called|named|titled|headed|with the (?:title|name)))?:? ?\W{0,3}\Z", _I
)


_BEGINS = re.compile(
    r"\b(line|sentence|paragraph)\b[^.;:]{0,20}\b(?:begin|start|open)(?:s|ning|ing)?"
    r"(?: with)?(?: the (?:words?|label|phrase))?:? ?\W{0,3}\Z",
    _I,
)


def _edge(reading: Reading, kind: type[c.Starts] | type[c.Ends]) -> Any | None:
    text = reading.text
    match = (_START if kind is c.Starts else _END).search(text)
    if reading.negative and _SO_NO.search(text):
        return None  # "ends with a full stop, so no question marks"
    if match is not None:
        terms = tuple(each.text for each in reading.terms if each.start >= match.end())
        if kind is c.Ends and not reading.negative and terms and _is_open(reading):
            return c.Contains(terms=terms[:1], case=True, words=False)
        if not reading.negative and terms and _names_a_section(reading, match.end()):
            return c.Sections(headings=terms[:1], ordered=False)  # what ends the answer is the section, not its name
        begun = _begun(reading, match.end()) if kind is c.Ends and terms else None
        if begun is not None:
            last = c.Each(part=c.Part(kind=begun, nth=-1), check=c.Starts(terms=terms[:1]), required=True)
            return None if reading.negative else last
        if kind is c.Ends and not reading.negative:
            terms = tuple(form for term in terms for form in (term, f"{term}.", f"{term}!"))
        if not terms:
            sign = _SIGN.search(text, match.start())
            if kind is c.Starts:
                return _first_sign(reading, match)
            if sign is None:
                return None
            terms = _PUNCTUATION[sign[1].lower()]
        scoped = _scope_of_edge(text, match)
        if scoped == "other":
            return None
        several = (kind is c.Ends and terms == _PUNCTUATION["punctuation"]) or re.search(
            r"\bor\b|\beither\b"
            r"|\bone of\b",
            text[match.end() :],
            _I,
        ) is not None
        first = terms if several else terms[: 3 if kind is c.Ends and len(terms) >= 3 else 1]
        check: Any = kind(terms=first)
        if reading.negative:
            check = c.Not(check=_with_stops(check) if kind is c.Ends else check)
        return c.Every(scope=scoped, check=check) if scoped else check  # type: ignore[arg-type]
    return None


def _names_a_section(reading: Reading, after: int) -> bool:
    """``with a section called "Next steps"``: the first term behind ``after`` is a heading."""
    first = next(each for each in reading.terms if each.start >= after)
    return _NAMED_SECTION.search(reading.text[after : first.start]) is not None


def _begun(reading: Reading, after: int) -> Any | None:
    """``End with a line that begins "Next:"``: what the first term behind ``after`` begins."""
    first = next(each for each in reading.terms if each.start >= after)
    found = _BEGINS.search(reading.text[after : first.start])
    return found[1].lower() if found else None


def _with_stops(check: Any) -> Any:
    """What must not stand at the end must not stand there with a full stop either."""
    return c.Ends(terms=tuple(form for term in check.terms for form in (term, f"{term}.", f"{term}!")))


def _is_open(reading: Reading) -> bool:
    """More follows the last term: "with "Sources:" followed by a list", "with "ANSWER: $ANSWER"."""
    last = reading.terms[-1]
    return (
        _GOES_ON.match(reading.text, last.end) is not None
        or HOLE.search(reading.text, last.start, last.end) is not None
    )


def _first_sign(reading: Reading, match: re.Match[str]) -> Any | None:
    """``Every bullet starts with a capital letter``."""
    sign = _FIRST_SIGN.search(reading.text, match.start())
    scoped = _scope_of_edge(reading.text, match)
    if sign is None or scoped == "other":
        return None
    pattern = r"\A[^\w`]*[\p{Lu}0-9`]" if sign[1] else r"\A[^\w`]*[\p{Ll}0-9`]" if sign[2] else r"\A[^\w`]*\d"
    check: Any = c.Matches(pattern=pattern)
    if reading.negative:
        check = c.Not(check=check)
    return c.Every(scope=scoped, check=check) if scoped else check  # type: ignore[arg-type]


_NOUN = re.compile(r"\b(?!(?:answers?|repl(?:y|ies)|responses?|outputs?|texts?|messages?)\b)[a-z]{3,}s? $", _I)
"""``a list of strings starting with``: what starts so is named right before."""


def _scope_of_edge(text: str, match: re.Match[str]) -> str:
    """What starts or ends so: a unit, the answer (""), or ``other``."""
    inner = _EACH.search(match[0])
    if inner:
        return inner[1].lower()
    if match[0].lower().startswith(("starting", "beginning", "ending", "opening", "closing")) and _NOUN.search(
        text[: match.start()]
    ):
        return "other"
    if OTHER_SUBJECT.search(match[0]) and not SUBJECT.search(match[0]):
        return "other"
    return scope_of(text[: match.start()])
