"""The check language: what can be demanded of an answer's text, as data. ``interpret.py`` runs it.

A check is a value, made by CodeGen or by a model and validated here; it holds no code. Regular expressions are RE2's
(linear time); repetition, nesting and text sizes are bounded by this module, so that running a check always ends.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator, model_validator

MAX_PATTERN_CHARS = 2_000
MAX_TERMS = 200
MAX_TERM_CHARS = 2_000
MAX_DEPTH = 8

Within = Literal["answer", "prose", "code", "inline_code", "first_line", "last_line", "first_sentence", "headings"]
Unit = Literal[
    "words", "characters", "lines", "sentences", "paragraphs", "bullets", "numbered", "headings", "fences", "citations"
]
Format = Literal["json", "yaml", "toml", "csv", "markdown", "python"]
Scope = Literal["line", "sentence", "paragraph", "bullet", "code_line", "heading"]

_Terms = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=MAX_TERM_CHARS)], ...], Field(max_length=MAX_TERMS)
]


class _Check(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


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

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, value: str) -> str:
        from agent.cca.linear import compiled

        compiled(value)
        return value


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

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Keys(_Check):
    """The JSON, YAML or TOML object has these keys (``only``: and no others)."""

    op: Literal["keys"] = "keys"
    format: Literal["json", "yaml", "toml"] = "json"
    keys: _Terms = Field(min_length=1)
    only: bool = False


class Table(_Check):
    """A table (Markdown or CSV) with these columns, in this order if ``ordered``, and that many rows."""

    op: Literal["table"] = "table"
    columns: _Terms = ()
    ordered: bool = False
    least_rows: int | None = Field(default=None, ge=0)
    most_rows: int | None = Field(default=None, ge=0)


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
    Contains
    | Absent
    | Matches
    | Count
    | Order
    | Starts
    | Ends
    | Charset
    | Case
    | LineLength
    | Indent
    | Valid
    | Schema
    | Keys
    | Table
    | Sections
    | Numeric
    | Every
    | When
    | AllOf
    | AnyOf
    | Not,
    Field(discriminator="op"),
]

for _model in (Every, When, AllOf, AnyOf, Not):
    _model.model_rebuild()

_ADAPTER: TypeAdapter[Any] = TypeAdapter(Check)


class Generated(_Check):
    """Python that a model wrote, ``check(answer) -> bool``: no part of the language; ``sandbox.py`` runs it."""

    op: Literal["python"] = "python"
    code: str = Field(min_length=1, max_length=20_000)


class CheckError(ValueError):
    """What is wrong with a check that came from outside, in one line."""


def parse_check(value: object, *, allow_generated: bool = False) -> Any:
    """A check from JSON-like data. ``allow_generated``: Python that a model wrote (``{"op": "python"}``) is one, too.

    Raises:
        CheckError: It is no check: unknown ``op``, wrong fields, a pattern that RE2 refuses, nested too deeply.
    """
    if _depth(value) > 2 * MAX_DEPTH:
        raise CheckError("the check is nested too deeply")
    try:
        if isinstance(value, dict) and value.get("op") == "python":
            if not allow_generated:
                raise CheckError("it is Python, which is taken only with --allow-generated-code")
            return Generated.model_validate(value)
        return _ADAPTER.validate_python(value)
    except (ValidationError, RecursionError) as error:
        if isinstance(error, ValidationError):
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"][:6])
            raise CheckError(f"{place}: {first['msg']}"[:300]) from None
        raise CheckError("the check is nested too deeply") from None


def dump_check(check: Any) -> dict[str, Any]:
    """JSON-like data of a check, defaults left out."""
    if isinstance(check, Generated):
        return {"op": "python", "code": check.code}
    data: dict[str, Any] = _ADAPTER.dump_python(check, mode="json", exclude_defaults=True, by_alias=True)
    return _with_ops(check, data)


def _with_ops(check: Any, data: dict[str, Any]) -> dict[str, Any]:
    """``op`` is a default, too; it is what tells checks apart, so it comes back."""
    out = {"op": check.op, **data}
    for name in ("check", "selects", "condition", "then"):
        inner = getattr(check, name, None)
        if isinstance(inner, _Check):
            out[name] = _with_ops(inner, data.get(name, {}))
    inner_checks = getattr(check, "checks", None)
    if inner_checks is not None:
        out["checks"] = [_with_ops(each, value) for each, value in zip(inner_checks, data["checks"], strict=True)]
    return out


def _depth(value: object) -> int:
    """Nesting of dicts and lists, counted without recursion."""
    deepest = 0
    stack: list[tuple[object, int]] = [(value, 1)]
    while stack:
        current, level = stack.pop()
        deepest = max(deepest, level)
        if level > 64:
            return level
        if isinstance(current, dict):
            stack.extend((each, level + 1) for each in current.values())
        elif isinstance(current, list | tuple):
            stack.extend((each, level + 1) for each in current)
    return deepest
