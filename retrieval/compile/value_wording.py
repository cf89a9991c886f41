"""What questions about values, the environment and the build say, and how names of constants say it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from retrieval.pack_records import Plan
from retrieval.text.stopwords import QUESTION_WORDS
from retrieval.text.terms import index_terms, query_terms

_MAX_READ = 4_000  # characters of a question
_GENERIC_SHARE = 0.3  # of words that say only that a value is asked for
PREFIX = 5  # letters that words of one family share: "survive", "survival"
_FAMILY_SHARE = 0.8
_SHORT = 3  # letters: "env" for "environment"
CONTENT = 0.4  # weight above which a term is a content word
_SHORT_SHARE = 0.6
_OTHERWISE_WEIGHT = 0.5

# A value is asked for where the question says so: "pattern" or "level" in a description asks for none.
_VALUES = re.compile(
    r"\b(?:defaults?|how (?:many|much|long|often|large|big|far|deep|old)|at most|at least|"
    r"env(?:ironment)? ?var(?:iable)?s?|"
    r"what is the (?:\w+ ){0,2}?(?:limit|value|size|timeout|maximum|minimum)|"
    r"(?:which|what) (?:\w+ ){0,2}?(?:limits?|settings?|constants|values?|levels|patterns|prefix(?:es)?|suffix(?:es)?|"
    r"extensions|directories|folders|files|file names?|paths|codes?|status(?:es)?|ports?|keys?|character sets?|"
    r"encodings?|formats?|options?|flags?|timeouts?|numbers?|headers|schemes)|"
    r"(?:which|where|what) [^?.!\n]{1,80}? (?:built[- ]in|left out|kept|stored|listed|ignored|excluded|"
    r"skipped|limited))\b",
    re.IGNORECASE,
)
_ENVIRONMENT = re.compile(r"\benv(?:ironment)?(?: ?var(?:iable)?s?)\b", re.IGNORECASE)
_BUILD = re.compile(
    r"\b(?:build(?:s|ing)? (?:the |a |its )?(?:distributions?|packages?|wheels?|backend|system|requirements)|"
    r"build (?:backend|system|tool)|is packaged|requires?-python|console scripts?|installed commands?|line length|"
    r"(?:which|what|oldest|minimum|lowest|newest|supported|required) (?:oldest |minimum |lowest )?(?:versions? of )?"
    r"python(?: versions?)?|python versions?|(?:runtime|direct|installed|required|development) dependencies|"
    r"optional (?:dependencies|extras?|requirements)|which (?:extra|linters?|type ?checkers?))\b",
    re.IGNORECASE,
)
_GENERIC = frozenset(
    term
    for word in ("default", "value", "setting", "option", "constant", "environment", "variable", "config", "name",
                 "list", "type", "file", "class", "function", "code")
    for term in index_terms(word)
)  # fmt: skip
# What questions say, and the words that names of constants have for it.
_SAID_OTHERWISE = tuple(
    (re.compile(rf"\b(?:{said})\b", re.IGNORECASE), names)
    for said, names in (
        ("at the same time|at once|in parallel|simultaneous(?:ly)?", "concurrent parallel workers"),
        ("how (?:long|old)|seconds|waits?|until", "timeout ttl age lifetime interval delay"),
        ("how (?:many|much|often|large|big|deep|far)|at most|largest|longest", "max limit size"),
        ("at least|smallest|oldest|lowest|shortest", "min minimum"),
        ("kept|stored|saved|written|lies?|lives?", "dir path folder location"),
        ("(?:left|leaves?) out|skip(?:s|ped)?|ignore[sd]?", "exclude ignore skip"),
        ("allow(?:s|ed)?|accept(?:s|ed)?|may", "allowed"),
        ("short (?:names?|forms?|prefix(?:es)?)", "alias abbreviation"),
    )
)


def asks_for_values(question: str) -> bool:
    return bool(_VALUES.search(question[:_MAX_READ]))


def asks_about_the_build(question: str) -> bool:
    return bool(_BUILD.search(question[:_MAX_READ]))


def asks_about_the_environment(question: str) -> bool:
    return bool(_ENVIRONMENT.search(question[:_MAX_READ]))


def asked_terms(plan: Plan) -> dict[str, float]:
    """The question's terms, and what names of constants say in place of its words."""
    asked = query_terms(plan.question)
    for pattern, words in _SAID_OTHERWISE:
        if pattern.search(plan.question[:_MAX_READ]):
            asked |= {term: _OTHERWISE_WEIGHT for term in index_terms(words) if term not in asked}
    return asked


def beginnings(asked: Mapping[str, float]) -> list[str]:
    """Of the question's content words, as names may hold them, in alphabetical order."""
    return sorted({term[:PREFIX] for term, weight in asked.items() if weight > CONTENT and len(term) >= _SHORT})


def name_holds(words: Sequence[str]) -> tuple[str, list[str]]:
    """An SQL condition on ``s.name``, that it holds one of ``words`` (not empty), and its parameters."""
    escaped = (word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") for word in words)
    return " OR ".join("s.name LIKE ? ESCAPE '\\'" for _ in words), [f"%{word}%" for word in escaped]


def name_terms(name: str) -> tuple[str, ...]:
    """The parts of a name, without the compound that they make up."""
    terms = index_terms(name)
    parts = tuple(dict.fromkeys(terms[1:] if len(terms) > 1 else terms))
    return tuple(term for term in parts if term not in QUESTION_WORDS) or parts


def said_share(term: str, asked: Mapping[str, float]) -> float:
    """How well the question says a term: itself, a word of the same family, or what it shortens."""
    if term in asked:
        return _GENERIC_SHARE if term in _GENERIC else 1.0
    if len(term) < PREFIX:
        short = len(term) >= _SHORT and any(
            other.startswith(term) for other in asked if len(other) >= len(term) + _SHORT
        )
        return _SHORT_SHARE if short else 0.0
    return _FAMILY_SHARE if any(other.startswith(term[:PREFIX]) for other in asked if len(other) >= PREFIX) else 0.0
