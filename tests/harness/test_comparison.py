"""Comparisons of runs with known outcomes: figures, tests, flips, and the four forms of the report."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from bench_shop import write_shop
from scipy.stats import binomtest

from harness.report.compare import compare
from harness.report.data import load_run, load_runs
from harness.report.export import to_json, to_markdown, to_text
from harness.report.html import report
from harness.report.sweep import sweep_of, sweep_plot, sweep_table
from harness.stats.knee import knee, smallest_sufficient

Run = Callable[..., tuple[int, str, str]]
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)> $\\frac{1}{2}$ | ] & \x1b[31m"


def write_run(
    path: Path,
    grades: Sequence[str],
    tier: str = "4",
    *,
    tokens: int = 100,
    lines: float = 0.5,
    text: str = "what?",
    **more: Any,
) -> Path:
    rows = [
        {
            "run_id": path.stem,
            "question_id": f"q{n}",
            "question": text,
            "category": "even" if n % 2 == 0 else "odd",
            "answer": "a",
            "tier": tier,
            "answerer": "offline",
            "model": "offline",
            "token_budget": 4000,
            "context_tokens": tokens + n,
            "grade": grade,
            "failure_label": None if grade in ("correct", "ungraded") else "wrong chunk",
            "grading_notes": "because",
            "evidence_score": {"files": 1.0, "lines": lines, "symbols": None, "precision": 0.25},
            "timings": {"context_ms": 10.0, "answer_ms": 5.0},
            "cost_usd": 0.5,
            "pack_digest": f"{tier}-{n}",
            **more,
        }
        for n, grade in enumerate(grades)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


C, P, W, U = "correct", "partial", "incorrect", "ungraded"


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    """40 questions: 10 pass in both, 12 only in the second, 2 only in the first, 16 in neither."""
    first = [C] * 10 + [W] * 12 + [C] * 2 + [P] * 16
    second = [C] * 10 + [C] * 12 + [W] * 2 + [W] * 16
    return [
        write_run(tmp_path / "a.jsonl", first, "1", tokens=4000, lines=0.25),
        write_run(tmp_path / "b.jsonl", second, "4", tokens=2000, lines=0.75),
    ]


def test_figures_are_those_of_the_rows(two: list[Path]) -> None:
    found = to_json(compare(load_runs(two)))
    first, second = found["runs"]
    assert first["name"] == "1 naive vector"
    assert (first["accuracy"]["passed"], first["accuracy"]["n"]) == (12, 40)
    assert first["score"]["mean"] == pytest.approx((12 + 16 * 0.5) / 40)
    assert second["accuracy"]["value"] == pytest.approx(22 / 40)
    assert first["context_tokens"]["mean"] == pytest.approx(4000 + 19.5)
    assert first["evidence"]["lines"]["mean"] == 0.25
    assert first["evidence"]["symbols"] is None
    assert first["seconds"]["p50"] == pytest.approx(0.015)
    assert first["cost_usd"] == pytest.approx(20.0)
    assert first["categories"]["even"]["n"] == 20
    assert first["failure_labels"] == {"wrong chunk": 28}


def test_pairs_are_tested_exactly_and_flips_say_why(two: list[Path]) -> None:
    (pair,) = compare(load_runs(two)).pairs
    assert (pair.n, pair.test.gained, pair.test.lost) == (40, 12, 2)
    assert pair.test.p == pytest.approx(binomtest(2, 14).pvalue)
    assert pair.p == pair.test.p  # one pair: nothing to correct
    assert pair.accuracy is not None
    assert pair.accuracy.mean == pytest.approx(10 / 40)
    assert pair.tokens is not None
    assert pair.tokens.mean == pytest.approx(-2000)
    assert pair.lines is not None
    assert (pair.lines.low, pair.lines.high) == (0.5, 0.5)
    assert [flip.gained for flip in pair.flips] == [True] * 12 + [False] * 2
    assert pair.flips[0].why == "wrong chunk: because"


def test_holm_is_applied_over_the_pairs(tmp_path: Path) -> None:
    runs = load_runs(
        [
            write_run(tmp_path / "a.jsonl", [W] * 20, "1"),
            write_run(tmp_path / "b.jsonl", [C] * 8 + [W] * 12, "2"),
            write_run(tmp_path / "c.jsonl", [C] * 14 + [W] * 6, "3"),
        ]
    )
    pairs = compare(runs).pairs
    assert [(pair.before, pair.after) for pair in pairs] == [
        ("1 naive vector", "2 AST vector"),
        ("2 AST vector", "3 hybrid"),
        ("1 naive vector", "3 hybrid"),
    ]
    raw = [pair.test.p for pair in pairs]
    assert [pair.p for pair in pairs] == pytest.approx([2 * raw[0], raw[1], 3 * raw[2]])
    assert len(compare(runs, every_pair=True).pairs) == 3
    assert compare(runs[:1]).pairs == ()


def test_ungraded_answers_stand_beside_the_mean(tmp_path: Path) -> None:
    found = compare(load_runs([write_run(tmp_path / "a.jsonl", [C, U, U, W])]))
    (summary,) = found.summaries
    assert (summary.accuracy.passed, summary.accuracy.n, summary.ungraded) == (1, 2, 2)
    assert "2 answers are not graded" in found.notes[0]


def test_runs_over_different_questions_are_paired_on_the_shared_ones(tmp_path: Path) -> None:
    runs = load_runs([write_run(tmp_path / "a.jsonl", [C] * 9, "1"), write_run(tmp_path / "b.jsonl", [C] * 5, "2")])
    found = compare(runs)
    assert found.pairs[0].n == 5
    assert any("different questions" in note for note in found.notes)


def test_repeats_count_once_by_majority(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    parts = [write_run(tmp_path / f"{n}.jsonl", [grade, W], repeat=n) for n, grade in enumerate((C, C, W))]
    path.write_text("".join(part.read_text() for part in parts))
    run = load_run(path)
    assert len(run.questions) == 2
    assert len(run.outcomes) == 6
    assert [question.passed for question in run.questions.values()] == [True, False]
    assert run.questions["q0"].score == pytest.approx(2 / 3)


def test_the_last_row_of_an_answer_counts(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a.jsonl", [W])
    path.write_text(path.read_text() + write_run(tmp_path / "b.jsonl", [C]).read_text())
    assert load_run(path).questions["q0"].passed is True


def test_the_first_tier_that_is_good_enough_for_a_category(tmp_path: Path) -> None:
    runs = load_runs(
        [
            write_run(tmp_path / "a.jsonl", [C, W] * 10, "1"),  # even all right, odd all wrong
            write_run(tmp_path / "b.jsonl", [C, W] * 5 + [C, C] * 5, "2"),
            write_run(tmp_path / "c.jsonl", [C, C] * 10, "3"),
        ]
    )
    assert compare(runs).first_acceptable == (("even", "1 naive vector"), ("odd", "3 hybrid"))
    assert compare(runs, acceptable=0.5).first_acceptable[1] == ("odd", "2 AST vector")


def test_runs_of_one_tier_are_told_apart(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a.jsonl", [C], token_budget=1000)
    b = write_run(tmp_path / "b.jsonl", [C], token_budget=2000)
    assert [run.name for run in load_runs([a, b])] == ["4 compiled @1000", "4 compiled @2000"]
    names = [run.name for run in load_runs([a, a])]
    assert len(set(names)) == 2


def test_markdown_and_text_hold_the_same_tables(two: list[Path]) -> None:
    found = compare(load_runs(two))
    text, markdown = to_text(found), to_markdown(found)
    for cell in ("0.300 [0.18, 0.45]", "1 naive vector → 4 compiled", "+12 −2"):
        assert cell in text
        assert cell in markdown
    for line in markdown.split("\n"):
        if line.startswith("|"):
            assert line.endswith("|")
    assert "… and 7 more gained" in text


def test_a_narrow_terminal_gets_blocks_with_the_same_cells(two: list[Path]) -> None:
    found = compare(load_runs(two))
    narrow = to_text(found, 0, 80)
    assert max(len(line) for line in narrow.split("\n")) <= 80
    for cell in ("accuracy 0.300 [0.18, 0.45]", "flips +12 −2", "file recall 1.000"):
        assert cell in narrow


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def test_the_html_report_is_self_contained_and_hostile_text_stays_text(tmp_path: Path) -> None:
    paths = [
        write_run(
            tmp_path / "a.jsonl",
            [C, W, W, U],
            "1",
            text=HOSTILE,
            category=HOSTILE,
            grading_notes=HOSTILE,
            model=HOSTILE,
        ),
        write_run(tmp_path / "b.jsonl", [W, C, C, C], HOSTILE, text=HOSTILE, category=HOSTILE, model=HOSTILE),
    ]
    text = report(compare(load_runs(paths)))
    tags = _Tags()
    tags.feed(text)
    assert "script" not in tags.tags
    assert "img" not in tags.tags
    assert tags.tags.count("svg") == 4
    for name, value in tags.attributes:
        assert not name.startswith("on")
        if name in ("href", "src", "xlink:href"):
            assert (value or "").startswith("#")
    assert "default-src 'none'" in text
    assert not re.findall(r"url\((?!#)", text)
    assert "&lt;script&gt;" in text


def test_the_report_is_the_same_each_time(two: list[Path]) -> None:
    assert report(compare(load_runs(two))) == report(compare(load_runs(two)))


def test_runs_without_answers_make_a_report_too(tmp_path: Path) -> None:
    runs = load_runs([write_run(tmp_path / "a.jsonl", [U, U], "1"), write_run(tmp_path / "b.jsonl", [U, U], "4")])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text = report(compare(runs))
    assert text.count("<svg") == 1
    assert "Evidence" in text


def test_broken_lines_and_foreign_files_are_told(run: Run, tmp_path: Path, two: list[Path]) -> None:
    two[0].write_text(two[0].read_text() + "{torn")
    code, _, err = run("bench", "compare", *two)
    assert code == 2
    assert "line 41" in err
    code, out, err = run("bench", "compare", *two, "--skip-bad-lines", "--format", "json")
    assert code == 0
    assert len(json.loads(out)["runs"]) == 2
    (tmp_path / "empty.jsonl").write_text("")
    code, _, err = run("bench", "compare", tmp_path / "empty.jsonl")
    assert code == 2
    assert "no answers" in err
    (tmp_path / "foreign.jsonl").write_text('{"a": 1}\n')
    assert run("bench", "compare", tmp_path / "foreign.jsonl")[0] == 2


def test_rows_of_the_plain_form_compare(tmp_path: Path) -> None:
    """The fields of the lesson alone, graded by somebody's own script."""
    path = tmp_path / "plain.jsonl"
    row = {"run_id": "compiled-v1", "question_id": "1", "question": "?", "category": "c", "answer": "a", "model": "gpt-4o-mini",
           "provider": "openai", "evidence_files": ["a.py"], "context_tokens": 10, "token_budget": 4000, "context_rot_issues": [],
           "retrieval_method": "compiled_hybrid", "grade": "correct", "failure_label": None, "grading_notes": "",
           "repo_sha": "abc", "timestamp": "2025-01-01T00:00:00+00:00", "harness_version": "v0.2"}  # fmt: skip
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "question_id": "2", "grade": None}) + "\n")
    found = to_json(compare(load_runs([path])))["runs"][0]
    assert (found["tier"], found["accuracy"]["passed"], found["ungraded"]) == ("compiled_hybrid", 1, 1)


