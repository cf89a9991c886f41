"""``contextc ask`` and ``pack`` on relationship questions: complete lists up to a limit, and calling lines as evidence."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from agent.cli.main import main

N_CALLERS = 60
CALLER = '''
def caller_{0}():
    """Does many things before it rings."""
    first = {0}
    second = first + 1
    third = second + 1
    return ring(third)
'''
FILES = {
    "bell.py": "def ring(volume):\n    return volume\n\n\nclass Tower:\n    def chime(self):\n        return ring(1)\n",
    "callers.py": "from bell import ring\n" + "".join(CALLER.format(n) for n in range(N_CALLERS)),
    "tests/test_tower.py": "def test_chime(tower):\n    assert tower.chime() == 1\n\n\ndef test_other():\n    pass\n",
}


@pytest.fixture
def run(
    write_tree: Callable[[Mapping[str, str | bytes]], Path], capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    root = write_tree(FILES)

    def call(*args: str) -> str:
        capsys.readouterr()
        assert main([*args, "-q", "--root", str(root)]) == 0
        return capsys.readouterr().out

    return call


def test_a_cut_list_says_how_many_are_left_and_what_lists_them(run: Callable[..., str]) -> None:
    out = run("ask", "who calls bell.ring")
    assert f"It is called at {N_CALLERS + 1} places in 2 files" in out
    assert "11 more call sites are not listed (limit 50)" in out
    assert "callers.py (60), bell.py (1)" in out
    assert "all of them: contextc graph callers bell.ring" in out
    listed = run("graph", "callers", "bell.ring")
    assert all(f"callers.caller_{n}  (certain" in listed for n in range(N_CALLERS))


def test_tests_that_are_merely_possible_are_told(run: Callable[..., str]) -> None:
    out = run("ask", "which tests cover Tower.chime")
    assert "`test_chime` " in out
    assert "tower.chime() == 1" in out
    assert "test_other" not in out


def test_the_pack_of_a_callers_question_holds_calling_lines_not_whole_callers(run: Callable[..., str]) -> None:
    pack = json.loads(run("pack", "who calls bell.ring", "--budget", "3000", "--json"))
    shown = {
        (chunk["path"], number) for chunk in pack["chunks"] for a, b in chunk["ranges"] for number in range(a, b + 1)
    }
    text = FILES["callers.py"].split("\n")
    calling = {n for n, line in enumerate(text, start=1) if "return ring" in line}
    inner = {n for n, line in enumerate(text, start=1) if "second = first" in line}
    shown_calling = sum(("callers.py", n) in shown for n in calling)
    assert ("bell.py", 1) in shown
    assert shown_calling > N_CALLERS // 2
    assert sum(("callers.py", n) in shown for n in inner) < shown_calling / 4
