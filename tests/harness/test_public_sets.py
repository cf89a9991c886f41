"""Public sets become questions: the samples of docs/questions.md, broken lines, corpora by template."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from agent.session import open_session
from harness.questions.cli import convert_command
from harness.questions.corpus import corpus_root
from harness.questions.gold import GoldFinder
from harness.questions.load import load_questions
from harness.questions.parse import question_from
from harness.questions.public_sets import READERS, SetOptions, read_set
from harness.questions.records import Gold, Question
from harness.questions.validate import check_answers
from retrieval.errors import UserError

PAGE = (Path(__file__).resolve().parents[2] / "docs/questions.md").read_text("utf-8")
SAMPLES: dict[str, str] = dict(re.findall(r"<!-- sample: ([a-z-]+) -->\n```json\n(.*?)```", PAGE, re.S))


def rows(kind: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in SAMPLES[kind].split("\n") if line]


def read(tmp_path: Path, kind: str, *lines: object, **options: Any) -> list[Question]:
    path = tmp_path / "set.jsonl"
    path.write_text("".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in lines), "utf-8")
    return list(read_set(kind, path, SetOptions(**options)))


def test_the_page_has_a_sample_of_every_format() -> None:
    assert set(SAMPLES) == {*READERS, "beir-corpus", "beir-queries", "question"}


def test_the_sample_question_of_the_page_is_sound() -> None:
    assert check_answers(question_from(rows("question")[0])) == []


def test_rows_of_which_no_question_can_be_made_are_noted_and_no_fault(tmp_path: Path) -> None:
    notes: list[str] = []
    only_new = {**rows("swe-bench")[0], "patch": "--- /dev/null\n+++ b/x.py\n@@ -0,0 +1 @@\n+x\n"}
    assert read(tmp_path, "swe-bench", only_new, note=notes.append) == []
    short = {**rows("codesearchnet")[0], "docstring": "Go."}
    assert read(tmp_path, "codesearchnet", short, note=notes.append) == []
    assert len(notes) == 2 and all("line 1" in note for note in notes)


def test_the_evidence_format_carries_its_pinned_distribution(tmp_path: Path) -> None:
    (question,) = read(tmp_path, "evidence", *rows("evidence"))
    row = rows("evidence")[0]
    assert question.corpus == f"{row['sdist']}#sha256={row['sdist_sha256']}"
    assert question.question == row["question"]
    assert [gold.to_dict() for gold in question.gold] == [
        {key: part[key] for key in ("path", "ranges") if part[key]} for part in row["gold"]
    ]


def test_codesearchnet_asks_by_the_docstring_about_the_function(tmp_path: Path) -> None:
    (question,) = read(tmp_path, "codesearchnet", *rows("codesearchnet"), corpus="path:trees/{repo}")
    assert question.question == "Split a header into its name and its value."
    assert question.corpus == "path:trees/someone/project"
    assert question.gold == (Gold("project/headers.py", None, ((10, 18),)),)
    without_lines = {**rows("codesearchnet")[0], "url": ""}
    assert read(tmp_path, "codesearchnet", without_lines)[0].gold == (Gold("project/headers.py", "split_header"),)


def test_swe_bench_asks_by_the_issue_about_what_the_patch_changes(tmp_path: Path) -> None:
    (question,) = read(tmp_path, "swe-bench", *rows("swe-bench"))
    row = rows("swe-bench")[0]
    assert question.corpus == f"git:project@{row['base_commit']}"
    assert question.gold == (Gold("project/headers.py", None, ((12, 13),)),)
    assert question.must[0].check.cites is not None and question.must[0].check.cites.path == "project/headers.py"


def test_a_patch_that_only_inserts_points_at_the_lines_around(tmp_path: Path) -> None:
    patch = "--- a/x.py\n+++ b/x.py\n@@ -5,2 +5,3 @@\n five\n+new\n six\n"
    (question,) = read(tmp_path, "swe-bench", {**rows("swe-bench")[0], "patch": patch})
    assert question.gold == (Gold("x.py", None, ((5, 5),)),)


@pytest.mark.parametrize("kind", sorted(READERS))
def test_broken_lines_are_named_and_passed_over_only_when_asked(tmp_path: Path, kind: str) -> None:
    good = rows(kind)[0]
    lacking = {key: value for key, value in good.items() if key not in ("question", "docstring", "patch")}
    lines = ("{torn", good, lacking, good, {**good, "gold": 3, "sha": 3, "repo": 3})
    with pytest.raises(UserError, match="line 1: not JSON"):
        read(tmp_path, kind, *lines)
    notes: list[str] = []
    found = read(tmp_path, kind, *lines, skip_bad_lines=True, note=notes.append)
    numbers = [note.split(":")[0].rpartition(" ")[2] for note in notes]
    repeats = kind != "codesearchnet"  # whose ids hold the line's number, for want of one of their own
    assert len(found) == (1 if repeats else 2) and numbers == (["1", "3", "4", "5"] if repeats else ["1", "3", "5"])


@pytest.mark.parametrize("template", ["git:{nothing}@{sha}", "git:{", "path:{repo.__class__}", "path:{0}"])
def test_a_template_that_does_not_fit_is_a_message(tmp_path: Path, template: str) -> None:
    with pytest.raises(UserError):
        read(tmp_path, "swe-bench", *rows("swe-bench"), corpus=template)


def test_compressed_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl.gz"
    path.write_bytes(gzip.compress(SAMPLES["evidence"].encode()))
    assert len(list(read_set("evidence", path, SetOptions()))) == 1


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "set"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(SAMPLES["beir-corpus"], "utf-8")
    (folder / "queries.jsonl").write_text(SAMPLES["beir-queries"], "utf-8")
    judged = "query-id\tcorpus-id\tscore\nq1\td/1\t1\nq1\t../d2\t0\nq2\t../d2\t2\nq9\td/1\t1\n"
    (folder / "qrels" / "test.tsv").write_text(judged, "utf-8")
    return folder


def test_a_beir_set_becomes_a_tree_that_can_be_indexed_and_questions_about_it(tmp_path: Path, beir: Path) -> None:
    out = tmp_path / "q.jsonl"
    convert_command.main(["beir", str(beir), "--out", str(out), "-q"], standalone_mode=False)
    questions = load_questions(out)
    assert [(question.id, len(question.gold)) for question in questions] == [("beir-q1", 1), ("beir-q2", 1)]
    root = corpus_root(questions[0].corpus, tmp_path)
    assert root == tmp_path / "q-corpus" and len([path for path in root.rglob("*") if path.is_file()]) == 2
    finder = GoldFinder(root)
    assert "header" in finder.file(questions[0].gold[0].path).text.lower()
    session = open_session(root)
    try:
        best = session.searcher.search(session.plan(questions[0].question), 1).candidates[0]
    finally:
        session.close()
    assert best.chunk.path == questions[0].gold[0].path


def test_broken_judgements_and_a_missing_split_are_messages(tmp_path: Path, beir: Path) -> None:
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td/1\tmuch\n", "utf-8")
    args = ["beir", str(beir), "--out", str(tmp_path / "q.jsonl"), "-q"]
    with pytest.raises(UserError, match=r"test\.tsv, line 2"):
        convert_command.main(args, standalone_mode=False)
    with pytest.raises(UserError, match=r"dev\.tsv"):
        convert_command.main([*args, "--split", "dev"], standalone_mode=False)
    assert not (tmp_path / "q.jsonl").exists()


def test_converting_takes_a_limit_and_says_how_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "set.jsonl"
    row = rows("swe-bench")[0]
    path.write_text("".join(json.dumps({**row, "instance_id": f"i{n}"}) + "\n" for n in range(5)), "utf-8")
    out = tmp_path / "q.jsonl"
    convert_command.main(["swe-bench", str(path), "--out", str(out), "--limit", "2"], standalone_mode=False)
    assert len(load_questions(out)) == 2 and "2 questions written" in capsys.readouterr().err
    path.write_text("\n", "utf-8")
    with pytest.raises(UserError, match="no question"):
        convert_command.main(["swe-bench", str(path), "--out", str(out)], standalone_mode=False)
    assert len(load_questions(out)) == 2
