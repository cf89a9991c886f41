"""CodeGen: how Python is to be written. Docstrings, annotations, names, imports, exceptions, quotes, sizes."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.demands import PythonDemand
from agent.cca.reading import NUMBER, Reading, number_of_word

_I = re.IGNORECASE
_BANNED: tuple[tuple[re.Pattern[str], PythonDemand], ...] = (
    (re.compile(r"\bbare [`'\"]{0,2}except", _I), "no_bare_except"),
    (re.compile(r"\b(?:broad|blanket|generic|catch-all) [`'\"]{0,2}except|\bexcept (?:Base)?Exception\b"),
     "no_broad_except"),
    (re.compile(r"\b(?:wildcard|star)[- ]imports?\b|\bimport \*", _I), "no_wildcard_imports"),
    (re.compile(r"\brelative imports?\b", _I), "no_relative_imports"),
    (re.compile(r"\bmutable default", _I), "no_mutable_defaults"),
    (re.compile(r"(?:%|percent|old-style|printf)[`'\"]{0,2}[- ](?:style )?(?:string )?(?:formatting|format"
        r"|operator)\b", _I),
     "no_percent_format"),
    (re.compile(r"(?:\bstr)?\.format\b", _I), "no_str_format"),
    (re.compile(r"\bnone\b[^.]{0,30}(?:==|\bequality\b)|(?:==|\bequality\b)[^.]{0,30}\bnone\b", _I), "is_none"),
    (re.compile(r"\b(?:true|false)\b[^.]{0,30}==|==[^.]{0,30}\b(?:true|false)\b", _I), "no_bool_comparison"),
    (re.compile(r"\blambdas?\b", _I), "no_lambda"),
    (re.compile(r"`global`|\bglobal (?:statements?|keyword)\b", _I), "no_global"),
    (re.compile(r"\b(?:inline|code|python)[- ]comments?\b(?! style)|\bcomments? (?:in|to|into|inside|within) (?:the "
                r"|your |any |my |"
        r"generated |python )*(?:code(?: blocks?| snippets?)?|snippets?)\b", _I), "no_comments"),
    (re.compile(r"\bprint (?:statements?|calls?)\b|\bprint[- ]debugging\b", _I), "no_print"),
    (re.compile(r"\b(?:eval|exec)(?:\(\))? (?:and|or|calls?|statements?)\b|\b(?:use|call|using) (?:eval"
                r"|exec)(?:\(\))?(?!\w)", _I),
     "no_eval"),
    (re.compile(r"\bwalrus\b|\bassignment expressions?\b", _I), "no_walrus"),
)  # fmt: skip
_REFUSES = re.compile(
    r"\b(?:no|without|instead of|rather than|over) (?:(?:the|any|an?|using|[\w`'%-]+) ){0,2}[`'\"]{0,2}$", _I
)
_EXCUSES = re.compile(
    r"\b(?:unless|except (?:for|in|when)|outside|sparingly|only (?:in|for|when)|(?:doc)?tests?\b|docstrings?\b)", _I
)


def python_banned(reading: Reading) -> Any | None:
    """What Python must not hold."""
    text = reading.text
    found: list[PythonDemand] = []
    for pattern, demand in _BANNED:
        match = pattern.search(text)
        if match is None:
            continue
        refused = reading.negative or _REFUSES.search(text[: match.start()]) is not None
        if demand == "no_comments" and reading.terms:
            continue  # comments that hold a word
        if refused and not _EXCUSES.search(text) and not re.search(r"\blogg", text, _I):
            found.append(demand)
    if "no_broad_except" in found and "no_bare_except" in found:
        found.remove("no_bare_except")
    return _all_of(found)


_FSTRINGS = re.compile(r"\b(?:use|prefer|with|by|using) [`'\"]{0,2}f-?strings?\b", _I)
_IS_NONE = re.compile(
    r"\b(?:use|with|using|by) `?is(?: not)?(?: none)?`?|`is none`|\bnone\b[^.]{0,30}\b(?:by identity|with `?is)\b", _I
)
_ABSOLUTE = re.compile(r"\babsolute imports?\b", _I)
_ALPHABETICAL = re.compile(
    r"\bimports?\b[^.]{0,40}\balphabetic|\balphabetic\w*\b[^.]{0,40}\bimports?\b"
    r"|\balphabeti[sz]e\w*[^.]{0,20}\bimports?\b",
    _I,
)
_BLANK = re.compile(r"\btwo (?:blank|empty) lines\b", _I)
_TOP = re.compile(r"\b(?:top[- ]level|module[- ]level)\b", _I)


def python_style(reading: Reading) -> Any | None:
    """What Python is to be instead."""
    text = reading.text
    if reading.negative or re.search(r"\blogg", text, _I):
        return None
    if _FSTRINGS.search(text) and not re.search(r"\bnot\b", text[:60], _I):
        return _all_of(["no_percent_format", "no_str_format"])
    if _IS_NONE.search(text) and re.search(r"\bnone\b", text, _I):
        return c.PythonCode(demand="is_none")
    if _ABSOLUTE.search(text) and not re.search(r"\b(?:and|or) relative\b", text, _I):
        return c.PythonCode(demand="no_relative_imports")
    if _ALPHABETICAL.search(text) and not re.search(r"\bgroups?\b|\bsections?\b", text, _I):
        return c.PythonCode(demand="sorted_imports")
    if _BLANK.search(text) and _TOP.search(text):
        return c.PythonCode(demand="top_blank_lines")
    return None


_DOCUMENTED = re.compile(
    r"\b(?:functions?|methods?|class(?:es)?|api)\b[^.]{0,60}?\b(?:needs?|ha(?:s|ve)|requires?|gets?|carry"
    r"|carries|must|should|with|"
    r"includes?|without|documented)\b[^.]{0,40}?\bdocstrings?\b(?! (?:style|format|must|should|section"
    r"|summary|convention))"
    r"|\bdocstrings?\b (?:(?:are|is) \w+ )?(?:for|on|to|in) (?:all|every|each|any|public)\b[^.]{0,40}"
    r"\b(?:functions?|methods?|class(?:es)?)\b"
    r"|\bdocument\w* (?:all|every|each) (?:public )?(?:functions?|methods?|class(?:es)?)\b[^.]{0,30}\bdocstrings?\b",
    _I,
)
_NOT_DEFINITIONS = re.compile(r"\b(?:tests?|fixtures?|private|internal|style|google|numpy|sphinx|first line)\b", _I)


def docstrings(reading: Reading) -> Any | None:
    text = reading.text
    match = _DOCUMENTED.search(text)
    if match is None or _NOT_DEFINITIONS.search(text) or re.search(r"\bin (?:the|an?|its) docstrings?\b", text, _I):
        return None
    if reading.negative and "without" not in match[0].lower():
        return None
    found: list[PythonDemand] = []
    if re.search(r"\b(?:functions?|methods?)\b", text, _I):
        found.append("function_docstrings")
    if re.search(r"\bclass(?:es)?\b", text, _I):
        found.append("class_docstrings")
    return _all_of(found)


_TYPED = re.compile(r"\btype[- ](?:hint|annotation)s?\b|\b(?:type-)?annotated\b|\bfully typed\b", _I)
_EVERYTHING = re.compile(
    r"\b(?:functions?|methods?|signatures?|parameters?|arguments?|everywhere|all (?:new )?(?:python )?code"
    r"|all public)\b",
    _I,
)


def type_annotations(reading: Reading) -> Any | None:
    text = reading.text
    if not _TYPED.search(text) or not _EVERYTHING.search(text) or _NOT_DEFINITIONS.search(text):
        return None
    if reading.negative and not re.search(r"\bwithout\b", text, _I):
        return None
    return c.PythonCode(demand="annotations", public=re.search(r"\bpublic\b", text, _I) is not None)


_SNAKE = re.compile(r"\bsnake[_ -]?case\b|\blower[- _]?case\b[^.]{0,40}\bunderscores?\b", _I)
_CAPWORDS = re.compile(r"\b(?:cap[_ -]?words|(?:upper)?camel[_ -]?case|pascal[_ -]?case)\b", _I)
_CLAUSES = re.compile(r"[;,]|\band\b|\bwhile\b|\bbut\b", _I)
_ANY_NAME = re.compile(r"\bidentifiers\b|(?:^|\b(?:all|python|for) )names\b", _I)
_NAMED_THINGS: tuple[tuple[re.Pattern[str], PythonDemand], ...] = (
    (re.compile(r"\b(?:functions?|methods?)\b", _I), "snake_case_functions"),
    (re.compile(r"\b(?:variables?|arguments?|parameters?|attributes?)\b", _I), "snake_case_variables"),
)
_CLASS = re.compile(r"\bclass(?:es)?\b", _I)


def names(reading: Reading) -> Any | None:
    """``snake_case for functions and variables, CapWords for classes``."""
    text = reading.text
    if reading.negative or re.search(
        r"\b(?:javascript|typescript|java|css|sql|json|columns?|files?|urls?)\b", text, _I
    ):
        return None
    found: list[PythonDemand] = []
    cased = sorted(
        [(m.start(), "snake") for m in _SNAKE.finditer(text)] + [(m.start(), "cap") for m in _CAPWORDS.finditer(text)]
    )
    if not cased:
        return None
    for kind, piece in _by_case(text, cased):
        if kind == "snake":
            found.extend(demand for pattern, demand in _NAMED_THINGS if pattern.search(piece))
            if not found and _ANY_NAME.search(piece) and not _CLASS.search(piece):
                found.extend(("snake_case_functions", "snake_case_variables"))
        elif _CLASS.search(piece) and not re.search(r"\b(?:functions?|methods?|variables?)\b", piece, _I):
            found.append("capwords_classes")
    return _all_of(list(dict.fromkeys(found)))


def _by_case(text: str, cased: list[tuple[int, str]]) -> list[tuple[str, str]]:
    """(case, the part of the text that it is about): all for one case, else cut where a clause ends between two."""
    if len({kind for _, kind in cased}) == 1:
        return [(cased[0][1], text)]
    first, second = cased[0], next(each for each in cased if each[1] != cased[0][1])
    cuts = [match.start() for match in _CLAUSES.finditer(text, first[0], second[0])]
    cut = cuts[-1] if cuts else second[0]
    comma = [at for at in cuts if text[at] in ",;"]
    cut = comma[-1] if comma else cut
    return [(first[1], text[:cut]), (second[1], text[cut:])]


_DOUBLE = re.compile(r"\bdouble[- ]quot(?:es?|ed)\b", _I)
_SINGLE = re.compile(r"\bsingle[- ]quot(?:es?|ed)\b", _I)
_LITERALS = re.compile(r"\bstrings?\b|\bliterals?\b|\bpython\b|\bcode\b", _I)


def quotes(reading: Reading) -> Any | None:
    text = reading.text
    double, single = _DOUBLE.search(text), _SINGLE.search(text)
    if not (double or single) or re.search(r"\b(?:docstrings?|json|sql|html|shell|yaml|cli)\b", text, _I):
        return None
    if not (_LITERALS.search(text) or (double and single)) or not (reading.code or _LITERALS.search(text)):
        return None
    wanted = double is not None and (single is None or double.start() < single.start())
    opens = re.match(r"(?:please )?(?:do not|don['’]t|never|avoid|no)\b", text, _I) is not None
    if (opens and (double is None or single is None or not re.search(r"[;,.]|\buse\b", text[4:], _I))) or opens:
        wanted = not wanted
    return c.PythonCode(demand="double_quotes" if wanted else "single_quotes")


_LIMIT = (
    r"(?:at most|no more than|(?:not|never) exceed|no longer than|maximum(?: of)?|max\.?|up to|(under|below"
    r"|fewer than|less than"
    r"|shorter than)|longer than|more than|over|exceed\w*|within)"
)
_LONG_FUNCTION = re.compile(
    rf"\b(?:functions?|methods?)\b[^.]{{0,50}}?\b{_LIMIT} (?:a total of )?{NUMBER} lines?\b", _I
)
_ARGUMENTS = re.compile(rf"\b{_LIMIT} {NUMBER} (?:positional )?(?:arguments?|parameters?|params?|args)\b", _I)


def sizes(reading: Reading) -> Any | None:
    """Lines of a function, and its arguments."""
    for pattern, demand in ((_LONG_FUNCTION, "function_lines"), (_ARGUMENTS, "arguments")):
        match = pattern.search(reading.text)
        if match is None:
            continue
        over = re.search(r"\b(?:longer than|more than|over|exceed\w*)\s", match[0], _I) and not re.search(
            r"\b(?:no|not|never) (?:longer|more|exceed)", match[0], _I
        )
        if over and not (reading.negative or re.search(r"\bno\b", reading.text, _I)):
            continue
        most = number_of_word(match[2]) - (1 if match[1] else 0)
        return c.PythonCode(demand=demand, most=most)  # type: ignore[arg-type]
    return None


def _all_of(demands: list[PythonDemand]) -> Any | None:
    made = [c.PythonCode(demand=demand) for demand in demands]
    if not made:
        return None
    return made[0] if len(made) == 1 else c.AllOf(checks=tuple(made))
