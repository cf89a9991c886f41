"""What a sentence's slots are filled with: its reason left aside, which way it counts, what it contrasts."""

from __future__ import annotations

import pytest

from agent.cca.families.reasons import demand_of
from agent.cca.families.registry import families
from agent.cca.families.slots import bounded, see
from agent.cca.interpret import run_check


def said(family: str, sentence: str, answer: str, limit: str = "") -> str:
    """The status that the family's check has; "no check" where none is made."""
    seen, known = see(sentence), families()[family]
    slots = bounded(seen.slots, limit, seen) if limit else seen.slots
    check = None if slots is None else known.make(slots)
    return "no check" if check is None else run_check(check, answer).status


@pytest.mark.parametrize(
    ("sentence", "demand"),
    [
        ("The terminal has 80 columns, so keep lines below 72 characters", "keep lines below 72 characters"),
        ("Emoji look childish to our clients; leave them out", "leave them out"),
        ("Use short words, because many readers are children", "Use short words"),
        ("Since the page has a title already, begin with a paragraph", "begin with a paragraph"),
        ("As this is read aloud, use no tables", "use no tables"),
        ("Put the label first so that a script finds it", "Put the label first"),
        ("Tables break on a phone: don't send any", "don't send any"),
        ("Never write tabs, as the linter rejects them", "Never write tabs"),
        # all of the sentence demands, or none of it says why
        ("Use bullets; never use numbers", "Use bullets; never use numbers"),
        ("Sort the list: newest entries first", "Sort the list: newest entries first"),
        ("As the last line, print DONE", "As the last line, print DONE"),
        ("Write commits as in `feat: add login`", "Write commits as in `feat: add login`"),
        ("Since 2020, dates are written in ISO form", "Since 2020, dates are written in ISO form"),
        ('Say "because, so it is" once', 'Say "because, so it is" once'),
        ("Answers must be short, so answers must be one line", "Answers must be short, so answers must be one line"),
        ("Keep it as short as possible", "Keep it as short as possible"),
    ],
)
def test_a_reason_is_left_aside(sentence: str, demand: str) -> None:
    start, end = demand_of(sentence)
    assert sentence[start:end] == demand


@pytest.mark.parametrize(
    ("sentence", "amounts"),
    [
        ("Two columns of 40 fit on the page, so a code line has 38 characters at most", ["38"]),
        ("With three tables a page gets cramped, so a page has a maximum of two tables", ["two"]),
        ("Listings of more than seven lines scare beginners, so never write one", ["seven"]),
        ("Use at most 3 bullets and at most 5 headings", ["3", "5"]),
        ("Keep it to 50 words", ["50"]),
    ],
)
def test_what_a_reason_counts_bounds_nothing(sentence: str, amounts: list[str]) -> None:
    assert [mark.text for mark in see(sentence).amounts] == amounts


TABLE = "| a | b |\n|---|---|\n| 1 | 2 |"


@pytest.mark.parametrize(
    ("family", "sentence", "kept", "broken"),
    [
        ("images.none", "Images don't load on the kiosk; leave them out.", "A red roof.", "![a roof](roof.png)"),
        ("table.none", "WhatsApp turns a table into a mess of pipes, so don't send one.", "a and b", TABLE),
        ("headings.none", "It's three lines of text; it doesn't need headings, so leave them out.", "A.", "# A\nB."),
        ("answer.one_line", "As this goes into a commit hook's log, the message is a single line.", "Done.", "A\nB"),
        ("tabs.none", "The old form counts a tab as the end of a field, so the text must not hold tabs.", "a", "a\tb"),
    ],
)
def test_what_a_reason_denies_or_names_turns_nothing(family: str, sentence: str, kept: str, broken: str) -> None:
    assert said(family, sentence, kept) != "violated"
    assert said(family, sentence, broken) == "violated"
