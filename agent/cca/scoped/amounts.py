"""Limits in other words: "not more than once", a limit that leaves something out, "each reply is 40 words long"."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.demand import demand
from agent.cca.quoted import quoted_terms
from agent.cca.scoped.text import Text

_I = re.IGNORECASE
_TIMES = {"once": 1, "twice": 2, "three times": 3, "four times": 4, "five times": 5}
_ANSWER = r"(?:answers?|repl(?:y|ies)|responses?|messages?|turns?|texts?|emails?|e-mails?|letters?|posts?|outputs?)"
_ONCE = re.compile(
    rf"(?:(?:do not|don['’]t|never) (?:use|write|put|place|repeat|include|say) "
    rf"|no )(?P<what>.{{1,60}}?) more (?:often )?than (?P<times>{'|'.join(_TIMES)})"
    rf"(?: (?:in|per|for) (?:(?:an?|the|each|every|any|one|your|a single) )?{_ANSWER})?[^\w§]*$"
    r"|(?:use|write|put|include|say) (?P<what2>.{1,60}?) (?:at most|no more than|not more than"
    r"|only) (?P<times2>once|twice|three times)"
    rf"(?: (?:in|per|for) (?:(?:an?|the|each|every|any|one|your|a single) )?{_ANSWER})?[^\w§]*$"
    rf"|(?P<what3>.{{1,60}}?) (?:(?:may|can|must|should) )?(?:appears?|occurs?|is used|are used"
    rf"|be used) (?:at most|no more than|not more than) (?P<times3>once|twice|three times)"
    rf"(?: (?:in|per|for) (?:(?:an?|the|each|every|any|one|your|a single) )?{_ANSWER})?[^\w§]*$",
    _I,
)
_UNCOUNTED = re.compile(
    r"[,;(]? ?(?:not counting|without counting|not including|excluding|leaving aside|apart from"
    r"|disregarding|exclusive of) (?:the |your |any |its |a |an )?(?P<what>[^,.;)]{2,80}?)\)?[^\w§]*$",
    _I,
)
_UNSURE = 20  # one word in so many may be counted as two: 9:00
_EACH = re.compile(
    r"(?:each|every) (?:reply|answer|response|message|turn)(?! ?to\b)(?= (?:is|must|should|has|have|runs?"
    r"|stays?|contains?|fits|may not|keeps?|shall|needs)\b)",
    _I,
)
_INCLUDED = re.compile(r",? (?:the )?[\w ]{1,40} included[^\w§]*$|,? including (?:the )?[\w ]{1,40}[^\w§]*$", _I)


def amounts(text: Text) -> Any | None:
    return _not_more(text) or _uncounted(text) or _each(text) or _artefact(text)


def _read(raw: str) -> Any | None:
    found = demand(raw, quoted_terms(raw))
    return found.check if found.whole else None


def _not_more(text: Text) -> Any | None:
    found = _ONCE.match(text.masked)
    if found is None:
        return None
    group = next(name for name in ("what", "what2", "what3") if found[name])
    what = text.cut(found.start(group), found.end(group))
    times = _TIMES[found[group.replace("what", "times")].lower()]
    terms = what.terms()
    if terms:
        if (
            len(terms) > 1
            or re.sub(r"§+|\b(?:the|word|words|phrase|term|symbol|sign|of|any)\b", "", what.masked, flags=_I).strip()
        ):
            return None
        return c.Matches(
            pattern=rf"(?i)\b{re.escape(terms[0])}\b" if terms[0].isalnum() else re.escape(terms[0]),
            least=0,
            most=times,
            finds=f"“{terms[0][:40]}”",
        )
    plain = re.sub(r"^(?:an?|the|any|more than one) ", "", what.raw)
    return _read(f"at most {times} {plain}")


def _uncounted(text: Text) -> Any | None:
    """A limit from above holds all the more where what is left out is allowed for."""
    found = _UNCOUNTED.search(text.masked)
    if found is None:
        return None
    check = _read(text.raw[: found.start()])
    if check is None or check.op != "count" or check.least is not None or check.most is None:
        return None
    if check.unit not in ("words", "characters", "sentences", "lines"):
        return None
    terms = text.cut(found.start("what"), found.end("what")).terms()
    if not terms:
        return None
    words = check.most // _UNSURE + len(terms[0].split())
    more = {"words": words, "characters": len(terms[0])}.get(check.unit, 2)
    return check.model_copy(update={"most": check.most + more})


def _each(text: Text) -> Any | None:
    """The answer is a reply, a turn: what is said of each is said of it."""
    found = _EACH.match(text.masked)
    if found is None:
        return None
    rest = text.cut(found.end())
    included = _INCLUDED.search(rest.masked)
    return _read("The answer " + (rest.raw[: included.start()] if included else rest.raw))


_ARTEFACT = re.compile(
    r"(?:the|your|an?|every) (?:finished |whole |entire |final )?(?:poem|haiku|limerick|sonnet|story"
    r"|article|essay|tweet|memo|review|speech|press release|obituary"
    r"|blurb|bio|biography|newsletter|meta description|product description|bulletin|editorial|toast|lyrics"
    r"|song|riddle|joke|proverb|forecast|briefing)"
    r"(?= (?:is|must|should|has|have|runs?|stays?|contains?|fits|may not|keeps?|shall|needs|consists"
    r"|does not|never|cannot)\b)",
    _I,
)


def _artefact(text: Text) -> Any | None:
    """``The poem has exactly 14 lines``: the answer is the poem."""
    found = _ARTEFACT.match(text.masked)
    check = _read(f"The answer {text.raw[found.end() :].strip()}") if found else None
    return check if check is not None and check.op == "count" else None
