"""Demands on code in the answer: SQL, and what Python may call or import."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.scoped.text import Text

_I = re.IGNORECASE
_NO = r"(?:do not|don['’]t|never|avoid|no)"
_SQL: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            rf"^(?:{_NO} (?:use |using |write |select with |run )?(?:a |any )?[`\"“]?SELECT ?(?:\w+\.)?\*[`\"”]?"
            rf"|[`\"“]?SELECT ?\*[`\"”]? is (?:forbidden|banned|not allowed|never (?:used|allowed)))",
            _I,
        ),
        "no_select_star",
    ),
    (
        re.compile(
            rf"\b{_NO} (?:use |using |write )?(?:implicit |old-style )*comma[- ]joins?\b"
            rf"|\b(?:do not|don['’]t|never) join (?:tables )?(?:with|by|using) commas?\b"
            rf"|\bexplicit joins?\b(?!.*\bor\b)|\buse (?:explicit )?JOIN\b[^,]{{0,20}},? (?:not|never) commas",
            _I,
        ),
        "no_comma_join",
    ),
    (
        re.compile(
            r"^(?:(?:write|put|set|keep|all|the|every|each|use) )*(?:sql )?(?:reserved )?(?:keywords"
            r"|key words)(?: (?:are|must be|should be|go|stand|in|written|all|always"
            r"|upper-?cased?))* ?(?:in )?(?:all )?(?:capitals|capital letters|upper[- ]?case|caps|uppercase)\b",
            _I,
        ),
        "upper_keywords",
    ),
    (
        re.compile(
            r"\bnames of (?:tables|columns)(?: and (?:tables|columns))? (?:are |stand "
            r"|go )?(?:written )?in (?:lower[- ]?case|snake[_ ]case)\b|^(?:table|column)(?: and (?:table"
            r"|column))? names (?:are |must be |should be )?(?:written )?(?:in )?"
            r"(?:lower[- ]?case|snake[_ ]case)\b",
            _I,
        ),
        "lower_names",
    ),
    (
        re.compile(
            r"^(?:end|finish|terminate|close) (?:each|every|all|the|your|sql) ?(?:sql )?(?:statements?|quer(?:y"
            r"|ies)) with a semi-?colon|^(?:each|every|all) (?:sql )?(?:statements?|quer(?:y|ies)) (?:must "
            r"|should )?ends? (?:with|in) a semi-?colon",
            _I,
        ),
        "semicolon",
    ),
)
_HEDGED = re.compile(
    r"\b(?:not (?:required|necessary|needed|mandatory)|unless|except|if|when|where it"
    r"|outside(?! (?:of )?the standard)|prefer\w*|usually|may)\b",
    _I,
)
_PRINT = re.compile(
    rf"^{_NO} (?:use |using |call |leave |calls? (?:of|to) |write )*(?:§+|print)(?:\(\))?(?: calls?"
    rf"| statements?)?(?: in (?:library|production|the|your|package) ?(?:code)?)?(?=[^\w§]*$|[,;])",
    _I,
)
_IMPORTS = re.compile(
    rf"^(?:{_NO} (?:add|use|import|introduce|pull in|depend on) (?:(?:an?|any|new) )*(?:dependency"
    rf"|dependencies|package|packages|library|libraries|module|modules|import|imports|third-party \w+)"
    r" (?:that (?:is|are) not|which (?:is|are) not|other than|besides|beyond|outside(?: of)?|beyond"
    r"|except(?: for)?|not) (?:in |from |part of )?|(?:import|depend on) (?:only|nothing (?:but|except"
    r"|beyond)) (?:from )?|use (?:only|nothing (?:but|except|beyond)) (?=the (?:python )?standard|stdlib"
    r"|packages"
    r"|modules)"
    r"(?:modules (?:from|of) |packages from )?|only (?:import|depend on) (?:(?:modules |packages )?(?:from"
    r"|of) )?|only use (?=the (?:python )?standard"
    r"|stdlib))(?P<list>(?:the )?(?:python )?(?:standard library|stdlib)?(?:(?:,|,? (?:and"
    r"|or)) ?)?(?:§+(?:(?:, ?(?:or |and )?| or | and )§+)*)?)[^\w§]*$",
    _I,
)
_HINTS = re.compile(
    r"^(?:all|every|each|any) (?:public )?(?:functions?"
    r"|methods?)(?: and methods?)?(?: (?:that )?you write)? (?:must |should |need to |has to )?(?:carr(?:y"
    r"|ies)|have|has|get|gets|need|needs|use|uses|take|takes|be given|come with) "
    r"(?:complete |full )?type (?:hints|annotations)\b",
    _I,
)


def of_code(text: Text) -> Any | None:
    """The checks of all the demands on code that the sentence makes."""
    if _HEDGED.search(text.masked):
        return None
    checks: list[Any] = [c.Sql(demand=demand) for form, demand in _SQL if form.search(text.raw)]  # type: ignore[arg-type]
    if _PRINT.match(text.masked) and (
        text.terms()[:1] in (("print",), ("print()",)) or re.match(rf"^{_NO} (?:\w+ ){{0,2}}print", text.masked, _I)
    ):
        checks.append(c.PythonCode(demand="no_print"))
    if _HINTS.match(text.masked):
        checks.append(c.PythonCode(demand="annotations"))
    allowed = _IMPORTS.match(text.masked)
    if allowed and allowed["list"].strip():
        standard = re.search(r"standard library|stdlib", allowed["list"], _I) is not None
        checks.append(
            c.PythonCode(demand="allowed_imports", names=text.cut(allowed.start("list")).terms(), standard=standard)
        )
    if not checks:
        return None
    return checks[0] if len(checks) == 1 else c.AllOf(checks=tuple(checks))
