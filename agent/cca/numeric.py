"""Numbers in an answer: with their units, ranges and uncertainties."""

from __future__ import annotations

import re

from agent.cca import checks as c
from agent.cca.formats import Judgement
from agent.cca.views import Span, View

_NUMBER = re.compile(
    r"(?<![\w.])[-+−]?(?:\d{1,3}(?:,\d{3})+|\d{1,30})(?:\.\d{1,30})?"
    r"(?:[eE][-+−]?\d{1,4}| ?[x×*·] ?10\^?\{?[-+−]?\d{1,4}\}?|(?![\d]))"
)
_UNCERTAINTY = re.compile(r"(?:±|\+/-|\+-|\\pm|plus or minus|plus/minus)\s{0,3}[-+]?\d")
_AFTER_UNCERTAINTY = 60
_UNIT_GAP = re.compile(r"[\s)\]]{0,4}")


def numbers_in(text: str) -> list[tuple[float, Span]]:
    """Numbers with their places: decimals, thousands commas, ``1e-7``, ``1.2 x 10^-7``."""
    found = []
    for match in _NUMBER.finditer(text):
        shown = match.group().replace("−", "-").replace(",", "")
        for mark in ("x", "×", "*", "·"):
            if mark in shown:
                base, _, power = shown.partition(mark)
                shown = f"{base.strip()}e{power.strip().removeprefix('10').strip('^{} ')}"
                break
        try:
            found.append((float(shown), Span(match.start(), match.end())))
        except ValueError:
            continue
    return found


def _folded_unit(text: str) -> str:
    """Spellings of one unit: ``m^2``, ``m**2``, ``m2``; ``·`` and spaces between factors."""
    return re.sub(r"[\s·*^{}⋅.]", "", text.replace("−", "-").replace("²", "2").replace("³", "3")).lower()


def judge_numeric(view: View, check: c.Numeric) -> Judgement:
    numbers = numbers_in(view.text)
    fitting = [
        (value, span)
        for value, span in numbers
        if (check.low is None or value >= check.low) and (check.high is None or value <= check.high)
    ]
    if not fitting:
        return "violated", "has no number" if not numbers else "has no number in the range", ()
    if check.units:
        with_unit = [(v, s) for v, s in fitting if _has_unit(view.text, s.end, check.units)]
        if not with_unit:
            return "violated", f"has no number with the unit {check.units[0][:40]}", ()
        fitting = with_unit
    if check.uncertainty or check.uncertainty_unit:
        marks = list(_UNCERTAINTY.finditer(view.text))
        if not marks:
            return "violated", "gives no uncertainty", ()
        if check.uncertainty_unit and check.units:
            tails = [view.text[mark.start() : mark.end() + _AFTER_UNCERTAINTY] for mark in marks]
            if not any(_folded_unit(unit) in _folded_unit(tail) for tail in tails for unit in check.units):
                return "violated", "gives an uncertainty without the unit", ()
    return "holds", "", tuple(span for _, span in fitting[:20])


def _has_unit(text: str, end: int, units: tuple[str, ...]) -> bool:
    """The unit follows the number, an uncertainty in between allowed."""
    tail = text[end : end + 80]
    near = _UNIT_GAP.sub("", tail, count=1)
    if any(_starts_with_unit(near, unit) for unit in units):
        return True
    mark = _UNCERTAINTY.search(tail)
    return mark is not None and mark.start() <= 4 and any(_folded_unit(u) in _folded_unit(tail) for u in units)


def _starts_with_unit(text: str, unit: str) -> bool:
    folded, wanted = _folded_unit(text[: 3 * len(unit) + 12]), _folded_unit(unit)
    if not folded.startswith(wanted):
        return False
    if text.lower().startswith(unit.lower()):  # as spelled: the next character must not go on with the word
        return not text[len(unit) : len(unit) + 1].isalpha()
    return True
