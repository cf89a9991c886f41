"""Families of lines of a form somewhere in the answer, of lettered options, and of how items begin."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.lines import form_of
from agent.cca.families.contract.said import alternatives, both, has, never, told, where
from agent.cca.families.family import Family, Slots

_I = re.IGNORECASE
_OF = re.compile(r"\bN|\bn\b|\bX\b|<[^<>]*>|\[[^\[\]]*\]")
_RANGE = re.compile(r"\b(\d{1,3}) ?(?:to|-|–|and|through) ?(\d{1,3})\b")


def _line_present(slots: Slots) -> Any | None:
    """``Rating: N/5``: some line has the form; its number stands within the range that is told."""
    shown = slots.terms or tuple(re.findall(r"\b[A-Z][\w ]{1,24}: (?:<[^<>\n]{1,40}>|\[[^\[\]\n]{1,40}\]|[NnX]/\d+)",
                                            slots.text))  # fmt: skip
    if len(shown) != 1 or not re.match(r"[A-Za-z][\w /-]{0,40}:", shown[0]):
        return None
    head, _, tail = shown[0].partition(":")
    choice = re.findall(r"[A-Za-z]+", tail) if re.fullmatch(r"[ \w<>\[\]|/]+[|/][ \w<>\[\]|/]+", tail) else []
    if len(choice) > 1 and not re.search(r"\d", tail):
        form = rf"{re.escape(head.strip())}\s*:\s*(?i:{'|'.join(map(re.escape, choice))})"
    elif _OF.search(tail) or not tail.strip():
        form = form_of(shown[0], slots)
    else:
        return None
    if not form or not re.search(r"\w", head):
        return None
    if has(slots, "integers?|whole"):
        form = form.replace(r"-?\d+(?:[.,]\d+)?", r"\d+")
    line = rf"^[\s*_#>-]*{form}[\s*_.]*$"
    check = c.Matches(pattern=line, least=1, finds=f"a line “{shown[0][:40]}”")
    bounds = _RANGE.search(slots.text.replace(shown[0], " "))
    if bounds is None or not re.search(r"\\d", form):
        return check
    number = c.Part(kind="match", pattern=rf"^[\s*_#>-]*{re.escape(head.strip())}\s*:[\s*_]*(-?\d+(?:\.\d+)?)")
    low, high = sorted((float(bounds[1]), float(bounds[2])))
    return both(check, c.Each(part=number, check=c.Numeric(low=low, high=high)))


_LETTER = re.compile(r"(?<![\w])(\(?)([A-Ha-h])([).:])(?!\w)")
_TO_LETTER = re.compile(r"(?<!\w)\(?([A-Ha-h])[).:]? ?(?:to|-|–|—|through|\.\.\.|…) ?\(?([A-Ha-h])([).:]?)(?!\w)")


def _lettered(slots: Slots) -> Any | None:
    """Lines that begin with each of the letters, with the sign that is shown, and no other letter behind them."""
    text = slots.text
    if not has(slots, r"options?|choices?|alternatives?|letter\w*|label\w*|paragraphs?|render|clauses?|items?"):
        return None
    span = _TO_LETTER.search(text)
    shown = _LETTER.findall(text)
    if span:
        first, last, sign = span[1], span[2], span[3] or (shown[0][2] if shown else "")
    elif len(shown) > 1:
        first, last, sign = shown[0][1], shown[-1][1], shown[0][2]
    else:
        return None
    count = ord(last) - ord(first) + 1
    if not 2 <= count <= 8 or first.isupper() != last.isupper() or (not span and len({s[1] for s in shown}) != count):
        return None
    mark = re.escape(sign.strip(":")) if sign.strip(":") else r"[).:]"
    before = r"^[\s*_>]*(?:[-*•] +)?\*{0,2}\(?"
    own = [
        c.Matches(pattern=rf"{before}{chr(ord(first) + at)}{mark}", finds=f"“{chr(ord(first) + at)}{sign}”")
        for at in range(count)
    ]
    further = re.search(r"…|\.{3}|and so on|etc", text) is not None
    return both(*own, *([] if further else [never(rf"{before}{chr(ord(last) + 1)}{mark}", "further letters")]))


_KINDS: tuple[tuple[str, str], ...] = (
    (r"bullets?|bullet points?|items?|entry|entries|findings?|points?|steps?|tasks?|comments?", "list_item"),
    (r"paragraphs?", "paragraph"),
    (r"headings?|headers?", "heading"),
    (r"lines?", "line"),
)
_SPOKEN_OF = (
    r"\b(?:each|every|all|any|all of the|of the|its) (?:\w+ )?(?:{words})\b"
    r"|^(?:the )?(?:\w+ )?(?:{words})(?<=s)\b|\b(?:start|begin|open|prefix|precede|mark"
    r"|tag) (?:the )?(?:list )?(?:{words})(?<=s)\b"
)
_BRACKETED = re.compile(r"\[[A-Za-z][\w ]{0,20}\]")
_PREFIXES = re.compile(r"(?<![\w/])[a-z]{2,12}:(?= |,|$)")


def _begins(slots: Slots) -> Any | None:
    """Each item, line or paragraph begins with one of what is shown."""
    text = slots.text
    kind = next((kind for words, kind in _KINDS if re.search(_SPOKEN_OF.format(words=words), text, _I)), "")
    shown = slots.terms or tuple(_BRACKETED.findall(text)) or slots.listed or tuple(_PREFIXES.findall(text))
    if not kind or not shown or any(re.search(r"[<{…]|\.{3}|\bN\b", term) for term in shown):
        return None
    exact = any(term[:1].isupper() or not term[:1].isalpha() for term in shown)
    pattern = rf"{'' if exact else '(?i)'}\A[*_`\s]*(?:{alternatives(tuple(shown))})"
    own = pattern + (r"(?:\W|\z)" if all(term[-1:].isalnum() for term in shown) else "")
    check = c.Matches(pattern=own, finds=f"“{shown[0][:30]}” or the like first")
    return c.Each(part=c.Part(kind=kind), check=check)  # type: ignore[arg-type]


FAMILIES: tuple[Family, ...] = (
    told(
        "line.present",
        "a line of the form {terms}",
        where(r"\w+", _line_present, "never|not|no|first line|last line|each line|every line|json|commit|field|key"),
    ),
    told("options.lettered", "lines that begin with letters, A) to D)", _lettered),
    told(
        "items.starts",
        "each item begins with one of {terms}",
        where(
            r"starts?|starting|begins?|beginning|opens?|opening|prefix\w*|front|lead|leads|first word|preceded?",
            _begins,
            r"not|never|no|capital|lower-?case|upper-?case|commit|branch(?:es)?|changelog|first (?:line|paragraph)"
            r"|last (?:line|paragraph)|json|bold|emoji",
        ),
    ),
)
