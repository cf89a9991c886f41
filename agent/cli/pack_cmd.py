"""``contextc pack``: the compiled context pack, as a model would read it or as JSON."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from agent.cli.batch import read_batch
from agent.cli.common import (
    json_option,
    no_update_option,
    notes,
    open_tree,
    print_json,
    question_of,
    quiet_option,
    root_option,
)
from agent.cli.context_ir import context_ir_option, encode_pack, explained, ir_use, shown_evidence
from agent.json_text import json_text
from retrieval.errors import UserError
from retrieval.pack_records import ContextPack

MAX_TOKENS = 1_000_000_000  # beyond any model, within what every sum can hold

budget_option = click.option(
    "--budget",
    type=click.IntRange(max=MAX_TOKENS),
    default=4000,
    show_default=True,
    help="Tokens (o200k_base) the evidence may take.",
)
reserve_option = click.option(
    "--reserve", type=click.IntRange(0, MAX_TOKENS), default=1024, show_default=True, help="Tokens kept for the reply."
)


def check_budget(budget: int) -> None:
    """Of every command that has ``--budget``, before any work is done.

    Raises:
        UserError: No evidence fits.
    """
    if budget <= 0:
        raise UserError(f"The budget must be positive, not {budget}.", "Give tokens, for example: --budget 4000")


@click.command("pack")
@click.argument("question", nargs=-1)
@budget_option
@reserve_option
@click.option("--explain", is_flag=True, help="Show what every stage did to every chunk, and why.")
@click.option(
    "--batch", type=click.Path(path_type=Path), default=None, help='JSONL of {"id", "question"}; prints JSONL.'
)
@context_ir_option
@root_option
@no_update_option
@json_option
@quiet_option
def command(
    question: tuple[str, ...],
    budget: int,
    reserve: int,
    explain: bool,
    batch: Path | None,
    context_ir: bool | None,
    root: Path | None,
    no_update: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Compile the context pack for QUESTION and print it exactly as a model would read it.

    After the evidence come totals, warnings and rot findings. QUESTION may be - for standard input.
    """
    check_budget(budget)
    if batch is not None and question:
        raise UserError("Both a question and --batch were given.", "Give one of them.")
    text = "" if batch is not None else question_of(question)
    rows = read_batch(batch, "question") if batch is not None else []
    began = time.perf_counter()
    session = open_tree(root, update=not no_update, quiet=quiet)
    with session.reader:
        use = ir_use(session, context_ir)
        if batch is not None:
            click.echo(json.dumps({"meta": {"index_s": round(time.perf_counter() - began, 3)}}))
            for row_id, item in rows:
                started = time.perf_counter()
                pack = session.pack(item, budget=budget, reserve=reserve)
                line = _batch_line(row_id, pack, (time.perf_counter() - started) * 1000)
                if use is not None and pack.chunks:
                    line["context_ir"] = encode_pack(pack, use).metrics.to_dict()
                click.echo(json_text(line))
            return
        pack = session.checked_pack(text, budget=budget, reserve=reserve)
        for warning in session.warnings:
            notes(quiet)(warning)
        outcome = encode_pack(pack, use) if use is not None and pack.chunks else None
        if as_json:
            from retrieval.compile.schema import pack_to_dict

            told_ir = {"context_ir": {**outcome.metrics.to_dict(), "text": shown_evidence(outcome)}} if outcome else {}
            print_json({**pack_to_dict(pack), **told_ir})
            return
        from agent.guard import strip_controls
        from retrieval.compile.render import render_explain, render_pack, render_summary

        evidence = (shown_evidence(outcome) if outcome else "") or render_pack(pack)
        if evidence:
            click.echo(strip_controls(evidence))
        click.echo(strip_controls(render_summary(pack)), nl=False)
        if outcome is not None:
            from agent.answer.context_ir import told

            click.echo(told(outcome.metrics))
        if explain:
            click.echo()
            click.echo(strip_controls(render_explain(pack)), nl=False)
            if outcome is not None:
                click.echo(explained(outcome), nl=False)


def _batch_line(row_id: object, pack: ContextPack, elapsed_ms: float) -> dict[str, object]:
    return {
        "id": row_id,
        "ms": round(elapsed_ms, 3),
        "tokens": pack.total_tokens,
        "chunks": [
            {
                "path": chunk.path,
                "symbol": chunk.symbol,
                "tokens": chunk.tokens,
                "ranges": [list(pair) for pair in chunk.ranges],
            }
            for chunk in pack.chunks
        ],
    }
