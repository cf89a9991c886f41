"""Demands that name the form of a thing beside the part it is in: "as (#123) at the end of the entry", "as option"."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.scoped.forms import is_template, of_words, shape
from agent.cca.scoped.scopes import Scope, scope_at
from agent.cca.scoped.text import Text

_I = re.IGNORECASE
_EMOJI = "[\U0001f300-\U0001faff\u2600-\u27bf\U0001f1e6-\U0001f1ff\u2b50\u2b55]"
_AS = re.compile(
    r"(?:(?:do not|don['’]t|never|avoid) (?:use|offer|give|write|put|using|include|accept|choose) "
    r"|no )(?P<bad>.{3,160}?) as (?=(?:an?|the|any|your|link|bullets?|options?"
    r"|headings?|titles?|headlines?|distractors?|answer|subject|list|question)\b)"
    r"|(?:.{3,80}: ?)?(?P<bad2>§.{3,160}?) (?:are|is) (?:not allowed|never allowed|forbidden|banned"
    r"|not permitted|no good|not acceptable|not used) as (?=\w)",
    _I,
)
_AT_EDGE = re.compile(
    r"(?:name|give|put|add|state|mention|write|append|place|cite|set|include|show|note"
    r"|record) (?P<what>(?:the|its|a|an) [\w -]{2,40}?) (?:at|to) the (?P<edge>end|start|beginning"
    r"|front) of (?P<at>)"
    r"(?=the|each|every|an?|all|its)",
    _I,
)
_IN_FORM = re.compile(
    r",? (?:as|in the form|in the format|like|of the form|e\.g\.|for example"
    r"|such as),? (?P<form>\([^()\s]{1,30}\)|\[[^\[\]]{1,40}\]|§+|\S{2,30})[^\w§]*$",
    _I,
)
_LINE_PER = re.compile(
    r"(?:output|write|give|print|return|put|use|list|produce) (?:exactly |only )?(?:one|a"
    r"|a single) line (?:per|for each|for every) [\w -]{2,40}? (?:in the (?:form|format)|as|of the form"
    r"|like)[: ]+"
    r"(?P<form>§+|[^\s,;.§]{2,20}[:=|/-] ?[^\s,;.§]{2,20}|\S{3,60}?)(?P<rest>$|[,.;] .*|[^\w§]*$)",
    _I,
)
_EACH_LINE = re.compile(
    r"(?:(?:each|every) (?:output )?line|(?:all )?lines) (?:must |should |is |are |has |have |to |be "
    r"|follows? |reads? |of |in )*(?:the )?(?:form|format|pattern|shape)[: ]+(?P<form>§+"
    r"|[^\s,;.§]{2,20}[:=|/-] ?[^\s,;.§]{2,20}|\S{3,60}?)(?P<rest>$|[,.;] .*|[^\w§]*$)",
    _I,
)
_NAMED_LINE = re.compile(
    r"(?:the|each|every) [\w-]+(?: [\w-]+)? line (?:must |should |always )*(?:reads?|says?|has the form"
    r"|is written|looks like|takes the form|is)[: ]+(?:as )?(?P<form>§+)(?P<rest>.*)$",
    _I,
)
_NO_BLANK = re.compile(r"\b(?:no|without) (?:blank|empty) lines?\b", _I)
_EMPTY = re.compile(
    r"(?:(?:sections|headings) (?:that are empty|without (?:content|entries|items|text)"
    r"|with nothing (?:under|in) them)|empty (?:sections|headings)) (?:are|must be|should be) (?:left out"
    r"|omitted|dropped|skipped|removed|not (?:shown|printed|written|allowed))"
    r"|(?:leave out|omit|skip|drop|remove) (?:any |all )?(?:empty (?:sections|headings)|(?:sections"
    r"|headings) (?:that are empty|without (?:content|entries|items)|that have no (?:content|entries"
    r"|items)))"
    r"|(?:do not|don['’]t|never) (?:write|leave|print|include|show|keep|have) (?:any "
    r"|an )?empty (?:sections?|headings?)|never leave (?:an?|any|the) (?:section|heading) empty"
    r"|no empty (?:sections|headings)|no (?:section|heading) (?:is"
    r"|may be|stays|must be) (?:left )?empty",
    _I,
)
_HOLLOW = "|".join(rf"^ {{0,3}}#{{{level}}} [^\n]+\n\s*(?:#{{1,{level}}} |\z)" for level in range(2, 7))
_ALONE = re.compile(
    r"(?:.{3,80}?, )?(?:write|put|say|give|state) (?P<term>§+),? (?:and nothing else|nothing else|alone"
    r"|only|on its own|with nothing else)(?P<under>,? (?:under (?:that|the) heading|there|in (?:that"
    r"|the) section))?[^\w§]*$",
    _I,
)
_CAPITALS = re.compile(
    r".*\bin (?:capitals|capital letters|upper[- ]?case|all caps)[:,]? \(?(?P<words>[A-Z]{2,}(?:(?:, | or "
    r"| and |, or )[A-Z]{2,}){0,4})\)?[^\w§]*$"
)
_CODE = re.compile(
    r"(?<![\w-])(?P<prefix>[A-Z][A-Z0-9]{1,9})(?P<sign>[-#/:]?)(?P<hole>0{3,10}|[nNxX]{2,10}|#{2,10}"
    r"|<[^<>]{1,20}>|\d{2,10})(?![\w-])"
)
_FORMED = re.compile(r"\b(?:form|format|pattern|shape|like|as|written|e\.g\.)\b", _I)


def marks(text: Text) -> Any | None:
    for read in (_not_as, _at_edge, _lines, _named_line, _hollow, _alone, _capitals):
        made = read(text)
        if made is not None:
            return made
    return None


def codes(text: Text) -> Any | None:
    """``the ticket number in the form HM-000000``: what begins like one is one."""
    found = _CODE.search(text.raw)
    if (
        found is None
        or not _FORMED.search(text.masked[: found.start()])
        or re.search(r"\b(?:not|never|no)\b", text.masked, _I)
    ):
        return None
    hole = found["hole"]
    if hole[0] == "<" or (hole.isdigit() and set(hole) != {"0"}):
        return None  # how many digits is not said
    wide = rf"\b{found['prefix']}[-#/: ]{{0,2}}\d+\b"
    exact = rf"\A{found['prefix']}{re.escape(found['sign'])}\d{{{len(hole)}}}\z"
    return c.Each(part=c.Part(kind="match", pattern=wide), check=c.Matches(pattern=exact, finds=f"the form {found[0]}"))


def _whole_scope(text: Text, at: int) -> tuple[Scope, str] | None:
    scope = scope_at(text, at, sections=False)
    return (scope, text.masked[scope.end :].strip(" .!;")) if scope is not None and not scope.kind else None


def _not_as(text: Text) -> Any | None:
    """``Do not use "click here" as link text``: none of them is nothing but that."""
    found = _AS.match(text.masked)
    placed = _whole_scope(text, found.end()) if found else None
    if found is None or placed is None or placed[1]:
        return None
    group = "bad" if found["bad"] else "bad2"
    said = text.cut(found.start(group), found.end(group))
    if re.search(r"\b(?:only|unless|except|other than)\b", said.masked, _I):
        return None
    if placed[0].part.kind == "bullet":
        return _markers(said)
    terms = said.terms()
    urls = re.search(r"\b(?:bare |raw |naked )?(?:urls?|addresses)\b", said.masked, _I) is not None
    if not terms and not urls:
        return None
    spelled = [re.escape(term.rstrip(".")) for term in terms] + ([r"https?://\S+|www\.\S+"] if urls else [])
    return c.Each(
        part=placed[0].part,
        check=c.Matches(
            pattern=rf"(?i)\A[\s*_\"“]*(?:{'|'.join(spelled)})[\s*_\"”.!:]*\z",
            least=0,
            most=0,
            finds="text of that kind",
        ),
    )


def _markers(said: Text) -> Any | None:
    """``emoji or characters such as ► and ✔ as bullets``."""
    signs = [sign for sign in re.findall(r"[^\w\s.,;:()\"'“”`§-]", said.raw) if not sign.isascii() or sign in "*+>~"]
    terms = [term for term in said.terms() if len(term) < 3]
    kinds = [re.escape(sign) for sign in dict.fromkeys([*signs, *terms])]
    if re.search(r"\bemojis?\b", said.masked, _I):
        kinds.append(_EMOJI)
    if not kinds:
        return None
    return c.Matches(
        pattern=rf"^[ \t]*(?:[-*+•][ \t]+)?(?:{'|'.join(kinds)})\x{{fe0f}}?[ \t]*\S",
        least=0,
        most=0,
        finds="lines with such a bullet",
    )


def _at_edge(text: Text) -> Any | None:
    """``Name the pull request at the end of the entry as (#123)``."""
    found = _AT_EDGE.match(text.masked)
    placed = _whole_scope(text, found.end()) if found else None
    if found is None or placed is None:
        return None
    form = _IN_FORM.match(text.masked[placed[0].end :])
    if form is None:
        return None
    at = placed[0].end + form.start("form")
    shown = text.raw[at : at + len(form["form"])].strip("`\"“”'")
    made = shape(shown)
    if not made or not re.search(r"[^\w\s]", shown):
        return None
    start = found["edge"].lower() != "end"
    pattern = rf"\A[\s*_`]*{made}" if start else rf"{made}[\s*_`.]*\z"
    return c.Each(
        part=placed[0].part, check=c.Matches(pattern=pattern, finds=f"{shown} at the {'start' if start else 'end'}")
    )


def _lines(text: Text) -> Any | None:
    found = _LINE_PER.match(text.masked) or _EACH_LINE.match(text.masked)
    if found is None:
        return None
    shown = text.raw[found.start("form") : found.end("form")].strip("`\"“”'.")
    made = shape(shown) if is_template(shown) else of_words(shown)
    if not made:
        return None
    every: Any = c.Each(
        part=c.Part(kind="line"), check=c.Matches(pattern=rf"\A\s*{made}\s*\z", finds=f"the form {shown[:40]}")
    )
    if _NO_BLANK.search(found["rest"]):
        every = c.AllOf(
            checks=(every, c.Matches(pattern=r"\S[ \t]*\n[ \t]*\n\s*\S", least=0, most=0, finds="blank lines"))
        )
    return every


def _named_line(text: Text) -> Any | None:
    """``The release line reads `## x.y.z - YYYY-MM-DD` ``: the lines that begin like it."""
    found = _NAMED_LINE.match(text.masked)
    terms = text.terms()
    if found is None or not terms or not is_template(terms[0]):
        return None
    opening = re.match(r"(?P<sign>[^\w\s<\[{]+ ?)?(?P<word>[A-Za-z]{3,20}[:=]? ?)?(?P<digits>[NnXxYy]|\d)?", terms[0])
    made = shape(terms[0])
    if opening is None or not made or not (opening["sign"] or opening["word"]):
        return None
    if opening["word"] and (opening["word"].strip(":= ") in ("YYYY",) or not re.search(r"[:= ]$", opening["word"])):
        return None
    lead = re.escape((opening["sign"] or "") + (opening["word"] or "")).replace(r"\ ", r"\s*")
    if not opening["word"]:
        if not opening["digits"]:
            return None
        lead += r"v?\d"
    part = c.Part(kind="line", pattern=rf"^\s*{lead}")
    return c.Each(part=part, check=c.Matches(pattern=rf"\A\s*{made}\s*\z", finds=f"the form {terms[0][:40]}"))


def _hollow(text: Text) -> Any | None:
    if not _EMPTY.match(text.masked) or re.search(r"\b(?:unless|except|if|when)\b", text.masked, _I):
        return None
    return c.Matches(pattern=_HOLLOW, least=0, most=0, finds="headings with nothing under them")


def _alone(text: Text) -> Any | None:
    """``write "Not addressed." and nothing else``: where it stands, nothing stands behind it."""
    found = _ALONE.match(text.masked)
    terms = text.terms()
    if found is None or len(terms) != 1 or len(terms[0]) < 4:
        return None
    term = re.escape(text.raw[found.start("term") + 1 : found.end("term") - 1].strip())
    if found["under"]:
        return c.Matches(
            pattern=rf"{term}[ \t]*(?:[A-Za-z(][^\n]*|\n[ \t]*[A-Za-z][^\n]*)", least=0, most=0, finds="text behind it"
        )
    return c.When(
        condition=c.Contains(terms=terms, case=True),
        then=c.Matches(pattern=rf"\A[\s\"“*_]*{term}[\s\"”*_.]*\z", finds="that text alone"),
    )


def _capitals(text: Text) -> Any | None:
    """``in capitals: NOT or EXCEPT``: within the part that is named they do not stand in small letters."""
    found = _CAPITALS.match(text.raw)
    placed = _whole_scope(text, 0) if found else None
    if found is None or placed is None or not placed[0].sure:
        return None
    words = re.findall(r"[A-Z]{2,}", found["words"])
    lower = "|".join(f"{word.lower()}|{word.capitalize()}" for word in words)
    return c.Each(
        part=placed[0].part,
        check=c.Matches(pattern=rf"\b(?:{lower})\b", least=0, most=0, finds=" or ".join(words) + " in small letters"),
    )
