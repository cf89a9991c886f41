"""Forms with places to fill in: ``"Rating: [[rating]]"``, ``ANSWER: $ANSWER``, ``Score: <rating>``."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.polarity import DENIES

_I = re.IGNORECASE
_QUOTED = re.compile(r"`([^`\n]{3,120})`|“([^”\n]{3,120})”|\"([^\"\n]{3,120})\"|(?<!\w)'([^'\n]{3,120})'(?!\w)")
_PLACE = re.compile(
    r"\$\{?[A-Za-z_]\w*\}?|\{\{?[A-Za-z_ ]{1,40}\}?\}|<[A-Za-z][\w -]{0,40}>"
    r"|(?<=\[\[)[a-zA-Z][a-zA-Z _-]{1,40}(?=\]\])|(?<!\[)\[[a-z][a-zA-Z _-]{1,40}\]"
    r"|(?<=[:=] )\[[A-Z][a-zA-Z _-]{1,40}\]"
    r"|(?<=\s)\([a-z][a-z0-9 ,_-]{2,80}\)"
    r"|(?<=[:=] )[A-Z]{3,}(?: [A-Z]{3,}){0,3}(?=$|[.\]\)])|\.\.\.$|(?<=\s)(?:\.\.\.|…)(?=[\s,;:]|$)"
    r"|(?<![\w'’])[XYZN](?![\w'’])"
)
"""What is to be put in: a variable, a name in brackets, capitals at the end."""
_FORM = re.compile(
    r"\b(?:format|form|pattern|template|structure)\b|\b(?:end|finish|conclude|close|respond|reply|write|last line"
    r"|final line|begin|start|include|output|print)\w*\b.{0,60}$",
    _I,
)
_BARE = re.compile(
    r"\b(?:as|like|like this|format|form|of the form|this)\b:? (<<<[^<>\n]{1,40}>>>|\[\[[^\[\]\n]{1,40}\]\])"
    r"|\b(?:form|format)(?: of)?:? ((?:<[A-Za-z ]{2,20}>|[A-Z][A-Za-z ]{1,20})[:=] ?\$\{?[A-Za-z]\w*\}?)",
    _I,
)
_PAIR = re.compile(
    r"\b(?:wrap|enclos|surround|delimit|put|place)\w*\b.{0,40}?\b(?:in|with|by|between|within"
    r"|inside) (?:\"([^\"\w\s]{1,4})\"|“([^”\w\s]{1,4})”) and (?:\"([^\"\w\s]{1,4})\"|“([^”\w\s]{1,4})”)",
    _I,
)
_BRACKETS = re.compile(
    r"^(?:please |you must )?(?:(?:wrap|enclose|put|place|surround|write|give|provide|return)\b (?:the"
    r"|your) (?:final |chosen )?(?:answer|choice|verdict|result|score|rating|label|output|response)"
    r"|(?:the|your) (?:final )?(?:answer|choice|verdict|result|score|rating|label|output|response) (?:must"
    r"|should) be (?:wrapped|enclosed|put|placed|written|given))"
    r" (?:in|with|inside|within|between) square brackets",
    _I,
)
_LAST = re.compile(
    r"\b(?:last|final) line\b|\b(?:end|finish|conclude|close)\w* (?:the |your )?(?:\w+ )?(?:with|by)\b", _I
)
_NOT_HERE = re.compile(
    r"\b(?:if|when|unless|example|e\.g|input|prompt|files?|names?|commits?|branch\w*|import"
    r"|function|call|command|variables?|urls?|placeholder\w*)\b",
    _I,
)
_LEAST_LITERAL = 3  # letters, or two marks


def template(text: str) -> Any | None:
    """The form of which the sentence says that the answer holds it; None where it says more, or shows none."""
    if DENIES.search(_QUOTED.sub(" ", text)) and not re.search(r"\bwithout (?:the )?quot", text, _I):
        return None
    bare = _BARE.search(text)
    if bare and not _NOT_HERE.search(text[: bare.start()]):
        shown = next(group for group in bare.groups() if group)
        label = re.match(r"<([A-Z ]{2,20})>([:=])", shown)
        if label:
            return c.Matches(pattern=rf"<?{label[1]}>?\s*{label[2]}\s*\S")
        made = _pattern(re.sub(r"(?<=<<<)[^<>]+(?=>>>)", "$x", re.sub(r"(?<=\[\[)[^\[\]]+(?=\]\])", "$x", shown)))
        if made:
            return c.Matches(pattern=made)
    pair = _PAIR.search(text)
    if pair:
        opening, closing = re.escape(pair[1] or pair[2]), re.escape(pair[3] or pair[4])
        return c.Matches(pattern=f"{opening}.+?{closing}")
    if _BRACKETS.search(text):
        return c.Matches(pattern=r"\[[^\[\]\n]+\]")
    for quoted in _QUOTED.finditer(text):
        term = next(group for group in quoted.groups() if group)
        pattern = _pattern(term)
        if "</" in term:
            pattern = pattern.replace(".+?", r"[\s\S]+?")
        before = text[: quoted.start()]
        if pattern and _FORM.search(before) and not _NOT_HERE.search(before):
            last = _LAST.search(before) is not None
            return c.Matches(pattern=rf"{pattern}[.!\"'`*]*\s*\z" if last else pattern)
    return None


def _pattern(term: str) -> str:
    """Its literal parts as they stand, blanks of any width, one line at most in each place; "" for what is no form."""
    parts, at, literal = [], 0, ""
    places = [place for place in _PLACE.finditer(term) if f"</{place[0][1:]}" not in term]  # a tag that is closed
    if not places or "](" in term:
        return ""
    for place in places:
        piece = term[at : place.start()]
        literal += piece
        parts.append(_spelled(piece) + ".+?")
        at = place.end()
    literal += term[at:]
    parts.append(_spelled(term[at:]))
    letters = sum(char.isalpha() for char in literal)
    marks = sum(not char.isalnum() and not char.isspace() for char in literal)
    if letters < _LEAST_LITERAL and marks < 2:
        return ""
    return f"(?i){''.join(parts)}"


def _spelled(piece: str) -> str:
    return r"\s*".join(re.escape(part) for part in piece.split(" "))
