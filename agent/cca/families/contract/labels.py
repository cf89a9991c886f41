"""Families of answers that are one word, one number, one thing and nothing else."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.said import alternatives, always, any_case, both, never, told, whole
from agent.cca.families.family import Family, Slots

_I = re.IGNORECASE


def _label(slots: Slots) -> Any | None:
    if len(slots.named) < 2:
        return None
    return whole(rf"{any_case(slots)}(?:{alternatives(slots.named)})", "one of the labels alone")


def _labels(slots: Slots) -> Any | None:
    if len(slots.named) < 2:
        return None
    one = f"(?:{alternatives(slots.named)})"
    return whole(rf"{any_case(slots)}{one}(?:\s*,\s*{one})*", "labels of the list, between commas")


def _line(edge: Any) -> Any:
    """The first or last line is one of the terms, and nothing more."""

    def make(slots: Slots) -> Any | None:
        if not slots.named:
            return None
        return c.Matches(
            pattern=rf"{any_case(slots)}\A\s*[*_`]*(?:{alternatives(slots.named)})[*_`]*\s*\z", within=edge
        )

    return make


def _first_word(slots: Slots) -> Any | None:
    if len(slots.named) < 2:
        return None
    return c.Matches(
        pattern=rf"{any_case(slots)}\A\s*[\"“*_]*(?:{alternatives(slots.named)})(?:[^\w-]|\z)",
        finds="one of the words first",
    )


def _exact(slots: Slots) -> Any | None:
    return whole(rf"[\"“`]?{re.escape(slots.terms[0])}[\"”`]?", "that text alone") if len(slots.terms) == 1 else None


def _letter(slots: Slots) -> Any | None:
    letters = _letters(slots)
    return whole(rf"\(?[{letters}{letters.lower()}]\)?\.?", "one letter alone") if letters else None


def _letters(slots: Slots) -> str:
    found = re.search(
        r"\b([A-Z])\s?(?:-|–|to|through|and|or|/|,)\s?(?:[A-Z](?:,| or|, or|/| and)? ?)*([A-Z])\b", slots.text
    )
    if found and found[1] < found[2]:
        return f"{found[1]}-{found[2]}"
    return "A-Z" if re.search(r"\bletter\b", slots.text, _I) and not found else ""


def _letter_line(slots: Slots) -> Any | None:
    """``Answer: <letter>`` as the last line; the words before the letter are a term's or none."""
    letters = _letters(slots)
    heads = [term.partition(":")[0].strip() for term in slots.terms if ":" in term]
    if not letters or len(heads) != 1 or not heads[0]:
        return None
    return c.Matches(
        pattern=rf"(?i)\A\s*[*_]*{re.escape(heads[0])}\s*:[*_\s]*\(?[{letters}]\)?[.*_]*\s*\z", within="last_line"
    )


def _numbers(slots: Slots, digits: str) -> Any:
    """A number alone, within the bounds that are told."""
    low, high = slots.least, slots.most
    alone = whole(digits, "a number alone")
    if low is None and high is None:
        return alone
    return both(alone, c.Numeric(low=low, high=high))


def _decimals(slots: Slots) -> Any | None:
    places = {int(number) for number in slots.numbers}
    places = places - {1} or places  # "one number of two decimals"
    if len(places) != 1:
        return None
    many = places.pop()
    return whole(rf"[-+]?[\d,]+\.\d{{{many}}}", "a number of so many decimals") if 1 <= many <= 12 else None


_SPEAKS = (
    r"(?i)\A\s*(?:sure|certainly|here(?:['’]s| is| are| you)|of course|below\b|this "
    r"|the (?:code|script|function|following)\b)"
)


def _fence_alone() -> Any:
    fence = c.Matches(pattern=r"(?s)\A\s*```.*```\s*\z", finds="a fence and nothing else")
    return both(
        c.Count(unit="fences", most=1),
        c.AnyOf(checks=(c.Count(unit="fences", most=0), fence)),
        never(_SPEAKS, "prose before the code"),
    )