@pytest.mark.parametrize(
    "broken", [{"context_tokens": "many"}, {"evidence_score": [1]}, {"timings": 3}, {"cost_usd": "x"}]
)
def test_rows_of_another_kind_are_refused_by_name(run: Run, tmp_path: Path, broken: dict[str, Any]) -> None:
    path = write_run(tmp_path / "a.jsonl", [C], **broken)
    code, _, err = run("bench", "compare", path)
    assert code == 2
    assert "'q0'" in err


def test_compare_from_the_command_line_writes_the_report(run: Run, tmp_path: Path) -> None:
    file = write_shop(tmp_path)
    code, out, _ = run("bench", "run", "--questions", file, "--out", tmp_path, "--tier", "1,4", "--json", "-q")
    runs = [each["file"] for each in json.loads(out)]
    code, out, err = run("bench", "compare", *runs, "--html", tmp_path / "deep" / "report.html")
    assert code == 0
    assert "Accuracy and context" in out
    assert (tmp_path / "deep" / "report.html").read_text().startswith("<!doctype html>")
    code, _, err = run("bench", "compare", *runs, "--html", tmp_path)
    assert code == 2
    assert "Cannot write" in err


# ------------------------------------------------------------------------------------------------------ sweep, ablation


def test_the_knee_of_known_curves() -> None:
    assert knee([1, 2, 3, 4, 5], [0.0, 0.8, 0.9, 0.95, 1.0]) == 1
    assert knee([1, 2, 3], [0.1, 0.2, 0.3]) is None  # a line does not bend
    assert knee([1, 2, 3], [0.0, 0.1, 1.0]) is None  # bends the other way
    assert knee([1, 2], [0.0, 1.0]) is None
    assert knee([1, 2, 3], [0.5, 0.5, 0.5]) is None


