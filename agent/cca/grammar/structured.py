"""Data as the answer: that it is JSON (YAML, TOML, XML), of which kind, with which keys, and what may stand around it.

Sentences about data say much else beside ("where the drawing is in `elements`"), so that they are not read whole: the
parts that are understood are demands by themselves.
"""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.contract.kinds import kind_at
from agent.cca.contract.shown import keys_shown
from agent.cca.grammar.alone import ONLY
from agent.cca.grammar.data import array_length, typed_keys
from agent.cca.grammar.datalines import speaks_of_lines
from agent.cca.grammar.polarity import DENIES
from agent.cca.grammar.told import is_either, tells
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_PARSER = re.compile(
    r"\b(?:be )?(?:parsed?|parse?able|loaded|readable|read|decoded) (?:directly )?(?:with|by|using|via)"
    r" (?:python(?:['’]s)? )?(?:json\.loads?"
    r"|JSON\.parse)(?:\(\))?|\b(?:python )?(?:json\.loads?|JSON\.parse)(?:\(\))?",
    re.IGNORECASE,
)
_FORM_OF = re.compile(r"\b(?:in|with|using) the (?:form|shape|format) of (?=an? |one |valid |json)", _I)
_NAME = re.compile(
    r"\b(json|ya?ml|toml|xml)\b(?![- ](?:files?|modules?|pars\w+|endpoints?|mode|keystore|modules?|librar\w+|paths?"
    r"|patch|config\w*))",
    _I,
)
_GIVEN = re.compile(
    r"\b(?:about|regarding|concerning|from|parse|parsing|read|reads|reading|given|input|load|loading|inside|accepts?"
    r"|receives?|convert|invalid"
    r"|of|if|when|unless|whether|such as|like|e\.g\.?) (?:(?!in |as |into |to |with |using |only )\w+ ){0,2}$"
    r"|\b(?:provided|above|below|following|this|these) (?=(?-i:JSON))$",
    _I,
)
_SOFTWARE = re.compile(
    r"\b(?:functions?|methods?|(?<!json )tools?|endpoints?|api|servers?|components?|class(?:es)?|callbacks?|hooks?"
    r"|parameters?"
    r"|arguments?|columns?|databases?|(?<!this )(?<!following )(?<!json )templates?|instruct\w*|configured)\b",
    _I,
)
_FOR_A_PART = re.compile(
    r" (?:format |object |data |value )?for (?:the|each|any|all|every|your) (?!(?:final |whole )?(?:answer|response"
    r"|output|reply|result|evaluation))",
    _I,
)
_LIST_KIND = re.compile(
    r"\b(?:lists?|arrays?) of (?:(?!§)[\w-]+ ){0,2}?json(?: (?:objects?|dict\w*|strings?))?\b"
    r"|\bjson[- ](?:(?:formatted|serialized|encoded|style|only|valid|flat|\w+) )?(?:lists?|arrays?)\b"
    r"|\b(?:a|an|one|single) (?:list|array) in (?:valid )?json\b"
    r"|\bjson\b(?: \w+){0,2} (?:must|should|shall|has to|needs to) be an? (?:json )?(?:list|array)\b",
    _I,
)
_BOTH_KINDS = re.compile(
    r"\b(?:objects?|dict\w*)(?: or| and/or|/)(?: an?| a list of)? ?(?:json )?(?:arrays?|lists?)\b"
    r"|\b(?:arrays?|lists?)(?: or|/)(?: an?)? ?(?:single )?(?:json )?(?:objects?|dict\w*)\b",
    _I,
)
_OBJECT_KIND = re.compile(
    r"\bjson[- ](?:serialized |serializable |formatted )?(?:object|dict(?:ionary)?"
    r"|mapping)\b(?! schema)",
    _I,
)
_CONFORMS = re.compile(
    r"\b(?:conform|adher|follow|match|compl|satisf|validat|return|respond|output|format|repl|answer|us(?:e|ing)\b"
    r"|in\b)\w*",
    _I,
)
_LIST_OF = re.compile(r"\b(?:list|array|set|sequence|series)s? of (?:[\w-]+ ){0,2}$", _I)
_IN_TAGS = re.compile(
    r"\b(?:in|inside|within|between|by|with) (?:the |an? |your )?(?:xml |opening )?(?:tags"
    r" )?<[A-Za-z]",
    _I,
)
"""Then it is no more than a part of the answer."""
_OF_BOTH = re.compile(r"\b(?:or|either)(?: in| as| a)? (?:valid )?$", _I)
_SAYS_NOTHING_ELSE = re.compile(
    r"\b(?:(?:do not|don['’]t|never) (?:\w+ ){1,3}?(?:anything else|any other text|other text|extra text"
    r"|additional text|any text|anything (?:other than|except|but|apart from)|explanations?|explain\w*"
    r"|(?:any )?preambles?|other information|additional information|more than)"
    r"|(?:no|without(?: any)?) (?:\w+ ){0,2}?(?:other text|extra text|additional text|text|preambles?|explanations?"
    r"|commentary|prose|words)\b|nothing else|anything else)",
    _I,
)
_INTRODUCES = re.compile(
    r"\b(?:(?:each|every)(?: (?:element|item|object|entry|one|record))? (?:of which )?(?:must have|has|must"
    r" contain|contains"
    r"|should have|should contain|having)|keys?|fields?|propert(?:y|ies)|attributes?|including|includes?"
    r"|containing|contains?|with|having"
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
_UNDER = re.compile(
    r" ?(?:objects?|dict\w*|arrays?|lists?|fields?|keys?|arrays? of objects|lists? of objects)?,?"
    r" ?(?:each |which |that )?",
    _I,
)
"""What stands between a key and what the object under it has."""
_BARE = re.compile(
    r"\b(?:with|having|containing|has|have|contains?|includes?|including)(?: (?:the|exactly|only|following|these"
    r"|two|three|four|five|required))* (?:keys"
    r"|fields|properties)(?: named| called)?:? ((?:[a-z][a-zA-Z0-9_]*, ){0,12}[a-z][a-zA-Z0-9_]*(?:,? and"
    r" [a-z][a-zA-Z0-9_]*|(?<=,)[a-z]\w*))"
    r"(?=\s*(?:[.;,!]|$| (?:is|are) (?:expected|required)))"
)
_NO_KEY = re.compile(r"\b(?:for|each|every|the|a|an|as|that|their|its|values?|your|in|of|with|no|not|and nothing)\b")
_ALSO = re.compile(
    r"(§)(?: (?:keys?|fields?|property))? and (?:also )?(?:an?|the) (§) (?:keys?|fields?"
    r"|property)\b|\bboth (§) and (§)",
    _I,
)
_STATED = re.compile(
    r"(?:where|and|,|;)\s+(?:the )?(§) (?:is|are|explains?|contains?|holds?|gives?|describes?"
    r"|states?|lists?|must|should)\b",
    _I,
)
_ONLY_KEYS = re.compile(
    r"\b(?:keys?|fields?|propert(?:y|ies)) (?:\w+ ){0,6}?(?:must|should) be exactly\b|\bkeys? and nothing else\b"
    r"|\b(?:additional|other|extra|further|more|any other) (?:keys?|fields?|propert(?:y|ies)) (?:are|is|may|must"
    r"|should) (?:not|never|forbidden)\b|"
    r"\b(?:exactly|only|just)\b(?: (?!return|output|respond|in\b|as\b|for\b)[\w-]+){0,3}? (?:keys?|fields?"
    r"|propert(?:y|ies)"
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
    masked = _FORM_OF.sub("as ", _PARSER.sub("be JSON", masked))
    names = list(_NAME.finditer(masked))
    kinds = {match[1].lower().replace("yml", "yaml") for match in names}
    if len(kinds) != 1 or _SOFTWARE.search(masked) or speaks_of_lines(masked):
        return None
    told = _affirmed(masked)
    first = _NAME.search(told)
    if first is None:
        return None
    if re.match(r" schemas?\b", told[first.end() :], _I) and not _CONFORMS.search(told[: first.start()]):
        return None
    if (
        _GIVEN.search(_LIST_OF.sub(" ", told[: first.start()]))
        or _IN_TAGS.search(masked)
        or not tells(told, first.start(), first.end())
    ):
        return None
    if _FOR_A_PART.match(told, first.end()) or is_either(told[first.end() :]) or _OF_BOTH.search(told[: first.start()]):
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
    shown = keys_shown(text) if name in ("json", "yaml") else None
    wanted, nested = (shown.keys, ()) if shown else _keys(masked, terms, first.start())
    if wanted and name in ("json", "yaml", "toml"):
        only = _ONLY_KEYS.search(masked) is not None
        checks.append(c.Keys(format=name, keys=wanted, only=only))
    if name == "json":
        some: dict[str, Any] = {"type": ["object", "array"]}
        checks += [c.Property(name=parent, schema=some) for parent in dict.fromkeys(parent for parent, _ in nested)]
        checks += [c.Property(name=key, parent=parent, required=True) for parent, key in nested]
    if name == "json" and _ONE_LINE.search(masked):
        checks.append(c.When(condition=c.Count(unit="fences", most=0), then=c.Count(unit="lines", most=1)))
    if _FENCED.search(told):
        checks.append(c.Count(unit="fences", least=1))
    return checks[0] if len(checks) == 1 else c.AllOf(checks=tuple(checks))


_ONE_LINE = re.compile(
    r"\b(?:on|in|as) (?:a single|one) line\b|\b(?:single|one)-line\b|\bminified\b|\b(?:no|without) (?:any"
    r" )?(?:line ?breaks|newlines)\b"
    r"|\b(?:not|never|n['’]t) pretty[- ]?print",
    _I,
)
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
    if _BOTH_KINDS.search(told):
        return None
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
    if mapping is not None and (array is None or array.start() > mapping.start()):
        return c.Schema(schema={"type": "object"})
    words = re.compile(r"\b(?:list|array)s?\b", _I).search(told, array.start()) if array else None
    items = kind_at(told, words.start()) if words else None
    schema = items[0] if items and items[0].get("type") == "array" else {"type": "array"}
    only = (
        re.compile(r"(?: that| which)? (?:containing|contains|of|with|holding) (?:only |just )?(?=\w)", _I).match(
            told, words.end()
        )
        if words
        else None
    )
    inner = kind_at(told, only.end()) if only and "items" not in schema else None
    plural = inner is not None and re.search(r"s\b(?: only)?$", told[only.end() : inner[1]], _I) if only else None
    return c.Schema(schema=schema | ({"items": inner[0]} if inner and plural else {}))


def _keys(masked: str, terms: tuple[Quoted, ...], start: int) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Terms that stand behind a word that introduces keys, one after the other (``the drawing is in `elements` ``), and
    those that the object under another key has, with that key (``a "user" object containing "id"``)."""
    places = {match.start(): term for match, term in zip(re.finditer("§", masked), terms, strict=False)}
    found: dict[int, str] = {}
    nested: dict[int, tuple[str, str]] = {}
    last, closed = "", 0
    for opening in _INTRODUCES.finditer(masked, max(0, start - 40)):
        parent = last if found and _UNDER.fullmatch(masked[closed : opening.start()]) else ""
        at = opening.end()
        while True:
            at = _GLUE.match(masked, at).end()  # type: ignore[union-attr]
            if at not in places or not _KEY.fullmatch(places[at].text) or _NAME.fullmatch(places[at].text):
                break
            if parent:
                nested[at] = (parent, places[at].text)
            elif at not in nested:
                found[at] = last = places[at].text
            closed = at + 1
            at = _AFTER_KEY.match(masked, at + 1).end()  # type: ignore[union-attr]
    where = re.search(r"\bwhere\b", masked[start:])
    for stated in _STATED.finditer(masked, start + where.start()) if where else ():
        at = stated.start(1)
        if _KEY.fullmatch(places[at].text) and at not in nested:
            found[at] = places[at].text
    for placed in _PLACED.finditer(masked, start):
        at = placed.end() - 1
        if _KEY.fullmatch(places[at].text) and at not in nested:
            found[at] = places[at].text
    for also in _ALSO.finditer(masked, start):
        for at in (also.start(group) for group in range(1, 5)):
            if at in places and _KEY.fullmatch(places[at].text) and at not in nested:
                found[at] = places[at].text
    bare = _BARE.search(masked, start) if not places else None
    if bare and not _NO_KEY.search(bare[1]):
        return tuple(name for name in re.split(r",? and |, ", bare[1].strip()) if name), ()
    return tuple(dict.fromkeys(found[at] for at in sorted(found))), tuple(nested[at] for at in sorted(nested))
