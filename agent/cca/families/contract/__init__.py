"""Families of demands: contracts about the output, so that a program can read it."""

from __future__ import annotations

from agent.cca.families.contract import (
    columns,
    csv_more,
    divided,
    json_field,
    json_form,
    json_more,
    json_whole,
    labels,
    lines,
    marked,
    markup,
    rows,
    statements,
    yaml_more,
)
from agent.cca.families.family import Family

FAMILIES: tuple[Family, ...] = (
    *json_whole.FAMILIES,
    *json_form.FAMILIES,
    *json_field.FAMILIES,
    *rows.FAMILIES,
    *markup.FAMILIES,
    *labels.FAMILIES,
    *divided.FAMILIES,
    *lines.FAMILIES,
    *statements.FAMILIES,
    *columns.FAMILIES,
    *marked.FAMILIES,
    *json_more.FAMILIES,
    *csv_more.FAMILIES,
    *yaml_more.FAMILIES,
)
