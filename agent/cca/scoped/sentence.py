"""A sentence that demands something of a part of the answer, as a check of that part; None where it does not.

"Headlines have no more than nine words", "Start each line with …", "No emoji in headings", "Subject: at most 50
characters": the scope is found, and what is left is read as said of it.
"""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.scoped.amounts import amounts
from agent.cca.scoped.behind import behind
from agent.cca.scoped.code import of_code
from agent.cca.scoped.conditions import conditional
from agent.cca.scoped.layout import layout
from agent.cca.scoped.marks import codes, marks
from agent.cca.scoped.numerals import numerals
from agent.cca.scoped.placed import placed
from agent.cca.scoped.predicates import Read, predicate
from agent.cca.scoped.scopes import CONTAINER, Scope, bare_section, keys_scope, scope_at
from agent.cca.scoped.series import series
from agent.cca.scoped.text import SILENT, Text, text_of
from agent.cca.scoped.values import values
from agent.cca.scoped.words import words

_I = re.IGNORECASE
_MAX_CHARS = 400
_OUTSIDE = re.compile(
    r"\b(?:marked|called|named|separated|divided|prefixed|labell?ed|preceded|delimited|introduced|numbered"
    r"|headed|titled)\b",
    _I,
)
"""Of a section its heading or what stands between it and others, not its text."""
_PARTLY = re.compile(
    r"^(?:(?:do not|don['’]t) \w+ (?:with )?(?:every|each|all)(?! (?:caps|capital|upper))|not (?:every|all|each)) ", _I
)
"""Some may be so: no check can tell."""
_ONLY_THERE = re.compile(
    r" in (?:the )?(?:headings?|titles?|tables?|lists?|bullets?|code blocks?|quotations?|\w+ section) only$", _I
)
_VERB = re.compile(
    r",? (?:(?:must|should|shall|has|have|needs?|ought|will|can|cannot|may|is|are|be|do|does|always|never"
    r"|only|also|not|all|each|both|must|to"
    r"|start\w*|begin\w*|open\w*|end\w*|finish\w*|close\w*|contain\w*|carr\w+|holds?|includ\w+|consists?"
    r"|runs?|uses?|takes?|reads?|says?|follows?"
    r"|stands?|goes|go|stays?|fits?|names?|gives?|mentions?|states?|exceeds?|comes?|keeps?|asks?|offers?"
    r"|lists?|cites?|quotes?|shows?|bears?"
    r"|remains?|sits?)(?=\W))",
    _I,
)
_COLON = re.compile(r"\s?(?::|–|—| - )\s+")
_THAT = re.compile(r",? (?P<word>that|which|with|whose) ", _I)
_IMPERATIVE = re.compile(
    r"(?P<no>(?:do not|don['’]t|never|avoid) )?(?P<verb>start|begin|open|end|finish|close|conclude|starting"
    r"|beginning|ending|keep|limit|restrict|hold|cap"
    r"|make|write|set|put|give|format|wrap|render|print|prefix|confine|leave|mark|phrase|capitali[sz]e"
    r"|capitali[sz]ing|trim|cut) (?:down )?",
    _I,
)
_TO_PREDICATE = {
    "start": "starts",
    "begin": "starts",
    "open": "starts",
    "starting": "starts",
    "beginning": "starts",
    "prefix": "starts",
    "end": "ends",
    "finish": "ends",
    "close": "ends",
    "conclude": "ends",
    "ending": "ends",
}
_WIDTH = re.compile(r"(?:at|to|before|by|after) (?:column )?(\d{2,3})(?: (?:characters|columns|chars))?\W*$", _I)
"""Where lines are wrapped; one with an address cannot be."""
_PUNCTUATED = re.compile(r"(?:with|by|in|on|using) ", _I)
_SILENT_PARTS = frozenset({"match"})


