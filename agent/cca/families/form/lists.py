"""Lists: whether, how many, how they are marked, what their items look like."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.form.making import count, fits, layout, none_of, of_each, simple

_DASH = r"[-–—]"
_ANY = r"[-*+•]|1\.|1\)"
_NO_ITEMS = (c.Count(unit="bullets", most=0), c.Count(unit="numbered", most=0))


def _items(slots: Slots) -> Any:
    if slots.terms or (slots.least is None and slots.most is None):
        return None
    limit = c.Count(unit="longest_list", least=slots.least, most=slots.most)
    return c.Each(part=c.Part(kind="list"), check=limit)


def _number(slots: Slots) -> Any:
    if slots.terms or (slots.least is None and slots.most is None):
        return None
    return c.Pieces(part=c.Part(kind="list"), least=slots.least, most=slots.most)


def _dated(descending: bool) -> Any:
    return c.Series(part=c.Part(kind="list_item"), by="date", descending=descending)


def _by_number(descending: bool) -> Any:
    return c.Series(part=c.Part(kind="list_item"), by="number", descending=descending)


def _alphabet(descending: bool) -> Any:
    return of_each("list", c.Sorted(descending=descending))


def _labelled(slots: Slots) -> Any:
    """``Step 1:``, ``Step 2:`` …: lines that begin so, counted up; the first of the terms says how."""
    shown = slots.terms[0] if slots.terms else ""
    match = re.fullmatch(r"\W*([A-Za-z]{3,20}) ?(?:1|N|n|X|x|<n>|\[n\]|\{n\})([:.)]?)\W*", shown)
    if match is None:
        return None
    pattern = rf"^[\s*_#>-]*{re.escape(match[1])} (\d+){re.escape(match[2])}"
    part = c.Part(kind="match", pattern=pattern)
    return c.AllOf(checks=(c.Pieces(part=part, least=1), c.Series(part=part, by="number", counted=True)))


def _marked(allowed: str, others: str) -> Any:
    """Bullets stand behind ``allowed``; without bullets there is no verdict."""
    return c.When(
        condition=c.Count(unit="bullets", least=1),
        then=none_of(rf"^[ \t]*[{others}][ \t]", f"bullets behind another sign than {allowed}"),
    )


def _numbered(other: str) -> Any:
    return c.When(
        condition=c.Count(unit="numbered", least=1),
        then=none_of(rf"^[ \t]*\d{{1,4}}\{other}[ \t]+\S", f"numbers with “{other}”"),
    )


def _items_end(pattern: str, finds: str, wanted: bool) -> Any:
    return of_each("list_item", c.Matches(pattern=pattern, least=int(wanted), most=None if wanted else 0, finds=finds))


_WHERE_LISTED = re.compile(
    r"\b(?:when|whenever|where|wherever|if|any|all|every|each)\b[^.;]*\b(?:lists?|steps?)\b", re.IGNORECASE
)


def _numbered_some(slots: Slots) -> Any:
    """ "Numbered steps, not bullets, whenever …": of an answer with a list, else of each."""
    if not fits(slots, _ANY, True):
        return None
    if _WHERE_LISTED.search(slots.text) and re.search(r"\bbullet", slots.text, re.IGNORECASE):
        return c.Count(unit="bullets", most=0)
    return c.Count(unit="numbered", least=1)


def _sorted_lists() -> Any:
    return c.AllOf(checks=(_alphabet(False), c.JsonForm(demand="sorted_items")))


_FROM_ONE = re.compile(r"\b(?:from|at|with) (?:number )?[\"'`“]?(?:1|one)\b", re.IGNORECASE)


def _counted_up(slots: Slots) -> Any:
    """Without gaps; that they begin at 1 where the sentence says so."""
    if not fits(slots, r"\d{1,2}[.)]?", True):
        return None
    number = c.Part(kind="match", pattern=r"^(\d{1,4})[.)][ \t]")
    counted = of_each("list", c.Series(part=number, by="number", counted=True))
    if not _FROM_ONE.search(slots.text):
        return counted
    first = c.Each(
        part=c.Part(kind="list"),
        check=c.Matches(pattern=r"\A\s*1[.)]", finds="1 first"),
        selects=c.Matches(pattern=r"\A\s*\d{1,4}[.)]\s"),
    )
    return c.AllOf(checks=(counted, first))


def _flat(slots: Slots) -> Any:
    return c.Count(unit="list_depth", most=1) if fits(slots, "", False) else None


_BOX = c.Matches(pattern=r"^[ \t]*[-*+] \[[ xX]\] ", finds="boxes")
_NO_BOX = c.Matches(pattern=r"^[ \t]*[-*+] (?:[^\[\n]|\[[^\] xX\n])", finds="items without a box")
FAMILIES: tuple[Family, ...] = (
    simple("bullets.none", "no bullets", lambda: c.Count(unit="bullets", most=0), _ANY),
    simple("bullets.some", "a bulleted list", lambda: c.Count(unit="bullets", least=1), _ANY),
    count("bullets.count", "{limit} bullets", "bullets", signs=_ANY),
    simple("numbered.none", "no numbered lists", lambda: c.Count(unit="numbered", most=0), _ANY),
    Family("numbered.some", "a numbered list", _numbered_some, takes_terms=True),
    count("numbered.count", "{limit} numbered items", "numbered", signs=_ANY),
    simple("lists.none", "no lists", lambda: c.AllOf(checks=_NO_ITEMS), _ANY),
    simple(
        "lists.some",
        "a list",
        lambda: c.AnyOf(checks=(c.Count(unit="bullets", least=1), c.Count(unit="numbered", least=1))),
        _ANY,
    ),
    Family("lists.items", "each list has {limit} items", _items, bounded=True),
    Family("lists.count", "{limit} lists", _number, bounded=True),
    Family("lists.flat", "no nested lists", _flat),
    count("lists.depth", "lists nested {limit} deep", "list_depth"),
    simple("marker.dash", "bullets behind hyphens", lambda: _marked("-", "*+•"), _DASH),
    simple("marker.asterisk", "bullets behind asterisks", lambda: _marked("*", r"\-+•"), r"\*"),
    simple("marker.dot", "bullets behind “•”", lambda: _marked("•", r"\-+*"), "•"),
    simple("numbers.dot", "numbers of lists with a full stop", lambda: _numbered(")"), r"\d?[.)]?", numbers=True),
    simple(
        "numbers.parenthesis", "numbers of lists with a parenthesis", lambda: _numbered("."), r"\d?[.)]?", numbers=True
    ),
    simple(
        "checklist.some",
        "a checklist",
        lambda: c.AllOf(
            checks=(
                c.Matches(pattern=r"^[ \t]*[-*+] \[[ xX]\] ", least=1, finds="boxes", within="prose"),
                of_each("list", c.Not(check=c.AllOf(checks=(_BOX, _NO_BOX)))),
            )
        ),
        r"(?:- )?\[[ x]?\]|[\[\]]",
    ),
    simple(
        "items.capital",
        "list items begin with a capital letter",
        lambda: _items_end(r"\A[^\p{L}\d`]*\p{Ll}", "small letters at the start", False),
    ),
    simple(
        "items.lower",
        "list items begin with a small letter",
        lambda: _items_end(r"\A[^\p{L}\d`]*\p{Lu}\p{Ll}", "capitals at the start", False),
    ),
    simple(
        "items.no_period",
        "list items end without a full stop",
        lambda: _items_end(r"[^.]\.[*_\"”’)]*\s*\z", "full stops at the end", False),
        r"\.",
    ),
    simple(
        "items.period",
        "list items end with a full stop",
        lambda: _items_end(r"\.[*_\"”’)`]*\s*\z", "full stops at the end", True),
        r"\.",
    ),
    simple(
        "items.no_punctuation",
        "list items end without punctuation",
        lambda: _items_end(r"[.!?,;:][*_]*\s*\z", "punctuation at the end", False),
    ),
    simple(
        "items.semicolon",
        "list items end with a semicolon",
        lambda: c.Each(
            part=c.Part(kind="list_item"), check=c.Matches(pattern=r"[;.](?: (?:and|or))?\s*\z", finds="semicolons")
        ),
        ";",
    ),
    simple(
        "items.bold_lead",
        "list items begin in bold",
        lambda: _items_end(r"\A(?:\[[ xX]\] )?(?:\*\*|__)\S", "bold at the start", True),
        r"\*\*.{0,30}",
    ),
    simple(
        "items.no_bold",
        "no bold in list items",
        lambda: _items_end(r"\*\*[^*\s]|__[^_\s]", "bold", False),
        r"\*\*",
    ),
    simple(
        "items.emoji",
        "list items begin with an emoji",
        lambda: _items_end("\\A[^\\w\\s]{0,3}[\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2b55]", "emoji", True),
    ),
    layout("list.colon", "a colon before each list", "list_after_colon", ":"),
    layout("list.introduced", "text before each list", "list_introduced"),
    layout("list.blank_before", "a blank line before each list", "blank_before_lists"),
    layout("items.spaced", "blank lines between list items", "spaced_items"),
    layout("items.tight", "no blank lines between list items", "tight_items"),
    simple("list.alphabetical", "lists in alphabetical order", _sorted_lists, "[Aa]|[Zz]|[Aa].{1,4}[Zz]"),
    simple("list.reversed", "lists in reverse alphabetical order", lambda: _alphabet(True), "[Aa]|[Zz]|[Zz].{1,4}[Aa]"),
    simple("list.newest_first", "list items from new to old", lambda: _dated(True)),
    simple("list.oldest_first", "list items from old to new", lambda: _dated(False)),
    simple("list.rising", "list items by number, rising", lambda: _by_number(False)),
    simple("list.falling", "list items by number, falling", lambda: _by_number(True)),
    simple("list.unique", "list items that differ", lambda: of_each("list", c.Sorted(unique=True))),
    simple(
        "list.not_first",
        "the answer does not begin with a list",
        lambda: of_each("line", none_of(r"\A[ \t]*(?:[-*+•]|\d{1,4}[.)])[ \t]+\S", "list items", "answer"), nth=1),
    ),
    simple(
        "list.not_last",
        "the answer does not end with a list",
        lambda: of_each("line", none_of(r"\A[ \t]*(?:[-*+•]|\d{1,4}[.)])[ \t]+\S", "list items", "answer"), nth=-1),
    ),
    Family("steps.counted", "numbered items count up from 1", _counted_up, takes_terms=True),
    Family("steps.labelled", "steps begin like {terms}, counted up", _labelled, takes_terms=True),
    simple(
        "lines.bare",
        "one to a line, without bullets and numbers",
        lambda: c.AllOf(checks=(*_NO_ITEMS, c.Count(unit="lines", least=2))),
    ),
)
