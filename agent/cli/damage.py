"""An index that turns out to be damaged while a command reads it: confirmed, and left to the next run to build anew."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

import click

from agent.configuration.apply import tree_of
from retrieval.errors import IndexUnavailableError, UserError

_NO_BUILD = "0" * 16


def damage_of(group: click.Group, args: Sequence[str]) -> tuple[str, str] | None:
    """Cause and mend when the index that ``args`` read is damaged; None when it is sound, or there is none.

    A damaged one is disowned (its manifest names no build then), so that the next command builds it anew. Thorough, and
    slow on a large index: for what has failed already.
    """
    from retrieval.index.integrity import check_index
    from retrieval.index.location import locate
    from retrieval.index.lock import writer_lock
    from retrieval.index.manifest import read_manifest, write_manifest
    from retrieval.index.reader import IndexReader

    try:
        location = locate(tree_of(group, args), explicit=True)
        try:
            with IndexReader.open(location) as reader:
                build, problems = reader.manifest.build, check_index(reader)
        except IndexUnavailableError as error:
            return (error.cause, error.mend) if error.kind == "damaged" else None
        except Exception as error:  # damage has as many shapes as the code that meets it
            build, problems = read_manifest(location.index_dir).build, [f"{type(error).__name__}: {error}"]
        if not problems:
            return None
        cause = f"The index in {location.index_dir} is damaged ({problems[0]})."
        try:
            with writer_lock(location.index_dir):
                live = read_manifest(location.index_dir)
                if live.build == build:
                    write_manifest(location.index_dir, replace(live, build=_NO_BUILD))
        except (UserError, OSError):
            return cause, f"Rebuild it: contextc index --rebuild {location.root}"
        return cause, f"Give the same command again: it builds the index anew (or: contextc index {location.root})."
    except (UserError, OSError, sqlite3.Error):
        return None
