"""Families of demands on commit messages, branches and pull requests."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.code.build import fixed, guarded
from agent.cca.families.code.forms import TICKET, TYPES, found, none, size
from agent.cca.families.family import Family, Slots

_ANY = r"."
_SUBJECT = c.Part(kind="subject")
_TYPE_WORD = re.compile(r"[a-z]{2,12}")


def subject(check: Any, selects: Any = None) -> c.Each:
    return c.Each(part=_SUBJECT, check=check, selects=selects)


def _types(slots: Slots) -> Any | None:
    """The types that are named, two at least, are the only ones."""
    names = [name.strip(":()` ").lower() for name in (slots.terms if len(slots.terms) > 1 else slots.listed)]
    names = [name for name in dict.fromkeys(names) if _TYPE_WORD.fullmatch(name)]
    if len(names) < 2:
        return None
    return subject(found(rf"\A(?:{'|'.join(names)})(?:\([^()\n]*\))?!?:", "one of the types"))


def _body_width(slots: Slots) -> Any | None:
    if slots.most is None or slots.least:
        return None
    return c.Each(part=c.Part(kind="body"), check=c.LineLength(most=slots.most))


def _trailer(slots: Slots) -> Any | None:
    """A keyword with an issue's number behind it."""
    words = [
        word.lower()
        for word in re.findall(
            r"\b(refs?|close[sd]?|fix(?:es|ed)?|resolve[sd]?|references|related to|see|issue)\b(?=:? ?"
            r"(?:<|#|`|\"|or|and|,|$))",
            slots.text,
            re.I,
        )
    ]
    words = [word for word in dict.fromkeys(words) if word not in ("issue", "see")]
    pattern = (
        rf"(?i)^(?:{'|'.join(words)}):?[ \t]+(?:[\w./-]+)?#?\w*\d" if words else r"#\d+|\b[A-Z]{2,10}-\d+|/issues/\d+"
    )
    last = re.search(
        r"\b(?:last|final|closing|bottom) line\b|\bends? with\b|\bat the (?:very )?end\b", slots.text, re.I
    )
    place: Any = "last_line" if last else "answer"
    check = c.Matches(pattern=pattern, least=1, finds="a reference to an issue", within=place)
    return c.When(condition=c.Pieces(part=_SUBJECT, least=1), then=check)


def _in_commit(check: Any) -> c.When:
    return c.When(condition=c.Pieces(part=_SUBJECT, least=1), then=check)


