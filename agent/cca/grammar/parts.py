"""Quoted terms as parts of an answer: sections by name, how its last line starts, words on a list."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.forms import ALWAYS, ANSWER, MUST, NO
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_END = r"[ .!]*$"
_CHAIN = (
    r"(?P<chain>§(?:\s?(?:,|and then|and|then|followed by|&|,? and(?: then)?|,? then|,? followed by)(?: an?|"
    r" the)? ?§)*)"
)
_CHAIN2 = _CHAIN.replace("<chain>", "<chain2>")
_SECTIONS = r"(?:markdown )?(?:sections?|headings?|headers?|parts)"
_SOME = r"(?:(?:an?|the|these|two|three|four|five|exactly|only|following|both|all|this|level-2|always) )*"
_ORDER = (
    r"(?P<order>,? ?\(?in (?:this|that|exactly this|exactly that|the given) order\)?| \(in that order\)| in order)?"
)
_CALLED = r"(?: (?:titled|called|named|headed|labell?ed|with the (?:title|name)|entitled))?"
_HAS = r"(?:ha[sv]e?|contains?|includes?|consists? of|comprises?|be(?:gins?)?|is|are|uses?|follows?)"
_NAMED = (
    re.compile(rf"^(?:{ANSWER}|there|it) {MUST}{_HAS} {_SOME}{_SECTIONS}{_CALLED}:? ?{_CHAIN}{_ORDER}{_END}", _I),
    re.compile(rf"^(?:{ANSWER}|there|it) {MUST}{_HAS} {_SOME}{_CHAIN} {_SECTIONS}{_ORDER}{_END}", _I),
    re.compile(
        rf"^{ALWAYS}(?:structure|organi[sz]e|divide|split|break|write|format|arrange|group|put|lay out|answer|respond"
        rf"|reply)"
        rf"(?: {ANSWER}| it| everything)?(?: up)? (?:in|into|under|with|using|by) {_SOME}(?:{_SECTIONS}{_CALLED}[:,]?"
        rf" ?{_CHAIN}"
        rf"|{_CHAIN2} {_SECTIONS}){_ORDER}{_END}",
        _I,
    ),
    re.compile(
        rf"^{ALWAYS}(?:you need to |your task is to )?(?:use|include|add|provide|give|write|insert|generate|create"
        rf"|produce|end(?: {ANSWER})? with|close(?: {ANSWER})? with"
        rf"|finish with)"
        rf" {_SOME}(?:{_SECTIONS}{_CALLED}[:,]? ?{_CHAIN}|{_CHAIN2} {_SECTIONS}){_ORDER}{_END}",
        _I,
    ),
)  # fmt: skip
_TAIL = re.compile(
    r"(?<=§) (?:that|which|where|explaining|listing|naming|stating|describing|with|for|based on|about)"
    r" (?!§).*$",
    _I,
)
"""What a section says."""
_THEN = re.compile(r"\b(?:then|followed)\b", _I)
_EACH_A_SECTION = re.compile(r"§ (?:section|heading|header)s?(?=\s?(?:,|and|then|followed|&))", _I)
_MARKS = re.compile(r"(?<![\w§`\"“'])#{1,4} ([A-Z][\w ]{1,30}?)(?=,| and |[.!]?$|\)| then | in (?:this|that) order)")
_EDGE_LINE = re.compile(
    rf"^(?:the |your )?(?:very )?(?P<which>first|last|final|closing|opening) line(?: of {ANSWER})? {MUST}(?:start"
    rf"|begin|open)s? with"
    rf" (?:the (?:words?|label|phrase|prefix|text) )?§(?:,? followed by [\w ]{{2,60}})?{_END}"
    rf"|^{ALWAYS}(?:begin|start|open|prefix) (?:the |your )?(?:very )?(?P<which2>first|last|final) line(?: of"
    rf" {ANSWER})? with (?:the (?:words?"
    rf"|label|phrase|prefix) )?§(?:,? followed by [\w ]{{2,60}})?{_END}"
    rf"|^{ALWAYS}(?:end|finish|close|conclude)s?(?: {ANSWER})? (?:with|by writing|by adding) (?:an? |one )?(?:"
    rf"(?:single|final|last|separate) )*"
    rf"line (?:that |which )?(?:starts?|starting|begins?|beginning|opens?|opening|prefixed)(?: with| by) (?:the "
    rf"(?:words?|label|phrase) )?§"
    rf"(?:,? followed by [\w ]{{2,60}})?{_END}"
    rf"|^(?:the |your )?(?:very )?(?P<which4>first|last|final|closing|opening) line(?: of {ANSWER})? {MUST}(?:reads?"
    rf"|says?|is|be)"
    rf" (?:exactly )?(?:the (?:words?|text|line) )?§{_END}"
    rf"|^(?:on|in|as) the (?:very )?(?P<which3>first|last|final) line(?: of {ANSWER})?,? (?:write|put|print|give"
    rf"|state|output|add) (?:the (?:words?"
    rf"|label|phrase) )?§,? followed by [\w ]{{2,60}}{_END}",
    _I,
)  # fmt: skip
_IN_PLACE = re.compile(
    rf"^{NO} (?:use|write|put|say|using|writing)(?:ing)? § (?:in place of|instead of|rather than|for|to mean|where"
    rf" you mean)"
    rf" (?:the (?:word|sign|term) )?§{_END}",
    _I,
)
_LIST_LAST = re.compile(
    rf"^{ALWAYS}(?:end|finish|close|conclude|add|include|provide|append|give)(?: {ANSWER})?(?: with)? (?:an?|the|one)"
    rf" (?:§ (?:list|block)"
    r"|(?:list|block) (?:headed|titled|called|labelled|introduced by|under) §)(?: of [\w ]{2,40})?(?: at the (?:very"
    r" )?(?:end|bottom)"
    rf"(?: of {ANSWER})?)?{_END}"
    rf"|^{ALWAYS}(?:list|put|give|name) (?:your |the |all )*(?:sources|references|files|links) (?:at the (?:end"
    rf"|bottom) )?under §"
    rf"(?: at the (?:end|bottom))?{_END}",
    _I,
)
_HEADING = re.compile(r"(#{1,6}) [\w<\[{]")
_TITLED = re.compile(
    rf"^{ALWAYS}(?:start|begin|open)s?(?: {ANSWER})? with (?:an?|the|one) (?:single |markdown )?§(?: (?:heading|title"
    rf"|line|header))?"
    rf"(?: (?:that|which|with|for|reflecting|containing) [^§]{{2,80}})?{_END}",
    _I,
)
_NOT_OPENED = re.compile(
    rf"^{ALWAYS}(?:start|begin|open)s?(?: {ANSWER})? with [^§()]{{2,60}} \((?:avoid|not|never|do not use|don['’]t use"
    rf"|no)(?: (?:phrases?|words?"
    rf"|openings?|openers?))?(?: (?:like|such as))? §(?:,? (?:or |and )?§)*(?:,? etc\.?)?\){_END}",
    _I,
)
_WORDS = (
    r"(?:(?:competitor |product |brand )?names?|competitors|brands|words?|phrases?|terms?|expressions?|clich[eé]s"
    r"|buzzwords?|fillers?|filler words?|adverbs?|verbs?|openers)"
)
_LIST_OF = (
    re.compile(
        rf"^(?:the following|these) {_WORDS} (?:are|is|must be|should be|have to be) (?:strictly |absolutely )?"
        rf"(?:forbidden|banned"
        rf"|prohibited|not allowed|off-limits|not permitted|disallowed|avoided|never used)\s?: ?(?P<list>.{{2,240}})$",
        _I,
    ),
    re.compile(
        rf"^(?:{NO}(?: us(?:e|ing)| mention(?:ing)?| say(?:ing)?| writ(?:e|ing))?|banned|forbidden|prohibited|no|omit"
        rf"|leave out|cut"
        rf"|skip) "
        rf"(?:any of )?(?:the |these |the following |following |any |empty |weak |corporate |marketing )*{_WORDS}\s?:"
        rf" ?(?P<list>.{{2,240}})$",
        _I,
    ),
    re.compile(
        rf"^{_WORDS} (?:that )?(?:you |we )?(?:must |should |may )?(?:never|not|to avoid)(?: use| say| write)?\s?: ?"
        rf"(?P<list>.{{2,240}})$",
        _I,
    ),
)  # fmt: skip
_STRUCK = re.compile(
    rf"^{ALWAYS}(?:strike|remove|delete|drop|cut|ban|banish|purge|eliminate) (?:the )?(?:{_WORDS} )?(?:such as |like"
    rf" )?(?P<chain>§(?:\s?,?"
    rf"(?: ?and| ?or)? ?§)*) from (?:your|the) (?:vocabulary|answers?|responses?|repl(?:y|ies)|writing|text|output"
    rf"|prose){_END}",
    _I,
)  # fmt: skip
_ITEM = re.compile(r"[\w'’ -]{2,40}")
_MAX_ITEM_WORDS = 4
_REPLACED = re.compile(
    rf"^{ALWAYS}(?:replace|swap|substitute) (?:the (?:word|term) )?§ (?:with|by|for) (?:the (?:word|term) )?§(?: "
    rf"(?:in|throughout) (?:your|the"
    rf"|all) (?:answers?|responses?|repl(?:y|ies)|writing|text|output))?{_END}",
    _I,
)


def of_parts(text: str, masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    """The check of a sentence that names parts or words of an answer; None where it is no such sentence.

    Args:
        masked: ``text`` with each quoted term replaced by "§".
    """
    if len(text) > 400:
        return None
    values = tuple(each.text for each in terms)
    if not values:
        listed = _listed(text)
        if listed is not None:
            return listed
        marked = _MARKS.findall(text)
        if marked:
            return _sections(_MARKS.sub("§", text), tuple(marked))
        return None
    masked = masked.strip(" *|-•")
    if len(values) == 2 and _IN_PLACE.match(masked):
        return c.Absent(terms=values[:1], case=False, words=True)
    if len(values) == 1 and _LIST_LAST.match(masked):
        return c.Contains(terms=values, words=False)
    opened = _opened(masked, values)
    if opened is not None:
        return opened
    edge = _EDGE_LINE.match(masked)
    if edge is not None:
        which = (edge["which"] or edge["which2"] or edge["which3"] or edge["which4"] or "last").lower()
        return c.Starts(terms=values[:1], within="first_line" if which in ("first", "opening") else "last_line")
    if _STRUCK.match(masked):
        return c.Absent(terms=values)
    if len(values) == 2 and _REPLACED.match(masked) and " for " not in masked:
        return c.Absent(terms=values[:1])
    return _sections(masked, values) or _listed(text)


def _opened(masked: str, values: tuple[str, ...]) -> Any | None:
    """``Start with a `# Title` that …``; ``Start with a verb (avoid phrases like "This file")``."""
    heading = _HEADING.match(values[0])
    if len(values) == 1 and heading and _TITLED.match(masked):
        return c.Matches(pattern=rf"\A\s*{heading[1]} \S", finds="such a heading at the start")
    if _NOT_OPENED.match(masked):
        return c.Not(check=c.Starts(terms=values, case=False))
    return None


def _sections(masked: str, values: tuple[str, ...]) -> Any | None:
    plain = _EACH_A_SECTION.sub("§", masked) if masked.count("section") > 1 else masked
    several = plain != masked
    plain = re.sub(r"§(?= (?:section|heading)s?[.! ]*$)", "§", plain)
    for form in _NAMED:
        said = _TAIL.sub("", plain)
        found = form.match(said)
        if found is None:
            continue
        names = tuple(value.strip("# :*").strip() for value in values[: said.count("§")])
        if not all(names) or not all(re.match(r"\w", name) for name in names):
            return None
        ordered = len(names) > 1 and bool(found["order"] or _THEN.search(found[0]))
        return c.Sections(headings=names, ordered=ordered or several)
    return None


def _listed(text: str) -> Any | None:
    """``Avoid these words: simply, just, obviously.``"""
    for form in _LIST_OF:
        found = form.match(text.strip(" *|-•"))
        if found is None:
            continue
        items = [
            item.strip(" .\"“”'‘’`*") for item in re.split(r",\s?(?:and |or )?|\s(?:and|or)\s|;\s?", found["list"])
        ]
        items = [item for item in items if item and item.lower() not in ("etc", "and so on")]
        fits = all(_ITEM.fullmatch(item) and len(item.split()) <= _MAX_ITEM_WORDS for item in items)
        return c.Absent(terms=tuple(items)) if items and fits else None
    return None
