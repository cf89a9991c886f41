"""Families of demands on branches and pull requests."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.code.build import fixed, guarded
from agent.cca.families.code.forms import TICKET, TYPES, found, none, size
from agent.cca.families.family import Family, Slots

_ANY = r"."
_BRANCH = (
    r"(?:[Bb]ranch[^\n`:]*[:`][ \t`]*|[Ww]ork on this branch:\s+`|git (?:checkout -b|switch -c"
    r"|branch)[ \t]+)([\w./#-]+)"
)
BRANCH = c.Part(kind="match", pattern=_BRANCH)
_TITLE = r"^(?:#+[ \t]*)?\**(?:PR |[Pp]ull [Rr]equest )?[Tt]itle\**:\**[ \t]*([^\n]+)"
PR_TITLE = c.Part(kind="match", pattern=_TITLE)


def _prefixes(slots: Slots) -> Any | None:
    names = [re.sub(r"/(?:[*…]|\.{3}|<[^<>]*>)?\Z", "", name.strip(" `").rstrip("*")) for name in slots.named]
    names = [name for name in dict.fromkeys(names) if re.fullmatch(r"[a-z][a-z-]*", name)]
    return c.Each(part=BRANCH, check=found(rf"\A(?:{'|'.join(names)})/", "one of the prefixes")) if names else None


def _sections(slots: Slots) -> Any | None:
    names = tuple(name.strip("#* :") for name in slots.named)
    return c.Sections(headings=names, ordered=False) if names and all(names) else None


FAMILIES: tuple[Family, ...] = (
    fixed(
        "branch.form",
        "branches are called type/issue-slug",
        c.Each(part=BRANCH, check=found(r"\A[a-z]+/(?:[A-Z]+-)?#?\d+-[a-z0-9]+(?:-[a-z0-9]+)*/?\z", "type/issue-slug")),
        r"branch",
        about=_ANY,
    ),
    fixed(
        "branch.typed",
        "branches are called type/slug",
        c.Each(part=BRANCH, check=found(r"\A[a-z]+/[A-Za-z0-9][A-Za-z0-9._-]*\z", "type/slug")),
        r"branch",
        about=_ANY,
    ),
    fixed(
        "branch.lower",
        "branches are in lower case",
        c.Each(part=BRANCH, check=none(r"[A-Z]", "capitals")),
        r"branch",
        about=_ANY,
    ),
    fixed(
        "branch.hyphens",
        "words of branches are joined by hyphens",
        c.Each(part=BRANCH, check=none(r"_|[a-z][A-Z]", "an underscore")),
        r"branch",
        about=_ANY,
    ),
    fixed(
        "branch.issue",
        "branches have an issue's number",
        c.Each(part=BRANCH, check=found(r"\d", "a number")),
        r"branch",
        about=_ANY,
    ),
    Family(
        "branch.length",
        "branch names have {limit} characters",
        guarded(size(BRANCH, "characters"), r"branch", _ANY, "", True),
        bounded=True,
        takes_terms=True,
    ),
    Family(
        "branch.prefix", "branches begin with one of {terms}", guarded(_prefixes, r"branch", _ANY), takes_terms=True
    ),
    Family(
        "pr.title_length",
        "titles of pull requests have {limit} characters",
        guarded(
            size(PR_TITLE, "characters"),
            r"\bPRs?\b|pull[ -]request|merge request|\bMRs?\b",
            _ANY,
            r"\bwords?\b|description|body",
            True,
        ),
        bounded=True,
        takes_terms=True,
    ),
    fixed(
        "pr.no_ticket",
        "no ticket in titles of pull requests",
        c.Each(part=PR_TITLE, check=none(TICKET, "a ticket")),
        r"\bPRs?\b|pull[ -]request|merge request|\bMRs?\b",
        about=_ANY,
    ),
    fixed(
        "pr.conventional",
        "titles of pull requests are Conventional Commits",
        c.Each(part=PR_TITLE, check=found(rf"\A`?(?:{TYPES})(?:\([^()\n]+\))?!?: \S", "a type and a colon")),
        r"\bPRs?\b|pull[ -]request|merge request|\bMRs?\b",
        about=_ANY,
    ),
    fixed(
        "pr.title_no_period",
        "titles of pull requests have no period at their end",
        c.Each(part=PR_TITLE, check=none(r"\.\s*\z", "a period")),
        r"\bPRs?\b|pull[ -]request|merge request|\bMRs?\b",
        about=_ANY,
    ),
    Family(
        "pr.sections",
        "the pull request has the sections {terms}",
        guarded(_sections, r"\bPRs?\b|pull[ -]request|merge request|\bMRs?\b", _ANY),
        takes_terms=True,
    ),
    fixed(
        "pr.closes",
        "the pull request names the issue that it closes",
        found(r"(?i)\b(?:close[sd]?|fix(?:es|ed)?|resolve[sd]?|refs?|part of)\b:?[ \t]+(?:[\w./-]+)?#\d+", "an issue"),
        r"\bPRs?\b|pull[ -]request|merge request|\bMRs?\b",
        about=_ANY,
    ),
    fixed(
        "pr.checklist",
        "the pull request has a checklist",
        found(r"^[ \t]*[-*] \[[ xX]\] ", "a box to tick"),
        r"check-?list|check-?box|task list|tick",
        about=_ANY,
    ),
)
