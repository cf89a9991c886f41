"""What questions about values, the environment and the build say, and how names of constants say it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from retrieval.pack_records import Plan
from retrieval.text.stopwords import QUESTION_WORDS
from retrieval.text.terms import index_terms, query_terms

_MAX_READ = 4_000  # characters of a question
_GENERIC_SHARE = 0.3  # of words that say only that a value is asked for
PREFIX = 5  # letters that words of one family share: "survive", "survival"
_FAMILY_SHARE = 0.8
_SHORT = 3  # letters: "env" for "environment"
_SHORT_SHARE = 0.6
_OTHERWISE_WEIGHT = 0.5

_VALUES = re.compile(
    r"\b(?:defaults?|how (?:many|much|long|often|large|big|far|deep|old)|at most|at least|limits?|maximum|minimum|"
    r"largest|smallest|configur\w{0,8}|settings?|constants?|environment|variables?|built[- ]in|by itself|left out|"
    r"levels?|patterns?|file names?|prefix(?:es)?|suffix(?:es)?|extensions?|which (?:values?|names?|directories|files|"
    r"paths?|codes?|status(?:es)?|headers?|methods?|schemes?|ports?|keys?|character sets?|encodings?|formats?|options?|"
    r"flags?)|timeouts?|time-?out|seconds|minutes|expir\w{0,5}|numbers? of|ports?|"
    r"where (?:is|are) .{1,60} (?:kept|stored|listed))\b",
    re.IGNORECASE,
)
_ENVIRONMENT = re.compile(r"\benv(?:ironment)?(?: ?var(?:iable)?s?)\b", re.IGNORECASE)
_BUILD = re.compile(
    r"\b(?:build(?:s|ing)? (?:the |a |its )?(?:distributions?|packages?|wheels?|backend|system|requirements)|"
    r"builds the|build (?:backend|system|tool)|packag(?:ed|ing)|requires?-python|"
    r"(?:which|what|oldest|minimum|lowest|newest|supported|required) (?:oldest |minimum |lowest )?(?:versions? of )?"
    r"python(?: versions?)?|python versions?|dependenc(?:y|ies)|console scripts?|"
    r"optional (?:dependencies|extras?|requirements)|linters?|type ?checkers?|line length|installed commands?)\b",
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
