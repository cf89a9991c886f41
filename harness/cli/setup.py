"""What every command that answers questions does first: find the file, count, fetch and index the corpora."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.cli.common import ProgressBar
from harness.cli.options import RUNS_DIR, corpus_map, question_file
from harness.runner.config import Answering, Asked, RunConfig, file_sha256
from harness.runner.corpus import corpus_roots, index_all
from harness.runner.run import Outcome, Selection, execute
from harness.tiers.protocol import TierOptions
from retrieval.errors import UserError

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Questions chosen, the indexed corpora they are about, and how they are to be answered."""

    selection: Selection
    roots: dict[str, Path]
    total: int
    asked: Asked
    answering: Answering

    def config(self, tier: str, options: TierOptions) -> RunConfig:
        return RunConfig(tier, options, self.answering, self.asked)


def prepare(given: dict[str, Any], quiet: bool, note: Note) -> Prepared:
    """Read the question file once as a stream, then fetch and index what its questions are about.

    Args:
        given: The values of ``selection_options``, ``answerer_options`` and ``skip_option``.

    Raises:
        UserError: No such file, no question left, a corpus that is not to be had, a model without a key.
    """
    answering = _answering(given)
    path = question_file(given["questions"])
    names, folders = corpus_map(given["corpus"])
    selection = Selection(path, names, given["category"], given["ids"], given["limit"], given["skip_bad_lines"])
    used: dict[str, int] = {}
    for question in selection.questions(note):
        used[question.corpus] = used.get(question.corpus, 0) + 1
    if not used:
        if not selection.text:
            raise UserError(f"{path} holds no questions.", "Look at it: contextc bench validate FILE")
        raise UserError(f"No question of {path} is chosen.", "Check --corpus, --category and --id.")
    roots = corpus_roots(used, folders, path.parent)
    bar = ProgressBar(quiet)
    try:
        ids = index_all(roots, bar, note)
    finally:
        bar.close()
    asked = Asked(file_sha256(path), selection.text, tuple(sorted(ids.items())))
    return Prepared(selection, roots, sum(used.values()), asked, answering)


def _answering(given: dict[str, Any]) -> Answering:
    base_url, model = given["base_url"], given["model"]
    if given["answerer"] == "openai":
        from agent.answer.config import AnswerConfig

        config = AnswerConfig.from_env(answerer="openai", base_url=base_url, model=model)
        config.key()  # a missing key is told before any work is done
        base_url, model = config.base_url, config.model
    return Answering(
        given["answerer"],
        model or "",
        base_url or "",
        given["repeat"],
        given["seed"],
        given["price_in"],
        given["price_out"],
    )


def _keep_out_of_git(folder: Path) -> None:
    """Else the runs, which hold questions and answers, would be indexed and become evidence for the next ones."""
    with contextlib.suppress(OSError):  # what cannot be written is told when the run is
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / ".gitignore").open("x", encoding="utf-8") as ignore:
            ignore.write("*\n")


def run_each(
    configs: Iterable[RunConfig],
    ready: Prepared,
    out: Path,
    *,
    jobs: int,
    quiet: bool,
    note: Note,
    fresh: bool = False,
    reuse: bool = False,
    run_id: str = "",
    label: Callable[[RunConfig], str] = lambda config: f"Tier {config.tier} {config.options.budget}",
) -> Iterator[tuple[RunConfig, Outcome]]:
    """Run one configuration after the other, each with a progress bar."""
    if out == RUNS_DIR:
        _keep_out_of_git(out)
    for config in configs:
        bar = ProgressBar(quiet)

        def progress(done: int, total: int, bar: ProgressBar = bar, name: str = label(config)) -> None:
            bar(name, done, total)

        try:
            outcome = execute(
                config,
                ready.selection,
                ready.roots,
                out,
                total=ready.total * config.answering.repeat,
                jobs=jobs,
                fresh=fresh,
                reuse=reuse,
                run_id=run_id,
                progress=progress,
                note=note,
            )
        except KeyboardInterrupt:
            bar.close()
            note("interrupted; what was answered is kept, and the same command goes on from there.")
            raise
        finally:
            bar.close()
        yield config, outcome
