"""Which words a sentence means: quoted, enumerated, or names with a capital that stand in it as they are."""

from __future__ import annotations

import re

from agent.cca.families.family import Slots
from agent.cca.families.words.kit import bare

_I = re.IGNORECASE
_NAME = re.compile(
    r"(?<![\w'’.-])(?:[a-z]{1,3}[A-Z]\w+|[A-Z][\w’'+-]*\w(?:\.(?:js|io|net|com))?)"
    r"(?: (?:[a-z]{1,3}[A-Z]\w+|[A-Z][\w-]*\w))*"
)
_COMMON_WORDS = """
please always never do don't don’t not no the a an in if when our your we you i it it’s it's use say write avoid
include mention keep make both every each all any answers answer replies reply response responses english american
british german french spanish italian latin markdown json yaml html url urls oxford monday tuesday wednesday
thursday friday saturday sunday january february march april may june july august september october november
december ai iso utc ascii unicode ok faq ceo eu us uk usa roman arabic celsius fahrenheit this that these those
there name names product company competitor competitors only call spell refer drop insert put just either must
should with at exactly as for to from on nothing one two three weave work somewhere see let some be get give bring
have has is are was what which who how why and or but so also end start begin open close finish brand brands
customers customer rivals house style rule reminder important note vocabulary terminology wording spelling key
keywords capital capitals caps latin-1 word words
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_WORDY = re.compile(
    r"\b(?:words?|terms?|phrases?|expressions?|key ?words?|key ?phrases?|vocabulary|adverbs?|verbs?|adjectives?"
    r"|buzz ?words?|clich[eé]s?|fillers?|say|saying|says|write|brands?|names?|named|naming|mention\w*|competitors?"
    r"|rivals?|companies|terminology|wording|refer\w*|call)\b",
    _I,
)
_LIST = re.compile(
    r"\b(?:words?|terms?|phrases?|expressions?|keywords?|names?)(?: (?:are|is|include|as follows|list))?"
    r"(?: (?:banned|forbidden|off limits|not allowed|taboo|out))?: ?"
    r"(?P<list>[\w'’-]+(?: [\w'’-]+)?(?:, (?:and |or |nor )?[\w'’-]+(?: [\w'’-]+)?)*(?:,? (?:and|or|nor) [\w'’-]+)?)",
    _I,
)
_SPLIT = re.compile(r",? (?:and|or|nor) |, ")


def proper(text: str) -> tuple[str, ...]:
    """Names with a capital, those of common words left out, in order."""
    found: list[str] = []
    for match in _NAME.finditer(bare(text)):
        words = match[0].split()
        lonely = not re.match(r",? (?:(?:and|or|nor) )?[A-Z]", bare(text)[match.end() :])
        if match.start() == 0 and lonely and re.fullmatch(r"[A-Z][a-z]+", words[0]):
            words = words[1:]  # it begins the sentence
        while words and words[0].lower() in _COMMON:
            words = words[1:]
        if words and not (len(words) == 1 and words[0].lower() in _COMMON) and words != ["I"]:
            found.append(" ".join(words))
    return tuple(dict.fromkeys(found))


def is_wordy(text: str) -> bool:
    """Whether the sentence speaks of words, so that an enumeration in it may be of words."""
    return _WORDY.search(text) is not None


def listed(s: Slots) -> tuple[str, ...]:
    """An enumeration of words that is not quoted."""
    found = _LIST.search(s.text)
    if found:
        return tuple(word for word in _SPLIT.split(found["list"]) if word)
    return s.listed if is_wordy(s.text) else ()


def named(s: Slots) -> tuple[str, ...]:
    """The words that the sentence means, however they are shown; () where it shows none."""
    found = s.terms or listed(s) or proper(s.text)
    return () if any(is_open(term) for term in found) else tuple(term.strip() for term in found if term.strip())


_OPEN = re.compile(
    r"\.\.\.|…|\[[^\]]*\]|\{[^}]*\}|<(?:your|insert|name|date|title|text|number|n|x|[a-z]+[ _-][a-z]+)\b[^<>]*>"
    r"|\b[NXY]{1,6}\b|#\d|\d{4,}|_{2,}"
)


def is_open(term: str) -> bool:
    """Whether the term is a form with places to fill in: ``SECTION X``, ``[name]``, ``BB-12345``."""
    return _OPEN.search(term.rstrip(".…")) is not None
