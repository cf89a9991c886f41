"""``contextc artifact`` on files that no request ever showed."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.cli.main import main


def test_a_binary_file_is_no_shown_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "picture.bin"
    file.write_bytes(b"\xed\x00\xff")
    assert main(["artifact", "inspect", str(file)]) == 2
    err = capsys.readouterr().err
    assert f"{file} is not text." in err
    assert "Internal error" not in err


def test_what_pack_printed_is_verified_up_to_the_end_of_the_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    steps = "".join(f'    rules.compile_step(number={n}, reason="rules are compiled in order")\n' for n in range(12))
    for name in ("compile_first", "compile_second"):
        (tree / f"{name}.py").write_text(f"def {name}(rules):\n{steps}")
    assert main(["pack", "--context-ir", "--root", str(tree), "-q", "--budget", "8000", "how are rules compiled"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("TTIR/1")
    file = tmp_path / "shown.txt"
    file.write_text(shown)
    assert main(["artifact", "inspect", "--root", str(tree), str(file)]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("verified: ")
    assert "not verified" in captured.err
    file.write_text(shown.replace("rules", "ruled", 1))
    assert main(["artifact", "inspect", "--root", str(tree), str(file)]) == 2
