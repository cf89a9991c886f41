"""Families of SQL in answers, of scripts, of what Python raises and imports, and of the mood of commit messages."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.code.build import code, fixed, guarded
from agent.cca.families.code.forms import found, none
from agent.cca.families.contract.kinds import affirmed, is_denied
from agent.cca.families.family import Family, Slots
from agent.cca.grammar.only_tags import other_than

_I = re.IGNORECASE
_ANY = r"."
_DENIED = r"\b(?:no|not|never|without|avoid\w*|drop|omit|instead of|rather than|leave out|forbid\w*|bann?ed)\b|n['’]t\b"
_SQL = c.Part(kind="code", name="sql")


def _in_sql(pattern: str, finds: str) -> Any:
    """On lines without a string or a comment ahead of it."""
    own = c.Matches(pattern=rf"(?i)^[^'\n\-]*?(?:{pattern})", least=0, most=0, finds=finds)
    return c.Each(part=_SQL, check=own, selects=c.Not(check=c.Matches(pattern=r"/\*")))


_KEYWORDS = {
    "SELECT DISTINCT": r"\bselect\s+distinct\b", "DISTINCT": r"\bselect\s+distinct\b",
    "RIGHT OUTER JOIN": r"\bright\s+outer\s+join\b", "RIGHT JOIN": r"\bright\s+(?:outer\s+)?join\b",
    "CROSS JOIN": r"\bcross\s+join\b", "NATURAL JOIN": r"\bnatural\s+(?:\w+\s+)?join\b",
    "FULL OUTER JOIN": r"\bfull\s+outer\s+join\b", "UNION ALL": r"\bunion\s+all\b",
    "UNION": r"\bunion\s+(?:select\b|distinct\b|\()|\bunion\s*$", "DROP TABLE": r"\bdrop\s+table\b",
    "TRUNCATE": r"\btruncate\s+\w", "IFNULL": r"\bifnull\s*\(", "NVL": r"\bnvl\s*\(", "ISNULL": r"\bisnull\s*\(",
    "ILIKE": r"\bilike\b", "BETWEEN": r"\bbetween\b", "HAVING": r"\bhaving\b", "OFFSET": r"\boffset\s+[\d:$?]",
    "ORDER BY RAND": r"\border\s+by\s+(?:rand|random)\s*\(", "FOR UPDATE": r"\bfor\s+update\b",
    "NOLOCK": r"\bnolock\b", "MERGE": r"\bmerge\s+into\b", "GETDATE": r"\bgetdate\s*\(", "NOT IN": r"\bnot\s+in\s*\(",
    "SELECT INTO": r"\bselect\b[^;]*?\binto\s+\w", "GOTO": r"\bgoto\b", "DECODE": r"\bdecode\s*\(",
    "CONVERT": r"\bconvert\s*\(", "TOP": r"\bselect\s+top\b",
}  # fmt: skip
_NAMED = re.compile(rf"\b({'|'.join(sorted((re.escape(each) for each in _KEYWORDS), key=len, reverse=True))})\b")
_BANNED = re.compile(
    r"\b(?:forbidden|banned|prohibited|not (?:allowed|permitted|accepted|welcome|used)|off[- ]limits|out of bounds"
    r"|has no place|have no place|rejected|taboo|unwelcome)\b",
    _I,
)
_AVOIDS = re.compile(
    r"\b(?:avoid\w*|refrain from|stay away from|do without|drop(?! table)|skip|in place of|over)\b[^,;.:]*", _I
)


_ONLY_SOME = re.compile(
    r"\b(?:unless|except|without)\b|(?:\bnot|\bnever|n['’]t) (?:forget|omit|leave out|skip|miss|avoid)\b"
    rf"|(?-i:\b(?:{'|'.join(_KEYWORDS)}))s?\b,? (?:to|for|on|inside|within|with|in) "
    r"(?!(?:the |our |any |your |all )?(?:sql|quer|code|example|statement))",
    _I,
)


def _sql_avoid(slots: Slots) -> Any | None:
    """Keywords in capitals that are denied, or stand behind "instead of"; all of them where they are called banned."""
    text = re.sub(r"[\"`“”]|\(\)", "", slots.text)
    names = list(dict.fromkeys(match[1] for match in _NAMED.finditer(text)))
    kept = _NAMED.findall(_AVOIDS.sub(" ", affirmed(text)))
    banned = [name for name in names if name not in kept]
    if not banned and _BANNED.search(text) and not re.search(r"\b(?:use|prefer|unless|except)\b", text, _I):
        banned = names
    if not banned or _ONLY_SOME.search(text) or re.search(r"\b(?:when|where|if|while)\b", text):
        return None
    return _in_sql("|".join(_KEYWORDS[name] for name in banned), " or ".join(banned)[:70])


_NO_IF = r"(?:[\"\[`]|[a-hj-z_]\w*|i[a-eg-z0-9_]\w*|if\w+)"


def _if_exists(slots: Slots) -> Any | None:
    made = []
    if re.search(r"\bIF NOT EXISTS\b", slots.text):
        made.append(rf"\bcreate\s+(?:temp\s+|temporary\s+|unlogged\s+)?table\s+{_NO_IF}")
    if re.search(r"\bIF EXISTS\b", slots.text):
        made.append(rf"\bdrop\s+(?:table|view)\s+{_NO_IF}")
    if not made or is_denied(re.sub(r"\bIF NOT EXISTS\b|\bnever (?=bare|without|a bare)|\bwithout\b", " ", slots.text)):
        return None
    return _in_sql("|".join(made), "a statement without IF EXISTS")


_REST = r"[^\n()'\-]*[ \t]"
_OWN_LINE = (
    rf"(?i)^[ \t]*(?:select\b{_REST}from\b|from\b{_REST}(?:where|(?:left |right |inner |cross |full )*join"
    rf"|group[ \t]+by|order[ \t]+by|limit)\b|where\b{_REST}(?:group[ \t]+by|order[ \t]+by|limit)\b"
    rf"|group[ \t]+by\b{_REST}(?:having|order[ \t]+by|limit)\b|order[ \t]+by\b{_REST}limit\b)"
)
_KNOWN = {
    "numpy": "np", "pandas": "pd", "matplotlib.pyplot": "plt", "seaborn": "sns", "tensorflow": "tf", "polars": "pl",
    "networkx": "nx", "xarray": "xr", "geopandas": "gpd", "statsmodels.api": "sm", "plotly.express": "px",
    "datetime": "dt", "sqlalchemy": "sa", "torch.nn.functional": "F", "streamlit": "st", "dask.dataframe": "dd",
}  # fmt: skip
_AS = re.compile(
    r"(?:\bimport )?\b([a-z]\w*(?:\.\w+)*)[`\"”']*(?: (?:is|are|gets?))?(?: always| only)?(?: imported| called)? as"
    r" [`\"“']*([A-Za-z]\w{0,5})\b"
)


def _import_alias(slots: Slots) -> Any | None:
    """Where the module is imported as a whole it has that name. That it is imported is not demanded."""
    pairs = [(name, alias) for name, alias in _AS.findall(slots.text)
             if name in _KNOWN or f"import {name} as {alias}" in slots.text]  # fmt: skip
    if not pairs or len({name for name, _ in pairs}) < len(pairs) or not all(alias.islower() for _, alias in pairs):
        return None
    if re.search(r"\b(?:never|not|no|avoid|without)\b[^,;.]*\bas\b|n['’]t\b[^,;.]*\bas\b", slots.text, _I):
        return None
    patterns = [
        rf"^[ \t]*import[ \t]+{re.escape(name)}(?:[ \t]*(?:$|,)|[ \t]+as[ \t]+(?:{other_than([alias])})[ \t]*$)"
        for name, alias in pairs
    ]
    return code("|".join(patterns), "imports under another name", "python")


def _quoted(slots: Slots) -> Any:
    commands = "rm|cp|mv|cat|cd|mkdir|touch|ls|chmod|chown|source|grep|tar|echo|rsync|ln|find|head|tail|wc|rmdir"
    variable = r"\$\{?[A-Za-z_]\w*\}?"
    pattern = (
        rf"^[ \t]*(?:sudo[ \t]+)?(?:{commands})\b(?:[ \t]+[^\s'\"`$;&|<>#()]+)*[ \t]+{variable}(?:[ \t/;]|$)"
        rf"|(?:^|[ \t;])\[[ \t]+(?:![ \t]+)?-[a-z][ \t]+{variable}[ \t]+\]"
    )
    return code(pattern, "variables without quotes", "shell")


_REGULAR = (
    "add|remove|change|update|create|delete|implement|refactor|improve|rename|move|introduce|correct|replace|handle"
    "|enable|disable|merge|bump|allow|prevent|simplify|extract|support|revert|ensure|resolve|adjust|upgrade|migrate"
    "|optimize|optimise|convert|initialize|validate|expose|deprecate|clean|address|switch|fix|make|write|rewrite|drop"
)


def _forms(verb: str) -> tuple[str, ...]:
    special = {
        "bump": ("bumps", "bumped", "bumping"), "make": ("makes", "made", "making"),
        "write": ("writes", "wrote", "writing"), "rewrite": ("rewrites", "rewrote", "rewriting"),
        "drop": ("drops", "dropped", "dropping"), "fix": ("fixes", "fixed", "fixing"),
        "simplify": ("simplifies", "simplified", "simplifying"), "refactor": ("refactors", "refactored", "refactoring"),
        "address": ("addresses", "addressed", "addressing"), "switch": ("switches", "switched", "switching"),
    }  # fmt: skip
    stem = verb.removesuffix("e")
    return special.get(verb, (f"{verb}s", f"{stem}ed", f"{stem}ing"))


_NO_ORDERS = "|".join(form for verb in _REGULAR.split("|") for form in _forms(verb))
_BEFORE_VERB = r"(?:\[[^\]\n]*\][ :]*|[A-Z]{2,10}-\d+[ :]+|[a-z]+(?:\([^()\n]*\))?!?: +)?"
_IMPERATIVE = c.Each(
    part=c.Part(kind="subject"),
    check=none(rf"\A{_BEFORE_VERB}(?i:{_NO_ORDERS})\b[^-]", "a verb in another mood"),
)
FAMILIES: tuple[Family, ...] = (
    Family(
        "sql.avoid",
        "keywords that SQL has not",
        guarded(_sql_avoid, _NAMED.pattern, _ANY, r"index|trigger|migration"),
        takes_terms=True,
    ),
    Family(
        "sql.if_exists",
        "CREATE TABLE and DROP TABLE say IF (NOT) EXISTS",
        guarded(_if_exists, r"IF (?:NOT )?EXISTS", _ANY),
        takes_terms=True,
    ),
    fixed(
        "sql.clause_lines",
        "each clause of SQL on a line of its own",
        c.Each(part=_SQL, check=none(_OWN_LINE, "several clauses on one line")),
        r"\b(?:own|new|separate|fresh|different) lines?\b|\bline of its own\b|\b(?:per|a) line\b|\bline break",
        about=_ANY,
        forbids=r"\b(?:one|single) line\b|columns?\b|no line break|conditions?|statement per",
    ),
    fixed(
        "script.function_form",
        "functions of scripts without the keyword function",
        code(r"^[ \t]*function[ \t]+[\w:-]+", "the keyword function", "shell"),
        rf"(?i:function).*(?:{_DENIED})|(?:{_DENIED}).*(?i:function)",
        about=_ANY,
        forbids=r"(?:^|[.;] )(?:always |please )?(?:use|prefer|write|declare) (?:\w+ ){0,4}(?:(?:with|by) )?(?:the )?"
        r"(?:keyword )?[`\"']function[`\"']|python|javascript|arrow",
    ),
    Family(
        "script.quoted_variables",
        "variables in scripts stand in quotes",
        guarded(
            _quoted,
            r"quot\w*|\"\$\w+\"",
            _ANY,
            r"\b(?:do not|don['’]t|never|without|no) (?:\w+ )?quot|single quotes|sql|json|yaml|csv",
        ),
        takes_terms=True,
    ),
    fixed(
        "python.no_raise_exception",
        "no bare Exception is raised",
        code(r"\braise[ \t]+(?:Base)?Exception\b[ \t]*(?:\(|$)", "a bare Exception that is raised", "python"),
        r"\bException\b",
        about=_ANY,
        forbids=r"re-?rais|catch|except Exception|swallow|deriv|inherit|subclass|base class|extend"
        r"|(?:^|[.;,] ?)(?:always |please )?raise (?:a |the )?(?:plain |bare |generic )?[`\"]?Exception",
    ),
    fixed(
        "python.isinstance",
        "types are tested by isinstance",
        code(
            r"\btype\([^()\n]*\)[ \t]*(?:==|!=|is\b(?:[ \t]+not\b)?|(?:not[ \t]+)?in\b)[ \t]*"
            r"(?:int|str|float|list|dict|set|tuple|bool|bytes|\(|[A-Z]\w*)",
            "types that are compared",
            "python",
        ),
        r"isinstance|type\(",
        about=_ANY,
        forbids=r"\b(?:avoid|never|no|not|don['’]t use|without) (?:\w+ )?[`\"]?isinstance|instead of [`\"]?isinstance",
    ),
    Family(
        "python.import_alias",
        "modules are imported under their usual names",
        guarded(_import_alias, r"\bas\b", _ANY),
        takes_terms=True,
    ),
    fixed(
        "commit.imperative",
        "the subject is in the imperative",
        _IMPERATIVE,
        r"imperative|present tense|command form|as (?:a|an) (?:command|order|instruction)|mood|orders?\b|past tense",
        about=_ANY,
        forbids=r"\bPR\b|pull request|changelog|docstring|branch|heading|release note|\bnot (?:in the )?imperative"
        r"|(?<!never )(?<!not )\b(?:in|use) (?:the )?(?:simple )?past tense(?!,? (?:is|are|forms))|alphabetical|body",
    ),
    fixed(
        "commit.coauthor",
        "the commit names its co-author",
        c.When(
            condition=c.AllOf(
                checks=(
                    c.Pieces(part=c.Part(kind="subject"), least=1),
                    found(r"\A\s*(?:```\w*\n)?(?:[\w()!/.-]+: )?[A-Za-z][\w'-]+ [^\n]*[^\n.?!:,][ \t]*(?:\n|\z)"),
                )
            ),
            then=found(r"(?i)^[ \t]*co-authored-by: \S", "a Co-authored-by line"),
        ),
        r"co-?-?author",
        about=_ANY,
        forbids=r"\b(?:no|not|never|without|omit|drop|leave|remove|strip|avoid|skip|forbid\w*|may|optional"
        r"|bann?ed|cut|free of|refuse\w*|reject\w*|if|when|unless)\b|n['’]t\b",
    ),
)
