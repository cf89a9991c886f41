"""How many: a number beside what it counts, with the words before and behind it that make it a bound."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.cca.reading import NUMBER_WORDS

_I = re.IGNORECASE
NUMBERS = {
    **NUMBER_WORDS, "eleven": 11, "thirteen": 13, "fourteen": 14, "sixteen": 16, "eighteen": 18, "thirty": 30,
    "forty": 40, "fifty": 50, "sixty": 60, "eighty": 80, "ninety": 90, "a hundred": 100, "one hundred": 100,
    "two hundred": 200, "three hundred": 300, "five hundred": 500,
}  # fmt: skip
_NUMBER = r"(\d{1,3}(?:,\d{3})+|\d{1,6}|" + "|".join(sorted(NUMBERS, key=len, reverse=True)) + r")"
_SHORT = (
    r"(?:(?:short|brief|complete|full|separate|distinct|different|single|concise|clear|top-level|individual|or fewer"
    r"|or less|or more|total|consecutive|dense|simple|plain|key|main|relevant|compact|natural|readable|crisp|tight"
    r"|succinct|long|coherent"
    r"|\w+(?:ive|ful|ous|able|ible|ical|ed))[ ,]+){0,2}"
)
_RANGE = re.compile(
    rf"\b(?:between |from )?{_NUMBER}\s?(?:-|–|—|to|and|or|through)\s?{_NUMBER}[ -]+{_SHORT}$"
    rf"|\b(?:at least|a minimum of|minimum(?: of)?|min\.?|no fewer than|no less than) {_NUMBER}[,;]?"
    rf" (?:and |but |or )?(?:at most|no more than|not more than|a maximum of|maximum(?: of)?|max\.?|up to) {_NUMBER}"
    rf"[ -]+{_SHORT}$",
    _I,
)
_ONE = re.compile(rf"(?<![\w.,-]){_NUMBER}[ -]+{_SHORT}$", _I)
_GAP = r"(?: [\w']+){0,3}"
_NO_MORE = (
    r"at (?:the )?(?:very )?most|(?:no|not|nor|never) (?:be )?(?:\w+ )?(?:more|longer|greater|larger) than|up to"
    r"|max(?:imum)?\.?(?: (?:length|size|count))?(?: of|:| is)?"
    r"|(?:(?:not|never|no|without)(?: to)?|n['’]t|cannot) (?:ever )?exceed(?:ing)?|"
    rf"(?:limit|restrict|confin|constrain|keep|kept|bound|trim|cut|shorten|condens)\w*{_GAP} (?:down )?to"
    rf"|cap\w*{_GAP} at"
    r"|(?:limit|cap|ceiling|budget|maximum)(?: is)?(?: of|:)?|within(?: a (?:limit|budget|maximum) of)?|≤|<="
    r"|not (?:over|above)|never (?:over|above)"
    r"|fit\w* (?:in|into|within|on)|stop\w* (?:at|after)|exceed\w* no|do with"
)
_FEWER = r"under|below|(?:less|fewer|shorter|smaller) than|<|short of"
_NO_LESS = (
    r"at (?:the )?(?:very )?least|(?:no|not|nor|never) (?:be )?(?:\w+ )?(?:fewer|less|shorter|smaller) than"
    r"|min(?:imum)?\.?(?: (?:length|size|count))?(?: of|:| is)?|≥|>=|upwards of"
)
_MORE = r"(?:more|longer|greater|larger) than|over|above|exceed(?:s|ing)?|>|beyond|past"
_EXACT = r"exactly|precisely|just|only|exact|a total of|no more and no less than|neither more nor less than"
_VAGUE = (
    r"about|around|approximately|approx\.?|roughly|~|circa|nearly|ideally|preferably|almost|typically|usually|every"
)
_LEFT = tuple(
    (kind, re.compile(rf"(?:^|(?<=[\s(:,]))(?:an? )?(?:{words})\s?(?:a total of |the |an? |your )?(?:\w+ of )?$", _I))
    for kind, words in (
        ("vague", _VAGUE), ("most", _NO_MORE), ("least", _NO_LESS), ("fewer", _FEWER), ("more", _MORE),
        ("exact", _EXACT),
    )
)  # fmt: skip
_RIGHT = tuple(
    (kind, re.compile(rf"[\s,(]{{0,2}}(?:{words})\b\)?", _I))
    for kind, words in (
        ("most", r"or (?:less|fewer|shorter|under|below)|at (?:the )?(?:very )?most|max(?:imum)?\.?|tops|limit|cap"
                 r"|and (?:not (?:one|a \w+) more|no more)|is the (?:upper |hard )?(?:limit|maximum|cap|most)"),
        ("least", r"or (?:more|longer|above)|at (?:the )?(?:very )?least|min(?:imum)?\.?|and up|is the (?:minimum"
                  r"|least)"),
        ("exact", r"exactly|long|in length|total|altogether|no more,? (?:and )?no (?:less|fewer)|each"),
    )
)  # fmt: skip
_OR_MORE = re.compile(rf" or (?:at most )?{_NUMBER}(?=[.,;)]|$| long\b)", _I)
"""``a sentence or two``."""
_BEHIND = re.compile(
    r"(?: (?:limit|count|counts?|cap|maximum|minimum|max|min|length|budget|total))?\s?(?:\((?:max|min)\.?\))?"
    rf"(?:\s?(?::|=|-|is|are|be|must|should|shall|may|can|not|never|no|of|has to|to|set|at|at most|at least|exactly"
    rf"|up to|below"
    rf"|under|over|above|exceed|more|less|fewer|than|max\.?|maximum|minimum|min\.?|between|from|within|limited"
    rf"|capped|≤|>=|<=|≥)){{1,8}}"
    rf"\s?{_NUMBER}(?:\s?(?:-|–|to|and)\s?{_NUMBER})?(?: (?:max|min|maximum|minimum|at most|at least|or fewer"
    rf"|or less|or more)\b\.?)?(?!,?\d)(?!\s?(?!and\b|but\b|or\b)[\w%])",
    _I,
)


@dataclass(frozen=True, slots=True)
class Limit:
    """``turned``: it holds only where something denies it ("not … more than 3"). Offsets: the words it takes up."""

    least: int | None
    most: int | None
    start: int
    end: int
    turned: bool = False
    bare: bool = False


def number_of(text: str) -> int:
    return NUMBERS[text.lower()] if text.lower() in NUMBERS else int(text.replace(",", ""))


def limit_at(text: str, start: int, end: int, denied: bool) -> Limit | None:
    """The bound of what is named at [start, end) of ``text``; None where no number stands by, or one that is vague.

    Args:
        denied: The clause denies: "do not write more than 3" bounds from above.
    """
    before = text[:start]
    found = _RANGE.search(before)
    if found:
        low, high = (number_of(group) for group in found.groups() if group)
        if low > high or _LEFT[0][1].search(before[: found.start()]):
            return None
        return Limit(low, high, found.start(), end)
    found = _ONE.search(before)
    if found is None:
        return _behind(text, start, end)
    number = number_of(found[1])
    kind, opening = "", found.start()
    for name, pattern in _LEFT:
        left = pattern.search(before[: found.start()])
        if left:
            kind, opening = name, left.start()
            break
    closing = end
    further = _OR_MORE.match(text, end) if kind in ("", "exact") else None
    if further and number_of(further[1]) > number:
        return Limit(number, number_of(further[1]), opening, further.end())
    for name, pattern in _RIGHT:
        right = pattern.match(text, end)
        if right and (kind in ("", "exact") or name == kind or right[0].strip().lower() == "each"):
            kind, closing = (name if kind in ("", "exact") else kind), right.end()
            break
    return _limit(kind, number, opening, closing, denied)


def _limit(kind: str, number: int, start: int, end: int, denied: bool) -> Limit | None:
    if kind == "vague":
        return None
    if kind == "most":
        return Limit(None, number, start, end)
    if kind == "least":
        return Limit(number, None, start, end)
    if kind == "fewer":
        return Limit(number, None, start, end, True) if denied else Limit(None, number - 1, start, end)
    if kind == "more":
        return Limit(None, number, start, end, True) if denied else Limit(number + 1, None, start, end)
    return Limit(number, number, start, end, bare=kind == "")


_ABOVE = re.compile(r"\b(?:at least|or more|min(?:imum)?|≥|>=|no fewer|no less|not (?:be )?(?:less|fewer))\b", _I)
_EXACTLY = re.compile(r"\b(?:exactly|precisely)\b|=", _I)
_MOST = re.compile(
    r"\b(?:at most|or fewer|or less|max(?:imum)?|limit\w*|cap\w*|up to|within|budget|no more|not (?:be )?(?:more"
    r"|over|above)|(?:not|never) exceed)\b|≤|<=",
    _I,
)
_UNDER = re.compile(r"\b(?:under|below|less than|fewer than)\b", _I)
_OPENS_MAX = re.compile(
    r"\b(?:max(?:imum)?\.?|limit on(?: the)?|upper limit on(?: the)?)(?: (?:allowed|permitted))?(?: number of"
    r"| count of)?(?: the)? $",
    _I,
)
_OPENS_MIN = re.compile(r"\bmin(?:imum)?\.?(?: number of)?(?: the)? $", _I)
_OPENS = re.compile(r"\b(?:the )?(?:total )?(?:number|count|amount) of (?:the )?$|\b(?:the )?(?:total )?$", _I)


def _behind(text: str, start: int, end: int) -> Limit | None:
    """``number of words: at most 50``, ``word limit: 50``."""
    found = _BEHIND.match(text, end)
    if found is None:
        return None
    numbers = [number_of(group) for group in found.groups() if group]
    opens = _OPENS_MAX.search(text[:start]) or _OPENS_MIN.search(text[:start]) or _OPENS.search(text[:start])
    at = opens.start() if opens else start
    said = text[at : found.start(1)] + text[found.end(1) : found.end()]
    if len(numbers) == 2:
        return Limit(numbers[0], numbers[1], at, found.end()) if numbers[0] <= numbers[1] else None
    if _ABOVE.search(said):
        return Limit(numbers[0], None, at, found.end())
    if _MOST.search(said):
        return Limit(None, numbers[0], at, found.end())
    if _UNDER.search(said):
        return Limit(None, numbers[0] - 1, at, found.end())
    counted = re.search(r"\b(?:number|count|total)\b|:\s?$", text[at : found.start(1)], _I)
    return Limit(numbers[0], numbers[0], at, found.end()) if _EXACTLY.search(said) or counted else None
