"""Families of SQL that is the answer."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.kinds import is_of, letters_of
from agent.cca.families.contract.said import both, never, told, where
from agent.cca.families.family import Family, Slots
from agent.cca.part_models import SqlDemand


def _sql(demand: SqlDemand) -> Any:

    def make(slots: Slots) -> Any | None:
        if demand == "no_select_star" and re.match(r"(?:please )?use select \*", slots.text, re.IGNORECASE):
            return None
        return c.Sql(demand=demand) if is_of(slots.text, "sql") else None

    return make


def _limit(slots: Slots) -> Any:
    """The rows that a LIMIT lets through; without one the LIMIT is demanded."""
    bound = c.Each(
        part=c.Part(kind="match", pattern=r"(?i)\blimit\s+(\d+)"), check=c.Numeric(low=slots.least, high=slots.most)
    )
    return both(c.Sql(demand="limit"), bound)


def only_sql() -> Any:
    """A fence and nothing else, or text that opens like a statement."""
    opens = r"(?:--[^\n]*\n\s*)*(?i:select|with|insert|update|delete|create|alter|drop|merge|truncate|explain|begin)\b"
    return both(
        c.Matches(
            pattern=rf"(?s)\A\s*(?:```\w*[ \t]*\n\s*{opens}.*```|{opens}[^`]*)\s*\z", finds="SQL and nothing else"
        ),
        never(r"\n\s*\n\s*[A-Z][a-z']+ [a-z]+ [a-z]+ [a-z]+", "prose behind the SQL", "prose"),
    )


def _clause(slots: Slots) -> Any | None:
    demands: tuple[tuple[str, SqlDemand], ...] = (
        (r"\bLIMIT\b", "limit"),
        (r"\bORDER BY\b", "order_by"),
        (r"\bWHERE\b", "where"),
    )
    found = [demand for words, demand in demands if re.search(words, slots.text)]
    if found == ["where"] and re.search(r"\b(?:DELETE|UPDATE)\b", slots.text):
        writes = c.Part(kind="match", pattern=r"(?i)\b((?:DELETE\s+FROM|UPDATE\s+[\w.\"]+\s+SET)\b[^;]*)")
        return c.Each(part=writes, check=c.Matches(pattern=r"(?i)\bWHERE\b", finds="WHERE"))
    other = re.search(r"\b(GROUP BY|HAVING|RETURNING)\b", slots.text)
    if not found and other and not re.search(r"\b(?:no|not|never|without|avoid)\b|n['’]t\b", slots.text, re.IGNORECASE):
        clause = r"\s+".join(other[1].split())
        return c.Each(
            part=c.Part(kind="code", name="sql"), check=c.Matches(pattern=rf"(?i)\b{clause}\b", finds=other[1])
        )
    return c.Sql(demand=found[0]) if len(found) == 1 else None


def _case(slots: Slots) -> Any | None:
    letters = letters_of(slots.text)
    return c.Sql(demand="upper_keywords" if letters == "upper" else "lower_keywords") if letters else None


FAMILIES: tuple[Family, ...] = (
    told("statement.clause", "the SQL has the clause that is named", _clause),
    told(
        "statement.case",
        "SQL keywords in one case",
        where(r"sql|keywords?|reserved|select|quer(?:y|ies)", _case, r"names of"),
    ),
    told(
        "statement.semicolon",
        "SQL ends with a semicolon",
        where(
            r"sql|quer(?:y|ies)|statements?",
            _sql("semicolon"),
            r"no trailing|never end|not end|without a semicolon|drop",
        ),
    ),
    told("statement.no_semicolon", "no semicolon at the end of the SQL", _sql("no_semicolon")),
    told("statement.select_only", "the SQL is a SELECT", _sql("select_only")),
    told(
        "statement.no_writes",
        "the SQL changes nothing",
        where(
            r"sql|quer(?:y|ies)|insert|update|delete|statements?|read-only|ddl|rows"
            r"|database",
            _sql("no_writes"),
            r"mention|names?",
        ),
    ),
    told("statement.one", "one SQL statement", _sql("one_statement")),
    told("statement.no_star", "no SELECT *", _sql("no_select_star")),
    told("statement.limit", "the SQL's LIMIT is {limit}", _limit, bounded=True),
    told("statement.lower_names", "SQL names in lower case", _sql("lower_names")),
    told("statement.joins", "joins written with JOIN", _sql("no_comma_join")),
    told("statement.no_subqueries", "no subqueries", _sql("no_subqueries")),
    told(
        "statement.no_comments",
        "no comments in the SQL",
        where(r"sql|quer(?:y|ies)|statements?", _sql("no_comments"), r"flags?"),
    ),
)
