"""The benchmark of Context IR finds what it is there to find, and the product passes it."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent.cli.main import main
from harness.ir import bench, cli, reader
from harness.ir.packs import distribution, pack_savings
from harness.ir.reader import Seen
from harness.ir.timing import CHARS, SOURCES
from retrieval.context_ir.attention import PackScorer
from retrieval.context_ir.compiler import IrOutcome, compile_request
from retrieval.context_ir.measure import tiktoken_tokenizer


def test_every_family_passes_and_the_shrinkable_ones_shrink(tmp_path: Path) -> None:
    results = bench.run(tmp_path, repeats=1, tokenizers=["o200k_base"])
    assert [one.problems for one in results] == [()] * 10
    assert len({one.family for one in results}) == 10
    assert bench.shrinkable_saving(results) >= 0.6
    for one in results:
        if one.group == "shrinkable":
            assert 2400 <= one.tokens[1] <= 4400 and one.saved >= 0.6
        if one.group == "control":
            assert one.tokens[1] == one.tokens[2]
        assert one.tokens[2] <= one.tokens[1] <= one.tokens[0]


def test_the_reader_is_independent() -> None:
    """It neither calls the compiler nor opens a vault."""
    tree = ast.parse(Path(reader.__file__).read_text("utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names <= {"__future__", "json", "re", "dataclasses", "typing"}


def test_answers_need_their_evidence() -> None:
    for task in bench.all_tasks():
        assert task.solve([]) == "unknown" and task.solve([Seen("vault")] * 5) == "unknown"


def sabotaged(change: Any) -> Any:
    def compile_(request: Any, **given: Any) -> IrOutcome:
        out = compile_request(request, **given)
        messages = [dict(message) for message in out.request["messages"]]
        change(messages)
        return replace(out, request={**out.request, "messages": messages})

    return compile_


def _drop_a_row(messages: list[Any]) -> None:
    if "table" in messages[3]["content"][:20]:
        head, _, tail = messages[3]["content"].rpartition(",[")
        messages[3]["content"] = head + "]}" if tail else head


def _change_a_value(messages: list[Any]) -> None:
    messages[3]["content"] = messages[3]["content"].replace("Harbour", "Harbor")


def _enlarge(messages: list[Any]) -> None:
    messages[3]["content"] += " ".join(map(str, range(3000)))


def _touch_the_question(messages: list[Any]) -> None:
    messages[-1]["content"] += " Really?"


def _touch_a_role(messages: list[Any]) -> None:
    messages[3]["role"] = "system"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_drop_a_row, "differs|not recovered|exception"),
        (_change_a_value, "visible evidence differs"),
        (_enlarge, "enlarged"),
        (_touch_the_question, "protected parts changed"),
        (_touch_a_role, "outer fields changed"),
    ],
)
def test_the_benchmark_notices(change: Any, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import re

    monkeypatch.setattr(bench, "compile_request", sabotaged(change))
    monkeypatch.setattr(bench, "_check_recovery", lambda *_: [])
    task = bench.all_tasks()[0]
    result = bench.run_task(task, tiktoken_tokenizer("o200k_base", "gpt-4.1-mini"), tmp_path, 1)
    assert re.search(told, "; ".join(result.problems)), result.problems


def test_the_command_prints_and_fails_as_it_should(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bench, "CODE_FAMILIES", ())
    monkeypatch.setattr("harness.ir.timing.SOURCES", ())
    args = ["bench", "ir", "--repeats", "1", "--tokenizer", "cl100k_base", "--cases", "60"]
    assert main([*args, "--out", str(tmp_path / "r.json")]) == 0
    out = capsys.readouterr().out
    assert "| temporal " in out and "every check held" in out and "60 random sources" in out
    assert json.loads((tmp_path / "r.json").read_text())["property"]["lost"] == 0
    monkeypatch.setattr(bench, "compile_request", sabotaged(_touch_the_question))
    assert main([*args, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["arms"][0]["problems"]
    assert main(["bench", "ir", "--gold", str(tmp_path / "r.json")]) == 2
    assert main(["bench", "ir", "--live"]) == 2


def test_local_scores_work_as_well(tmp_path: Path) -> None:
    task = bench.all_tasks()[1]
    result = bench.run_task(task, tiktoken_tokenizer("o200k_base", "gpt-4.1-mini"), tmp_path, 1, scorer=PackScorer())
    assert not result.problems and result.saved > 0.5


def test_timing_sources_are_as_long_as_they_say() -> None:
    for name, make in SOURCES:
        assert 0.98 * CHARS < len(make()) <= CHARS, name


def test_savings_over_packs_of_a_question_file(tmp_path: Path) -> None:
    root = tmp_path / "corpora" / "demo-1.0"
    root.mkdir(parents=True)
    methods = "\n\n".join(f"    def step_{at}(self):\n        value = {at}\n\n        return value" for at in range(80))
    (root / "demo.py").write_text(f"class Demo:\n{methods}\n")
    rows = [
        {"id": f"q{at}", "sdist": "demo==1.0", "question": f"what does step_{at} return", "gold": []} for at in (1, 2)
    ]
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    ticks: list[int] = []
    found = list(pack_savings(tmp_path / "gold.jsonl", root.parent, tmp_path, "gpt-4.1-mini", lambda: ticks.append(1)))
    assert len(found) == len(ticks) == 4 and all(row.final <= row.raw for row in found)
    table = distribution(found)
    assert [row["budget"] for row in table] == [4000, 8000] and all(row["enlarged"] == 0 for row in table)
    assert all(row["min"] <= row["median"] <= row["max"] < 1 for row in table)
    assert cli.failures({"packs": [{**table[0], "enlarged": 1}]})
