"""Runs checks: a total function from (check, answer) to a verdict. It cannot raise, loop or touch the system.

``no_verdict`` is an outcome of its own: the check does not apply here, or could not be decided. It is never counted
as a violation, for a false alarm costs more than a miss: correction would edit a good answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from agent.cca import checks as c
from agent.cca.formats import judge_indent, judge_keys, judge_numeric, judge_schema, judge_table, judge_valid
from agent.cca.linear import PatternError, count_matches
from agent.cca.views import Span, View

Status = Literal["holds", "violated", "no_verdict"]

_MAX_SPANS = 20
_MAX_STEPS = 20_000  # checks run for one answer, ``every`` counting once a unit
_EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\U0001f1e6-\U0001f1ff\u2b50\u2b55]")
_WORD = re.compile(r"\w+(?:[-'’.]\w+)*")
_CITATION = re.compile(r"\[\d{1,6}(?::\d{1,9}(?:-\d{1,9})?)?\]")


@dataclass(frozen=True, slots=True)
class Verdict:
    """``spans``: the places in the answer that the verdict is about, at most 20. ``message``: one clause."""

    status: Status
    message: str = ""
    spans: tuple[Span, ...] = ()


HOLDS = Verdict("holds")
_NEGATIVE = frozenset(
    {"absent", "charset", "line_length"}
)  # an answer without code neither keeps nor breaks them there


def run_check(check: Any, answer: str | View, question: str | None = None) -> Verdict:
    """The verdict of one check about an answer. Never raises.

    Args:
        question: What the answer answers; without it a check that hangs on the question gives no verdict.
    """
    try:
        view = answer if isinstance(answer, View) else View(answer)
        return _Run(view, None if question is None else View(question)).judge(check, 0)
    except Exception as error:  # the last guard of totality: a fault of ours is no violation of theirs
        return Verdict("no_verdict", f"could not be checked ({type(error).__name__})")


class _Run:
    def __init__(self, view: View, question: View | None = None) -> None:
        self.view = view
        self.question = question
        self.steps = 0

    def judge(self, check: Any, depth: int) -> Verdict:
        self.steps += 1
        if depth > c.MAX_DEPTH or self.steps > _MAX_STEPS:
            return Verdict("no_verdict", "too large to check")
        judge = _JUDGES.get(check.op)
        if check.op in _NEGATIVE and check.within == "code" and not self.view.code_lines:
            return Verdict("no_verdict", "there is no code")
        return judge(self, check, depth) if judge else Verdict("no_verdict", "unknown check")

    def parts(self, within: str) -> list[Span]:
        return self.view.part(within)

    def find(self, terms: Iterable[str], within: str, case: bool, words: bool) -> dict[str, Span]:
        """First place of each term that occurs in the part."""
        found: dict[str, Span] = {}
        text = self.view.text if case else _lower(self.view.text)
        for term in terms:
            wanted = term if case else _lower(term)
            for part in self.parts(within):
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


def _contains(run: _Run, check: c.Contains, depth: int) -> Verdict:
    if check.of == "question":
        if run.question is None:
            return Verdict("no_verdict", "the question is not known")
        run = _Run(run.question)
    found = run.find(check.terms, check.within, check.case, check.words)
    need = check.least or len(check.terms)
    if len(found) >= need:
        return Verdict("holds", spans=tuple(found.values())[:_MAX_SPANS])
    lacking = [term for term in check.terms if term not in found]
    return Verdict("violated", f"lacks {_listed(lacking)}")


def _absent(run: _Run, check: c.Absent, depth: int) -> Verdict:
    found = run.find(check.terms, check.within, check.case, check.words)
    if not found:
        return HOLDS
    return Verdict("violated", f"has {_listed(found)}", tuple(found.values())[:_MAX_SPANS])


def _matches(run: _Run, check: c.Matches, depth: int) -> Verdict:
    total, first = 0, None
    try:
        for part in run.parts(check.within):
            found, span = count_matches(check.pattern, run.view.of(part))
            total += found
            if span and first is None:
                first = Span(part.start + span[0], part.start + span[1])
    except PatternError as error:
        return Verdict("no_verdict", str(error))
    spans = (first,) if first else ()
    if total < check.least:
        return Verdict("violated", f"matches /{check.pattern[:60]}/ {total} times, not {check.least}", spans)
    if check.most is not None and total > check.most:
        return Verdict("violated", f"matches /{check.pattern[:60]}/ {total} times, more than {check.most}", spans)
    return Verdict("holds", spans=spans)


def _count(run: _Run, check: c.Count, depth: int) -> Verdict:
    number = count_unit(run.view, check.unit, check.within)
    if check.least is not None and number < check.least:
        return Verdict("violated", f"{number} {check.unit}, fewer than {check.least}")
    if check.most is not None and number > check.most:
        return Verdict("violated", f"{number} {check.unit}, more than {check.most}")
    return HOLDS


def count_unit(view: View, unit: str, within: str = "answer") -> int:
    """How many ``unit`` the part has. Lines: those that are not blank. Words: runs joined by - ' . count as one."""
    parts = view.part(within)
    if unit == "words":
        return sum(len(_WORD.findall(view.of(part))) for part in parts)
    if unit == "characters":
        return sum(len(view.of(part).strip()) for part in parts)
    if unit == "lines":
        return sum(1 for part in parts for line in view.of(part).split("\n") if line.strip())
    if unit == "fences":
        return len(view.fences)
    if unit == "citations":
        return sum(len(_CITATION.findall(view.of(part))) for part in parts)
    spans: tuple[Span, ...] = getattr(view, unit)
    return sum(1 for span in spans if any(part.start <= span.start and span.end <= part.end for part in parts))


