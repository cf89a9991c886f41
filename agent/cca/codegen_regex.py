"""CodeGen: regular expressions that an answer has to match. A quoted pattern is no text that anybody has to spell."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_NAMED = re.compile(r"\b(?:reg(?:ular )?[- ]?ex(?:p|pression)?e?s?)\b", _I)
_MATCHES = re.compile(r"\b(?:match(?:es|ing)?|conform(?:s|ing)? to|satisf(?:y|ies)|fits?)\b", _I)
_PATTERN = re.compile(r"\bpattern\b", _I)
_ANSWER = re.compile(
    r"^(?:please |make sure |ensure |that |always )*(?:(?:the|your|every|each|all|any|final|whole|entire) )*"
    r"(?:answers?|responses?|outputs?|repl(?:y|ies))\b(?! (?:line|field|value|key|name|file)s?\b)",
    _I,
)
_SIGNS = re.compile(r"\\[dwsbDWSB.]|\[[^\]]*\][+*{]?|[+*]\)?\$?$|\(\?|\.\*|\{\d")


def speaks_of_a_pattern(text: str, terms: tuple[Quoted, ...]) -> bool:
    """Whether the sentence quotes a regular expression as one, so that its signs are not to be read as text."""
    if not terms:
        return False
    if _NAMED.search(text):
        return True
    about = _PATTERN.search(text) or _MATCHES.search(text)
    return about is not None and any(_SIGNS.search(each.text) for each in terms)


def matches_pattern(text: str, terms: tuple[Quoted, ...], negative: bool) -> Any | None:
    """``The answer must match the regex `^[A-Z]+-\\d+$```; None where it is about something else, or no RE2 pattern.

    Anchors bind the whole answer, white space around it aside.
    """
    if negative or len(terms) != 1 or not _MATCHES.search(text) or not _ANSWER.match(text):
        return None
    pattern = terms[0].text.strip("/")
    opened, closed = pattern.startswith(("^", r"\A")), pattern.endswith(("$", r"\z", r"\Z"))
    inner = re.sub(r"^(?:\^|\\A)", "", pattern)
    inner = re.sub(r"(?:\$|\\[zZ])$", "", inner) if closed and not inner.endswith(r"\$") else inner
    head, tail = r"\A\s*" if opened else "", r"\s*\z" if closed else ""
    try:
        return c.Matches(pattern=f"(?s){head}(?:{inner}){tail}")
    except ValueError:
        return None
