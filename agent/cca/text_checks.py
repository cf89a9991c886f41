"""Checks that look at words, characters and counts; each judges one check on a view of the answer and never raises."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise

from agent.cca import checks as c
from agent.cca.formats import Judgement
from agent.cca.linear import PatternError, count_matches
from agent.cca.view_parts import links_in, list_depth, longest_list, parts_of
from agent.cca.views import Span, View

MAX_SPANS = 20
_EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\U0001f1e6-\U0001f1ff\u2b50\u2b55]")
_WORD = re.compile(r"\w+(?:[-'’.]\w+)*")
# "[1]", "[1:23]", "http/status.py:23", "status.py, line 23"
_CITATION = re.compile(
    r"\[\d{1,6}(?::\d{1,9}(?:-\d{1,9})?)?\]|\w\.[A-Za-z]\w{0,5}`?(?:[:#]L?\d|,? \(?(?:at |on )?lines? \d)"
)
_HOLDS: Judgement = ("holds", "", ())
_ARTICLE = re.compile(r"^(?:an?|the) ")


def found_in(view: View, terms: Iterable[str], within: str, case: bool, words: bool) -> dict[str, Span]:
    """First place of each term that occurs in the part."""
    found: dict[str, Span] = {}
    text = view.text if case else _lower(view.text)
    for term in terms:
        wanted = term if case else _lower(term)
        for part in parts_of(view, within):
            at = _find(text, wanted, part, words)
            if at >= 0:
                found[term] = Span(at, at + len(wanted))
                break
    return found


def _lower(text: str) -> str:
    """Lower case with the same length, so that offsets stay those of the answer."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(x.lower() if len(x.lower()) == 1 else x for x in text)


def _find(text: str, term: str, part: Span, words: bool) -> int:
    at = text.find(term, part.start, part.end)
    while at >= 0 and words and not _stands_alone(text, at, at + len(term)):
        at = text.find(term, at + 1, part.end)
    return at


def _stands_alone(text: str, start: int, end: int) -> bool:
    before, first, last, after = text[start - 1 : start], text[start], text[end - 1], text[end : end + 1]
    return not (_is_word(before) and _is_word(first)) and not (_is_word(last) and _is_word(after))


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def judge_contains(view: View, check: c.Contains) -> Judgement:
    found = found_in(view, check.terms, check.within, check.case, check.words)
    if len(found) >= (check.least or len(check.terms)):
        return "holds", "", tuple(found.values())[:MAX_SPANS]
    return "violated", f"lacks {listed(term for term in check.terms if term not in found)}", ()


def judge_absent(view: View, check: c.Absent) -> Judgement:
    found = found_in(view, check.terms, check.within, check.case, check.words)
    if not found:
        return _HOLDS
    return "violated", f"has {listed(found)}", tuple(found.values())[:MAX_SPANS]


def judge_matches(view: View, check: c.Matches) -> Judgement:
    total, first = 0, None
    try:
        for part in parts_of(view, check.within):
            found, span = count_matches(check.pattern, view.of(part))
            total += found
            if span and first is None:
                first = Span(part.start + span[0], part.start + span[1])
    except PatternError as error:
        return "no_verdict", str(error), ()
    spans = (first,) if first else ()
    if check.finds and (total < check.least or (check.most is not None and total > check.most)):
        what = check.finds if total else _ARTICLE.sub("", check.finds)  # "no question"
        return "violated", f"{total or 'no'} {what}", spans
    if total < check.least:
        return "violated", f"matches /{check.pattern[:60]}/ {total} times, not {check.least}", spans
    if check.most is not None and total > check.most:
        return "violated", f"matches /{check.pattern[:60]}/ {total} times, more than {check.most}", spans
    return "holds", "", spans


def judge_count(view: View, check: c.Count) -> Judgement:
    number = count_unit(view, check.unit, check.within)
    named = check.unit.replace("_", " ")
    if check.least is not None and number < check.least:
        return "violated", f"{number} {named}, fewer than {check.least}", ()
    if check.most is not None and number > check.most:
        return "violated", f"{number} {named}, more than {check.most}", ()
    return _HOLDS


def count_unit(view: View, unit: str, within: str = "answer") -> int:
    """How many ``unit`` the part has. Lines: those that are not blank. Words: runs joined by - ' . count as one."""
    parts = parts_of(view, within)
    if unit == "words":
        return sum(len(_WORD.findall(view.of(part))) for part in parts)
    if unit == "characters":
        return sum(len(view.of(part).strip()) for part in parts)
    if unit == "lines":
        return sum(1 for part in parts for line in view.of(part).split("\n") if line.strip())
    if unit == "citations":
        return sum(len(_CITATION.findall(view.of(part))) for part in parts)
    if unit in ("longest_list", "list_depth"):
        return longest_list(view) if unit == "longest_list" else list_depth(view)
    if unit == "links":
        return sum(len(links_in(view.of(part))) for part in parts)
    if unit in ("fences", "unnamed_fences"):
        return sum(1 for fence in view.fences if unit == "fences" or not fence.language)
    spans: tuple[Span, ...] = getattr(view, unit)
    return sum(1 for span in spans if any(part.start <= span.start and span.end <= part.end for part in parts))


