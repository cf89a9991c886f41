"""The person at the keyboard: single keys on a terminal, one line a key when standard input is a file or a pipe."""

from __future__ import annotations

import sys

import click


class Keyboard:
    """Raises EOFError at the end of input and at Ctrl-C or Ctrl-D: both mean that the person has gone."""

    def show(self, text: str) -> None:
        click.echo(text, nl=False)

    def key(self, prompt: str) -> str:
        if not sys.stdin.isatty():
            return self.line(prompt)[:1].lower()
        click.echo(prompt, nl=False)
        try:
            char = click.getchar()
        except (KeyboardInterrupt, EOFError):
            click.echo()
            raise EOFError from None
        if char in ("\x03", "\x04"):
            raise EOFError
        click.echo(char if char.isprintable() else "")
        return char.lower()

    def line(self, prompt: str) -> str:
        click.echo(prompt, nl=False)
        try:
            text = sys.stdin.readline()
        except KeyboardInterrupt:
            raise EOFError from None
        if not text:
            raise EOFError
        return text.rstrip("\n")
