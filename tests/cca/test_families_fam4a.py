"""Families of texts: each check, made of the slots of a sentence, on answers that keep and break it."""

from __future__ import annotations

from typing import Any

import pytest
from families_at_work import status_of

from agent.cca.describe import in_words
from agent.cca.families.registry import families
from agent.cca.families.slots import see
from agent.cca.families.texts import FAMILIES
from harness.cca.wordings import FOLDER, fault, read_wordings

_WORDINGS = [each for each in read_wordings(FOLDER / "fam4a.toml") if each.family]


def test_each_family_is_told_by_its_wordings() -> None:
    assert {each.family for each in _WORDINGS} >= {family.id for family in FAMILIES}
    assert [each.text for each in _WORDINGS if fault(each)] == []
    for each in _WORDINGS:
        family = families()[each.family]
        made = family.make(see(each.text).slots)
        assert family.bounded or (made is not None and in_words(made))


@pytest.mark.parametrize(
    ("family", "sentence", "kept", "broken"),
    [
        ("greeting.mark", "End greetings with a comma.", "**Dear Ann,**\r\n\r\nDone.", "Dear Ann:\n\nDone."),
        ("greeting.own_line", "The greeting has its own line.", "Dear Ann, Bob and Cleo,\nDone.", "Hi Ann, it is done."),
        ("greeting.blank_after", "A blank line follows the greeting.", "Hi Ann,\r\n\r\nDone.", "Hi Ann,\r\nDone."),
        (
            "signoff.own_line",
            "Sign-off and name stand on separate lines.",
            "Done.\n\n*Kind regards,*\n*Ann*",
            "Done.\n\nCheers, Ann",
        ),
        ("subject.line", "Every e-mail has a subject line.", "Asunto: Hola\n\nHola Ana,\n\nSí.", "Hi Ann,\n\nDone."),
        ("ticket.named", "Name the ticket number in each reply.", "(Ref. 48213) Done.", "Your ticket is done."),
        ("label.values", 'Begin with "Verdict: PASS" or "Verdict: FAIL".', "## **Verdict:** `PASS`", "Verdict: OK"),
        ("labels.bold", 'The label "Fix:" is in bold.', "The Fix: it.\n__Fix:__ Now.", "Fix: Now."),
        ("labels.case", 'The label "FIX:" is in capitals.', "A fix: now.\n**FIX:** Now.", "Fix: Now."),
        ("labels.same_line", 'Text follows the label "Fix:" on the same line.', "**Fix:** Now.", "**Fix:**\nNow."),
        ("labels.own_line", 'After the label "Fix:" go on in the next line.', "**Fix:**  \nNow.", "**Fix:** Now."),
        (
            "labels.held",
            "Each bug has the fields Cause, Place and Fix.",
            "| Cause | Place | Fix |\n|---|---|---|\n| a | b | c |\n\nCause: a",
            "Cause: a\nFix: b",
        ),
        ("items.joined", 'Bullets have the form "Name: use".', "* **Tea**: to drink\n    * hot", "* Tea to drink"),
        ("items.tagged", "Each bullet begins with a tag in square brackets.", "- [ ] [UX] Fix it", "- Fix it [UX]"),
        ("items.first_words", "No two bullets begin with the same word.", "- Buy\n- Sell", "- Buy tea\n- buy rice"),
        ("items.gerund", "Each bullet begins with a gerund.", "- **Re-running** it\n- Preparando", "- Run it"),
        ("list.roman", "Number the list with Roman numerals.", "(i) a\n(ii) b\n\n1. x\n2. y", "1. a\n2. b"),
        ("first.block", "Start with a bulleted list.", "### Points:\n\n• Tea", "Well.\n\n- Tea"),
        ("last.block", "End with a table.", "x\n\na | b\n--|--\n1 | 2", "| a |\n|---|\n\nDone."),
        ("headings.same_level", "All headings have the same level.", "## A\n```\n# x\n```\n## B", "# A\n## B"),
        (
            "paragraphs.numbered",
            "Number all paragraphs.",
            "**1.** It is a long way to the sea and back.\n\nDear all,\n\n- a",
            "There is a long way to the sea and back again.",
        ),
        ("word_count.stated", "End with the word count.", "Ende.\n\n(1 Wörter)", "The end."),
        ("word_count.unstated", "Never state the word count.", "A page has 300 words or so.", "So.\n\n*(1 word)*"),
        ("edge.marker", "Write [END] on a line of its own at the end.", "So.\r\n`[END]`\r\n\r\n", "So. [END]"),
        ("score.out_of", "Give a score out of 10.", "**8**/10", "8 points, 80/100"),
        (
            "parts.told_order",
            "Pros come before cons.",
            "# Cons and pros of tea\n\n**Pros**\n\n- a\n\n**Cons**\n\n- b",
            "### Cons\n- b\n### Pros\n- a",
        ),
        (
            "fallback.alone",
            'If all is well, say "Nothing to report." and nothing else.',
            "There is nothing to report. Almost.",
            "Nothing to report.\n\nBye.",
        ),
    ],
)  # fmt: skip
def test_kept_and_broken(family: str, sentence: str, kept: str, broken: str) -> None:
    assert status_of(family, sentence, kept) != "violated"
    assert status_of(family, sentence, broken) == "violated"


