"""What ``--since`` takes, held against git's own reading of it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.questions.commit_text import question_text, quoted
from harness.questions.since import check_since
from retrieval.errors import UserError

DATES = [
    "2025-01-31", "2025/01/31", "2025-01-31T10:00:00", "2025-01-31T10:00:00Z", "2025-01-31 10:00:00 +0100", "@1700000000",
    "3 months ago", "2.weeks.ago", "1 year 2 months ago", "yesterday", "last week", "last friday", "Jan 5 2024",
    "5 January 2024", "3 Feb", "noon yesterday", "two days ago", "12/24/2024", "1 day", "6am yesterday", "5-Jan-2024",
]  # fmt: skip


@pytest.mark.parametrize("text", DATES)
def test_dates_that_git_understands(text: str) -> None:
    check_since(text)
    done = subprocess.run(["git", "rev-parse", f"--since={text}"], capture_output=True, text=True, check=True)
    assert int(done.stdout.strip().rpartition("=")[2]) < time.time() - 60


@pytest.mark.parametrize(
    "text", ["garbage", "2 weaks ago", "the day", "ago", "last", "months", "--all", "x" * 5000, "..", "soon"]
)
def test_what_git_would_take_for_now(text: str) -> None:
    with pytest.raises(UserError, match="is no date"):
        check_since(text)


def test_the_command_says_so(
    run: Callable[..., tuple[int, str, str]], write_tree: Callable[..., Path], run_git: Callable[..., str]
) -> None:
    root = write_tree({"a.py": "X = 1\n"})
    run_git(root, "init", "-q")
    code, out, err = run("bench", "mine", "--from-git", root, "--since", "garbage")
    assert (code, out) == (2, "")
    assert "'garbage' is no date" in err


def test_a_name_at_the_head_of_a_message_is_kept_as_it_is_spelled() -> None:
    text = question_text("parse_header keeps colons in the value of a header", "")
    assert text == "parse_header keeps colons in the value of a header."
    assert quoted(text, "web.py", ("parse_header",)) == ("parse_header",)
    assert question_text("keep colons in the value of a header", "").startswith("Keep")
    assert question_text("app.run() keeps the port it was given", "").startswith("app.run()")
