"""What the whole answer is: of one format, in one language, in one case, wrapped, one of few words, on one line."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.alone import ONLY, is_light
from agent.cca.grammar.around import fenced_code, not_quoted, nothing_around, quoted_alone, wrapped
from agent.cca.grammar.features import FEATURES, wanted
from agent.cca.grammar.light import leaves_nothing
from agent.cca.grammar.polarity import BAILS, denials
from agent.cca.grammar.told import is_either
from agent.cca.language import LANGUAGES

_I = re.IGNORECASE
_FORMAT = re.compile(r"\b(json|yaml|xml|csv|toml)\b", _I)
_ABOUT = re.compile(r"\b(?:about|regarding|on|concerning) (?:the )?(?:json|yaml|xml|csv|toml)\b", _I)
_FORMAL = re.compile(
    r"\b(?:valid|well-?formed|pars(?:e?able|es|ed)|pars\w+|correct|syntactically|strict(?:ly)?|standard|compliant"
    r"|conformant|legal|single|one|machine-readable|structured|data|format(?:ted)?|objects?|arrays?"
    r"|documents?|strings?|payloads?|blobs?|syntax|code|file contents|rfc ?\d+|by|serializ\w+|encoded|entire"
    r"|minified|compact|proper|properly)\b",
    _I,
)
_LANGUAGE = re.compile(
    rf"\b(?:in|into|to|using|language(?: is)?:?|only|as)\s?(?:the |plain |simple |clear |formal |british |american "
    rf"|standard |proper )*({'|'.join(LANGUAGES)})\b|^({'|'.join(LANGUAGES)})(?= only|$)",
    _I,
)
_SPOKEN = re.compile(
    r"\b(?:languages?|translat\w+|speak|communicate|written|british|american|plain|standard|formal|simple|always"
    r"|correct|regardless of [\w ]{1,60}|no matter [\w ]{1,60}|whatever [\w ]{1,60})\b",
    _I,
)
_LOWER = re.compile(
    r"\b(?:(?:all|entirely|only|in|fully|completely|strictly|use|be|is) )?(?:all[- ])?lower[- ]?case(?: (?:letters?"
    r"|only|text|english))?\b|\bsmall letters\b",
    _I,
)
_UPPER = re.compile(
    r"\b(?:(?:all|entirely|only|in|fully|completely|strictly|use|be|is) )?(?:all[- ])?(?:upper[- ]?case|capital"
    r"|all-?caps|capitals|all caps)(?: (?:letters?|only|text))?\b",
    _I,
)
_LINE = re.compile(
    r"\b(?:on|in|as|be|is|a|to|single|one) ?(?:a )?(?:single|one)[- ]line\b|^(?:one|single) line\b|\bone-liner\b", _I
)
_TITLE = re.compile(r"\btitle\b", _I)
_ANGLES = re.compile(r"<<[^<>\n]{1,60}>>|\bdouble angular? brackets\b|\bdouble angle brackets\b", _I)
_TITLED = re.compile(r"\b(?:titles?|wrapped|poem|joy|such|enclosed|inside|in)\b", _I)
_POSTSCRIPT = re.compile(r"\bpost-?script\b|\bp\.? ?s\.?(?:\b|$)|\bp\.? ?p\.? ?s\.?(?:\b|$)", _I)
_COMMAS = re.compile(r"\b(?:comma[- ](?:separated|delimited)|separated by commas?|commas between)\b", _I)
_CONVENTIONAL = re.compile(r"\bconventional commits?\b", _I)
_NUMBER_ALONE = re.compile(
    r"\b(?:a |an |the )?(?:single |one |whole |plain |bare |numeric |numerical |floating[- ]point "
    r"|decimal )*(?:number|integer|digit|score"
    r"|rating|numeric value|float)\b",
    _I,
)
_BETWEEN = re.compile(
    r"\b(?:between|from|in the range(?: of)?|on a scale (?:of|from))?\s?(-?\d+(?:\.\d+)?)\s?(?:-|–|to|and"
    r"|through)\s?(-?\d+(?:\.\d+)?)(?: inclusive| \(inclusive\))?",
    _I,
)
_NUMBER_OF = re.compile(
    r"^(?:\w+ ){0,2}?(?:answer|respond|reply|return|output|give|provide|print)\b(?: with)?(?: back)? (?:only|just"
    r"|nothing but) (?:the|a|an|one) (?:single |whole |plain |integer |numeric )*"
    r"(?:number|integer|numeric value)\b(?! (?:and|with|followed|plus|or)\b)(?!.*\b(?:and|followed by|along with"
    r"|format)\b)",
    _I,
)
_THIRD = re.compile(r"\b(?:the )?third[- ]person(?: (?:voice|narration|perspective|point of view))?\b", _I)
_SINGLE = re.compile(
    r"(?:only )?(?:a |one )?(?:single|one) (?:(?:floating[- ]point|whole|decimal|real) )?(?:number"
    r"|integer|float|digit)",
    _I,
)
_NUMERIC_TYPE = r"[-+−]?\d[\d.,]*(?:[eE][-+]?\d+)?\s*%?"
_MAX_CHOICES = 20
_TYPE = r"feat|fix|docs|style|refactor|perf|test|build|ci|chore|revert"


def read_whole(text: str, explained: bool) -> Any | None:
    """The check of a clause about the whole answer. ``explained``: another clause refuses further text."""
    for early in (nothing_around, _scored, not_quoted, fenced_code):
        made = early(text, explained)
        if made is not None:
            return made
    if BAILS.search(ONLY.sub(" ", text)):
        return None
    for read in (
        _line_each,
        quoted_alone,
        _python_list,
        _schema,
        _format,
        _language,
        _third_person,
        _case,
        _one_line,
        wrapped,
        _titled,
        _postscript,
        _commas,
        _conventional,
        _number,
    ):
        made = read(text, explained)
        if made is not None:
            return made
    return None


_LIST = re.compile(
    r"\b(?:valid )?python (?:code )?lists?(?: literal| object| format)?(?: of [\w ]{1,40})?"
    r"|\blist literal\b",
    _I,
)
_SCHEMA = re.compile(
    r"\b(?:conform|compl(?:y|ies)|adher|match|follow|satisf|validat|fit)\w*(?: strictly| exactly)? (?:to |with "
    r"|against )?(?:the |this |a |your )?(?:\w+ )?json[- ]schema\b",
    _I,
)
_GIVEN = re.compile(
    r"\b(?:provided|given|above|below|following|exact|specified|supplied|expected|defined|target)\b", _I
)
_SCORE = re.compile(r"\b(?:score|rating|grade|mark|number|rate|rank)\b", _I)
_ON_SCALE = re.compile(
    r"\b(?:on|in|using) (?:a|the) scale (?:of|from|between) (\d{1,3}) ?(?:-|–|to|and) ?(\d{1,3})\b|\b(?:between"
    r"|from) (\d{1,3}) (?:to|and) (\d{1,3})\b",
    _I,
)
_THEREAFTER = re.compile(r"^(?:after|once|then|finally|when)\b[^,]{0,80}, (?:please )?", _I)
_ASSIGNS = re.compile(
    r"^(?!.*\b(?:each|every)\b)(?!(?:an?|the) )(?:\w+ )?(?:provide|give|assign|return|output|respond with|answer"
    r" with|rate|score|report)\b",
    _I,
)
_EACH_LINE = re.compile(
    r"\b(?:each|every|one|a single) sentence\b(?: (?:must|should|is|be|goes|go|to|printed|written|placed"
    r"|starts?))* (?:(?:on|in|per|to|at) )?(?:(?:its|their) own |a |the |each |separate |new |own |individual "
    r"|single )*line\b",
    _I,
)


def _scored(text: str, explained: bool) -> Any | None:
    """``Provide a score on a scale of 1 to 5, where …``: a number in that range is given."""
    alone = _number(text, explained) if ONLY.search(text) and not BAILS.search(ONLY.sub(" ", text)) else None
    if alone is not None:
        return alone
    text = _THEREAFTER.sub("", text)
    found = _ON_SCALE.search(text)
    if (
        found is None
        or denials(text[: found.start()])
        or not _ASSIGNS.match(text)
        or not _SCORE.search(text[: found.start()])
    ):
        return None
    if len(text[: found.start()].split()) > 6:
        return None
    low, high = (float(group) for group in found.groups() if group)
    return c.Numeric(low=low, high=high) if low < high else None


def _line_each(text: str, explained: bool) -> Any | None:
    if not _EACH_LINE.search(text) or denials(text) or not is_light(text, _EACH_LINE):
        return None
    return c.Every(scope="line", check=c.Count(unit="sentences", most=1))


def _python_list(text: str, explained: bool) -> Any | None:
    found = _LIST.search(text)
    if found is None or denials(ONLY.sub(" ", text)) or not is_light(ONLY.sub(" ", text), _LIST, _GIVEN):
        return None
    return c.Matches(pattern=r"(?s)\A\s*(?:```\w*\s*)?\[.*\]\s*(?:```)?\s*\z")


def _schema(text: str, explained: bool) -> Any | None:
    if not _SCHEMA.search(text) or denials(ONLY.sub(" ", text)) or not is_light(ONLY.sub(" ", text), _SCHEMA, _GIVEN):
        return None
    return c.Valid(format="json", whole=ONLY.search(text) is not None)


def _format(text: str, explained: bool) -> Any | None:
    names = {match[1].lower() for match in _FORMAT.finditer(text)}
    bare = ONLY.sub(" ", text)
    if len(names) != 1 or _ABOUT.search(text) or denials(bare) % 2 or not is_light(bare, _FORMAT, _FORMAL):
        return None
    if is_either(text[next(_FORMAT.finditer(text)).end() :]):
        return None
    name: Any = names.pop()
    valid = c.Valid(format=name, whole=explained or ONLY.search(text) is not None)
    kind = re.search(r"\bjson (object|array)\b", text, _I)
    if kind is None:
        return valid
    return c.AllOf(checks=(valid, c.Schema(schema={"type": kind[1].lower()})))


def _language(text: str, explained: bool) -> Any | None:
    found = _LANGUAGE.search(text)
    if found is None or denials(text) or not is_light(_LANGUAGE.sub(" ", text), _SPOKEN, ONLY):
        return None
    return c.Language(language=(found[1] or found[2]).lower())


def _third_person(text: str, explained: bool) -> Any | None:
    if not _THIRD.search(text) or denials(text) or not is_light(text, _THIRD):
        return None
    first = next(each for each in FEATURES if each.name == "first person")
    return wanted(first, "", None, 0)


def _case(text: str, explained: bool) -> Any | None:
    for pattern, letters, other in ((_LOWER, "lower", "upper"), (_UPPER, "upper", "lower")):
        if pattern.search(text) and is_light(text, pattern, re.compile(r"\b(?:letters?|english|case)\b", _I)):
            wants = denials(text) % 2 == 0
            if wants and re.search(
                r"\b(?:all|only|entirely|fully|completely|in|everything|lower[- ]?case|caps)\b", text, _I
            ):
                return c.Case(letters=letters)  # type: ignore[arg-type]
            if not wants and re.search(r"\b(?:letters?|capitals|any)\b", text, _I):
                return c.Case(letters=other)  # type: ignore[arg-type]
    return None


def _one_line(text: str, explained: bool) -> Any | None:
    if _LINE.search(text) and not denials(text) and is_light(text, _LINE, ONLY):
        return c.Count(unit="lines", most=1)
    return None


def _titled(text: str, explained: bool) -> Any | None:
    if not (_TITLE.search(text) and _ANGLES.search(text)) or denials(text):
        return None
    return c.Matches(pattern=r"<<[^<>\n]+>>") if is_light(text, _ANGLES, _TITLED) else None


def _postscript(text: str, explained: bool) -> Any | None:
    if not _POSTSCRIPT.search(text) or not is_light(
        text, _POSTSCRIPT, re.compile(r"\b(?:starting|beginning|at|end|explicitly|marked)\b", _I)
    ):
        return None
    wants = denials(text) % 2 == 0
    return c.Matches(pattern=r"(?m)^\W*P\.? ?(?:P\.? ?)?S\b", least=int(wants), most=None if wants else 0)


def _commas(text: str, explained: bool) -> Any | None:
    if not _COMMAS.search(text) or denials(ONLY.sub(" ", text)):
        return None
    if not is_light(
        ONLY.sub(" ", text), _COMMAS, re.compile(r"\b(?:lists?|values?|items?|names?|words?|tags?|line)\b", _I)
    ):
        return None
    return c.AllOf(checks=(c.Count(unit="bullets", most=0), c.Count(unit="numbered", most=0)))


def _conventional(text: str, explained: bool) -> Any | None:
    if not _CONVENTIONAL.search(text) or denials(text):
        return None
    if not is_light(
        text,
        _CONVENTIONAL,
        re.compile(
            r"\b(?:commits?|specification|spec|standard|convention|style|follow\w*|git|titles?|subject|line)\b", _I
        ),
    ):
        return None
    return c.Matches(pattern=rf"\A\s*`{{0,3}}\s*(?:{_TYPE})(?:\([^)\n]+\))?!?: \S")


def _number(text: str, explained: bool) -> Any | None:
    """``Answer with a single integer between 1 and 10 only``."""
    found = _NUMBER_ALONE.search(text)
    only = ONLY.search(text) is not None or explained or _SINGLE.fullmatch(text) is not None
    if found is None or not only or denials(ONLY.sub(" ", text)):
        return None
    bounds = _BETWEEN.search(text)
    if _NUMBER_OF.search(text) and bounds is None:
        return c.Matches(pattern=rf"\A\s*{_NUMERIC_TYPE}\s*\z")
    rest = _BETWEEN.sub(" ", _NUMBER_ALONE.sub(" ", ONLY.sub(" ", text)))
    if not leaves_nothing(re.sub(r"\b(?:number|scale|inclusive|range|as)\b", " ", rest, flags=_I)):
        return None
    alone = c.Matches(pattern=rf"\A\s*{_NUMERIC_TYPE}\s*\z")
    if bounds is None:
        return alone
    low, high = float(bounds[1]), float(bounds[2])
    if low > high:
        return None
    if re.search(r"\bintegers?\b|\bwhole\b", text, _I) and high - low <= _MAX_CHOICES:
        choices = "|".join(str(number) for number in range(int(low), int(high) + 1))
        return c.Matches(pattern=rf"\A\s*(?:{choices})\s*\z")
    return c.AllOf(checks=(alone, c.Numeric(low=low, high=high)))
