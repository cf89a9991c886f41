"""Checks of the parts of an answer: which parts (``Part``), what each of them satisfies, how many, in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field, field_validator, model_validator

from agent.cca.check_base import MAX_PATTERN_CHARS, Model, Terms, as_re2

if TYPE_CHECKING:
    from agent.cca.checks import Check

PartKind = Literal[
    "line", "sentence", "paragraph", "bullet", "step", "list_item", "option", "item", "stem", "question", "heading",
    "title", "section", "link_text", "cell", "quote", "subject", "body", "trailer", "key", "value", "match", "code",
    "list", "table", "row", "block_quote",
]  # fmt: skip
"""``bullet``, ``step`` (numbered) and ``list_item`` (either) without their markers, ``option``: of a lettered list,
``item``: a question with its options, ``stem``: the same without them, ``title``: the heading of the first level or
the line that stands alone at the top, ``subject``, ``body``, ``trailer``: of a commit message, ``key``, ``value``: of
lines ``key=value``, ``match``: whatever the pattern finds, ``code``: fences of the language ``name``, or the whole
answer where it is nothing else, ``list``: with the lists in it, ``row``: of a table, without its head."""
SqlDemand = Literal[
    "no_select_star", "no_comma_join", "upper_keywords", "lower_keywords", "lower_names", "semicolon", "limit",
    "select_only", "no_writes", "one_statement", "no_subqueries", "order_by", "where", "no_comments", "no_semicolon",
]  # fmt: skip


class Part(Model):
    """Parts of an answer.

    ``nth``: the first (1), the second, the last (-1) of them, 0: all. ``name``: of a section, of a language.
    ``pattern``: only those in which RE2 finds it. ``behind``: so many characters more behind each, on its line.
    ``marked``: list items with their markers. ``of``: within each of those parts.
    """

    kind: PartKind
    nth: int = Field(default=0, ge=-20, le=20)
    name: str = Field(default="", max_length=120)
    pattern: str = Field(default="", max_length=MAX_PATTERN_CHARS)
    behind: int = Field(default=0, ge=0, le=200)
    marked: bool = False
    of: Part | None = None

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, value: str) -> str:
        return as_re2(value)


class Each(Model):
    """Each of the parts satisfies ``check``; with ``selects``, each that this other check selects.

    ``required``: that there is none is a violation; else it gives no verdict. ``one``: it is enough that one of them
    does.
    """

    op: Literal["each"] = "each"
    part: Part
    check: Check
    selects: Check | None = None
    required: bool = False
    one: bool = False


class Pieces(Model):
    """The number of such parts lies between ``least`` and ``most``."""

    op: Literal["pieces"] = "pieces"
    part: Part
    least: int | None = Field(default=None, ge=0)
    most: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _limits(self) -> Pieces:
        if self.least is None and self.most is None:
            raise ValueError("a number of parts needs a limit")
        return self


class Series(Model):
    """The parts follow each other: sorted by what ``by`` names, differing (``unique``), or counted up (``counted``).

    ``by``: their text, the first number, version or date in each, or which of ``terms`` each starts with or holds
    first. What has none of it is passed over.
    """

    op: Literal["series"] = "series"
    part: Part
    by: Literal["text", "number", "version", "date", "terms"] = "text"
    terms: Terms = ()
    descending: bool = False
    unique: bool = False
    counted: bool = False


class Sql(Model):
    """SQL in the answer is written so; strings and comments in it are not looked at."""

    op: Literal["sql"] = "sql"
    demand: SqlDemand


class Code(Model):
    """RE2 ``pattern`` is found at least ``least`` and at most ``most`` times in each piece of code of the ``language``.

    ``language``: one of ``code_source.LANGUAGES``, "" for any, "commands" for what is typed into a shell. ``where``:
    only code in which this is found. Comments and strings are not looked at, but where it says so.
    """

    op: Literal["code"] = "code"
    pattern: str = Field(min_length=1, max_length=MAX_PATTERN_CHARS)
    language: str = Field(default="", max_length=40)
    least: int = Field(default=0, ge=0)
    most: int | None = Field(default=None, ge=0)
    where: str = Field(default="", max_length=MAX_PATTERN_CHARS)
    comments: bool = False
    strings: bool = False
    finds: str = Field(default="", max_length=80)

    @field_validator("pattern", "where")
    @classmethod
    def _compiles(cls, value: str) -> str:
        return as_re2(value)
