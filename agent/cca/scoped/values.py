"""How values are written wherever they stand: dates, times, amounts, by an example, by a template, by words."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.scoped.conditions import without_harmless
from agent.cca.scoped.forms import is_template, shape
from agent.cca.scoped.kinds import BY_NAME, KINDS, MONTH, Kind
from agent.cca.scoped.text import Text

_I = re.IGNORECASE
_HOW = (
    r"(?:(?:must|should|shall|are|is|be|always|to|have to|has to|need to|written|given|take|takes|have|has"
    r"|use|uses|follow|follows|read|look|go|stand|appear|set"
    r"|formatted|stated|shown|expressed|printed|spelled|rendered|only|all|out|in|as|like|of|with|form|the|a"
    r"|an|format|style|notation|this|following)\b[ ,:]*)*"
)
_WORDS = "|".join(f"(?P<k{at}>{kind.words})" for at, kind in enumerate(KINDS))
_OF = (
    r"(?: (?:in|of|within) (?:the |your |all |any |every )?(?:answers?|text|replies|reply|values|prose|body"
    r"|output|running text))?"
)
_SUBJECT = re.compile(
    rf"(?:(?:all|any|every|each|the|your|an?) )?(?:{_WORDS}){_OF}(?P<link>:|,| (?=(?:must|should|shall|are"
    rf"|is|always|have|has|take|takes|use|uses|follow|follows|read"
    r"|look|go|stand|appear|need|never|in (?:the form|the format|iso|full)|as|carry|come|get)\b))",
    _I,
)
_OBJECT = re.compile(
    r"(?:write|give|format|state|express|print|show|use|put|set|quote|render|spell|present|record|specify"
    r"|report|list) (?:out )?(?:(?:all|any|every|each|the|your"
    rf"|an?) )?(?:{_WORDS}){_OF}(?P<link>,? (?=(?:as|in|like|with|using|by|to)\b)|: )",
    _I,
)
_FOR = re.compile(
    rf"(?:use|follow|apply|stick to) (?:only )?(?:the |this |a )?(?P<form>.{{3,80}}?) (?:for|in"
    rf"|with) (?:(?:all|any|every|each|the|your) )?(?:{_WORDS}){_OF}[^\w§]*$",
    _I,
)
_NOT = re.compile(
    r"(?:\b(?:not|never|instead of|rather than|nor)\b|n['’]t\b)(?: (?:as|in|like|the form|use"
    r"|write))*[\s\"'“`]*(?:\S+(?: \S+)?,? (?:or|nor) )?$",
    _I,
)
_HEDGED = re.compile(
    r"\b(?:unless|except|if|when|whenever|where|until|(?-i:may)|can|could|usually|prefer\w*|other than"
    r"|optional\w*|only (?:for|in|when))\b",
    _I,
)
_CLOCK_24, _CLOCK_12 = r"\A\d{1,2}[:h.]\d{2}(?::\d{2})?\z", r"(?i)[ap]\.?m"
_SPELLED: dict[str, tuple[tuple[str, str, int], ...]] = {
    # kind: (how it is said, what each value has to match, 1, or must not, 0)
    "date": (
        (r"\biso(?: ?8601)?\b", r"\A\d{4}-\d{2}-\d{2}\z", 1),
        (r"\b(?:day before (?:the )?month|day[, -]+month[, -]+(?:and )?year)\b", rf"\A{MONTH} \d", 0),
        (r"\bmonth before (?:the )?day\b", rf"\A\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}", 0),
        (
            r"(?:\bno|\bwithout|\bnot?) (?:any )?(?:§|ordinals?|ordinal (?:endings|suffix\w*)|st\b)",
            r"\d(?:st|nd|rd|th)\b",
            0,
        ),
        (r"\bno comma", ",", 0),
        (r"\bmonths? (?:spelled out|in (?:words|full)|written out)\b|\bspelled-out months?\b", r"\A[\d/.-]+\z", 0),
    ),
    "time": (
        (r"\b24[- ]hours?\b", _CLOCK_24, 1),
        (r"\b12[- ]hours?\b", _CLOCK_12, 1),
    ),
    "money": (
        (r"\btwo decimals?\b|\btwo decimal places\b", r"[.,]\d{2}(?:\D|\z)", 1),
        (
            r"\bno decimals?\b(?! (?:for|in|on|below|above))|\bwithout decimals?\b(?! (?:for|in|on|below|above))"
            r"|\bwhole (?:euros|dollars|pounds)\b",
            r"[.,]\d{2}(?:\D|\z)",
            0,
        ),
        (r"\b(?:currency )?(?:symbol|sign) (?:comes )?(?:before|first|in front)\b", r"\A(?:US|C|A)?[€$£¥]", 1),
        (r"\bin euros?\b(?! cents)", r"(?i)€|eur", 1),
        (r"\bin (?:us )?dollars\b", r"(?i)\$|usd|dollar", 1),
        (r"\bin pounds\b", r"(?i)£|gbp|pound|pence", 1),
    ),
    "percentage": (
        (r"\bpercent sign|\bpercentage sign|\b%|\bthe sign\b|\b(?:use|with|take) %", "%", 1),
        (r"\b(?:one|a single) decimal\b", r"\A\d+[.,]\d(?:\D|\z)", 1),
        (r"\bno decimals?\b|\bwhole numbers?\b", r"\d[.,]\d", 0),
        (r"\bno space\b|\bwithout a space\b", r"\d +%", 0),
    ),
    "temperature": (
        (r"\bcelsius\b|°C", r"(?i)°\s?F|fahrenheit|º\s?F", 0),
        (r"\bfahrenheit\b|°F", r"(?i)°\s?C|celsius|º\s?C", 0),
    ),
    "decimal": (
        (r"\b(?:take|use|have|with|are written with|a|decimal) (?:a |an |the )?comma\b", r"\A\d+\.\d+\z", 0),
        (
            r"\b(?:take|use|have|with|are written with|a|decimal) (?:a |the )?(?:point|full stop|period|dot)\b",
            r"\A\d+,(?:\d{1,2}|\d{4,})\z",
            0,
        ),
        (r"\bone decimal\b|\bone (?:digit|decimal) (?:place|after)", r"[.,]\d\z", 1),
        (r"\btwo decimals?\b|\btwo decimal places\b", r"[.,]\d{2}\z", 1),
    ),
}
_DECIMAL = r"(?:^|[^\d.,\w€$£/:-])(\d+[.,]\d+)(?:$|[^\d.,\w%/:]|[.,](?:\s|$))"


def values(text: Text) -> Any | None:
    """The check that each value of a kind is written so; None where the sentence shows or names no way."""
    text = without_harmless(text)
    found = _SUBJECT.match(text.masked) or _OBJECT.match(text.masked) or _FOR.match(text.masked)
    if found is None or _HEDGED.search(text.masked):
        return None
    kind = next(kind for at, kind in enumerate(KINDS) if found[f"k{at}"] is not None)
    said = text.cut(found.start("form"), found.end("form")) if found.re is _FOR else text.cut(found.end())
    if _FOLLOWED.search(said.masked):
        return _followed(said, kind)
    if (
        kind.name == "temperature"
        and re.search("celsius|°C", said.raw, _I)
        and re.search("fahrenheit|°F", said.raw, _I)
        and not re.search(r"\b(?:not|never)\b", said.masked, _I)
    ):
        return None  # both are asked for
    good, bad = _examples(said, kind)
    told = re.sub(r",? (?:not|never) (?:in |with |by )?(?:an? |the )?[a-z][a-z ]{2,30}", " ", said.masked, flags=_I)
    asked = tuple(
        c.Matches(pattern=pattern, least=want, most=None if want else 0, finds=f"such {kind.name}")
        for words, pattern, want in _SPELLED.get(kind.name, ())
        if re.search(words, told, _I)
    )
    forms = () if asked and kind.name != "date" else tuple(filter(None, (shape(each) for each in good)))
    checks: list[Any] = list(asked)
    if forms:
        joined = "|".join(f"(?:{form})" for form in forms)
        checks.append(c.Matches(pattern=rf"\A(?:{joined})\z", finds=f"the form {good[0][:40]}"))
    denied = tuple(filter(None, (shape(each) for each in bad)))
    if denied and not forms:
        checks.append(
            c.Matches(
                pattern="|".join(rf"\A(?:{form})\z" for form in denied),
                least=0,
                most=0,
                finds=f"the form {bad[0][:40]}",
            )
        )
    if not checks or (kind.name == "version" and not forms):
        return None
    check = checks[0] if len(checks) == 1 else c.AllOf(checks=tuple(checks))
    return c.Each(part=_part(kind, forms), check=check)


def _before(text: str, at: int) -> str:
    """What stands before an example in its bracket."""
    opened = text.rfind("(", 0, at)
    return text[opened + 1 : at] if opened > text.rfind(")", 0, at) else text[:at]


_FOLLOWED = re.compile(r"\b(?:followed|preceded) by\b", _I)


def _followed(said: Text, kind: Kind) -> Any | None:
    """``always followed by the gas mark in brackets, e.g. 180 °C (gas 4)``: the example shows what follows."""
    if re.search(r"\bpreceded\b|\b(?:not|never|or)\b", said.masked, _I):
        return None
    for match in re.finditer(kind.pattern, said.raw):
        behind = re.match(r"\s?\([^()\n]{1,40}\)|\s?\[[^\[\]\n]{1,40}\]", said.raw[match.end() :])
        if behind:
            tail = shape(behind[0]) or re.escape(behind[0])
            check = c.Matches(
                pattern=rf"\A(?:{kind.pattern})\s*{tail.removeprefix(chr(92) + 's+')}",
                finds=f"{kind.name} like “{match[0]}{behind[0]}”",
            )
            return c.Each(part=c.Part(kind="match", pattern=kind.pattern, behind=40), check=check)
    return None


def _part(kind: Kind, forms: tuple[str, ...]) -> c.Part:
    """Sums and temperatures of the kind; decimals stand alone, not in versions or dates."""
    return c.Part(kind="match", pattern=_DECIMAL if kind.name == "decimal" else kind.pattern)


def _examples(said: Text, kind: Kind) -> tuple[list[str], list[str]]:
    """Values of the kind that the sentence shows as they are to be, and as they are not."""
    good: list[str] = []
    bad: list[str] = []
    for match in re.finditer(kind.pattern, said.raw):
        (bad if _NOT.search(_before(said.raw, match.start())) else good).append(match[0].strip())
    for match in re.finditer(r"(?<![\w-])[YMDHhms]{2,4}(?:[-/.: T][YMDhHms]{2,4}){1,5}(?![\w-])", said.raw):
        if is_template(match[0]) and kind.name in ("date", "time"):
            (bad if _NOT.search(_before(said.raw, match.start())) else good).append(match[0])
    return good, bad


__all__ = ["BY_NAME", "values"]
