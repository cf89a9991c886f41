"""Quoted terms: that they occur, how often, and what the answer starts and ends with."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.clauses import NO_BOUND
from agent.cca.grammar.light import leaves_nothing
from agent.cca.grammar.limits import limit_at
from agent.cca.grammar.polarity import BAILS, denials, without_denials
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
MASK = "§"
"""Stands for a quoted term in a clause."""
_NAMED = (
    r"(?:exact |following |literal |specific |closing |opening |very )*(?:words?|phrases?|terms?|expressions?"
    r"|key ?words?|strings?|literals?|names?|tokens?|texts?|lines?|sentences?|headers?|labels?|prefix|suffix"
    r"|marker|tag|sign-off|disclaimer|statement|message)"
)
_TIMES = re.compile(r"\b(?:times?|occurrences?|mentions|instances)\b", _I)
_ONCE = re.compile(
    r"\b(?:(at least|no less than|minimum|exactly|only|just|at most|no more than|not more than|never more than"
    r"|max(?:imum)?) )?(once|twice)\b",
    _I,
)
_LETTER = re.compile(r"\b(?:letter|character|symbol|sign)s?\b", _I)
_COUNTED = re.compile(
    r"\b(?:letters?|characters?|symbols?|signs?|times|occurrences?|mentions|instances|appearances|frequency"
    r"|somewhere|verbatim)\b",
    _I,
)
_PLAIN_NAMED = re.compile(rf"\b{_NAMED}\b", _I)
_BANNED_LIST = re.compile(r"\b(?:banned|forbidden|prohibited|disallowed|blacklisted|blocked|off-limits)\b", _I)
_STARTS = re.compile(
    r"\b(?:(?:start|begin|open|commence|lead|preface|prefix|precede|kick|introduce)\w*(?: (?:off|out"
    r"|up))?\b(?: (?:the|your|every|each|with|an?|all|its|any|this|final|whole|entire"
    r"|answer|response|reply|output|message|text|summary)s?\b)*"
    r"(?: by(?: saying| writing)?| with| in)?|first (?:word|words|line|sentence|thing|characters?)|(?:at"
    r"|to) the (?:very )?(?:beginning|start|top|front)|come first|opening (?:line|words?|sentence))\b",
    _I,
)
_MARKS = re.compile(
    r"\b(?:write|end|conclude|mark|prefix|precede|introduce|label|state|give|put|finish"
    r"|present)\w*\b.{0,60}?\bwith the (?:phrase|words?|label|prefix|marker|header|text|string) §\W*$",
    _I,
)
"""``Write the final answer at the end with the phrase "FINAL ANSWER:"``."""
_DONE_WITH = re.compile(
    r"§ (?:tools?|functions?|commands?|calls?|method)\b|\bstart\w* from\b|\b(?:interaction"
    r"|conversation|session)\b",
    _I,
)
"""One begins by doing, not by saying."""
_OF_A_LINE = re.compile(
    r"\b(?:last|final|second|next|closing) (?:line|paragraph|sentence|section|bullet)\b.*\b(?:start|begin|open)|\b"
    r"(?:end|finish|conclude|close)\w*\b.*"
    r"\bline (?:that|which|starting|beginning)|\b(?:start|begin|open)\w* (?:the |your )?(?:last|final|second) ",
    _I,
)
"""How another line than the first begins."""
_ENDS = re.compile(
    r"\b(?:(?:(?:end|finish|conclud|clos|terminat|append|complet)\w*|sign(?:s|ed|ing)?(?= off| with)|wrap(?:s|ped"
    r"|ping)?(?= up))(?: (?:off|out|up))?\b(?: (?:the|your"
    r"|every|each|with|an?|all|its|any|this|final|whole|entire"
    r"|answer|response|reply|output|message|text|summary)s?\b)*"
    r"(?: by(?: saying| writing)?| with| in| on)?|(?:last|final|closing) (?:word|words|line|sentence|thing"
    r"|characters?)|(?:at|to) the (?:very )?(?:end|bottom)|come last)\b",
    _I,
)
_EDGE_WORDS = re.compile(
    rf"\b{_NAMED}\b|\b(?:nothing (?:else )?(?:after|follows?)|no other (?:words?|text) (?:should|must"
    rf"|may)? ?(?:follow|come after)\w*(?: this \w+)?|and nothing (?:else|more|after it)"
    r"|beginning|start|end|top|bottom|first|last|line|own|separate|new)\b",
    _I,
)
_SAYING = re.compile(
    r"\b(?:say|says|saying|said|mention\w*|spell\w*|refer(?:ence)?s?|uttered?|call|quote|read|reads|name|reveal"
    r"|disclose|utter|vocabulary|somewhere|verbatim|word for word|literally|present|absent)\b",
    _I,
)
_UTTERED = re.compile(
    r"\b(?:say|says|mention\w*|includ\w*|contain\w*|appear\w*|occur\w*|use|used|using|words?|phrases?|key ?words?"
    r"|terms?|present|have|has|add|write|output|respond"
    r"|reply|answer|state|spell\w*)\b",
    _I,
)
_SPELLED = re.compile(r"\b(?:format\w*|form|style|like|as) §", _I)
"""``in the form "a:b"``: it is spelled like that."""
_ANY = re.compile(r"\bor\b|\beither\b|\bone of\b|\bany of\b|\bat least one\b", _I)
_EACH = re.compile(
    r"\b(?:each|every|all|any|an?|no) (?:of (?:the|your) )?(sentence|paragraph|bullet|line|list item"
    r"|item)s?(?: point)?s?\b|^(?:the |all )?(sentence|paragraph|bullet|line|list item)s(?: points)?\b",
    _I,
)
_WITH_ONE = re.compile(r"\b(?:with|in|by) an? (?:sentence|paragraph|bullet|line|list item|item)(?: point)?$", _I)
"""``end with a line "Done"``: one that the answer has, not each of its lines."""


_NUMBERED = re.compile(r"#\d|\b[A-Z]{2,}-\d")
"""``Closes #123``: a number that only shows where one goes."""


