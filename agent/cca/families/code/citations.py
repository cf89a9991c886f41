"""Families of demands on references to code: files and lines, how they are written, how many, where they stand."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.code.build import fixed, guarded
from agent.cca.families.code.forms import found, none
from agent.cca.families.family import Family, Slots

_ANY = r"."
_FILE = r"(?:[\w.-]+/)*[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,5}"
_LINE = rf"{_FILE}:\d+"
_REFERENCE = r"cit|refer|locat|path|file|source|line|point|evidence|back|claim|support"
_PLACE = r"file:line|path:line|:line\b|line numbers?|file and line|path and line|:\d+|\bfile, line|lines?\b"
_PROSE_FILE = (
    r"(?:^|[\s(\"'])((?:[\w.-]+/)*[\w-]+\.(?:py|js|ts|tsx|jsx|go|rs|java|rb|php|c|h|cpp|toml"
    r"|yaml|yml|json|md|rst|txt|cfg|ini|sh|sql|css|html|lock|env|xml|csv))(?:[\s),.:;\"'?!]|$)"
)


def _count(slots: Slots) -> Any | None:
    return c.Matches(
        pattern=rf"{_LINE}\b", least=slots.least or 0, most=slots.most, finds="references to file and line"
    )


def _sources(slots: Slots) -> Any | None:
    """The answer ends with such a section or line and a list under it."""
    names = [name.strip("#*_: ") for name in slots.terms] or re.findall(
        r"\b(Sources|References|Citations|Evidence|Files|Bibliography)\b", slots.text
    )
    names = [name for name in dict.fromkeys(names) if re.fullmatch(r"[A-Za-z][\w ]{2,30}", name)]
    if len(names) != 1:
        return None
    name = re.escape(names[0])
    head = rf"(?i)^(?:#{{1,6}}[ \t]+)?[*_]{{0,2}}{name}[*_]{{0,2}}:?[*_]{{0,2}}[ \t]*"
    return found(
        rf"{head}\n(?:[ \t]*\n)?(?:[ \t]*(?:[-*+]|\d+[.)])[ \t]+\S[^\n]*\n?)+\s*\z", "a list of sources at the end"
    )


def _sources_named(slots: Slots) -> Any | None:
    names = [name.strip("#*_: ") for name in slots.terms] or re.findall(
        r"\b(Sources|References|Citations|Evidence|Files|Bibliography)\b", slots.text
    )
    names = [name for name in dict.fromkeys(names) if re.fullmatch(r"[A-Za-z][\w ]{2,30}", name)]
    if len(names) != 1:
        return None
    name = re.escape(names[0])
    return found(rf"(?i)^(?:#{{1,6}}[ \t]+)?[*_]{{0,2}}{name}[*_]{{0,2}}(?::|[ \t]*$)", "a list of sources")


FAMILIES: tuple[Family, ...] = (
    fixed(
        "cite.lines",
        "code is cited as path:line",
        found(rf"{_LINE}\b", "a reference to file and line"),
        _PLACE,
        about=_ANY,
        forbids=r"range|hyphen|backtick|inline code|absolute|stack|traceback|(?:every|each) (?:sentence"
        r"|claim|bullet|paragraph|statement|item|finding|point)",
    ),
    Family(
        "cite.places",
        "there are {limit} references to file and line",
        guarded(
            _count, _REFERENCE, _ANY, r"\bper (?:sentence|paragraph)|each (?:sentence|paragraph|bullet)|url|link", True
        ),
        bounded=True,
        takes_terms=True,
    ),
    fixed(
        "cite.backticks",
        "references stand in backticks",
        c.When(condition=found(rf"{_LINE}\b"), then=none(rf"(?:^|[\s(\"]){_LINE}\b", "a bare reference", "prose")),
        r"backtick|inline code|code (?:font|span|style|format)|monospace|`",
        about=_ANY,
        forbids=r"command|identifier|function name|class name|heading",
    ),
    fixed(
        "cite.hyphen_ranges",
        "ranges of lines are written with a hyphen",
        c.When(
            condition=found(rf"{_FILE}(?::L?\d+|#L\d+)(?:[-–—]|\.\.|,? to )"),
            then=none(rf"{_FILE}(?:#L\d+|:L\d+|:\d+(?:–|—|\.\.|,? to |:)\d*)", "a range in another form"),
        ),
        r"range|span|lines?|:\d+-\d+|#L\d+",
        about=_ANY,
        forbids=r"\bage|price",
    ),
    fixed(
        "cite.no_anchor",
        "no #L10 in references",
        none(r"\w#L\d+", "an #L anchor"),
        r"#L|anchor|github-style|\bL\d+",
        about=_ANY,
    ),
    fixed(
        "cite.relative_paths",
        "paths are relative",
        none(
            r"(?:^|[\s(`\"'])(?:/(?:home|Users|root|usr|var|opt|tmp|etc|mnt|srv|workspace|private"
            r"|app)/[\w./-]+|[A-Za-z]:\\\w|~/)",
            "an absolute path",
        ),
        r"path|director|root",
        about=_ANY,
        forbids=r"import|url|link|xpath",
    ),
    fixed(
        "cite.no_lines",
        "no line numbers in references",
        none(rf"{_FILE}(?::L?\d+|#L\d+|,? lines? \d+)", "a line's number"),
        r"line|:\d+",
        about=_ANY,
    ),
    fixed(
        "cite.files_in_backticks",
        "file names stand in backticks",
        none(_PROSE_FILE, "a bare file name", "prose"),
        r"file|path",
        about=_ANY,
        forbids=r":line|line number|branch|absolute|image",
    ),
    fixed(
        "cite.names_in_backticks",
        "names of code stand in backticks",
        none(r"(?:^|[\s(])(?:[a-z]+_[a-z_]+|[a-z_.]+\(\)|--[a-z][\w-]+)(?:[\s),.:;?!]|$)", "a bare name", "prose"),
        r"backtick|inline code|code (?:font|span|style|format|voice)|monospace",
        about=_ANY,
        forbids=r"file|path|heading|:line|commit",
    ),
    fixed(
        "cite.each_sentence",
        "each sentence has a reference",
        c.Every(scope="sentence", check=found(rf"{_LINE}\b|\[\d+(?::\d+(?:-\d+)?)?\]", "a reference")),
        r"sentence|claim|statement",
        about=_ANY,
        forbids=r"at least|most|paragraph",
    ),
    fixed(
        "cite.each_paragraph",
        "each paragraph has a reference",
        c.Every(scope="paragraph", check=found(rf"{_LINE}\b|\[\d+(?::\d+(?:-\d+)?)?\]", "a reference")),
        r"paragraph",
        about=_ANY,
    ),
    fixed(
        "cite.each_bullet",
        "each bullet has a reference",
        c.Every(scope="bullet", check=found(rf"{_LINE}\b|\[\d+(?::\d+(?:-\d+)?)?\]", "a reference")),
        r"bullet|item|point|finding|entry|\blist\b",
        about=_ANY,
    ),
    Family(
        "cite.sources_list",
        "the answer ends with a list of sources",
        guarded(
            _sources, r"source|reference|citation|evidence|files|bibliograph", _ANY, r"each (?:sentence|paragraph)"
        ),
        takes_terms=True,
    ),
    Family(
        "cite.sources",
        "there is a list of sources",
        guarded(
            _sources_named,
            r"source|reference|citation|evidence|files|bibliograph",
            _ANY,
            r"each (?:sentence|paragraph)",
        ),
        takes_terms=True,
    ),
    fixed(
        "cite.no_urls",
        "no permalinks for code",
        none(r"https?://(?:github|gitlab)\.com/[^\s)]+/blob/", "a link to code"),
        r"permalink|github|gitlab|blob|\burls?\b|links?\b",
        about=_ANY,
    ),
)
