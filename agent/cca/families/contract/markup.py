"""Families of answers in tags: XML, HTML, tags around parts; and of tables with given columns."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.said import always, both, has, never, tags_of, told, where
from agent.cca.families.family import Family, Slots
from agent.cca.families.pairs import is_swapped
from agent.cca.grammar.only_tags import other_than


def _only_table(slots: Slots) -> Any | None:
    alone = r"only|nothing|just|alone|whole|outside|without|all that|everything but|no text|anything|exclusively"
    alone += r"|all i want|consists of|no explanation|before or after|output is (?:one|a)"
    if not has(slots, alone) or re.match(r"(?:no|never) (?:\w+ )?tables?\b", slots.text, _I):
        return None
    line = c.AnyOf(checks=(c.Matches(pattern=_ROW), c.Not(check=c.Matches(pattern=r"\S"))))
    return both(c.Table(least_rows=0), c.Every(scope="line", check=line))


_I = re.IGNORECASE
_NAME = r"[A-Za-z][\w:.-]*"
_CLOSING = r"(?:\s*```)?"


def _element(tag: str, *, attributes: bool = True) -> str:
    return rf"(?is)<{tag}{'(?:[ ][^<>]*)?' if attributes else ''}>.*?</{tag}\s*>"


def _root(slots: Slots) -> Any | None:
    """The tag beside the word root where there are several; what else is named stands in it."""
    tags = tags_of(slots)
    beside = _ROOT.search(slots.text)
    if beside and len(tags) > 1:
        own = beside[1] or beside[2]
        tags = (own, *(tag for tag in tags if tag != own))
    elif len(tags) != 1:
        return None
    tag = re.escape(tags[0])
    opens = rf"(?s)\A\s*(?:```\w*\s*)?(?:<\?xml[^>]*\?>\s*)?<{tag}(?:\s[^<>]*)?>"
    root = c.Matches(pattern=rf"{opens}.*</{tag}>{_CLOSING}\s*\z", finds=f"the root <{tags[0][:30]}>")
    held = [c.Matches(pattern=rf"<{re.escape(each)}[\s/>]", finds=f"<{each[:30]}>") for each in tags[1:]]
    valid = [c.Valid(format="xml")] if has(slots, "xml document|valid|well-formed") else []
    return both(root, *held, *valid) if held or valid else root


_ROOT = re.compile(
    r"\broot(?: element| tag| node)?(?: \w+){0,3} <([A-Za-z][\w-]*)>|<([A-Za-z][\w-]*)>(?: \w+){0,3} (?:the )?root\b",
    _I,
)
_SPOKEN = r"tags?|elements?|parts?|blocks?|inside|between|within|wrap|wrapped|enclosed?|surround|mark"


def _held(slots: Slots) -> Any | None:
    """Each of the tags is opened and closed."""
    if re.search(r"<\w+>[\"'”]?:", slots.text) or not has(slots, _SPOKEN):
        return None
    tags = tags_of(slots)
    return (
        both(*(c.Matches(pattern=_element(re.escape(tag)), finds=f"<{tag[:30]}>…</{tag[:30]}>") for tag in tags))
        if tags
        else None
    )


def _around(slots: Slots) -> Any | None:
    """The whole answer stands in the tags."""
    tags = tags_of(slots)
    if len(tags) != 1:
        return None
    tag = re.escape(tags[0])
    return c.Matches(
        pattern=rf"(?is)\A\s*<{tag}(?:\s[^<>]*)?>.*</{tag}>\s*\z", finds=f"<{tags[0][:30]}> around the answer"
    )


_OUTSIDE = re.compile(
    r"\b(?:nothing|only|no (?:other )?text|no words|outside|exactly|whole|just|everything|everything else|around)\b", _I
)


def _sequence(slots: Slots) -> Any | None:
    """One after the other; nothing stands outside of them where the sentence says so."""
    tags = tags_of(slots) if re.search(r"<\w", slots.text) else ()
    if len(tags) < 2:
        return None
    if len(tags) == 2 and is_swapped(slots.text, *(f"<{tag}>" for tag in tags)):
        tags = tags[::-1]
    alone = _OUTSIDE.search(slots.text) is not None and not re.search(r"\bonly then\b", slots.text, _I)
    gap = r"\s*" if alone else ".*?"
    inner = gap.join(rf"<{re.escape(tag)}>.*?</{re.escape(tag)}>" for tag in tags)
    finds = " then ".join(f"<{tag[:20]}>" for tag in tags)[:80]
    return c.Matches(pattern=rf"(?is)\A\s*{inner}\s*\z" if alone else rf"(?is){inner}", finds=finds)


def _once(slots: Slots) -> Any | None:
    tags = tags_of(slots)
    if len(tags) != 1:
        return None
    return c.Matches(pattern=rf"(?i)<{re.escape(tags[0])}(?:\s[^<>]*)?>", least=1, most=1, finds=f"<{tags[0][:30]}>")


def _none_of(slots: Slots) -> Any | None:
    tags = tags_of(slots)
    if not tags:
        return None
    names = "|".join(re.escape(tag) for tag in tags)
    return never(rf"(?i)</?(?:{names})(?:[\s/][^<>]*)?>", "such tags")


def _only_these(slots: Slots) -> Any | None:
    tags = sorted({tag.lower() for tag in tags_of(slots)})
    if not tags or len(tags) > 30 or not all(re.fullmatch(r"[a-z][a-z0-9-]*", tag) for tag in tags):
        return None
    return never(rf"(?i)</?(?:{other_than(tags)})(?:[\s/][^<>]*)?>", "other tags")


def _lines_wrapped(slots: Slots) -> Any | None:
    """Each line that holds something stands in the tags."""
    tags = tags_of(slots)
    if len(tags) != 1:
        return None
    tag = re.escape(tags[0])
    return both(
        c.Matches(pattern=rf"(?is)<{tag}(?:\s[^<>]*)?>.*?</{tag}>", finds=f"<{tags[0][:30]}>"),
        never(r"(?i)^[ \t]*(?:[-*•]|\d+[.)])[ \t]+\S", "items in another form"),
    )


def _no_attribute(slots: Slots) -> Any | None:
    names = tuple(name.strip("=") for name in slots.named if re.fullmatch(r"[a-z][\w-]*=?", name))
    inline = re.search(r"\binline[- ](?:style|css)|\bstyle attributes?|\binline styl", slots.text, re.IGNORECASE)
    names = names or (("style",) if inline else ())
    if not names:
        return None
    return never(rf"(?i)<{_NAME}\s(?:[^<>]*\s)?(?:{'|'.join(map(re.escape, names))})\s*=", "such attributes")


def _attribute(slots: Slots) -> Any | None:
    """Each tag of the kind has the attribute."""
    tags = re.findall(r"<([A-Za-z][\w-]*)", slots.text)
    names = [term for term in slots.terms if re.fullmatch(r"[a-z][\w-]*", term) and term not in tags]
    if len(set(tags)) != 1 or len(names) != 1:
        return None
    tag, name = re.escape(tags[0]), re.escape(names[0])
    has = c.Matches(pattern=rf"(?i)<{tag}\s(?:[^<>]*\s)?{name}\s*=")
    return c.Each(part=c.Part(kind="match", pattern=rf"(?i)<{tag}(?:\s[^<>]*)?>"), check=has)


def _columns(slots: Slots, *, only: bool) -> Any | None:
    names = slots.named
    if len(names) < 2:
        return None
    number = len(names) if only else None
    return c.Table(columns=names, ordered=only, least_columns=number, most_columns=number)


_ANY_TAG = rf"</?{_NAME}(?:\s[^<>]*)?/?>"
_ATTRIBUTE = rf"<{_NAME}\s+[\w:-]+\s*="
_ROW = r"^[ \t]*\|"
FAMILIES: tuple[Family, ...] = (
    told("tags.order", "{terms} in this order", _sequence),
    told("xml.root", "XML with the root {terms}", _root),
    Family("markup.no_attributes", "no attributes in the tags", always(lambda: never(_ATTRIBUTE, "attributes"))),
    told(
        "xml.declaration",
        "an XML declaration first",
        where(
            r"xml|prolog", always(lambda: c.Matches(pattern=r"\A\s*(?:```\w*\s*)?<\?xml\b", finds="an XML declaration"))
        ),
    ),
    told(
        "xml.no_declaration",
        "no XML declaration",
        where(r"xml|prolog", always(lambda: never(r"<\?xml\b", "an XML declaration"))),
    ),
    told("xml.no_cdata", "no CDATA sections", always(lambda: never(r"<!\[CDATA\[", "CDATA sections"))),
    told(
        "xml.lower_tags",
        "tags in lower case",
        where(
            r"lower|lower-case|lowercase|capitals?|capital|small|upper|upper-?case|capitali[sz]e",
            always(lambda: never(r"</?\w*[A-Z][\w-]*[\s/>]", "tags with capitals")),
        ),
    ),
    told("html.only_tags", "no tags but {terms}", _only_these),
    told("html.none_of", "no tags {terms}", _none_of),
    told(
        "html.fragment",
        "HTML without html, head and body",
        where(
            r"html|doctype|page|markup|body",
            always(lambda: never(r"(?i)<!doctype|</?(?:html|head|body)(?:\s[^<>]*)?>", "tags of a whole page")),
        ),
    ),
    told(
        "html.page",
        "a whole HTML page",
        always(lambda: both(c.Matches(pattern=r"(?i)<html\b"), c.Matches(pattern=r"(?i)</html>\s*(?:```)?\s*\z"))),
    ),
    told("html.no_attribute", "no attributes {terms}", _no_attribute),
    told(
        "html.no_scripts",
        "no scripts in the HTML",
        always(lambda: never(r"(?i)<script\b|\son[a-z]+\s*=\s*[\"']|javascript:", "scripts")),
    ),
    told("html.attribute", "each such tag with an attribute", _attribute),
    told(
        "tags.around",
        "the answer in {terms}",
        where(
            r"tags?|elements?|wrap|wrapped|inside|outside|between|within|starts?|begins|enclosed?", _around, r"form|<<"
        ),
    ),
    told(
        "tags.held",
        "parts in {terms}",
        where(
            r"tags?|elements?|parts?|blocks?|inside|between|within|wrap|wrapped|enclosed?|surround|mark",
            _held,
            r"longer than|put it in",
        ),
    ),
    told("tags.once", "{terms} once", _once),
    told("tags.each_item", "each item in {terms}", _lines_wrapped),
    Family("tabular.only", "a Markdown table and nothing else", where(r"tables?", _only_table)),
)
