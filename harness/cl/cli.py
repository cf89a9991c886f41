"""``contextc bench cl``: methods side by side on tasks of CL-bench's form."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from agent.cli.common import ProgressBar, json_option, notes, print_json, quiet_option
from harness.cli.options import out_option, skip_option, terminal_width

_OFFLINE = re.compile(r",? or (?:use |answer without a model: )?--answerer offline")


@click.command("cl")
@click.argument("tasks", required=False, type=click.Path(path_type=Path))
@click.option("--method", "names", default="vanilla,cca", show_default=True, metavar="NAMES", help="With commas.")
@click.option("--base-url", default=None, metavar="URL", help="OpenAI-compatible server.")
@click.option("--model", default=None, help="Model name.")
@click.option("--category", multiple=True, help="Only this domain; may be repeated.")
@click.option("--context", "contexts", multiple=True, help="Only tasks of this context id; may be repeated.")
@click.option("--limit", type=click.IntRange(0), default=0, help="At most this many tasks.")
@click.option("--max-tokens", type=click.IntRange(1), default=2048, show_default=True, help="Of one reply.")
@click.option(
    "--timeout",
    type=click.FloatRange(1),
    default=120.0,
    show_default=True,
    help="Longest silence of the server, s.",
)
@click.option("--context-budget", type=click.IntRange(0), default=0, help="Tokens of a request before F7 cuts it.")
@click.option("--rounds", type=click.IntRange(0, 20), default=0, help="Rounds of Ctx2Skill's self-play.")
@click.option("--rules-compiler", type=click.Choice(["deterministic", "model"]), default="deterministic")
@click.option("--judge-url", default=None, metavar="URL", help="Server of the judge.")
@click.option("--judge-model", default=None, help="Judge of rubrics without a check.")
@click.option("--judge-all", is_flag=True, help="The judge grades rubrics with a check, too.")
@click.option("--votes", type=click.IntRange(1, 9), default=1, show_default=True, help="Of the judge.")
@click.option("--report", type=click.Path(path_type=Path), default=None, help="Print the tables of a run's file only.")
@click.option("--markdown", is_flag=True, help="Tables as Markdown.")
@click.option("--fresh", is_flag=True, help="Start anew even where a run could be gone on with.")
@out_option
@skip_option
@json_option
@quiet_option
def command(tasks: Path | None, report: Path | None, markdown: bool, as_json: bool, quiet: bool, **given: Any) -> None:
    """Answer TASKS (JSONL of CL-bench's form; default: the set shipped) by several methods and grade the answers.

    Methods: vanilla, readagent, ctx2skill, cca, cca-v2, cca-v3, cca-v4, cca-v6, cca-adaptive, and cca-no-F2 (and so
    on) for CCA without a part. A run that was killed goes on where it stopped when the same command is given again.
    """
    from harness.cl.run import read_rows
    from retrieval.errors import UserError

    note = notes(quiet)
    if report is None:
        report = _run(tasks, quiet, given)
        note(f"{report}")
    prepared, rows = read_rows(report, note)
    if not rows:
        raise UserError(f"{report} holds no answers.", "Make some: contextc bench cl --method vanilla,cca")
    _print(report, prepared, rows, markdown, as_json)


def _run(file: Path | None, quiet: bool, given: dict[str, Any]) -> Path:
    from agent.answer.config import AnswerConfig
    from agent.cca.baselines.registry import method
    from agent.cca.client import OpenAIClient
    from agent.cca.protocol import Settings
    from harness.cl.run import Graders, run
    from harness.cl.tasks import OWN_SET, load_tasks
    from harness.runner.jsonl import create_new
    from retrieval.errors import UserError

    note = notes(quiet)
    path = file or OWN_SET
    tasks = load_tasks(path, skip_bad_lines=given["skip_bad_lines"], note=note)
    if given["category"]:
        tasks = [task for task in tasks if task.category in given["category"]]
    if given["contexts"]:
        tasks = [task for task in tasks if task.context_id in given["contexts"]]
    tasks = tasks[: given["limit"] or None]
    if not tasks:
        raise UserError("No task is left.", "Widen --category, --context or --limit.")
    options = {
        "model_compiler": given["rules_compiler"] == "model",
        "context_budget": given["context_budget"],
        "rounds": given["rounds"],
    }
    methods = [method(name, **options) for name in dict.fromkeys(given["names"].split(",")) if name.strip()]
    if not methods:
        raise UserError("--method names none.", "For example: --method vanilla,cca")
    config = AnswerConfig.from_env(answerer="openai", base_url=given["base_url"], model=given["model"])
    config = replace(config, timeout_s=given["timeout"])
    judge = None
    if given["judge_model"] or given["judge_url"]:
        judge = AnswerConfig.from_env(
            answerer="openai", base_url=given["judge_url"] or config.base_url, model=given["judge_model"]
        )
    for each in filter(None, (config, judge)):
        each.key()
    name = _name(
        path,
        methods_options=f"{options} {given['max_tokens']}",
        model=f"{_server(config.base_url)} {config.model} {judge!r}",
    )
    target: Path = given["out"] / f"cl-{name}.jsonl"
    if given["fresh"] and target.exists():
        target = create_new(target)
    bar = ProgressBar(quiet)
    try:
        run(
            tasks,
            methods,
            OpenAIClient(config),
            Settings(given["max_tokens"], given["max_tokens"]),
            Graders(OpenAIClient(judge) if judge else None, given["votes"], given["judge_all"]),
            target,
            model=config.model,
            note=note,
            progress=bar,
        )
    except UserError as error:  # the answerer's words: there is no --answerer here
        raise UserError(error.cause, _OFFLINE.sub("", error.mend)) from error
    finally:
        bar.close()
    return target


def _server(url: str) -> str:
    """A server of this machine is known by its model, whatever port it has today: the run goes on all the same."""
    return re.sub(r"//(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5}(?=/|$)", "//loopback", url)


def _name(path: Path, methods_options: str, model: str) -> str:
    """A run's name: the same file of tasks, options and model give the same."""
    digest = hashlib.sha256(path.read_bytes())
    digest.update(f"\0{methods_options}\0{model}".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]


def _print(
    path: Path, prepared: Sequence[dict[str, Any]], rows: Sequence[dict[str, Any]], markdown: bool, as_json: bool
) -> None:
    from agent.guard import strip_controls
    from harness.cl.report import costs, tables
    from harness.report.tables import as_markdown, as_text

    found = tables(prepared, rows)
    if as_json:
        methods = dict.fromkeys(row["method"] for row in rows)
        print_json(
            {
                "file": str(path),
                "tables": [asdict(table) for table in found],
                "cost": {method: asdict(costs(method, prepared, rows)) for method in methods},
            }
        )
        return
    shown = [as_markdown(table) if markdown else as_text(table, terminal_width()) for table in found]
    click.echo(strip_controls("\n\n".join(shown)))