def read_terms(text: str, terms: tuple[Quoted, ...]) -> Any | None:
    """The check of a clause whose quoted terms are each masked by ``§``."""
    if not terms or text.count(MASK) != len(terms):
        return None
    if len(terms) == 1 and _MARKS.search(text) and not denials(text) and not BAILS.search(text):
        return c.Contains(terms=(terms[0].text,), case=False, words=False)
    if any(_NUMBERED.search(each.text) for each in terms):
        return None
    edge = _edge(text, terms)
    if edge is not None:
        return edge
    if BAILS.search(text):
        return None
    values = tuple(each.text for each in terms)
    return _often(text, values) or _occurs(text, values, any(each.code for each in terms))


def _often(text: str, values: tuple[str, ...]) -> Any | None:
    """``use the word "sea" at least 3 times``."""
    if len(values) != 1:
        return None
    denied = denials(NO_BOUND.sub(" ", text)) % 2 == 1
    times, once = _TIMES.search(text), _ONCE.search(text)
    least: int | None
    if times:
        limit = limit_at(text, times.start(), times.end(), denied)
        if limit is None:
            return None
        least, most, start, end = limit.least, limit.most, limit.start, limit.end
        wants = (denials(text[:start] + " " + text[end:]) - limit.turned) % 2 == 0
    elif once:
        number, word = (1 if once[2].lower() == "once" else 2), (once[1] or "").lower()
        start, end = once.span()
        more = re.search(r"\bmore than $", text[:start], _I)
        if more and denied:
            least, most, start, wants = None, number, more.start(), denials(text[: more.start()]) == 1
        else:
            least = (
                None
                if word in ("at most", "no more than", "not more than", "never more than", "max", "maximum")
                else number
            )
            most = None if word in ("at least", "no less than", "minimum") else number
            wants = denials(text[:start] + " " + text[end:]) % 2 == 0
    else:
        return None
    rest = text[:start] + " " + text[end:]
    if not wants or not _is_light(rest):
        return None
    escaped = re.escape(values[0])
    bounded = escaped if _LETTER.search(text) else _as_word(values[0], escaped)
    return c.Matches(pattern=f"(?i){bounded}", least=least or 0, most=most)


def _as_word(value: str, escaped: str) -> str:
    return (r"\b" if value[:1].isalnum() else "") + escaped + (r"\b" if value[-1:].isalnum() else "")


def _occurs(text: str, values: tuple[str, ...], code: bool) -> Any | None:
    listed = _BANNED_LIST.search(text)
    if not _is_light(_BANNED_LIST.sub(" ", text)):
        return None
    wants = (denials(_BANNED_LIST.sub(" ", text)) + (listed is not None)) % 2 == 0
    if wants and (_SPELLED.search(text) or not _UTTERED.search(text)):
        return None
    if _LETTER.search(text):
        return None if wants else c.Absent(terms=values, words=False)
    if not wants:
        return c.Absent(terms=values, case=code)
    case = code or any(value.isupper() for value in values)
    return c.Contains(terms=values, least=1 if _ANY.search(text) else 0, case=case)


def _is_light(text: str) -> bool:
    rest = text.replace(MASK, " ")
    for pattern in (_PLAIN_NAMED, _COUNTED, _SAYING):
        rest = pattern.sub(" ", rest)
    return leaves_nothing(_ANY.sub(" ", without_denials(rest)))


def _edge(text: str, terms: tuple[Quoted, ...]) -> Any | None:
    if _DONE_WITH.search(text) or _OF_A_LINE.search(text):
        return None
    if len(terms) != 1 and not _ANY.search(text):
        return None
    scoped = _EACH.search(text)
    rest = text if scoped is None else text[: scoped.start()] + " " + text[scoped.end() :]
    if scoped is not None and _WITH_ONE.search(text[: scoped.end()]):
        if _STARTS.search(rest) and _ENDS.search(rest):
            return None  # "end with a sentence that begins with …"
        scoped = None
    values = tuple(each.text for each in terms)
    for pattern, kind in ((_STARTS, c.Starts), (_ENDS, c.Ends)):
        if not pattern.search(rest):
            continue
        left = _EDGE_WORDS.sub(" ", pattern.sub(" ", rest).replace(MASK, " "))
        left = _ANY.sub(" ", _SAYING.sub(" ", left))
        if not leaves_nothing(without_denials(left)):
            return None
        wants = denials(left) % 2 == 0
        forms = (
            tuple(form for value in values for form in (value, f"{value}.", f"{value}!")) if kind is c.Ends else values
        )
        check: Any = kind(terms=forms) if wants else c.Not(check=kind(terms=values, case=False))
        if scoped is None:
            return check
        unit = (scoped[1] or scoped[2]).lower()
        return c.Every(scope="bullet" if "item" in unit else unit, check=check)  # type: ignore[arg-type]
    return None
