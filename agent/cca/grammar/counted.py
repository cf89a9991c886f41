"""How long the answer is, in sentences that say more: ``Give a 2-3 sentence summary of the change.``"""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.light import leaves_nothing
from agent.cca.grammar.limits import Limit, limit_at
from agent.cca.grammar.polarity import denials
from agent.cca.reading import is_of_another

_I = re.IGNORECASE
_UNITS: dict[str, c.Unit] = {
    "word": "words", "sentence": "sentences", "paragraph": "paragraphs", "line": "lines", "character": "characters",
    "bullet": "bullets", "bullet point": "bullets", "bulleted item": "bullets",
}  # fmt: skip
_UNIT = re.compile(
    r"(?<![\w])(words?|sentences?|paragraphs?|lines?|characters?|bullet points?|bullets"
    r"|bulleted items?)(?![\w-])",
    _I,
)
_TEXT = (
    r"(?:summar(?:y|ies)|explanations?|descriptions?|answers?|responses?|repl(?:y|ies)|overviews?|rationales?"
    r"|justifications?|reasons?|reasoning|feedback|titles?|headlines?|captions?|messages?"
    r"|abstracts?|definitions?|verdicts?|statements?|conclusions?|notes?|comments?|questions?|outputs?|text|story"
    r"|poem|paragraph|analysis|recaps?|synopsis|blurb|version)"
)
_MAKES = (
    r"(?:write|give|provide|generate|create|produce|compose|draft|output|return|respond|reply|answer|keep|make|use"
    r"|limit|restrict|offer|print|present|include|add|be)"
)
_TELLS = (
    r"(?:summari[sz]e|describe|explain|list|outline|state|present|report|justify|answer|recap|condense|rewrite"
    r"|define|name|highlight)"
)
_LEAD = r"(?:[*\w ]{1,20}: |please |you must |you should |always |your task is to |then |now |and |only |just )*"
_ADJECTIVES = (
    r"(?:(?:a|an|the|your|its|this|that|me|us|with|in|as|back|only|just|of|to|one|it|them|very|short|brief"
    r"|concise|clear|simple|final|descriptive|informative|single|quick|high-level|whole|entire|detailed"
    r"|plain|and|,|is|no|be|list|series) ?)*"
)
_BEFORE = (
    re.compile(rf"^{_LEAD}{_MAKES} ?{_ADJECTIVES}(?:(?:new |chat |commit )?{_TEXT}(?: (?:for|of|about) (?:the|this"
               rf"|your|a) \w+)?,? ?{_ADJECTIVES})?$", _I),
    re.compile(rf"^{_LEAD}(?:briefly )?{_TELLS}\b[^,.;:]{{1,60}} (?:in|as|using|with)(?: {_ADJECTIVES})?$", _I),
    re.compile(rf"^{_LEAD}(?:(?:the|your|a|an|all|every|final|each|whole|entire|complete|generated|overall|short"
               rf"|brief|concise|clear|descriptive|quick|simple|good) ?)*,? ?{_TEXT}(?: text| itself)?,?"
               rf"(?: (?:must|should|shall|has to|have to|needs? to|will|is|are|may|can|not|be|consist of|contain"
               rf"|have|fit|of|in|with|written))* ?{_ADJECTIVES}$", _I),
    re.compile(r"^(?:(?:in|within|with|using|as|up to|at most) ?)?$", _I),
)  # fmt: skip
_KEPT = re.compile(
    rf"^{_LEAD}(?:keep|limit|restrict|cap|hold)(?: (?:the|your|its)(?: [\w-]+){{1,3}})? ?(?:to|under|below|within"
    rf"|at)?$",
    _I,
)
_OPENS = re.compile(
    rf"^(?:(?: \w+)? {_TEXT}\b)?[\s,)]*(?:$|(?:long|only|max|total)\b|[,;.\u2013\u2014-]|(?:of|about|on|for"
    rf"|that|which|and|to|using|with|in|covering|at|from|or|when|so|as|,)\b|(?:\w+ly )?\w+ing\b"
    rf"|your\b|the\b)",
    _I,
)
_SPOILS = re.compile(
    r"§|\b(?:each|every|per|any|unless|except|if|first|then|finally|followed|start\w*|begin\w*|end(?:s|ing)? with"
    r"|field|section|part|column|docstrings?|key(?! (?:concept|point|fact|finding|detail|takeaway|idea|insight"
    r"|message|information"
    r"|theme|feature|event|result|argument)s?\b)|value|step|item|bullet|row|entry"
    r"|entries|capital\w*|caps|about \d|or so|roughly|approximately|around|context|history|window|input"
    r"|prompt)\b",
    _I,
)
_UNITS_BEFORE = re.compile(
    r"\b(?:sentences|paragraphs|lines|bullets|points|items|lists|sections|titles"
    r"|headings)\b.*\d?",
    _I,
)
_OF_CODE = re.compile(r"\s?of (?:code|output|context|text from|history)\b", _I)
_THAT_SAYS = re.compile(
    r"(?<=\bwords) that (?:\w+ )?(?:captur|describ|summari|explain|stat|tell|answer|express|reflect|convey|sum)\w*", _I
)
"""``nine words that capture the topic``, but "words that are long"."""
_PARTS = re.compile(
    r"\b(?:titles?|headlines?|names?|subjects?|headings?|headers?|captions?|labels?|intro\w*|conclusions?|abstract|hook"
    r"|opening|closing|footer|thought|plan|reason\w*|rationale|justification|questions?|quer(?:y|ies)|entit\w+|tags?"
    r"|slug|first|second|third|middle|last|intermediate|lines?|sentences?|paragraphs?|functions?|code|options?|quotes?"
    r"|[a-z]+(?<!s)s)\b",
    _I,
)
"""What is kept so short is one of several."""
_GIVEN = re.compile(r"^(?:given|based on|using|considering|from) [^,;]{3,90}, (?:please |then )?", _I)
_EXACT_FROM_MOST = 3
_FEW = frozenset({"sentences", "paragraphs", "lines", "bullets"})