def test_the_cheapest_setting_that_is_not_shown_to_be_worse() -> None:
    best = [1.0] * 80 + [0.0] * 20
    close = [1.0] * 79 + [0.0] * 21
    far = [1.0] * 40 + [0.0] * 60
    assert smallest_sufficient([far, close, best], [1, 2, 3]) == 1
    assert smallest_sufficient([best, best], [1, 2]) == 0


def test_a_sweep_orders_settings_and_marks_the_knee(tmp_path: Path) -> None:
    shares = {"8000": 19, "1000": 4, "2000": 16, "4000": 18}
    runs = load_runs(
        [write_run(tmp_path / f"{b}.jsonl", [C] * n + [W] * (20 - n), token_budget=int(b)) for b, n in shares.items()]
    )
    sweep = sweep_of("budget", list(shares), runs)
    assert sweep.values == ("1000", "2000", "4000", "8000")
    assert sweep.knee == 1
    assert sweep_table(sweep).rows[1][-1].startswith("knee")
    assert "<svg" in sweep_plot(sweep)


def test_sweep_and_ablation_from_the_command_line(run: Run, tmp_path: Path) -> None:
    file = write_shop(tmp_path)
    args = ("--questions", file, "--out", tmp_path / "runs", "-q")
    code, out, err = run("bench", "sweep", *args, "--budgets", "100,300", "--html", tmp_path / "s.html", "--json")
    assert code == 0, err
    (budgets,) = json.loads(out)
    assert [point["value"] for point in budgets["points"]] == ["100", "300"]
    assert "<svg" in (tmp_path / "s.html").read_text()
    before = len(list((tmp_path / "runs").glob("*.jsonl")))
    run("bench", "sweep", *args, "--budgets", "100,300")
    assert (
        len(list((tmp_path / "runs").glob("*.jsonl"))) == before
    )  # the same code, trees and questions: taken as they are
    code, out, err = run(
        "bench", "ablate", *args, "--only", "leg: ", "--only", "stage: packing", "--budget", "150", "--json"
    )
    assert code == 0, err
    found = json.loads(out)
    assert [each["name"] for each in found] == ["leg: lexical", "leg: vector", "leg: graph", "stage: packing"]
    assert all(each["verdict"] in ("helps", "hurts", "not shown") for each in found)
    assert any(each["changed"] > 0 for each in found)
    assert run("bench", "ablate", *args, "--only", "nonsense")[0] == 2


