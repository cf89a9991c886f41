"""How many parts of its own a part has: "exactly four options", "at most five bullets, each starting with …"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.limits import limit_at
from agent.cca.grammar.polarity import denials
from agent.cca.scoped.edges import AUX
from agent.cca.scoped.holds import HAS
from agent.cca.scoped.text import Text

_I = re.IGNORECASE
Reader = Callable[[Text, bool, str], Any | None]
"""Reads a predicate: its text, whether it is denied, of which part it is said."""
_NOUNS: tuple[tuple[str, c.Part], ...] = (
    (
        r"(?:answer |response )?(?:options|choices)|answer options?|(?:answer )?choices?|alternatives",
        c.Part(kind="option"),
    ),
    (r"bullets?(?: ?-?points?)?|bulleted items?", c.Part(kind="bullet")),
    (r"(?:numbered )?steps?|numbered items?", c.Part(kind="step")),
    (r"(?:list )?(?:items?|entries|entry|points?)", c.Part(kind="list_item")),
    (r"(?:direct )?(?:quotes?|quotations?)", c.Part(kind="quote")),
    (r"questions?", c.Part(kind="question")),
    (r"lines?", c.Part(kind="line")),
    (r"(?:sub-?)?headings?|headers", c.Part(kind="heading")),
)
_ARE = re.compile(
    r"(?:must be |should be |are |is )(?:an? )?(?:(?:numbered |bulleted "
    r"|bullet )?list of )?(?P<what>bullets|bullet points|bulleted items|numbered items|list items|items"
    r"|lines),? "
    r"(?:that |which |each of (?:which|them) |each )(?=\w)",
    _I,
)
_LISTED = frozenset({"bullet", "step", "list_item"})
_COUNTED = tuple((re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", _I), part) for words, part in _NOUNS)


def numbers(text: Text, denied: bool, kind: str, read: Reader) -> Any | None:
    """``has exactly four options``, ``consists of two paragraphs``."""
    are = _ARE.match(text.masked)
    if are and not denied:
        part = next(part for noun, part in _COUNTED if noun.fullmatch(are["what"]))
        inner = read(text.cut(are.end()), False, part.kind)
        return None if inner is None else c.Each(part=part, check=inner)
    for noun, part in _COUNTED:
        match = noun.search(text.masked)
        if match is None or part.kind == kind or (part.kind in _LISTED and kind in _LISTED):
            continue
        limit = limit_at(
            text.masked, match.start(), match.end(), denied or denials(text.masked[: match.start()]) % 2 == 1
        )
        if limit is None or (limit.least == limit.most == 1 and part.kind == "line"):
            continue
        before, after = text.masked[: limit.start], text.masked[max(limit.end, match.end()) :]
        verb = re.fullmatch(
            rf"(?P<aux>{AUX})(?:{HAS})?[\s,]*(?:an? (?:(?:numbered|bulleted|bullet|ordered|short|plain) )*list of"
            rf"|a set of|the)?\s*",
            before,
            _I,
        )
        if verb is None or denied or (denials(verb["aux"]) - limit.turned) % 2:
            return None
        tail = _tail(text, part, after, read)
        if tail is None:
            return None
        return (
            c.AllOf(checks=(c.Pieces(part=part, least=limit.least, most=limit.most), *tail))
            if tail
            else c.Pieces(part=part, least=limit.least, most=limit.most)
        )
    return None


_LABELLED = re.compile(
    r",? (?:(?:labell?ed|lettered|marked|named|called) (?:from )?)?\(?(?P<first>[Aa])(?P<sign>[.):]?)\)? ?(?:to"
    r"|-|–|through) ?\(?(?P<last>[A-Za-z])[.):]?\)?",
    _I,
)
_EACH = re.compile(r"(?:,| and)? ?each (?:of (?:them|which) )?(?=\w)", _I)


def _tail(text: Text, part: c.Part, after: str, read: Reader) -> tuple[Any, ...] | None:
    """Checks of what follows the number; None where it is not understood."""
    checks: list[Any] = []
    labelled = _LABELLED.match(after)
    if labelled and part.kind == "option":
        after = after[labelled.end() :]
        sign, low = re.escape(labelled["sign"] or ""), labelled["first"].islower()
        letters = f"[{'a' if low else 'A'}-{labelled['last'].lower() if low else labelled['last'].upper()}]"
        marked = c.Part(kind="option", marked=True)
        checks.append(
            c.Each(
                part=marked,
                check=c.Matches(pattern=rf"\A\s*(?:[-*] )?\(?{letters}{sign or '[.):]'}\s", finds="label of that form"),
            )
        )
    each = _EACH.match(after)
    if each and after[each.end() :].strip():
        inner = read(text.cut(len(text.masked) - len(after) + each.end()), False, part.kind)
        return None if inner is None else (*checks, c.Each(part=part, check=inner))
    if re.fullmatch(
        r"(?:[,;]? ?(?:one per line|each on (?:its|a) (?:own |new |separate )?line|on separate lines|in total"
        r"|each|or choices))*[^\w§]*",
        after,
        _I,
    ):
        return tuple(checks)
    return None
