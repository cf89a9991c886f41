"""Families of demands on changelogs: groups, entries, headings of releases."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.code.build import fixed, guarded
from agent.cca.families.code.forms import found, none
from agent.cca.families.family import Family, Slots

_ANY = r"."
_LOG = r"change[- ]?log|release notes?|release|version|entr(?:y|ies)|unreleased|history"
_ENTRY = c.Part(kind="list_item")
_RELEASE = r"^##[ \t]+(\[?v?\d+\.\d+[^\n]*)"
_RELEASES = c.Part(kind="match", pattern=_RELEASE)
_GROUPS = c.Part(kind="match", pattern=r"^###[ \t]+([^\n]+)")
_UNRELEASED = r"(?i)^##[ \t]+\[?unreleased\]?"


def entries(check: Any) -> c.Each:
    return c.Each(part=_ENTRY, check=check)


def _groups(slots: Slots) -> Any | None:
    """Headings of the third level, or of any where there is none, are of the groups."""
    names = [name.strip("#* :") for name in (slots.terms if len(slots.terms) > 1 else slots.listed)]
    names = [name for name in names if re.fullmatch(r"[A-Z][A-Za-z ]{1,24}", name)]
    if len(names) < 2:
        return None
    known = "|".join(re.escape(name) for name in names)
    deep = c.Each(part=_GROUPS, check=found(rf"\A(?:{known})[ \t#]*\z", "a group of the list"))
    flat = c.Each(
        part=c.Part(kind="match", pattern=r"^##[ \t]+([A-Za-z][^\n]*)"),
        check=found(
            rf"\A(?:{known}|(?i:\[?unreleased\]?|changelog|change log|v?\d.*))[ \t#]*\z", "a group of the list"
        ),
    )
    return c.AllOf(checks=(deep, flat))


def _verbs(slots: Slots) -> Any | None:
    names: list[str] = []
    for given in (slots.terms, slots.listed):  # "in CHANGELOG.md … one of Add, Fix"
        names = names or [name.strip("` ") for name in given if re.fullmatch(r"[A-Z][a-z]{2,15}", name.strip("` "))]
    return entries(found(rf"\A[*_`]*(?:{'|'.join(names)})\b", "one of the verbs")) if len(names) > 1 else None


def _length(slots: Slots) -> Any | None:
    unit: Any = "words" if re.search(r"\bwords?\b", slots.text, re.I) else "characters"
    return entries(c.Count(unit=unit, least=slots.least, most=slots.most))


FAMILIES: tuple[Family, ...] = (
    Family(
        "changelog.groups",
        "entries stand under {terms}",
        guarded(_groups, _LOG, _ANY, r"commit", True),
        takes_terms=True,
    ),
    Family(
        "changelog.verbs",
        "entries begin with one of {terms}",
        guarded(_verbs, _LOG, _ANY, numbers=True),
        takes_terms=True,
    ),
    Family(
        "changelog.length",
        "entries have {limit}",
        guarded(_length, _LOG, _ANY, r"commit|release notes as a whole", True),
        bounded=True,
        takes_terms=True,
    ),
    fixed(
        "changelog.pr_number",
        "entries end with the number of the pull request",
        entries(found(r"\(?\[?#\d+\]?(?:\([^()\s]*\))?\)?(?:,? \(?#\d+\)?)*\.?\s*\z", "a number at the end")),
        r"\bPRs?\b|pull[ -]request|#|number|issue|merge request",
        about=_ANY,
        forbids=r"commit|branch|title",
    ),
    fixed(
        "changelog.no_period",
        "entries have no period at their end",
        entries(none(r"\.\s*\z", "a period at the end")),
        _LOG,
        about=_ANY,
        forbids=r"commit",
    ),
    fixed(
        "changelog.period",
        "entries end with a period",
        entries(found(r"\.(?: \(?\[?#\d+\]?(?:\([^()\s]*\))?\)?)?\s*\z", "a period at the end")),
        _LOG,
        about=_ANY,
        forbids=r"commit",
    ),
    fixed(
        "changelog.capital",
        "entries begin with a capital",
        entries(none(r"\A[*_]*[a-z][a-z]* ", "a small letter")),
        _LOG,
        about=_ANY,
        forbids=r"commit",
    ),
    fixed(
        "changelog.newest_first",
        "the newest release stands first",
        c.Series(part=_RELEASES, by="version", descending=True),
        _LOG,
        about=_ANY,
    ),
    fixed(
        "changelog.unreleased",
        "what is not released stands under [Unreleased]",
        c.When(
            condition=found(
                r"(?i)^##[ \t]+\[?(?:unreleased|next|upcoming|pending)|^###[ \t]+(?:added|changed|fixed|removed)"
            ),
            then=found(r"^##[ \t]+\[Unreleased\]", "## [Unreleased]"),
        ),
        r"unreleased",
        about=_ANY,
    ),
    fixed(
        "changelog.heading",
        "releases are headed ## [1.2.3] - 2025-01-31",
        c.Each(
            part=c.Part(
                kind="match", pattern=r"^(#{1,3}[ \t]+(?:(?:[Vv]ersion|[Rr]elease)[ \t]+)?[\[v(]{0,2}\d+\.\d+[^\n]*)"
            ),
            check=found(r"\A## \[\d+\.\d+\.\d+[^\]\s]*\] [-–—] \d{4}-\d{2}-\d{2}\s*\z", "a heading of that form"),
        ),
        r"head|title|releases?|version",
        about=_ANY,
        forbids=r"newest|latest|most recent|bump",
    ),
    fixed(
        "changelog.dated",
        "releases have a date",
        c.Each(part=_RELEASES, check=found(r"\d{4}-\d{2}-\d{2}", "a date")),
        r"dat(?:e|ed)|day|YYYY|\d{4}-\d\d-\d\d|when it|published",
        about=_ANY,
        forbids=r"commit|update|semver",
    ),
    fixed(
        "changelog.semver",
        "versions are of three numbers",
        c.Each(part=_RELEASES, check=found(r"\A\[?\d+\.\d+\.\d+(?:[^\d.]|\z)", "three numbers")),
        r"version|semver|semantic|\bv\b|three numbers|\d\.\d+\.\d",
        about=_ANY,
        forbids=r"date|newest|bump",
    ),
    fixed(
        "changelog.bullets",
        "entries are bullets",
        c.When(condition=c.Pieces(part=_GROUPS, least=1), then=c.Count(unit="bullets", least=1)),
        _LOG,
        about=_ANY,
        forbids=r"commit",
    ),
    fixed(
        "changelog.no_hashes",
        "no hashes of commits in entries",
        entries(none(r"(?:^|[\s(`\[])(?:[0-9]+[a-f]|[a-f]+[0-9])[0-9a-f]{5,38}(?:[\s)`\],.]|$)", "a hash")),
        r"hash|\bsha\b|shas|commit (?:ids?|numbers?)\b",
        about=_ANY,
    ),
    fixed(
        "changelog.no_authors",
        "no names of authors in entries",
        entries(none(r"(?:^|[\s(])@[A-Za-z][\w-]*", "a user's name")),
        r"author|contributor|handle|user ?name|@|mention|credit|\bwho\b|names?\b|anonym|\bpeople",
        about=_ANY,
        forbids=r"commit|co-author",
    ),
    fixed(
        "changelog.authors",
        "entries name their author",
        entries(found(r"(?:^|[\s(\[])@[A-Za-z][\w-]*", "a user's name")),
        r"author|contributor|handle|user ?name|@|thank|credit",
        about=_ANY,
        forbids=r"commit|co-author|\b(?:outside|external|first-time|new) contributors?",
    ),
)
