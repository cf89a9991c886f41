"""Emphasis, block quotes, rules, emoji, links, images, markup."""

from __future__ import annotations

from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.form.making import count, found, layout, none_of, of_each, simple, some_of
from agent.cca.grammar import features as f

_STARS = r"\*{1,3}.{0,30}|_{1,2}.{0,30}|</?(?:b|i|strong|em|u|s|del)>|~~.{0,20}"
_BOLD_SENTENCE = r"(?:\*\*|__)\p{Lu}[^*_\s]*(?:\s+[^*_\s]+){3,40}"
_RULE = r"^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$"
_RULE_SIGN = r"[-*_]{3,}|<hr ?/?>"
_QUOTE = r"^ {0,3}>[ \t]?\S"
_LINKED = c.Count(unit="links", least=1, within="prose")
_CAPS = r"\b\p{Lu}{2,}\b"
_HTTP = r"https?(?::(?://)?)?(?:\S*)?|\[[^\]]*\]\([^)]*\)|\[[^\]]*\]|<[^>]*>|www\.?"
_EMOJI_SIGN = f".{{0,2}}{f._EMOJI}.{{0,2}}|:\\w+:|:-?\\)"


def _link_text(slots: Slots) -> Any:
    """Links do not read so."""
    terms = slots.terms or slots.examples
    if not terms:
        return None
    import re

    spelled = "|".join(re.escape(term) for term in terms)
    return of_each("link_text", none_of(rf"(?i)\A\W*(?:{spelled})\W*\z", "such link texts", "answer"))


def _images(most: bool) -> Any:
    return c.Matches(
        pattern=r"!\[[^\]\n]*\]\(|(?i:<img\b)",
        least=0 if most else 1,
        most=0 if most else None,
        finds="images",
        within="prose",
    )


def _paired(slots: Slots) -> Any:
    """Block quotes: a name in parentheses, or behind a dash, stands at their end or on the next line."""
    if slots.terms:
        return None
    return of_each(
        "block_quote", some_of(r"\([^()\n]+\)[\s*_.]*\z|[—–-]{1,2}\s*[\p{L}*_\[][^\n]*\z", "a name", "answer")
    )