def scoped(sentence: str, about_code: bool = False, sure: bool = True) -> Any | None:
    """The check of a demand on parts.

    Args:
        about_code: Of a guide for contributors only what is said of code counts.
        sure: Only where a noun names the part; else another noun may be the name of a section ("The summary …").
    """
    if len(sentence) > _MAX_CHARS or "?" in re.sub(r"[\"“`'(][^\"”`')]*[\"”`')]", "", sentence):
        return None
    text = text_of(sentence)
    if len(text.masked) < 6:
        return None
    if _PARTLY.search(text.masked) or _ONLY_THERE.search(text.masked):
        return SILENT
    try:
        if about_code:
            return of_code(text)
        made = _first(text)
        if made is not None or sure:
            return made
        return _subject(text, True) or _object(text, True) or _of_a_list(text)
    except ValueError:  # more than a check may hold
        return None


def _first(text: Text) -> Any | None:
    for read in (conditional_of, of_code, words, values, layout, marks, amounts, numerals, series, simple, codes):
        made = read(text)
        if made is not None:
            return made
    return None


def conditional_of(text: Text) -> Any | None:
    return conditional(text, _first)


def simple(text: Text) -> Any | None:
    """Without a condition: a scope as the subject, as the object, or behind a preposition."""
    return _subject(text) or _object(text) or behind(text) or placed(text, _subject)


def _subject(text: Text, sections: bool = False) -> Any | None:
    scope = keys_scope(text) or bare_section(text) or scope_at(text, 0, sections)
    if scope is None or scope.part.kind in _SILENT_PARTS:
        return None
    rest = text.masked[scope.end :]
    if scope.part.kind == "section" and _OUTSIDE.search(rest):
        return None
    that = _THAT.match(rest)
    if that and scope.sure:
        return _selected(text, scope, scope.end + that.end(), that["word"].lower())
    if not _VERB.match(rest):
        colon = _COLON.match(rest)
        if colon is None or not scope.sure or scope.det:
            return None
        return made_of(scope, predicate(text.cut(scope.end + colon.end()), kind=scope.part.kind))
    return made_of(scope, predicate(text.cut(scope.end), scope.det in ("no", "none of"), scope.part.kind))


_EACH = re.compile(
    r"(?P<det>each|every|no) (?P<thing>[a-z][a-z-]{2,20})"
    r"(?P<more> (?!must\b|should\b|has\b|may\b|needs\b|shall\b)[a-z]{3,20})?(?= (?:must|should|has|is|may"
    r"|contains?|needs|starts?|begins?|ends?|runs?|shall|exceeds?)\b)",
    _I,
)


def _of_a_list(text: Text) -> Any | None:
    """``Each takeaway is one sentence``: the items of a list under a heading "Takeaways"."""
    found = _EACH.match(text.masked)
    read = predicate(text.cut(found.end()), found["det"].lower() == "no", "list_item") if found else None
    if found is None or read is None or not read.whole:
        return None
    thing = f"{found['thing']}{found['more'] or ''}".lower()
    if found["thing"].lower() == "section" or re.fullmatch(CONTAINER, thing):
        return None
    plural = f"{thing[:-1]}ies" if thing.endswith("y") and thing[-2] not in "aeo" else f"{thing}s"
    return _each(c.Part(kind="list_item", of=c.Part(kind="section", name=plural)), read.check)


def _selected(text: Text, scope: Scope, at: int, word: str) -> Any | None:
    """``A heading that has a number must …``: of those that are so."""
    verbs = [match for match in _VERB.finditer(text.masked, at) if match.start() > at + 2]
    for verb in verbs[:4]:
        that = text.cut(at, verb.start())
        if word == "with":
            that = Text(f"has {that.raw}", f"has {that.masked}")
        chosen = predicate(that, kind=scope.part.kind)
        said = predicate(text.cut(verb.start()), kind=scope.part.kind)
        if chosen is not None and chosen.whole and said is not None and scope.det != "no":
            return c.Each(part=scope.part, check=said.check, selects=chosen.check)
    return None


