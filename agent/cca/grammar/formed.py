"""Forms that are shown, at the place where they stand: ``The second line says "Serves n"``, ``ANSWER: [...]``."""

from __future__ import annotations

import itertools
import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.datalines import html_list, iso_dates

_I = re.IGNORECASE
_FILLED = """
    name names value values key place title subject description type scope text address email e-mail date number author
    url link path file line term definition topic item answer reason summary question word translation speaker version
    id code amount unit score label explanation source page year month day message location city country category
    username user reference quote sentence phrase field content body step action command output input language species
    symbol firstname lastname surname initials role department verdict rating level status result details note heading
"""
_FILL = frozenset(_FILLED.split())
_TOKEN = re.compile(
    r"<[^<>\n]{1,60}>|\[[a-z][^\[\]|\d\n]{1,60}\]|\$\{?[A-Za-z_]\w*\}?|\{\{?[A-Za-z_ ]{1,40}\}?\}|\.\.\.|…|YYYY|MM"
    r"|DD|HH|SS|(?<![A-Za-z])(?:[xX]\.[yY]\.[zZ]|[nN]\.[nN]\.[nN]"
    r"|MAJOR\.MINOR\.PATCH)(?![A-Za-z])|0{2,9}|#{2,9}(?=$|[^ #])|(?<![A-Za-z0-9])(?:[nNxX]|N{2,6}|X{2,6}"
    r"|n{2,4})(?![A-Za-z0-9])|\d+"
    r"|[A-Za-z]+(?:-[A-Za-z]+)*|\s+|."
)
_DIGITS = {"YYYY": r"\d{4}", "MM": r"\d{2}", "DD": r"\d{2}", "HH": r"\d{2}", "SS": r"\d{2}"}
_SOME = r"[^\n]+?"


def form_of(shown: str) -> str:
    """An RE2 pattern of a form that is shown; "" where nothing in it is to be filled in.

    Numbers, dates and names stand for such; other words and all signs are to be spelled.
    """
    parts: list[str] = []
    filled = literal = 0
    numbers = re.search(r"(?<![A-Za-z0-9])[nNxX](?![A-Za-z0-9])|\d", shown) is not None
    fixed = re.search(r"(?<![A-Za-z0-9])[nNxX](?![A-Za-z0-9])", shown) is not None
    for token in _TOKEN.findall(shown):
        if token in _DIGITS:
            parts.append(_DIGITS[token])
            filled += 1
        elif re.fullmatch(r"[xXnN]\.[yYnN]\.[zZnN]|MAJOR\.MINOR\.PATCH", token):
            parts.append(r"\d+\.\d+\.\d+")
            filled += 1
        elif re.fullmatch(r"0{2,}|#{2,}|N{2,}|X{2,}|n{2,}", token):
            parts.append(rf"\d{{{len(token)}}}" if token[0] in "0#" or len(token) > 2 else r"\d+")
            filled += 1
        elif token in ("X",):  # a letter, a number, a word
            parts.append(r"[^\s()\[\]]+")
            filled += 1
        elif re.fullmatch(r"[nNx]", token) or (token.isdigit() and not fixed and numbers):
            parts.append(r"\d+")
            filled += 1
        elif re.fullmatch(r"<(?:[\w -]*e-?mail[\w -]*|address)>", token, _I):
            parts.append(r"<?\S+@\S+")
            filled += 1
        elif (
            (token[0] in "<{[$" and len(token) > 1)
            or token in ("...", "…")
            or (token.lower() in _FILL and not shown.startswith(f"{token}:"))
            or (fixed and len(token) > 1 and token.isupper() and not shown.startswith(token))
        ):
            parts.append(_SOME)
            filled += 1
        elif token.isspace():
            parts.append(r"[ \t]+")
        else:
            parts.append(re.escape(token))
            literal += not token.isspace()
    return "".join(parts) if filled and literal else ""


