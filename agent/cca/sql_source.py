"""SQL in an answer: where it stands, its tokens without strings and comments, and what is demanded of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from agent.cca import checks as c
from agent.cca.formats import Judgement
from agent.cca.views import Span, View

_SQL = frozenset({"sql", "postgres", "postgresql", "mysql", "sqlite", "tsql", "duckdb", "plsql", "bigquery"})
_OPENS = re.compile(
    r"\s*(?:--[^\n]*\n\s*|/\*(?:[^*]|\*+[^*/])*\*+/\s*)*(?:select|with|insert\s+into|update|delete\s+from|create\s+(?:table|view|index))\s",
    re.I,
)
_TOKEN = re.compile(
    r"(?P<left>--[^\n]*|/\*(?:[^*]|\*+[^*/])*\*+/|'(?:[^']|'')*')|(?P<quoted>\"[^\"\n]*\"|`[^`\n]*`"
    r"|\[[A-Za-z_][^\]\n]*\])"
    r"|(?P<word>[A-Za-z_]\w*)|(?P<number>\d[\w.]*)|(?P<sign>[^\s\w])"
)
_WORDS = """
    select from where join left right inner outer full cross on using group by order having limit offset union all
    distinct insert into values update set delete create table view index as and or not in is null like between exists
    case when then else end with asc desc over partition primary key references default alter drop add natural
    intersect except fetch returning
"""
_KEYWORDS = frozenset(_WORDS.split())
_NEVER_NAMES = frozenset({"select", "from", "where", "group", "order", "having", "join", "union", "insert", "update"})
_FUNCTIONS = frozenset(
    {"sum", "count", "avg", "min", "max", "coalesce", "round", "cast", "date", "lower", "upper", "now"}
)
_WRITES = frozenset({"insert", "update", "delete", "drop", "alter", "create", "truncate", "merge", "grant", "revoke"})
_MAX_TOKENS = 20_000
_MAX_SPANS = 20


@dataclass(frozen=True, slots=True)
class Token:
    """``kind``: word, quoted, number or sign; offsets are those of the answer."""

    kind: str
    text: str
    start: int
    depth: int

    @property
    def low(self) -> str:
        return self.text.lower()


_END = Token("sign", ";", 0, 0)


def sql_spans(view: View) -> list[Span]:
    """Fences of SQL, unnamed ones that begin like a statement, and the whole answer where it does and has no fence."""
    found = [
        fence.span
        for fence in view.fences
        if fence.language in _SQL or (not fence.language and _OPENS.match(view.of(fence.span)))
    ]
    if not view.fences and _OPENS.match(view.text) and re.search(r"\bfrom\b|\bset\b|\binto\b|\(", view.text, re.I):
        prose = re.search(r"\n\s*\n\s*[A-Z][a-z']+ [a-z]+ [a-z]+ ", view.text)
        found.append(Span(0, prose.start() if prose else len(view.text)))
    return found


def tokens_of(view: View, span: Span, *, comments: bool = False) -> list[Token]:
    found: list[Token] = []
    depth = 0
    for match in _TOKEN.finditer(view.text, span.start, span.end):
        kind = match.lastgroup or ""
        if kind == "left" and (match[0][0] == "'" or not comments):
            continue
        if match[0] == ")":
            depth -= 1
        found.append(Token(kind, match[0], match.start(), depth))
        depth += match[0] == "("
        if len(found) >= _MAX_TOKENS:
            break
    return found


def judge_sql(view: View, check: c.Sql) -> Judgement:
    spans = sql_spans(view)
    if not spans:
        return "no_verdict", "there is no SQL", ()
    seen = False
    wrong: list[Token] = []
    for span in spans:
        tokens = tokens_of(view, span, comments=check.demand == "no_comments")
        relevant, faults = _FINDERS[check.demand](tokens)
        seen = seen or relevant
        wrong += faults
    if wrong:
        places = tuple(Span(token.start, token.start + len(token.text)) for token in wrong[:_MAX_SPANS])
        return "violated", f"{SAYS[check.demand]}: “{wrong[0].text[:40]}”", places
    return ("holds", "", ()) if seen else ("no_verdict", "there is no such SQL", ())


def _select_star(tokens: list[Token]) -> tuple[bool, list[Token]]:
    """A star that stands for columns: behind SELECT, DISTINCT, a comma or a name's dot, not within a call."""
    found = []
    selects = [at for at, token in enumerate(tokens) if token.low == "select"]
    for at in selects:
        level = tokens[at].depth
        for place in range(at + 1, len(tokens)):
            token = tokens[place]
            if token.depth < level or (token.depth == level and token.low == "from"):
                break
            before = tokens[place - 1]
            if (
                token.text == "*"
                and token.depth == level
                and (before.low in ("select", "distinct", "all") or before.text in (",", "."))
            ):
                found.append(token)
    return bool(selects), found


def _comma_join(tokens: list[Token]) -> tuple[bool, list[Token]]:
    found = []
    froms = [at for at, token in enumerate(tokens) if token.low == "from"]
    for at in froms:
        level = tokens[at].depth
        if at and tokens[at - 1].low in ("distinct", "epoch", "year", "month", "day", "hour", "minute"):
            continue  # IS DISTINCT FROM, EXTRACT(YEAR FROM …)
        for token in tokens[at + 1 :]:
            if (
                token.depth < level
                or (
                    token.depth == level
                    and token.low in ("where", "group", "order", "having", "limit", "union", "select", "window")
                )
                or token.text == ";"
            ):
                break
            if token.text == "," and token.depth == level:
                found.append(token)
                break
    return bool(froms), found


