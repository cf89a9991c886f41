"""How well ``search`` ranks files: NDCG@10, reciprocal rank and recall at 500 tokens, by kind of question.

``python -m harness.ranking [--corpora DIR] [--questions FILE] [--tree library|checkout|both] [--split tune|held|both]``

The questions (``harness/ranking_questions.jsonl``; ``ranking_questions_b.jsonl`` beside it asks about twelve more
projects) ask about ten projects from the package index, half of them for tuning and half held out; the files that
answer were read from the code before any result was looked at. *library*
searches the package's folder alone, *checkout* the whole source distribution with its tests and documents. DIR holds
the source distributions unpacked as ``name-version``; without it they are fetched through pip. Indexed trees of both
kinds are kept in the user's cache directory.

A result counts at its place in the list of chunks, so that a further chunk of a file already listed takes a place and
gains nothing. Intervals are 95 % percentile bootstrap over questions.
"""

from __future__ import annotations

import json
import math
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import TYPE_CHECKING, Any

import click

from harness.evidence import interval
from retrieval.index.location import user_cache_dir

if TYPE_CHECKING:
    from agent.session import Session
    from retrieval.pack_records import Candidate

TREES = ("library", "checkout")
KINDS = ("natural", "symbol", "architecture")
_TOP = 10
_TOKENS = 500


@dataclass(frozen=True, slots=True)
class Figures:
    """One question: each 0..1, ``cpu_ms`` in milliseconds of processor time."""

    kind: str
    ndcg: float
    reciprocal_rank: float
    recall: float
    cpu_ms: float


def ndcg(gold: Sequence[str], found: Sequence[str]) -> float:
    """NDCG@10 of the paths of ranked chunks: each gold path counts once, where it first occurs."""
    left = set(gold)
    gain = 0.0
    for rank, path in enumerate(found[:_TOP]):
        if path in left:
            left.discard(path)
            gain += 1 / math.log2(rank + 2)
    return gain / sum(1 / math.log2(rank + 2) for rank in range(min(_TOP, len(gold))))


def reciprocal_rank(gold: Sequence[str], found: Sequence[str]) -> float:
    return next((1 / rank for rank, path in enumerate(found[:_TOP], 1) if path in gold), 0.0)


def recall_within(gold: Sequence[str], found: Iterable[tuple[str, int]], budget: int = _TOKENS) -> float:
    """Share of gold paths among the results (path, tokens) that fit into ``budget`` tokens, read from the top."""
    seen: set[str] = set()
    spent = 0
    for path, tokens in found:
        if spent + tokens > budget:
            break
        spent += tokens
        seen.add(path)
    return sum(path in seen for path in gold) / len(gold)


def score(
    row: Mapping[str, Any], prefix: str, found: Sequence[Candidate], tokens: Sequence[int], cpu_ms: float
) -> Figures:
    """Figures of one question; ``prefix`` of the gold paths is left off (the library's folder searched alone)."""
    gold = [part["path"].removeprefix(prefix) for part in row["gold"]]
    paths = [candidate.chunk.path for candidate in found]
    costs = list(zip(paths, tokens, strict=True))
    return Figures(row["kind"], ndcg(gold, paths), reciprocal_rank(gold, paths), recall_within(gold, costs), cpu_ms)


def measure(rows: Sequence[Mapping[str, Any]], session: Session, prefix: str) -> list[Figures]:
    from retrieval.search.windows import shown_ranges

    figures: list[Figures] = []
    for row in rows:
        began = process_time()
        found = session.searcher.search(session.plan(row["question"]), _TOP, objective="files").candidates
        shown = shown_ranges(session.reader, row["question"], found)
        spent = (process_time() - began) * 1000
        figures.append(score(row, prefix, found, [tokens for _, _, tokens in shown], spent))
    return figures


def tree_of(row: Mapping[str, Any], kind: str, corpora: Path | None) -> Path:
    """The folder to search, a copy of its own in the cache, so that no index is written into ``corpora``."""
    name = str(row["sdist"]).replace("==", "-")
    target = user_cache_dir() / "ranking" / kind / name
    if not target.is_dir():
        source = corpora / name if corpora is not None else _fetched(row)
        source = source / row["package"] if kind == "library" else source
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(".contextc"))
    return target


def _fetched(row: Mapping[str, Any]) -> Path:
    from harness.corpora import Corpus, fetch_corpus

    name, _, version = str(row["sdist"]).partition("==")
    return fetch_corpus(Corpus(name, version, row["sdist_sha256"]))


def read_questions(file: Path | None) -> list[dict[str, Any]]:
    text = (file or Path(str(resources.files("harness").joinpath("ranking_questions.jsonl")))).read_text("utf-8")
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def row_of(name: str, figures: Sequence[Figures]) -> str:
    """A row of the table; NDCG with its interval."""
    low, high = interval([one.ndcg for one in figures])
    kinds = [[one.ndcg for one in figures if one.kind == kind] for kind in KINDS]
    by_kind = " | ".join(f"{mean(values):.3f}" if values else "-" for values in kinds)
    return (
        f"| {name} | {len(figures)} | {mean(f.ndcg for f in figures):.3f} [{low:.2f}, {high:.2f}] | {by_kind} | "
        f"{mean(f.reciprocal_rank for f in figures):.3f} | {mean(f.recall for f in figures):.3f} | "
        f"{median(f.cpu_ms for f in figures):.1f} |"
    )


@click.command()
@click.option("--corpora", type=click.Path(exists=True, file_okay=False, path_type=Path), default=None)
@click.option("--questions", type=click.Path(exists=True, dir_okay=False, path_type=Path), default=None)
@click.option("--tree", type=click.Choice([*TREES, "both"]), default="both", show_default=True)
@click.option("--split", type=click.Choice(["tune", "held", "both"]), default="both", show_default=True)
@click.option("--projects", is_flag=True, help="A row for each project too.")
def main(corpora: Path | None, questions: Path | None, tree: str, split: str, projects: bool) -> None:
    """Score the ranking of files."""
    from agent.session import open_session

    rows = [row for row in read_questions(questions) if split in ("both", row["split"])]
    click.echo(
        "| | questions | NDCG@10 | natural | symbol | architecture | MRR | recall at 500 tokens | CPU ms |\n"
        "|---|---|---|---|---|---|---|---|---|"
    )
    for kind in TREES if tree == "both" else (tree,):
        for half in ("tune", "held") if split == "both" else (split,):
            chosen = [row for row in rows if row["split"] == half]
            everything: list[Figures] = []
            for name in dict.fromkeys(row["sdist"] for row in chosen):
                own = [row for row in chosen if row["sdist"] == name]
                session = open_session(tree_of(own[0], kind, corpora))
                figures = measure(own, session, f"{own[0]['package']}/" if kind == "library" else "")
                session.close()
                everything += figures
                if projects:
                    click.echo(row_of(f"{kind}: {name}", figures))
                    sys.stdout.flush()
            click.echo(row_of(f"{kind}, {half}", everything))


if __name__ == "__main__":
    main()
