"""Families of fixed lines, lists in a line, what divides parts, and what stands at the edges."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.kinds import bare
from agent.cca.families.contract.labels import letters_in
from agent.cca.families.contract.said import (
    alternatives,
    always,
    any_case,
    both,
    field_of,
    has,
    has_places,
    never,
    told,
    where,
    whole,
)
from agent.cca.families.family import Family, Slots
from agent.cca.scoped.forms import is_template, shape

_I = re.IGNORECASE
_PLACE = re.compile(
    r"\$\{?[A-Za-z_]\w*\}?|<[^<>\n]{1,40}>|\{[^{}\n]{1,40}\}|\[[^\[\]\n]{1,40}\]|\.{3}|…|\b[NnXx]\b|\b[A-Z]{3,}\b(?=$)|\b(?:letter|number|value|text|name|reason|answer|score|label)\b(?=$)",
    _I,
)
_LETTER = re.compile(r"\bletter\b|[<\[{]letter", _I)
_DIGIT = re.compile(r"[<\[{](?:number|score|n|integer|digit|total|count|x)[>\]}]|\b[NnXx]\b|\bnumber\b", _I)


def form_of(template: str, slots: Slots) -> str:
    """An RE2 pattern of ``Score: N``, ``Answer: <letter>``, ``NAME - PRICE``; "" where nothing could differ."""
    head, sign, tail = template.partition(":")
    if sign and not tail.strip():
        return rf"{re.escape(head.strip())}\s*:\s*\S.*"
    if sign and _PLACE.search(tail):
        place = r"\(?[A-Za-z]\)?" if _LETTER.search(tail) else r"-?\d+(?:[.,]\d+)?" if _DIGIT.search(tail) else r"\S.*"
        before = _PLACE.split(tail)[0]
        if re.search(r"[A-Za-z]", before):
            return rf"{re.escape(head.strip())}\s*:\s*\S.*"
        behind = "".join(_PLACE.split(tail)[1:])
        return rf"{re.escape(head.strip())}\s*:\s*{re.escape(before.strip())}\s*{place}\s*{re.escape(behind.strip())}"
    return shape(template) if is_template(template) else ""


def _line(place: Any) -> Any:
    def make(slots: Slots) -> Any | None:
        """The first or last line is of the one template that is quoted, or of one of several texts."""
        forms = [form_of(term, slots) for term in slots.terms]
        if len(slots.terms) == 1 and forms[0]:
            own = c.Matches(pattern=rf"(?i)\A\s*[*_]*{forms[0]}[.*_]*\s*\z", within=place)
            if slots.least is None and slots.most is None and len(slots.numbers) != 2:
                return own
            low, high = (slots.least, slots.most) if slots.least is not None else sorted(slots.numbers)
            return both(
                own,
                c.Each(
                    part=c.Part(kind="line", nth=-1 if place == "last_line" else 1), check=c.Numeric(low=low, high=high)
                ),
            )
        if len(slots.terms) == 1 and has(slots, "lines?") and not re.search(r"[/,]", slots.terms[0]):
            open_end = r".*" if has(slots, "form|format|begins|starts") else r"[.*_]*"
            return c.Matches(pattern=rf"\A\s*[*_]*{re.escape(slots.terms[0])}{open_end}\s*\z", within=place)
        return None

    return make


def _each_line(slots: Slots) -> Any | None:
    """Each line is of the one template that is quoted."""
    if len(slots.terms) != 1:
        return None
    template = slots.terms[0]
    signs = re.split(r"(\s*(?:->|=>|[:=|–—;,\t]|(?<=\s)-(?=\s))\s*)", template)
    if len(signs) < 3:
        return None
    parts = [rf"\s*{re.escape(piece.strip())}\s*" if at % 2 else r"\S(?:[^\n]*\S)?" for at, piece in enumerate(signs)]
    if signs[-1] == "":
        parts[-1] = ""
    return c.Each(
        part=c.Part(kind="line"), check=whole(r"(?:[-*•]\s+|\d+[.)]\s+)?" + "".join(parts), "the form of a line")
    )


def _labelled(slots: Slots) -> Any | None:
    """A line for each of the names: ``Name: …``."""
    shown = slots.named
    if (
        len(slots.listed) > 1
        and (len(shown) == 1 or not all(":" in name for name in shown))
        and _FIELD_LINES.search(slots.text)
    ):
        shown = tuple(f"{name}:" for name in slots.listed)
    names = tuple(name.partition(":")[0].strip() for name in shown)
    if len(names) < 2 or not all(names) or not all(":" in name for name in shown):
        return None
    sequence = _IN_ORDER.search(slots.text) and [c.Order(terms=tuple(f"{name}:" for name in names), all=True)]
    counted = _SO_MANY.search(slots.text) and [c.Count(unit="lines", least=len(names), most=len(names))]
    return both(
        *(sequence or ()),
        *(counted or ()),
        *(
            c.Matches(pattern=rf"(?i)^\s*(?:[-*•]\s+)?[*_]*{re.escape(name)}[*_]*\s*:", finds=f"a line “{name[:30]}:”")
            for name in names
        ),
    )


_FIELD_LINES = re.compile(
    r"\bfield: ?value\b|\blabel: ?(?:text|value)\b|\bname: ?value\b|\bone (?:a|per|to a|to each) line\b", _I
)
_IN_ORDER = re.compile(
    r"\bin (?:this|that|the given|exactly this) order\b|\band then\b|\bfollowed by\b|\bfirst\b.*\bthen\b", _I
)
_SO_MANY = re.compile(
    r"\b(?:exactly|just|only|consists? of|of) (?:two|three|four|five|six|\d) lines\b|\bhas (?:two|three|four"
    r"|five|six) lines\b",
    _I,
)


def _id_form(*, required: bool) -> Any:
    def make(slots: Slots) -> Any | None:
        """``BB-12345``: letters, a sign, so many digits; what has the letters has to have the form."""
        shown = [
            term
            for term in (*slots.terms, *_codes(slots.text))
            if re.fullmatch(r"[A-Z]{2,6}[-_#/]?[\dNXx0#]{2,12}", term)
        ]
        if not shown:
            return None
        found = re.match(r"([A-Z]{2,6}?)([-_#/]?)([\dNXx0#]{2,12})$", shown[0])
        if found is None:
            return None
        head, sign, digits = found.groups()
        one = rf"\b{head}{re.escape(sign)}\d{{{len(digits)}}}\b"
        loose = rf"\b(?i:{head})[-_#/ ]?\d+\b"
        each = c.Each(part=c.Part(kind="match", pattern=loose), check=whole(one.replace(r"\b", "")))
        return both(c.Matches(pattern=one, finds=f"an id like {shown[0]}"), each) if required else each

    return make


def _codes(text: str) -> list[str]:
    return re.findall(r"(?<![\w-])[A-Z]{2,6}[-_#/]?(?:\d{2,12}|[NX#]{2,12})(?![\w-])", text)


def _pattern(slots: Slots) -> Any | None:
    """The regular expression that is quoted matches the whole answer."""
    if (
        has(slots, "(?:file|folder|branch|variable|function|module|class|key|field)s? names?|names? of")
        or len(slots.terms) != 1
        or not re.search(r"[\\\[\](){}^$+*?|]", slots.terms[0])
    ):
        return None
    try:
        return whole(slots.terms[0].strip("/").removeprefix("^").removesuffix("$"), "the regular expression")
    except ValueError:
        return None


def _no_mark(slots: Slots) -> Any | None:
    field = field_of(slots)
    if has(slots, "headings?|headlines?|titles?(?! field)|subjects?|bullets?|sentences?|paragraphs?") and not field:
        return None
    if field:
        return c.Property(name=field, check=never(r"[^.]\.\s*\z", "a full stop at the end"))
    marked = has(slots, "lists?|items?|entry|entries|keywords?|tags?") and has(
        slots, r"full stops?|periods?|commas?|punctuation|marks?"
    )
    return never(r"[,.;]\s*\z", "a mark at the end") if marked else None


_CAPITALS = re.compile(
    r"\b[A-Z][A-Z_]{1,20}(?:(?:, | ?/ ?)(?:or |and )?[A-Z][A-Z_]{1,20})*(?:,? (?:or|and) |, )[A-Z][A-Z_]{1,20}\b"
)
_GOES_ON = re.compile(
    r"[\"'`”’] (?:and|plus|followed by|then|with) (?:the |an? |some |\d+ |\w+ )?(?:digits?|numbers?|names?|text)\b", _I
)
"""The line is not all of what is quoted."""
_PLACES: dict[str, Any] = {
    "first_line": "first|start|starts|begin|begins|open|opens|opening|top|line one|lead",
    "last_line": "last|final|end|ends|close|closes|closed|finish|conclude|bottom|terminate|closing",
}
_LETTERED = re.compile(r"\bletters?\b|[<\[{]letter", _I)
_MARKS = r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\S"


def _one_item(slots: Slots) -> Any | None:
    if has_places(slots) or not has(
        slots, "one|each|every|separate|several|two|own|new|breaks?|newline-separated|same"
    ):
        return None
    return never(_ONE_ROW, "items on one line")


_ONE_ROW = r"\A\s*[^\n]*\S[,;|][^\n]*\S[,;|][^\n]*\z"
_LINES = c.Part(kind="line")


def _edge_line(slots: Slots) -> Any | None:
    """The last or first line: a letter behind a word, one of several texts, a template, or yes or no."""

    if has_places(slots) or len({":" in term for term in slots.terms}) > 1 or any("\\" in term for term in slots.terms):
        return None
    places = [name for name, words in _PLACES.items() if re.search(rf"\b(?:{words})\b", bare(slots.text), _I)]
    sure = [name for name in places if has(slots, name.replace("_", " "))]
    if len(sure or places) != 1 or re.search(r"\b[Qq]uestions?\b|\bso that\b", slots.text):
        return None
    place: Any = (sure or places)[0]
    if any(term[-1:] == ":" for term in slots.terms) and not has(slots, "lines?|letters?"):
        return None
    if has(slots, "(?:after|before|behind|above|below|under) (?:a|the|that|which)? ?line") or _GOES_ON.search(
        slots.text
    ):
        return None
    bare_words = _CAPITALS.search(slots.text) if not slots.terms else None
    if bare_words and has(slots, "alone|by itself|on its own|nothing else|one of|or"):
        words = "|".join(re.findall(r"[A-Z][A-Z_]+", bare_words[0]))
        return c.Matches(pattern=rf"\A\s*[*_`]*(?:{words})[.*_`]*\s*\z", within=place)
    letters = letters_in(slots)
    heads = [term.partition(":")[0].strip() for term in slots.terms if ":" in term]
    if len(heads) == 1 and heads[0] and letters and _LETTERED.search(slots.text):
        pattern = rf"(?i)\A\s*[*_]*{re.escape(heads[0])}\s*:[*_\s]*\(?[{letters}]\)?[.*_]*\s*\z"
        return c.Matches(pattern=pattern, within=place)
    yes = {term.lower() for term in slots.terms} <= {"yes", "no"} and re.search(r"\byes\b.*\bno\b", slots.text, _I)
    if yes:
        return c.Matches(pattern=r"\A[\s*_]*(?i:yes|no)[.!*_\s]*\z", within=place)
    if len(slots.terms) == 1 and re.fullmatch(r"</?[A-Z_]+/?>|\[[A-Z_]+\]", slots.terms[0]):
        return c.Matches(pattern=rf"\A\s*[*_`]*{re.escape(slots.terms[0])}[*_`]*\s*\z", within=place)
    either = has(slots, "or|either|one of") or "|" in slots.text
    if len(slots.terms) > 1 and either and not any(map(is_template, slots.terms)):
        texts = alternatives(slots.terms)
        return c.Matches(pattern=rf"{any_case(slots)}\A\s*[*_`]*(?:{texts})[.*_`]*\s*\z", within=place)
    return _line(place)(slots)


def _pairs(slots: Slots) -> Any:
    upper = re.search(r"\b(?:upper[- ]?case|capital(?:s|i[sz]ed)?|caps)(?: \w+)? keys?\b|\bkeys? (?:is |are "
        r"|stand )?(?:all )?(?:in )?"
                      r"(?:upper|capital|caps)", slots.text, _I)  # fmt: skip
    if "=" in slots.text or has(slots, "equals"):
        key = r"[A-Z][A-Z0-9_]{0,60}" if upper else r"[^\s=][^=\n]{0,60}"
        pair, sign = rf"\A\s*{key}=\s*\S", "="
    else:
        pair, sign = r"\A\s*(?:[-*•]\s+)?[*_]*[^\s:][^:\n]{0,60}[*_]*:[*_]*\s+\S", ":"
    return c.Each(part=_LINES, check=c.Matches(pattern=pair, finds=f"key{sign}value"))


FAMILIES: tuple[Family, ...] = (
    told("lines.edge", "the first or last line is {terms}", _edge_line),
    told(
        "lines.key_value",
        "each line as key: value or key=value",
        where(r"lines?|keys?|pairs?", _pairs, r"(?:equal|equals) its key|empty|unique|sorted"),
    ),
    told("last.no_mark", "no full stop or comma at the end of the answer, or of a field", _no_mark),
    told("lines.each_form", "each line like {terms}", where(r"lines?", _each_line)),
    told("lines.labelled", "a line for each of {terms}", _labelled),
    Family("lines.one_item", "one item a line", _one_item),
    Family(
        "lines.no_leading_spaces",
        "no line is indented",
        where(
            r"indented|indent|indentation|spaces?|blanks|whitespace|margin|leading spaces|flush left"
            r"|visible character|a blank",
            always(lambda: never(r"^[ \t]+\S", "indented lines")),
        ),
    ),
    told(
        "lines.upper",
        "lines in upper case with underscores",
        where(
            r"upper|upper-?case|upper_case|upper_snake_case|capitals?|caps|screaming_snake_case",
            always(lambda: c.Each(part=_LINES, check=whole(r"[A-Z0-9_]+", "capitals and underscores"))),
            r"keywords?|italics|names",
        ),
    ),
    Family(
        "edge.line_feed",
        "no line break at the end",
        where(
            r"end|ends|terminated|trailing|last|final|finish|close|behind|after",
            always(lambda: never(r"\n\z", "a line break at the end")),
        ),
    ),
    told("id.form", "ids like {terms}", _id_form(required=False)),
    told("id.present", "an id like {terms}", _id_form(required=True)),
    told("regex.whole", "the answer matches {terms}", _pattern),
)
