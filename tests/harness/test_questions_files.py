"""Question files: the parser and the JSON Schema agree, broken lines are named, files stream."""

from __future__ import annotations

import copy
import gzip
import json
import tracemalloc
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.questions.load import dump_question, iter_questions, load_questions, write_questions
from harness.questions.parse import QuestionError, question_from
from retrieval.errors import UserError

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "harness/questions/question.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

ROW: dict[str, Any] = {
    "id": "q1",
    "corpus": "path:tree",
    "question": "Which function opens the box?",
    "category": "symbol-lookup",
    "difficulty": "easy",
    "answerable": True,
    "gold": [{"path": "box.py", "symbol": "open_box"}, {"path": "box.py", "ranges": [[1, 2]]}],
    "must": [
        {
            "id": "a",
            "text": "open_box",
            "check": {"any_of": ["open_box"], "all_of": ["x", ["y", "z"]], "cites": {"path": "box.py"}},
        }
    ],
    "must_not": [{"id": "b", "text": "shut", "check": {"regex": "shut"}}],
    "references": ["It is open_box."],
    "counterexamples": ["It is shut_box."],
    "absent": ["lorry"],
    "leaks": ["open_box"],
    "source": "a commit",
}
VALUES = st.sampled_from([None, "", " ", "x", "/etc", "../x", "a//b", 0, 1, True, [], [1, 2], ["x"], {}, {"path": "a"}])


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [at] if at else []
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        found += places(inner, (*at, key))
    return found


def accepts(row: Any) -> bool:
    try:
        question_from(row)
    except QuestionError:
        return False
    return True


def test_a_question_survives_the_round_trip() -> None:
    question = question_from(ROW)
    assert question.to_dict() == ROW
    assert question_from(json.loads(dump_question(question))) == question


@given(st.sampled_from(places(ROW)), st.one_of(VALUES, st.just("DELETE"), st.just("ADD")))
def test_parser_and_schema_refuse_the_same_rows(at: tuple[Any, ...], value: Any) -> None:
    row = copy.deepcopy(ROW)
    *way, last = at
    inner = row
    for key in way:
        inner = inner[key]
    if value == "DELETE":
        del inner[last]
    elif value == "ADD":
        if not isinstance(inner, dict):
            return
        inner["surplus"] = 1
    else:
        inner[last] = value
    accepted = accepts(row)
    if accepted:
        VALIDATOR.validate(row)
    elif VALIDATOR.is_valid(row):  # what JSON Schema cannot say: phrases, ids that repeat, ranges that run backwards
        with pytest.raises(QuestionError, match=r"phrase|word|gap|same id|range|instead of a symbol"):
            question_from(row)


def test_a_broken_line_is_named_by_its_number_and_passed_over_only_when_asked(tmp_path: Path) -> None:
    good = json.dumps(ROW)
    path = tmp_path / "q.jsonl"
    path.write_text(f"\n{good}\n{{torn\n{json.dumps({**ROW, 'id': 'q2', 'category': 'riddle'})}\n{good}\n", "utf-8")
    with pytest.raises(UserError) as caught:
        load_questions(path)
    assert "line 3" in caught.value.cause and "--skip-bad-lines" in caught.value.mend
    notes: list[str] = []
    assert [q.id for q in iter_questions(path, skip_bad_lines=True, note=notes.append)] == ["q1"]
    assert [note.split(":")[0].rpartition(" ")[2] for note in notes] == ["3", "4", "5"]
    assert "riddle" in notes[1] and "line 2" in notes[2]


@pytest.mark.parametrize(
    "content", [b"\xff\xfe{}\n", b"[1]\n", b"nul\n", b'{"id": NaN}\n', b"[" * 100_000 + b"\n", b"\0\n"]
)
def test_whatever_a_line_holds_it_is_a_message(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(content)
    with pytest.raises(UserError, match="line 1"):
        load_questions(path)


def test_unreadable_files_are_a_message(tmp_path: Path) -> None:
    (tmp_path / "torn.jsonl.gz").write_bytes(gzip.compress(b"{}\n" * 1000)[:-20])
    for name in ("missing.jsonl", "torn.jsonl.gz", "."):
        with pytest.raises(UserError):
            load_questions(tmp_path / name)


def test_a_byte_order_mark_and_crlf_are_harmless(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(ROW).encode() + b"\r\n\r\n")
    assert [q.id for q in load_questions(path)] == ["q1"]


def test_a_long_file_is_read_as_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    with path.open("w", encoding="utf-8") as handle:
        for number in range(2_000):
            handle.write(json.dumps({**ROW, "id": f"q{number}"}) + "\n")
    tracemalloc.start()
    count = sum(1 for _ in iter_questions(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 2_000
    assert peak < path.stat().st_size / 2


def test_a_file_that_cannot_be_finished_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text("old", "utf-8")

    def failing() -> Any:
        yield question_from(ROW)
        raise UserError("no more", "stop")

    with pytest.raises(UserError):
        write_questions(path, failing())
    assert path.read_text("utf-8") == "old" and [p.name for p in tmp_path.iterdir()] == ["q.jsonl"]
    assert write_questions(path, [question_from(ROW)]) == 1
    assert load_questions(path) == [question_from(ROW)]
