"""An answer as a person who grades it reads it: question, answer, cited lines, gold, and what had to be stated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agent.guard import strip_controls

_CITED_LINES = 12
_GOLD_LINES = 16
_CITED = 8  # citations shown


def show_row(row: Mapping[str, Any], position: str) -> str:
    """Free of terminal control. The tier is not named: who grades should not know it."""
    reference = row.get("reference") or {}
    out = [
        f"── {position}  {row.get('question_id')}  ({row.get('category')}, {reference.get('difficulty', '?')})",
        "",
        f"QUESTION  {row.get('question')}",
        "",
        "ANSWER" + ("  (abstained)" if row.get("abstained") else ""),
        *_indented(str(row.get("answer") or "(empty)").rstrip("\n").split("\n")),
    ]
    if row.get("error"):
        out += ["", f"ERROR  {row['error']}"]
    citations = row.get("citations") or ()
    if citations:
        out += ["", "CITED LINES"]
        for each in citations[:_CITED]:
            out.append(f"  {_place(each['path'], [[each['start'], each['end']]])} {each.get('symbol') or ''}".rstrip())
            out += _numbered(str(each.get("text") or ""), int(each["start"]), _CITED_LINES)
        if len(citations) > _CITED:
            out.append(f"  … and {len(citations) - _CITED} more citations")
    out += ["", "GOLD"]
    if reference.get("answerable") is False:
        out.append("  the corpus does not hold the answer: abstaining is right")
    for each in row.get("gold") or ():
        out.append(f"  {_place(each['path'], each.get('ranges') or [])} {each.get('symbol') or ''}".rstrip())
        first = each["ranges"][0][0] if each.get("ranges") else 1
        out += _numbered(str(each.get("text") or ""), first, _GOLD_LINES)
    for name, title in (("must", "MUST STATE"), ("must_not", "MUST NOT STATE")):
        facts = reference.get(name) or ()
        if facts:
            out += ["", title, *(f"  - {fact.get('text')}" for fact in facts)]
    return strip_controls("\n".join(out)) + "\n"


def _place(path: str, ranges: Iterable[Iterable[int]]) -> str:
    spans = ",".join("-".join(map(str, dict.fromkeys(each))) for each in ranges)
    return f"{path}:{spans}" if spans else path


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _numbered(text: str, first: int, limit: int) -> list[str]:
    lines = text.split("\n") if text else []
    shown = [f"    {number:>5} {line}" for number, line in enumerate(lines[:limit], start=first)]
    return [*shown, f"          … {len(lines) - limit} more lines"] if len(lines) > limit else shown
