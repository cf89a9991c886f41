"""Families of demands: every wording is read as what its answers say, and nothing that is said breaks the reader."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.cca.compiled import Source
from agent.cca.deterministic import compile_deterministic
from agent.cca.families.demands import demands
from agent.cca.families.family import Slots
from agent.cca.families.marks import numbers_in, terms_in
from agent.cca.families.model import NONE, load_model
from agent.cca.families.read import read_family
from agent.cca.families.registry import families
from agent.cca.families.slots import bounded, see
from agent.cca.interpret import run_check
from agent.cca.verify import verify
from harness.cca.wordings import all_wordings, fault


def test_every_wording_makes_a_check_that_tells_its_answers_apart() -> None:
    faults = [f"{each.family}: {each.text}: {said}" for each in all_wordings() if each.family and (said := fault(each))]
    assert faults == []


def test_the_weights_are_of_the_families_that_stand() -> None:
    model = load_model()
    assert model is not None
    known, worded = set(model.families.classes) - {NONE}, {each.family for each in all_wordings() if each.family}
    assert known <= set(families())
    assert len(worded - known) < 0.02 * len(worded)  # those written since the last training


def said(rule: str, answer: str) -> str:
    found = verify(compile_deterministic([Source("rules", rule)]), answer)
    return "violated" if found.violations else "held" if found.held else "silent"


@pytest.mark.parametrize(
    ("rule", "kept", "broken"),
    [
        ("Not one emoji is to turn up in what you send.", "All done.", "All done 🎉"),
        ("Aim for somewhere from 3 up to 6 words in total.", "It is done now.", "It is done, and there is more to say."),
        ("Our house style has no room for the word \"leverage\".", "We use it.", "We leverage it."),
        ("Send back nothing but JSON.", '{"a": 1}', 'Here it is: {"a": 1}'),
        ("Never leave an except clause bare.", "```python\ntry:\n    run()\nexcept OSError:\n    stop()\n```",
         "```python\ntry:\n    run()\nexcept:\n    stop()\n```"),
    ],
)  # fmt: skip
def test_ordinary_rules_in_words_of_ones_own_are_checked(rule: str, kept: str, broken: str) -> None:
    assert said(rule, kept) != "violated"
    assert said(rule, broken) == "violated"


@pytest.mark.parametrize(
    "rule",
    [
        "Use no more than 50 words unless the user asks for detail.",
        "The commit that adds the template must have at most 50 characters in its subject.",
        "Keep the answer short and to the point.",
        "The input document has at most 300 words.",
        "Ideally the answer has about 3 words.",
    ],
)
def test_what_an_exception_or_another_thing_limits_is_left_alone(rule: str) -> None:
    assert said(rule, "This is an answer of quite a number of words, " * 8) != "violated"


@given(st.text(max_size=300))
@settings(max_examples=150, deadline=None)
def test_no_text_breaks_the_reader(text: str) -> None:
    check = read_family(text)
    if check is not None:
        run_check(check, text)


def test_no_slots_break_a_family() -> None:
    """A check, None, or a ``ValueError`` where a check could not hold so much."""
    chosen = random.Random(7)
    words = ["", "a", "`", "x" * 500, "\\", "[", "(?P<", "é\u0301", "\n", "3", "**", "name, id", "{", "🎉", "-1"]
    for family in families().values():
        for _ in range(12):
            terms = tuple(chosen.choice(words) for _ in range(chosen.randrange(4)))
            listed = tuple(chosen.choice(words) for _ in range(chosen.randrange(4)))
            least, most = chosen.choice([(None, 3), (2, None), (0, 0), (5, 2), (None, None), (10**9, None)])
            slots = Slots(
                text=" ".join(chosen.choice(words) for _ in range(6)),
                least=least,
                most=most,
                numbers=tuple(chosen.choice([0.0, 1.0, 2.5, 1e9]) for _ in range(chosen.randrange(3))),
                terms=terms,
                contrast=listed,
                listed=listed,
            )
            try:
                check = family.make(slots)
            except ValueError:
                continue
            if check is not None:
                run_check(check, "# A\n\n- b\n\n```python\nx = 1\n```\n| a |\n|---|\n| 1 |\n")


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("Use 5-10 words", [(5, 10)]),
        ("between five and 10 words", [(5, 10)]),
        ("no fewer than 3 and no more than 6 items", [(3, 6)]),
        ("at most 1,200 characters", [(1200, 1200)]),
        ("Dates are ISO 8601, and Python 3.11 is used", []),
        ("a 30-word blurb", [(30, 30)]),
        ("Hashtags: two at least, four at most", [(2, 4)]),
        ("not longer than 150 words or shorter than 50", [(50, 150)]),
        ("at most 6 but at least 2 items", [(2, 6)]),
        ("25 words, give or take five", [(20, 30)]),
        ("200 words, plus or minus 10%", [(180, 220)]),
        ("three bullets, never two or four", [(3, 3)]),
        ("exactly one question, neither none nor two", [(1, 1)]),
        ("round numbers, e.g. 300", []),
        ('the word "12 monkeys" once', [(1, 1)]),
    ],
)
def test_numbers_are_found_where_they_count(text: str, amounts: list[tuple[int, int]]) -> None:
    assert [(mark.low, mark.high) for mark in numbers_in(text, terms_in(text))] == amounts


@pytest.mark.parametrize(
    ("text", "terms", "contrast"),
    [
        ('Say "sign in", not "login"', ("sign in",), ("login",)),
        ('Do not use "simply" or "just"', ("simply", "just"), ()),
        ("Write `X | None` instead of `Optional[X]`", ("X | None",), ("Optional[X]",)),
        ('Never "obviously"', ("obviously",), ()),
    ],
)
def test_what_is_named_is_told_from_what_it_replaces(
    text: str, terms: tuple[str, ...], contrast: tuple[str, ...]
) -> None:
    slots = see(text).slots
    assert (slots.terms, slots.contrast) == (terms, contrast)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Words: < 120", "Words: fewer than 120"),
        ("Output size: <= 15 lines", "Output size: at most 15 lines"),
        ("≥3 bullets", "at least 3 bullets"),
        ("Never write `a < 3` here", "Never write `a < 3` here"),
    ],
)
def test_signs_that_compare_are_put_in_words_outside_of_quotes(text: str, said: str) -> None:
    assert see(text).text == said


@pytest.mark.parametrize(
    ("family", "rule", "kept", "broken"),
    [
        ("code.block_lines", "No code block should be longer than 2 lines.", "```\na\n```", "```\na\nb\nc\n```"),
        ("steps.counted", "Steps are numbered consecutively starting from 1.", "1. A\n2. B", "0. A\n1. B"),
        ("term.absent", 'We never say "users", we say "customers".', "Our customers", "Our users"),
        ("term.spelling", "Write product names exactly as GitHub, iPhone and macOS.", "GitHub, macOS", "Github"),
        ("unit.space", "Numbers and units keep a space: 5 mg, not 5mg.", "Take 5 mg twice", "Take 5mg twice"),
        ("gendered.none", 'No gendered job titles such as "chairman".', "She is the chair.", "The chairman left."),
        ("csv.rows", "Exactly 2 rows below the header.", "a,b\n1,2\n3,4", "a,b\n1,2"),
        ("field.when", 'If "error" is true, a "message" is mandatory.', '{"error": false}', '{"error": true}'),
        ("field.form", "Country codes are two capital letters.", '{"country": "SE"}', '{"country": "Sweden"}'),
        ("statement.clause", "No DELETE or UPDATE without a WHERE clause.", "```sql\nDELETE FROM a WHERE b = 1;\n```",
         "```sql\nDELETE FROM a;\n```"),
        ("lines.edge", "The verdict is the first line: PASS or FAIL in capitals, alone.", "PASS\nAll green.", "Pass\nFine."),
        ("lines.labelled", 'Exactly two lines: "Status:" and "Next:", in this order.', "Status: a\nNext: b",
         "Next: b\nStatus: a"),
        ("lines.labelled", 'The fields Title, Date and Notes stand one a line as "Field: value".',
         "Title: a\nDate: b\nNotes: c", "Title: a\nNotes: c"),
        ("lines.key_value", "Each line reads KEY=VALUE with an upper-case key.", "HOST=a\nPORT=1", "HOST=a\nport=1"),
        ("xml.root", "The root element is <report> and it holds at least one <finding>.",
         "<report><finding>a</finding></report>", "<report><note>a</note></report>"),
        ("headings.deepest", "Never use more than two levels of headings.", "# A\n\n## B", "# A\n\n### B"),
        ("table.filled", "No empty cells: write N/A.", "name,phone\nAna,N/A", "name,phone\nAna,"),
        ("fences.language", "Code fences carry the tag ts or tsx.", "```tsx\na\n```", "```js\na\n```"),
        ("checklist.some", 'Each item is a checkbox, "- [ ]".', "- [ ] a\n- [ ] b", "- [ ] a\n- b"),
        ("number.small_words", "Numbers below ten are spelled out; from 10 on use figures.",
         "It sent three engines and 24 firefighters.", "It sent three engines and twenty-four firefighters."),
        ("commit.issue", 'The last line references the ticket, e.g. "Refs: PAY-123".',
         "Retry failed webhooks\n\nThe partner is down every night.\n\nRefs: PAY-881",
         "PAY-881 Retry failed webhooks\n\nThe partner is down every night."),
    ],
)  # fmt: skip
def test_families_read_the_slots_of_other_peoples_sentences(family: str, rule: str, kept: str, broken: str) -> None:
    seen = see(rule)
    made = families()[family]
    slots = bounded(seen.slots, "under" if "below ten" in rule else "exact", seen) if made.bounded else seen.slots
    check = made.make(slots) if slots is not None else None
    assert check is not None
    assert run_check(check, kept).status != "violated"
    assert run_check(check, broken).status == "violated"


@given(st.integers(1, 400), st.integers(1, 400))
@settings(max_examples=60, deadline=None)
def test_two_bounds_are_a_range_in_whichever_order_they_stand(one: int, other: int) -> None:
    low, high = sorted((one, other))
    if low == high:
        return
    for text in (
        f"at least {low} and at most {high} words",
        f"at most {high} but at least {low} words",
        f"between {low} and {high} words",
        f"{low} words at least, {high} words at most",
        f"no answer is longer than {high} words or shorter than {low}",
    ):
        seen = see(text)
        slots = bounded(seen.slots, "exact", seen)
        assert slots is not None and (slots.least, slots.most) == (low, high), text


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        ("Always run the tests as `uv run pytest`, not as plain `pytest`.", "```bash\nuv run pytest -x\n```"),
        ('Our product is called "CloudNest", never "Cloudnest".', "CloudNest keeps your files."),
        ("Put all code in fenced code blocks.", "A loop repeats a piece of work."),
        ('Start notes with "Note:" in bold (**Note:**).', "Water it.\n\n**Note:** Rain is better."),
        ('Skip greetings such as "Hi" or "Hello" at the beginning.', "It is on its way. Say hello to Tom!"),
        ('First person singular is taboo: no "I", "me", "my".', "We suggest merging. See section II."),
        ('Every sentence ends with ".", "!" or "?".', "Open until ten. Would you like a table? Two are free!"),
        ("Every sentence ends with a full stop, so no question marks.", "The shop opens at ten. It closes at six."),
        ("Write `--all` rather than `-a` in every command.", "```bash\nls --all\n```"),
        ("There should be 2 paragraphs.", "Bamboo grows fast.\n\n***\n\nIts stems are hollow."),
        ("One sentence only.", "According to Dr. Meyer, version 3.2 covers this on p. 14."),
        ("Large numbers take a comma, so 12,500 and not 12500.", "The stadium has 41,500 seats."),
        ("Event names are snake_case and no longer than 30 characters.", "INFO refund_accepted payment=pay_90 amount=12"),
        ("Make sure to not use comma for number.", "The mill, an old one, produced 1250000 tonnes."),
    ],
)  # fmt: skip
def test_what_keeps_such_a_rule_is_no_false_alarm(rule: str, kept: str) -> None:
    assert said(rule, kept) != "violated"


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Each bullet must begin with a capital letter and end without a full stop.",
         ("Each bullet must begin with a capital letter", "Each bullet must end without a full stop")),
        ("Exactly four bullets, each starting with a hyphen.", ("Exactly four bullets", "Each bullet starts with a hyphen")),
        ('A hint begins with "and has" and has at most eight words.',
         ('A hint begins with "and has"', "A hint has at most eight words")),
        ("If a bullet begins with a verb and ends with a colon, keep it.", ()),
        ("Always start headers with `**` and end with `**`", ()),
        ("The table has the columns Name and Has children.", ()),
        ("Use short words and sentences.", ()),
    ],
)  # fmt: skip
def test_demands_of_one_subject_are_told_apart(sentence: str, told: tuple[str, ...]) -> None:
    assert demands(sentence) == told


def test_of_a_sentence_with_two_demands_both_are_checked() -> None:
    rule = "Each bullet must begin with a capital letter and end without a full stop."
    assert said(rule, "Before you leave:\n- Close the windows\n- Lock the door") == "held"
    assert said(rule, "Before you leave:\n- Close the windows.\n- Lock the door.") == "violated"
    assert said(rule, "Before you leave:\n- close the windows\n- Lock the door") == "violated"


@given(st.text(alphabet="abc ,;:.\"'`and has must begin with each ", max_size=200))
@settings(max_examples=100, deadline=None)
def test_no_text_breaks_the_reader_of_demands(text: str) -> None:
    assert len(demands(text)) in (0, 2)
