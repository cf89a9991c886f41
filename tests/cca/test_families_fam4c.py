"""Families of JSON, CSV, YAML, SQL, scripts and commits: what each demands, what it leaves alone, what breaks none."""

from __future__ import annotations

from typing import Any

import pytest
from families_at_work import status_of

from agent.cca.describe import in_words
from agent.cca.families.family import Slots
from agent.cca.families.registry import families
from harness.cca.wordings import FOLDER, fault, read_wordings

_WORDINGS = list(read_wordings(FOLDER / "fam4c.toml"))


@pytest.mark.parametrize("family", sorted({each.family for each in _WORDINGS if each.family}))
def test_answers_of_the_wordings_are_told_apart(family: str) -> None:
    own = [each for each in _WORDINGS if each.family == family]
    assert len(own) >= 8 and [fault(each) for each in own if fault(each)] == []
    check = families()[family].make(Slots("", most=2))
    assert families()[family].says and (check is None or in_words(check))


@pytest.mark.parametrize(
    ("family", "sentence", "answer", "status"),
    [
        ("json.key_place", "The first item has the key `id`.", '{"a": 1}', "no check"),
        ("json.key_place", "The object never starts with `id`.", '{"id": 1}', "no check"),
        ("json.key_place", "Sort objects by `id`, lowest first.", '{"a": 1}', "no check"),
        ("json.key_place", "The first key is `id`.", '{"id": 1, "owner": {"name": "x", "id": 2}}', "holds"),
        ("json.counts", "`total` is not the number of `items`.", '{"total": 1, "items": []}', "no check"),
        ("json.counts", "`total` is at least the number of `items`.", '{"total": 1, "items": []}', "no check"),
        ("json.text_ids", "Ids are integers, not strings.", '{"id": "1"}', "no check"),
        ("json.text_ids", "Ids are strings.", '{"paid": 3, "grid": 4}', "no_verdict"),
        ("json.no_markup", "HTML is fine in JSON values.", '{"a": "<p>"}', "no check"),
        ("json.envelope", "Do not wrap the array in an object with `data`.", "[1]", "no check"),
        ("json.envelope", "Each item is wrapped under `data`.", "[1]", "no check"),
        ("json.boolean_keys", "Boolean keys have a prefix such as `is_`.", '{"a": true}', "no check"),
        ("json.boolean_keys", "Boolean keys never start with `is_`.", '{"is_a": true}', "no check"),
        ("json.ascii", "Do not escape non-ASCII characters in JSON.", '{"a": "é"}', "no check"),
        ("csv.header_form", "Header names are in camelCase, not snake_case.", "aB,c\nx,y", "holds"),
        ("csv.header_form", "CSV columns are snake_case or camelCase.", "A,b\nx,y", "no check"),
        ("csv.unique", "The columns `a` and `b` are unique together.", "a,b\n1,2\n1,2", "no check"),
        ("csv.sorted", "Sort the rows by `a`, then by `b`.", "a,b\n2,2\n1,2", "no check"),
        ("csv.sorted", "Never sort the rows by `a`.", "a,b\n1,2\n2,2", "no check"),
        ("csv.sorted", "Sort the rows by `a`.", "a,b\nitem 9,2\nitem 10,2", "no_verdict"),
        ("yaml.booleans", "YAML booleans are yes and no, not true and false.", "```yaml\na: yes\n```", "no check"),
        ("yaml.booleans", "YAML booleans are true or false.", "```yaml\nrun: |\n  answer: yes\n```", "no_verdict"),
        ("yaml.no_anchors", "Use anchors in YAML.", "```yaml\na: &b 1\n```", "no check"),
        ("yaml.no_comments", "Comment the YAML.", "```yaml\n# x\na: 1\n```", "no check"),
        ("yaml.key_form", "YAML keys are snake_case.", "```yaml\na_b: 'C-d: x'\n- e\n---\n```", "holds"),
        ("markup.double_quotes", "Attributes are in single quotes.", '<a b="c">', "no check"),
        ("xml.no_self_closing", "Use self-closing tags for empty elements.", "<a/>", "no check"),
        ("http.upper_methods", "HTTP methods are in lower case.", "`get /a`", "no check"),
        ("http.upper_methods", "HTTP methods are in capitals.", "Then get /dev/null and delete /tmp/a.", "holds"),
        ("http.prefix", "Endpoint paths never start with `/api`.", "GET /api/x", "no check"),
        ("http.prefix", "Paths start with a prefix such as `/api`.", "GET /x", "no check"),
        ("sql.avoid", "Use UNION ALL, never UNION.", "```sql\nSELECT 1 UNION ALL SELECT 2\n```", "holds"),
        ("sql.avoid", "Use UNION ALL, never UNION.", "```sql\nSELECT 1 UNION SELECT 2\n```", "violated"),
        ("sql.avoid", "Use SELECT DISTINCT for lists.", "SELECT DISTINCT a FROM t", "no check"),
        ("sql.avoid", "Don't forget HAVING.", "SELECT a FROM t", "no check"),
        ("sql.avoid", "Never use HAVING where WHERE would do.", "SELECT a FROM t", "no check"),
        ("sql.avoid", "No TRUNCATE in SQL.", "SELECT TRUNCATE(a, 2) FROM t", "holds"),
        ("json.envelope", "Put the tags in a list under `tags`.", '{"post": {"tags": []}}', "no check"),
        ("sql.avoid", "Never use OFFSET unless asked.", "SELECT a FROM t OFFSET 5", "no check"),
        ("sql.if_exists", "Do not use IF NOT EXISTS.", "CREATE TABLE t (a int)", "no check"),
        ("script.function_form", "Use the `function` keyword.", "```bash\nfunction a {\n:\n}\n```", "no check"),
        ("script.quoted_variables", "Never quote variables in scripts.", "```bash\nrm $a\n```", "no check"),
        ("script.quoted_variables", "Quote variables.", "```bash\nls *.txt # $x\nn=$((a + $b))\n```", "holds"),
        ("python.no_raise_exception", "Never catch Exception.", "```python\nraise Exception\n```", "no check"),
        ("python.no_raise_exception", "Raise Exception when it fails.", "```python\nraise Exception\n```", "no check"),
        ("python.isinstance", "Avoid isinstance.", "```python\nisinstance(a, int)\n```", "no check"),
        ("python.import_alias", "Never import numpy as np.", "```python\nimport numpy\n```", "no check"),
        ("python.import_alias", "Treat files as np.", "```python\nimport files\n```", "no check"),
        ("commit.imperative", "The PR title is in the imperative.", "Added a thing to x", "no check"),
        ("commit.imperative", "Commits are in the imperative.", "Ajoute un cache pour les jetons", "holds"),
        ("commit.coauthor", "No Co-authored-by trailers.", "Add a thing to x", "no check"),
        ("commit.coauthor", "Commits have a Co-authored-by line.", "Here is what I think. It is fine.", "no_verdict"),
    ],
)  # fmt: skip
def test_what_is_left_alone(family: str, sentence: str, answer: str, status: str) -> None:
    assert status_of(family, sentence, answer) == status


@pytest.mark.parametrize("family", ["json.text_length", "json.decimals"])
def test_a_lower_bound_alone_is_no_such_demand(family: str) -> None:
    bounds: dict[str, Any] = {"least": 2}
    assert status_of(family, "Strings in the JSON have 2 words or decimals.", '{"a": "b"}', **bounds) == "no check"
