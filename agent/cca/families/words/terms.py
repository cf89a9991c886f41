"""Families of given words: forbidden, required, so often, in that place, spelled so, one instead of the other."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.words.direction import choose
from agent.cca.families.words.kit import all_of, bare, either, none, placed, some, spelled
from agent.cca.families.words.lexicon import I_WORD
from agent.cca.families.words.names import is_open, listed, named, proper

_I = re.IGNORECASE
_EXACT = re.compile(
    r"\b(?:word[- ]for[- ]word|verbatim|exact(?:ly)?|literal(?:ly)?|unchanged|unaltered|as is|letter for letter"
    r"|to the letter|without (?:any )?changes?|case[- ]sensitive)\b",
    _I,
)
_OFTEN = re.compile(r"\b(?:again|times|once|twice|often|repeat\w*|per|more than)\b", _I)


_LETTER = re.compile(r"\b(?:letters?|characters?|lipogram)\b", _I)
_SINGLE = re.compile(r"\bletters? ([a-zA-Z])\b")
_ONE_OF = re.compile(r"\bor\b|\beither\b|\bone(?: or more)? of\b|\bany of\b", _I)


def _letters(s: Slots) -> tuple[str, ...]:
    """The letters that the sentence speaks of."""
    found = tuple(term for term in s.terms if len(term) == 1 and term.isalpha())
    single = _SINGLE.search(s.text)
    return found or ((single[1],) if single else ()) if _LETTER.search(s.text) or found == ("e",) else ()


def _without_pronoun(terms: tuple[str, ...]) -> Any:
    """Without ``I``, which is no numeral of ``World War I``, and the other words."""
    others = tuple(term for term in terms if term != "I")
    return none("|".join([I_WORD, *([f"(?i:{either(others)})"] if others else [])]), "I or the like")


def _absent(s: Slots) -> Any | None:
    letters = _letters(s)
    if letters:
        return all_of([some(f"(?i){re.escape(x)}", f"letters “{x}”", 0, 0) for x in letters])
    found = _refused_terms(s) or s.contrast or listed(s) or proper(s.text)
    found = tuple(term.strip().rstrip("….").strip() or term for term in found)
    if not found or any(is_open(term) for term in found):
        return None
    case = any(len(term) == 1 for term in found)
    if "I" in found:
        return placed(s, _without_pronoun(found))
    return placed(s, c.Absent(terms=found, case=case, within="prose"))


_RATHER = re.compile(
    r"(?:^|[,;:.–—-] ?|\b(?:but|and|instead) )(?:(?:we|you|they|please|just|always|instead|rather|but|and) )*"
    r"(?:say|write|use|prefer|call (?:it|them|this|that)|put)(?: (?:an?|the|it|them))? ?[\"'`“‘]*$",
    _I,
)


def _refused_terms(s: Slots) -> tuple[str, ...]:
    """ "We never say A, we say B": not what is recommended behind what is refused."""
    kept: list[str] = []
    for term in s.terms:
        ahead = s.text[: s.text.find(term)]
        if not (kept and _RATHER.search(ahead) and re.search(r"[,;:.–—-]", ahead[ahead.find(kept[-1]) :])):
            kept.append(term)
    return tuple(kept)


def _present(s: Slots) -> Any | None:
    found = named(s)
    if not found:
        return None
    least = 1 if len(found) > 1 and _ONE_OF.search(s.text) else 0
    return placed(s, c.Contains(terms=found, least=least, case=_EXACT.search(s.text) is not None, words=True))


def _count(s: Slots) -> Any | None:
    letters = _letters(s)
    if len(letters) == 1:
        return some(f"(?i){re.escape(letters[0])}", f"letters “{letters[0]}”", s.least, s.most)
    found = named(s)
    if not found or (s.least is None and s.most is None):
        return None
    made = [some(f"(?i){spelled(term)}", f"times “{term[:50]}”", s.least, s.most, "answer") for term in found]
    return placed(s, made[0]) if len(made) == 1 else all_of(made)


_PAIR = re.compile(
    r"\b(?P<good>[A-Za-z][\w'’-]*(?: [a-z][\w'’-]*){0,2}?),? (?:and |but )?(?:not|never|instead of|rather than"
    r"|in place of|over) (?:the )?(?P<bad>[A-Za-z][\w'’-]*(?:(?:,? (?:or|nor|and) |, )[A-Za-z][\w'’-]*)*)[^\w]*$",
    _I,
)
_SAYS = re.compile(r"\b(?:say|write|use|call\w*|word|term|spell|prefer|speak|refer)\b", _I)
_REPLACE = re.compile(r"\b(?:replace|swap|substitut\w+|exchange|change|turn)\b", _I)


def _instead(s: Slots) -> Any | None:
    """The refused one: what is contrasted; of ``replace A with B`` the first."""
    good, bad = s.terms, s.contrast
    if not bad and len(good) == 2:
        between = s.text.split(good[0], 1)[-1].split(good[1], 1)[0].lower()
        ahead = s.text.split(good[0], 1)[0].lower()
        if re.search(r"\b(?:not|never|instead of|rather than|over|in place of)\b", between) or (
            re.search(r"\b(?:prefer|favou?r)\w*\b", ahead) and re.search(r"\bto\b", between)
        ):
            good, bad = good[:1], good[1:]
        elif (
            _REPLACE.search(ahead)
            or re.search(r"\b(?:instead of|rather than|never|not|avoid|don['’]t|no|where others|would)\b", ahead)
            or re.search(r"\b(?:becomes?|is out|turns? into|should be|is called)\b|→|->", between)
        ):
            good, bad = good[1:], good[:1]
    if not bad and not good and _SAYS.search(s.text):
        pair = _PAIR.search(s.text)
        if pair:
            good, bad = (pair["good"],), tuple(re.split(r",? (?:or|nor|and) |, ", pair["bad"]))
    apart = tuple(term for term in bad if not any(_within(term, other) for other in good))
    if not apart or any(is_open(term) for term in apart):
        return None
    if "I" in apart:
        return placed(s, _without_pronoun(apart))
    case = any(len(term) == 1 for term in apart) or any(a.lower() == b.lower() for a in apart for b in good)
    return placed(s, c.Absent(terms=apart, case=case, within="prose"))


def _within(term: str, other: str) -> bool:
    """Who says ``log in to`` says ``log in``."""
    return term.lower() != other.lower() and re.search(rf"(?<!\w){re.escape(term)}(?!\w)", other, _I) is not None


def _loose(name: str) -> str:
    """The name in all the ways of writing its parts apart or together; group 1."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]+|[a-z0-9]+|[^\w\s-]", name)
    return (
        r"(?i)(?:^|[\s(\"“'‘*_])(" + r"[\s-]?".join(re.escape(part) for part in parts)
        + r")(?:['’]s)?(?:[\s)\"”'’*_,;:!?]|\.(?:\s|$)|$)"
    )  # fmt: skip


