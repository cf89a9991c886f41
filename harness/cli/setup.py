"""What every command that answers questions does first: find the file, count, fetch and index the corpora."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agent.cli.common import ProgressBar
from harness.cli.options import corpus_map, question_file
from harness.runner.config import RunConfig, file_sha256
from harness.runner.corpus import corpus_roots, index_all
from harness.runner.run import Outcome, Selection, execute
from retrieval.errors import UserError


@dataclass(frozen=True, slots=True)
class Prepared:
    """Questions chosen, and the indexed corpora they are about."""

    selection: Selection
    roots: dict[str, Path]
    total: int
    questions_sha256: str


def prepare(
    questions: Path | None,
    corpus: tuple[str, ...],
    category: tuple[str, ...],
    ids: tuple[str, ...],
    limit: int,
    skip_bad_lines: bool,
    quiet: bool,
    note: Callable[[str], None],
) -> Prepared:
    """Read the question file once as a stream, then fetch and index what its questions are about.

    Raises:
        UserError: No such file, no question left, a corpus that is not to be had.
    """
    path = question_file(questions)
    names, folders = corpus_map(corpus)
    selection = Selection(path, names, category, ids, limit, skip_bad_lines)
    used: dict[str, int] = {}
    for question in selection.questions(note):
        used[question.corpus] = used.get(question.corpus, 0) + 1
    if not used:
        raise UserError(f"No question of {path} is chosen.", "Check --corpus, --category and --id.")
    roots = corpus_roots(used, folders, path.parent)
    bar = ProgressBar(quiet)
    try:
        index_all(roots, bar, note)
    finally:
        bar.close()
    return Prepared(selection, roots, sum(used.values()), file_sha256(path))


def run_each(
    configs: Iterable[RunConfig],
    ready: Prepared,
    out: Path,
    *,
    jobs: int,
    fresh: bool,
    quiet: bool,
    note: Callable[[str], None],
    run_id: str = "",
) -> Iterator[tuple[RunConfig, Outcome]]:
    """Run one configuration after the other, each with a progress bar."""
    for config in configs:
        bar = ProgressBar(quiet)
        label = f"Tier {config.tier} {config.options.budget}"

        def progress(done: int, total: int, bar: ProgressBar = bar, label: str = label) -> None:
            bar(label, done, total)

        try:
            outcome = execute(
                config,
                ready.selection,
                ready.roots,
                out,
                total=ready.total * config.repeat,
                jobs=jobs,
                fresh=fresh,
                run_id=run_id,
                progress=progress,
                note=note,
            )
        finally:
            bar.close()
        yield config, outcome
