"""CL-bench: loading, what tasks share, grading by every rubric, runs that resume, tables, and the set shipped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scripted_server import fails, serving, whole

from agent.cca.client import Reply, Usage
from agent.cli.main import main
from harness.cl.grade import by_check, grade
from harness.cl.report import costs, tables
from harness.cl.run import read_rows
from harness.cl.tasks import OWN_SET, ClTask, Rubric, contexts_of, load_tasks
from retrieval.errors import UserError

OWN = load_tasks(OWN_SET)


def row(
    task: str, question: str, context: str = "c1", text: str = "Say OVER.\nBe brief.", **more: Any
) -> dict[str, Any]:
    return {
        "messages": [{"role": "system", "content": "S"}, {"role": "user", "content": f"{text}\n\n{question}"}],
        "rubrics": ["The response says OVER."],
        "metadata": {
            "task_id": task,
            "context_id": context,
            "context_category": "Rules",
            "sub_category": "Radio",
        },
        **more,
    }


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), "utf-8")
    return path


class Judge:
    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)

    def complete(self, messages: Any, max_tokens: int, json_schema: Any = None) -> Reply:
        return Reply(self.replies.pop(0), Usage(1, 5, 5, 0.1))


def says(passed: bool) -> str:
    return json.dumps({"verdicts": [{"id": "r1", "pass": passed, "reason": "so"}]})


def test_the_set_shipped_is_as_large_and_as_wide_as_promised() -> None:
    contexts = contexts_of(OWN)
    assert len(OWN) >= 40
    assert len(contexts) >= 12
    assert len({task.category for task in OWN}) == 4
    for context, group in contexts.values():
        assert context.text.startswith("# ")
        assert all(context.text in task.messages[-1]["content"] for task in group)
        assert not any(context.text.endswith(task.messages[-1]["content"][-12:]) for task in group)


@pytest.mark.parametrize("task", OWN, ids=lambda task: task.id)
def test_every_rubric_passes_a_good_answer_and_fails_a_bad_one(task: ClTask) -> None:
    assert len(task.bad) == len(task.rubrics)
    for rubric, bad in zip(task.rubrics, task.bad, strict=True):
        assert by_check(rubric, task.good[0]) is True, rubric.text
        assert by_check(rubric, bad) is False, rubric.text
        assert grade(task, bad).passed is False
    assert grade(task, task.good[0]).passed is True


def test_silence_passes_no_task() -> None:
    assert [task.id for task in OWN if grade(task, "").passed is not False] == []


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"metadata": None}, "no metadata"),
        ({"metadata": {"task_id": "a"}}, "context_id"),
        ({"rubrics": []}, "no rubrics"),
        ({"rubrics": [{"text": "x", "check": {"op": "magic"}}]}, "check of rubric 1"),
        ({"rubrics": [{"text": "x", "check": {"op": "python", "code": "1"}}]}, "check of rubric 1"),
        ({"rubrics": [7]}, "rubric 1"),
        ({"messages": []}, "no messages"),
        ({"messages": [{"role": "user"}]}, "role or a text"),
        ({"messages": [{"role": "assistant", "content": "x"}]}, "not the user's"),
    ],
)
def test_a_broken_row_is_named_by_its_line(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    path = written(tmp_path / "t.jsonl", row("a", "q"), {**row("b", "q"), **change})
    with pytest.raises(UserError, match=f"line 2: .*{why}"):
        load_tasks(path)
    assert [task.id for task in load_tasks(path, skip_bad_lines=True)] == ["a"]


def test_what_tasks_share_is_the_context_and_the_rest_their_question(tmp_path: Path) -> None:
    path = written(tmp_path / "t.jsonl", row("a", "Where is it?"), row("b", "Who is it?"), row("c", "Alone?", "c2"))
    found = contexts_of(load_tasks(path))
    assert found["c1"][0].text == "Say OVER.\nBe brief."
    assert found["c1"][0].system == "S"
    assert found["c2"][0].text == "Say OVER.\nBe brief."


def test_a_context_in_the_system_message_is_the_context(tmp_path: Path) -> None:
    rows = [row("a", "x"), row("b", "y")]
    for each, question in zip(rows, ("Where is it?", "Who?"), strict=True):
        each["messages"] = [{"role": "system", "content": "Rules: " + "z" * 50}, {"role": "user", "content": question}]
    context = contexts_of(load_tasks(written(tmp_path / "t.jsonl", *rows)))["c1"][0]
    assert context.text.startswith("Rules: ")
    assert context.system == ""


TEXT_ONLY = ClTask("a", "c", "R", "", ({"role": "user", "content": "q"},), (Rubric("r1", "says OVER"),))


@pytest.mark.parametrize(
    ("replies", "votes", "passed"),
    [
        ([says(True)], 1, True),
        ([says(False)], 1, False),
        (["prose", says(True)], 1, True),
        (["prose", "prose"], 1, None),
        ([says(True), says(False), says(False)], 3, False),
        ([says(True), "x", "x", "x", "x"], 3, None),
        ([says(True), says(False), "x", "x"], 3, None),
    ],
)
def test_a_judge_decides_by_majority_or_not_at_all(replies: list[str], votes: int, passed: bool | None) -> None:
    assert grade(TEXT_ONLY, "OVER", Judge(*replies), votes).passed is passed


def test_without_a_judge_a_text_rubric_leaves_the_task_ungraded_and_says_why() -> None:
    graded = grade(TEXT_ONLY, "OVER")
    assert graded.passed is None
    assert graded.why == "1 of 1 rubrics need a judge"


def _done(method: str, task: str, passed: bool | None, tokens: int) -> dict[str, Any]:
    usage = {"answer": {"calls": 1, "prompt_tokens": tokens, "completion_tokens": 0, "seconds": 1.0}}
    return {
        "method": method,
        "task_id": task,
        "category": "R",
        "sub_category": "S",
        "usage": usage,
        "meta": {},
        "grade": {"passed": passed, "rubrics": {"r1": passed}},
    }


def test_tables_test_pairs_and_share_out_what_preparing_cost() -> None:
    tasks = [_done("vanilla", f"t{n}", n == 0, 100) for n in range(10)]
    tasks += [_done("cca", f"t{n}", None if n == 9 else True, 200) for n in range(10)]
    prepared = [
        {
            "method": "cca",
            "usage": {"compiler": {"calls": 1, "prompt_tokens": 900, "completion_tokens": 100, "seconds": 1}},
        }
    ]
    found = {table.title.split(" ")[0]: table for table in tables(prepared, tasks)}
    assert found["Tasks"].rows[0][1] == "1/10"
    assert found["Tasks"].rows[1][1] == "9/9"
    assert found["Tasks"].rows[1][5] == "1"
    pair = found["McNemar's"].rows[0]
    assert pair[1:4] == ("9", "8", "0")
    assert pair[5] == "0.0078"  # 2 / 2**8
    cost = costs("cca", prepared, tasks)
    assert (cost.offline, cost.online) == (100.0, 200.0)


def test_the_command_answers_grades_resumes_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = next(each for each in OWN if each.id == "harbour-radio-1")
    good, bad = whole(task.good[0]), whole("Go to gate 4, please.")
    command = ["bench", "cl", "--context", "harbour-radio", "--limit", "1", "--out", str(tmp_path), "--model", "tiny-1"]
    with serving(bad, bad, good) as server:
        assert main([*command, "--base-url", server.base_url, "--method", "vanilla,cca", "--json", "-q"]) == 0
        assert len(server.requests) == 3
        shown = json.loads(capsys.readouterr().out)
        assert main([*command, "--base-url", server.base_url, "--method", "vanilla,cca", "-q"]) == 0
        assert len(server.requests) == 3  # nothing is asked twice
    out = capsys.readouterr().out
    assert "McNemar" in out
    assert shown["cost"]["cca"]["online"] == 14
    _, rows = read_rows(Path(shown["file"]))
    assert [(each["method"], each["grade"]["passed"]) for each in rows] == [("vanilla", False), ("cca", True)]
    assert rows[1]["meta"]["corrected"] is True
    assert main(["bench", "cl", "--report", shown["file"], "--markdown"]) == 0
    assert "| cca | 1/1 |" in capsys.readouterr().out


def test_a_server_that_fails_is_told_and_asked_again_later(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "bench",
        "cl",
        "--context",
        "tower-game",
        "--out",
        str(tmp_path),
        "--model",
        "m",
        "--method",
        "vanilla",
        "-q",
    ]
    with serving(*[fails(400, "no")] * 3) as server:
        assert main([*command, "--base-url", server.base_url]) == 2
        assert "3 tasks in a row failed" in capsys.readouterr().err
        server.script += [whole("LEGAL: so")] * 4
        assert main([*command, "--base-url", server.base_url, "--json"]) == 0
        assert len(server.requests) == 7
    first = json.loads(capsys.readouterr().out)["tables"][0]["rows"][0]
    assert first[0] == "vanilla"
    assert first[1].endswith("/4")


def test_user_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    local = ["--base-url", "http://127.0.0.1:9/v1", "--out", str(tmp_path)]
    for wrong, why in (
        (["--method", "magic", *local], "no method"),
        (["--category", "none", *local], "No task"),
        ([str(tmp_path / "absent.jsonl"), *local], "Cannot read"),
        (["--report", str(tmp_path / "absent.jsonl")], "holds no answers"),
    ):
        assert main(["bench", "cl", *wrong]) == 2
        assert why in capsys.readouterr().err


def test_a_mend_names_no_option_of_another_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving() as gone:
        url = gone.base_url
    words = ["--base-url", url, "--model", "m", "--method", "readagent", "--limit", "1", "--out", str(tmp_path), "-q"]
    assert main(["bench", "cl", *words]) == 2
    said = capsys.readouterr().err
    assert "Start the server." in said
    assert "--answerer" not in said


@pytest.mark.parametrize(
    ("rule", "answer"),
    [
        ('Call sailing speed "way", never "speed".', "Your way is limited."),
        ('Do not give it to a patient of code V. Every answer must end with "Check twice."', "Take it. Check twice."),
        ('A player who gives check must say "ward".', "ILLEGAL: it moves diagonally."),
        ('Reply in JSON with exactly these keys: "a", "b" (such as "c").', '{"a": 1, "b": 2}'),
        ('A refusal must contain the phrase "not allowed".', "Come at nine."),
    ],
)
def test_compiled_rules_of_these_kinds_do_not_flag_answers_that_keep_them(rule: str, answer: str) -> None:
    from agent.cca.compiled import Source
    from agent.cca.deterministic import compile_deterministic
    from agent.cca.verify import verify

    assert verify(compile_deterministic([Source("rules", rule)]), answer).violations == ()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", ["task"]),
        ("method", [[]]),
        ("task_id", None),
        ("category", 5),
        ("usage", {"answer": {"calls": 1}}),
        ("usage", {"answer": {"calls": 1, "prompt_tokens": 1, "completion_tokens": 1, "seconds": float("nan")}}),
        ("meta", None),
        ("grade", {"passed": "yes", "rubrics": {}}),
        ("grade", {"passed": True, "rubrics": {"r1": 7}}),
        ("grade", "good"),
    ],
)
def test_an_edited_row_is_named_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, value: object
) -> None:
    figures = {"calls": 1, "prompt_tokens": 1, "completion_tokens": 1, "seconds": 0.5}
    sound = {
        "schema": "contextc.cl/1",
        "kind": "task",
        "method": "cca",
        "task_id": "t1",
        "context_id": "c1",
        "category": "Rules",
        "sub_category": "Radio",
        "usage": {"answer": figures},
        "meta": {},
        "grade": {"passed": True, "rubrics": {"r1": True}},
    }
    path = written(tmp_path / "run.jsonl", sound)
    assert main(["bench", "cl", "--report", str(path)]) == 0
    written(path, {**sound, "task_id": "t0"}, {**sound, name: value})
    capsys.readouterr()
    assert main(["bench", "cl", "--report", str(path)]) == 2
    assert f"line 2: {name!r} is not what contextc bench cl writes" in " ".join(capsys.readouterr().err.split())