_DEMANDS_IT = (
    r"\A(?![\s\S]*(?:\b(?:no|not|never|none|without|omit|drop|leave|remove|strip|avoid|skip|forbid\w*|bann?\w*|cut"
    r"|free|refuse\w*|reject\w*|delete|nothing|hide|neither|keep|unwanted|out|stop|only|refrain|but)\b|n['’]t\b))"
)
"""A sentence in which nothing denies."""
_COMMIT = r"commit|subject|message|header|title|type|summary line|first line|description"
_SUBJECTS = r"subject|commit|title|header|first line|summary line|headline"
FAMILIES: tuple[Family, ...] = (
    fixed(
        "commit.conventional",
        "a Conventional Commit",
        subject(found(rf"\A(?:{TYPES})(?:\([^()\n]+\))?!?: \S", "a type and a colon")),
        r"conventional|angular|types?\b|prefix|\b(?:feat|fix|refactor|chore|docs)\b(?:\(\w+\))?:|\bfeat\b, \bfix\b",
        about=_ANY,
        forbids=r"branch|\bPR\b|pull request|only|permitted|allowed|lower",
    ),
    Family(
        "commit.types",
        "the type is one of {terms}",
        guarded(_types, r"types?|prefix|commit", _ANY, r"branch|changelog", True),
        takes_terms=True,
    ),
    fixed(
        "commit.type_lower",
        "the type is in lower case",
        subject(none(r"\A[a-z]*[A-Z]\w*(?:\([^()\n]*\))?!?: ", "a capital")),
        r"\btype|prefix|tag",
        about=_ANY,
        forbids=r"branch|\bPR\b|pull request",
    ),
    fixed(
        "commit.scope",
        "the commit has a scope",
        subject(found(r"\A[a-z]+\([^()\n]+\)!?:", "a scope")),
        r"scope|parenthes|component|module",
        about=_ANY,
        forbids=r"scope (?:may|can|might) be|scope is optional|optional scope|conventional commits?: ",
    ),
    fixed(
        "commit.no_scope",
        "the commit has no scope",
        subject(none(r"\A\w+\([^()\n]*\)!?:", "a scope")),
        r"scope|parenthes|\w\(\w+\):",
        about=_ANY,
    ),
    Family(
        "commit.subject_length",
        "the subject has {limit} characters",
        guarded(
            size(_SUBJECT, "characters"),
            _COMMIT,
            _ANY,
            r"\bwords?\b|bod(?:y|ies)|branch|\bPR\b|pull request|changelog",
            True,
        ),
        bounded=True,
        takes_terms=True,
    ),
    Family(
        "commit.subject_words",
        "the subject has {limit} words",
        guarded(size(_SUBJECT, "words"), r"\bwords?\b", _ANY, r"branch|\bPR\b|pull request|changelog", True),
        bounded=True,
        takes_terms=True,
    ),
    fixed(
        "commit.no_period",
        "the subject has no period at its end",
        subject(none(r"\.\s*\z", "a period at the end")),
        _SUBJECTS,
        about=_ANY,
        forbids=r"\bPR\b|pull request|bullet|heading|changelog",
    ),
    fixed(
        "commit.lower",
        "the description begins in lower case",
        subject(none(r"\A[^:\n]*: ?[A-Z][a-z]", "a capital")),
        r"lower|capital|upper|small",
        about=_ANY,
        forbids=r"branch|heading",
    ),
    fixed(
        "commit.capital",
        "the subject begins with a capital",
        subject(none(r"\A(?:[^:\n ]+: ?)?[a-z][a-z]* ", "a small letter")),
        r"capital|upper|\b(?:no|not|never)\b.*\b(?:small|lower)|\blower.*\bnot\b",
        about=_ANY,
        forbids=r"branch|heading|bullet|changelog",
    ),
    fixed(
        "commit.blank_second",
        "the second line is blank",
        c.When(condition=found(r"\A[^\n]*\S[^\n]*\n"), then=found(r"\A[^\n]+\n[ \t]*(?:\n|\z)", "a blank second line")),
        r"blank|empty|separat|skip a line",
        about=_ANY,
        forbids=r"heading|paragraph",
    ),
    Family(
        "commit.body_width",
        "lines of the body have at most {limit} characters",
        guarded(
            _body_width, r"\bbod(?:y|ies)\b|commit|message", _ANY, r"subject|title|first line|summary|header", True
        ),
        bounded=True,
        takes_terms=True,
    ),
    fixed(
        "commit.no_body",
        "a subject alone",
        c.When(condition=c.Pieces(part=_SUBJECT, least=1), then=c.Pieces(part=c.Part(kind="body"), most=0)),
        r"bod(?:y|ies)|one line|single line|one-line|subject|title",
        about=_ANY,
        forbids=r"wrap|blank|separat",
    ),
    fixed(
        "commit.body",
        "the commit has a body",
        c.When(condition=c.Pieces(part=_SUBJECT, least=1), then=c.Pieces(part=c.Part(kind="body"), least=1)),
        r"bod(?:y|ies)|paragraph|more than",
        about=_ANY,
        forbids=r"wrap|blank|column|bullet",
    ),
    fixed(
        "commit.body_bullets",
        "the body is a list",
        c.Each(part=c.Part(kind="body"), check=c.Count(unit="bullets", least=1)),
        r"bullet|list|dash|`-`|\"-\"",
        about=_ANY,
    ),
    fixed(
        "commit.signed_off",
        "there is a Signed-off-by line",
        _in_commit(found(r"^Signed-off-by: \S[^\n<]*<[^\s<>]+>", "a Signed-off-by line")),
        r"sign(?:ed|s|ing)?[- ]?off|\bDCO\b|certificate",
        about=_ANY,
    ),
    fixed(
        "commit.no_coauthor",
        "no Co-Authored-By line",
        _in_commit(
            none(
                r"(?i)^[ \t]*co-authored-by:|^[^\n]{0,20}\b(?:generated|created|written|made) (?:with|by)\b",
                "a line on its author",
            )
        ),
        r"co-?-?author|generated|attribution|trailer|\bAI\b|tool|assistant|credit|byline",
        about=_ANY,
        forbids=_DEMANDS_IT,
    ),
    Family(
        "commit.issue",
        "an issue is referenced",
        guarded(
            _trailer,
            r"issue|ticket|refs?\b|close[sd]?\b|fixes|reference",
            _ANY,
            r"\bPR\b|pull request|branch|changelog",
        ),
        takes_terms=True,
    ),
    fixed(
        "commit.no_issue",
        "no ticket in the subject",
        subject(none(TICKET, "a ticket")),
        r"issue|ticket|jira|#\d",
        about=_ANY,
        forbids=r"\bPR\b|pull request|branch|changelog",
    ),
    fixed(
        "commit.ticket_first",
        "the subject begins with a ticket",
        subject(found(r"\A\[?[A-Z]{2,10}-\d+\]?[: ]|\A\[?#\d+", "a ticket at the start")),
        r"ticket|jira|issue|key|\b[A-Z]{2,10}-(?:\d+|N+|X+|n+)\b",
        about=_ANY,
        forbids=r"branch|\bPR\b|pull request|changelog",
    ),
    fixed(
        "commit.breaking",
        "a breaking change has ! before the colon",
        c.When(condition=found(r"^BREAKING[ -]CHANGE:"), then=subject(found(r"\A[a-z]+(?:\([^()\n]*\))?!:", "!"))),
        r"\bbreak\w*|incompatib",
        about=_ANY,
    ),
    fixed(
        "commit.breaking_footer",
        "a breaking change has a footer",
        c.When(
            condition=found(r"\A[a-z]+(?:\([^()\n]*\))?!:"),
            then=found(r"^BREAKING[ -]CHANGE: \S", "a BREAKING CHANGE footer"),
        ),
        r"breaking",
        about=_ANY,
        forbids=r"exclamation|colon|`!`|`feat!",
    ),
    fixed(
        "commit.bare",
        "nothing but the commit message",
        c.AllOf(
            checks=(
                c.Count(unit="fences", most=0),
                none(
                    r"\A\s*[\"'`“]|\A(?i:here(?:['’]s| is)|sure|certainly|of course|commit message:|the commit)",
                    "text around the message",
                ),
            )
        ),
        r"fence|quot|nothing (?:around|else|but)|backtick|alone|only|just|bare|raw|wrap|nothing|solely"
        r"|by itself|no more\b|whole answer|and stop\b",
        about=_ANY,
        forbids=r"column|character|issue|type",
    ),
    fixed(
        "commit.no_emoji",
        "no emoji in commit messages",
        _in_commit(c.AllOf(checks=(c.Charset(allow="no_emoji"), none(r":[a-z_]{3,30}:(?:[^/]|$)", "an emoji code")))),
        r"emoji|gitmoji",
        about=_ANY,
    ),
)
