"""``contextc serve``: a local HTTP API and a page over one tree's index."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent.cli.answerer_options import answerer_options
from agent.cli.common import json_option, no_update_option, notes, open_tree, quiet_option, root_option, say
from agent.cli.pack_cmd import budget_option, check_budget, reserve_option
from agent.cli.rules_options import RulesUse, named_rules, rule_book, rules_options
from agent.json_text import json_text

if TYPE_CHECKING:
    from agent.answer.config import AnswerConfig
    from agent.cca.apply import RuleBook
    from agent.serve.settings import RulesFor
    from agent.session import Session
    from retrieval.pack_records import ContextPack


def rules_for(use: RulesUse) -> RulesFor | None:
    """Files are read now, so that a wrong name is told at the start; the tree's own are found for each answer."""
    if not set(use.names) - {"none"}:
        return None
    named = named_rules(use.files)

    def of(session: Session, pack: ContextPack, config: AnswerConfig) -> RuleBook | None:
        return rule_book(use, named, session, pack, config, lambda _text: None)

    return of


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=None, help="Port (default: 8642 or a free one).")
@click.option("--token", default=None, help="What requests must show (default: CONTEXTC_SERVE_TOKEN, else random).")
@click.option(
    "--allow-host", "names", multiple=True, metavar="NAME", help="A further host name of this server. Repeatable."
)
@answerer_options
@rules_options
@budget_option
@reserve_option
@click.option(
    "--threads", type=click.IntRange(1, 64), default=4, show_default=True, help="Packs and answers made at once."
)
@root_option
@no_update_option
@json_option
@quiet_option
def command(
    host: str,
    port: int | None,
    token: str | None,
    names: tuple[str, ...],
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
    budget: int,
    reserve: int,
    threads: int,
    root: Path | None,
    no_update: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Serve search, packs and cited answers about the tree on this machine, and a page that shows them.

    The address with its token is printed on stderr (with --json also on stdout) when the server is ready. SIGINT and
    SIGTERM stop it. The index is kept current with the tree unless --no-update is given.
    """
    check_budget(budget)
    from agent.answer.config import AnswerConfig
    from agent.serve.server import bind, serve
    from agent.serve.settings import ServeSettings, choose_token, host_values, is_loopback

    config = AnswerConfig.from_env(answerer=answerer, base_url=base_url, model=model, timeout_s=timeout)
    if config.wants_model:
        config.key()  # a missing key is told before any work is done
    if config.is_plugin:
        from agent.answer.plugin import load_answerer

        load_answerer(answerer)
    use = RulesUse(
        rules, rules_compiler, allow_generated_code, rules_variant, rules_without, rules_violations, rules_context
    )
    use.check_config(config)
    secret = choose_token(token)
    listener = bind(host, port)
    address, bound = listener.getsockname()[:2]
    settings = ServeSettings(
        token=secret,
        hosts=host_values(address, bound, (host, *names)),
        answer=config,
        budget=budget,
        reserve=reserve,
        update=not no_update,
        rules=rules_for(use),
        workers=threads,
    )
    if not is_loopback(address):
        notes(quiet)("Other machines can reach this server; what it sends, its token included, is not encrypted.")
    session = open_tree(root, update=not no_update, quiet=quiet)
    with session.reader:
        session.pack("warm up", budget=500)  # what is imported and loaded once is so before the first question
        for warning in session.warnings:
            notes(quiet)(warning)
    shown = f"[{address}]" if ":" in address else address
    url = f"http://{shown}:{bound}"

    def ready() -> None:
        if not (as_json and quiet):
            say(f"serving {session.location.root}; open {url}/#token={secret}")
        if as_json:
            line = {"url": url, "token": secret, "page": f"{url}/#token={secret}", "root": str(session.location.root)}
            with contextlib.suppress(OSError):  # whoever wanted it has gone
                click.echo(json_text(line))
                sys.stdout.flush()

    serve(listener, session, settings, notes(quiet), ready)
    notes(quiet)("stopped.")
