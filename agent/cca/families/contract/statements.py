"""Families of SQL that is the answer."""

from __future__ import annotations

from typing import Any

from agent.cca import checks as c
from agent.cca.families.contract.said import always, both, never, told
from agent.cca.families.family import Family, Slots
from agent.cca.part_models import SqlDemand


def _sql(demand: SqlDemand) -> Any:
    return always(lambda: c.Sql(demand=demand))


def _limit(slots: Slots) -> Any:
    """The rows that a LIMIT lets through; without one the LIMIT is demanded."""
    bound = c.Each(
        part=c.Part(kind="match", pattern=r"(?i)\blimit\s+(\d+)"), check=c.Numeric(low=slots.least, high=slots.most)
    )
    return both(c.Sql(demand="limit"), bound)


def _only() -> Any:
    """A fence and nothing else, or text that opens like a statement."""
    opens = r"(?:--[^\n]*\n\s*)*(?i:select|with|insert|update|delete|create|alter|drop|merge|truncate|explain|begin)\b"
    return both(
        c.Matches(
            pattern=rf"(?s)\A\s*(?:```\w*[ \t]*\n\s*{opens}.*```|{opens}[^`]*)\s*\z", finds="SQL and nothing else"
        ),
        never(r"\n\s*\n\s*[A-Z][a-z']+ [a-z]+ [a-z]+ [a-z]+", "prose behind the SQL", "prose"),
    )


FAMILIES: tuple[Family, ...] = (
    told("statement.only", "SQL and nothing else", always(_only)),
    told("statement.semicolon", "SQL ends with a semicolon", _sql("semicolon")),
    told("statement.no_semicolon", "no semicolon at the end of the SQL", _sql("no_semicolon")),
    told("statement.select_only", "the SQL is a SELECT", _sql("select_only")),
    told("statement.no_writes", "the SQL changes nothing", _sql("no_writes")),
    told("statement.one", "one SQL statement", _sql("one_statement")),
    told("statement.no_star", "no SELECT *", _sql("no_select_star")),
    told("statement.has_limit", "the SQL has a LIMIT", _sql("limit")),
    told("statement.limit", "the SQL's LIMIT is {limit}", _limit, bounded=True),
    told("statement.upper", "SQL keywords in capitals", _sql("upper_keywords")),
    told("statement.lower", "SQL keywords in lower case", _sql("lower_keywords")),
    told("statement.lower_names", "SQL names in lower case", _sql("lower_names")),
    told("statement.joins", "joins written with JOIN", _sql("no_comma_join")),
    told("statement.no_subqueries", "no subqueries", _sql("no_subqueries")),
    told("statement.order_by", "the SQL has an ORDER BY", _sql("order_by")),
    told("statement.where", "the SQL has a WHERE", _sql("where")),
    told("statement.no_comments", "no comments in the SQL", _sql("no_comments")),
)