def test_every_part_can_be_switched_off_by_its_name() -> None:
    from harness.tiers.switches import names, setting
    from retrieval.errors import UserError
    from retrieval.search.config import FEATURES

    everything = setting(())
    assert set(FEATURES) <= set(names())
    for name in names():
        assert setting((name,)) != everything, name
    both = setting((FEATURES[0], FEATURES[1]))
    assert both.ranking.features == everything.ranking.features - {FEATURES[0], FEATURES[1]}
    with pytest.raises(UserError):
        setting(("nothing of the kind",))


def test_without_arguments_the_newest_run_of_each_tier_is_compared(run: Run, tmp_path: Path) -> None:
    file = write_shop(tmp_path)
    args = ("bench", "run", "--questions", file, "--out", tmp_path / "runs", "-q")
    assert run(*args, "--tier", "4,1", "--limit", 1)[0] == 0  # other questions
    assert run(*args, "--tier", "4,1")[0] == 0
    _, out, _ = run(*args, "--tier", "4", "--fresh", "--json")
    (last,) = json.loads(out)
    assert run(*args, "--tier", "4", "--answerer", "none")[0] == 0  # stands alone
    code, out, err = run("bench", "compare", "--out", tmp_path / "runs", "--format", "json")
    assert code == 0, err
    runs = json.loads(out)["runs"]
    assert [each["name"] for each in runs] == ["1 naive vector", "4 compiled"]
    assert [each["questions"] for each in runs] == [4, 4]
    assert runs[1]["run_id"] == last["run_id"]
    assert "comparing " in err
    assert Path(last["file"]).name in err
    code, _, err = run(*args[:-1], "--tier", "4", "--limit", 2)  # one run: what comes next names it
    assert f"next: contextc bench compare {tmp_path / 'runs'}" in err
    assert f"contextc grade {tmp_path / 'runs'}" in err
    code, _, err = run("bench", "compare", "--out", tmp_path / "nothing")
    assert code == 2
    assert "no complete runs" in err


def test_the_product_answers_with_the_whole_index(run: Run, tmp_path: Path) -> None:
    file = write_shop(tmp_path)
    args = (
        "bench",
        "run",
        "--questions",
        file,
        "--out",
        tmp_path / "runs",
        "-q",
        "--json",
        "--tier",
        "4",
        "--budget",
        "60",
    )
    texts = {}
    for answerer in ("offline", "ask"):
        code, out, err = run(*args, "--answerer", answerer, "--id", "q2")
        assert code == 0, err
        (row,) = [json.loads(line) for line in Path(json.loads(out)[0]["file"]).read_text().split("\n") if line]
        texts[answerer] = row
    assert "Cart.total" in texts["ask"]["answer"]
    assert all(each["in_context"] for each in texts["offline"]["citations"])
    assert not all(each["in_context"] for each in texts["ask"]["citations"])
