"""Code of any language in an answer: what is looked at, and what families of demands on code make of a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.cca.check_data import dump_check, parse_check
from agent.cca.code_source import LANGUAGES
from agent.cca.families.registry import families
from agent.cca.families.slots import bounded, see
from agent.cca.interpret import run_check


def fenced(code: str, language: str) -> str:
    return f"See:\n\n```{language}\n{code}\n```\n"


def verdict(answer: str, **check: object) -> str:
    return run_check(parse_check({"op": "code", **check}), answer).status


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("js", "// x.y()\nconst a = 'x.y()'; /* x.y() */\nconst b = `x.y()`;"),
        ("python", "# x.y()\na = 'x.y()'\nb = '''\nx.y()\n'''"),
        ("sql", "-- x.y()\nSELECT 'x.y()';"),
        ("go", 'a := "x.y()" // x.y()'),
        ("yaml", "a: 1 # x.y()"),
    ],
)
def test_comments_and_strings_are_not_looked_at(language: str, code: str) -> None:
    assert verdict(fenced(code, language), pattern=r"x\.y\(", most=0) == "holds"
    assert verdict(fenced(f"{code}\nx.y()", language), pattern=r"x\.y\(", most=0) == "violated"
    everything = {"comments": True, "strings": True}
    assert verdict(fenced(code, language), pattern=r"x\.y\(", most=0, **everything) == "violated"


def test_the_place_is_that_in_the_answer() -> None:
    answer = fenced("// é\nvar a = 'b';", "js")
    found = run_check(parse_check({"op": "code", "pattern": "var", "most": 0, "language": "javascript"}), answer)
    assert [answer[span.start : span.end] for span in found.spans] == ["var"]


def test_code_of_another_language_gives_no_verdict() -> None:
    assert verdict(fenced("var a = 1;", "go"), pattern="var ", most=0, language="javascript") == "no_verdict"
    assert verdict("No code, `var a`.", pattern="var ", most=0, language="javascript") == "no_verdict"
    assert verdict(fenced("var a = 1", "ts"), pattern="var ", most=0, language="javascript") == "violated"


def test_commands_are_those_of_shells_of_unnamed_blocks_and_within_a_line() -> None:
    check = {"pattern": r"^sudo\b", "most": 0, "language": "commands"}
    for answer in (fenced("sudo ls", "bash"), fenced("sudo ls", ""), "Type `sudo ls` now."):
        assert verdict(answer, **check) == "violated", answer
    for answer in (fenced("# sudo ls\nls", "bash"), fenced("sudo ls", "python"), "You need sudo."):
        assert verdict(answer, **check) in ("holds", "no_verdict"), answer


def test_only_code_that_holds_something_has_to_hold_something_else() -> None:
    check = {"pattern": r"^set -e$", "least": 1, "language": "shell", "where": r"\A#!", "comments": True}
    assert verdict(fenced("ls", "bash"), **check) == "no_verdict"
    assert verdict(fenced("#!/bin/sh\nset -e", "sh"), **check) == "holds"
    assert verdict(fenced("#!/bin/sh\nls", "sh"), **check) == "violated"


@given(st.text(st.sampled_from("ab'\"`#/*-\\\n ${}"), max_size=200), st.sampled_from(sorted(LANGUAGES)))
def test_any_text_gets_a_verdict(code: str, language: str) -> None:
    answer = fenced(code, LANGUAGES[language][0])
    found = run_check(parse_check({"op": "code", "pattern": "a", "most": 0, "language": language}), answer)
    assert found.status != "no_verdict" or "could not" not in found.message
    assert all(answer[span.start : span.end] == "a" for span in found.spans)


def made(family: str, sentence: str, limit: str = "") -> object:
    chosen = families()[family]
    seen = see(sentence)
    slots = bounded(seen.slots, limit, seen) if chosen.bounded else seen.slots
    return None if slots is None else chosen.make(slots)


@pytest.mark.parametrize(
    ("family", "sentence"),
    [
        ("code.avoid", "Never use the word `simply`."),
        ("code.avoid", "Never say 'utilize'."),
        ("code.instead", "Write 'use', not 'utilize'."),
        ("python.no_lambda", "No walrus operator."),
        ("python.no_print", "No more than 12 print calls."),
        ("commit.types", "The type is `feat`."),
        ("commit.type_lower", "The type of a branch is in lower case."),
        ("code.indent", "Indent by 60 spaces."),
        ("js.semicolons", "No semicolons in JavaScript."),
        ("cite.sources", "Name your sources."),
    ],
)
def test_a_family_makes_nothing_of_what_it_does_not_fit(family: str, sentence: str) -> None:
    assert made(family, sentence, "exact") is None


def test_a_flag_belongs_to_the_command_before_it_and_what_is_let_through_is_not_banned() -> None:
    check = made("code.avoid", "Never run `git push --force` or `-f`; `--force-with-lease` is fine.")
    assert check is not None
    for command, expected in (
        ("git push --force", "violated"),
        ("git push origin main -f", "violated"),
        ("git push --force-with-lease", "holds"),
        ("git fetch -f", "holds"),
    ):
        assert run_check(check, fenced(command, "bash")).status == expected, command


def test_checks_of_families_survive_their_data() -> None:
    for sentence in ("Never call `os.system`.", "Never use `git checkout`.", "Do not import `pickle`."):
        check = made("code.avoid", sentence)
        assert check is not None
        assert parse_check(dump_check(check)) == check
