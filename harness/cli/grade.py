"""``contextc grade``: grade a run by hand, automatically, or by a model; always into a file of its own."""

from __future__ import annotations

import getpass
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.common import ProgressBar, json_option, notes, plural, print_json, quiet_option
from harness.cli.options import skip_option
from retrieval.errors import UserError

if TYPE_CHECKING:
    from harness.grading.record import Grade
    from harness.grading.row_index import Key, RowIndex
    from harness.runner.jsonl import JsonlAppender

Note = Callable[[str], None]
_OFFLINE = re.compile(r" or (?:use |answer without a model: )?--answerer offline")


@click.command("grade", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("run", required=False, type=click.Path(path_type=Path))
@click.option("--auto", "mode", flag_value="automatic", help="By facts, citations and abstention; deterministic.")
@click.option("--judge", "mode", flag_value="judge", help="By a model behind an OpenAI-compatible server.")
@click.option("--by-hand", "mode", flag_value="human", default="human", help="In the terminal (default).")
@click.option("--name", default=None, help="Who grades by hand (default: your user name).")
@click.option("--sample", type=click.IntRange(0), default=0, help="Only so many answers, drawn at random.")
@click.option("--category", multiple=True, help="Only this category; may be repeated.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sample, and of the judge's orders.")
@click.option("--base-url", default=None, metavar="URL", help="Server of the judge.")
@click.option("--model", default=None, help="Model of the judge.")
@click.option("--votes", type=click.IntRange(1, 15), default=3, show_default=True, help="Votes of the judge; odd.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="File for the grades.")
@click.option("--fresh", is_flag=True, help="A new file even where a sitting could be gone on with.")
@skip_option
@json_option
@quiet_option
def command(
    run: Path | None,
    mode: str,
    name: str | None,
    sample: int,
    category: tuple[str, ...],
    seed: int,
    base_url: str | None,
    model: str | None,
    votes: int,
    out: Path | None,
    fresh: bool,
    skip_bad_lines: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Grade the answers of RUN, a file of `contextc bench run` (default: of the newest runs the highest tier's).

    RUN itself is never changed. By hand and by a judge, grading goes on in the newest file of the same grader, so that
    one may quit and come back; automatic grades whose making was killed are gone on with. Two graders: contextc bench
    agree FIRST SECOND.
    """
    from harness.grading.row_index import index_rows

    note = notes(quiet)
    run = run or _newest(note)

    def wanted(row: Mapping[str, Any]) -> bool:
        return not category or row.get("category") in category

    rows = index_rows(run, wanted=wanted, sample=sample, seed=seed, skip_broken=skip_bad_lines, note=note)
    if not rows.offsets:
        raise UserError(f"{run} holds no answers to grade.", "Run it first: contextc bench run")
    if mode == "automatic":
        from harness.grading.automatic import NAME, grade_automatically

        target, counts = _grade_whole(rows, grade_automatically, mode, NAME, run, out, fresh, quiet, note)
    elif mode == "judge":
        try:
            target, counts = _judge(rows, run, out, fresh, base_url, model, votes, seed, quiet, note)
        except UserError as error:  # the answerer's words: grading has no --answerer
            raise UserError(error.cause, _OFFLINE.sub(" or grade without a model: --auto", error.mend)) from error
    else:
        target, counts = _by_hand(rows, run, out, fresh, name or _user(), note)
    if as_json:
        print_json({"file": str(target), "grades": dict(counts)})
        return
    click.echo(f"{plural(sum(counts.values()), 'answer')} graded: {_told(counts)}")
    click.echo(f"{target}")


def _newest(note: Note) -> Path:
    from harness.cli.options import RUNS_DIR
    from harness.runner.manifest import latest_runs

    found = latest_runs(RUNS_DIR)
    if not found:
        raise UserError(f"There are no complete runs in {RUNS_DIR}.", "Make some: contextc bench run; or name a file.")
    note(f"grading {found[-1]}")
    return found[-1]


def _told(counts: Counter[str]) -> str:
    from harness.grading.labels import GRADES

    return ", ".join(f"{counts[grade]} {grade}" for grade in GRADES if counts[grade]) or "none"


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a user id without a name
        return "somebody"


def _grade_all(
    rows: RowIndex,
    grader: Callable[[Mapping[str, Any]], Grade],
    kind: str,
    name: str,
    run: Path,
    out: Path | None,
    fresh: bool,
    quiet: bool,
    note: Note,
) -> tuple[Path, Counter[str]]:
    """Goes on in the newest file of the grader, whose files may be unfinished at any time; counts this sitting."""
    from harness.grading.files import open_grades
    from harness.runner.jsonl import JsonlAppender

    target, done = open_grades(run, kind, name, out, fresh=fresh, note=note)
    with JsonlAppender(target, note) as appender:
        return target, _grade_open(rows, grader, kind, name, done, appender, quiet)


def _grade_whole(
    rows: RowIndex,
    grader: Callable[[Mapping[str, Any]], Grade],
    kind: str,
    name: str,
    run: Path,
    out: Path | None,
    fresh: bool,
    quiet: bool,
    note: Note,
) -> tuple[Path, Counter[str]]:
    """A file that comes to be when all is graded; counts what an attempt before a kill has graded, too."""
    from harness.grading.whole import whole_grades

    wanted = frozenset(key for key, _ in rows.offsets)
    with whole_grades(run, kind, name, out, wanted, fresh=fresh, note=note) as unfinished:
        counts = Counter(grade for key, grade in unfinished.done.items() if key in wanted)
        counts += _grade_open(rows, grader, kind, name, unfinished.done, unfinished.appender, quiet)
    return unfinished.path, counts


def _grade_open(
    rows: RowIndex,
    grader: Callable[[Mapping[str, Any]], Grade],
    kind: str,
    name: str,
    done: Collection[Key],
    appender: JsonlAppender,
    quiet: bool,
) -> Counter[str]:
    """Grades what is not ``done``, each on the disk before the next."""
    from harness.grading.record import graded_row

    counts: Counter[str] = Counter()
    bar = ProgressBar(quiet)
    try:
        for at, (key, _) in enumerate(rows.offsets):
            bar("Grading", at, len(rows.offsets))
            if key in done:
                continue
            row = rows.row(at)
            grade = grader(row)
            appender.append(graded_row(row, grade, kind, name))
            counts[grade.grade] += 1
        bar("Grading", len(rows.offsets), len(rows.offsets))
    finally:
        bar.close()
    return counts


def _judge(
    rows: RowIndex,
    run: Path,
    out: Path | None,
    fresh: bool,
    base_url: str | None,
    model: str | None,
    votes: int,
    seed: int,
    quiet: bool,
    note: Note,
) -> tuple[Path, Counter[str]]:
    from agent.answer.config import AnswerConfig
    from harness.grading.judge import Judge

    if votes % 2 == 0:
        raise UserError(f"--votes is {votes}.", "Give an odd number: an even one can be tied.")
    config = AnswerConfig.from_env(answerer="openai", base_url=base_url, model=model)
    config.key()  # a missing key is told before any work is done
    judge = Judge(config, votes, seed)
    target, counts = _grade_all(rows, judge, "judge", model or config.model or "model", run, out, fresh, quiet, note)
    if judge.usage:
        sent, received = judge.usage["prompt_tokens"], judge.usage["completion_tokens"]
        note(f"the judge {judge.model} used {sent:,} + {received:,} tokens")
    means = {passed: sum(values) / len(values) for passed, values in judge.lengths.items() if values}
    if len(means) == 2:
        told = f"{means[True]:.0f} characters on average, failing ones {means[False]:.0f}"
        note(f"length control: passing answers have {told}")
    return target, counts


def _by_hand(
    rows: RowIndex, run: Path, out: Path | None, fresh: bool, name: str, note: Note
) -> tuple[Path, Counter[str]]:
    from harness.cli.terminal import Keyboard
    from harness.grading.files import open_grades
    from harness.grading.interactive import HandGrading
    from harness.runner.jsonl import JsonlAppender

    target, done = open_grades(run, "human", name, out, fresh=fresh, note=note)
    with JsonlAppender(target, note) as appender:
        sitting = HandGrading(rows, appender, name, Keyboard(), done)
        if not sitting.run():
            note(f"grades are kept; go on with the same command: {target}")
    return target, +sitting.counts
