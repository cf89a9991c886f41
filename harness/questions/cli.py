"""``contextc bench validate | mine | convert``: the commands about question files."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import click

from agent.cli.common import ProgressBar, json_option, notes, plural, quiet_option
from harness.questions.corpus import BENCHMARK_FILE
from retrieval.errors import UserError


@click.command("validate")
@click.argument("file", type=click.Path(path_type=Path), default=Path(BENCHMARK_FILE))
@click.option("--corpus", "corpora", multiple=True, metavar="NAME", help="Look into this one alone; may be repeated.")
@json_option
@quiet_option
def validate_command(file: Path, corpora: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """Check a question file: form, ids, gold against the corpora, checks against right and wrong answers.

    FILE is benchmark-questions.jsonl unless given. Source distributions are fetched through pip into the cache.
    """
    from harness.questions.validate import report_json, summary, validate

    bar = ProgressBar(quiet)
    try:
        found = validate(file, corpora=corpora, progress=bar)
    finally:
        bar.close()
    if as_json:
        click.echo(report_json(found))
    else:
        for problem in found.problems:
            where = f"{file}:{problem.line}" + (f" {problem.question}" if problem.question else "")
            click.echo(f"{where}: {problem.text}")
        for line in found.unavailable:
            click.echo(f"not looked into: {line}")
        click.echo(f"{plural(len(found.questions), 'question')}, {plural(len(found.problems), 'problem')}")
        if found.questions:
            click.echo(summary(found.questions))
    if found.problems:
        raise UserError(f"{file} has {plural(len(found.problems), 'problem')}.", "Mend the lines that are listed.")
    if not found.questions and not found.unavailable:
        raise UserError(f"{file} holds no question.", "docs/questions.md says how to write one.")
    if found.unavailable:
        count = len(found.unavailable)
        raise UserError(
            f"{count} {'corpus' if count == 1 else 'corpora'} could not be looked into.",
            "Check that pip reaches a package index, or choose: --corpus NAME",
        )


@click.command("mine")
@click.option(
    "--from-git", "repository", type=click.Path(path_type=Path), required=True, metavar="REPO", help="The repository."
)
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="Questions at most, newest first.")
@click.option("--since", default="", metavar="DATE", help="Commits after this date, as git log --since takes it.")
@click.option("--rev", default="HEAD", show_default=True, help="The revision whose history is mined.")
@click.option(
    "--at",
    type=click.Choice(["parent", "base"]),
    default="parent",
    show_default=True,
    help="Ask about the tree before each commit, or (one index for all) about the one before the oldest of them.",
)
@click.option("--no-leaks", is_flag=True, help="Pass over questions that name a file or symbol of their gold.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="The question file (default: stdout).")
@quiet_option
def mine_command(
    repository: Path, limit: int, since: str, rev: str, at: str, no_leaks: bool, out: Path | None, quiet: bool
) -> None:
    """Make localisation questions from the history of a git repository.

    A commit message asks, what the commit changed is gold. Merges, bots, releases, formatting and sweeps over many
    files are passed over. The same history gives the same questions.
    """
    from harness.questions.load import dump_question, write_questions
    from harness.questions.mine import mine_history

    bar = ProgressBar(quiet)
    try:
        mined = mine_history(
            repository,
            limit=limit,
            since=since,
            rev=rev,
            at=at,
            leaks=not no_leaks,
            base=out.resolve().parent if out is not None else None,
            progress=lambda done, total: bar("Mining", done, total),
        )
    finally:
        bar.close()
    if out is None:
        for question in mined.questions:
            click.echo(dump_question(question), nl=False)
    else:
        write_questions(out, mined.questions)
    note = notes(quiet)
    trees = len({question.corpus for question in mined.questions})
    leaky = sum(bool(question.leaks) for question in mined.questions)
    note(
        f"{plural(len(mined.questions), 'question')} about {plural(trees, 'tree')}, {leaky} of them name a file or "
        f"symbol of their gold; {plural(mined.commits, 'commit')} in all."
    )
    if mined.passed_over:
        note("passed over: " + ", ".join(f"{count} {reason}" for reason, count in mined.passed_over.items()))
    if trees > 1:
        note("Each tree is indexed when it is asked about; --at base asks about one.")


@click.command("convert")
@click.argument("kind", type=click.Choice(["evidence", "codesearchnet", "swe-bench", "beir"]))
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The question file.")
@click.option(
    "--corpus",
    default="",
    metavar="TEMPLATE",
    help="Where the corpora lie, e.g. git:repos/{name}@{sha}; docs/questions.md lists the fields.",
)
@click.option("--limit", type=click.IntRange(1), default=None, help="Questions at most.")
@click.option("--split", default="test", show_default=True, help="beir: which qrels.")
@click.option("--suffix", default=".txt", show_default=True, help="beir: of the documents' files, .py for code.")
@click.option("--skip-bad-lines", is_flag=True, help="Pass over broken lines, one note each.")
@quiet_option
def convert_command(
    kind: str,
    source: Path,
    out: Path,
    corpus: str,
    limit: int | None,
    split: str,
    suffix: str,
    skip_bad_lines: bool,
    quiet: bool,
) -> None:
    """Turn a public question set into a question file.

    SOURCE is a JSONL file (.gz too); for beir the folder of corpus.jsonl, queries.jsonl and qrels/.
    """
    from harness.questions.beir import convert_beir
    from harness.questions.load import write_questions
    from harness.questions.public_sets import SetOptions, read_set

    options = SetOptions(corpus, skip_bad_lines, notes(quiet))
    questions = convert_beir(source, out, split, suffix, options) if kind == "beir" else read_set(kind, source, options)
    count = write_questions(out, islice(questions, limit))
    if not count:
        raise UserError(f"{source} gave no question.", f"See docs/questions.md for what {kind} looks like.")
    notes(quiet)(f"{plural(count, 'question')} written to {out}.")
