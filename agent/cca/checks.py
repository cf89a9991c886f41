"""The check language: what can be demanded of an answer's text, as data.

``interpret.py`` runs it, ``check_data.py`` reads and writes it.

A check is a value, made by CodeGen or by a model and validated here; it holds no code. Regular expressions are RE2's
(linear time); repetition, nesting and text sizes are bounded by this module, so that running a check always ends.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from agent.cca.check_base import MAX_PATTERN_CHARS, MAX_TERMS, as_re2
from agent.cca.check_base import Model as _Check
from agent.cca.check_base import Terms as _Terms
from agent.cca.data_models import CsvForm, JsonForm
from agent.cca.demands import PythonDemand
from agent.cca.layout_models import Layout
from agent.cca.part_models import Code, Each, Part, Pieces, Series, Sql

__all__ = ["MAX_DEPTH", "Code", "CsvForm", "Each", "JsonForm", "Layout", "Part", "Pieces", "Series", "Sql"]
MAX_DEPTH = 8

Within = Literal[
    "answer", "prose", "code", "bare_code", "inline_code", "first_line", "last_line", "first_sentence", "headings"
]
"""``bare_code``: code without the comments and texts in it, where it is Python."""
Unit = Literal[
    "words", "characters", "lines", "sentences", "paragraphs", "bullets", "numbered", "headings", "fences", "citations",
    "unnamed_fences", "links", "longest_list", "list_depth",
]  # fmt: skip
Format = Literal["json", "yaml", "toml", "csv", "xml", "markdown", "python"]
Scope = Literal["line", "sentence", "paragraph", "bullet", "code_line", "heading"]


class Contains(_Check):
    """At least ``least`` of ``terms`` occur (0: all of them). ``words``: as whole words."""

    op: Literal["contains"] = "contains"
    terms: _Terms = Field(min_length=1)
    least: int = Field(default=0, ge=0)
    case: bool = False
    words: bool = True
    within: Within = "answer"
    of: Literal["answer", "question"] = "answer"  # the question: for conditions that hang on what was asked


class Absent(_Check):
    """None of ``terms`` occurs."""

    op: Literal["absent"] = "absent"
    terms: _Terms = Field(min_length=1)
    case: bool = False
    words: bool = True
    within: Within = "answer"


class Matches(_Check):
    """RE2 ``pattern`` is found at least ``least`` and at most ``most`` times (None: no limit)."""

    op: Literal["matches"] = "matches"
    pattern: str = Field(min_length=1, max_length=MAX_PATTERN_CHARS)
    least: int = Field(default=1, ge=0)
    most: int | None = Field(default=None, ge=0)
    within: Within = "answer"
    finds: str = Field(default="", max_length=80)  # what the pattern is for, in words for people

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, value: str) -> str:
        return as_re2(value)


class Count(_Check):
    """The number of ``unit`` lies between ``least`` and ``most``."""

    op: Literal["count"] = "count"
    unit: Unit
    least: int | None = Field(default=None, ge=0)
    most: int | None = Field(default=None, ge=0)
    within: Within = "answer"

    @model_validator(mode="after")
    def _limits(self) -> Count:
        if self.least is None and self.most is None:
            raise ValueError("a count needs a limit")
        return self


class Order(_Check):
    """``terms`` come in this order (their first occurrences). Absent ones are skipped unless ``all``."""

    op: Literal["order"] = "order"
    terms: _Terms = Field(min_length=2)
    all: bool = False
    case: bool = False


class Starts(_Check):
    """The answer, or the part named by ``within``, starts with one of ``terms``."""

    op: Literal["starts"] = "starts"
    terms: _Terms = Field(min_length=1)
    case: bool = True
    within: Within = "answer"


class Ends(_Check):
    op: Literal["ends"] = "ends"
    terms: _Terms = Field(min_length=1)
    case: bool = True
    within: Within = "answer"


class Charset(_Check):
    """Every character is ASCII (``ascii``), Latin-1, or free of emoji / of tabs."""

    op: Literal["charset"] = "charset"
    allow: Literal["ascii", "latin1", "no_emoji", "no_tabs"]
    within: Within = "answer"


class Case(_Check):
    """Letters are all lower or all upper case."""

    op: Literal["case"] = "case"
    letters: Literal["lower", "upper"]
    within: Within = "answer"


class Language(_Check):
    """Prose is in that natural language (one of ``language.LANGUAGES``), where that can be told."""

    op: Literal["language"] = "language"
    language: str = Field(min_length=2, max_length=40)


class Sorted(_Check):
    """The items of the answer's lists are in alphabetical order (``descending``: reversed), or differ (``unique``)."""

    op: Literal["sorted"] = "sorted"
    descending: bool = False
    unique: bool = False


