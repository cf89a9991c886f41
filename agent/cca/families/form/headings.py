"""Headings, sections and the title."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.form.making import HEADING_SIGN, count, layout, none_of, of_each, simple, some_of

_ORDINAL = {"one": 1, "first": 1, "two": 2, "second": 2, "three": 3, "third": 3, "four": 4, "fourth": 4, "top": 1}
_LEVEL = re.compile(
    r"(?<![\w#])(?:(?P<signs>#{1,6})(?!\w)|h(?P<h>[1-6])(?![\w])"
    r"|level(?:[- ]?| is )(?P<behind>one|two|three|four|[1-6])\b"
    r"|(?P<before>first|second|third|fourth|top|[1-4](?:st|nd|rd|th))[- ]level\b)",
    re.IGNORECASE,
)


def level_of(slots: Slots) -> int | None:
    """The one level of headings that the sentence names: ``##``, "H2", "level 2", "second-level"."""
    positive = _CONTRAST.sub(" ", slots.text)
    found = _levels(positive) if _LEVEL.search(positive) else _levels(" ".join((slots.text, *slots.terms)))
    return found.pop() if len(found) == 1 else None


def _levels(text: str) -> set[int]:
    found = set()
    for match in _LEVEL.finditer(text):
        if match["signs"]:
            found.add(len(match["signs"]))
            continue
        said = (match["h"] or match["behind"] or match["before"]).lower()
        found.add(_ORDINAL.get(said) or int(said[0]))
    return found


_CONTRAST = re.compile(r"(?:(?<=[\w,)#] )|(?<=[#,)]))\b(?:never|not|instead of|rather than)\b[^.;:]*", re.IGNORECASE)


def _other_level(slots: Slots) -> Any:
    """Headings stand on that level alone."""
    level = level_of(slots)
    if level is None:
        return None
    signs = "|".join(
        part
        for part in (f"#{{1,{level - 1}}}" if level > 1 else "", f"#{{{level + 1},6}}" if level < 6 else "")
        if part
    )
    return c.When(
        condition=some_of(r"^ {0,3}#{1,6} \S", "headings"), then=none_of(rf"^ {{0,3}}(?:{signs}) \S", "other headings")
    )


_MANY = {"one": 1, "two": 2, "three": 3, "four": 4, "1": 1, "2": 2, "3": 3, "4": 4}
_SO_MANY = re.compile(r"\b(one|two|three|four|[1-4]) (?:different )?(?:heading )?levels\b", re.IGNORECASE)


def _deepest(slots: Slots) -> Any:
    counted = _SO_MANY.search(slots.text)
    level = _MANY[counted[1].lower()] if counted else level_of(slots)
    return none_of(rf"^ {{0,3}}#{{{level + 1},6}} \S", "deeper headings") if level and level < 6 else None


def _not_level(slots: Slots) -> Any:
    level = level_of(slots)
    return none_of(rf"^ {{0,3}}#{{{level}}} \S", f"headings of level {level}") if level else None


_TAKEN = re.compile(r"\b(?:no|not|never|reserved|already|taken|prints|adds|sets)\b|n['’]t\b", re.IGNORECASE)
"""What is said of a level that is another's: the next one is the highest."""


_NO_DEEPER = re.compile(r"(?:\b(?:no|not|never|avoid|without)\b|n['’]t\b)[^.;:]{0,80}\bdeeper than\b", re.IGNORECASE)


def _highest(slots: Slots) -> Any:
    if _NO_DEEPER.search(slots.whole):
        return _deepest(slots)  # "no headings deeper than level 2": the other side, in nearly the words of this one
    level, named = level_of(slots), sorted(_levels(" ".join((slots.whole, *slots.terms))))
    if _TAKEN.search(slots.whole) and (
        named == [1] or (level is None and len(named) == 2 and named[1] - named[0] == 1)
    ):
        level = named[0] + 1
    return none_of(rf"^ {{0,3}}#{{1,{level - 1}}} \S", "higher headings") if level and level > 1 else None


def _once(slots: Slots) -> Any:
    level = level_of(slots)
    if not level or any(number > 6 for number in slots.numbers):
        return None
    return c.Matches(pattern=rf"^ {{0,3}}#{{{level}}} \S", least=1, most=1, finds="such headings", within="prose")


def _first_level(slots: Slots) -> Any:
    level = level_of(slots) or 1
    check = c.Matches(pattern=rf"\A {{0,3}}#{{{level}}} \S", finds=f"a heading of level {level}")
    return c.Each(part=c.Part(kind="line", nth=1), check=check, required=True)


def _each(pattern: str, finds: str, wanted: bool = False, kind: str = "heading") -> Any:
    return of_each(kind, c.Matches(pattern=pattern, least=int(wanted), most=None if wanted else 0, finds=finds))


