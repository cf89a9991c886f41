"""The frame of an answer: named sections in their order, blank lines, lines that have to stand somewhere."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.scoped.forms import is_template, shape
from agent.cca.scoped.scopes import CONTAINER
from agent.cca.scoped.series import names_in
from agent.cca.scoped.text import Text

_I = re.IGNORECASE
_NAMES = (
    r"(?P<names>(?:[A-Z][\w'’/&-]*(?: [\w'’/&-]+){0,3}(?:, and |, then |, | and "
    r"|; ))+[A-Z][\w'’/&-]*(?: [\w'’/&-]+){0,3})"
)
_SECTIONS = re.compile(
    rf"(?:(?:an?|the|every|each|your|all) )?(?:[\w -]{{0,30}}?{CONTAINER}|[a-z]+) (?:must |should |shall "
    rf"|always |needs to |has to )*(?:has|have|contains?|consists? of|comes? in|is (?:divided|split"
    rf"|structured) into"
    rf"|follows?|use|uses|includes?) (?:exactly )?(?:the |these |the following |\w+ )?(?:sections?"
    rf"|headings?|parts)(?: (?:in this|in that"
    rf"|in the following) (?P<order>order))?(?:, in this (?P<order2>order))?: {_NAMES}\W*$",
)
_USE = re.compile(
    r"(?:use|write|give|include|follow|structure (?:the|your) \w+ (?:as|with|into)"
    r"|have) (?:exactly )?(?:the |these |the following |\w+ )?(?:sections?|headings?)(?: (?:in this|in that"
    r"|in the following) (?P<order>order))?"
    rf"(?:, in this (?P<order2>order))?: {_NAMES}\W*$",
    _I,
)
_ORDER_OF = re.compile(
    rf"(?:the )?(?:order of (?:the )?(?:sections|headings)|sections?(?: order| in this order)?"
    rf"|headings in this order)(?: is)?: {_NAMES}(?:,? in (?:this|that) order)?\W*$",
    _I,
)
_BLANK = re.compile(
    r"(?:leave|put|insert|keep|there (?:is|must be|should be)|use) (?:exactly )?(?:one|a|a single"
    r"|an) (?:blank|empty) line (?:between"
    r"|after) (?:the )?(?P<what>subject(?: line)?(?: and (?:the )?body)?"
    r"|title(?: and (?:the )?(?:body|text))?|headings?|paragraphs|first line)\W*$"
    r"|(?:the )?(?P<what2>subject(?: line)?) (?:and (?:the )?body are separated"
    r"|is separated from (?:the )?body|is followed) by (?:one|a|a single|exactly one) (?:blank"
    r"|empty) line\W*$"
    r"|separate (?:the )?(?P<what3>subject|title)(?: line)? from (?:the )?(?:body|text) (?:with|by) (?:one"
    r"|a|a single|exactly one) (?:blank|empty) line\W*$",
    _I,
)
_NOTHING = re.compile(
    r"(?:.{0,80}?[,;] ?)?(?:do not|don['’]t|never) (?:write|put|use) (?P<terms>§+(?:(?:, ?(?:or )?"
    r"| or )§+)*) (?:under|below|in) (?:an?|any|the|its) (?:empty )?(?:heading|section)s?\W*$",
    _I,
)
_LINE = re.compile(
    r"(?:the |its |your )?(?:very )?(?P<nth>first|second|third|last|final) line (?:of (?:the |each |every "
    r"|your |an? )?[\w ]{2,30} )?(?:must |should |always |has to )*(?:is|be|reads?|says?|gives?|shows?)"
    r" (?:an? |the )?(?:[\w ]{0,30}?(?:in (?:square )?brackets|line|form|format"
    r"|of the form))?[: ]*(?:of the form )?(?P<form>[§\[].*)$",
    _I,
)
_SIGNED = re.compile(
    r"(?:sign off|sign|close|end|finish|conclude)(?: (?:every|each|the|your|all"
    r"|an?) [\w ]{2,30}?)? with (?:an? |the )?(?:[\w ]{0,20} )?(?P<form>§+)(?: (?:as|on"
    r"|in) the last line)\W*$",
    _I,
)
_NTH = {"first": 1, "second": 2, "third": 3, "last": -1, "final": -1}


def layout(text: Text) -> Any | None:
    for read in (_sections, _blank, _nothing, _line, _signed):
        made = read(text)
        if made is not None:
            return made
    return None


def _sections(text: Text) -> Any | None:
    for form in (_SECTIONS, _USE, _ORDER_OF):
        found = form.match(text.raw)
        if found:
            names = names_in(found["names"])
            ordered = form is _ORDER_OF or bool(found.groupdict().get("order") or found.groupdict().get("order2"))
            if len(names) < 2 or any(len(name.split()) > 4 for name in names):
                return None
            return c.Sections(headings=names, ordered=ordered)
    return None


def _blank(text: Text) -> Any | None:
    found = _BLANK.match(text.masked)
    if found is None:
        return None
    what = (found["what"] or found["what2"] or found["what3"]).lower()
    if what.startswith("subject") or what == "first line":
        first = c.Part(kind="subject", behind=0) if what.startswith("subject") else c.Part(kind="line", nth=1)
        several = c.Count(unit="lines", least=2)
        holds = c.Matches(
            pattern=r"\A\s*(?:```\w*\n)?(?:Subject: )?[^\n]+\n[ \t]*\n[ \t]*\S",
            finds="blank line behind the first line",
        )
        return c.When(
            condition=c.AllOf(checks=(several, c.Each(part=first, check=c.Count(unit="characters", least=1)))),
            then=holds,
        )
    return None


def _nothing(text: Text) -> Any | None:
    """``do not write "None" under a heading``: no section is that and nothing else."""
    found = _NOTHING.match(text.masked)
    if found is None:
        return None
    terms = text.cut(found.start("terms"), found.end("terms")).terms()
    if not terms:
        return None
    spelled = "|".join(re.escape(term.rstrip(".")) for term in terms)
    return c.Matches(
        pattern=rf"(?i)^ {{0,3}}#{{1,6}} [^\n]+\n\s*(?:[-*+] )?(?:{spelled})\.?[ \t]*(?:\n|\z)",
        least=0,
        most=0,
        finds="section of that word alone",
    )


def _line(text: Text) -> Any | None:
    """``The first line is a status line in square brackets: [Health n/10 | Place]``."""
    found = _LINE.match(text.masked)
    if found is None:
        return None
    shown = text.raw[found.start("form") :].strip()
    terms = text.terms()
    if found["form"].startswith("§"):
        behind = found["form"].lstrip("§")
        if len(terms) != 1 or (
            behind.strip(" .")
            and not re.fullmatch(
                r",? (?:with|where) [\w<>]+ (?:as|is) (?:an? )?(?:figure|number|digit)s?\W*", behind, _I
            )
        ):
            return None
        shown = terms[0]
        made = shape(shown) if is_template(shown) else re.escape(shown)
    else:
        if not shown.endswith("]"):
            return None
        made = _bracketed(shown)
    if not made:
        return None
    part = c.Part(kind="line", nth=_NTH[found["nth"].lower()])
    return c.Each(
        part=part,
        check=c.Matches(pattern=rf"\A[\s*_`]*{made}[\s*_`]*\z", finds=f"the form “{shown[:50]}”"),
        required=True,
    )


def _bracketed(shown: str) -> str:
    """``[Health n/10 | Oil n/5 | Place]``: each part that is a name alone stands for any text."""
    inner = shown.strip().strip("[]")
    parts = [part.strip() for part in inner.split("|")]
    out = [shape(part) if is_template(part) else r"[^\]|]+" for part in parts]
    return r"\[\s*" + r"\s*\|\s*".join(out) + r"\s*\]" if all(out) else ""


def _signed(text: Text) -> Any | None:
    found = _SIGNED.match(text.masked)
    terms = text.terms()
    if found is None or len(terms) != 1:
        return None
    made = shape(terms[0]) if is_template(terms[0]) else re.escape(terms[0])
    if not made:
        return None
    return c.Each(
        part=c.Part(kind="line", nth=-1),
        check=c.Matches(pattern=rf"\A[\s*_`]*{made}[\s*_`]*\z", finds=f"“{terms[0][:50]}”"),
        required=True,
    )