@pytest.mark.parametrize(
    ("bounds", "kept", "broken"),
    [({"least": 4, "most": 4}, "Song\n\na\nb\nc\nd", "a\nb\nc"), ({"most": 2}, "a\nb\n\nc", "a\nb\nc")],
)
def test_stanzas(bounds: dict[str, Any], kept: str, broken: str) -> None:
    assert status_of("stanza.lines", "Stanzas have so many lines.", kept, **bounds) != "violated"
    assert status_of("stanza.lines", "Stanzas have so many lines.", broken, **bounds) == "violated"


@pytest.mark.parametrize(
    ("family", "sentence"),
    [
        ("greeting.mark", "A greeting may end with a comma."),
        ("greeting.mark", "The greeting ends with a comma or a colon."),
        ("greeting.own_line", "The greeting stands on the same line as the text, with a line break after it."),
        ("subject.line", "The subject line is at most eight words in e-mails."),
        ("subject.line", "Never include a subject line in e-mails."),
        ("ticket.named", "Name the ticket number in the reply if there is one."),
        ("ticket.named", "Never name the ticket number in a reply."),
        ("label.values", 'Write "Verdict: PASS", never "Verdict: OK".'),
        ("labels.bold", 'The labels "Problem:" and "Fix:" are never in bold.'),
        ("labels.held", "Each finding has the field Problem or Fix."),
        ("items.joined", 'Bullets are never written as "Term: meaning".'),
        ("items.tagged", "Do not begin bullets with a tag in square brackets."),
        ("items.first_words", "No two bullets in a row begin with the same word."),
        ("items.gerund", "No bullet begins with a gerund."),
        ("list.roman", "Do not number the list with Roman numerals."),
        ("first.block", "Do not start with a table."),
        ("last.block", "Do not end with a table."),
        ("last.block", "End each section with a table."),
        ("word_count.stated", "Do not state the word count at the end."),
        ("word_count.unstated", "Do not exceed the word count."),
        ("word_count.unstated", "State the word count."),
        ("edge.marker", "Never write [END] on the last line."),
        ("edge.marker", "Each section has [END] on its last line."),
        ("score.out_of", "Never give a score out of 10."),
        ("score.out_of", "List products with a rating of over 4 out of 5."),
        ("parts.told_order", "Never put the cons before the pros."),
        ("parts.told_order", "Think about the cause before the solution."),
        ("fallback.alone", 'If all is well, begin with "Nothing to report." and only then go on.'),
    ],
)
def test_what_is_left_alone(family: str, sentence: str) -> None:
    assert status_of(family, sentence, "") == "no check"
