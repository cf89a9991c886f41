"""``contextc mcp``: the tools, files and packs of a tree for editors and coding agents."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import click

from agent.cli.common import no_update_option, root_option, say
from retrieval.errors import UserError

TOKEN_VARIABLE = "CONTEXTC_MCP_TOKEN"  # noqa: S105 - the name of a variable


@click.command("mcp")
@click.option("--http", "http", is_flag=True, help="Streamable HTTP on loopback instead of standard input and output.")
@click.option("--host", type=click.Choice(["127.0.0.1", "localhost", "::1"]), default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0: any free one.")
@click.option("--token", default=None, help=f"What HTTP clients must send ({TOKEN_VARIABLE}; random without).")
@click.option("--no-token", is_flag=True, help="HTTP: let every program of this machine in.")
@click.option(
    "--max-tokens", type=click.IntRange(300, 100_000), default=2_000, show_default=True, help="Size of one result."
)
@click.option("--structured", is_flag=True, help="Results as JSON beside the text (structuredContent).")
@click.option("-v", "--verbose", is_flag=True, help="Log what the server does on stderr.")
@root_option
@no_update_option
def command(
    http: bool,
    host: str,
    port: int,
    token: str | None,
    no_token: bool,
    max_tokens: int,
    structured: bool,
    verbose: bool,
    root: Path | None,
    no_update: bool,
) -> None:
    """Serve the tree over the Model Context Protocol: for one client on standard input and output, or on HTTP.

    The index is built at the start and kept current. Logs go to stderr.
    """
    from agent.mcp.service import Service, tree_of
    from agent.mcp.transports import PATH, log_to_stderr, serve_http, serve_stdio
    from agent.serve.server import bind

    if token is not None and no_token:
        raise UserError("Both --token and --no-token were given.", "Give one of them.")
    log_to_stderr(verbose)
    location = tree_of(root, update=not no_update)
    if location.note:
        say(location.note)
    service = Service(location, max_tokens=max_tokens, update=not no_update)
    service.start()
    try:
        if not http:
            serve_stdio(service, structured=structured)
            return
        wanted = None if no_token else token or os.environ.get(TOKEN_VARIABLE) or secrets.token_urlsafe(24)

        listener = bind(host, port)

        def ready() -> None:
            name = f"[{host}]" if ":" in host else host
            say(f"serving {location.root} at http://{name}:{listener.getsockname()[1]}{PATH}")
            if wanted is not None:
                say(f"clients send: Authorization: Bearer {wanted}")

        serve_http(service, listener, wanted, ready, structured=structured)
    finally:
        service.stop()
