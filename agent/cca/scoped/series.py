"""Order among parts: sorted, differing, counted up, in the order of given names."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.scoped.edges import AUX
from agent.cca.scoped.scopes import CONTAINER, Scope, scope_at
from agent.cca.scoped.text import Text

_I = re.IGNORECASE
_DIFFER = re.compile(
    rf"{AUX}(?:unique|distinct|differ(?:ent)?(?: from (?:each other|one another))?|be repeated|repeated"
    rf"|repeat|duplicated|occur (?:only )?once|the same|identical"
    r"|read the same|say the same)[^\w§]*$",
    _I,
)
_NO_TWO = re.compile(r"no two ", _I)
_SAME = re.compile(
    rf"{AUX}(?:may |can |must |should )?"
    rf"(?:be |have |start |begin |read |say )?(?:the same|identical|alike"
    rf"|duplicates?|with the same (?:word|letter)|equal)"
    r"(?P<rest>.*)$",
    _I,
)
_SORTED = re.compile(
    rf"{AUX}(?:(?:stand|stands|sorted|ordered|listed|arranged|in|go|goes|run|come|comes|by|appear|given|put"
    rf"|sort|order|kept|ranked|presented) )*(?:the )?"
    r"(?P<how>alphabetical(?:ly)?(?: order)?|(?:ascending|increasing|rising) order|(?:descending|decreasing"
    r"|falling) order|chronological(?:ly)?(?: order)?"
    r"|reverse chronological(?: order)?|(?:newest|latest|most recent) (?:\w+ )?first|oldest (?:\w+ )?first"
    r"|(?:order of )?date|year|number|numerical order|(?:severity|priority|importance|urgency|level|rank)(?= ?[:(,])"
    r"|from (?:the )?(?:newest|latest) to (?:the )?oldest|from (?:the )?oldest to (?:the )?(?:newest"
    r"|latest)|from (?:the )?(?:highest|largest|biggest) to (?:the )?(?:lowest|smallest)"
    r"|from (?:the )?(?:lowest|smallest) to (?:the )?(?:highest|largest|biggest)|(?:highest|largest"
    r"|biggest) (?:\w+ )?first|(?:lowest|smallest) (?:\w+ )?first"
    r"|numerically|down|up)(?P<rest>.*)$",
    _I,
)
_NAMED_ORDER = re.compile(
    r"[^\w§]*(?:(?:order|severity|priority|importance|urgency|level|rank)\b)?[:(, ]* ?(?:all "
    r"|first )?(?P<names>[A-Z][\w -]*:?(?: first)?(?:,? (?:then|before|and then"
    r"|followed by|and finally|and)|,) .*)$"
)
_NEWEST = re.compile(
    r"(?:the )?(?:newest|latest|most recent) (?P<what>releases?|versions?|entr(?:y|ies)|dates?|events?"
    r"|jobs?|positions?|items?|changes?|years?)(?: (?:comes?|goes|stands?|is|are|listed|at the))?"
    r" (?:first|top)\b(?P<rest>.*)$|(?P<list>releases|versions|entries|dates|events|jobs|positions) (?:are"
    r"|stand|run|go|come|must be|should be) (?:listed |sorted |ordered |given |in )*"
    r"(?:newest|latest|most recent|reverse chronological)(?: order)?(?: first)?(?P<rest2>.*)$",
    _I,
)
_OLDEST = re.compile(
    r"(?:the )?oldest (?P<what>releases?|versions?|entr(?:y|ies)|dates?|events?|jobs?|positions?|items?"
    r"|years?)(?: (?:comes?|goes|stands?|is|are|listed))? first\b(?P<rest>.*)$",
    _I,
)
_VERSIONS = re.compile(
    r"(?:the )?versions?(?: numbers?)? (?:go|run|are|fall|must (?:go|run|be)|should (?:go|run"
    r"|be)) (?:in )?(?:down|falling|descending|decreasing)\b.*$",
    _I,
)
_COUNTED = re.compile(
    r"(?:(?:number|count|keep) )(?:(?:the|all|your|its"
    r"|each) )?(?P<what>[a-z]+(?: [a-z]+)?) (?:consecutively|continuously|in order|sequentially"
    r"|without gaps?|from 1|1\.,? 2\.,?(?: 3\.)?[ …]*(?:without gaps?)?|starting (?:at|from"
    r"|with) 1)(?:,? (?:and |from 1 )?without gaps?)?[^\w§]*$"
    r"|(?P<what2>[a-z]+(?: [a-z]+)?) (?:are|is|must be"
    r"|should be) numbered (?:1[.):]?,? 2[.):]?(?:,? (?:and )?3[.):]?)?[ …]*(?:and so on)?|consecutively"
    r"|continuously"
    r"|in order|sequentially|from 1(?: upwards?)?|starting (?:at|from|with) 1|without gaps?)(?:,? (?:and "
    r"|from 1 |up )?(?:without gaps?|upwards?))?[^\w§]*$",
    _I,
)
_LEAD = re.compile(
    rf"(?:sort|order|list|arrange|put|keep|rank|give|present) (?=(?:the|all|your|each|bullets|items|options"
    rf"|entries|steps|headings|lines|sections)\b)|in (?:a |the |each |every "
    rf"|your )?{CONTAINER}(?: of items)?,? ",
    _I,
)
_HEDGED = re.compile(
    r"\b(?:unless|except|if|when|where|may|can|usually|prefer\w*|other than)\b(?! be the same| start| begin"
    r"| have| read| say)",
    _I,
)


def series(text: Text) -> Any | None:
    """The check of an order or a difference; None where the sentence is about none."""
    lead = _LEAD.match(text.masked)
    rest = text.cut(lead.end()) if lead else text
    if _HEDGED.search(rest.masked):
        return None
    return _counted(rest) or _different(rest) or _by_age(rest) or _from_to(rest) or _sorted(rest)


def _counted(text: Text) -> Any | None:
    found = _COUNTED.match(text.masked)
    if found is None:
        return None
    what = (found["what"] or found["what2"]).lower().split()[-1]
    if what not in (
        "items",
        "steps",
        "questions",
        "points",
        "list",
        "entries",
        "findings",
        "rules",
        "options",
        "lines",
        "paragraphs",
        "sections",
    ):
        return None
    if what == "sections":
        return c.Series(part=c.Part(kind="heading", pattern=r"^\d+\.? "), by="number", counted=True)
    return c.Series(part=c.Part(kind="match", pattern=r"^(?:\*\*)?(\d{1,4}[.)])[ \t*]"), by="number", counted=True)


def _different(text: Text) -> Any | None:
    two = _NO_TWO.match(text.masked)
    scope = scope_at(text, two.end() if two else 0, sections=False)
    if scope is None or not scope.sure or scope.kind:
        return None
    said = text.cut(scope.end)
    if two:
        same = _SAME.match(said.masked)
        if same is None:
            return None
        by_start = re.search(r"\b(?:start|begin)", same[0], _I)
        if (
            by_start
            or "letter" in same[0]
            or (same["rest"].strip() and not re.fullmatch(r" (?:text|words?|wording)[^\w§]*", same["rest"], _I))
        ):
            return None
        return _unique(scope)
    denied = re.search(r"\b(?:not|never|no)\b|n['’]t\b", said.masked, _I) is not None or scope.det == "no"
    found = _DIFFER.match(said.masked)
    if found is None:
        return None
    alike = re.search(r"\b(?:repeat\w*|duplicated|the same|identical)\b", found[0], _I) is not None
    return _unique(scope) if alike == denied else None


def _unique(scope: Scope) -> Any:
    every = c.Series(part=scope.part, unique=True)
    if scope.part.kind != "option":
        return every
    if scope.part.of is not None:
        return every
    return c.Each(part=c.Part(kind="item"), check=every)


def _by_age(text: Text) -> Any | None:
    newest, oldest = _NEWEST.match(text.masked), _OLDEST.match(text.masked)
    found = newest or oldest
    if found is None:
        return _versions(text, True) if _VERSIONS.match(text.masked) else None
    groups = found.groupdict()
    what = (groups.get("what") or groups.get("list") or "").lower()
    rest = groups.get("rest") or groups.get("rest2") or ""
    if re.search(r"\b(?:but|for|in the|unless|or)\b", rest, _I):
        return None
    falling = newest is not None
    if re.match(r"release|version", what):
        return _versions(text, falling)
    part = c.Part(kind="list_item" if re.match("entr|item|job|position|event", what) else "heading")
    return c.Series(part=part, by="date", descending=falling)


_RUN = re.compile(
    r"(?:the )?(?P<what>releases|versions|entries|dates|events|jobs|positions|items|years) (?:must "
    r"|should )?(?:run|go|stand|are|be|come)(?: listed| sorted| ordered| given)* from (?:the )?"
    r"(?P<from>newest|latest|most recent|oldest|earliest|first) to (?:the )?(?:newest|latest|most recent"
    r"|oldest|earliest|last)[^\w§]*$",
    _I,
)


def _from_to(text: Text) -> Any | None:
    found = _RUN.match(text.masked)
    if found is None:
        return None
    falling = re.match(r"newest|latest|most", found["from"], _I) is not None
    if re.match(r"release|version", found["what"], _I):
        return _versions(text, falling)
    kind: Any = "heading" if re.match(r"date|year", found["what"], _I) else "list_item"
    return c.Series(part=c.Part(kind=kind), by="date", descending=falling)


def _versions(text: Text, falling: bool) -> Any:
    return c.Series(part=c.Part(kind="heading", pattern=r"^[^\w§]*v?\d+\.\d+"), by="version", descending=falling)


def _sorted(text: Text) -> Any | None:
    scope = scope_at(text, 0)
    if scope is None or scope.kind:
        return None
    said = text.cut(scope.end)
    found = _SORTED.match(said.masked)
    if found is None or re.search(r"\b(?:not|never)\b", said.masked[: found.start("how")], _I):
        return None
    part = scope.part
    if part.kind == "section":
        part = c.Part(kind="list_item", of=part)
    how, rest = found["how"].lower(), said.raw[found.start("rest") :]
    if re.fullmatch(r"severity|priority|importance|urgency|level|rank", how) and not _NAMED_ORDER.match(rest):
        return None
    named = _NAMED_ORDER.match(rest)
    falling = (
        re.search(r"desc|decreas|falling|down|reverse|newest|latest|most recent|highest|largest|biggest", how)
        is not None
    )
    if how.startswith(
        ("from the oldest", "from oldest", "from the lowest", "from lowest", "from the smallest", "from smallest")
    ):
        falling = False
    if named:
        terms = names_in(named["names"])
        return c.Series(part=part, by="terms", terms=terms) if len(terms) > 1 else None
    aged = re.fullmatch(
        r"[,;:]? ?(?:with the )?(?:(?P<new>newest|latest|most recent)|oldest|earliest) (?:\w+ )?first[^\w§]*", rest, _I
    )
    if aged and how in ("date", "order of date", "year"):
        return c.Series(part=part, by="date", descending=aged["new"] is not None)
    if rest.strip(" .") and not re.fullmatch(
        r"[^\w§]*(?:order|by (?:number|date|year|value|name|title)|from top to bottom|of (?:date|year))[^\w§]*",
        rest,
        _I,
    ):
        return None
    by_value = re.search(r"\bby (number|date|year|value)\b", rest, _I)
    if how.startswith("alphabet"):
        return c.Series(part=part, descending=falling)
    if re.search(r"chrono|newest|latest|oldest|recent|date|year", how) or (
        by_value and by_value[1].lower() in ("date", "year")
    ):
        return c.Series(part=part, by="date", descending=falling)
    if re.search(r"numer|number|largest|highest|smallest|lowest|biggest", how) or by_value:
        return c.Series(part=part, by="number", descending=falling)
    return None


def names_in(text: str) -> tuple[str, ...]:
    """``High: first, then Medium:, then Low:``."""
    pieces = re.split(r",|;|\b(?:then|before|and then|followed by|and finally|and|all|first|last|at the end)\b", text)
    return tuple(dict.fromkeys(piece.strip(" :.\"“”`'") for piece in pieces if re.search(r"\w", piece)))