def judge_order(view: View, check: c.Order) -> Judgement:
    found = found_in(view, check.terms, "answer", check.case, True)
    if check.all and len(found) < len(set(check.terms)):
        return "violated", f"lacks {listed(term for term in check.terms if term not in found)}", ()
    present = [(term, found[term]) for term in check.terms if term in found]
    if len(present) < 2:
        return "no_verdict", "fewer than two of the things to be ordered occur", ()
    for (early, a), (late, b) in pairwise(present):
        if b.start < a.start:
            return "violated", f"“{late[:60]}” comes before “{early[:60]}”", (b, a)
    return _HOLDS


def judge_starts(view: View, check: c.Starts) -> Judgement:
    return _edge(view, check, str.startswith, "does not start with")


def judge_ends(view: View, check: c.Ends) -> Judgement:
    return _edge(view, check, str.endswith, "does not end with")


def _edge(view: View, check: c.Starts | c.Ends, test: Callable[[str, str], bool], fault: str) -> Judgement:
    parts = parts_of(view, check.within)
    if not parts:
        return "no_verdict", f"there is no {check.within}", ()
    text = view.of(parts[0]).strip()
    shown = text if check.case else _lower(text)
    if any(test(shown, term if check.case else _lower(term)) for term in check.terms):
        return _HOLDS
    return "violated", f"{fault} {listed(check.terms)}", (parts[0],) if check.within != "answer" else ()


def judge_charset(view: View, check: c.Charset) -> Judgement:
    spans: list[Span] = []
    for part in parts_of(view, check.within):
        text = view.of(part)
        if check.allow == "no_emoji":
            spans.extend(Span(part.start + m.start(), part.start + m.end()) for m in _EMOJI.finditer(text))
        elif check.allow == "no_tabs":
            spans.extend(Span(part.start + at, part.start + at + 1) for at, char in enumerate(text) if char == "\t")
        elif not (check.allow == "ascii" and text.isascii()):
            limit = 0x80 if check.allow == "ascii" else 0x100
            spans.extend(
                Span(part.start + at, part.start + at + 1) for at, char in enumerate(text) if ord(char) >= limit
            )
        if len(spans) >= MAX_SPANS:
            break
    if not spans:
        return _HOLDS
    named = {"ascii": "ASCII", "latin1": "Latin-1", "no_emoji": "free of emoji", "no_tabs": "free of tabs"}[check.allow]
    shown = listed(view.of(span) for span in spans[:3])
    return "violated", f"is not {named}: {shown}", tuple(spans[:MAX_SPANS])


def judge_case(view: View, check: c.Case) -> Judgement:
    wrong = str.isupper if check.letters == "lower" else str.islower
    for part in parts_of(view, check.within):
        for at, char in enumerate(view.of(part)):
            if wrong(char):
                place = Span(part.start + at, part.start + at + 1)
                return "violated", f"is not all {check.letters} case", (place,)
    return _HOLDS


def judge_language(view: View, check: c.Language) -> Judgement:
    from agent.cca.language import LANGUAGES, is_in

    if check.language not in LANGUAGES:
        return "no_verdict", "that language is not known", ()
    told = is_in(" ".join(view.of(part) for part in view.part("prose")), check.language)
    if told is None:
        return "no_verdict", "its language cannot be told", ()
    return _HOLDS if told else ("violated", f"is not in {check.language.capitalize()}", ())


def judge_sorted(view: View, check: c.Sorted) -> Judgement:
    items = view.units("bullet")
    if len(items) < 2:
        return "no_verdict", "there is no list of two items", ()
    shown = [_lower(view.of(item)).strip(" *_`\"'“”") for item in items]
    for at, (one, other) in enumerate(pairwise(shown)):
        if not check.unique and (one < other if check.descending else other < one):
            return "violated", f"“{other[:60]}” comes after “{one[:60]}”", (items[at + 1],)
    repeated = next((at for at, text in enumerate(shown) if text in shown[:at]), None)
    if check.unique and repeated is not None:
        return "violated", f"“{shown[repeated][:60]}” comes twice", (items[repeated],)
    return _HOLDS


def judge_line_length(view: View, check: c.LineLength) -> Judgement:
    lines = {"code": view.code_lines, "prose": view.prose_lines, "answer": view.lines}.get(check.within)
    lines = tuple(view.part(check.within)) if lines is None else lines
    long = tuple(line for line in lines if line.end - line.start > check.most)
    if not long:
        return _HOLDS
    return "violated", f"{len(long)} lines are longer than {check.most} characters", long[:MAX_SPANS]


def judge_sections(view: View, check: c.Sections) -> Judgement:
    """A heading fits when it holds the wanted words as words, case aside."""
    shown = [_lower(view.of(span)) for span in view.headings]
    at = 0
    for wanted in check.headings:
        start = at if check.ordered else 0
        hit = next((i for i in range(start, len(shown)) if _says(shown[i], _lower(wanted))), None)
        if hit is None:
            place = " at its place" if check.ordered else ""
            return "violated", f"lacks the section “{wanted[:80]}”{place}", ()
        at = hit + 1 if check.ordered else at
    return _HOLDS


def _says(text: str, term: str) -> bool:
    return _find(text, term, Span(0, len(text)), True) >= 0


def listed(terms: Iterable[str]) -> str:
    shown = [f"“{' '.join(term.split())[:60]}”" for term in terms]
    return ", ".join(shown[:4]) + (f" and {len(shown) - 4} more" if len(shown) > 4 else "")