class LineLength(_Check):
    """No line has more than ``most`` characters."""

    op: Literal["line_length"] = "line_length"
    most: int = Field(ge=1)
    within: Within = "answer"


class Indent(_Check):
    """Code is indented by multiples of ``width`` spaces (``tabs``: by tabs)."""

    op: Literal["indent"] = "indent"
    width: int = Field(default=4, ge=1, le=16)
    tabs: bool = False


class Valid(_Check):
    """The answer (or its first fence of that language) is valid ``format``; ``whole``: nothing may stand around it."""

    op: Literal["valid"] = "valid"
    format: Format
    whole: bool = False


class Schema(_Check):
    """The JSON or YAML in the answer satisfies a JSON Schema."""

    op: Literal["schema"] = "schema"
    format: Literal["json", "yaml"] = "json"
    schema_: dict[str, Any] = Field(alias="schema")


class Keys(_Check):
    """The JSON, YAML or TOML object has these keys (``only``: and no others)."""

    op: Literal["keys"] = "keys"
    format: Literal["json", "yaml", "toml"] = "json"
    keys: _Terms = Field(min_length=1)
    only: bool = False


class Property(_Check):
    """Each property ``name`` in the answer's JSON satisfies ``schema``, its text ``check``; ``where``: only in objects
    whose properties of these names satisfy these schemas; ``required``: such objects have it; ``absent``: they have it
    not; ``parent``: only in objects that stand under this key."""

    op: Literal["property"] = "property"
    name: str = Field(min_length=1, max_length=200)
    schema_: dict[str, Any] = Field(default={}, alias="schema")
    check: Check | None = None
    where: dict[str, dict[str, Any]] = Field(default={})
    parent: str = ""
    required: bool = False
    absent: bool = False


class Table(_Check):
    """A table (Markdown or CSV) with these columns, in this order if ``ordered``, and that many rows."""

    op: Literal["table"] = "table"
    columns: _Terms = ()
    ordered: bool = False
    least_rows: int | None = Field(default=None, ge=0)
    most_rows: int | None = Field(default=None, ge=0)
    least_columns: int | None = Field(default=None, ge=0)
    most_columns: int | None = Field(default=None, ge=0)


class Sections(_Check):
    """These headings occur, in this order."""

    op: Literal["sections"] = "sections"
    headings: _Terms = Field(min_length=1)
    ordered: bool = True


class Numeric(_Check):
    """A number occurs: with one of ``units``, within [low, high], with an uncertainty, as the check asks."""

    op: Literal["numeric"] = "numeric"
    units: _Terms = ()
    low: float | None = None
    high: float | None = None
    uncertainty: bool = False
    uncertainty_unit: bool = False


class PythonCode(_Check):
    """Python in the answer's fences is written so; ``most``: of arguments or lines; ``public``: names without "_".

    ``names``: what may be imported, ``standard``: and the standard library."""

    op: Literal["python_code"] = "python_code"
    demand: PythonDemand
    most: int | None = Field(default=None, ge=0)
    public: bool = False
    names: _Terms = ()
    standard: bool = False


class Every(_Check):
    """Each unit of ``scope`` satisfies ``check``; with ``selects``, each of those that the other check selects."""

    op: Literal["every"] = "every"
    scope: Scope
    check: Check
    selects: Check | None = None


class When(_Check):
    """``then`` has to hold where ``condition`` does; elsewhere the check does not apply."""

    op: Literal["when"] = "when"
    condition: Check
    then: Check


class AllOf(_Check):
    op: Literal["all"] = "all"
    checks: tuple[Check, ...] = Field(min_length=1, max_length=MAX_TERMS)


class AnyOf(_Check):
    op: Literal["any"] = "any"
    checks: tuple[Check, ...] = Field(min_length=1, max_length=MAX_TERMS)


class Not(_Check):
    op: Literal["not"] = "not"
    check: Check


Check = Annotated[
    Contains | Absent | Matches | Count | Order | Starts | Ends | Charset | Case | Language | Sorted | LineLength
    | Indent | Valid | Schema | Keys | Property | Table | Sections | Numeric | PythonCode | Every | When | AllOf
    | AnyOf | Not | Each | Pieces | Series | Sql | Code | JsonForm | CsvForm
    | Layout,
    Field(discriminator="op"),
]  # fmt: skip

for _model in (Property, Every, When, AllOf, AnyOf, Not, Each):
    _model.model_rebuild(_types_namespace={"Check": Check})


class Generated(_Check):
    """Python that a model wrote, ``check(answer) -> bool``: no part of the language; ``sandbox.py`` runs it."""

    op: Literal["python"] = "python"
    code: str = Field(min_length=1, max_length=20_000)
