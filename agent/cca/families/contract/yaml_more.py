"""Families of YAML as it is written, of attributes and tags, and of paths and methods of an HTTP interface."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.kinds import affirmed, cases_of, is_denied
from agent.cca.families.contract.said import has, never, told, where
from agent.cca.families.family import Family, Slots

_I = re.IGNORECASE
_NO_BLOCKS = r"\A[^|>]*\z"
"""YAML without texts of several lines: what stands in them is none."""
_YAML = r"ya?ml"
_LIST = r"^[ \t]*(?:-[ \t]+)*"
_KEY_FAULTS = (
    (r"snake[_ -]?case|underscores", rf"{_LIST}(?:[A-Za-z0-9_][\w-]*?[A-Z-]|[A-Z])[\w-]*[ \t]*:(?:[ \t]|$)"),
    (r"kebab[_ -]?case|hyphens", rf"{_LIST}[A-Za-z0-9_-]*[A-Z_][\w-]*[ \t]*:(?:[ \t]|$)"),
    (r"(?:lower[- ]?)?camel[_ -]?case", rf"{_LIST}(?:[A-Z][\w-]*|[a-z0-9]\w*[_-][\w-]*)[ \t]*:(?:[ \t]|$)"),
    (r"lower[- ]?case|small letters", rf"{_LIST}[\w-]*[A-Z][\w-]*[ \t]*:(?:[ \t]|$)"),
)  # fmt: skip


def _yaml(pattern: str, finds: str, **more: Any) -> Any:
    return c.Code(pattern=pattern, language="yaml", most=0, finds=finds, **more)


def _denied(check: Any) -> Any:
    """Only of sentences that deny: with the same words others demand it."""
    return lambda slots: check if is_denied(slots.text) or has(slots, r"instead of|rather than|free of|plain") else None


_FALSE = r"(?:[:-][ \t]+)(?:[Yy]es|[Nn]o|[Oo]n|[Oo]ff|YES|NO|ON|OFF)[ \t]*$"


def _booleans(slots: Slots) -> Any | None:
    """True and false are wanted, the other words not."""
    wanted = re.search(r"\btrue\b", affirmed(slots.text), _I)
    return _yaml(_FALSE, "yes, no, on or off", where=_NO_BLOCKS) if wanted and has(slots, "false") else None


def _key_form(slots: Slots) -> Any | None:
    wanted = affirmed(slots.text)
    found = [pattern for words, pattern in _KEY_FAULTS if re.search(rf"\b(?:{words})\b", wanted, _I)]
    cases = cases_of(wanted)
    if not found or len(cases) > 1 or (len(found) > 1 and not cases):
        return None
    return _yaml(found[0], "keys of another form", where=_NO_BLOCKS)


_SINGLE = r"<[A-Za-z][\w:.-]*(?:\s+[\w:@.-]+(?:\s*=\s*\"[^\"<]*\")?)*\s+[\w:@.-]+\s*=\s*'"


def _double_quotes(slots: Slots) -> Any | None:
    double, single = r"\bdouble(?:[- ]quot\w+)?\b", r"\bsingle(?:[- ]quot\w+)?\b|\bapostrophes?\b"
    wanted = affirmed(slots.text)
    fits = re.search(double, wanted, _I) or (re.search(single, slots.text, _I) and not re.search(single, wanted, _I))
    if not fits or (re.search(single, wanted, _I) and not is_denied(slots.text)):
        return None
    return never(_SINGLE, "attributes in single quotes")


_METHODS = "GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS"
_PATH = rf"\b(?:{_METHODS})[ \t]+`?(/[^\s`?#)\"',|*]*)"
_SMALL = (
    r"`(?:get|post|put|patch|delete)[ \t]+/[\w{:]|^[ \t]*(?:[-*+]|\d+[.)])?[ \t]*\**(?:get|post|put|patch|delete)"
    r"[ \t]+/(?:api\b|v\d|\w+/[{:])"
    r"|\bcurl\b[^\n]*[ \t](?:-X|--request)[ \t]*(?:get|post|put|patch|delete)\b"
)


def _prefix(slots: Slots) -> Any | None:
    """Each path that stands behind a method begins so."""
    names = [term.rstrip("/…*").rstrip("/") for term in slots.terms if term not in slots.examples]
    if not names or not all(re.fullmatch(r"(?:/[\w{}.:-]+)+", name) for name in names):
        return None
    if is_denied(re.sub(r"\bno (?:exceptions?|others?)\b|\bwithout exception\b", " ", slots.text, flags=_I)):
        return None
    starts = "|".join(map(re.escape, dict.fromkeys(names)))
    begins = c.Matches(pattern=rf"\A(?:{starts})(?:/|\z)", finds=f"{names[0][:40]} at the start")
    return c.Each(part=c.Part(kind="match", pattern=_PATH), check=begins)


FAMILIES: tuple[Family, ...] = (
    told("yaml.booleans", "YAML's booleans are true and false", where(_YAML, _booleans, r"quot\w+|json")),
    told(
        "yaml.no_anchors",
        "no anchors and aliases in the YAML",
        where(r"anchors?|alias(?:es)?|merge keys?", _denied(
            _yaml(r"(?:[:-][ \t]+|^[ \t]*)[&*][A-Za-z_]\w*|<<[ \t]*:", "anchors or aliases", where=_NO_BLOCKS)),
            r"links?|urls?|headings?|imports?|sql|tables?|commands?|git|html|shell|cit\w+|#L\d*|types?"),
    ),
    told(
        "yaml.block_style",
        "YAML in block style",
        where(_YAML, lambda slots: _yaml(r"[:-][ \t]+[\[{][ \t]*[^\]}{\s]", "lists or mappings on one line",
                                         where=_NO_BLOCKS) if has(slots, "block|inline|flow|braces|brackets|json-style")
              and (has(slots, "block[- ]style") or is_denied(slots.text)) else None,
              r"code blocks?|block scalars?|literal block|fences?"),
    ),
    told(
        "yaml.no_comments",
        "no comments in the YAML",
        where(_YAML, _denied(_yaml(r"(?:^|[ \t])#", "comments", where=_NO_BLOCKS, comments=True)),
              r"commentary|around|before|after|outside"),
    ),
    told("yaml.key_form", "YAML's keys are of a given form", where(_YAML, _key_form, r"json|python|values")),
    told("markup.double_quotes", "attributes in double quotes", where(r"attributes?(?: values?)?", _double_quotes)),
    told(
        "xml.no_self_closing",
        "no tags that close themselves",
        where(
            r"self-clos\w+|self clos\w+|close themselves|closes itself|<\w+ ?/>|empty-element",
            _denied(never(r"<[A-Za-z][\w:.-]*(?:\s[^<>]*)?/>", "tags that close themselves")),
            r"must be self-clos\w+|are self-clos\w+|use self-clos\w+|jsx|react",
        ),
    ),
    told("http.upper_methods", "HTTP methods in capitals", where(
        r"http|methods?|verbs?|endpoints?|requests?",
        lambda slots: never(_SMALL, "methods in lower case") if has(
            slots, r"capitals?|capital letters|upper[- ]?cased?|caps|capitali[sz]ed|lower[- ]?cased?|small letters")
        and not re.search(r"\b(?:in|be|are|as) (?:lower[- ]?case|small letters)\b", affirmed(slots.text), _I) else None,
        r"constants?|sql|functions?|python|class\w*")),
    told("http.prefix", "paths begin with {terms}", where(
        r"endpoints?|paths?|routes?|urls?|api", _prefix, r"files?|import\w*|folders?|director\w+|deprecated|old")),
)  # fmt: skip
