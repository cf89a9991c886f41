"""Families of demands in many wordings: every one is read, and read as the same demand."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.cca import checks as c
from agent.cca.compiled import Source
from agent.cca.deterministic import compile_deterministic
from agent.cca.grammar.demand import demand
from agent.cca.interpret import run_check
from agent.cca.language import is_in
from agent.cca.quoted import quoted_terms
from agent.cca.verify import verify

FAMILIES: list[dict[str, Any]] = [
    family
    for path in sorted(Path(__file__).parent.glob("paraphrases*.toml"))
    for family in tomllib.loads(path.read_text("utf-8"))["family"]
]


def faults(wording: str, kept: list[str], broken: list[str]) -> list[str]:
    """What is wrong with how a wording is read; nothing when it is read as it should be."""
    compiled = compile_deterministic([Source("prompt", wording)])
    if not compiled.verifiers:
        return ["silent"]
    found = [f"flags {answer!r}" for answer in kept if verify(compiled, answer).violations]
    return found + [f"misses {answer!r}" for answer in broken if not verify(compiled, answer).violations]


@pytest.mark.parametrize("family", FAMILIES, ids=[family["name"] for family in FAMILIES])
def test_every_wording_of_a_demand_is_read_alike(family: dict[str, Any]) -> None:
    wrong = {wording: faults(wording, family["kept"], family["broken"]) for wording in family["wordings"]}
    assert {wording: found for wording, found in wrong.items() if found} == {}


LEFT_ALONE = [
    # a permission, an exception, a condition that the answer does not show, a part of the answer, another thing
    ("You may use bullet points.", "It is so."),
    ("Bullet points can be used.", "It is so."),
    ("Do not use tables unless asked.", "| a |\n|---|\n| 1 |"),
    ("No headings except the title.", "# Title\n\nIt is so."),
    ("Use bullets only for lists of files.", "It is so."),
    ("Avoid long paragraphs.", "It is so. " * 30),
    ("Avoid unnecessary commas.", "Red, green and blue."),
    ("Use about 50 words.", "It is so."),
    ("Around three sentences.", "It is so."),
    ("Table captions must not contain commas.", "Red, green."),
    ("Do not use bullets in commit messages.", "- a"),
    ("The first table has three rows.", "It is so."),
    ("Not only bullets but also headings may be used.", "It is so."),
    ("Prefer bullets to tables.", "| a |\n|---|\n| 1 |"),
    ("There is no need for a table.", "| a |\n|---|\n| 1 |"),
    ("No more questions are answered after midnight.", "Is it?"),
    ("Mention \"harbour\" only if the user asks for it.", "The harbour."),
    ("Words like \"sea\" are fine.", "The town."),
    ("Translate the German text.", "The file is read by the function and is not written, because it is on the disk."),
    ("In English, nouns are not capitalised.", "Die Datei wird von der Funktion gelesen und nicht geschrieben."),
    ("Do not parse HTML with `<answer>` tags.", "It is so."),
    ("List the three largest cities.", "Ann, Bob and Cid."),
    ("Summaries should be in the imperative.", "It is so."),
    ("Return a single object.", "It is so."),
    ("code blocks!", "It is so."),
    ("Rewrite JSON as prose, without braces.", "It is so."),
    ("Do not repeat the question.", "Is it? It is."),
    ("Never mix monospace and bold markers.", "It is **so**."),
    ("Pay special attention when the text contains \"or\".", "It is so."),
    ("Explain why the text does or does not hold, labelled as 'reason'.", "For this reason it holds."),
    ("Every node must include a \"name\" field.", "There is one node."),
    ("All arguments must be valid JSON.", "It is so."),
    ("It may be enclosed in <vars> tags.", "It is so."),
    ("Always begin your interaction with the `list_keys` tool.", "It is so."),
    ("Every output is a list, and each element is one task in one sentence.", "It is. It was."),
    ("The JSON keys must match the \"Prompt name\" fields exactly.", '{"a": 1}'),
    ("Do not invent an author or a URL.", "See https://e.org."),
    ("Never forget to use emojis.", "It is so 🎉"),
    ("The user wrote in German.", "The file is read by the function and is not written, because it is on the disk."),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "answer"), LEFT_ALONE, ids=[rule for rule, _ in LEFT_ALONE])
def test_what_is_no_such_demand_flags_nothing(rule: str, answer: str) -> None:
    assert verify(compile_deterministic([Source("prompt", rule)]), answer).violations == ()


@pytest.mark.parametrize(
    ("text", "language", "told"),
    [
        ("La función lee el archivo y no lo escribe, porque está en el disco del servidor.", "spanish", True),
        ("La función lee el archivo y no lo escribe, porque está en el disco del servidor.", "english", False),
        ("关于这个函数的说明：它读取文件，但是不写入任何内容，因为磁盘是只读的。", "chinese", True),
        ("The function reads the file and it is not written to the disk of the server.", "chinese", False),
        ("ok", "french", None),
        ("numpy pandas polars duckdb sqlite postgres", "english", None),
    ],
)
def test_a_language_is_told_or_not_judged(text: str, language: str, told: bool | None) -> None:
    assert is_in(text, language) is told


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("<a><b>1</b></a>", "holds"),
        ("<a>", "violated"),
        ("It is 1.", "violated"),
        ('<!DOCTYPE a [<!ENTITY x "xx">]><a>&x;</a>', "no_verdict"),
    ],
)
def test_xml_is_parsed_without_its_document_type(answer: str, status: str) -> None:
    assert run_check(c.Valid(format="xml"), answer).status == status


PIECES = (
    "do not", "never", "no", "use", "at most", "more than", "3", "fifty", "words", "bullets", "per", "each", "sentence", "JSON",
    "only", "§", '"sea"', "`x`", "between", "and", "or", ",", ":", "|", ".", "<a>", "</a>", "tags", "in German", "first line",
    "starts with", "(e.g.", ")", "without", "neither", "sorted", "alphabetical", "list", "unique", "yes", "paragraph 2",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=40))
@settings(max_examples=150, deadline=None)
def test_no_wording_breaks_the_grammar(pieces: list[str]) -> None:
    text = " ".join(pieces)
    assert demand(text, quoted_terms(text)) == demand(text, quoted_terms(text))


@pytest.mark.parametrize(
    "piece", ["no ", "at most 3 words and ", "each sentence ", "(e.g. ", "starts with ", "a, ", "§ "]
)
def test_reading_what_repeats_comes_to_an_end(piece: str) -> None:
    assert not demand((piece * 600)[:600].strip(), ()).whole or piece == "no "


@pytest.mark.parametrize(
    ("rule", "answer", "said"),
    [
        ("Do not apologize.", "I apologize.", "1 apologies"),
        ("Use at least two words in all capital letters.", "It is.", "no words in capitals"),
        ("Sort the list alphabetically.", "- b\n- a", "1 of its lists: “a” comes after “b”"),
        ("Answer in German.", "The file is read by the function and is not written to the disk.", "is not in German"),
    ],
)
def test_a_breach_is_told_in_words(rule: str, answer: str, said: str) -> None:
    (found,) = verify(compile_deterministic([Source("prompt", rule)]), answer).violations
    assert found.verdict.message == said


def test_the_rows_of_a_table_are_rules_where_they_demand(compiled: Any) -> None:
    made = compiled("| What | How |\n|---|---|\n| Length | at most 5 words |\n| Owner | Ann |\n")
    assert [(each.rule.quote.first_line, each.rule.text) for each in made.verifiers] == [(3, "Length: at most 5 words")]