def made_of(scope: Scope, read: Read | None) -> Any | None:
    if read is None or (not scope.sure and not read.whole):
        return None
    part = scope.part
    if part.kind == "section" and read.check.op == "count" and read.check.unit == "headings" and read.check.least:
        return None  # a section's own heading stands before its text
    if part.kind == "question" and not _of_options(read.check):
        return None  # those that are asked, of the answer or of the user
    if part.kind in ("list_item", "question") and _of_options(read.check):
        part = part.model_copy(update={"kind": "item"})
    every = _each(part, read.check)
    if scope.sure or part.kind != "section" or not _is_text(read.check):
        return every
    name = part.name.lower().replace(" ", "_")  # where the answer is data, a field of that name is meant
    return c.AllOf(checks=(every, c.Property(name=name, check=read.check)))


def _each(part: c.Part, check: Any) -> Any:
    """What is said of an item's number is looked for where its marker stands, of a heading's level in the answer: the
    text of a heading has no signs."""
    parts = check.checks if check.op == "all" else (check,)
    marked = tuple(each for each in parts if getattr(each, "finds", "") == "number and mark")
    levels = tuple(each for each in parts if part.kind == "heading" and getattr(each, "finds", "") == "deeper headings")
    plain = tuple(each for each in parts if each not in marked + levels)
    made = levels + tuple(c.Each(part=part.model_copy(update={"marked": True}), check=each) for each in marked)
    if plain:
        made = (*made, c.Each(part=part, check=plain[0] if len(plain) == 1 else c.AllOf(checks=plain)))
    return made[0] if len(made) == 1 else c.AllOf(checks=made)


def _of_options(check: Any) -> bool:
    """Whether it is said of what has options: a question of a test."""
    inner = getattr(check, "checks", ())
    return (check.op == "pieces" and check.part.kind == "option") or any(map(_of_options, inner))


def _is_text(check: Any) -> bool:
    return check.op in ("count", "matches", "absent", "case", "starts", "ends")


def _object(text: Text, sections: bool = False) -> Any | None:
    """``Start each line with "- "``, ``Keep headlines under ten words``."""
    verb = _IMPERATIVE.match(text.masked)
    if verb is None:
        return None
    scope = scope_at(text, verb.end(), sections=sections and verb["no"] is None)
    if scope is None or scope.part.kind in _SILENT_PARTS or (not scope.sure and scope.det == ""):
        return None
    rest = text.cut(scope.end)
    if re.fullmatch(r"as (?:an? )?questions?", rest.masked, _I):
        return made_of(
            scope, predicate(Text("is a question", "is a question"), verb["no"] is not None, scope.part.kind)
        )
    if not rest.masked or re.match(r"(?:that|which|who|whose|as)\b", rest.masked, _I):
        return None
    said = verb["verb"].lower()
    width = _WIDTH.match(rest.masked) if said == "wrap" and not verb["no"] else None
    if width and scope.part.kind != "line":
        line = c.Part(kind="line", of=scope.part)
        url = c.Matches(pattern=r"\w+://\S", least=0, most=0)
        return c.Each(part=line, check=c.Count(unit="characters", most=int(width[1])), selects=url)
    edge = _TO_PREDICATE.get(said)
    if edge:
        if not _PUNCTUATED.match(rest.masked):
            return None
        rest = Text(f"{edge} {rest.raw}", f"{edge} {rest.masked}")
    elif said.startswith("capitali"):
        return None
    limits = said in ("limit", "restrict", "cap", "confine", "cut", "trim") and re.match(r"(?:to|at) ", rest.masked, _I)
    denied = (verb["no"] is not None) != (scope.det in ("no", "none of"))
    read = None if limits else predicate(rest, denied, scope.part.kind)
    if (
        read is None
        and said in ("limit", "restrict", "cap", "keep", "confine", "hold", "cut", "trim")
        and not verb["no"]
    ):
        limited = re.sub(r"^(?:down )?(?:to|at|within) ", "", rest.masked)
        cut = len(rest.masked) - len(limited)
        if cut:
            read = predicate(Text(f"at most {rest.raw[cut:]}", f"at most {limited}"), kind=scope.part.kind)
            read = read or predicate(Text(rest.raw[cut:], limited), kind=scope.part.kind)
    return made_of(scope, read)