def _keywords(tokens: list[Token]) -> tuple[bool, list[Token]]:
    words = [
        token
        for at, token in enumerate(tokens)
        if token.kind == "word"
        and token.low in _KEYWORDS
        and not (at and tokens[at - 1].text == ".")
        and (token.low in _NEVER_NAMES or not (at + 1 < len(tokens) and tokens[at + 1].text == "."))
    ]
    return bool(words), [token for token in words if token.low in _NEVER_NAMES and not token.text.isupper()]


def _names(tokens: list[Token]) -> tuple[bool, list[Token]]:
    names = [
        token
        for at, token in enumerate(tokens)
        if token.kind == "word"
        and token.low not in _KEYWORDS
        and token.low not in _FUNCTIONS
        and not (at + 1 < len(tokens) and tokens[at + 1].text == "(")
    ]
    mixed = [token for token in names if any(char.isupper() for char in token.text) and not token.text.isupper()]
    return bool(names), mixed


def _semicolon(tokens: list[Token]) -> tuple[bool, list[Token]]:
    return bool(tokens), [] if not tokens or tokens[-1].text == ";" else [tokens[-1]]


def _limit(tokens: list[Token]) -> tuple[bool, list[Token]]:
    selects = [token for token in tokens if token.low == "select"]
    bounded = any(token.low in ("limit", "top", "fetch") for token in tokens)
    return bool(selects), [] if bounded else selects[:1]


def _lower_keywords(tokens: list[Token]) -> tuple[bool, list[Token]]:
    words = [token for token in tokens if token.kind == "word" and token.low in _NEVER_NAMES]
    return bool(words), [token for token in words if not token.text.islower()]


def _select_only(tokens: list[Token]) -> tuple[bool, list[Token]]:
    """Each statement opens with SELECT, or with WITH and changes nothing."""
    opening = [token for before, token in pairwise([_END, *tokens]) if before.text == ";" and token.text != ";"]
    wrong = [token for token in opening if token.low not in ("select", "with", "(")]
    return bool(opening), wrong or _no_writes(tokens)[1]


def _no_writes(tokens: list[Token]) -> tuple[bool, list[Token]]:
    """A word that changes data or tables stands at a statement's start, behind a bracket or behind a WITH."""
    return bool(tokens), [
        token
        for before, token in pairwise([_END, *tokens])
        if token.kind == "word"
        and token.low in _WRITES
        and (before.text in (";", ")") or (before.text == "(" and token.low in ("insert", "update", "delete")))
    ]


def _one_statement(tokens: list[Token]) -> tuple[bool, list[Token]]:
    ends = [at for at, token in enumerate(tokens) if token.text == ";"]
    return bool(tokens), [tokens[at + 1] for at in ends if at + 1 < len(tokens)][:1]


def _subqueries(tokens: list[Token]) -> tuple[bool, list[Token]]:
    """A SELECT in brackets; of a WITH the brackets are no subquery."""
    found = [
        token
        for at, token in enumerate(tokens)
        if token.low == "select" and at and tokens[at - 1].text == "(" and not (at > 1 and tokens[at - 2].low == "as")
    ]
    return any(token.low == "select" for token in tokens), found


def _has(first: str, second: str = "") -> Callable[[list[Token]], tuple[bool, list[Token]]]:
    def find(tokens: list[Token]) -> tuple[bool, list[Token]]:
        selects = [token for token in tokens if token.low == "select"]
        held = any(
            token.low == first and (not second or other.low == second) for token, other in pairwise([*tokens, _END])
        )
        return bool(selects), [] if held else selects[:1]

    return find


def _comments(tokens: list[Token]) -> tuple[bool, list[Token]]:
    return bool(tokens), [token for token in tokens if token.kind == "left"]


def _no_semicolon(tokens: list[Token]) -> tuple[bool, list[Token]]:
    return bool(tokens), [token for token in tokens[-1:] if token.text == ";"]


_FINDERS = {
    "no_select_star": _select_star,
    "no_comma_join": _comma_join,
    "upper_keywords": _keywords,
    "lower_names": _names,
    "semicolon": _semicolon,
    "limit": _limit,
    "lower_keywords": _lower_keywords,
    "select_only": _select_only,
    "no_writes": _no_writes,
    "one_statement": _one_statement,
    "no_subqueries": _subqueries,
    "order_by": _has("order", "by"),
    "where": _has("where"),
    "no_comments": _comments,
    "no_semicolon": _no_semicolon,
}
SAYS = {
    "no_select_star": "columns are named, no star",
    "no_comma_join": "tables are joined by JOIN, not by commas",
    "upper_keywords": "keywords are in capitals",
    "lower_names": "names are in lower case",
    "semicolon": "statements end with a semicolon",
    "limit": "queries have a LIMIT",
    "lower_keywords": "keywords are in lower case",
    "select_only": "it is a SELECT",
    "no_writes": "nothing is changed",
    "one_statement": "there is one statement",
    "no_subqueries": "there is no subquery",
    "order_by": "queries have an ORDER BY",
    "where": "queries have a WHERE",
    "no_comments": "there are no comments",
    "no_semicolon": "no semicolon at the end",
}
