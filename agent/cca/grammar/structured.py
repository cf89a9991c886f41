"""Data as the answer: that it is JSON (YAML, TOML, XML), of which kind, with which keys, and what may stand around it.

Sentences about data say much else beside ("where the drawing is in `elements`"), so that they are not read whole: the
parts that are understood are demands by themselves.
"""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.alone import ONLY
from agent.cca.grammar.data import array_length, typed_keys
from agent.cca.grammar.polarity import DENIES
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_PARSER = re.compile(r"\b(?:python )?(?:json\.loads|JSON\.parse)(?:\(\))?", re.IGNORECASE)
_NAME = re.compile(
    r"\b(json|ya?ml|toml|xml)\b(?![- ](?:files?|modules?|pars\w+|endpoints?|mode|keystore|modules?|librar\w+|paths?"
    r"|patch|config\w*))",
    _I,
)
_GIVES = (
    r"(?:give back|return|output|respond|reply|answer|produce|generate|show|print|provide|give|write|create|emit"
    r"|send|format"
    r"|present|deliver|submit|supply)"
)
_LEADS = (
    r"(?:[\w ]{1,24}:|please|only|just|you|must|should|always|strictly|and|then|now|so|your|task|is|to|i\.e\."
    r"|make sure|ensure|sure|that|are|will|need|have|do|not|finally|ONLY)"
)
_TOLD = (
    re.compile(rf"^\W*(?:{_LEADS}[\s,]+){{0,8}}{_GIVES}\b(?! (?:whether|if)\b)", _I),
    re.compile(r"^\W*(?:[\w ]{1,24}: )?(?:(?:the|your|all|every|each|final|entire|whole|generated|complete|resulting"
               r"|returned) )*(?:outputs?|responses?|answers?|repl(?:y|ies)|results?)\b.{0,60}?"
               r"\b(?:must|should|shall|has to|have to|needs? to|is|are|be|will|can only|adheres?|conforms?"
               r"|follows?)\b", _I),
    re.compile(r"^\W*(?:please )?(?:always )?(?:ensure|make sure|use|maintain|follow|check)\b.{0,30}?\b(?:(?:proper"
               r"|valid|correct|well-formed|strict)\b.{0,10}\bjson\b|json is (?:valid|well-formed|correct))", _I),
    re.compile(r"^\W*(?:ensure|make sure)(?: that)? (?:the|your) (?:final )?(?:response|output|answer|reply"
               r"|result)\b.{0,40}\bparse", _I),
    re.compile(r"^\W*(?:the )?json (?:you|that you) (?:return|output|give|produce|send)\b", _I),
    re.compile(r"^\W*(?:you must |please |always )?use (?:the |this |a )?(?:\w+ )?(?:json|yaml"
               r"|xml)\b.{0,40}\b(?:to format|for|as) (?:the |your )?(?:answers?|responses?|outputs?)\b", _I),
    re.compile(r"^\W*(?:(?:the|your|all|generated|returned) )*(?:keys in (?:the )?)?json\b(?: \w+){0,2} (?:must"
               r"|should|shall|has to"
               r"|needs? to|are)\b", _I),
)  # fmt: skip
_GIVEN = re.compile(
    r"\b(?:about|regarding|concerning|from|parse|parsing|read|reads|reading|given|input|load|loading|inside|accepts?"
    r"|receives?|convert|invalid"
    r"|of|if|when|unless|whether|such as|like|e\.g\.?) (?:\w+ ){0,2}$"
    r"|\b(?:provided|above|below|following|this|these) (?=(?-i:JSON))$",
    _I,
)
_SOFTWARE = re.compile(
    r"\b(?:functions?|methods?|tools?|endpoints?|api|servers?|components?|class(?:es)?|callbacks?|hooks?|parameters?"
    r"|arguments?|columns?|databases?|templates?|instruct\w*|configured)\b",
    _I,
)
_FOR_A_PART = re.compile(
    r" (?:format |object |data |value )?for (?:the|each|any|all|every|your) (?!(?:final |whole )?(?:answer|response"
    r"|output|reply|result|evaluation))",
    _I,
)
_LIST_KIND = re.compile(
    r"\b(?:lists?|arrays?) of (?:(?!§)[\w-]+ ){0,2}?json(?: (?:objects?|dict\w*))?\b"
    r"|\bjson[- ](?:\w+ )?(?:lists?|arrays?)\b|\bjson must be an? (?:list|array)\b",
    _I,
)
_OBJECT_KIND = re.compile(
    r"\bjson[- ](?:serialized |serializable |formatted )?(?:object|dict(?:ionary)?"
    r"|mapping)\b(?! schema)",
    _I,
)
_SAYS_NOTHING_ELSE = re.compile(
    r"\b(?:(?:do not|don['’]t|never) (?:\w+ ){1,3}?(?:anything else|any other text|other text|extra text"
    r"|additional text|any text|anything (?:other than|except|but|apart from)|explanations?|explain\w*"
    r"|(?:any )?preambles?|other information|additional information|more than)"
    r"|(?:no|without(?: any)?) (?:\w+ ){0,2}?(?:other text|extra text|additional text|text|preambles?|explanations?"
    r"|commentary|prose|words)\b|nothing else|anything else)",
    _I,
)
_INTRODUCES = re.compile(
    r"\b(?:keys?|fields?|propert(?:y|ies)|attributes?|including|includes?|containing|contains?|with|having"
    r"|consist\w* of|whose keys|with)\b(?: (?:in json|in the json(?: object)?))?(?: (?:are|is|named|called"
    r"|must be))?(?: (?:both"
    r"|exactly|only|just|the|a|an"
    r"|one|two|three|four|five|single|following|these|required|top-level|keys?|fields?|propert(?:y|ies)|attributes?"
    r"|named|called))*\s?:?",
    _I,
)
_GLUE = re.compile(r"[\s,;&]*(?:(?:and|the|a|an|both|as well as|also|your|plus)\b[\s,]*)*")
_AFTER_KEY = re.compile(r"(?: ?\([^()§]{0,120}\))?(?: (?:keys?|fields?|propert(?:y|ies)|attributes?)\b)?")
_PLACED = re.compile(r"\b(?:is|are|goes|go|stands?|belongs?|put|placed|stored) (?:in|into|under) (?:the )?§", _I)
_KEY = re.compile(r"[A-Za-z_][\w-]{0,60}(?: [\w-]{1,30}){0,2}")
_STATED = re.compile(
    r"(?:where|and|,|;)\s+(?:the )?(§) (?:is|are|explains?|contains?|holds?|gives?|describes?"
    r"|states?|lists?|must|should)\b",
    _I,
)
_ONLY_KEYS = re.compile(
    r"\b(?:exactly|only|just)\b(?: (?!return|output|respond|in\b)[\w-]+){0,3}? (?:keys?|fields?|propert(?:y|ies)"
    r"|attributes)\b|\b(?:keys?|fields?|propert(?:y|ies)) only\b"
    r"|\b(?:no|not|n['’]t|never|without)\b(?: \w+){0,4}? (?:other|additional|extra|further|more) (?:keys?|fields?"
    r"|propert(?:y|ies)|attributes)\b",
    _I,
)
_NEAR = 40  # characters
_FENCED = re.compile(
    r"\b(?:surrounded|wrapped|enclosed|encapsulated|in|inside|within|between|by|as)(?: (?:by|in|with|inside"
    r"|within))? (?:a |an |the |single |pure )*(?:triple[- ]backticks?|(?:markdown |fenced |json )*code ?(?:blocks?"
    r"|fences?|snippets?)"
    r"|markdown (?:blocks?|fences?)|json fences?|code fence)\b",
    _I,
)


