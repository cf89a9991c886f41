"""The programs of ``programs/``: found edges and right edges by group, and the expected edges against what really runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.idioms import Program, Score, read_programs, score, total

PROGRAMS = read_programs()
GROUPS = sorted({program.group for program in PROGRAMS})


def test_the_suite_is_wide() -> None:
    assert len(PROGRAMS) >= 150
    assert len(GROUPS) >= 18
    assert len({(program.group, program.title) for program in PROGRAMS}) == len(PROGRAMS)


@pytest.mark.parametrize("group", GROUPS)
def test_edges_of_a_group(group: str) -> None:
    scores = {program.title: score(program) for program in PROGRAMS if program.group == group}
    whole = total(list(scores.values()))
    report = "\n".join(f"{title}: missing {s.missing}, wrong {s.wrong}" for title, s in scores.items() if _faulty(s))
    assert whole.recall >= 0.95, report
    assert whole.precision >= 0.97, report


def _faulty(entry: Score) -> bool:
    return bool(entry.missing or entry.wrong)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="frames of comprehensions differ by version")
def test_expected_edges_hold_what_really_happens(tmp_path: Path) -> None:
    runnable = [program for program in PROGRAMS if program.runs]
    folders = [_write(tmp_path / str(number), program) for number, program in enumerate(runnable)]
    script = Path(__file__).with_name("observe_programs.py")
    done = subprocess.run(
        [sys.executable, "-I", str(script)],
        input="".join(json.dumps(str(folder)) + "\n" for folder in folders),
        capture_output=True,
        text=True,
        check=True,
    )
    wrong = []
    seen = 0
    for program, line in zip(runnable, done.stdout.splitlines(), strict=True):
        observed = json.loads(line)
        name = f"{program.group}: {program.title}"
        if isinstance(observed, str):
            wrong.append(f"{name} failed: {observed}")
            continue
        seen += len(observed)
        for pair in observed:
            if tuple(pair) not in program.expected | program.allowed:
                wrong.append(f"{name}: {pair[0]} -> {pair[1]} happens and is not written down")
    assert wrong == []
    assert seen > 450


def _write(folder: Path, program: Program) -> Path:
    for name, text in program.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder
