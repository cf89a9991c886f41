"""What each feature and each term of the pack's objective contributes: everything on, against one of them off.

``python -m harness.ablation --set NAME GOLD CORPORA [--set …] [--only FEATURE …]``

GOLD and CORPORA are what ``harness.evidence`` reads. Two figures a question: *pack*, the mean of file and line recall
of packs at the budgets; *ndcg*, NDCG@10 of the search (each gold file counts once, at the first result in it that
touches its gold lines). Contributions are means of paired differences with 95 % percentile bootstrap intervals.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any

import click

from harness.evidence import Shown, interval, score

if TYPE_CHECKING:
    from agent.session import Session
    from retrieval.compile.pack_config import PackConfig
    from retrieval.compile.workspace import Workspace
    from retrieval.pack_records import Candidate, Plan
    from retrieval.search.config import RankingConfig

BUDGETS = (1000, 4000)
_TOP = 10
_RANKING_OFF: Mapping[str, Mapping[str, Any]] = {
    "likelihood: match": {"odds_match": 0.0},
    "likelihood: match of the file": {"odds_file_match": 0.0},
    "likelihood: rank in the file": {"odds_file_rank": 0.0},
    "likelihood: additive features": {"odds_boost": 0.0},
    "likelihood: tests, documents, config": {"odds_test": 0.0, "odds_doc": 0.0, "odds_config": 0.0},
    "likelihood: around definitions": {"odds_around": 0.0},
}
_PACK_OFF: Mapping[str, Mapping[str, Any]] = {
    "pack: pointers to further files": {"pointer_share": 0.0},
    "pack: an aspect's bonus": {"aspect_bonus": 0.0},
    "pack: words within pieces": {"match_weight": 0.0},
    "pack: moderate pieces whole": {"plain_piece_tokens": 0},
    "pack: first pieces of files in the pool": {"pool_files": 0},
}


@dataclass(frozen=True, slots=True)
class Variant:
    """One thing off."""

    name: str
    ranking: RankingConfig
    pack: PackConfig


@dataclass(frozen=True, slots=True)
class Figures:
    """One question."""

    pack: float
    ndcg: float


def variants() -> list[Variant]:
    """Everything on, then each thing off."""
    from retrieval.compile.pack_config import DEFAULT as PACK
    from retrieval.search.config import DEFAULT as RANKING
    from retrieval.search.config import FEATURES

    return [
        Variant("everything on", RANKING, PACK),
        *(Variant(name, replace(RANKING, features=RANKING.features - {name}), PACK) for name in FEATURES),
        *(Variant(name, replace(RANKING, **off), PACK) for name, off in _RANKING_OFF.items()),
        *(Variant(name, RANKING, replace(PACK, **off)) for name, off in _PACK_OFF.items()),
    ]


def ndcg(gold: Sequence[Mapping[str, Any]], found: Sequence[Candidate]) -> float:
    """NDCG@10 with one relevant item for each gold file, found by the first result that touches its gold lines."""
    open_parts = list(gold)
    gain = 0.0
    for rank, candidate in enumerate(found[:_TOP]):
        chunk = candidate.chunk
        for part in open_parts:
            ranges = part["ranges"] or [(chunk.start_line, chunk.end_line)]
            touched = any(a <= chunk.end_line and b >= chunk.start_line for a, b in ranges)
            if part["path"] == chunk.path and touched:
                gain += 1 / math.log2(rank + 2)
                open_parts.remove(part)
                break
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(_TOP, len(gold))))
    return gain / ideal


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a pack is compiled from, and NDCG@10 of the ranking that gave it."""

    plan: Plan
    workspace: Workspace
    ndcg: float


def gather(ranking: RankingConfig, rows: Sequence[Mapping[str, Any]], session: Session) -> list[Gathered]:
    """The workspace of each question: the same for all variants with one ranking."""
    from retrieval.compile.workspace import collect

    searcher = session.searcher
    searcher.config = ranking
    found: list[Gathered] = []
    for row in rows:
        plan = session.plan(row["question"])
        ranked = ndcg(row["gold"], searcher.search(plan, _TOP).candidates)
        found.append(Gathered(plan, collect(plan, searcher), ranked))
    return found


def measure(
    variant: Variant, gathered: Sequence[Gathered], rows: Sequence[Mapping[str, Any]], session: Session
) -> list[Figures]:
    from retrieval.compile.pipeline import compile_pack

    figures: list[Figures] = []
    for row, own in zip(rows, gathered, strict=True):
        recalls: list[float] = []
        for budget in BUDGETS:
            pack = compile_pack(own.plan, own.workspace, session.reader, budget=budget, config=variant.pack)
            one = score(row["gold"], [Shown(c.path, c.tokens, c.ranges) for c in pack.chunks], budget)
            recalls += [one.files] if one.lines is None else [one.files, one.lines]
        figures.append(Figures(mean(recalls), own.ndcg))
    return figures


def contribution(on: Sequence[float], off: Sequence[float]) -> str:
    differences = [a - b for a, b in zip(on, off, strict=True)]
    low, high = interval(differences)
    return f"{mean(differences):+.3f} [{low:+.3f}, {high:+.3f}]"


@click.command()
@click.option(
    "--set", "sets", type=(str, click.Path(exists=True), click.Path(exists=True)), multiple=True, required=True
)
@click.option("--only", multiple=True, help="Beginning of a feature's name; may be repeated.")
def main(sets: tuple[tuple[str, str, str], ...], only: tuple[str, ...]) -> None:
    """Contribution of each feature on each set of questions."""
    from agent.session import open_session

    chosen = [v for at, v in enumerate(variants()) if not at or not only or v.name.startswith(only)]
    results: dict[str, dict[str, list[Figures]]] = {v.name: {} for v in chosen}
    for label, gold, corpora in sets:
        by_project: dict[str, list[dict[str, Any]]] = {}
        for line in Path(gold).read_text("utf-8").split("\n"):
            if line.strip():
                row = json.loads(line)
                by_project.setdefault(row["sdist"].replace("==", "-"), []).append(row)
        for name, rows in by_project.items():
            session = open_session(Path(corpora) / name)
            everything = gather(chosen[0].ranking, rows, session)
            for variant in chosen:
                own = everything if variant.ranking == chosen[0].ranking else gather(variant.ranking, rows, session)
                results[variant.name].setdefault(label, []).extend(measure(variant, own, rows, session))
                click.echo(f"{label}: {name}: {variant.name}", err=True)
            session.close()
    on = results[chosen[0].name]
    head = "".join(f" {label} pack | {label} ndcg@10 |" for label in on)
    click.echo(f"| off |{head}\n|---|{'---|' * 2 * len(on)}")
    cells = "".join(f" {mean(f.pack for f in fs):.3f} | {mean(f.ndcg for f in fs):.3f} |" for fs in on.values())
    click.echo(f"| nothing |{cells}")
    for variant in chosen[1:]:
        row_cells = ""
        for label, figures in results[variant.name].items():
            row_cells += f" {contribution([f.pack for f in on[label]], [f.pack for f in figures])} |"
            row_cells += f" {contribution([f.ndcg for f in on[label]], [f.ndcg for f in figures])} |"
        click.echo(f"| {variant.name} |{row_cells}")


if __name__ == "__main__":
    main()