def counted(text: str) -> Any | None:
    """The count that a sentence demands of the answer; None where it may be one of a part."""
    text = _GIVEN.sub("", text).replace("(", ", ").replace(")", " ").replace("**", "").strip(" -.:!")
    if "?" in text or len(text) > 240 or is_of_another(_THAT_SAYS.sub(" ", text)):
        return None
    found: list[tuple[re.Match[str], Limit]] = []
    for match in _UNIT.finditer(text):
        limit = limit_at(text, match.start(), match.end(), denials(text[: match.start()]) % 2 == 1)
        if limit is not None:
            found.append((match, limit))
    if len(found) != 1:
        return None
    unit, limit = found[0]
    before, after = text[: limit.start].strip(), text[max(limit.end, unit.end()) :]
    if (
        (denials(before) - limit.turned) % 2
        or _SPOILS.search(text[: unit.start()])
        or _UNITS_BEFORE.search(text[limit.start : unit.start()])
        or _OF_CODE.match(after)
        or _SPOILS.search(after)
        or not _OPENS.match(after)
    ):
        return None
    if _SHORT_TEXT.match(f"{before} "):
        return _where_it_is_all(_count(_UNITS[unit[1].lower().rstrip("s")], limit))
    kept = _KEPT.match(before) is not None and _PARTS.search(before) is None
    told = any(form.match(f"{before} ".lstrip()) or form.match(before) for form in _BEFORE)
    if not (kept or told or leaves_nothing(before)):
        return None
    return _count(_UNITS[unit[1].lower().rstrip("s")], limit)


_SHORT_TEXT = re.compile(
    rf"^{_LEAD}(?:remember,? )?(?:(?:keep|limit|make) )?(?:the|your|its|a|an)? ?(?:new |chat |final |generated "
    rf"|suggested |short )?(?:tagline|titles?"
    r"|headline|name|slogan|caption|label|phrase|slug|hook|motto|blurb|teaser|alt text|query|search query|"
    r"summary|topic"
    r"|keyphrase|nickname|branch name|greeting)(?: text)?,? (?:(?:must|should|shall|has to|needs to"
    r"|may|can|not|be|is|to|under|within|of"
    r"|have|contain|exceed|never|at|consist) ?)*$",
    _I,
)
"""A text that is the answer where the answer is one line of words."""
_ONE_LINE = c.AllOf(
    checks=(c.Count(unit="lines", most=1), c.Matches(pattern=r"\A\s*[\[{<|#\"`*]|\A[^\n]{1,30}: ", least=0, most=0))
)


def _where_it_is_all(check: Any) -> Any:
    return c.When(condition=_ONE_LINE, then=check)


def _count(unit: c.Unit, limit: Limit) -> Any | None:
    least, most = limit.least, limit.most
    if limit.bare and unit not in _FEW and (most or 0) > _EXACT_FROM_MOST:
        least = None
    return c.Count(unit=unit, least=least, most=most)
