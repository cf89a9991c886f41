"""CodeGen: words. Quoted terms that must or must not occur, their order, manner of speaking."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from agent.cca import checks as c
from agent.cca.codegen_shape import shows_example
from agent.cca.quoted import Quoted
from agent.cca.reading import SUBJECT, Reading

_I = re.IGNORECASE
_PERSON = re.compile(r"\bfirst[- ]person\b", _I)
_CONTRACTIONS = re.compile(r"\bcontractions?\b", _I)
_ASKS = re.compile(r"\b(?:ask|asking|pose)\b(?: \w+){0,3} questions?\b", _I)
_NAMED_SIGNS = (
    (re.compile(r"\bexclamation (?:marks?|points?)\b", _I), ("!",)),
    (re.compile(r"\bquestion marks?\b", _I), ("?",)),
    (re.compile(r"\bem[- ]dash(?:es)?\b", _I), ("\u2014",)),
    (re.compile(r"\ben[- ]dash(?:es)?\b", _I), ("\u2013",)),
    (re.compile(r"\bsemicolons?\b", _I), (";",)),
    (re.compile(r"\bampersands?\b", _I), ("&",)),
    (re.compile(r"\bellips[ei]s\b", _I), ("...", "\u2026")),
)


def manner(reading: Reading) -> Any | None:
    text = reading.text
    if not reading.negative and not re.search(r"\b(?:no|without)\b", text, _I):
        return None
    if _PERSON.search(text):
        return c.Absent(terms=("I", "me", "my", "mine", "we", "us", "our", "ours"), case=False, within="prose")
    if _CONTRACTIONS.search(text):
        return c.Matches(
            pattern=r"(?i)\b(?:\w+n['’]t|\w+['’](?:re|ve|ll|d)|it['’]s|that['’]s|i['’]m|let['’]s|there['’]s)\b",
            least=0,
            most=0,
            within="prose",
        )
    if _ASKS.search(text) and not re.search(
        r"\b(?:unrelated|unnecessary|irrelevant|redundant|personal|more than"
        r"|too many|same|these|one|two|no more)\b",
        text,
        _I,
    ):
        return c.Absent(terms=("?",), words=False, within="prose")
    for pattern, signs in _NAMED_SIGNS:
        if pattern.search(text) and not reading.code:
            return c.Absent(terms=signs, words=False, within="prose")
    return None


_ORDER = re.compile(r"\b(before|after|prior to|precedes?|followed by|then)\b", _I)


_SEQUENCE = re.compile(r"\bin (?:this|that|the following|exactly this|alphabetical) (?:order|sequence)\b", _I)


def order(reading: Reading) -> Any | None:
    sequence = _SEQUENCE.search(reading.text)
    if sequence and len(reading.terms) >= 2 and not reading.negative and "alphabetical" not in sequence[0].lower():
        terms = tuple(each.text for each in reading.terms)
        return c.Order(terms=terms, case=any(each.code for each in reading.terms))
    match = _ORDER.search(reading.text)
    if match is None or len(reading.terms) < 2:
        return None
    left = [each for each in reading.terms if each.end <= match.start()]
    right = [each for each in reading.terms if each.start >= match.end()]
    if (
        len(left) != 1
        or len(right) != 1
        or (reading.negative and match[1].lower() not in ("before", "after", "prior to"))
    ):
        return None
    early, late = (right[0], left[0]) if match[1].lower() == "after" else (left[0], right[0])
    if reading.negative:
        early, late = late, early
    return c.Order(terms=(early.text, late.text), case=early.code or late.code)


_SAY = re.compile(
    r"\b(?:say|says|mention|mentions|include|includes|contain|contains|use the (?:word|words|"
    r"phrase|term|exact|label|title|name)|write|state|states|refer to|the (?:word|words|phrase|"
    r"term)|display|print|quote|tag|label\w*|report|output|respond|reply|answer|address|"
    r"call(?:ed)? (?:it|them|the)|sign(?:ed)?)\b",
    _I,
)
_CODE_VERB = re.compile(
    r"\b(?:use|using|call|calling|import|importing|write|writing|add|catch|raise|subclass|mock|patch|access"
    r"|leave|keep"
    r"|(?:commit|push|merge|ship|submit|write|leave|accept|include) (?:any )?(?:code|anything|functions?|lines?)"
    r" (?:with|containing|that (?:has|uses?|calls?))|pass|set"
    r"|avoid(?: using)?|no) (?:the |an? |any |bare |plain |raw |module |function |(?!like |as )\w+ "
    r"|statements? ){0,2}$",
    _I,
)
_BANNED = re.compile(
    r"(?: \w+){0,2} (?:is|are|must be|calls?(?: are)?) (?:strictly )?(?:forbidden|banned|prohibited"
    r"|disallowed|not (?:allowed|permitted|used)"
    r"|off[- ]limits)\b",
    _I,
)
_WORDED = re.compile(
    r"\b(?:words?|phrases?|terms?|expressions?|preambles?|openings?|openers|greetings?|fillers?|clich\w+"
    r"|hedges?)\b",
    _I,
)
_UTTERED = re.compile(
    r"\b(?:us(?:e|es|ing)|avoid|words?|phrases?|terms?|expressions?|reveal|disclose|start\w*|begin\w*|end\w*"
    r"|open\w*|clos\w*|spell\w*|emit|output|print|produce|return|write|generate"
    r"|put|add|greet\w*|appear|occur)\b[^.]{0,60}$|\b(?:no|without) (?:\w+ ){0,2}$",
    _I,
)
"""What can be done with words in an answer: other verbs ("never edit `a.txt`") are about the things."""
_OF_A_THING = re.compile(
    r" (?:types?|style|kinds?|values?|data|information|details|contents?|material|keys?|fields?"
    r"|files?)\b",
    _I,
)
"""``"secret" values``: the term says of what kind the things are that are meant."""
_COMMENTS = re.compile(r"\bcomments?\b|\b(?:TODO|FIXME|XXX|HACK)\b")
_EXAMPLE = re.compile(r"\(?\s*(?:for example|for instance|e\.g|in particular|consequently|in this case)\b", _I)
_ABOUT_OTHERS = re.compile(
    r"(?:all |the |your )?(?:tests?|doctests?|docstrings?|examples?|fixtures?|benchmarks?|migrations?)\b", _I
)
_COMMON = frozenset({"None", "True", "False", "self", "cls", "master", "main", "x", "y"})
_INSTEAD = re.compile(r"\b(?:instead of|rather than|in (?:place|favou?r) of|over)\b|, (?:not|never)\b", _I)


_SAID_THEN_BANNED = re.compile(r", (?:and |but )?(?:not|never)\b", _I)
_SECOND_SENTENCE = re.compile(r"[.!?] (?=[A-Z][a-z])")
_SOME_SUBJECT = re.compile(r"^an? (?:[\w-]+ ){1,6}?(?:must|should|shall|has to)\b", _I)
"""What is demanded of a thing that need not be the answer: a player who gives check, a refusal."""


_EITHER_WAY = re.compile(r"\b(?:do|does|is|are) or (?:do|does|is|are) not\b|\bwhether or not\b", _I)
_LEADS_ELSEWHERE = re.compile(r"\bso that\b|\bwhether to\b|\bfor example\b[,:]|\bexample:", _I)
_OF_OTHERS = re.compile(
    r"(?:[^:]{1,30}: )?(?:every|each|all) (?!(?:answers?|responses?|repl\w+|outputs?|messages?|sentences?"
    r"|paragraphs?|bullets?)\b)\w+"
    r" (?:must|should|shall|has to|have to|needs? to) (?:include|contain|have)\b",
    _I,
)
"""What every node of some data has to hold."""
_ELSEWHERE = re.compile(
    r"\b(?:in|of|for|to|into|on|from) (?:\w+ ){0,3}(?:docstrings?|doctests?|doctest \w+|"
    r"comments?|commit messages?|commits?|changelogs?|"
    r"titles?|headings?|tables?|lists?|footnotes?|captions?|abstracts?|names?|tests?|test \w+|files?|filenames?"
    r"|branch(?:es)?|headers?|pull requests?|issues?|tickets?|urls?|"
    r"templates?|readme|documentation|docs)\b",
    _I,
)
"""A rule about terms in something that is no answer."""


_DRESSED = re.compile(
    r"^ in (?:(?:double|single|square|curly|round) )?(?:backticks?|quotes|quotation marks|bold|italics?|brackets"
    r"|parenthes[ei]s|braces|(?:lower|upper)[- ]?case|capitals?)\b",
    _I,
)
"""How a term is to be written where it occurs."""
_BOUNDED = re.compile(
    r"\b(?:in a row|consecutive|successive)\b|\b(?:less|fewer|more) than (?:once|twice|\w+ times)\b|\bin (?:one|a"
    r" single|the same|consecutive) "
    r"(?:sentence|paragraph|line|bullet|breath)s?\b",
    _I,
)
"""What is refused is how often a term occurs, or together with what."""


def terms(reading: Reading) -> Any | None:
    """What is said about quoted terms: it must or must not occur."""
    if not reading.terms or len(reading.terms) > 12:
        return None
    text = reading.text
    if _SECOND_SENTENCE.search(_blanked(text, reading.terms)):
        return None  # which of the sentences a term belongs to is not told
    if reading.code and (_EXAMPLE.match(text) or _ABOUT_OTHERS.match(text)):
        return None
    if _ELSEWHERE.search(text[reading.terms[-1].end :]) or _ELSEWHERE.search(text[: reading.terms[0].start]):
        return None
    instead = _INSTEAD.search(text)
    if instead and not reading.negative:
        avoided = [each for each in reading.terms if each.start >= instead.end()]
        named = [each for each in reading.terms if each.end <= instead.start()]
        if avoided and named and (all(each.code for each in avoided) and reading.code):
            return _absent_in_code(avoided)
        if avoided and (named or _SAY.search(text)) and not reading.code:
            return c.Absent(terms=tuple(each.text for each in avoided), case=any(each.code for each in avoided))
        return None
    if not reading.code and _DRESSED.search(text[reading.terms[0].end :]):
        return None
    first = text[: reading.terms[0].start]
    if _EITHER_WAY.search(text) or _LEADS_ELSEWHERE.search(first) or _OF_OTHERS.match(text):
        return None
    if reading.negative:
        said = _without_terms(text, reading.terms)
        if _BOUNDED.search(said):
            return None
        parted = _SAID_THEN_BANNED.search(text)
        if parted and reading.terms[0].end <= parted.start():
            later = tuple(each for each in reading.terms if each.start >= parted.end())
            if not later:
                return None
            reading = replace(reading, terms=later)
        if re.search(
            r"\b(?:unless|except|without|outside|only|instead|rather|beyond|besides|other than"
            r"|apart from)\b",
            said,
            _I,
        ):
            return None
        if reading.code and all(each.code for each in reading.terms):
            if not (_CODE_VERB.search(text[: reading.terms[0].start]) or _BANNED.match(text, reading.terms[-1].end)):
                return None
            return _absent_in_code(list(reading.terms), comments=_COMMENTS.search(text) is not None)
        if _OF_A_THING.match(text, reading.terms[-1].end):
            return None
        before = text[: reading.terms[0].start]
        worded = _WORDED.search(before) is not None
        if shows_example(text, reading.terms[0].start) and not worded:
            return None
        said_so = _SAY.search(before) or _BANNED.match(text, reading.terms[-1].end)
        if said_so or (_UTTERED.search(before) and not reading.code):
            return c.Absent(
                terms=tuple(each.text for each in reading.terms), case=any(each.code for each in reading.terms)
            )
        return None
    if reading.code or not _SAY.search(text[: reading.terms[0].start]):
        return None
    subject = _SOME_SUBJECT.match(text)
    if subject and not SUBJECT.search(subject.group()):
        return None
    if shows_example(text, reading.terms[0].start):
        return None  # one of many that would do
    either = re.search(
        r"\bchoice\b|\bchoose\b|\bselect\b|\bpick\b|"
        r"\bor\b|\beither\b|\bone of\b|\bany of\b|\bsuch as\b|\be\.g\b|\bfor example\b",
        text,
        _I,
    )
    return c.Contains(
        terms=tuple(each.text for each in reading.terms),
        least=1 if either else 0,
        case=any(each.code or each.text.isupper() for each in reading.terms),
    )


def _blanked(text: str, terms: tuple[Quoted, ...]) -> str:
    for each in terms:
        text = text[: each.start] + "x" * (each.end - each.start) + text[each.end :]
    return text


def _without_terms(text: str, terms: tuple[Quoted, ...]) -> str:
    for each in reversed(terms):
        text = text[: each.start] + text[each.end :]
    return text


def _absent_in_code(terms: list[Quoted], *, comments: bool = False) -> Any | None:
    """Names of code are looked for in code alone: an answer may well speak of what the rule forbids."""
    names = [each.text.rstrip("()") for each in terms]
    if any(name in _COMMON or not (name[:1].isalpha() or name[:1] in "_@") for name in names):
        return None
    usable = tuple(name for name in names if len(name) > 1)
    return c.Absent(terms=usable, case=True, within="code" if comments else "bare_code") if usable else None
