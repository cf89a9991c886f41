"""``contextc ask``: an answer with citations that resolve to file and lines, offline or from a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
from click.core import ParameterSource

from agent.cli.answerer_options import answerer_options
from agent.cli.common import (
    ProgressBar,
    index_overrides,
    json_option,
    no_update_option,
    notes,
    print_json,
    question_of,
    quiet_option,
    root_option,
)
from agent.cli.context_ir import context_ir_option, ir_use
from agent.cli.pack_cmd import budget_option, check_budget, reserve_option
from agent.cli.rules_options import RulesUse, named_rules, rule_book, rules_options
from agent.session import Session, open_session
from retrieval.pack_records import ContextPack


@click.command("ask")
@click.argument("question", nargs=-1)
@budget_option
@reserve_option
@answerer_options
@rules_options
@click.option("--strict", is_flag=True, help="Refuse to answer from evidence with defects.")
@context_ir_option
@root_option
@no_update_option
@json_option
@quiet_option
def command(
    question: tuple[str, ...],
    budget: int,
    reserve: int,
    answerer: str,
    base_url: str | None,
    model: str | None,
    timeout: float | None,
    rules: tuple[str, ...],
    rules_compiler: str,
    allow_generated_code: bool,
    rules_variant: str,
    rules_without: tuple[str, ...],
    rules_violations: int,
    rules_context: int,
    strict: bool,
    context_ir: bool | None,
    root: Path | None,
    no_update: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Answer QUESTION about the tree, every factual sentence cited.

    Offline unless OPENAI_API_KEY or --base-url is given. Exit code 3 when --strict refuses. QUESTION may be - for
    standard input.
    """
    check_budget(budget)
    text = question_of(question)
    from agent.answer.answerer import answer_question
    from agent.answer.config import AnswerConfig
    from agent.answer.render import render_answer, render_details

    config = AnswerConfig.from_env(answerer=answerer, base_url=base_url, model=model, timeout_s=timeout, strict=strict)
    if config.wants_model:
        config.key()  # a missing key is told before any work is done
    if config.is_plugin:
        from agent.answer.plugin import load_answerer

        load_answerer(answerer)
    use = RulesUse(
        rules, rules_compiler, allow_generated_code, rules_variant, rules_without, rules_violations, rules_context
    )
    use.check_config(config)
    named = named_rules(use.files)
    bar = ProgressBar(quiet)
    try:
        session = open_session(root, update=not no_update, progress=bar, warn=notes(quiet), overrides=index_overrides())
        session, pack = _fresh_pack(session, text, budget, reserve, bar, None if no_update else notes(quiet))
    finally:
        bar.close()
    with session.reader:
        for warning in session.warnings:
            notes(quiet)(warning)
        book = rule_book(use, named, session, pack, config, notes(quiet))
        asked = click.get_current_context().get_parameter_source("context_ir") is ParameterSource.COMMANDLINE
        if context_ir and asked and not (config.wants_model and book is None):
            why = "rules are checked on the request as it is" if config.wants_model else "no model is asked"
            notes(quiet)(f"--context-ir changes nothing here: {why}.")
        if config.wants_model:
            config = replace(config, context_ir=ir_use(session, context_ir))
        asks = config.wants_model or config.is_plugin
        streams = asks and not as_json and pack.chunks and pack.sufficient and book is None

        def show(piece: str) -> None:
            click.echo(piece, nl=False)

        answer = answer_question(
            pack,
            session.reader,
            session.graph,
            config,
            show if streams else None,
            checks=session.checks(text),
            rules=book,
        )
    if as_json:
        print_json(answer.to_dict())
    elif streams and not answer.refused:
        click.echo("\n")
        click.echo(render_details(answer), nl=False)
    else:
        click.echo(render_answer(answer), nl=False)
    return 3 if answer.refused else 0


def _fresh_pack(
    session: Session, question: str, budget: int, reserve: int, bar: ProgressBar, warn: object
) -> tuple[Session, ContextPack]:
    """The pack; compiled once more when a file changed between the update and its use (``warn`` None: never)."""
    pack = session.checked_pack(question, budget=budget, reserve=reserve)
    if callable(warn) and any(finding.kind == "stale" for finding in pack.rot):
        warn("Evidence changed on disk meanwhile; the index was updated and the pack compiled again.")
        session.close()
        session = open_session(session.location.root, progress=bar, overrides=index_overrides())
        pack = session.checked_pack(question, budget=budget, reserve=reserve)
    return session, pack