_CASED = r"(?-i:[A-Z])\w*(?: \w+){1,4}"
"""A heading of several words, that shows its case."""
_CASED = r"(?-i:[A-Z])\w*(?: \w+){1,4}"
"""A heading of several words, that shows its case."""
FAMILIES: tuple[Family, ...] = (
    simple("headings.none", "no headings", lambda: c.Count(unit="headings", most=0), HEADING_SIGN),
    simple("headings.some", "headings", lambda: c.Count(unit="headings", least=1), HEADING_SIGN),
    count("headings.count", "{limit} headings", "headings", signs=HEADING_SIGN),
    Family("headings.level", "headings of one level", _other_level, takes_terms=True),
    Family("headings.deepest", "no headings below a level", _deepest, takes_terms=True),
    Family("headings.not_level", "no headings of a level", _not_level, takes_terms=True),
    Family("headings.highest", "no headings above a level", _highest, takes_terms=True),
    Family("headings.once", "one heading of a level", _once, takes_terms=True),
    Family("headings.first", "the answer begins with a heading of a level", _first_level, takes_terms=True),
    simple(
        "headings.not_first",
        "the answer does not begin with a heading",
        lambda: of_each("line", none_of(r"\A {0,3}#{1,6} |\A\*\*[^*\n]+\*\*:?\s*\z", "headings", "answer"), nth=1),
        HEADING_SIGN,
    ),
    simple(
        "headings.start",
        "the answer begins with a heading",
        lambda: of_each(
            "line", c.Matches(pattern=r"\A {0,3}#{1,6} |\A\*\*[^*\n]+\*\*:?\s*\z", finds="a heading"), nth=1
        ),
    ),
    layout("headings.steps", "headings skip no level", "level_by_level", HEADING_SIGN),
    layout("headings.sentence_case", "headings in sentence case", "sentence_case_headings", _CASED),
    layout("headings.title_case", "headings in title case", "title_case_headings", _CASED),
    simple("headings.lower", "headings in small letters", lambda: _each(r"\p{Lu}", "capitals")),
    simple("headings.upper", "headings in capitals", lambda: _each(r"\p{Ll}", "small letters")),
    simple(
        "headings.no_punctuation",
        "headings end without punctuation",
        lambda: _each(r"[.!?,;:][*_]*\s*\z", "punctuation at the end"),
        "[.:!?,;]",
    ),
    simple("headings.no_colon", "headings end without a colon", lambda: _each(r":\s*\z", "colons at the end"), ":"),
    simple(
        "headings.no_period",
        "headings end without a full stop",
        lambda: _each(r"[^.]\.\s*\z", "full stops at the end"),
        r"\.",
    ),
    simple(
        "headings.question",
        "headings are questions",
        lambda: _each(r"\?[*_\"”]*\s*\z", "question marks", True),
        r"[^?]*\?",
    ),
    simple(
        "headings.no_question", "headings are no questions", lambda: _each(r"\?[*_\"”]*\s*\z", "question marks"), r"\?"
    ),
    simple(
        "headings.numbered",
        "headings are numbered",
        lambda: _each(r"\A[*_]*(?:\d|[IVX]+[.)])", "numbers", True),
        r"1\.?(?: .{0,30})?",
        numbers=True,
    ),
    simple(
        "headings.no_numbers",
        "headings are not numbered",
        lambda: _each(r"\A[*_]*\d+(?:\.\d+)*[.):]?\s", "numbers at the start"),
        r"\d(?:\.\d?)?(?: .{0,30})?",
    ),
    simple("headings.no_emoji", "no emoji in headings", lambda: c.Charset(allow="no_emoji", within="headings")),
    simple(
        "headings.emoji",
        "headings begin with an emoji",
        lambda: _each("\\A[^\\w\\s]{0,3}[\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2b55]", "emoji", True),
    ),
    simple(
        "headings.bold",
        "headings in bold",
        lambda: c.When(
            condition=some_of(r"^ {0,3}#{1,6} \S", "headings"),
            then=none_of(r"^ {0,3}#{1,6} +[^*_\s]", "headings not in bold"),
        ),
        r"(?:#{1,6} )?\*\*.{0,30}",
    ),
    simple(
        "headings.no_bold",
        "no bold in headings with signs",
        lambda: none_of(r"^ {0,3}#{1,6} [^\n]*\*\*", "headings in bold"),
        r"\*\*.{0,30}",
    ),
    simple("headings.no_code", "no code in headings", lambda: none_of("`", "backticks", "headings"), "`"),
    simple("headings.no_links", "no links in headings", lambda: none_of(r"\]\(|https?://", "links", "headings")),
    simple(
        "headings.signs",
        "headings with signs, not in bold alone",
        lambda: none_of(r"^[ \t]*\*\*[^*\n]{3,80}\*\*:?[ \t]*$", "lines in bold alone"),
        r"#{1,6}|\*\*.{0,30}",
    ),
    layout("headings.blank_after", "a blank line after headings", "blank_after_headings", HEADING_SIGN),
    layout("headings.blank_before", "a blank line before headings", "blank_before_headings", HEADING_SIGN),
    simple(
        "headings.blank_around",
        "blank lines around headings",
        lambda: c.AllOf(checks=(c.Layout(demand="blank_after_headings"), c.Layout(demand="blank_before_headings"))),
        HEADING_SIGN,
    ),
    layout("headings.filled", "text under each heading", "text_under_headings", HEADING_SIGN),
    layout("headings.apart", "no heading straight under another", "no_stacked_headings", HEADING_SIGN),
    layout("headings.differ", "headings that differ", "headings_differ"),
)
