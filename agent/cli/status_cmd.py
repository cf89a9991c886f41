"""``contextc status``: what the index holds, how old it is, and what changed since."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from agent.cli.common import json_option, notes, plural, print_json, root_option
from agent.cli.tree_path import TreePath
from retrieval.index.location import locate, working_directory
from retrieval.index.reader import IndexReader
from retrieval.index.settings import from_meta

_LISTED = 10


@click.command("status")
@root_option
@click.argument("path", required=False, type=TreePath())
@json_option
@click.option("-v", "--verbose", is_flag=True, help="List every changed file.")
def command(root: Path | None, path: Path | None, as_json: bool, verbose: bool) -> None:
    """Show the index of a tree: age, commit, files changed since, sizes, embedder, vector engine and why."""
    from retrieval.errors import IndexUnavailableError

    where = path or root
    location = locate(where or working_directory(), explicit=where is not None)
    if location.note:
        notes(as_json)(location.note)
    try:
        reader = IndexReader.open(location)
    except IndexUnavailableError as error:
        if error.kind != "missing":
            raise
        if as_json:
            print_json({"root": str(location.root), "indexed": False})
        else:
            click.echo(f"{location.root} has no index.\n  Build it: contextc index")
        return
    with reader:
        facts = gather(reader)
    if as_json:
        print_json(facts)
        return
    for line in _lines(facts, verbose):
        click.echo(line)


def gather(reader: IndexReader) -> dict[str, Any]:
    """Everything that status reports, as JSON-ready values."""
    from retrieval.index.freshness import drift
    from retrieval.index.vector_store import describe_vectors
    from retrieval.source.git import head_commit

    meta = reader.meta
    changed = drift(reader)
    files = sorted(reader.index_dir.glob("*"))
    return {
        "root": str(reader.root),
        "indexed": True,
        "index_dir": str(reader.index_dir),
        "updated_at": meta.get("updated_at", ""),
        "age_seconds": _age_seconds(meta.get("updated_at", "")),
        "content_id": meta.get("content_id", ""),
        "generation": int(meta.get("generation", 0)),
        "commit_indexed": meta.get("commit", ""),
        "commit_now": head_commit(reader.root),
        "current": changed.none,
        "changed": list(changed.changed),
        "removed": list(changed.removed),
        "counts": reader.counts(),
        "skipped_by_reason": dict(
            reader.conn.execute("SELECT reason, count(*) FROM skipped GROUP BY reason ORDER BY 2 DESC, 1")
        ),
        "bytes": sum(file.stat().st_size for file in files if file.is_file()),
        "embedder": reader.manifest.embedder,
        "dim": int(meta.get("dim", 0)),
        "vectors": describe_vectors(reader),
        "settings": {key[4:]: value for key, value in from_meta(meta).to_meta().items()},
        "program": meta.get("program", ""),
    }


def _age_seconds(stamp: str) -> int | None:
    try:
        return max(0, int((datetime.now(UTC) - datetime.fromisoformat(stamp)).total_seconds()))
    except ValueError:
        return None


def _age(seconds: int | None) -> str:
    if seconds is None:
        return "of unknown age"
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            return plural(seconds // size, unit) + " old"
    return plural(seconds, "second") + " old"


def _lines(facts: dict[str, Any], verbose: bool) -> list[str]:
    counts, vectors = facts["counts"], facts["vectors"]
    lines = [
        f"root      {facts['root']}",
        f"index     {facts['index_dir']} ({facts['bytes'] / 1e6:.1f} MB, {_age(facts['age_seconds'])}, "
        f"generation {facts['generation']}, content {facts['content_id']})",
        f"holds     {plural(counts['files'], 'file')}, {plural(counts['lines'], 'line')}, "
        f"{plural(counts['chunks'], 'chunk')}, {plural(counts['symbols'], 'symbol')}, "
        f"{plural(counts['edges'], 'edge')}",
    ]
    if facts["commit_indexed"]:
        now = facts["commit_now"]
        moved = "" if facts["commit_indexed"] == now else f" (the tree is at {now[:12]})"
        lines.append(f"commit    {facts['commit_indexed'][:12]}{moved}")
    changed = [f"  changed {path}" for path in facts["changed"]] + [f"  removed {path}" for path in facts["removed"]]
    if changed:
        lines.append(f"current   no: {plural(len(changed), 'file')} changed since (contextc index updates)")
        lines.extend(changed if verbose else changed[:_LISTED])
        if len(changed) > _LISTED and not verbose:
            lines.append(f"  … {len(changed) - _LISTED} more (-v lists them)")
    else:
        lines.append("current   yes")
    lines.append(f"embedder  {facts['embedder']}" + (f" ({facts['dim']} dimensions)" if facts["dim"] else ""))
    lines.append(
        f"vectors   {vectors['engine']}: {vectors['reason']}"
        + (f"; {vectors['problem']}" if vectors["problem"] else "")
    )
    if facts["skipped_by_reason"]:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in facts["skipped_by_reason"].items())
        lines.append(f"skipped   {reasons}")
    return lines
