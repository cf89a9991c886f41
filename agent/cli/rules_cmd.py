"""``contextc rules``: compile rule documents, show what they amount to, check an answer against them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent.cli.common import json_option, plural, print_json, say
from agent.cli.rules_options import generated_option

if TYPE_CHECKING:
    from agent.cca.compiled import Compiled

_model_options = (
    click.option(
        "--compiler", type=click.Choice(["deterministic", "model"]), default="deterministic", show_default=True
    ),
    click.option("--base-url", default=None, metavar="URL", help="OpenAI-compatible server for --compiler model."),
    click.option("--model", default=None, help="Model name for --compiler model."),
    click.option("--no-cache", is_flag=True, help="Compile anew, whatever the cache holds."),
    generated_option,
)


@click.group("rules", invoke_without_command=False)
def command() -> None:
    """Compile the rules of a repository or of a task once; check answers against them.

    FILE is Markdown, reStructuredText or plain text. Without FILE, the rule files of this tree (AGENTS.md,
    CONTRIBUTING.md …).
    """


def _with_model_options(function: click.decorators.FC) -> click.decorators.FC:
    for option in reversed(_model_options):
        function = option(function)
    return function


@command.command("compile")
@click.argument("files", nargs=-1)
@_with_model_options
@json_option
def compile_command(
    files: tuple[str, ...],
    compiler: str,
    base_url: str | None,
    model: str | None,
    no_cache: bool,
    allow_generated_code: bool,
    as_json: bool,
) -> int:
    """Compile FILEs into the typed IR and its verifiers; --json prints both, in canonical form."""
    compiled = _compiled(files, compiler, base_url, model, no_cache, allow_generated_code)
    if as_json:
        from agent.cca.store import to_dict

        print_json(to_dict(compiled))
        return 0
    from agent.cca.ir import digest
    from agent.cca.prompts import told

    click.echo(told(compiled))
    rules = compiled.ir.rules
    click.echo(f"  must do {len(rules.must_do)}, must not {len(rules.must_not)}, conditional {len(rules.conditional)}")
    spec = compiled.ir
    click.echo(
        f"  {plural(len(spec.exact_terms), 'exact term')}, {plural(len(spec.available_tools), 'tool')}, "
        f"{plural(len(spec.workflow), 'step')}, {plural(len(spec.data_profile), 'table')}"
    )
    click.echo(f"  verifier modules: {', '.join(compiled.modules) or 'none'}")
    for each in compiled.rejected:
        click.echo(f"  no verifier for {each.rule_id}: {each.why}")
    for note in compiled.notes:
        say(note)
    click.echo(f"  IR {digest(compiled.ir)}")
    return 0


@command.command("show")
@click.argument("files", nargs=-1)
@_with_model_options
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the IR instead.")
@json_option
def show_command(
    files: tuple[str, ...],
    compiler: str,
    base_url: str | None,
    model: str | None,
    no_cache: bool,
    allow_generated_code: bool,
    schema: bool,
    as_json: bool,
) -> int:
    """List each rule with its line, its kind, and what its verifier looks at."""
    if schema:
        from agent.cca.ir import json_schema

        print_json(json_schema())
        return 0
    compiled = _compiled(files, compiler, base_url, model, no_cache, allow_generated_code)
    if as_json:
        print_json(compiled.ir.model_dump(mode="json"))
        return 0
    from agent.cca.render import render_rules

    click.echo(render_rules(compiled), nl=False)
    return 0


@command.command("data")
@click.argument("files", nargs=-1, required=True)
@json_option
def data_command(files: tuple[str, ...], as_json: bool) -> int:
    """Summarise and fit the tables in FILEs (Markdown, CSV, TSV, semicolons, aligned columns).

    Malformed rows are counted and left out. Fits: a power law, a line, and a proportionality, with standard errors and
    units.
    """
    from dataclasses import asdict

    from agent.cca.fits import fits, report, summaries
    from agent.cca.rule_files import read_named
    from agent.cca.tables import find_tables
    from agent.guard import strip_controls

    sources = read_named(files, "table file")
    if as_json:
        print_json(
            [
                {
                    "source": source.name,
                    "first_line": table.first_line,
                    "last_line": table.last_line,
                    "rows": len(table.cells),
                    "malformed": table.malformed,
                    "summaries": [asdict(each) for each in summaries(table)],
                    "fits": [asdict(each) for each in fits(table)],
                }
                for source in sources
                for table in find_tables(source.text)
            ]
        )
        return 0
    for source in sources:
        found = report(source.text)
        click.echo(strip_controls(f"{source.name}\n{found or '  no table of data'}"))
    return 0


@command.command("check")
@click.argument("answer", type=click.Path(exists=False, dir_okay=False))
@click.argument("files", nargs=-1)
@_with_model_options
@click.option("--question", default=None, help='What was asked; rules such as "when asked about X" look at it.')
@json_option
def check_command(
    answer: str,
    files: tuple[str, ...],
    compiler: str,
    base_url: str | None,
    model: str | None,
    no_cache: bool,
    allow_generated_code: bool,
    question: str | None,
    as_json: bool,
) -> int:
    """Check the text in the file ANSWER (- for standard input) against FILEs. Exit code 1 when a rule is violated."""
    from agent.cca.rule_files import read_named, read_standard_input
    from agent.cca.verify import verify

    from_input = answer == "-"
    text = read_standard_input(sys.stdin.buffer, "answer") if from_input else read_named((answer,), "answer")[0].text
    compiled = _compiled(files, compiler, base_url, model, no_cache, allow_generated_code)
    found = verify(compiled, text, question=question, allow_generated=allow_generated_code)
    if as_json:
        print_json(found.to_dict())
    else:
        from agent.cca.render import render_verification

        click.echo(render_verification(found, text), nl=False)
    return 1 if found.violations else 0


def _compiled(
    files: tuple[str, ...],
    compiler: str,
    base_url: str | None,
    model: str | None,
    no_cache: bool,
    allow_generated: bool,
) -> Compiled:
    from agent.cca.compile import compile_rules
    from agent.cca.rule_files import read_named

    if not files:
        files = _own_files()
        say(f"rules of {', '.join(map(os.path.relpath, files))}")
    sources = read_named(files)
    if compiler == "deterministic":
        return compile_rules(sources, cache=not no_cache)
    from agent.answer.config import AnswerConfig
    from agent.cca.client import OpenAIClient
    from retrieval.errors import UserError

    config = AnswerConfig.from_env(answerer="openai", base_url=base_url, model=model)
    try:
        config.key()  # a missing key is told before any work is done
    except UserError as error:
        mend = error.mend.replace("--answerer offline", "--compiler deterministic")
        raise UserError(error.cause, mend) from error
    named = f"{config.base_url} {config.model}"
    return compile_rules(
        sources, OpenAIClient(config), model=named, cache=not no_cache, allow_generated=allow_generated
    )


def _own_files() -> tuple[str, ...]:
    """The rule files of the tree around the working directory."""
    from agent.cca.rule_files import NAMES
    from retrieval.errors import UserError
    from retrieval.source.git import git_root

    root = git_root(Path.cwd()) or Path.cwd()
    found = tuple(str(root / name) for name in NAMES if (root / name).is_file())
    if not found:
        raise UserError(f"No rule file was found in {root}.", "Name one: contextc rules show FILE")
    return found