_INTEGER = r"[-+]?\d+"
_NUMBER = r"[-+]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)"
_YES_NO = r"(?i:yes|no)"
FAMILIES: tuple[Family, ...] = (
    told("label.whole", "one of {terms} and nothing else", _label),
    told("label.several", "some of {terms} between commas", _labels),
    told("label.last_line", "the last line is one of {terms}", _line("last_line")),
    told("label.first_line", "the first line is one of {terms}", _line("first_line")),
    told("label.first_word", "the answer begins with one of {terms}", _first_word),
    told("label.exact", "the answer is {terms} and nothing else", _exact),
    told("yes_no.only", "yes or no and nothing else", always(lambda: whole(rf"{_YES_NO}[.!]?", "yes or no alone"))),
    told(
        "yes_no.first",
        "yes or no first",
        always(lambda: c.Matches(pattern=rf"\A\s*[\"“*_]*{_YES_NO}(?:\W|\z)", finds="yes or no first")),
    ),
    told(
        "yes_no.last_line",
        "the last line is yes or no",
        always(lambda: c.Matches(pattern=rf"\A[\s*_]*{_YES_NO}[.!*_\s]*\z", within="last_line")),
    ),
    told(
        "true_false.only",
        "true or false and nothing else",
        always(lambda: whole(r"(?i:true|false)[.]?", "true or false alone")),
    ),
    Family("letter.only", "one letter and nothing else", _letter),
    told("letter.last_line", "the last line names a letter", _letter_line),
    told("number.only", "a number and nothing else", always(lambda: whole(_NUMBER, "a number alone"))),
    Family("number.integer_only", "an integer and nothing else", always(lambda: whole(_INTEGER, "an integer alone"))),
    Family("number.within", "an integer of {limit} and nothing else", lambda s: _numbers(s, _INTEGER), bounded=True),
    Family(
        "number.decimal_within", "a number of {limit} and nothing else", lambda s: _numbers(s, _NUMBER), bounded=True
    ),
    Family("number.decimals", "a number of so many decimals and nothing else", _decimals),
    told(
        "number.percentage",
        "a percentage and nothing else",
        always(lambda: whole(rf"{_NUMBER} ?%", "a percentage alone")),
    ),
    told(
        "only.code_unfenced",
        "code without fences",
        always(lambda: both(_fence_alone(), c.Count(unit="fences", most=0))),
    ),
    told(
        "only.fence",
        "one code fence and nothing else",
        always(
            lambda: both(
                c.Count(unit="fences", least=1, most=1),
                c.Matches(pattern=r"(?s)\A\s*```.*```\s*\z", finds="a fence and nothing else"),
            )
        ),
    ),
    told(
        "only.date",
        "a date as YYYY-MM-DD and nothing else",
        always(lambda: whole(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])", "a date alone")),
    ),
    Family("only.url", "one address and nothing else", always(lambda: whole(r"https?://\S+", "an address alone"))),
    Family(
        "only.email",
        "one email address and nothing else",
        always(lambda: whole(r"[^\s@<>]+@[^\s@<>]+\.[A-Za-z]{2,}", "an email address alone")),
    ),
    Family(
        "only.path",
        "a path and nothing else",
        always(lambda: whole(r"[~.]{0,2}/?[\w.@+-]+(?:/[\w.@+ -]+)*/?", "a path alone")),
    ),
    told(
        "only.hex_colour",
        "a colour as #rrggbb and nothing else",
        always(lambda: whole("#[0-9A-Fa-f]{6}", "a colour alone")),
    ),
    Family(
        "only.country",
        "a country code of two capitals and nothing else",
        always(lambda: whole("[A-Z]{2}", "two capitals alone")),
    ),
    Family(
        "only.currency",
        "a currency code of three capitals and nothing else",
        always(lambda: whole("[A-Z]{3}", "three capitals alone")),
    ),
    Family(
        "only.language",
        "a language code of two small letters and nothing else",
        always(lambda: whole("[a-z]{2}", "two small letters alone")),
    ),
)
