"""What a part holds: so many parts of its own, a value of a kind, one of a few words, emphasis around it, a form."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.polarity import denials
from agent.cca.scoped.edges import AUX
from agent.cca.scoped.forms import is_template, of_words, shape
from agent.cca.scoped.kinds import KINDS
from agent.cca.scoped.text import Text

_I = re.IGNORECASE
HAS = (
    r"(?P<verb>has|have|having|contains?|containing|includes?|including|carr(?:y|ies)|names?|gives?"
    r"|mentions?|states?|shows?|holds?|with|offers?|lists?"
    r"|cites?|quotes?|provides?|bears?|consists? of|is made (?:up )?of|consisting of|comprises?|comes? with"
    r"|is|are|uses?|asks?)"
)
_VALUE = re.compile(
    rf"(?P<aux>{AUX}){HAS} (?P<most>(?:at least |exactly |more than |at most )?(?:one|an?|the|its|any|two)"
    rf"|no|some|any)? ?(?:single |exact |clear )?"
    r"(?P<what>[a-z][a-z -]{2,30}?)(?P<tail>[\s,]*\([^()]{0,60}\))?[^\w§]*$",
    _I,
)
_KINDS_HELD: dict[str, str] = {
    "digits?|numerals?|numbers?|figures?": r"\d",
    "year|years": r"\b(?:1\d{3}|20\d{2})\b",
    "link|links|hyperlink|url|urls": r"\]\([^)\s]+|\bhttps?://",
    "abbreviation|abbreviations|acronyms?": "",
    "brackets|round brackets|parentheses|parenthesis": r"\(",
    "square brackets": r"\[",
    "quotation marks|quotes|quote marks": '["“”]',
    "slash|slashes": "/",
    "apostrophes?": "['’]",
    "hyphens?": r"\w-\w",
    "capital letters?|capitals|upper-?case letters?|upper case": r"\p{Lu}",
    "lower-?case letters?": r"\p{Ll}",
    "spaces?|white ?space|blanks?": r"\S\s+\S",
    "underscores?": "_",
    "currency (?:signs?|symbols?)|dollar signs?|euro signs?": "[$€£¥]",
    "percent signs?|per cent signs?|percentage signs?": "%",
    "ticket numbers?|issue numbers?|ticket ids?|ticket keys?": r"\b[A-Z]{2,10}-\d+\b|#\d+",
    "code": "`",
    "inline code": "`",
    "punctuation": r"[.!?,;:]",
    "markdown|formatting|markdown formatting": r"\*\*|__|`|^#{1,6} |\]\(",
    "full stops?|periods?": r"\.",
    "colons?": ":",
    "html|html tags?": r"</?[A-Za-z][^>\n]*>",
    "negations?|negatives?|negative": r"(?i)\b(?:not|never|no|none|except|least|cannot)\b|n['’]t\b",
}
_WRAPPED = re.compile(
    rf"(?P<aux>{AUX})(?:(?:set|written|put|given|printed|typed|shown|rendered|formatted|placed|enclosed"
    rf"|wrapped|stand|stands|appear|appears|go|goes"
    r"|displayed|marked|surrounded|kept|come|comes|is|are|in|with|by|as|within|inside|between|all|entirely"
    r"|completely|fully) )*(?P<how>bold(?:face)?"
    r"(?: type| text)?|italics?|backticks|code(?: font| formatting)?|inline code|monospace|quotation marks"
    r"|double quot(?:es|ation marks)|quotes|square"
    r" brackets|round brackets|parentheses|capitals|all caps|capital letters|upper-?case(?: letters)?"
    r"|lower-?case(?: letters)?|sentence case|title case"
    r"|small letters)(?: (?:only|letters))?(?P<tail>[\s,]*\([^()]{0,40}\))?[^\w§]*$",
    _I,
)
_OPEN = r"\A[\s\"“'‘(]*"
_CLOSE = r"[\s\"”'’).,:;!?]*\z"
_HOW: tuple[tuple[str, str, bool], ...] = (
    (r"bold", r"\A\s*[\"“]?(?:\*\*|__)[\s\S]+(?:\*\*|__)[\"”.,:;!?]?\s*\z", True),
    (r"italic", r"\A\s*[\"“]?[*_][^*_\s][\s\S]*[*_][\"”.,:;!?]?\s*\z", True),
    (r"backtick|code|monospace", r"\A\s*`[^`]+`[.,:;]?\s*\z", True),
    (r"quot", r"\A\s*[\"“][\s\S]+[\"”][.,:;]?\s*\z", True),
    (r"square", r"\A\s*\[[\s\S]+\][.,:;]?\s*\z", True),
    (r"round|parenthes", r"\A\s*\([\s\S]+\)[.,:;]?\s*\z", True),
    (r"capital|all caps|upper", r"\p{Ll}", False),
    (r"lower|small", r"\p{Lu}", False),
    (
        r"sentence",
        r"\A\S+(?:\s+\S+)*?\s+(?:For|And|Of|The|A|An|To|In|On|With|Or|Your|From|By|At)\s+\p{Lu}"
        r"|\A\p{Lu}\S*(?:\s+(?:a|an|the|of|in|on|to|for|and|or|with|by|at|from"
        r"|your))*(?:\s+\p{Lu}\p{Ll}[\w'’-]*(?:\s+(?:a|an|the|of|in|on|to"
        r"|for|and|or|with|by|at|from|your))*){3,}\s*\z",
        False,
    ),
    (r"title", r"\A(?:\p{Lu}\S*|a|an|the)\s+(?:\S+\s+)*?(?:[b-z]\p{Ll}{4,})\b", False),
)
_NAMED = {
    "capital|all caps|upper": "small letters",
    "lower|small": "capital letters",
    "sentence": "capitals of a title",
    "title": "small letters in a title",
}
"""What is looked for, where that is what must not be there."""
_ONE_OF = re.compile(
    rf"(?P<aux>{AUX})(?:either |(?:exactly |always )?one of:? ?(?:the (?:words|labels|values"
    rf"|following):? ?)?|only )?(?P<terms>§+(?:(?:,|,? or|/) ?§+)+)[^\w§]*$",
    _I,
)
_FORM = re.compile(
    rf"(?P<aux>{AUX})(?:(?:reads?|says?|looks? like|takes?|has|have|follows?|uses?|written|given|formatted"
    rf"|of|in|as|like|is|are|:) )*(?:(?:the|this) )?"
    r"(?:(?:exact )?(?:form(?:at)?|pattern|template|shape|style|wording)(?: of)?:? )?(?P<form>§+|[^\s§].{1,80})$",
    _I,
)
_FORM_VERB = re.compile(
    r"\b(?:reads?|says?|looks? like|form|format|pattern|template|shape|as|written|status line)\b", _I
)


def holds(text: Text, denied: bool, kind: str) -> Any | None:
    """The check of what a part holds; None where the text says something else, or more."""
    for read in (_lines, _empty, _wrapped, _one_of, _formed, _value):
        made = read(text, denied, kind)
        if made is not None:
            return made
    return None


_LINES = re.compile(
    rf"(?P<aux>{AUX})(?:has|have|is wrapped at|are wrapped at|wraps at|wrap at|wrapped at|uses?|keeps?"
    rf"|consists? of) (?:lines (?:of|with) (?:at most|no more than|up to|not more than)"
    rf"|lines (?:no longer than|not longer than"
    r"|shorter than))? ?(?P<most>\d{2,3}) (?:characters|columns|chars)[^\w§]*$",
    _I,
)
_IS_EMPTY = re.compile(rf"(?P<aux>{AUX})(?:left |be )*(?:empty|blank)[^\w§]*$", _I)


def _lines(text: Text, denied: bool, kind: str) -> Any | None:
    """``has lines of at most 72 characters``, ``is wrapped at 72 characters``."""
    match = _LINES.match(text.masked)
    if match is None or _denied(match["aux"], denied) or not re.search(r"\blines\b|\bwrap", match[0], _I):
        return None
    return c.LineLength(most=int(match["most"]) - ("shorter" in match[0].lower()))


def _empty(text: Text, denied: bool, kind: str) -> Any | None:
    match = _IS_EMPTY.match(text.masked)
    if match is None or not _denied(match["aux"], denied):
        return None
    return c.Matches(pattern=r"\S", finds="text")


def _denied(aux: str, denied: bool) -> bool:
    return denied != (denials(aux) % 2 == 1)


def _wrapped(text: Text, denied: bool, kind: str) -> Any | None:
    match = _WRAPPED.match(text.masked)
    if match is None:
        return None
    deny = _denied(match["aux"], denied)
    for words, pattern, wanted in _HOW:
        if re.match(words, match["how"], _I):
            case = words in ("sentence", "title")
            if deny and case:
                return None
            least, most = (1, None) if wanted != deny else (0, 0)
            return c.Matches(pattern=pattern, least=least, most=most, finds=_NAMED.get(words, match["how"].lower()))
    return None


def _one_of(text: Text, denied: bool, kind: str) -> Any | None:
    match = _ONE_OF.match(text.masked)
    if match is None or _denied(match["aux"], denied) or " and " in match["terms"]:
        return None
    if kind == "match":
        return None
    spelled = "|".join(re.escape(term) for term in text.terms())
    return c.Matches(pattern=rf"\A[\s*_\"“`]*(?:{spelled})[\s*_\"”`.]*\z", finds="one of the given words")


def _formed(text: Text, denied: bool, kind: str) -> Any | None:
    """``reads "Serves n"``, ``is of the form key=value``."""
    match = _FORM.match(text.masked)
    if match is None or _denied(match["aux"], denied):
        return None
    shown = text.raw[match.start("form") :].strip()
    terms = text.terms()
    if match["form"].startswith("§"):
        shown = terms[0] if len(terms) == 1 and not match["form"].strip("§ .") else ""
    elif re.search(r"\b(?:followed|and|then|with|or|where|which|that|plus|before|after|by)\b", shown, _I):
        return None
    shown = shown.strip("\"“”`'")
    if not shown or not _FORM_VERB.search(text.masked[: match.start("form")]):
        return None
    if not is_template(shown):
        made = (
            of_words(shown)
            if re.search(r"\b(?:form|format|pattern|template)\b", text.masked[: match.start("form")], _I)
            else ""
        )
        return (
            c.Matches(pattern=rf"\A[\s*_`]*{made}[\s*_`]*\z", finds=f"text of the form “{shown[:50]}”")
            if made
            else None
        )
    made = shape(shown)
    return (
        c.Matches(pattern=rf"\A[\s*_`]*{made}[\s*_`.]*\z", finds=f"text of the form “{shown[:50]}”") if made else None
    )


def _value(text: Text, denied: bool, kind: str) -> Any | None:
    """``contains a date``, ``has no numbers``."""
    match = _VALUE.match(text.masked)
    if match is None:
        return None
    many = (match["most"] or "").lower()
    deny = (denied + denials(match["aux"]) + (many == "no")) % 2 == 1
    if many.startswith(("at most", "exactly", "more", "two")) or (match["verb"].lower() in ("is", "are") and not deny):
        return None
    what = match["what"].strip().lower()
    pattern = next((held for words, held in _KINDS_HELD.items() if re.fullmatch(words, what)), "")
    if not pattern:
        pattern = next((each.pattern for each in KINDS if re.fullmatch(each.words, what, _I)), "")
    if not pattern or match["tail"]:
        return None
    return c.Matches(pattern=pattern, least=0 if deny else 1, most=0 if deny else None, finds=what[:60])
