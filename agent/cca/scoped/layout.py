"""The frame of an answer: named sections in their order, blank lines, lines that have to stand somewhere."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.scoped.forms import bracketed, is_template, shape
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
    rf"|in the following) (?P<order>order))?(?:, in this (?P<order2>order))?:? {_NAMES}[^\w§]*$",
)
_USE = re.compile(
    r"(?:use|write|give|include|follow|structure (?:the|your) \w+ (?:as|with|into)"
    r"|have) (?:exactly )?(?:the |these |the following |\w+ )?(?:sections?|headings?)(?: (?:in this|in that"
    r"|in the following) (?P<order>order))?"
    rf"(?:, in this (?P<order2>order))?: {_NAMES}[^\w§]*$",
    _I,
)
_ORDER_OF = re.compile(
    rf"(?:the )?(?:order of (?:the )?(?:sections|headings)|sections?(?: order| in this order)?"
    rf"|headings in this order)(?: is)?: {_NAMES}(?:,? in (?:this|that) order)?[^\w§]*$",
    _I,
)
_BLANK = re.compile(
    r"(?:leave|put|insert|keep|there (?:is|must be|should be)|use) (?:exactly )?(?:one|a|a single"
    r"|an) (?:blank|empty) line (?:between"
    r"|after) (?:the )?(?P<what>subject(?: line)?(?: and (?:the )?body)?"
    r"|title(?: and (?:the )?(?:body|text))?|(?:each |every |all )?headings?|paragraphs|first line)[^\w§]*$"
    r"|(?:the )?(?P<what2>subject(?: line)?) (?:and (?:the )?body are separated"
    r"|is separated from (?:the )?body|is followed) by (?:one|a|a single|exactly one) (?:blank"
    r"|empty) line[^\w§]*$"
    r"|separate (?:the )?(?P<what3>subject|title)(?: line)? from (?:the )?(?:body|text) (?:with|by) (?:one"
    r"|a|a single|exactly one) (?:blank|empty) line[^\w§]*$",
    _I,
)
_NOTHING = re.compile(
    r"(?:.{0,80}?[,;] ?)?(?:do not|don['’]t|never) (?:write|put|use) (?P<terms>§+(?:(?:, ?(?:or )?"
    r"| or )§+)*) (?:under|below|in) (?:an?|any|the|its) (?:empty )?(?:heading|section)s?[^\w§]*$",
    _I,
)
_LINE = re.compile(
    r"(?:the |its |your )?(?:very )?(?P<nth>first|second|third|last|final) line (?:of (?:the |each |every "
    r"|your |an? )?[\w ]{2,30} )?(?:must |should |always |has to )*(?:is|be|reads?|says?|gives?|shows?)"
    r" (?:an? |the )?(?:[\w ]{0,30}?(?:in (?:square )?brackets|line|form|format"
    r"|of the form))?[: ]*(?:of the form )?(?P<form>[§\[].*)$",
    _I,
)
_WITH_LINE = re.compile(
    r"(?P<verb>start|begin|open|end|close|finish)(?: (?:every|each|the|your|all"
    r"|an?) [\w ]{2,30}?)? with (?:an? |one )?(?:[\w-]+ )?line (?:in (?:square )?brackets|of the form"
    r"|in the form|like(?: this)?|that reads)[:]? (?P<form>[§\[].*)$",
    _I,
)
_SIGNED = re.compile(
    r"(?:sign off|sign|close|end|finish|conclude)(?: (?:every|each|the|your|all"
    r"|an?) [\w ]{2,30}?)? with (?:an? |the )?(?:[\w ]{0,20} )?(?P<form>§+)(?: (?:as|on"
    r"|in) the last line)[^\w§]*$",
    _I,
)
_NTH = {"first": 1, "second": 2, "third": 3, "last": -1, "final": -1}


def layout(text: Text) -> Any | None:
    for read in (_sections, _headed, _deep, _blank, _nothing, _line, _signed):
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


_HEADED = re.compile(
    r"(?P<verb>close|end|finish|conclude|start|begin|open|include|add|give|every \w+ has"
    r"|each \w+ has)(?: (?:each|every|the|your|all|an?) (?:answers?|repl(?:y|ies)|responses?|reports?"
    r"|messages?|documents?|texts?"
    r"|articles?))?(?: with)? (?:an? |one )?(?:\w+ )?sections? (?:headed|titled|called|named"
    r"|under the heading|entitled) (?P<name>§+|[A-Z][\w-]*(?: [A-Z][\w-]*)*)(?P<rest>[^\w§]*$|,? (?:that"
    r"|which|with|listing|naming|containing)\b.*$)",
    _I,
)


_DEEP = re.compile(
    r"(?:no (?:heading|section) (?:is|goes|may be|must be|may go) (?:deeper|lower) than|(?:do not|don['’]t"
    r"|never) (?:use|write|nest) headings? (?:below|deeper than|beyond|lower than)|headings? (?:must not"
    r"|never|may not|do not"
    r"|should not) go (?:below|deeper than|beyond)) (?:the )?(?:level )?(?P<level>one|two|three|four|five"
    r"|[1-5]|first|second|third|fourth|H[1-5])(?: level)?[^\w§]*$",
    _I,
)
_LEVELS = {"one": 1, "first": 1, "two": 2, "second": 2, "three": 3, "third": 3, "four": 4, "fourth": 4, "five": 5}


def _deep(text: Text) -> Any | None:
    """``No heading is deeper than level three``."""
    found = _DEEP.match(text.masked)
    if found is None:
        return None
    said = found["level"].lower().lstrip("h")
    level = _LEVELS.get(said) or int(said)
    return c.Matches(
        pattern=rf"^ {{0,3}}#{{{level + 1},}} \S",
        within="prose",
        least=0,
        most=0,
        finds=f"headings below level {level}",
    )


def _headed(text: Text) -> Any | None:
    """``Close each answer with a section headed "## Tests"``: such a heading stands there."""
    found = _HEADED.match(text.masked)
    if found is None or re.search(r"\b(?:unless|except|if|when|where|or)\b", found["rest"], _I):
        return None
    name = text.raw[found.start("name") : found.end("name")].strip("\"“”`'‘’ ").strip("#*: ")
    if not name:
        return None
    last = found["verb"].lower() in ("close", "end", "finish", "conclude")
    first = found["verb"].lower() in ("start", "begin", "open")
    spelled = rf"(?i)\A[\d.\s*_]*{re.escape(name)}[\s*_:]*\z"
    heading = c.Part(kind="heading", nth=-1 if last else 1 if first else 0)
    return c.Each(
        part=heading,
        check=c.Matches(pattern=spelled, finds=f"section “{name[:40]}”"),
        required=True,
        one=not heading.nth,
    )


def _blank(text: Text) -> Any | None:
    found = _BLANK.match(text.masked)
    if found is None:
        return None
    if re.match(r"(?:each |every |all )?headings?", found["what"] or "", _I):
        return c.Matches(
            pattern=r"^ {0,3}#{1,6} [^\n]+\n[ \t]*[^\s]", least=0, most=0, finds="headings without a blank line behind"
        )
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
    found = _LINE.match(text.masked) or _WITH_LINE.match(text.masked)
    if found is None:
        return None
    nth = (
        _NTH[found["nth"].lower()]
        if found.re is _LINE
        else -1
        if found["verb"].lower() in ("end", "close", "finish")
        else 1
    )
    shown = text.raw[found.start("form") :].strip()
    terms = text.terms()
    if found["form"].startswith("§"):
        behind = found["form"].lstrip("§")
        if len(terms) != 1 or (
            behind.strip(" .")
            and not re.fullmatch(
                r",? (?:with|where) [\w<>]+ (?:as|is) (?:an? )?(?:figure|number|digit)s?[^\w§]*", behind, _I
            )
        ):
            return None
        shown = terms[0]
        if shown[:1] == "[" and shown[-1:] == "]":
            made = bracketed(shown)
        else:
            made = shape(shown) if is_template(shown) else re.escape(shown) + "[.!]?"
    else:
        if not shown.endswith("]"):
            return None
        made = bracketed(shown)
    if not made:
        return None
    part = c.Part(kind="line", nth=nth)
    return c.Each(
        part=part,
        check=c.Matches(pattern=rf"\A[\s*_`]*{made}[\s*_`]*\z", finds=f"the form “{shown[:50]}”"),
        required=True,
    )


_SIGNED_LIKE = re.compile(
    r"(?:sign|close|end|finish|conclude)(?: off)? (?:every|each|the|your|all|an?) (?:reply|answer|message"
    r"|response|letter|email|e-mail|text|post)s? with (?:an? )?[\w ,]{3,60}? (?:on|as|in) (?:the|its"
    r"|their) (?:own )?(?:last|final|own) line,? (?:e\.g\.|for example|such as|like|as in),? §+[^\w§]*$",
    _I,
)


def _like(run: str) -> str:
    """A name stands for another one, a dash for any."""
    if run[:1].isupper():
        return r"\p{Lu}[\w.'’-]*"
    if run in {"-", "–", "—"}:
        return "[-–—]"
    return r"\s*" if run.isspace() else re.escape(run)


def _signed(text: Text) -> Any | None:
    found = _SIGNED.match(text.masked)
    terms = text.terms()
    if found is None and len(terms) == 1 and _SIGNED_LIKE.match(text.masked):
        made = "".join(_like(run) for run in re.findall(r"\w+|\s+|[^\w\s]", terms[0]))
        return c.Each(
            part=c.Part(kind="line", nth=-1),
            check=c.Matches(pattern=rf"\A[\s*_]*{made}[\s*_.]*\z", finds=f"like “{terms[0][:50]}”"),
            required=True,
        )
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