def structured(text: str, masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    """The demands on data that a sentence makes of an answer; None where it is not about that.

    Args:
        masked: The text with each quoted term replaced by "§".
    """
    masked = _PARSER.sub("JSON", masked)
    names = list(_NAME.finditer(masked))
    kinds = {match[1].lower().replace("yml", "yaml") for match in names}
    if len(kinds) != 1 or _SOFTWARE.search(masked):
        return None
    told = _affirmed(masked)
    first = _NAME.search(told)
    if first is None or (first.start() == 0 and re.match(r" schemas?\b", told[first.end() :], _I)):
        return None
    if _GIVEN.search(told[: first.start()]) or not any(form.search(told) for form in _TOLD):
        return None
    if _FOR_A_PART.match(told, first.end()):
        return None
    name: Any = kinds.pop()
    whole = ONLY.search(told) is not None or _SAYS_NOTHING_ELSE.search(masked) is not None
    checks: list[Any] = [c.Valid(format=name, whole=whole)]
    if name == "json":
        checks += [
            each
            for each in (_kind(told, first.start()), typed_keys(masked, terms), array_length(told))
            if each is not None
        ]
    wanted = _keys(masked, terms, first.start())
    if wanted and name != "xml":
        only = _ONLY_KEYS.search(masked) is not None
        checks.append(c.Keys(format=name, keys=wanted, only=only))
    if _FENCED.search(told):
        checks.append(c.Count(unit="fences", least=1))
    return checks[0] if len(checks) == 1 else c.AllOf(checks=tuple(checks))


_PARTS = re.compile(r"(?<=[,;.])\s+|\s(?=without\b|and (?:do not|don['’]t|never|no)\b)|\s[-–—]\s", _I)


def _affirmed(masked: str) -> str:
    """Without the clauses that deny: what they hold is not what the answer is to be."""
    kept = [
        part
        for part in _PARTS.split(masked)
        if not DENIES.match(re.sub(r"^(?:and|but|please|with) ", "", part, flags=_I))
    ]
    text = " ".join(kept)
    return "" if re.match(r"(?:\W*\w+){0,3}?\W+(?:not|never|n['’]t|avoid)\b", text, _I) else text


def _kind(told: str, at: int) -> Any | None:
    """Of the format that is named first, at ``at``: what is said of keys further on may be of another kind."""
    array, mapping = (
        next(
            (
                m
                for m in p.finditer(told)
                if m.start() <= at + _NEAR and at < m.end() and "§" not in told[at : m.start()]
            ),
            None,
        )
        for p in (_LIST_KIND, _OBJECT_KIND)
    )
    if array is None and mapping is None:
        return None
    is_array = array is not None and (mapping is None or array.start() <= mapping.start())
    return c.Schema(schema={"type": "array" if is_array else "object"})


def _keys(masked: str, terms: tuple[Quoted, ...], start: int) -> tuple[str, ...]:
    """Terms that stand behind a word that introduces keys, one after the other; ``the drawing is in `elements` ``."""
    places = {match.start(): term for match, term in zip(re.finditer("§", masked), terms, strict=False)}
    found: dict[int, str] = {}
    for opening in _INTRODUCES.finditer(masked, max(0, start - 40)):
        at = opening.end()
        while True:
            at = _GLUE.match(masked, at).end()  # type: ignore[union-attr]
            if at not in places or not _KEY.fullmatch(places[at].text) or _NAME.fullmatch(places[at].text):
                break
            found[at] = places[at].text
            at = _AFTER_KEY.match(masked, at + 1).end()  # type: ignore[union-attr]
    where = re.search(r"\bwhere\b", masked[start:])
    for stated in _STATED.finditer(masked, start + where.start()) if where else ():
        at = stated.start(1)
        if _KEY.fullmatch(places[at].text):
            found[at] = places[at].text
    for placed in _PLACED.finditer(masked, start):
        at = placed.end() - 1
        if _KEY.fullmatch(places[at].text):
            found[at] = places[at].text
    return tuple(dict.fromkeys(found[at] for at in sorted(found)))