_MAX_CHARS = 400
_UNIT = (
    r"(?:(?P<nth>(?:very )?(?:first|second|third|last|final) line|opening line|closing line)|(?:each|every|all"
    r"|any) (?P<each>lines?|bullets?|bullet points?|headings?|list items?|entry|entries|rows?))"
)
_OF = r"(?: (?:of|in|for) (?:the |your |a |an |each |every |this )?(?:[\w-]+ ){0,2}?[\w-]+)?"
_SAYS = (
    r"(?: (?:must|should|shall|has to|needs to|is to|will))?(?: always)? (?:reads?|says?|looks? like|takes? the"
    r" form(?: of)?|have the form(?: of)?"
    r"|has the form(?: of)?|follows?(?: the)?(?: (?:form|format|pattern|template))?|be|is|are|be of the form|is of"
    r" the form|be in the (?:form|format)(?: of)?"
    r"|is in the (?:form|format)(?: of)?|be formatted as|is formatted as|be written as|is written as|contains?"
    r"|consists? of|match(?:es)?|gives?|states?)"
)
_A_LINE = (
    r"(?: (?:a|an|the|one|exactly|only|just|line|status line|header|heading|in square brackets|of the form"
    r"|in the form|in the format|the text|the words|as)(?![\w-]))*:? "
)
_TAIL = (
    r"(?P<tail>,? (?:with|where|in which|and nothing else|and no more|exactly|followed by a blank"
    r" line)\b[^;]{0,100}|; ?(?:no|without|not)\b.{0,80}|\s?\([^()]{0,60}\))?[ .;:]*$"
)
_PLACED = re.compile(rf"^(?:the |your )?{_UNIT}{_OF}{_SAYS}{_A_LINE}§{_TAIL}", _I)
_NAMED = re.compile(
    r"^(?:the|your|a|an|each|every) (?:[\w-]+ ){1,2}?(?:lines?|headings?|headers?|footers?|trailers?|captions?"
    r"|titles?|references?|citations?|signatures?)"
    rf"(?: of (?:the|your|a|each) \w+)?{_SAYS}{_A_LINE}§{_TAIL}",
    _I,
)
_LASTLY = re.compile(
    r"^(?:please |always )*(?:sign off|sign|end|close|finish|conclude)\b(?: (?:off|the|your|each|every|all|message"
    r"|answer|response|reply|output|with))* (?:with|by) "
    r"(?:(?:a|an|the|exactly|line|trailer|signature|footer|sign-off|closing|last|final|of the form|in the form"
    r"|form)(?![\w-]) )*§(?: as (?:the|its) (?:very )?(?:last|final) line| on (?:the|a) (?:last|final)"
    rf" line| on (?:a line of its own|its own line))?{_TAIL}",
    _I,
)
_PER_LINE = re.compile(
    r"^(?:please |only |just |always )*(?:output|write|give|return|list|print|use|put|produce)\b"
    r" [^;§]{0,60}?(?:one line per \w+|one (?:\w+ )?(?:per|on each|on every) line|on (?:each|every|a separate|its"
    r" own) line|per line|each line)"
    r"[^;§]{0,30}?(?:in|as|of|using|like|with) (?:the )?(?:form(?:at)?|pattern)?:? ?§" + _TAIL,
    _I,
)
_BARE_FORM = re.compile(
    r"\b(?:form|format|pattern) (?:of )?([A-Za-z]\w*(?:=|:|->|→|\|)\s?[A-Za-z]\w*)(?=[\s,.;]"
    r"|$)",
    _I,
)
_BRACKETS = re.compile(r"(?<!§)\[[A-Z][^\[\]\n]{4,100}\]")


_OF_INPUT = re.compile(
    r"\bcsv\b|\b(?:of|in) (?:the|an?|each|every) (?:[\w-]+ )?(?:files?|logs?|inputs?|documents?|sources?|prompts?"
    r"|scripts?|dataset|database|page"
    r"|config\w*|stream|transcript)\b|\b(?:is|are) (?:made|written|read|generated|set) by\b",
    _I,
)
_QUOTED = re.compile(r"`([^`\n]{3,160})`|“([^”\n]{3,160})”|\"([^\"\n]{3,160})\"|(?<!\w)'([^'\n]{3,160})'(?!\w)")


def formed(text: str) -> Any | None:
    """The check of a sentence that shows a form and says where it stands; None where it is no such sentence."""
    made = _labels(text)
    if made is not None or len(text) > _MAX_CHARS:
        return made
    shown = [next(filter(None, found.groups())) for found in _QUOTED.finditer(text)]
    masked = _QUOTED.sub("§", text)
    marks = _between(masked, shown) or _at_end(masked, shown) or iso_dates(text) or html_list(text)
    if marks is not None:
        return marks
    if not shown:
        bracket = _BRACKETS.search(masked) or _BARE_FORM.search(masked)
        if bracket is None:
            return None
        group = 1 if bracket.re is _BARE_FORM else 0
        shown = [bracket[group]]
        masked = masked[: bracket.start(group)] + "§" + masked[bracket.end(group) :]
    placed = _PLACED.match(masked) or _NAMED.match(masked) or _LASTLY.match(masked) or _PER_LINE.match(masked)
    pattern = form_of(shown[0]) if placed else ""
    if not pattern or placed is None or _OF_INPUT.search(masked):
        return None
    return _at(placed, pattern)


_AT_END = re.compile(
    r"^(?:please |always )*(?:[\w' -]{2,80}? )?(?:at the end of|to the end of|end) (?:the|each|every|an?)"
    r" (?P<each>entry|bullet|bullet point|line|item|list item)s?"
    r" (?:as|in the form|in the format|like|with|in the style)(?: of)? (?:a reference |the form )?(?P<shown>§"
    r"|\([^()\s]{2,30}\)|\[[^\[\]\s]{2,30}\])[ .]*$",
    _I,
)


