"""Checks of an answer that is data: how its JSON, its CSV are written, whatever is in them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from agent.cca.check_base import MAX_PATTERN_CHARS, Model, Terms, as_re2

JsonDemand = Literal[
    "snake_keys", "camel_keys", "kebab_keys", "pascal_keys", "lower_keys", "upper_keys", "spaceless_keys",
    "sorted_keys", "unique_keys", "key_order", "key_count", "same_keys", "items_have", "items_lack",
    "no_null", "no_empty_text", "no_empty", "no_stand_ins", "flat", "texts_only", "real_booleans", "real_numbers",
    "no_negative", "one_line_texts", "trimmed_texts", "iso_dates", "unique_items", "unique_by",
    "sorted_by", "falling_by", "sorted_items", "sums_to", "pair_order", "depth", "minified", "one_line", "pretty",
    "indent", "tabs", "first_key", "last_key", "counts", "text_characters", "text_words", "text_ids", "ascii_only",
    "no_html", "no_markdown", "boolean_keys", "decimals",
]  # fmt: skip
CsvDemand = Literal[
    "delimiter", "header", "has_header", "no_header", "columns", "rows", "equal_columns", "quoted", "unquoted",
    "commas_quoted", "spaceless", "filled", "first_numeric", "no_prose", "column", "header_form", "unique_rows",
    "unique_column", "rising", "falling",
]  # fmt: skip
JSON_WORDS: dict[str, str] = {
    "snake_keys": "keys in snake_case",
    "camel_keys": "keys in camelCase",
    "kebab_keys": "keys in kebab-case",
    "pascal_keys": "keys in PascalCase",
    "lower_keys": "keys in lower case",
    "upper_keys": "keys in upper case",
    "spaceless_keys": "keys without spaces",
    "sorted_keys": "keys in alphabetical order",
    "unique_keys": "no key twice",
    "key_order": "keys in the given order",
    "key_count": "that many keys",
    "same_keys": "all items with the same keys",
    "items_have": "each item with the given keys",
    "items_lack": "no item with the given keys",
    "no_null": "no null",
    "no_empty_text": "no empty strings",
    "no_empty": "no empty values",
    "no_stand_ins": "no words that stand for a missing value",
    "flat": "nothing nested",
    "texts_only": "all values strings",
    "real_booleans": "true and false, not words in quotes",
    "real_numbers": "numbers without quotes",
    "no_negative": "no negative numbers",
    "one_line_texts": "no line breaks in values",
    "trimmed_texts": "no spaces at the ends of values",
    "iso_dates": "dates as YYYY-MM-DD",
    "unique_items": "no item twice",
    "unique_by": "no value twice",
    "sorted_by": "items sorted, rising",
    "falling_by": "items sorted, falling",
    "sorted_items": "texts in alphabetical order",
    "sums_to": "numbers that add up",
    "pair_order": "the first not behind the second",
    "depth": "nested no deeper",
    "minified": "without white space",
    "one_line": "on one line",
    "pretty": "on several lines",
    "indent": "indented so",
    "tabs": "indented by tabs",
    "first_key": "the key first",
    "last_key": "the key last",
    "counts": "a number that tells how long the list is",
    "text_characters": "texts of so many characters",
    "text_words": "texts of so many words",
    "text_ids": "ids in quotes",
    "ascii_only": "ASCII only",
    "no_html": "no HTML in values",
    "no_markdown": "no Markdown in values",
    "boolean_keys": "keys of booleans that begin so",
    "decimals": "numbers of no more decimals",
}
CSV_WORDS: dict[str, str] = {
    "delimiter": "fields divided by the delimiter",
    "header": "the given header row",
    "has_header": "a header row",
    "no_header": "no header row",
    "columns": "that many columns",
    "rows": "that many rows",
    "equal_columns": "as many fields in each row",
    "quoted": "all fields in double quotes",
    "unquoted": "no quotes",
    "commas_quoted": "quotes around fields with commas",
    "spaceless": "no spaces beside the delimiter",
    "filled": "no empty cells",
    "first_numeric": "numbers in the first column",
    "no_prose": "rows and nothing else",
    "column": "a column of such values",
    "header_form": "names of columns in the given form",
    "unique_rows": "no row twice",
    "unique_column": "no value of the column twice",
    "rising": "rows sorted by the column, rising",
    "falling": "rows sorted by the column, falling",
}


class JsonForm(Model):
    """The JSON in the answer, or each of its lines, is written so; without JSON there is no verdict.

    ``names``: the keys that the demand is about. ``least``, ``most``: of keys, of levels, of spaces; what numbers add
    up to.
    """

    op: Literal["json_form"] = "json_form"
    demand: JsonDemand
    names: Terms = ()
    least: int | None = Field(default=None, ge=0)
    most: int | None = Field(default=None, ge=0)


class CsvForm(Model):
    """The delimited rows in the answer are written so; what is no such rows gives no verdict (but ``no_prose``).

    ``delimiter``: one character, else the one that divides the rows best. ``names``: the header's. ``rows``: with
    ``names`` those behind a header. ``column``: each filled cell of the column ``names`` (or ``#3``, ``#-1``), in
    Markdown tables as well, is of the RE2 ``pattern``; of ``header_form`` each name of a column is.
    """

    op: Literal["csv_form"] = "csv_form"
    demand: CsvDemand
    delimiter: str = Field(default="", max_length=1)
    names: Terms = ()
    least: int | None = Field(default=None, ge=0)
    most: int | None = Field(default=None, ge=0)
    pattern: str = Field(default="", max_length=MAX_PATTERN_CHARS)

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, value: str) -> str:
        return as_re2(value)
