"""``contextc artifact``: the exact sources behind context IR, from the vault of a tree."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from agent.cli.common import json_option, plural, print_json, root_option, say
from agent.guard import strip_controls
from retrieval.context_ir.vault import VAULT_NAME, Vault, VaultError, to_bytes
from retrieval.errors import UserError

if TYPE_CHECKING:
    from retrieval.context_ir.inspection import Inspection

vault_option = click.option(
    "--vault", type=click.Path(path_type=Path), default=None, help="A vault file (default: the one of the tree)."
)


@click.group("artifact")
def command() -> None:
    """Read the exact sources that context IR re-encoded."""


@contextmanager
def _opened(root: Path | None, vault: Path | None) -> Iterator[Vault]:
    """An existing vault; reading never makes one."""
    if vault is None:
        from retrieval.index.location import for_writing, locate, working_directory

        location = locate(root or working_directory(), explicit=root is not None)
        vault = next(
            (
                path
                for path in (location.index_dir / VAULT_NAME, for_writing(location).index_dir / VAULT_NAME)
                if path.exists()
            ),
            None,
        )
        if vault is None:
            raise VaultError(
                f"There is no vault for {location.root}.",
                'Context IR makes it when it re-encodes: contextc pack --context-ir "QUESTION"',
            )
    elif not vault.is_file():
        raise VaultError(f"There is no vault {vault}.", "Give the path of a vault.sqlite, or leave it out.")
    with Vault(vault) as opened:
        yield opened


@command.command("list")
@root_option
@vault_option
@json_option
def list_artifacts(root: Path | None, vault: Path | None, as_json: bool) -> None:
    """List the artifacts, oldest first."""
    with _opened(root, vault) as opened:
        rows = opened.ids()
    if as_json:
        print_json([{"artifact_id": name, "chars": chars, "pinned": pinned} for name, chars, pinned in rows])
        return
    for name, chars, pinned in rows:
        click.echo(f"{name}  {chars:>9,} characters{'  pinned' if pinned else ''}")


@command.command("get")
@click.argument("artifact_id")
@click.option("--offset", type=click.IntRange(0), default=0, show_default=True, help="First character.")
@click.option("--limit", type=click.IntRange(1), default=None, help="Most characters (default: all of them).")
@root_option
@vault_option
@json_option
def get(artifact_id: str, offset: int, limit: int | None, root: Path | None, vault: Path | None, as_json: bool) -> None:
    """Print an exact source, byte for byte (on a terminal without control characters)."""
    with _opened(root, vault) as opened:
        artifact = opened.read(artifact_id)
    text = artifact.text[offset:] if limit is None else artifact.text[offset : offset + limit]
    end = offset + len(text)
    if as_json:
        print_json(
            {
                "artifact_id": artifact.id,
                "sha256": artifact.sha256,
                "offset": offset,
                "total_chars": len(artifact.text),
                "next_offset": end if end < len(artifact.text) else None,
                "text": text,
            }
        )
    elif sys.stdout.isatty():
        click.echo(strip_controls(text))
    else:
        sys.stdout.buffer.write(to_bytes(text))


@command.command("peek")
@click.argument("artifact_id")
@root_option
@vault_option
@json_option
def peek(artifact_id: str, root: Path | None, vault: Path | None, as_json: bool) -> None:
    """Show size, digest, where it was shown, and how it starts and ends."""
    from retrieval.context_ir.tools import artifact_peek

    with _opened(root, vault) as opened:
        found = artifact_peek(opened, artifact_id)
    if as_json:
        print_json(found)
        return
    shown = ", ".join(f"message {one['message']} ({one['role']}) as {one['format']}" for one in found["shown"])
    click.echo(
        f"{found['artifact_id']}  {found['chars']:,} characters, {found['lines']:,} lines, sha256 {found['sha256']}"
    )
    click.echo(f"shown: {strip_controls(shown) or 'nowhere'}")
    click.echo(strip_controls(found["start"]) + (f"\n…\n{strip_controls(found['end'])}" if found["end"] else ""))


@command.command("find")
@click.argument("query")
@click.option("--id", "artifact_id", default="", help="Search this artifact alone.")
@click.option("--limit", type=click.IntRange(1, 50), default=20, show_default=True, help="Most occurrences.")
@root_option
@vault_option
@json_option
def find(query: str, artifact_id: str, limit: int, root: Path | None, vault: Path | None, as_json: bool) -> None:
    """Find a text (any case) in the artifacts that were shown: artifact, offset, the line around it."""
    from retrieval.context_ir.tools import artifact_find

    if not query:
        raise UserError("The text to find is empty.", "Give one: contextc artifact find TEXT")
    with _opened(root, vault) as opened:
        hits = artifact_find(opened, query, artifact_id, limit)
    if as_json:
        print_json(hits)
        return
    for hit in hits:
        click.echo(f"{hit['artifact_id']}+{hit['offset']}: {strip_controls(hit['text'])}")


@command.command("inspect")
@click.argument("file", type=click.File("rb"))
@root_option
@vault_option
@json_option
def inspect(file: BinaryIO, root: Path | None, vault: Path | None, as_json: bool) -> None:
    """Verify that FILE (- for standard input) is exactly what its vaulted source gives; list the source's units."""
    from retrieval.context_ir.inspection import inspect_ir

    try:
        text = file.read().decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise UserError(f"{file.name} is not text.", "Give the text of one message as it was shown.") from None
    with _opened(root, vault) as opened:
        try:
            found = inspect_ir(text, opened)
        except UserError as error:
            found, ignored = _printed(text, opened, error)
            if ignored:
                say(f"{plural(ignored, 'line')} after the end of the evidence not verified.")
    if as_json:
        from dataclasses import asdict

        print_json(asdict(found))
        return
    click.echo(
        f"verified: {found.format} of message {found.ordinal}, {len(found.units)} units, "
        f"{found.chars:,} characters, {found.artifact}, sha256 {found.sha256}"
    )
    for unit in found.units:
        click.echo(f"{unit.ordinal:>5}  {unit.start}-{unit.end}  {unit.kind}")


def _printed(text: str, vault: Vault, error: UserError) -> tuple[Inspection, int]:
    """(what was shown, lines after it) of a text that printing or ``contextc pack`` added something to.

    Raises ``error`` when no such reading verifies.
    """
    from retrieval.context_ir.inspection import inspect_ir

    end = text.rfind("\n=== END OF EVIDENCE ")
    line_end = text.find("\n", end + 1) if end >= 0 else -1
    shown, rest = (text[:line_end], text[line_end:].strip()) if line_end >= 0 else (text, "")
    for reading in (text.removesuffix("\n"), f"{text}\n", f"{shown}\n", shown):
        with contextlib.suppress(UserError):
            return inspect_ir(reading, vault), rest.count("\n") + 1 if rest and reading.rstrip("\n") == shown else 0
    raise error
