"""Families of tone: apologies, hedges, fillers, persons, contractions, talk of oneself, words that are set in lists."""

from __future__ import annotations

import re
from typing import Any

import agent.cca.families.words.lexicon as x
from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.words.kit import counted, either, never, none, placed, some, wants
from agent.cca.families.words.names import is_open
from agent.cca.linear import compiled, scrub

_I = re.IGNORECASE


_SAYS_NO_KIND = re.compile(
    r"\W*(?:(?:please|do|not|don['’]t|never|ever|avoid|no|say|saying|use|using|write|writing|the|an?|any|or|and|words?"
    r"|phrases?|expressions?|terms?|in|your|answers?|repl(?:y|ies)|responses?|output|text|of)\b\W*)*",
    _I,
)
"""``Never say "…"``: what is quoted is refused, and nothing is said of its kind."""


def _words(id: str, says: str, pattern: str, finds: str, also: bool = False) -> Family:
    """A kind of words is refused: those that the sentence quotes (``also``: as well), else those of a closed list."""

    def make(s: Slots) -> Any | None:
        shown = tuple(term.rstrip("….").strip() for term in (*s.terms, *s.contrast))
        if any(is_open(term) for term in shown):
            return None
        given = [f"(?i:{either(tuple(term for term in shown if term))})"] if any(shown) else []
        rest = s.text
        for term in sorted((*s.terms, *s.contrast), key=len, reverse=True):
            rest = rest.replace(term, " ")
        of_kind = also and any(compiled(pattern).search(scrub(term)) for term in shown)
        if not given or of_kind or (also and _SAYS_NO_KIND.fullmatch(rest) is None):
            return placed(s, none("|".join([*given, pattern]) if also or not given else given[0], finds))
        return placed(s, none(given[0], "such words" if also else finds))

    return Family(id, says, make, takes_terms=True)


_FIRST = rf"\b(?i:me|my|mine|we|our|ours|us|myself|ourselves)\b|{x.I_WORD}"
SINGULAR = rf"\b(?i:me|my|mine|myself)\b|{x.I_WORD}"
PLURAL = r"(?i)\b(?:we|our|ours|us|ourselves)\b"
_SECOND = r"(?i)\b(?:you|your|yours|yourself|yourselves)\b"
_GENDERED = r"(?i)\b(?:he|she|him|his|her|hers|himself|herself)\b"


def _given(pattern: str, finds: str, words: str) -> Any:
    """Where the sentence quotes some of these pronouns, those alone."""

    def make(s: Slots) -> Any | None:
        known = words.split()
        shown = [term for term in dict.fromkeys((*s.terms, *s.contrast)) if term.lower() in known]
        spelled = [x.I_WORD if term == "I" else rf"(?i:\b{term}\b)" for term in shown]
        return placed(s, none("|".join(spelled) or pattern, finds))

    return make


def _you(s: Slots) -> Any:
    """``Address the reader as "you"``, never as what is contrasted."""
    check = some(_SECOND, "second person")
    return c.AllOf(checks=(check, c.Absent(terms=s.contrast, within="prose"))) if s.contrast else check


