"""Where a sentence quotes, counts and enumerates: the spans that a demand's slots are filled from."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.cca.grammar.limits import NUMBERS
from agent.cca.quoted import quoted_terms

_I = re.IGNORECASE
_IDENTIFIER = re.compile(
    r"(?<![\w/.<-])(?:--?[a-z][\w-]*|</?[A-Za-z][\w-]*/?>|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?:\(\))?|[A-Za-z]\w*\(\)"
    r"|\w*[A-Za-z0-9]_\w*|_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)(?![\w/])"
)
"""Flags, tags, dotted names, calls, names with underscores, names with capitals inside."""
_SYMBOL = re.compile(r"(?<![^\s(])(?:[#*=~+<>&|/\\!-]{2,}|[{}\[\]|;$#@&%*~^<>+_])(?=[\s,.;:)]|$)")
_PLAIN_WORDS = re.compile(
    r"^(?:e\.g|i\.e|etc|a\.m|p\.m|U\.S)\.?$|^(?:snake_case|camelCase|PascalCase|CapWords|CamelCase|UPPER_CASE"
    r"|SCREAMING_SNAKE_CASE|UpperCamelCase|lowerCamelCase|lower_snake_case|UPPER_SNAKE_CASE|GitHub|JavaScript|TypeScript"
    r"|OpenAPI|JSONL|LaTeX|YouTube|McNemar|NaN)$"
)
_CONTRASTS = re.compile(
    r"(?:\binstead of|\brather than|\bin place of|\bas opposed to|\bnot|\bnever|\bno|\bin lieu of|n['’]t)"
    r"(?: (?:by|with|to|as|on|an?|the|in|for|like|use|write|say|just|or|even|plain))*\s*[(]?$",
    _I,
)
_FOLLOWS_NOT_USE = re.compile(r"(?:n['’]t|\bnot|\bnever) (?:use|write|say)[^,;]*$", _I)
_SHOWS = re.compile(
    r"(?:\bsuch as|\be\.?g\.?,?|\bfor example,?|\bfor instance,?|\blike|\bi\.?e\.?,?|\bincluding|\bas in|\bof the kind"
    r"|\bthe likes of|\bexamples?:)(?: (?:an?|the|to|in|by|with|or|and|so|this|these))*\s*:?\s*[(]?$",
    _I,
)
_BOUND = re.compile(r"limit \d+", _I)
"""What is quoted but says how many."""
_JOINS = re.compile(r"^\s*(?:,|/|and|or|nor|&|, and|, or|, nor)\s*(?:(?:the|an?|word|words|phrase|even) )*$", _I)
_NUMBER_WORD = "|".join(sorted((re.escape(word) for word in NUMBERS if word not in ("one",)), key=len, reverse=True))
_ONE_THING = r"one(?! (?:of|another|or (?!more|fewer|less|two)|thing that)\b)|(?:a )?single(?! quot|-quot)"
_UNIT = r"(?:word|character|char|line|sentence|item|row|column|minute|second|page|bullet|paragraph|step|point|letter)"
_NUMBER = re.compile(
    r"(?<![\w.#$€£§])(?<!\D-)(?:(\d{1,3}(?:,\d{3})+(?![\d])|\d{1,9}(?:\.\d{1,9})?)"
    rf"(?![\w.]*\d|\w|-(?!{_UNIT}\b)[A-Za-z_])"
    rf"|(?:({_NUMBER_WORD}|{_ONE_THING}|once|twice|thrice|a dozen)(?![\w])))",
    _I,
)
_NAMED_BY_NUMBER = re.compile(
    r"(?:\b(?i:iso|rfc|python|pep|version|level|utf|sha|h|v)[ -]?"
    r"|\b(?:Step|Page|Figure|Table|Part|Chapter|Line|Rule|Column|Section) "
    r"|\b(?i:in|since|until|by|of) (?=(?:19|20)\d\d\b))$"
)
_HALVED = re.compile(
    r"\b(?:break|split|cut|divide)\b[^.;]{0,30}\bin(?:to)? \0(?=$|[.,;])|\bmake \0 of (?:it|them)\b",
    _I,
)
"""What is halved, counts nothing."""
_AFTER_NOT_A_NUMBER = re.compile(r"^(?:-| )?(?:space|spaces) indent|^ ?(?:hours?|h) clock|^-hour", _I)
_TO = re.compile(r"^\s?(?:-|–|—|to|and|or|through|up to|till|until)\s?$", _I)
_FROM_LEAST = re.compile(
    r"\b(?:at least|minimum(?: of)?|min\.?|no fewer than|no less than|no shorter than|from|between"
    r"|(?:fewer|less|shorter) than)\s*$",
    _I,
)
_TO_MOST = re.compile(
    r"^[^.;]{0,40}?\b(?:and|but|or|nor|,) ?(?:an? )?(?:at most|no more than|not more than|maximum(?: of)?|max\.?|up to"
    r"|no longer than|no greater than|(?:more|longer) than"
    r"|never (?:more|over)(?: than)?)\s*$",
    _I,
)
_MOST_WORDS = r"(?:at (?:the )?(?:very )?most|no more than|not more than|no longer than|max(?:imum)?\.?(?: of)?|up to)"
_LEAST_WORDS = r"(?:at (?:the )?(?:very )?least|no fewer than|no less than|no shorter than|min(?:imum)?\.?(?: of)?)"
_DENIED_MORE = re.compile(
    r"(?:\b(?:no|not|never|neither)\b|n['’]t\b)[^.;:]{0,40}\b(?:longer|more|larger|greater) than(?: an?)?\s*$", _I
)
_OR_FEWER = re.compile(r"^[^.;:]{0,30}\b(?:or|nor)\b[^.;:]{0,20}\b(?:shorter|fewer|less|smaller)(?: than)?\s*$", _I)
_AT_MOST_BEFORE = re.compile(rf"\b{_MOST_WORDS}\s*$", _I)
_BUT_AT_LEAST = re.compile(rf"^[^.;:]{{0,30}}?(?:,|\band\b|\bbut\b)(?: (?:and|but|yet))? ?{_LEAST_WORDS}\s*$", _I)
_LEAST_BEHIND = re.compile(rf"^(?: [\w-]+){{0,2}} {_LEAST_WORDS}(?:,|;| and| but)+(?: (?:and|but))? ?$", _I)
_MOST_BEHIND = re.compile(rf"^(?: [\w-]+){{0,2}} {_MOST_WORDS}(?![\w ]*\d)", _I)
_GIVE_OR_TAKE = re.compile(r"^[^.;:]{0,20}?(?:,? \(?(?:give or take|plus or minus|plus/minus)|,? ?±|,? ?\+/-)\s*$", _I)
_PERCENT = re.compile(r"^ ?(?:%|per ?cent\b)", _I)
_CONTRASTED = re.compile(
    r"[,;:(–—-] ?(?:and |but )?(?:not|never|neither|nor|rather than|instead of)(?: \w+){0,2} $", _I
)
_AS_WELL = re.compile(r"^(?: or | nor | and |, | (?:\w+ )?nor )$", _I)
_VALUES = {"single": 1, "a single": 1, "once": 1, "twice": 2, "thrice": 3, "a dozen": 12, "one": 1}
_ITEM = r"[\w][\w./+'’-]*(?: (?!and |or |nor |in that )[\w][\w./+'’-]*){0,2}"
_ENUMERATION = re.compile(
    rf"(?<![\w-])({_ITEM}(?:, ?{_ITEM})+,? ?(?:and|or|nor|&) {_ITEM}|{_ITEM}(?:, ?{_ITEM}){{2,}})(?=[.,;:)(]|$| in )",
    _I,
)
_BEHIND_COLON = re.compile(rf":\s*({_ITEM}(?:(?:,| /|/|\|| \|| or| and) ?{_ITEM})+)\s*(?=[.;)(]|$| in )", _I)
_CAPITALS = re.compile(
    r"(?<![\w.])((?:[A-Z][\w-]*)(?: [A-Z][\w-]*)?(?:, (?:[A-Z][\w-]*)(?: [A-Z][\w-]*)?)*,? (?:and|or|nor) "
    r"[A-Z][\w-]*(?: [A-Z][\w-]*)?)(?![\w])"
)
_SPLIT = re.compile(r"\s*(?:,|/|\||\band\b|\bor\b|\bnor\b|&)\s*", _I)
_OPENER = re.compile(r"^(?:either|only|just|the|an?|words?|exactly|these|both|always|namely)\s+", _I)


@dataclass(frozen=True, slots=True)
class Mark:
    """``kind``: term, example, contrast, number, range. ``value``: the term's text, or a number's first value."""

    kind: str
    start: int
    end: int
    text: str = ""
    low: float = 0.0
    high: float = 0.0
    quoted: bool = False


def terms_in(text: str) -> list[Mark]:
    """Quoted terms, names spelled like code, and symbols, in order; told apart by what stands before them."""
    spans = [(each.start, each.end, each.text, True) for each in quoted_terms(text) if not _BOUND.fullmatch(each.text)]
    for pattern in (_IDENTIFIER, _SYMBOL):
        for match in pattern.finditer(text):
            inside = any(start < match.end() and match.start() < end for start, end, _, _ in spans)
            if not inside and not _PLAIN_WORDS.match(match[0]):
                spans.append((match.start(), match.end(), match[0], False))
    found: list[Mark] = []
    for start, end, term, quoted in sorted(spans):
        between = text[found[-1].end if found else 0 : start]
        kind = "term"
        if _CONTRASTS.search(between) and not _FOLLOWS_NOT_USE.search(between):
            kind = "contrast"
        elif _SHOWS.search(between):
            kind = "example"
        elif found and _JOINS.match(between):
            kind = found[-1].kind
        found.append(Mark(kind, start, end, term, quoted=quoted))
    if found and all(mark.kind == "contrast" for mark in found):  # "never 'obviously'": nothing else is named
        found = [Mark("term", mark.start, mark.end, mark.text, quoted=mark.quoted) for mark in found]
    return found


def numbers_in(text: str, taken: list[Mark]) -> list[Mark]:
    """Numbers and ranges outside of ``taken``, without those that name something (ISO 8601) or stand in examples."""
    found: list[Mark] = []
    for match in _NUMBER.finditer(text):
        if any(mark.start < match.end() and match.start() < mark.end for mark in taken):
            continue
        before = text[max(0, match.start() - 60) : match.start()]
        if (
            _HALVED.search(f"{before}\0{text[match.end() : match.end() + 8]}")
            or _NAMED_BY_NUMBER.search(before)
            or re.search(r"\.\w{1,4}:$", before)
            or _AFTER_NOT_A_NUMBER.match(text[match.end() :])
        ):
            continue
        if re.search(
            r"(?:\be\.?g\.?|\bsuch as|\bfor example,?|(?:[,(]|\bnumbered|\blooks"
            r"|\bwritten) ?like)(?:(?!, so )[^.;)]){0,40}$",
            before,
            _I,
        ):
            continue
        word = match[0].lower()
        value = float(_VALUES.get(word, NUMBERS.get(word, -1)))
        if value < 0:
            value = float(match[0].replace(",", ""))
        found.append(Mark("number", match.start(), match.end(), match[0], value, value))
    return _joined(text, _without_contrasted(text, found))


def _without_contrasted(text: str, found: list[Mark]) -> list[Mark]:
    """ "three bullets, never two or four": what is denied beside a number that is wanted bounds nothing."""
    kept: list[Mark] = []
    dropped = 0  # where the last one ends that was left out
    for mark in found:
        denied = kept and _CONTRASTED.search(text[kept[-1].end : mark.start])
        if denied or (dropped and _AS_WELL.match(text[dropped : mark.start])):
            dropped = mark.end
        else:
            dropped = 0
            kept.append(mark)
    return kept


def _joined(text: str, found: list[Mark]) -> list[Mark]:
    """Two numbers that bound one thing from both sides as a range."""
    joined: list[Mark] = []
    for mark in found:
        last = joined[-1] if joined else None
        bounds = None if last is None or last.kind != "number" else _bounds(text, last, mark)
        if last is not None and bounds is not None:
            joined[-1] = Mark("range", last.start, mark.end, text[last.start : mark.end], *bounds)
        else:
            joined.append(mark)
    return joined


def _bounds(text: str, last: Mark, mark: Mark) -> tuple[float, float] | None:
    """Least and most, in whichever order they stand, or a number with its tolerance."""
    before, between, behind = text[: last.start], text[last.end : mark.start], text[mark.end :]
    if _GIVE_OR_TAKE.match(between):
        off = last.low * mark.low / 100 if _PERCENT.match(behind) else mark.low
        low, high = last.low - off, last.low + off
        return (float(-(-low // 1)), float(high // 1)) if low >= 0 else None
    if last.low < mark.low:
        pair = _FROM_LEAST.search(before) and _TO_MOST.match(between)
        apart = _LEAST_BEHIND.match(between) and _MOST_BEHIND.match(behind)
        return (last.low, mark.low) if _TO.match(between) or pair or apart else None
    if last.low == mark.low:
        return None
    denied = _DENIED_MORE.search(before) and _OR_FEWER.match(between)
    pair = _AT_MOST_BEFORE.search(before) and _BUT_AT_LEAST.match(between)
    return (mark.low, last.low) if denied or pair else None


def listed_in(text: str, taken: list[Mark]) -> tuple[str, ...]:
    """The items of the longest enumeration of words that stands in ``text`` unquoted."""
    masked = list(text)
    for mark in taken:
        if mark.kind in ("contrast", "example") or mark.quoted:
            masked[mark.start : mark.end] = "\0" * (mark.end - mark.start)
    plain = "".join(masked)
    best: tuple[str, ...] = ()
    for pattern in (_BEHIND_COLON, _ENUMERATION, _CAPITALS):
        for match in pattern.finditer(plain):
            if _CONTRASTS.search(plain[: match.start()].rstrip()) and not _FOLLOWS_NOT_USE.search(
                plain[: match.start()]
            ):
                continue
            items = tuple(_OPENER.sub("", item.strip(" .")) for item in _SPLIT.split(match[1]) if item.strip(" ."))
            if len(items) > len(best) and "\0" not in match[1] and not re.match(r"(?:not|no|never)\b", items[0], _I):
                best = items
        if best and pattern is _BEHIND_COLON:
            break
    return _trimmed(best)


def _trimmed(items: tuple[str, ...]) -> tuple[str, ...]:
    """ "be low, medium or high in it": what the first has before, and the last behind, as many words as the others."""
    if len(items) < 3:
        return items
    words = [item.split() for item in items]
    usual = max(len(item) for item in words[1:-1])
    first = words[0][-usual:] if len(words[0]) > usual else words[0]
    last = words[-1][:usual] if len(words[-1]) > usual else words[-1]
    return (" ".join(first), *items[1:-1], " ".join(last))
