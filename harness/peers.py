"""contextc beside its peers on the same questions: ``python -m harness.peers --questions FILE --corpora DIR``.

FILE holds one question a line, ``{"id", "sdist": "name==version", "question", "gold": [{"path", "ranges"}]}``; DIR
the unpacked source distributions as ``name-version``. Peers that are not installed here are looked for in the virtual
environments given by ``--venv``; contextc depends on none of them.

NDCG@10 is over files: a file counts at its first chunk, a further chunk of it takes a place and gains nothing. Recall
is the share of gold files touched and of gold lines shown within a budget of tokens. See ``peer_runs`` for what counts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any

import click

from harness.evidence import interval
from harness.peer_runs import BUDGETS, NAMES, PEERS, Outcome, run
from retrieval.errors import UserError


def read_questions(file: Path) -> dict[str, list[dict[str, Any]]]:
    """Questions by the folder of their project."""
    found: dict[str, list[dict[str, Any]]] = {}
    for line in file.read_text("utf-8").split("\n"):
        if line.strip():
            row = json.loads(line)
            found.setdefault(str(row["sdist"]).replace("==", "-"), []).append(row)
    return found


def inside_package(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The questions with gold paths relative to the project's package folder; gold outside of it falls away."""
    prefix = f"{rows[0]['package']}/"
    moved = []
    for row in rows:
        gold = [
            {**part, "path": part["path"].removeprefix(prefix)}
            for part in row["gold"]
            if part["path"].startswith(prefix)
        ]
        if gold:
            moved.append({**row, "gold": gold})
    return moved


def table(outcomes: Mapping[str, Outcome | None]) -> str:
    """A Markdown table, a row per peer."""
    head = ["peer", "NDCG@10", *(f"{budget:,}" for budget in BUDGETS), "index s", "ms p50"]
    rows = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for name, outcome in outcomes.items():
        if outcome is None or not outcome.ndcg:
            rows.append(f"| {name} | not measured |" + " |" * (len(head) - 2))
            continue
        low, high = interval(outcome.ndcg)
        cells = [f"{name} {outcome.version}".strip(), f"{mean(outcome.ndcg):.3f} [{low:.2f}, {high:.2f}]"]
        for budget in BUDGETS:
            lines = [one.lines for one in outcome.scores[budget] if one.lines is not None]
            files = f"{mean(one.files for one in outcome.scores[budget]):.3f}"
            cells.append(f"{files} / {mean(lines):.3f}" if lines else files)
        cells += [f"{sum(outcome.index_s):.1f}", f"{median(outcome.ms):.1f}"]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def as_json(outcomes: Mapping[str, Outcome | None]) -> dict[str, Any]:
    """The same figures for programs; None for a peer that was not measured."""
    out: dict[str, Any] = {}
    for name, outcome in outcomes.items():
        if outcome is None:
            out[name] = None
            continue
        recall = {}
        for budget in BUDGETS:
            lines = [one.lines for one in outcome.scores[budget] if one.lines is not None]
            recall[str(budget)] = {
                "files": mean(one.files for one in outcome.scores[budget]),
                "lines": mean(lines) if lines else None,
                "tokens": mean(one.tokens for one in outcome.scores[budget]),
            }
        out[name] = {
            "version": outcome.version,
            "questions": len(outcome.ndcg),
            "ndcg_at_10": mean(outcome.ndcg),
            "ndcg_interval": interval(outcome.ndcg),
            "recall": recall,
            "index_s": sum(outcome.index_s),
            "ms_p50": median(outcome.ms),
        }
    return out


@click.command()
@click.option("--questions", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=True)
@click.option("--corpora", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--venv", "venvs", type=click.Path(exists=True, file_okay=False, path_type=Path), multiple=True)
@click.option("--peer", "peers", type=click.Choice(NAMES), multiple=True, help="Only these; may be repeated.")
@click.option("--only", multiple=True, help="Name of a project; may be repeated.")
@click.option("--tree", type=click.Choice(["checkout", "library"]), default="checkout", show_default=True)
@click.option("--json", "json_out", is_flag=True, help="Print JSON instead of a table.")
def main(
    questions: Path,
    corpora: Path,
    venvs: tuple[Path, ...],
    peers: tuple[str, ...],
    only: tuple[str, ...],
    tree: str,
    json_out: bool,
) -> None:
    """Measure contextc and its peers on the same questions."""
    try:
        outcomes = measure(questions, corpora, venvs, peers or NAMES, only, tree)
    except UserError as error:
        click.echo(f"Error: {error.cause}\n{error.mend}", err=True)
        raise SystemExit(2) from None
    click.echo(json.dumps(as_json(outcomes), indent=1) if json_out else table(outcomes))


def measure(
    questions: Path, corpora: Path, venvs: Sequence[Path], peers: Sequence[str], only: Sequence[str], tree: str
) -> dict[str, Outcome | None]:
    """Every peer on every project; None for a peer that is not installed or failed, which is told on stderr.

    Raises:
        UserError: A project's sources are missing.
    """
    projects = {
        name: rows for name, rows in read_questions(questions).items() if not only or name.rsplit("-", 1)[0] in only
    }
    outcomes: dict[str, Outcome | None] = {}
    for peer in peers:
        total = Outcome()
        for name, rows in projects.items():
            root = corpora / name
            chosen: Sequence[dict[str, Any]] = rows
            if tree == "library":
                root, chosen = root / rows[0]["package"], inside_package(rows)
            if not root.is_dir():
                raise UserError(
                    f"There is no folder {root}.",
                    f"pip download --no-deps --no-binary :all: {rows[0]['sdist']}, and unpack it into {corpora}.",
                )
            click.echo(f"{peer}: {name}, {len(chosen)} questions", err=True)
            try:
                outcome = run(peer, root, chosen, venvs)
            except UserError as error:  # the others are measured all the same
                click.echo(f"{error.cause}\n{error.mend}", err=True)
                total = Outcome()
                break
            if outcome is None:
                package = next(one.package for one in PEERS if one.name == peer)
                click.echo(f"{peer} is not installed: pip install {package} into a --venv", err=True)
                break
            total.extend(outcome)
        outcomes[peer] = total if total.ndcg else None
    return outcomes


if __name__ == "__main__":
    main()