def _order(run: _Run, check: c.Order, depth: int) -> Verdict:
    found = run.find(check.terms, "answer", check.case, True)
    if check.all and len(found) < len(set(check.terms)):
        return Verdict("violated", f"lacks {_listed([term for term in check.terms if term not in found])}")
    present = [(term, found[term]) for term in check.terms if term in found]
    if len(present) < 2:
        return Verdict("no_verdict", "fewer than two of the things to be ordered occur")
    for (early, a), (late, b) in pairwise(present):
        if b.start < a.start:
            return Verdict("violated", f"“{late[:60]}” comes before “{early[:60]}”", (b, a))
    return HOLDS


def _starts(run: _Run, check: c.Starts, depth: int) -> Verdict:
    return _edge(run, check, lambda text, term: text.startswith(term), "does not start with")


def _ends(run: _Run, check: c.Ends, depth: int) -> Verdict:
    return _edge(run, check, lambda text, term: text.endswith(term), "does not end with")


def _edge(run: _Run, check: c.Starts | c.Ends, test: Callable[[str, str], bool], fault: str) -> Verdict:
    parts = run.parts(check.within)
    if not parts:
        return Verdict("no_verdict", f"there is no {check.within}")
    text = run.view.of(parts[0]).strip()
    shown = text if check.case else _lower(text)
    if any(test(shown, term if check.case else _lower(term)) for term in check.terms):
        return HOLDS
    return Verdict("violated", f"{fault} {_listed(check.terms)}", (parts[0],) if check.within != "answer" else ())


def _charset(run: _Run, check: c.Charset, depth: int) -> Verdict:
    spans: list[Span] = []
    for part in run.parts(check.within):
        text = run.view.of(part)
        if check.allow == "no_emoji":
            spans.extend(Span(part.start + m.start(), part.start + m.end()) for m in _EMOJI.finditer(text))
        elif check.allow == "no_tabs":
            spans.extend(Span(part.start + at, part.start + at + 1) for at, char in enumerate(text) if char == "\t")
        elif not (check.allow == "ascii" and text.isascii()):
            limit = 0x80 if check.allow == "ascii" else 0x100
            spans.extend(
                Span(part.start + at, part.start + at + 1) for at, char in enumerate(text) if ord(char) >= limit
            )
        if len(spans) >= _MAX_SPANS:
            break
    if not spans:
        return HOLDS
    named = {"ascii": "ASCII", "latin1": "Latin-1", "no_emoji": "free of emoji", "no_tabs": "free of tabs"}[check.allow]
    shown = _listed([run.view.of(span) for span in spans[:3]])
    return Verdict("violated", f"is not {named}: {shown}", tuple(spans[:_MAX_SPANS]))


def _case(run: _Run, check: c.Case, depth: int) -> Verdict:
    wrong = str.isupper if check.letters == "lower" else str.islower
    for part in run.parts(check.within):
        for at, char in enumerate(run.view.of(part)):
            if wrong(char):
                return Verdict(
                    "violated", f"is not all {check.letters} case", (Span(part.start + at, part.start + at + 1),)
                )
    return HOLDS


def _line_length(run: _Run, check: c.LineLength, depth: int) -> Verdict:
    lines = {"code": run.view.code_lines, "prose": run.view.prose_lines}.get(check.within, run.view.lines)
    long = tuple(line for line in lines if line.end - line.start > check.most)
    if not long:
        return HOLDS
    return Verdict("violated", f"{len(long)} lines are longer than {check.most} characters", long[:_MAX_SPANS])


