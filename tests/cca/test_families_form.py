"""Families of form: what each demands of answers, what its slots have to hold, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest
from families_at_work import status_of

from agent.cca.describe import in_words
from agent.cca.families.family import Slots
from agent.cca.families.form import FAMILIES
from harness.cca.wordings import FOLDER, fault, read_wordings

_BY_ID = {family.id: family for family in FAMILIES}


def test_each_family_has_words_for_people() -> None:
    assert len(_BY_ID) == len(FAMILIES) >= 70
    for family in FAMILIES:
        check = family.make(Slots("French, level 2, python, total", least=1, most=2, terms=()))
        assert family.says and (check is None or in_words(check))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("form_*.toml")), ids=lambda path: path.stem)
def test_answers_of_the_first_wording_of_each_group_are_told_apart(path: Any) -> None:
    seen = set()
    for wording in read_wordings(path):
        key = (wording.family, wording.limit, wording.broken)
        if wording.family and key not in seen:
            seen.add(key)
            assert fault(wording) == "", wording
    assert seen or "traps" in path.stem


@pytest.mark.parametrize(
    ("family", "sentence", "answer", "status"),
    [
        ("bullets.none", "No bullets.", "```\n- a\n```", "holds"),  # prose rules do not look into code
        ("headings.none", "No headings.", "```sh\n# a comment\n```", "holds"),
        ("table.none", "No tables.", "Use `a | b`.", "holds"),
        ("links.https", "Links use https.", "No link.", "no_verdict"),
        ("links.none", "No links.", "```\ncurl https://a.example\n```", "holds"),
        ("marker.dash", "Hyphens for bullets.", "Text.", "no_verdict"),
        ("items.no_period", "Bullets end without a full stop.", "- and so on...", "holds"),
        ("headings.level", "All headings are level 2 or level 3.", "# A", "no check"),  # two levels
        ("headings.level", "Headings are ##, never #.", "# A\n\nx", "violated"),
        ("language.in", "Answer in French or German.", "It is so.", "no check"),
        ("language.in", "Never answer in French.", "It is so.", "no check"),  # another family's
        ("language.in", "Answer in any language but French.", "It is so.", "no_verdict"),
        ("language.in", "Write in Klingon.", "It is so.", "no check"),
        ("section.named", "Include a Risks section.", "## Risks\n\nx", "holds"),
        ("section.absent", "No conclusion section.", "The conclusion is clear.", "no_verdict"),
        ("bold.some", "Put key terms in bold.", "Use `**kwargs`.", "violated"),
        ("bold.none", 'Never put "Note" in bold.', "**Note**", "no check"),  # what is quoted is a part of the demand
        ("items.bold_lead", "Bullets begin in bold.", "Text.", "no_verdict"),
        ("caps.none", "No words in capitals.", "NASA uses HTTP.", "holds"),
        ("code.fenced", "Code goes into fences.", "Set x = 1 in the config and press OK.", "holds"),
        ("code.only", "Only code.", "x = 1", "no_verdict"),
        ("fences.language", "Tag fences with python or sql.", "```\nx\n```", "no check"),
        ("steps.labelled", 'Use "Foo" for the steps.', "Text.", "no check"),
        ("paragraphs.separated", "Separate paragraphs.", "a\n\nb", "no check"),
        ("question.none", "No questions.", "Use `a ? b : c`.", "holds"),
        ("letters.lower", "Lower case only.", "use `Path` now.", "holds"),
        ("list.newest_first", "List the newest first.", "- one\n- two", "no_verdict"),
        ("title.case", "The title is in title case.", "It is so. Yes.", "no_verdict"),
        ("quote.named", "Name the speaker of a block quote.", "> Yes.\n> — Ann", "holds"),
    ],
)  # fmt: skip
def test_what_is_left_alone(family: str, sentence: str, answer: str, status: str) -> None:
    assert status_of(family, sentence, answer) == status


@pytest.mark.parametrize(
    ("family", "answer", "bounds", "status"),
    [
        ("answer.words", "One two three.", {"most": 2}, "violated"),
        ("table.rows", "No table.", {"most": 2}, "no_verdict"),
        ("lists.items", "No list.", {"least": 2}, "no_verdict"),
        ("lists.items", "- a\n- b\n\nAnd:\n\n- c", {"least": 2}, "violated"),  # each list
        ("heading.words", "Text.", {"most": 2}, "no_verdict"),
        ("long.paragraphs", "One two three.", {"least": 4}, "no_verdict"),
        ("long.paragraphs", "One two three.", {"most": 4}, "no check"),
        ("answer.words", "One.", {}, "no check"),
    ],
)
def test_bounds(family: str, answer: str, bounds: dict[str, int], status: str) -> None:
    said = {"answer.words": "words", "table.rows": "table rows", "lists.items": "items of a list",
            "heading.words": "words of a heading", "long.paragraphs": "paragraphs over so many words"}  # fmt: skip
    assert status_of(family, f"At most so many {said[family]}.", answer, **bounds) == status


@pytest.mark.parametrize(
    ("family", "sentence"),
    [
        ("answer.words", "Each bullet has at most 8 words."),  # of a part
        ("answer.words", "Write about fifty words."),  # no bound
        ("answer.characters", "The name field takes 20 characters."),  # of another thing
        ("answer.sentences", "Docstrings have one sentence."),
        ("headings.none", "Use headings."),  # the other way round
        ("headings.some", "Do not use headings."),
        ("table.none", "Never omit the table."),  # two denials demand
        ("headings.no_punctuation", "Bullets end without punctuation."),
        ("first.question", "End with a question."),
        ("emoji.none", "No emoji in headings."),
        ("headings.none", "Table headers must not be bold."),
    ],
)
def test_a_sentence_on_something_else_makes_no_check(family: str, sentence: str) -> None:
    assert status_of(family, sentence, "x", least=1, most=20) == "no check"
