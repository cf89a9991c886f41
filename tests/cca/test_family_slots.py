"""What a sentence's slots are filled with: its reason left aside, which way it counts, what it contrasts."""

from __future__ import annotations

import pytest

from agent.cca.families.pairs import is_swapped
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


PY = "```python\n{}\n```"
SH = "```bash\n{}\n```"
JS = "```js\n{}\n```"


@pytest.mark.parametrize(
    ("family", "sentence", "kept", "broken"),
    [
        ("code.instead", "Prefer `httpx.get()` over `requests.get()`.", PY.format("httpx.get(url)"),
         PY.format("requests.get(url)")),
        ("code.instead", "Replace `os.popen()` with `subprocess.run()`.", PY.format("subprocess.run(a)"),
         PY.format("os.popen(a)")),
        ("code.instead", "We moved away from `print()`, so code calls `log.info()` instead.", PY.format("log.info(a)"),
         PY.format("print(a)")),
        ("code.instead", "Say `pnpm install`, not `npm install`.", SH.format("pnpm install"), SH.format("npm install")),
        ("command.long_options", "Write `--quiet` rather than `-q`.", SH.format("tar --quiet a"), SH.format("tar -q a")),
        ("command.no_chain", "Never put several commands on one line.", SH.format("cd a\nls"), SH.format("cd a && ls")),
        ("js.no_require", "Use ES modules in JavaScript.", JS.format("import a from 'a';"),
         JS.format("const a = require('a');")),
        ("js.double_quotes", "No single-quoted strings in JavaScript.", JS.format('const a = "b";'),
         JS.format("const a = 'b';")),
        ("branch.prefix", "Name the branch `feature/...` or `bugfix/...`.", "git switch -c feature/login",
         "git switch -c login"),
        ("python.bool_names", "Predicates are named `is_ready` or `has_rows`.", PY.format("def is_open(a) -> bool:\n    return a"),
         PY.format("def open_now(a) -> bool:\n    return a")),
        ("changelog.verbs", "One of four verbs opens each entry in CHANGELOG.md: Add, Fix, Change, Remove.",
         "- Add login", "- Adding login"),
        ("code.no_trailing_space", "No line of code may end in a space.", PY.format("a = 1"), PY.format("a = 1 ")),
        ("headings.apart", "A heading is never put right after another heading.", "# A\nText\n## B\nMore", "# A\n## B\nMore"),
        ("headings.blank_around", "Each heading is preceded and followed by an empty line.", "A\n\n# B\n\nC", "A\n# B\nC"),
        ("headings.numbered", "The headings are numbered 1, 2, 3 and so on.", "# 1 A\n# 2 B", "# A\n# B"),
        ("numbers.parenthesis", "Number the steps of a list 1), 2), 3) and so forth.", "1) a\n2) b", "1. a\n2. b"),
        ("title.no_period", "Leave the full stop off the title.", "# A roof\n\nText.", "# A roof.\n\nText."),
        ("emoji.first", "A message without an emoji at its start is sent back.", "🎉 Done", "Done"),
        ("caps.none", 'A word like "NEVER" in all capitals is not our tone.', "Never do it.", "NEVER do it."),
        ("emphasis.none", "Our style has no bold and no italics.", "A word.", "A **word**."),
        ("list.unique", "The entries of a list are distinct.", "- a\n- b", "- a\n- a"),
        ("code.last", "No closing words after the snippet.", "Here:\n```\na\n```", "```\na\n```\nThat is it."),
    ],
)  # fmt: skip
def test_a_demand_is_read_by_other_words_and_contrasts(family: str, sentence: str, kept: str, broken: str) -> None:
    assert said(family, sentence, kept) != "violated"
    assert said(family, sentence, broken) == "violated"


@pytest.mark.parametrize(
    ("family", "sentence"),
    [
        ("code.instead", "Prefer `httpx.get()` in all code."),
        ("code.instead", "Compare `httpx.get()` with `requests.get()`."),
        ("branch.prefix", "Branches are short."),
        ("headings.title_case", 'The heading "Results" is in title case.'),
        ("title.no_period", "The title ends with a full stop."),
        ("emoji.first", "Don't begin with an emoji."),
        ("commit.capital", "Begin the subject with a small letter."),
        ("headings.upper", "Headings are written in small letters."),
        ("lists.none", "Use a list for the steps."),
        ("code.explained", "Explain line by line how the code below works."),
        ("long.headings", "No heading has more than 8 words."),
    ],
)
def test_what_is_another_demand_makes_no_check(family: str, sentence: str) -> None:
    limit = "most" if families()[family].bounded else ""
    assert said(family, sentence, "", limit) == "no check"