def _every(run: _Run, check: c.Every, depth: int) -> Verdict:
    judged = 0
    broken: list[Span] = []
    message = ""
    for unit in run.view.units(check.scope):
        inner = _Run(View(run.view.of(unit)), run.question)
        inner.steps = run.steps
        if check.selects is not None and inner.judge(check.selects, depth + 1).status != "holds":
            run.steps = inner.steps
            continue
        verdict = inner.judge(check.check, depth + 1)
        run.steps = inner.steps
        if run.steps > _MAX_STEPS:
            return Verdict("no_verdict", "too large to check")
        judged += verdict.status != "no_verdict"
        if verdict.status == "violated":
            broken.append(unit)
            message = message or verdict.message
    if broken:
        return Verdict("violated", f"{len(broken)} of its {check.scope}s: {message}", tuple(broken[:_MAX_SPANS]))
    return HOLDS if judged else Verdict("no_verdict", f"there is no {check.scope} to check")


def _when(run: _Run, check: c.When, depth: int) -> Verdict:
    if run.judge(check.condition, depth + 1).status != "holds":
        return Verdict("no_verdict", "its condition is not met here")
    return run.judge(check.then, depth + 1)


def _all(run: _Run, check: c.AllOf, depth: int) -> Verdict:
    verdicts = [run.judge(each, depth + 1) for each in check.checks]
    broken = [verdict for verdict in verdicts if verdict.status == "violated"]
    if broken:
        spans = tuple(span for verdict in broken for span in verdict.spans)
        return Verdict("violated", "; ".join(dict.fromkeys(v.message for v in broken))[:400], spans[:_MAX_SPANS])
    return HOLDS if any(v.status == "holds" for v in verdicts) else verdicts[0]


def _any(run: _Run, check: c.AnyOf, depth: int) -> Verdict:
    verdicts = [run.judge(each, depth + 1) for each in check.checks]
    for wanted in ("holds", "no_verdict"):
        for verdict in verdicts:
            if verdict.status == wanted:
                return verdict
    return Verdict("violated", " and ".join(dict.fromkeys(v.message for v in verdicts))[:400])


def _not(run: _Run, check: c.Not, depth: int) -> Verdict:
    verdict = run.judge(check.check, depth + 1)
    if verdict.status == "no_verdict":
        return verdict
    if verdict.status == "violated":
        return HOLDS
    return Verdict("violated", "is what must not be", verdict.spans)


def _by_view(judge: Callable[[View, Any], tuple[Status, str, tuple[Span, ...]]]) -> Callable[[_Run, Any, int], Verdict]:
    return lambda run, check, depth: Verdict(*judge(run.view, check))


_JUDGES: dict[str, Callable[[_Run, Any, int], Verdict]] = {
    "contains": _contains,
    "absent": _absent,
    "matches": _matches,
    "count": _count,
    "order": _order,
    "starts": _starts,
    "ends": _ends,
    "charset": _charset,
    "case": _case,
    "line_length": _line_length,
    "every": _every,
    "when": _when,
    "all": _all,
    "any": _any,
    "not": _not,
    "valid": _by_view(judge_valid),
    "schema": _by_view(judge_schema),
    "keys": _by_view(judge_keys),
    "table": _by_view(judge_table),
    "numeric": _by_view(judge_numeric),
    "indent": _by_view(judge_indent),
}


def _says(text: str, term: str) -> bool:
    return _find(text, term, Span(0, len(text)), True) >= 0


def _sections(run: _Run, check: c.Sections, depth: int) -> Verdict:
    """A heading fits when it holds the wanted words as words, case aside."""
    shown = [_lower(run.view.of(span)) for span in run.view.headings]
    at = 0
    for wanted in check.headings:
        start = at if check.ordered else 0
        hit = next((i for i in range(start, len(shown)) if _says(shown[i], _lower(wanted))), None)
        if hit is None:
            return Verdict("violated", f"lacks the section “{wanted[:80]}”{' at its place' if check.ordered else ''}")
        at = hit + 1 if check.ordered else at
    return HOLDS


_JUDGES["sections"] = _sections


def _listed(terms: Iterable[str]) -> str:
    shown = [f"“{' '.join(term.split())[:60]}”" for term in terms]
    return ", ".join(shown[:4]) + (f" and {len(shown) - 4} more" if len(shown) > 4 else "")