FAMILIES: tuple[Family, ...] = (
    _words("apology.none", "no apologies", x.SORRY, "apologies", also=True),
    wants("apology.present", "an apology", x.SORRY, "an apology"),
    _words("hedge.none", "no hedging", x.HEDGE, "hedges"),
    _words("filler.none", "no filler words", x.FILLER, "filler words"),
    _words("intensifier.none", "no intensifiers", x.INTENSIFIER, "intensifiers"),
    _words("buzzword.none", "no buzzwords", x.BUZZ, "buzzwords"),
    _words("cliche.none", "no clichés", x.CLICHE, "clichés"),
    _words("superlative.none", "no superlatives", x.SUPERLATIVE, "superlatives"),
    _words("absolute.none", "no absolutes", x.ABSOLUTE, "absolutes"),
    _words("profanity.none", "no swear words", x.PROFANE, "swear words", also=True),
    _words("slang.none", "no slang", x.SLANG, "slang"),
    _words("chat_abbreviation.none", "no chat abbreviations", x.CHAT, "chat abbreviations"),
    _words("latin_abbreviation.none", "no e.g., i.e., etc.", x.LATIN, "Latin abbreviations", also=True),
    _words("interjection.none", "no interjections", x.WOW, "interjections"),
    _words("disclaimer.none", "no disclaimers", x.DISCLAIMER, "disclaimers", also=True),
    _words("ai.none", "no talk of being an AI", x.AI, "talk of being an AI", also=True),
    _words(
        "source_talk.none", "no talk of the context or the documents given", x.GIVEN, "talk of the context", also=True
    ),
    _words("thinking_talk.none", "no talk of what the answer will do", x.META, "talk of the answer", also=True),
    never("connective.none", "no connectives at the start of sentences", x.LINK_START, "connectives", terms=True),
    counted("connective.count", "{limit} linking words", x.LINK, "linking words", terms=True),
    Family(
        "first_person.none",
        "not in the first person",
        _given(_FIRST, "first person", "i me my mine we us our ours"),
        takes_terms=True,
    ),
    wants("first_person.present", "in the first person", f"{SINGULAR}|{PLURAL}", "first person", terms=True),
    Family(
        "second_person.none",
        "does not address the reader",
        _given(_SECOND, "second person", "you your yours"),
        takes_terms=True,
    ),
    Family("second_person.present", "addresses the reader as you", _you, takes_terms=True),
    never("third_person.only", "in the third person only", f"{_FIRST}|{_SECOND}", "first or second person", terms=True),
    Family("gendered.none", "no gendered pronouns or titles", lambda s: _gendered(s), takes_terms=True),
    never("contraction.none", "no contractions", x.CONTRACTION, "contractions", terms=True),
    wants("contraction.present", "contractions", x.CONTRACTION, "contractions", terms=True),
    counted("contraction.count", "{limit} contractions", x.CONTRACTION, "contractions", terms=True),
    never("passive.none", "no passive with by", x.PASSIVE_BY, "passives with by", terms=True),
    never("ly_adverb.none", "no adverbs in -ly", x.LY, "adverbs in -ly", terms=True),
    never("honorific.none", "no honorifics", x.TITLES, "honorifics", terms=True),
    Family("acronym.none", "no acronyms", lambda s: _acronyms(s), takes_terms=True),
    Family("word.length", "no word has more than {limit} letters", lambda s: _long(s), bounded=True),
)


_JOBS = (
    r"chair(?:man|woman)|police(?:man|men|woman|women)|steward(?:ess)?|fire(?:man|men)|sales(?:man|men|woman)|mankind"
    r"|business(?:man|men|woman)|mail(?:man|men)|spokes(?:man|woman)|waitress|actress|housewife|foreman|cameraman"
)


_OF_JOBS = re.compile(r"^(?!.*\bpronouns?\b).*\b(?:titles?|job titles?|professions?|occupations?)\b", re.I)


def _gendered(s: Slots) -> Any:
    """Pronouns; where the sentence speaks of titles those, and what it quotes in any case."""
    words = [each for each in s.terms if re.fullmatch(r"[A-Za-z][A-Za-z'’/ -]{0,30}", each)]
    found = [rf"\b(?:{_JOBS})s?\b"] if _OF_JOBS.search(s.text) else []
    found = found or [_GENDERED]
    if words and not all(
        re.fullmatch(r"(?i)s?he|his|hers?|him|he/she|s/he|his or her|he or she", each) for each in words
    ):
        found.append("|".join(rf"\b{re.escape(each)}s?\b" for each in words))
    return placed(s, none(f"(?i){'|'.join(found)}", "gendered words"))


_FIRST_USE = re.compile(r"\bfirst\b(?! place)|\bunless\b|\bonce\b|\bdefin\w+|\bexplain\w*", re.IGNORECASE)
"""Acronyms are written out where they come first: they may stand there."""


def _acronyms(s: Slots) -> Any | None:
    if _FIRST_USE.search(s.text):
        return None
    part = c.Part(kind="match", pattern=r"\b([A-Z]{2,6})s?\b", of=c.Part(kind="sentence"))
    return c.Each(part=part, check=c.Matches(pattern=rf"\A(?:{'|'.join(x.NO_ACRONYMS)})\z", finds="common short form"))


def _long(s: Slots) -> Any | None:
    if s.most is None or s.least is not None or not 3 < s.most < 40:
        return None
    return none(rf"\b[A-Za-zÀ-ÿ]{{{s.most + 1},}}\b", f"words of more than {s.most} letters")
