"""Families of lists on one line, and of what divides the parts of an answer."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.said import always, both, delimiter_of, never, told, where, whole
from agent.cca.families.family import Family, Slots

_I = re.IGNORECASE
_SPACED = re.compile(
    r"\bspaces? (?:on|at|to) (?:either|both|each)|(?:surrounded|flanked) by (?:single )?spaces?|\bspaces? around"
    r"|\bspace before and after",
    _I,
)
_RULE = r"^ {0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*$"


def _divider(slots: Slots) -> str:
    """The one term, or capitals in square brackets, which are no term by themselves."""
    bracketed = re.findall(r"\[[A-Z]{2,12}\]", slots.text)
    found = slots.terms or tuple(dict.fromkeys(bracketed))
    return found[0] if len(found) == 1 else ""


def _between(slots: Slots) -> Any | None:
    sign = _divider(slots)
    hyphens = re.search(r"\b(?:hyphens|dashes)\b|\bhorizontal (?:rule|line)s?\b", slots.text, _I)
    if sign == "---" or (hyphens and not sign):
        return c.Matches(pattern=rf"\S[^\n]*\n(?:\s*\n)?{_RULE}\n\s*\S", finds="a line of hyphens between parts")
    return c.Matches(pattern=rf"(?s)\S.*{re.escape(sign)}.*\S", finds=f"{sign[:30]} between parts") if sign else None


def _between_once(slots: Slots) -> Any | None:
    sign = _divider(slots)
    once = c.Matches(pattern=re.escape(sign), least=1, most=1, finds=sign[:40]) if sign else None
    return both(_between(slots), once) if sign else None


def _list(slots: Slots) -> Any | None:
    """Items divided by a sign, on one line."""
    sign = {"semicolon": ";"}.get(delimiter_of(slots), delimiter_of(slots))
    if sign not in (",", ";", "|"):
        return None
    spaced = _SPACED.search(slots.text)
    mark = rf" {re.escape(sign)} " if spaced and sign == "|" else rf"\s*{re.escape(sign)}\s*"
    item = rf"[^\n{re.escape(sign)}]*[^\s{re.escape(sign)}]"
    other = (
        []
        if sign == ","
        else [never(rf"\A[^\n{re.escape(sign)}]*(?:,[^\n{re.escape(sign)}]*){{2}}\z", "commas between")]
    )
    return both(
        never(r"^\s*(?:[-*•]|\d+[.)])\s+\S", "list marks"),
        whole(rf"{item}(?:{mark}{item})*[.]?", "items on one line"),
        *other,
    )


def _list_count(slots: Slots) -> Any:
    """Items between commas on one line, so many of them."""
    low = max(slots.least if slots.least is not None else 1, 1)
    item = r"[^\n,]*[^\s,]"
    high = "" if slots.most is None else str(max(slots.most - 1, 0))
    if low - 1 > 500 or (high and (int(high) > 500 or int(high) < low - 1)):
        return None
    return whole(rf"{item}(?:\s*,\s*{item}){{{low - 1},{high}}}[.]?", "so many items between commas")


FAMILIES: tuple[Family, ...] = (
    told(
        "list.in_line",
        "items on one line, divided by a sign",
        where(
            r"commas?|comma-separated|semicolons?|semicolon-separated|pipes?|separated|join"
            r"|between",
            _list,
            r"multiple|delimiter|csv",
        ),
    ),
    Family(
        "list.count", "{limit} items between commas", where(r"comma|commas|comma-separated", _list_count), bounded=True
    ),
    told(
        "between.term",
        "{terms} between parts",
        where(
            r"separate\w*|separator|between|divid\w+|delimit\w*|split|border|insert|apart"
            r"|from one",
            _between,
            r"no|never|not|avoid",
        ),
    ),
    told(
        "between.once",
        "{terms} between two parts, once",
        where(r"separat\w+|divid\w+|between|split|middle|apart|parts the", _between_once),
    ),
    told(
        "between.no_rule",
        "no line of hyphens",
        where(
            r"rules?|hyphens|dividers?|divider|horizontal|separators?|between sections|lines?|in the text|dashes"
            r"|thematic|leave out|never write",
            always(lambda: never(_RULE, "lines of hyphens", "prose")),
            r"must be one",
        ),
    ),
)
