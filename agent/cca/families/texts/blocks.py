"""With which block an answer begins and ends; levels of headings, numbered paragraphs, stanzas, the order of parts."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.texts.told import CONDITIONS, denies, needs, speaks
from agent.cca.families.words.kit import bare

_I = re.IGNORECASE
_KINDS: tuple[tuple[str, str, str], ...] = (
    ("a table", r"\btables?\b", r"(?:\||<table|[^|\n]+\|)[^\n]*"),
    ("a numbered list", r"\b(?:numbered|ordered) lists?\b", r"[*_]*\(?\d{1,4}[.)][*_]*[ \t]+\S[^\n]*"),
    ("a checklist", r"\bchecklists?\b", r"(?:(?:[-*+]|\d+[.)])[ \t]+\[[ xX]\]|[☐☑✅✓✔])[^\n]*"),
    ("bullets", r"\b(?:bullet(?:ed)?(?: points?)?|unordered) lists?\b", r"[-*+•–][ \t]+\S[^\n]*"),
    ("a block quote", r"\bblock ?quot(?:e|ation)s?\b", r"(?:>|<blockquote)[^\n]*"),
    ("an image", r"\b(?:images?|pictures?)\b", r"(?:!\[|<img\b|\[!\[)[^\n]*"),
)
_LABELLED = (
    r"(?:(?:(?:table|figure|fig\.|image) \d[^\n]*|#{1,6}[ \t][^\n]*|\*\*[^\n]*\*\*:?"
    r"|[^\n]{1,160}[:：][*_]*)[ \t]*\n\s*)?"
)
_FIRST = r"\b(?:starts?|begins?|opens?|leads?) (?:\w+ ){0,3}?with\b"
_LAST = r"\b(?:ends?|closes?|finish(?:es)?|concludes?|wraps? up) (?:\w+ ){0,3}?(?:with|in|on)\b"
_BEHIND = r"\b(?:after|follows?|follow|following|below|behind|beneath|underneath)\b"


def _kind(slots: Slots) -> tuple[str, str] | None:
    found = [(name, line) for name, words, line in _KINDS if speaks(bare(slots.text), words)]
    return found[0] if len(found) == 1 and not slots.terms else None


def _said(slots: Slots, verb: str, comes: str) -> bool:
    """Whether the kind of block stands behind the verb, or is what comes first."""
    kinds = "|".join(words for _, words, _ in _KINDS)
    return speaks(bare(slots.text), rf"{verb}[^.;]*?(?:{kinds})|(?:{kinds}) comes {comes}\b")


def _first(slots: Slots) -> Any | None:
    """A heading or a line with a colon may stand above it."""
    kind = _kind(slots)
    if kind is None or not _said(slots, _FIRST, "first"):
        return None
    return c.Matches(pattern=rf"(?i)\A\s*{_LABELLED}[ \t]*{kind[1]}", finds=f"{kind[0]} at the start")


def _ends(name: str, line: str) -> Any:
    tail = rf"(?i)^[ \t>]*{line}(?:\n(?:[ \t]+\S[^\n]*|</[^\n]*))*\s*\z"
    return c.Matches(pattern=tail, finds=f"{name} at the end")


def _last(slots: Slots) -> Any | None:
    """The last line is of that kind; "nothing follows the table" says so of answers that have one."""
    kind = _kind(slots)
    if kind is None:
        return None
    if speaks(slots.text, _BEHIND):
        some = c.Matches(pattern=rf"^[ \t]*{kind[1]}", finds=kind[0])
        if kind[0] == "a table":
            some = c.Matches(pattern=r"^[ \t]*\|[^\n]*\n[ \t]*\|?[ \t]*:?-{3,}")
        return (
            c.When(condition=some, then=_ends(*kind))
            if denies(slots.text) and speaks(slots.text, rf"(?:\b(?:nothing|no|not|never)\b|n['’]t\b)[^.;:]*{_BEHIND}")
            else None
        )
    return None if denies(slots.text) or not _said(slots, _LAST, "last") else _ends(*kind)


def _same_level(slots: Slots) -> Any | None:
    if slots.numbers and speaks(slots.text, r"\blevels? (?:\d|one|two|three)\b"):
        return None
    return c.AnyOf(
        checks=tuple(
            c.Matches(
                pattern=rf"^ {{0,3}}(?:{'|'.join('#' * other for other in range(1, 7) if other != level)})[ \t]+\S",
                least=0, most=0, within="prose", finds="headings of another level",
            )
            for level in range(1, 7)
        )
    )  # fmt: skip


_BLOCK = r"(?:\A|\n[ \t]*\n)[ \t]*[*_]{0,3}"


def _numbered_paragraphs(slots: Slots) -> Any:
    """No paragraph of eight words or more begins with a word; "Paragraph 1:" is a number too."""
    named = c.Matches(pattern=r"(?i)^\W*(?:paragraph|para\.?|absatz|no\.|part|¶|§)\s*\d", least=0, most=0)
    bare_ = c.Matches(
        pattern=rf"{_BLOCK}\p{{L}}{{3,}}(?:[ \t,'’]+[^\s|]+){{7}}", least=0, most=0, finds="paragraphs without a number"
    )
    fenced = c.Matches(pattern=r"^ {0,3}(?:```|~~~)", least=0, most=0)
    return c.When(condition=c.AllOf(checks=(named, fenced)), then=bare_)


def _stanza(slots: Slots) -> Any | None:
    if slots.least is None and slots.most is None:
        return None
    several = c.Count(unit="lines", least=2)
    return c.Each(
        part=c.Part(kind="paragraph"), check=c.Count(unit="lines", least=slots.least, most=slots.most), selects=several
    )


_WORDS = """
strengths weaknesses pros cons advantages disadvantages benefits drawbacks risks summary details findings
recommendations ingredients method instructions directions steps attendees agenda decisions problem cause solution
fix background analysis conclusion positives negatives answer explanation reasoning verdict evidence symptoms
diagnosis treatment goals scope assumptions limitations questions answers context impact overview conclusions
objectives results discussion methods options recommendation rationale praise criticism
"""
_NOUN = "|".join(sorted(_WORDS.split(), key=len, reverse=True))
_ARTICLE = r"(?:the |all |any |its |their |your |a |an )?"
_BEFORE = re.compile(
    rf"\b(?P<a>{_NOUN})(?: (?:section|part|block|heading)s?)?(?:,? (?:always|must|should|have to|has to))?"
    rf"(?: (?:come|comes|stand|stands|go|goes|appear|appears|are listed|is given|are given|is shown|listed|be listed"
    rf"|precede|precedes))*"
    rf" (?P<w>before|above|ahead of|precedes?|after|below|follows?) {_ARTICLE}(?P<b>{_NOUN})\b", _I
)  # fmt: skip
_PRECEDES = re.compile(
    rf"\b(?P<a>{_NOUN})(?: (?:section|part|block)s?)? (?P<w>precedes?|follows?|followed by) {_ARTICLE}(?P<b>{_NOUN})\b",
    _I,
)
_THEN = re.compile(rf"\b(?P<a>{_NOUN}) first,? (?:and )?(?:then|next) (?P<w>){_ARTICLE}(?P<b>{_NOUN})\b", _I)


def _told_order(slots: Slots) -> Any | None:
    """Headings, and labels with a colon, that are these nouns and nothing else stand in this order."""
    text = bare(slots.text)
    found = _BEFORE.search(text) or _PRECEDES.search(text) or _THEN.search(text)
    if slots.terms or found is None or denies(text) or found["a"].lower() == found["b"].lower():
        return None
    one, other = found["a"].lower(), found["b"].lower()
    if re.match(r"after|below|follows?\b", found["w"], _I):
        one, other = other, one
    head, tail = r"(?i)^[ \t>]*(?:#{1,6}[ \t]+)?(?:\d{1,2}[.)][ \t]*)?[*_]*(", r")[*_]*[ \t]*(?::|$)"
    once = tuple(c.Matches(pattern=f"{head}{name}{tail}", least=0, most=1) for name in (one, other))
    series = c.Series(part=c.Part(kind="match", pattern=f"{head}{one}|{other}{tail}"), by="terms", terms=(one, other))
    return c.When(condition=c.AllOf(checks=once), then=series)


FAMILIES: tuple[Family, ...] = (
    needs("first.block", "the answer begins with a table, a list, a quote", _first,
          about=(rf"{_FIRST}|\bcomes first\b",),
          unless=r"\b(?:each|every (?!message|answer|reply|response|post)|sections?|bullets? starts?|rows?|columns?"
                 r"|cells?|captions?|paragraphs?|headings?|items?|not|summary|intro\w*|sentence|title|pull requests?"
                 r"|pr|readme|documents?|unordered lists? starts?)\b|"
                 + CONDITIONS),
    needs("last.block", "the answer ends with a table, a list, a quote", _last, about=(rf"{_LAST}|{_BEHIND}"
                    rf"|\bcomes last\b",),
          denied=None,
          unless=r"\b(?:each|every|sections?|rows?|columns?|cells?|captions?|paragraphs?|headings?|items?|sources?"
                 r"|references|followed by|sentence|pull requests?|pr|readme|documents?)\b|" + CONDITIONS),
    needs("headings.same_level", "headings are all of one level", _same_level,
          about=(r"\bhead(?:ing|er)s?\b", r"\b(?:same|one|single|equal|identical|uniform) (?:\w+ )?(?:level|depth)\b"
                                          r"|\b(?:levels?|depths?) (?:are|is) (?:the )?(?:same|equal)\b"
                 r"|\bmix(?:ing|ed)? (?:of )?(?:\w+ )?levels\b|\bmix (?:heading|header) levels\b"), denied=None,
          unless=r"\bnot (?:be|all)\b|\bskip|\bjump|\blevel[- ](?:one|two|three|\d)\b|\bexactly one\b|\bat (?:most"
                 r"|least|a time)\b|\bdeeper than\b|\bbelow\b|\babove\b"
                 r"|\bno more than\b|" + CONDITIONS),
    needs("paragraphs.numbered", "paragraphs are numbered", _numbered_paragraphs,
          about=(r"\bparagraphs?\b", r"\bnumber(?:ed|s)?\b", r"\b(?:number (?:all|each|every|the|your)|numbered"
                    r"|(?:starts?|begins?|opens?|headed|preceded|carr(?:y|ies)|has|have|gets?|bears?"
                    r"|prefix\w*) .*\bnumbers?\b)"),
          unless=r"\bin the (?:contract|text|document|source|input)\b|\b(?:number of|headings?|lines?|lists?"
                 r"|bullets?|a number from|phone|numbers? of paragraphs|only"
                 r"|first paragraph|last paragraph|page|not|words?)\b|" + CONDITIONS),
    needs("stanza.lines", "stanzas have {limit} lines", _stanza, about=(r"\bstanzas?\b|\bverses?\b"
                    r"|\bstrophes?\b", r"\blines?\b"), bounded=True, denied=None,
          unless=r"\bfirst|\blast|\bfinal|\bwords?\b|\bsyllables?\b|\b(?:two|three|four|five|six"
                 r"|\d+) (?:\w+ )?(?:stanzas|verses)\b|\bblank\b|\bempty\b|\bbibl|" + CONDITIONS),
    needs("parts.told_order", "one part stands before another", _told_order,
          about=(r"\b(?:before|above|ahead|precedes?|first|after|below|follows?|followed)\b",),
          unless=r"\b(?:read|check|ask|think|consider|columns?|keys?|json|sentence|the user|bold|order of)\b|"
                 + CONDITIONS),
)  # fmt: skip