def _at_end(masked: str, shown: list[str]) -> Any | None:
    """``Name the pull request at the end of each entry as (#123)``."""
    found = _AT_END.match(masked)
    if found is None or _NOT_TOLD.search(masked) or re.search(r"\b(?:not|never|no)\b|n['’]t\b", masked, _I):
        return None
    form = shown[0] if found["shown"] == "§" and shown else found["shown"]
    pattern = form_of(form)
    if not pattern:
        return None
    scope: Any = "line" if found["each"].lower() == "line" else "bullet"
    return c.Every(scope=scope, check=c.Matches(pattern=rf"{pattern}[.\s]*\z"))


def _at(placed: re.Match[str], pattern: str) -> Any:
    whole = rf"^\s*{pattern}[ \t]*$"
    if placed.re is _LASTLY:
        return c.Matches(pattern=rf"{pattern}[.!\"'`*]*[ \t]*$", within="last_line")
    if placed.re is _PER_LINE:
        return c.Every(scope="line", check=c.Matches(pattern=whole))
    if placed.re is _NAMED:
        return c.Matches(pattern=rf"(?m)^[ \t]*{pattern}[ \t]*$")
    nth, each = (placed["nth"] or "").lower(), (placed["each"] or "").lower()
    if nth:
        if "second" in nth or "third" in nth:
            lines = 1 if "second" in nth else 2
            return c.Matches(pattern=rf"\A\s*(?:[^\n]*\S[^\n]*\n\s*){{{lines}}}{pattern}[ \t]*(?:\n|\z)")
        return c.Matches(pattern=whole, within="last_line" if re.search("last|final|closing", nth) else "first_line")
    if each.startswith("heading"):
        return c.Every(scope="heading", check=c.Matches(pattern=whole))
    if each.startswith(("line", "row")):
        return c.Every(scope="line", check=c.Matches(pattern=whole))
    return c.Every(scope="bullet", check=c.Matches(pattern=whole))


_LABEL = re.compile(
    r"(?<![\w<\[{])([A-Z][A-Za-z]*(?: [A-Za-z]+){0,2}):\s*(?:<[^<>\n]{1,120}>"
    r"|\[(?:[^\[\]\n]|\[[^\[\]\n]{0,40}\]){1,160}\]"
    r"|\{[A-Za-z_ ]{1,80}\}|\.\.\.|$)"
)
_LABELS_TOLD = re.compile(
    r"\b(?:format|form|answer|response|reply|output|structure|template|follows|following|like this|respond"
    r"|use)\b[^.]{0,60}$",
    _I,
)
_NOT_TOLD = re.compile(r"\b(?:if|when|unless|input|given|example|e\.g|tool|each time|or)\b", _I)


def _labels(text: str) -> Any | None:
    """``… give your final answer: THOUGHT: [what you found] ANSWER: [the answer]``: each with a text."""
    found = list(_LABEL.finditer(text))
    if (
        len(found) < 2
        or not _LABELS_TOLD.search(text[: found[0].start()])
        or _NOT_TOLD.search(text[: found[0].start()])
    ):
        return None
    between = [text[a.end() : b.start()] for a, b in itertools.pairwise(found)]
    if any(gap.strip(" ,;|\n\t-*`.").lower() not in ("", "and", "then") for gap in between):
        return None
    names = [re.sub(r"^(?:answer|format|output|response) (?=[A-Z])", "", each[1], flags=_I) for each in found]
    return c.Matches(pattern="(?s)" + ".*?".join(rf"\b{re.escape(name)}\W{{0,4}}:\W{{0,6}}\w" for name in names))


_PAIR = re.compile(
    r"\b(?:wrap|enclos|surround|put|plac|delimit|insid|within|between|encas|bracket"
    r"|mark)\w*\b[^§]{0,60}?(?:\b(?:in|with|by|between|inside|within|using|the)\b[^§]{0,30}?)?"
    r"§ and (?:ending |closing |end )?§(?: (?:tags?|markers?|delimiters?|tokens?|lines?|markup))?[ .!]*$",
    _I,
)


def _between(masked: str, shown: list[str]) -> Any | None:
    """``The answer must be wrapped in `[START]` and `[END]` tags``."""
    if (
        len(shown) != 2
        or not _PAIR.search(masked)
        or _NOT_TOLD.search(masked)
        or re.search(r"\b(?:not|never|no|without)\b|n['’]t\b", masked, _I)
    ):
        return None
    first, second = shown
    if not all(re.search(r"[^\w\s]|[A-Z]{3}|_", term) for term in (first, second)):
        return None
    return c.Matches(pattern=rf"(?s){re.escape(first)}.*{re.escape(second)}")
