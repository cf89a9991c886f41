"""Families of words, tone and typography: what each refuses and demands of answers, and what it leaves alone."""

from __future__ import annotations

import pytest
from families_at_work import status_of

from agent.cca.describe import in_words
from agent.cca.families.slots import see
from agent.cca.families.words import FAMILIES
from agent.cca.families.words.direction import choose

_BY_ID = {family.id: family for family in FAMILIES}


def test_each_family_has_words_for_people() -> None:
    assert len(_BY_ID) == len(FAMILIES) >= 70
    for family in FAMILIES:
        check = family.make(see('Never use "foo" or "bar" here; 12:30, in euros, YYYY-MM-DD.').slots)
        assert family.says and (check is None or in_words(check))


@pytest.mark.parametrize(
    ("family", "sentence", "answer", "status"),
    [
        ("term.absent", 'Never write "simply".', "Use `simply` as the flag.", "holds"),  # code is no wording
        ("term.absent", 'Never write "simply".', "It is simplyfied.", "holds"),  # a part of a word
        ("term.absent", 'Never write "Dear [name]".', "Dear Ann", "no check"),  # a form, no term
        ("term.instead", 'Write "log in to", not "log in".', "Now log in to it.", "no check"),  # one holds the other
        ("term.spelling", 'Spell it "SunRoof".', "See https://sunroof.example/start", "no_verdict"),
        ("term.absent", 'No "foo" in headings.', "# Bar\n\nfoo", "holds"),
        ("term.absent", 'No "foo" in table cells.', "foo", "no check"),  # a part that is not known
        ("mark.none", "No exclamation marks in headings.", "# Fine\n\nGreat!", "holds"),
        ("mark.none", "No semicolons; use commas.", "One, two.", "holds"),  # what is recommended is not refused
        ("mark.none", "Use commas instead of em dashes.", "One, two.", "holds"),
        ("mark.none", "Use commas instead of em dashes.", "One — two.", "violated"),
        ("mark.none", "No asterisks as bullets.", "2 * 3", "no check"),
        ("quote.kind", 'Double quotes, not single ones.', "It's the girls' bus, isn't it?", "holds"),
        ("oxford.required", "Use the Oxford comma.", "After lunch, Tom and Ann left.", "holds"),
        ("oxford.required", "Use the Oxford comma.", "Bring a pen, a book and a map.", "violated"),
        ("number.small_words", "Spell out numbers below ten.", "Python 3 supports it. See page 4.", "no_verdict"),
        ("shout.none", "No words in capitals.", "NASA uses HTTPS.", "holds"),
        ("shout.none", "No words in capitals.", "This is VERY IMPORTANT.", "violated"),
        ("phone.none", "No phone numbers.", "It has 1200 pages and costs 2024 pounds.", "holds"),
        ("placeholder.none", "No placeholders.", "See [the guide](https://a.example) and item [1].", "holds"),
        ("first_person.none", "No first person.", "World War I ended. Use the `we` flag.", "holds"),
        ("gendered.none", "No gendered pronouns.", "There are others.", "holds"),
        ("contraction.none", "Use contractions.", "It's hot.", "no check"),  # the sentence refuses nothing
        ("apology.present", "Never apologise.", "Fine.", "no check"),
        ("thanks.none", "No thanks.", "It works thanks to the new pump.", "holds"),
        ("passive.none", 'No passive with "by".', "Cork is harvested by hand, delayed by two days.", "holds"),
        ("thousands.mark", "A comma in thousands.", 'See RFC 9110; {"people": 709000}', "holds"),
        ("spelling.variety", "British spelling.", "The World Health Organization moved.", "holds"),
        ("shout.none", "No words in capitals.", "Run it.\n\n```sql\nSELECT TABLES;\n```", "holds"),
        ("date.form", "Dates as YYYY-MM-DD.", "It is due on 30 June.", "holds"),
        ("date.form", "Dates as YYYY-MM-DD.", "It may 5 or 1/2 of 3.", "holds"),
    ],
)  # fmt: skip
def test_leaves_alone_what_the_rule_does_not_mean(family: str, sentence: str, answer: str, status: str) -> None:
    slots_of = {"number.small_words": {"most": 9}}.get(family, {})
    assert status_of(family, sentence, answer, **slots_of) == status


@pytest.mark.parametrize(
    ("sentence", "way"),
    [
        ("Decimals take a point, not a comma.", "point"),
        ("Never use a decimal comma; use a point.", "point"),
        ("Commas instead of points.", "comma"),
        ("Instead of a point, use a comma.", "comma"),
        ("Prefer points to commas.", "point"),
        ("Don't write large numbers without commas.", "comma"),
        ("Points are not allowed.", "comma"),
        ("Replace points with commas.", "comma"),
        ("Neither points nor commas.", None),
        ("A point or a comma.", None),
    ],
)
def test_which_of_two_ways_is_wanted(sentence: str, way: str | None) -> None:
    assert choose(sentence, {"comma": r"\bcommas?\b", "point": r"\bpoints?\b"}) == way