FAMILIES: tuple[Family, ...] = (
    simple("bold.none", "no bold", lambda: none_of(f._BOLD, "bold text"), _STARS),
    simple("bold.some", "something in bold", lambda: some_of(f._BOLD, "bold text"), _STARS),
    found("bold.count", "{limit} places in bold", f._BOLD, "places in bold", signs=_STARS),
    simple(
        "bold.no_sentences",
        "no whole sentence in bold",
        lambda: none_of(
            rf"{_BOLD_SENTENCE}[.!?](?:\*\*|__)|^{_BOLD_SENTENCE}(?:\*\*|__)[.!?](?:\s|$)", "sentences in bold"
        ),
        _STARS,
    ),
    simple("italics.none", "no italics", lambda: none_of(f._ITALICS, "italics"), _STARS),
    simple("italics.some", "something in italics", lambda: some_of(f._ITALICS, "italics"), _STARS),
    simple("emphasis.none", "neither bold nor italics", lambda: none_of(f"{f._BOLD}|{f._ITALICS}", "emphasis"), _STARS),
    simple(
        "strike.none",
        "no strikethrough",
        lambda: none_of(r"~~[^~\s][^~\n]*~~|(?i:<(?:s|del|strike)>)", "strikethrough"),
        _STARS,
    ),
    simple("underline.none", "nothing underlined", lambda: none_of(r"(?i)<(?:u|ins)>", "underlined text"), _STARS),
    simple(
        "caps.none",
        "no words in capitals",
        lambda: none_of(r"\b\p{Lu}{5,}\b", "words in capitals"),
        r"(?-i:[A-Z][A-Z ]{1,30})",
    ),
    found("caps.count", "{limit} words in capitals", _CAPS, "words in capitals"),
    simple("quote.none", "no block quotes", lambda: none_of(_QUOTE, "block quotes"), ">"),
    simple("quote.some", "a block quote", lambda: some_of(_QUOTE, "block quotes"), ">"),
    Family(
        "quote.count",
        "{limit} block quotes",
        lambda s: (
            None
            if s.least is None and s.most is None
            else c.Pieces(part=c.Part(kind="block_quote"), least=s.least, most=s.most)
        ),
        bounded=True,
    ),
    Family("quote.named", "block quotes end with a name", _paired),
    simple("rule.none", "no horizontal rules", lambda: none_of(_RULE, "horizontal rules"), _RULE_SIGN),
    simple("rule.some", "a horizontal rule", lambda: some_of(_RULE, "horizontal rules"), _RULE_SIGN),
    found("rule.count", "{limit} horizontal rules", _RULE, "horizontal rules", signs=_RULE_SIGN),
    simple("emoji.none", "no emoji", lambda: c.Charset(allow="no_emoji"), _EMOJI_SIGN),
    simple("emoji.some", "an emoji", lambda: some_of(f._EMOJI, "emoji", "answer"), _EMOJI_SIGN),
    found("emoji.count", "{limit} emoji", f._EMOJI + "\ufe0f?", "emoji", within="answer"),
    simple(
        "emoji.last",
        "the answer ends with an emoji",
        lambda: some_of(f._EMOJI + r"[\x{fe0f}\x{200d}\x{1f3fb}-\x{1f3ff}\s]*\z", "emoji at the end", "answer"),
    ),
    simple(
        "emoji.first",
        "the answer begins with an emoji",
        lambda: some_of(r"\A[\s#*>]*" + f._EMOJI, "emoji at the start", "answer"),
    ),
    simple("links.none", "no links", lambda: c.Count(unit="links", most=0, within="prose"), _HTTP),
    simple("links.some", "a link", lambda: c.Count(unit="links", least=1), _HTTP),
    count("links.count", "{limit} links", "links", signs=_HTTP),
    simple(
        "links.https",
        "links use https",
        lambda: c.When(condition=_LINKED, then=none_of(r"(?i)\bhttp://", "links without https")),
        _HTTP,
    ),
    layout("links.markdown", "links in Markdown", "markdown_links", _HTTP),
    simple(
        "links.bare",
        "addresses spelled out, no Markdown links",
        lambda: c.When(condition=_LINKED, then=none_of(r"\]\((?:https?:|/|#|\w)", "Markdown links")),
        _HTTP,
    ),
    layout("links.last", "links at the end alone", "links_last", _HTTP),
    Family("links.no_text", "no link reads {terms}", _link_text, takes_terms=True),
    simple(
        "links.named",
        "link texts are no addresses",
        lambda: of_each("link_text", none_of(r"\A\s*(?:https?://|www\.)", "addresses as link text", "answer")),
        _HTTP,
    ),
    simple("images.none", "no images", lambda: _images(True), r"!\[.*"),
    simple("images.some", "an image", lambda: _images(False), r"!\[.*"),
    simple(
        "images.alt",
        "images have an alternative text",
        lambda: c.When(condition=_images(False), then=none_of(r"!\[\s*\]\(", "images without a text")),
        r"!\[.*",
    ),
    simple("footnotes.none", "no footnotes", lambda: none_of(r"\[\^\w+\]", "footnotes"), r"\[\^\w+\]"),
    simple("footnotes.some", "a footnote", lambda: some_of(r"\[\^\w+\]|[¹²³⁴⁵⁶⁷⁸⁹]", "footnotes"), r"\[\^\w+\]"),
    simple("html.none", "no HTML", lambda: none_of(r"</?[A-Za-z][^>\n]{0,200}>", "HTML"), r"</?\w+ ?/?>"),
    simple(
        "latex.none",
        "no LaTeX",
        lambda: none_of(r"\\\(|\\\[|\$\$|\\(?:frac|text|begin|sqrt|sum|cdot)\b|\$[^$\s\d][^$\n]*\$", "LaTeX"),
        r"\$+|\\\w*|\\\W",
    ),
    simple("inline_code.none", "no inline code", lambda: none_of(r"`[^`\n]+`", "inline code", "answer"), "`"),
    simple(
        "markdown.none",
        "no Markdown",
        lambda: c.AllOf(
            checks=(
                none_of(
                    rf"{f._MARKDOWN_SIGNS}|^ {{0,3}}[-*+] +\S.*\n^ {{0,3}}[-*+] +\S|^ {{0,3}}> \S"
                    r"|\[[^\]\n]+\]\(\S+\)",
                    "Markdown signs",
                    "answer",
                ),
                c.Not(check=c.Table(least_rows=0)),
            )
        ),
        r"[*#`_|>~-]{1,3}|\[.*\]\(.*\)",
    ),
    simple(
        "markdown.some",
        "Markdown",
        lambda: c.AnyOf(
            checks=(
                some_of(
                    rf"{f._MARKDOWN_SIGNS}|{f._ITALICS}|`[^`\n]+`|^ {{0,3}}> ?\S"
                    rf"|^[ \t]*(?:[-*+]|\d+[.)]) +\S|\[[^\]\n]+\]\(\S+\)|{_RULE}",
                    "Markdown signs",
                    "answer",
                ),
                c.Table(least_rows=0),
            )
        ),
    ),
)
