"""Judges the number and the order of an answer's parts; ``interpret.py`` judges what each of them satisfies."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from agent.cca import checks as c
from agent.cca.formats import Judgement
from agent.cca.part_models import Part
from agent.cca.pieces import pieces
from agent.cca.views import View

NAMES = {
    "list_item": "list item", "link_text": "link text", "match": "such place", "code": "code", "item": "item",
    "stem": "stem", "cell": "table cell", "row": "table row", "block_quote": "block quote",
}  # fmt: skip
_NUMBER = re.compile(r"[-−]?\d+(?:[.,]\d+)*")
_VERSION = re.compile(r"\d+(?:\.\d+){1,3}")
_DATE = re.compile(r"\b(\d{4})-(\d{2})(?:-(\d{2}))?\b")
_YEAR = re.compile(r"\b(1\d{3}|20\d{2})\b")


def named(part: Part) -> str:
    if part.kind == "section" and part.name:
        return f"section “{part.name[:60]}”"
    return NAMES.get(part.kind, part.kind)


def judge_pieces(view: View, check: c.Pieces) -> Judgement:
    number = len(pieces(view, check.part))
    if check.part.of is not None and not pieces(view, check.part.of):
        return "no_verdict", f"there is no {named(check.part.of)}", ()
    if check.least is not None and number < check.least:
        return "violated", f"{number} {named(check.part)}s, fewer than {check.least}", ()
    if check.most is not None and number > check.most:
        return "violated", f"{number} {named(check.part)}s, more than {check.most}", ()
    return "holds", "", ()


def judge_series(view: View, check: c.Series) -> Judgement:
    spans = pieces(view, check.part)
    keyed = [(key, span) for span in spans if (key := _key(view.of(span), check)) is not None]
    if check.counted:
        for (one, _), (other, span) in pairwise(keyed):
            if other != one + 1 and other != 1:
                return "violated", f"{other:g} follows {one:g}", (span,)
        first = [(key, span) for key, span in keyed[:1] if key not in (0, 1)]
        if first:
            return "violated", f"it starts with {first[0][0]:g}", (first[0][1],)
        return ("holds", "", ()) if keyed else ("no_verdict", "nothing is numbered", ())
    if len(keyed) < 2:
        return "no_verdict", "there are no two to compare", ()
    seen: set[Any] = set()
    for key, span in keyed if check.unique else ():
        if key in seen:
            return "violated", f"“{view.of(span)[:60]}” comes twice", (span,)
        seen.add(key)
    if not check.unique:
        for (one, _), (other, span) in pairwise(keyed):
            if (other > one) if check.descending else (other < one):
                return "violated", f"“{' '.join(view.of(span).split())[:60]}” is out of order", (span,)
    return "holds", "", ()


def _key(text: str, check: c.Series) -> Any:
    """What the part is sorted by; None where it has none."""
    if check.by == "text":
        return " ".join(text.lower().split()).strip(" *_`\"'“”.;,") or None
    if check.by == "number":
        found = _NUMBER.search(text)
        return float(found[0].replace("−", "-").replace(",", "")) if found and found[0].count(".") < 2 else None
    if check.by == "version":
        version = _VERSION.search(text)
        return tuple(int(number) for number in version[0].split(".")) if version else None
    if check.by == "date":
        date, year = _DATE.search(text), _YEAR.search(text)
        return tuple(int(number or 0) for number in date.groups()) if date else (int(year[1]), 0, 0) if year else None
    return _rank(text.lower(), check.terms)


def _rank(text: str, terms: tuple[str, ...]) -> int | None:
    """Which of the terms it starts with, marks aside; else which alone it holds as a word."""
    plain = text.lstrip(" *_[(#`\"'“")
    starts = [at for at, term in enumerate(terms) if plain.startswith(term.lower())]
    if starts:
        return starts[0]
    held = [at for at, term in enumerate(terms) if re.search(rf"(?<!\w){re.escape(term.lower())}(?!\w)", text)]
    return held[0] if len(held) == 1 else None
