"""``contextc completion``: the script that lets a shell complete our commands and options."""

from __future__ import annotations

import click

_WHERE = {
    "bash": 'eval "$(contextc completion bash)"   # in ~/.bashrc',
    "zsh": 'eval "$(contextc completion zsh)"    # in ~/.zshrc',
    "fish": "contextc completion fish > ~/.config/fish/completions/contextc.fish",
}


@click.command("completion", epilog="\b\nTo use it:\n" + "\n".join(f"  {line}" for line in _WHERE.values()))
@click.argument("shell", type=click.Choice(sorted(_WHERE)))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL (bash 4.4 or newer, zsh, fish)."""
    from click.shell_completion import get_completion_class

    completion = get_completion_class(shell)
    assert completion is not None  # noqa: S101
    script = completion(ctx.find_root().command, {}, "contextc", "_CONTEXTC_COMPLETE")
    # Not .source(): it asks the bash on the PATH for its version, and the script may be for another machine.
    click.echo(script.source_template % script.source_vars())
