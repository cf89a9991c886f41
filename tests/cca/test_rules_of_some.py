"""Rules that somebody wrote to break the reader: an answer that obeys is not flagged, what many do binds no answer."""

from __future__ import annotations

import pytest

from agent.cca.compiled import Source
from agent.cca.describe import in_words
from agent.cca.deterministic import compile_deterministic
from agent.cca.verify import verify


def said(rule: str, answer: str) -> str:
    found = verify(compile_deterministic([Source("prompt", f"{rule}\n")]), answer)
    return "violated" if found.violations else "held" if found.held and not found.undecided else "silent"


ANSWERS = (
    "The key signs it. It is so, and it stays.",
    "# A\n\n- one\n- two\n\nColour.\n",
    '{"a": 1}',
    "Ja, das ist so.",
)


@pytest.mark.parametrize(
    "sentence",
    [
        'Most answers start with "Yes" or "No".',
        "Many replies end with a question.",
        "Most answers have three paragraphs.",
        "Most sentences are under 20 words.",
        "Some answers will need a table.",
        "Some headings must be bold.",
        'Answers used to end with "Thanks".',
        "Replies used to be in JSON.",
        "Our users write in English.",
        "Most of our customers write in French.",
    ],
)
def test_what_some_are_and_what_once_was_binds_no_answer(sentence: str) -> None:
    assert [said(sentence, answer) for answer in ANSWERS] == ["silent"] * len(ANSWERS)


@pytest.mark.parametrize(
    ("rule", "kept", "broken"),
    [
        ("Separate items with commas, not semicolons.", "a, b, c", "a\nb"),
        ("Separate items with semicolons instead of commas.", "a; b; c", "a, b, c"),
        ("Never use the phrase `used to`.", "It signs.", "It used to sign."),
        ('Never say "best practices".', "It signs.", "Follow best practices."),
        ('Never talk of the context ("the documents say").', "It signs.", "According to the context, it signs."),
        ("We want at most two sentences.", "One. Two.", "One. Two. Three."),
        ("Each takeaway must be one sentence.", "## Takeaways\n\n- One is so.\n", "## Takeaways\n\n- One. And two.\n"),
        (
            "Keep the introduction to one sentence.",
            "# Introduction\n\nIt signs.\n\n# More\n\nIt is old. It is new.\n",
            "# Introduction\n\nIt signs. It is old.\n",
        ),
        ("Please refrain from using acronyms.", "It is OK to open a file.", "The FBI opened a file."),
    ],
)
def test_the_rule_is_read_the_way_it_is_said(rule: str, kept: str, broken: str) -> None:
    assert said(rule, kept) == "held", rule
    assert said(rule, broken) == "violated"


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        ("Keep the introduction to one sentence.", "It is signed.\n\nMore of it. And more."),
        ("Limit the opening to five words.", "It is signed.\n\nThere is more of it. And more."),
        ("Every section needs a heading.", "# A\n\nText.\n\n## B\n\nMore.\n"),
        ("Each section must start with a heading.", "# Section musts\n\n- Text.\n\n## B\n\nMore.\n"),
        ('Never say "best practices".', "Based on the context, the key signs it."),
        ('Never say "out of the box".', "According to the documents, it does."),
        ("Write acronyms out on first use.", "The Domain Name System (DNS) is used. DNS is old."),
    ],
)
def test_an_answer_that_obeys_is_not_flagged(rule: str, kept: str) -> None:
    assert said(rule, kept) != "violated"


def test_a_check_in_words_has_no_article_behind_its_number() -> None:
    rules = compile_deterministic([Source("prompt", "Do not end with a question.\n")])
    assert [in_words(each.check) for each in rules.verifiers] == ["the last line: no question"]
