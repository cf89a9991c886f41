"""Demands on the layout of an answer in Markdown: a closed list, with words for people."""

from __future__ import annotations

from typing import Literal

from agent.cca.check_base import Model

LayoutDemand = Literal[
    "level_by_level",
    "blank_after_headings",
    "blank_before_headings",
    "text_under_headings",
    "no_stacked_headings",
    "headings_differ",
    "sentence_case_headings",
    "title_case_headings",
    "title_case",
    "list_after_colon",
    "list_introduced",
    "blank_before_lists",
    "spaced_items",
    "tight_items",
    "blank_between_paragraphs",
    "single_blank_lines",
    "flush_paragraphs",
    "code_first",
    "text_first",
    "text_after_code",
    "text_before_code",
    "only_code",
    "filled_cells",
    "table_introduced",
    "only_table",
    "text_after_table",
    "equal_rows",
    "right_aligned_numbers",
    "sorted_rows",
    "markdown_links",
    "links_last",
    "rule_between_sections",
]
WORDS: dict[str, str] = {
    "level_by_level": "headings skip no level",
    "blank_after_headings": "a blank line after each heading",
    "blank_before_headings": "a blank line before each heading",
    "text_under_headings": "text under each heading",
    "no_stacked_headings": "no heading straight under another",
    "headings_differ": "headings that differ",
    "sentence_case_headings": "headings in sentence case",
    "title_case_headings": "headings in title case",
    "title_case": "in title case",
    "list_after_colon": "a line that ends with a colon before each list",
    "list_introduced": "text before each list",
    "blank_before_lists": "a blank line before each list",
    "spaced_items": "blank lines between list items",
    "tight_items": "no blank lines between list items",
    "blank_between_paragraphs": "blank lines between paragraphs",
    "single_blank_lines": "no two blank lines together",
    "flush_paragraphs": "paragraphs are not indented",
    "code_first": "code comes first",
    "text_first": "text comes before code",
    "text_after_code": "text after each code block",
    "text_before_code": "text before each code block",
    "only_code": "nothing but code",
    "filled_cells": "no empty table cells",
    "table_introduced": "text before each table",
    "only_table": "nothing but a table",
    "text_after_table": "text after each table",
    "equal_rows": "as many cells in each row of a table",
    "right_aligned_numbers": "number columns aligned to the right",
    "sorted_rows": "table rows in alphabetical order",
    "markdown_links": "no bare addresses",
    "links_last": "links at the end alone",
    "rule_between_sections": "a horizontal rule between sections",
}


class Layout(Model):
    """The answer is laid out so; without the part that is spoken of there is no verdict."""

    op: Literal["layout"] = "layout"
    demand: LayoutDemand
