"""The demands of one sentence, each as a sentence of its own: "A bullet begins with a capital and has no full stop".

Only what is surely joined is told apart: predicates of one subject with verbs of the same form, and a number of parts
with what is said of each. A condition, an exception or a choice leaves the sentence whole. Each demand is read by
itself; one that is not understood takes nothing from the others, for all of them have to hold.
"""

from __future__ import annotations

import re

from agent.cca.quoted import quoted_terms

_I = re.IGNORECASE
_BASE = "be|begin|start|open|end|close|finish|have|contain|include|use|hold|carry|stand|take|consist|avoid|follow|stay"
_THIRD = (
    "is|are|begins?|starts?|opens?|ends?|closes?|finish(?:es)?|has|have|contains?|includes?|uses?|holds?|carr(?:y|ies)"
    "|stands?|takes?|consists?|avoids?|follows?|stays?|lacks?"
)
_MODAL = r"must(?: not)?|should(?: not)?|shall(?: not)?|has to|have to|needs to|need to|may not"
_SUBJECT = r"(?!(?:always|never|please|do|don['’]t|also|just|only|you|we)\b)[^,;:]{3,60}?"
_BY_MODAL = re.compile(
    rf"^(?P<subject>{_SUBJECT}) (?P<modal>{_MODAL}) (?P<first>(?:{_BASE})\b[^;:]*?),? and"
    rf" (?:(?P<own>{_MODAL}) )?(?P<second>(?-i:(?:not )?(?:{_BASE}))\b[^;:]*)$",
    _I,
)
_BY_VERB = re.compile(
    rf"^(?P<subject>{_SUBJECT}) (?P<first>(?:{_THIRD})\b[^;:]*?),? and (?P<second>(?-i:{_THIRD})\b[^;:]*)$", _I
)
_EACH = re.compile(
    r"^(?P<all>[^,;:]*\b(?P<part>bullets?|bullet points?|items?|steps?|paragraphs?|sentences?|sections?"
    r"|headings?|lines?"
    r"|stanzas?|options?|rows?|questions?)\b[^,;:]*), each (?P<verb>\w+ing|with|of) (?P<rest>[^;:]+)$",
    _I,
)
_BARE = re.compile(
    r"\b(?:that|which|who|make sure|ensure|if|when|whenever|unless|except|where|while|until|either|optional"
    r"|may(?! not)|can|could|instead|rather"
    r"|respectively|or (?:it|they))\b",
    _I,
)
_SPELLED = {"starting": "starts", "beginning": "begins", "ending": "ends", "containing": "contains", "having": "has",
            "using": "uses", "opening": "opens", "closing": "closes", "consisting": "consists"}  # fmt: skip
_MAX_CHARS = 300


def demands(sentence: str) -> tuple[str, ...]:
    """Two sentences at least, or () where one demand, or more than is understood, stands in it. Pure, linear."""
    text = sentence.strip().rstrip(" .")
    masked = text
    for each in quoted_terms(text):
        masked = f"{masked[: each.start]}{'§' * (each.end - each.start)}{masked[each.end :]}"
    if len(text) > _MAX_CHARS or _BARE.search(masked):
        return ()
    apart = _EACH.match(masked)
    if apart:
        return _of_each(text, apart)
    for pattern in (_BY_MODAL, _BY_VERB):
        found = pattern.match(masked)
        if found:
            subject = text[slice(*found.span("subject"))]
            modal = f"{found['modal']} " if "modal" in found.re.groupindex else ""
            own = f"{found['own']} " if modal and found["own"] else modal
            first, second = (text[slice(*found.span(name))] for name in ("first", "second"))
            return (f"{subject} {modal}{first}", f"{subject} {own}{second}")
    return ()


def _of_each(text: str, found: re.Match[str]) -> tuple[str, ...]:
    part = re.sub(r"s$", "", found["part"].lower())
    said = found["verb"].lower()
    verb = "has" if said == "with" else "is of" if said == "of" else _SPELLED.get(said, "")
    rest = text[slice(*found.span("rest"))]
    return (text[slice(*found.span("all"))], f"Each {part} {verb} {rest}") if verb else ()
