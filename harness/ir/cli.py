"""``contextc bench ir``: three arms, independent answers, exact recovery; fails on any enlargement."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from harness.ir.bench import ARMS, TOKENIZERS, all_tasks, as_dict, run, shrinkable_saving
from retrieval.context_ir.attention import PackScorer, Scorer
from retrieval.errors import UserError

_LIMIT_MS = 25.0


@click.command("ir")
@click.option("--repeats", type=click.IntRange(1, 100), default=3, show_default=True, help="Times each arm is built.")
@click.option(
    "--tokenizer",
    "tokenizers",
    type=click.Choice(sorted(TOKENIZERS)),
    multiple=True,
    help="May be repeated (default: both).",
)
@click.option(
    "--scorer",
    type=click.Choice(["fixture", "local", "remote"]),
    default="fixture",
    show_default=True,
    help="Who scores; remote asks --model.",
)
@click.option(
    "--cases", type=click.IntRange(0), default=0, help="Also read back encodings of this many random sources."
)
@click.option(
    "--requests", type=click.IntRange(0), default=0, help="Also compile this many random requests, and check each."
)
@click.option(
    "--gold",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Also measure packs of a question file.",
)
@click.option(
    "--corpora", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Its source trees (name-version)."
)
@click.option("--live", is_flag=True, help="Ask a real model instead (costs money or time; never in CI).")
@click.option("--base-url", default=None, metavar="URL", help="Of the model's server, for --live and remote scores.")
@click.option("--model", default=None, help="For --live and remote scores.")
@click.option(
    "--max-answer-calls", type=click.IntRange(1, 16), default=4, show_default=True, help="Requests of one live answer."
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Also write everything as JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    repeats: int,
    tokenizers: tuple[str, ...],
    scorer: str,
    cases: int,
    requests: int,
    gold: Path | None,
    corpora: Path | None,
    live: bool,
    base_url: str | None,
    model: str | None,
    max_answer_calls: int,
    out: Path | None,
    as_json: bool,
) -> int:
    """Measure context IR: what it saves, whether answers stay the same, whether every source comes back exactly.

    Exit code 1 when a check fails.
    """
    if (gold is None) != (corpora is None):
        raise UserError("--gold and --corpora go together.", "Give both, or neither.")
    if (live or scorer == "remote") and not model:
        what = "--live" if live else "--scorer remote"
        raise UserError(f"{what} needs a model.", "Name it with --model, and its server with --base-url.")
    judge = _scorer(scorer, base_url, model)
    report: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="contextc-ir-") as name:
        folder = Path(name)
        if live:
            report["live"] = _live(folder, base_url, str(model), max_answer_calls, judge)
        else:
            from harness.ir.timing import measure

            results = run(folder, repeats, judge, tokenizers or tuple(TOKENIZERS))
            report["arms"] = [as_dict(one) for one in results]
            report["shrinkable"] = {
                each: round(shrinkable_saving([one for one in results if one.tokenizer == each]), 4)
                for each in sorted({one.tokenizer for one in results})
            }
            report["timing"] = [asdict(one) for one in measure(folder)]
            if cases:
                report["property"] = _property(cases)
            if requests:
                report["requests"] = _requests(requests, folder)
            if gold is not None and corpora is not None:
                report["packs"] = _packs(gold, corpora, folder)
    text = json.dumps(report, indent=2, ensure_ascii=False)
    if out is not None:
        out.write_text(text + "\n", "utf-8")
    click.echo(text if as_json else rendered(report), nl=as_json)
    return 1 if failures(report) else 0


def failures(report: dict[str, Any]) -> list[str]:
    """What makes the benchmark fail: a failed check, an enlarged request, a lost source."""
    found = [
        f"{one['family']} ({one['tokenizer']}): {text}" for one in report.get("arms", ()) for text in one["problems"]
    ]
    found += [
        f"packs at {row['budget']}: {row['enlarged']} enlarged" for row in report.get("packs", ()) if row["enlarged"]
    ]
    found += [f"random requests: {text}" for text in report.get("requests", {}).get("problems", ())]
    lost = report.get("property", {}).get("lost", 0)
    return found + ([f"{lost} sources were not read back"] if lost else [])


def _property(cases: int) -> dict[str, Any]:
    from harness.ir.cases import case
    from harness.ir.property_run import Tally, check_source

    tally = Tally()
    with click.progressbar(range(cases), label="Random sources", file=sys.stderr) as seeds:
        for seed in seeds:
            check_source(case(seed)[1], tally)
    return {"cases": tally.cases, "encodings": tally.encodings, "by_format": dict(tally.made), "lost": len(tally.lost)}


def _requests(count: int, folder: Path) -> dict[str, Any]:
    from harness.ir.request_run import check_requests

    with click.progressbar(range(count), label="Random requests", file=sys.stderr) as seeds:
        tally = check_requests(seeds, folder)
    return {**asdict(tally), "requests": dict(tally.requests)}


def _packs(gold: Path, corpora: Path, folder: Path) -> list[dict[str, Any]]:
    from harness.ir.packs import BUDGETS, by_project, distribution, pack_savings

    count = len(BUDGETS) * sum(map(len, by_project(gold).values()))
    with click.progressbar(length=count, label="Packs", file=sys.stderr) as bar:
        rows = list(pack_savings(gold, corpora, folder, TOKENIZERS["o200k_base"], lambda: bar.update(1)))
    return distribution(rows)


def _scorer(name: str, base_url: str | None, model: str | None) -> Scorer | None:
    """None for the scores that come with the tasks."""
    if name == "local":
        return PackScorer()
    if name == "remote":
        from agent.answer.config import AnswerConfig
        from retrieval.context_ir.remote_scorer import RemoteScorer

        config = AnswerConfig.from_env(base_url=base_url, model=model)
        return RemoteScorer(config.base_url, config.model, config.key(), config.timeout_s)
    return None


def _live(folder: Path, base_url: str | None, model: str, max_calls: int, judge: Scorer | None) -> list[dict[str, Any]]:
    import openai

    from agent.answer.config import AnswerConfig
    from harness.ir.live import run_live
    from retrieval.model_http import model_http_client

    config = AnswerConfig.from_env(base_url=base_url, model=model)
    client = openai.OpenAI(api_key=config.key(), base_url=config.base_url or None, http_client=model_http_client())
    found = []
    try:
        for one in run_live(all_tasks(), client, model, folder, max_calls, judge):
            click.echo(f"{one.family}, {one.arm}: {'right' if one.correct else 'wrong'}", err=True)
            found.append(asdict(one))
    except openai.OpenAIError as error:
        raise UserError(
            f"The model failed: {' '.join(str(error).split())[:200]}", "Mend that and start again."
        ) from None
    return found


def rendered(report: dict[str, Any]) -> str:
    """Tables for a terminal; valid Markdown."""
    parts = []
    if "live" in report:
        parts.append(_live_table(report["live"]))
    if "arms" in report:
        parts.append(_arms_table(report["arms"]))
        totals = ", ".join(f"{100 * share:.1f} % with {name}" for name, share in report["shrinkable"].items())
        parts.append(f"Saved by IR over the shrinkable families (third arm against second): {totals}")
        parts.append(_timing_table(report["timing"]))
    if "property" in report:
        done = report["property"]
        parts.append(
            f"{done['cases']:,} random sources, {done['encodings']:,} encodings read back, {done['lost']} lost"
        )
    if "requests" in report:
        ran = report["requests"]
        parts.append(
            f"{sum(ran['requests'].values()):,} random requests, {ran['requests'].get('applied', 0):,} sent smaller, "
            f"{ran['messages']:,} messages re-encoded and {ran['saved_tokens']:,} tokens saved, "
            f"{len(ran['problems'])} problems"
        )
    if "packs" in report:
        parts.append(_packs_table(report["packs"]))
    bad = failures(report)
    parts.append("\n".join(f"FAILED {line}" for line in bad) if bad else "every check held")
    return "\n\n".join(parts) + "\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in (head, *rows)
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def _arms_table(rows: Sequence[dict[str, Any]]) -> str:
    body = [
        [
            row["family"],
            row["group"],
            row["tokenizer"],
            *(f"{tokens:,}" for tokens in row["tokens"]),
            f"{100 * row['saved']:.1f} %",
            ", ".join(name for name in row["formats"] if name != "vault") or "-",
            f"{row['compile_ms']:.1f}",
            f"{row['added_ms']:+.1f}",
            "; ".join(row["problems"]) or "ok",
        ]
        for row in rows
    ]
    return _table(["family", "kind", "tokenizer", *ARMS, "saved", "as", "CPU ms", "added ms", "checks"], body)


def _timing_table(rows: Sequence[dict[str, Any]]) -> str:
    body = [
        [
            row["source"],
            f"{row['chars']:,}",
            f"{row['cpu_ms']:.1f}",
            f"{row['wall_ms']:.1f}",
            ", ".join(row["formats"]) or "-",
        ]
        for row in rows
    ]
    return _table(["source", "characters", f"CPU ms (limit {_LIMIT_MS:.0f})", "wall ms", "as"], body)


def _packs_table(rows: Sequence[dict[str, Any]]) -> str:
    spread = ("min", "p25", "median", "p75", "max", "mean")
    body = [
        [
            str(row["budget"]),
            str(row["questions"]),
            str(row["smaller"]),
            *(f"{100 * row[name]:.1f} %" for name in spread),
            f"{row['mean_tokens']:.0f}",
        ]
        for row in rows
    ]
    return _table(["budget", "questions", "sent smaller", *spread, "mean tokens"], body)


def _live_table(rows: Sequence[dict[str, Any]]) -> str:
    body = []
    for arm in ARMS:
        mine = [row for row in rows if row["arm"] == arm]
        tokens = [row["prompt_tokens"] for row in mine]
        total = "unknown" if None in tokens else f"{sum(tokens):,}"
        body.append(
            [
                arm,
                f"{sum(row['correct'] for row in mine)} of {len(mine)}",
                total,
                str(sum(row["answer_calls"] for row in mine)),
                "unknown",
            ]
        )
    return _table(["arm", "right", "prompt tokens", "requests", "cost"], body)