@pytest.mark.parametrize(
    ("sentence", "swapped"),
    [
        ('"B" comes after "A"', True),
        ('The section "B" follows the section "A"', True),
        ('Never put "B" before "A"', True),
        ('Before "B" there is "A"', True),
        ('"B" is not earlier than "A"', True),
        ('Rows in which "B" lies before "A" are wrong, so the check rejects a row with "B" before "A"', False),
        ('"B" stands before "A"', False),
        ('"B" must not come after "A"', False),
        ('Write "B", then "A"', False),
        ('Write "B" and after it "A"', False),
        ('A day can\'t end before it begins: "B" is before "A"', False),
        ('The order is "B", "A"', False),
    ],
)
def test_which_of_two_terms_comes_first(sentence: str, swapped: bool) -> None:
    assert is_swapped(sentence, "B", "A") is swapped


@pytest.mark.parametrize(
    ("sentence", "amounts"),
    [
        ("If a line has more than 90 letters, break it in two", ["90"]),
        ("Break the text into two paragraphs", ["two"]),
        ("Put `LIMIT 50` at the end of the query", ["50"]),
        ("Write `50` in the first line", []),
        ("Cite places such as lib/a.js:7, at most 3 of them", ["3"]),
        ("The lead, i.e. the first sentence, has up to nine words", ["nine"]),
        ('A subject such as "fix" says nothing, so it has four words or more', ["four"]),
    ],
)
def test_a_number_that_bounds_nothing_is_left_aside(sentence: str, amounts: list[str]) -> None:
    assert [mark.text for mark in see(sentence).amounts] == amounts


@pytest.mark.parametrize(
    ("family", "sentence", "kept", "broken"),
    [
        ("sections.order", 'The section "Cost" comes after "Plan".', "# Plan\na\n# Cost\nb", "# Cost\na\n# Plan\nb"),
        ("sections.order", 'Put "Plan" before "Cost".', "# Plan\na\n# Cost\nb", "# Cost\na\n# Plan\nb"),
        ("json.pair_order", '"to" is never smaller than "from".', '{"from": 1, "to": 2}', '{"from": 2, "to": 1}'),
        ("tags.order", "Before <b> there is an <a> block.", "<a>x</a><b>y</b>", "<b>y</b><a>x</a>"),
        ("title.wrapped", "Put the title inside << and >>.", "<<A roof>>\nText.", "A roof\nText."),
        ("field.value", 'Nothing but "low" or "high" may stand in the "risk" field.', '{"risk": "low"}', '{"risk": "no"}'),
        ("field.value", 'Other values than "red" and "blue" are invalid for "hue".', '{"hue": "red"}', '{"hue": "tan"}'),
        ("field.value", 'The value "none" is not allowed for "hue".', '{"hue": "red"}', '{"hue": "none"}'),
        ("field.form", "`sku` matches `^[A-Z]{3}-[0-9]{2}$`.", '{"sku": "ABC-12"}', '{"sku": "AB-1"}'),
        ("field.form", '"tel" is in E.164 format.', '{"tel": "+4930123456"}', '{"tel": "030 123"}'),
        ("field.type", 'Although it looks like a number, "plz" is a string.', '{"plz": "010"}', '{"plz": 10}'),
        ("json.indent", "Pretty-print the JSON, never on one line.", '{\n  "a": 1\n}', '{"a": 1}'),
        ("statement.clause", "The query has a GROUP BY clause.", "```sql\nSELECT a FROM t GROUP BY a\n```", "```sql\nSELECT a FROM t\n```"),
        ("tags.held", "The output has a <plan> part.", "<plan>a</plan>", "a"),
    ],
)  # fmt: skip
def test_terms_and_values_are_told_apart_in_any_order(family: str, sentence: str, kept: str, broken: str) -> None:
    assert said(family, sentence, kept) != "violated"
    assert said(family, sentence, broken) == "violated"


@pytest.mark.parametrize(
    "sentence",
    [
        "Don't use H1; the first level for you is H2.",
        "The site reserves H1: no H1, the highest heading is an H2.",
        "Never use H1 headings; the highest level is 2.",
        "A level-1 heading must not be used, since the CMS prints one.",
    ],
)
def test_the_level_below_one_that_is_taken_is_the_highest(sentence: str) -> None:
    assert said("headings.highest", sentence, "## A\nb") != "violated"
    assert said("headings.highest", sentence, "# A\nb") == "violated"


@pytest.mark.parametrize("sentence", ["Headings are H1 or H2.", "The text begins with an H1."])
def test_levels_that_are_wanted_take_none_away(sentence: str) -> None:
    assert said("headings.highest", sentence, "# A\nb") != "violated"
