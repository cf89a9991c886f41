"""Which tags an answer may have: ``Only use the HTML tags p, b and i``. That it has them is not demanded."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_NAMES = r"(?:<?/?[a-z][a-z0-9-]{0,20}/?>?)"
_LIST = (
    rf"(?P<list>§|{_NAMES}(?:(?:, | and | or |, and |, or |/){_NAMES}){{0,30}}|§(?:(?:, | and | or |, and |, or"
    rf" ){_NAMES}|(?:, | and | or |, and |, or )§){{0,30}})"
)
_KIND = r"(?:(?:html|xml|markup|xhtml|following|these|basic|simple|allowed|safe|inline|html5) )*"
_FORMS = (
    re.compile(rf"^(?:please |you (?:may|can|must|should) )?(?:only|exclusively|solely) use (?:the )?{_KIND}(?:tags"
               rf"|elements):? {_LIST}[ .!]*$", _I),
    re.compile(rf"^(?:please |you (?:may|can|must|should) )?(?:only )?use (?:only |just |no (?:html |other )?tags"
               rf" (?:other than|except|but) )(?:the )?{_KIND}(?:tags|elements)?:?"
               rf" ?{_LIST}(?: (?:html |xml )?(?:tags|elements))?[ .!]*$", _I),
    re.compile(rf"^(?:the )?(?:only )?(?:allowed|permitted|valid|accepted) {_KIND}(?:tags|elements)(?: (?:are"
               rf"|is))?:? {_LIST}[ .!]*$", _I),
    re.compile(rf"^(?:the )?only {_KIND}(?:tags|elements) (?:that are |you may use are |which are )?(?:allowed"
               rf"|permitted)?(?: are)?:? {_LIST}[ .!]*$", _I),
    re.compile(rf"^(?:do not|don['’]t|never) use (?:any )?(?:other )?{_KIND}(?:tags|elements) (?:other than"
               rf"|than|except(?: for)?|besides|apart from|but|beyond)(?: the)? {_LIST}[ .!]*$", _I),
    re.compile(rf"^no {_KIND}(?:tags|elements) (?:other than|except(?: for)?|besides|apart from|but|beyond)(?:"
               rf" the)? {_LIST}(?: are (?:allowed|permitted))?[ .!]*$", _I),
    re.compile(rf"^(?:only )?(?:the )?(?:{_KIND}(?:tags|elements) )?{_LIST}(?: {_KIND}(?:tags|elements))? (?:are"
               rf"|is) the only (?:{_KIND}(?:tags|elements) )?(?:allowed|permitted)[ .!]*$", _I),
)  # fmt: skip
_WORD = re.compile(r"[a-z][a-z0-9-]{0,20}", _I)
_MAX = 40


def only_tags(masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    """The answer has no tag beside those that are listed; None where the sentence is no such demand."""
    found = next(filter(None, (form.match(masked) for form in _FORMS)), None)
    if found is None or ("tag" not in masked.lower() and "element" not in masked.lower()):
        return None
    listed = found["list"]
    for each in terms:
        listed = listed.replace("§", f" {each.text} ", 1)
    names = [name.lower() for name in _WORD.findall(listed) if name.lower() not in ("and", "or")]
    if not names or len(names) > _MAX:
        return None
    return c.Matches(
        pattern=rf"(?i)</?(?:{other_than(sorted(set(names)))})(?:[\s/][^<>]*)?>", least=0, most=0, finds="other tags"
    )


def other_than(names: list[str]) -> str:
    """A pattern of the names of tags that are none of ``names``: RE2 does not look ahead, so they are spelled out."""
    firsts = sorted({name[0] for name in names if name})
    rest = "[a-z0-9-]*"
    parts = [rf"[a-z0-9-]{rest}" if not firsts else _besides(firsts) + rest]
    for first in firsts:
        tails = [name[1:] for name in names if name[:1] == first]
        deeper = [tail for tail in tails if tail]
        inner = other_than(deeper) if deeper else rf"[a-z0-9-]{rest}"
        # the name may end here, where it is none of those that are listed
        parts.append(f"{re.escape(first)}(?:{inner})" + ("" if "" in tails else f"|{re.escape(first)}"))
    return "|".join(parts)


def _besides(firsts: list[str]) -> str:
    left = "".join(
        chr(code)
        for code in (*range(ord("a"), ord("z") + 1), *range(ord("0"), ord("9") + 1))
        if chr(code) not in firsts
    )
    return f"[{left}-]" if "-" not in firsts else f"[{left}]"
