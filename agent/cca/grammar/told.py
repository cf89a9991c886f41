"""Whether a sentence tells that the answer is to be data of a format: what gives it, and how the format is named."""

from __future__ import annotations

import re

_I = re.IGNORECASE
_STRONG = (
    r"(?:give back|return|output|respond|reply|answer|produce|emit|send|format|present|deliver|submit|supply|print"
    r"|provide"
    r"|give|generate|write)"
)
_WEAK = (
    r"(?:express|seriali[sz]e|encode|structure|organi[sz]e|specify|report|state|summari[sz]e|convert|render"
    r"|extract|list"
    r"|make|put|create|show|export|dump|communicate|speak|encapsulate|wrap|compile|translate|transform|record"
    r"|describe"
    r"|complete|finish|conclude|end|classify|label|identify|rewrite|turn|share|keep|use|follow|adhere to|stick to"
    r"|conform to)"
)
_DETERMINED = (
    r"(?:(?:only|just|a|an|the|your|one|single|valid|raw|pure|plain|strict|strictly|proper|properly|well[- ]formed"
    r"|well|compact|minified|following|final|entire|updated|complete|parse?able|clean|standard|structured"
    r"|machine[- ]readable"
    r"|correct|correctly|syntactically|exactly|exact|flat|nested|single-line|one-line|multi-line|top-level|this"
    r"|these|that|above|below|specified|simple|formatted|same"
    r"|new|corresponding|resulting|enhanced|result|results|lists?|arrays?|of|provided|given|expected|required|legal"
    r"|nothing but|nothing other than|nothing else than|nothing except|nothing besides|not|nicely|readable|and"
    r"|data|output|response|brief|short|small|big"
    r"|list|back|solely|exclusively|always|double-quoted|in|it|them|me|us|pretty-printed|indented|unformatted"
    r"|quoted|stringified"
    r"|beautified|more|well-structured|\w+-(?:compliant|compatible)),? )*"
)
_AS = (
    r"(?:as|in|into|to|using|with|via|following|by|of|form|format|be|is|are|containing|consist of|conforming to"
    r"|matching|per"
    r"|through|contains?|only|a|adher\w+ to|follow|compl\w+ with|conform to|match)"
)
_CLAUSE = re.compile(
    r"^|(?<=[;:.,)–—])\s|\s[-–]\s|\b(?:and|then|also|to|must|should|shall|will|can only|always|please|only|just"
    r"|you|now|"
    r"finally|so|simply|directly|immediately|task is to|need to|have to|is to)\s+(?=\w)",
    _I,
)
_VERB = re.compile(rf"\W*(?:(?P<strong>{_STRONG})|(?P<weak>{_WEAK}))\b(?! (?:whether|if|from|of)\b)", _I)
_DIRECT = re.compile(rf"(?:\s(?:with|back|in|only|using|us|me|them|it|as|to|just|a|an))*\s*{_DETERMINED}", _I)
_VIA = re.compile(rf".{{0,160}}?\b{_AS}:?\s+(?:a |an |the )?{_DETERMINED}$", _I)
_SUBJECT = re.compile(
    r"(?:^|\b(?:ensure|sure|certain|that|and|so|,)\s)\W*(?:[\w ]{1,24}: )?(?:(?:the|your|all|every|each|final"
    r"|entire|whole|generated|complete"
    r"|resulting|returned|overall|evaluation|only|model|assistant['’]s|agent['’]s|format of (?:the|your)"
    r"|top[- ]level|structured) )*"
    r"(?:outputs?|responses?|answers?|repl(?:y|ies)|results?|format|evaluation|top[- ]level value|root|body"
    r"|message|content)\b"
    r"(?: (?:body|text|value|format|itself|object|you (?:return|give|produce)|of the model))?[^.;]{0,60}?\b(?:must"
    r"|should|shall|has to|have to|needs? to|is|are|be|will|can only|adheres?"
    r"|conforms?|follows?|:)",
    _I,
)
_JSON_FIRST = re.compile(
    r"^\W*(?:(?:please|always|only|just|nothing but|strictly|pure|raw|valid|plain|use|the|your|all|generated"
    r"|returned|a|an"
    r"|single|[\w ]{1,24}:|keys (?:in|of)|format(?:ting)?|outputs?|responses?|answers?|repl(?:y|ies)) )*$",
    _I,
)
_JSON_THEN = re.compile(
    r"(?: (?:object|array|output|format|string|document|response|data|only|alone|you (?:return|output|give|produce"
    r"|send)"
    r"|that you (?:return|output|give)|result|syntax))*\s*(?:$|[.,;:!)(–—-]|\b(?:only|alone|please|and nothing"
    r" else|is (?:required"
    r"|expected|mandatory|the only \w+(?: \w+)?)|are|must|should|shall|has to|needs? to|for (?:the |your |all"
    r" )?(?:\w+ )?(?:outputs?"
    r"|responses?|answers?|repl\w+)|to (?:format|structure|answer)|as (?:the |your )?(?:output|response)|(?:is"
    r"|are) (?:accepted|allowed"
    r"|permitted|valid)|output|without|with|no|that)\b)",
    _I,
)
_ENSURES = re.compile(
    r"^\W*(?:[\w *]{1,24}: ?\W*)?(?:please )?(?:always )?(?:ensure|make sure|use (?=proper|valid|correct|well)"
    r"|maintain|follow|check|verify|double-check|guarantee)\b"
    r"(?: that)?(?: (?:the|your|all|final|proper|valid|correct|well-formed|strict|output|response|answer|a"
    r"|returned|generated"
    r"|in|is|to return|you return|you (?:only )?(?:output|respond with|provide|produce|give)|to output|to respond"
    r" with|to use|it is"
    r"|resulting))*\s*$",
    _I,
)
_PART = re.compile(
    r"^\W*(?:each|every|any|all(?: of)? the|all)\s(?!(?:[\w-]+\s){0,2}?(?:answers?|responses?|outputs?|repl\w+"
    r"|results?|time|message)\b)",
    _I,
)
_OR_ELSE = re.compile(
    r"[^.;,]{0,40}?(?:,? or\b|/)(?! (?:array|list|object|dict|anything|any |other|additional|extra|text|prose"
    r"|commentary|explan|markdown"
    r"|code|errors?|fail|more|less|fewer|nothing|comments?|backtick|formatting|surround|preamble|notes?|quot|the"
    r" parser|it\b|after|before|around|below|above))",
    _I,
)  # fmt: skip


def tells(told: str, start: int, end: int) -> bool:
    """Whether the format that is named at [start, end) of ``told`` is the one the answer is to have.

    Args:
        told: The sentence without the clauses that deny.
    """
    before, after = told[:start], told[end:]
    if _PART.match(before):
        return False
    if _JSON_FIRST.match(before) and _JSON_THEN.match(after):
        return True
    if _ENSURES.match(before) or _SUBJECT.search(before):
        return True
    for clause in _CLAUSE.finditer(before):
        verb = _VERB.match(before, clause.end())
        if verb is None:
            continue
        rest = before[verb.end() :]
        if verb["strong"] and _DIRECT.fullmatch(rest + (" " if not rest.endswith(" ") else "")):
            return True
        if _VIA.fullmatch(rest):
            return True
    return False


def is_either(after: str) -> bool:
    """Whether another form is allowed beside the one that is named before ``after``."""
    return _OR_ELSE.match(after) is not None