def _spelling(s: Slots) -> Any | None:
    quoted = any(f"{mark}{term}" in s.text for term in s.terms for mark in "\"'`“‘")
    found = s.terms or listed(s) or proper(s.text)
    if s.terms and not quoted and set(s.terms) < set(s.listed):  # "as GitHub, iPhone and macOS"
        found = s.listed
    found = tuple(dict.fromkeys(found))
    if not found or any(is_open(term) or not re.search(r"[A-Za-z]{2}", term) for term in found):
        return None
    if re.search(r"\{[^{}]*\}", s.text):
        return None  # a template's place
    return all_of(
        [
            c.Each(
                part=c.Part(kind="match", pattern=_loose(name)),
                check=c.Matches(pattern=rf"\A{re.escape(name)}\z", finds=f"the spelling {name[:50]}"),
            )
            for name in found
        ]
    )


_CASES = {
    "upper": r"\b(?:all[- ]|block )?(?:capitals?|caps|capitali[sz]\w*|upper[- ]?case\w*)\b",
    "lower": r"\blower[- ]?case\w*|\bsmall (?:letters?|i)\b",
}


def _case(s: Slots) -> Any | None:
    """A word stands in capitals wherever it does, or in small letters behind another word."""
    found, way = named(s), choose(s.text, _CASES)
    if not found or way is None:
        return None
    pattern = f"(?:^|[^\\w])((?i:{either(found)}))" if way == "upper" else f"[a-z,;] ((?i:{either(found)}))"
    check = c.Case(letters="upper" if way == "upper" else "lower")
    return c.Each(part=c.Part(kind="match", pattern=pattern), check=check)


_AFTER = re.compile(r"\b(?:after|follows?|behind|later than|below)\b", _I)


_NOT_BEFORE = re.compile(r"\b(?:not|never)\b[^.;,]*\b(?:before|ahead|precede)|n['’]t [^.;,]*\b(?:before|ahead)", _I)


def _order(s: Slots) -> Any | None:
    found = s.terms or s.listed or proper(s.text)
    if len(found) < 2 or any(is_open(term) for term in found):
        return None
    behind = _AFTER.search(s.text) and not re.search(r"\b(?:before|then|followed)\b", s.text, _I)
    if len(found) == 2 and bool(behind) != bool(_NOT_BEFORE.search(s.text)):
        found = found[::-1]
    return c.Order(terms=found)


_EACH: tuple[tuple[str, Any], ...] = (
    (r"\bparagraphs?\b", "paragraph"), (r"\bsentences?\b", "sentence"), (r"\bheadings?\b", "heading"),
    (r"\bbullets?\b|\blist items?\b|\bitems?\b", "list_item"), (r"\blines?\b", "line"), (r"\bsteps?\b", "step"),
)  # fmt: skip


def _everywhere(s: Slots) -> Any | None:
    """Each paragraph, sentence or bullet has it."""
    found = named(s)
    kind = next((kind for words, kind in _EACH if re.search(words, bare(s.text), _I)), None)
    return c.Each(part=c.Part(kind=kind), check=c.Contains(terms=found, least=1)) if found and kind else None


FAMILIES: tuple[Family, ...] = (
    Family("term.absent", "the words {terms} do not occur", _absent, takes_terms=True),
    Family("term.present", "the words {terms} occur", _present, takes_terms=True),
    Family("term.count", "{terms} occurs {limit} times", _count, bounded=True, takes_terms=True),
    Family("term.instead", "{terms} stands instead of the other word", _instead, takes_terms=True),
    Family("term.spelling", "{terms} is spelled exactly so", _spelling, takes_terms=True),
    Family("term.case", "{terms} stands in capitals, or in small letters", _case, takes_terms=True),
    Family("term.order", "{terms} come in this order", _order, takes_terms=True),
    Family("term.each", "each of the parts has {terms}", _everywhere, takes_terms=True),
)
