"""Rules under a heading about answers bind answers; a named section at the end is a heading, not a last word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agent.cca.compiled import Source
from agent.cca.deterministic import compile_deterministic
from agent.cca.verify import verify

GUIDE = '# Agents guide\n\nRun pytest before you commit.\n\n## {heading}\n\n- Never use the word "simply".\n'
ANSWER = "You can simply call it."


def _verdicts(document: str, answer: str) -> list[str]:
    made = compile_deterministic([Source("AGENTS.md", document)])
    return [each.verdict.status for each in verify(made, answer).checked]


@pytest.mark.parametrize(
    "heading", ["Answers", "1. Answers", "How to answer questions", "Response format", "Rules for your answers"]
)
def test_rules_of_a_section_about_answers_are_checked(heading: str) -> None:
    assert "violated" in _verdicts(GUIDE.format(heading=heading), ANSWER)


@pytest.mark.parametrize("heading", ["Style", "API responses", "Commit messages", "HTTP answers of the server"])
def test_rules_of_other_sections_of_a_guide_are_not(heading: str) -> None:
    assert "violated" not in _verdicts(GUIDE.format(heading=heading), ANSWER)


@pytest.mark.parametrize(
    "rule", ['End with a section "Next steps".', 'End with a section titled "Next steps" that lists two of them.']
)
def test_a_section_at_the_end_is_a_heading(rule: str) -> None:
    document = f"# Answers\n\n- {rule}\n"
    assert "violated" not in _verdicts(document, "It works.\n\n## Next steps\n\n1. Read it.\n2. Run it.\n")
    assert "violated" in _verdicts(document, "It works.\n")


def test_the_files_that_were_found_are_named(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "contributing.rst").write_text("Contributing\n============\n\nSee elsewhere.\n")
    monkeypatch.chdir(tmp_path)
    code, out, err = run("rules", "show")
    assert code == 0
    assert out.startswith("0 rules")
    assert err == "contextc: rules of docs/contributing.rst\n"


NUMBERED = "1. Use bullet points, at most five.\n2. Put code in fenced blocks.\n3. End with a question.\n"


@pytest.mark.parametrize("opening", ["# How to answer\n", "# Response format\n", "When you answer:\n"])
def test_numbered_rules_about_answers_are_no_steps(opening: str) -> None:
    assert len(compile_deterministic([Source("rules.md", f"{opening}\n{NUMBERED}")]).ir.rules.all()) == 3


@pytest.mark.parametrize("opening", ["# Setup\n", "# Releasing\n", "# API responses\n"])
def test_numbered_steps_are_no_rules(opening: str) -> None:
    steps = "1. Open the console.\n2. Run the installer.\n3. Put the key into the folder.\n"
    assert compile_deterministic([Source("rules.md", f"{opening}\n{steps}")]).ir.rules.all() == ()
