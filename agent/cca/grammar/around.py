"""What stands around the answer: quotation marks, fences of code, text before or after data."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.alone import ONLY, is_light
from agent.cca.grammar.polarity import denials

_I = re.IGNORECASE
_WRAPS = re.compile(r"\b(?:wrap|enclos|surround|put|place|delimit|encas|quot)\w*\b", _I)
_DOUBLE = re.compile(
    r"\b(?:(?:in|with|within|inside|between|by) )?(?:a pair of )?(?:double[- ]?quot(?:ation|e)s?(?: marks?)?"
    r"|double quotes|quotation marks|quotes)\b",
    _I,
)
_QUOTED = re.compile(
    r"\b(?:between|in|within|inside|with) (?:a pair of )?(?:double |single )?(?:quot(?:es|ation marks|e marks)|\"\")",
    _I,
)
_AROUND = re.compile(
    r"\b(?:anything (?:that|which) (?:is not|isn['’]t|is no)(?: valid| part of)?|before|after|around|outside"
    r"|surrounding|preceding|following|precede|follow|surround|(?:(?:other|additional|extra) (?:\w+ ){1,5}?"
    r"|any\w* )(?:than|apart from|except(?: for)?|besides|but|beyond))\b.{0,30}?\b(json|yaml|xml|toml|csv)\b",
    _I,
)


def nothing_around(text: str, explained: bool) -> Any | None:
    """``Do not include any text before or after the JSON``."""
    found = _AROUND.search(text)
    if found is None or not denials(text) % 2 or len(text.split()) > 20:
        return None
    name: Any = found[1].lower()
    return c.Valid(format=name, whole=True)


_QUOTES = re.compile(r"\bquot(?:es|ation marks|e marks)\b", _I)
_QUOTED_THINGS = re.compile(
    r"\b(?:strings?|keys?|values?|fields?|code|names?|python|single|double|smart|curly"
    r"|literals?|inside|within|block|identifiers?)\b",
    _I,
)
_FENCE = (
    r"(?:a |an |the |one |single )*(?:(?:markdown|fenced|python|```\w*) )*(?:(?:three|3) backticks|code ?(?:blocks?"
    r"|fences?)(?: fences?)?|triple backticks|fences?|backticks)\b"
)
_CODE = r"(?:[\w ]{0,30} )?(?:code|program|script|query|snippet|function|command|statement)s?"
_INTO = (
    r"(?:,? ?(?:in|inside|within|with|by|using|wrap it in|wrapped (?:in|with)|enclosed (?:in|with|by)"
    r"|surrounded (?:by|with)|and wrap it in)) "
)
_FENCED_CODE = (
    re.compile(rf"^(?:\w+: )?(?:wrap|put|enclose|place|surround|embed) (?:all )?(?:the|your"
               rf"|this)\b{_CODE}{_INTO}{_FENCE}", _I),
    re.compile(rf"^(?:the|your) (?:final )?(?:answer|response|output|reply) (?:must|should|has to|needs to"
               rf"|shall) (?:contain|include|be|have|consist of)\b {_CODE}{_INTO}{_FENCE}", _I),
    re.compile(rf"^(?:you )?(?:must |should |always )?(?:return|output|give|provide|write|respond with|include"
               rf"|produce|generate) (?:only )?(?:an?|the|your|full)\b {_CODE}.{{0,30}}?{_INTO}{_FENCE}", _I),
)  # fmt: skip


def not_quoted(text: str, explained: bool) -> Any | None:
    """``Do not put quotes around the title``: the whole answer does not stand in quotation marks."""
    if not _QUOTES.search(text) or denials(text) % 2 == 0 or len(text.split()) > 12 or _QUOTED_THINGS.search(text):
        return None
    if not re.search(r"\b(?:wrap|put|surround|enclos|around|without|in quot|no quot)\w*", text, _I):
        return None
    return c.Matches(pattern=r"(?s)\A\s*[\"“'‘].*[\"”'’]\s*\z", least=0, most=0)


def fenced_term(masked: str) -> Any | None:
    """``Return the `AQL Query` wrapped in 3 backticks``: the quoted term, masked, names code."""
    return fenced_code(masked.replace("§", "code"), False) if "§" in masked else None


def fenced_code(text: str, explained: bool) -> Any | None:
    if denials(text) or not any(form.search(text) for form in _FENCED_CODE):
        return None
    return c.Count(unit="fences", least=1)


def quoted_alone(text: str, explained: bool) -> Any | None:
    """``Only return the name between quotes, and nothing else``: whatever it is, quotes stand around the answer."""
    found = _QUOTED.search(text)
    alone = explained or ONLY.search(text) is not None
    if (
        found is None
        or not alone
        or denials(ONLY.sub(" ", text))
        or not re.match(
            r"(?:only |just )?(?:return|output"
            r"|respond|reply|answer|give"
            r"|provide|write)\b",
            text,
            _I,
        )
    ):
        return None
    rest = ONLY.sub(" ", text[: found.start()] + " " + text[found.end() :])
    return c.Matches(pattern=r"(?s)\A\s*[\"“'‘].*[\"”'’]\s*\z") if len(rest.split()) <= 8 else None


def wrapped(text: str, explained: bool) -> Any | None:
    if not (_WRAPS.search(text) and _DOUBLE.search(text)) or denials(text) or not is_light(text, _DOUBLE, _WRAPS):
        return None
    if not re.search(r"\b(?:answer|response|reply|output|message|everything|text|summary)\b", text, _I):
        return None
    return c.Matches(pattern=r"(?s)\A\s*[\"“].*[\"”]\s*\z")


_OPENS_FENCE = re.compile(
    r"^(?:please |just |also )*(?:do not|don['’]t|never|must not|should not) (?:start|begin|open|prefix|wrap"
    r"|enclose|surround|put)\b"
    r"[^.;]{0,40}?\b(?:with|in|inside|by) (?:an? |the |any )?(?:opening |leading )?(?:\w+ )?(?:code fence|code"
    r" block|triple backticks?"
    r"|three backticks|backticks)(?: (?:code )?(?:fences?|blocks?|markers?|markdown|tags?))*\W*(?:$|(?:because"
    r"|since|as it|or)\b)"
    r"|^no (?:code fence|code fences|triple backticks|backticks)(?: markers?)? (?:around|before|after|surrounding)"
    r" (?:the )?(?:json|yaml|xml"
    r"|csv|output|answer|response|code|sql|query|data)\W*$"
    r"|^(?:omit|skip|drop|leave out|leave off) (?:the |any )?(?:\w+ )?(?:code fence|code fences|triple backticks"
    r"|fence markers?)"
    r"(?: (?:fences?|markers?|around the json))*\W*$",
    _I,
)


def no_fence(masked: str) -> Any | None:
    """``Do not wrap in ```json code fences``, ``Do not start the response with ```json``."""
    return c.Count(unit="fences", most=0) if _OPENS_FENCE.match(masked) else None


_BRACE = re.compile(
    r"(?:an? |the )?(?:single )?(?P<side>opening|closing|open|close|left|right) (?P<curly>curly )?(?:square"
    r" )?(?P<word>braces?|brackets?)",
    _I,
)
_ANSWER = r"(?:(?:the|your|all|every|each|entire|final|whole) )*(?:output|response|answer|reply|json|it|result)"
_EDGES = re.compile(
    rf"^(?:{_ANSWER}(?: (?:must|should|has to|needs to|shall))? )?(?:always |directly |immediately )*(?:start|begin"
    rf"|open)\w*"
    rf"(?: {_ANSWER})?(?: directly| immediately)? with"
    rf" (?P<start>[{{\[])(?:,? and (?:end|finish|close|conclude)\w*(?: {_ANSWER})?"
    rf" with (?P<end>[}}\]]))?[ .]*$"
    rf"|^(?:the )?(?:very )?first character (?:of {_ANSWER} )?(?:must|should|has to) be"
    rf" (?P<start2>[{{\[])(?:,? and (?:the )?(?:very )?"
    rf"last (?:character )?(?:of {_ANSWER} )?(?:(?:must|should) be )?(?P<end2>[}}\]]))?[ .]*$"
    rf"|^(?:{_ANSWER} (?:must|should|has to|needs to|shall) )?(?:end|finish|close|conclude)\w*(?: {_ANSWER})? with"
    rf" (?P<end3>[}}\]])[ .]*$",
    _I,
)
_SIDES = {"opening": 0, "open": 0, "left": 0, "closing": 1, "close": 1, "right": 1}


def braces(masked: str, values: tuple[str, ...]) -> Any | None:
    """``Start with { and end with }``, ``The first character must be an opening brace``.

    Args:
        values: The quoted terms that are masked by "§".
    """
    if not all(value in tuple("{}[]") for value in values):
        return None
    for value in values:
        masked = masked.replace("§", value, 1)
    found = _EDGES.match(_BRACE.sub(_sign, masked))
    if found is None:
        return None
    start, end = found["start"] or found["start2"], found["end"] or found["end2"] or found["end3"]
    checks: list[Any] = ([c.Starts(terms=(start,))] if start else []) + ([c.Ends(terms=(end,))] if end else [])
    return checks[0] if len(checks) == 1 else c.AllOf(checks=tuple(checks))


def _sign(found: re.Match[str]) -> str:
    pair = "{}" if found["curly"] or found["word"].lower().startswith("brace") else "[]"
    return pair[_SIDES[found["side"].lower()]]
