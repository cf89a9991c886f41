"""``contextc index``: build or update the index, and say what was indexed, what was not, and why."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from agent.cli.common import ProgressBar, json_option, notes, plural, print_json, quiet_option
from agent.cli.tree_path import TreePath
from retrieval.index.location import for_writing, locate, working_directory
from retrieval.index.report import IndexReport
from retrieval.index.settings import Overrides

_LISTED_WITHOUT_VERBOSE = 5


@click.command("index")
@click.argument("path", required=False, type=TreePath())
@click.option("--rebuild", is_flag=True, help="Build anew, even where an update would do.")
@click.option("--max-file-bytes", type=int, default=None, help="Skip larger files (default 1 MiB; kept in the index).")
@click.option("--embedder", default=None, metavar="SPEC", help="default, none, openai:MODEL … (kept in the index).")
@click.option(
    "--vector-store",
    type=click.Choice(["auto", "exact", "chroma"]),
    default=None,
    help="Engine of the vector leg (kept in the index).",
)
@click.option("--chroma-url", default=None, metavar="URL", help="Use this Chroma server (kept in the index).")
@click.option("--jobs", "-j", type=click.IntRange(1, 64), default=None, help="Processes (default: one a core).")
@click.option("--watch", is_flag=True, help="Keep running, and keep the index current until Ctrl-C.")
@click.option("-v", "--verbose", is_flag=True, help="List every added, changed, removed and skipped file.")
@json_option
@quiet_option
def command(
    path: Path | None,
    rebuild: bool,
    max_file_bytes: int | None,
    embedder: str | None,
    vector_store: str | None,
    chroma_url: str | None,
    jobs: int | None,
    watch: bool,
    verbose: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Build or update the index of PATH (default: this tree).

    The index lives in .contextc/ inside the tree, or in the user's cache directory when the tree cannot be written.
    Only what changed since the last run is read again.
    """
    from retrieval.index.build import update_index

    location = for_writing(locate(path or working_directory(), explicit=path is not None))
    if location.note:
        notes(quiet)(location.note)
    bar = ProgressBar(quiet)
    try:
        report = update_index(
            location,
            Overrides(max_file_bytes, embedder, vector_store, chroma_url),
            rebuild=rebuild,
            workers=jobs,
            progress=bar,
        )
    finally:
        bar.close()
    for note in report.notes:
        notes(quiet)(note)
    if as_json and not watch:
        print_json({
            "root": str(location.root),
            "index_dir": str(location.index_dir),
            **asdict(report),
            "skipped_by_reason": report.skipped_by_reason(),
        })  # fmt: skip
        return
    if not as_json:
        for line in _summary(report, str(location.root), verbose):
            click.echo(line)
    if watch:
        from agent.cli.watching import keep_current

        keep_current(location, report, workers=jobs, as_json=as_json, quiet=quiet)


def _summary(report: IndexReport, root: str, verbose: bool) -> list[str]:
    counts = report.counts
    head = {"built": "Indexed", "updated": "Updated", "unchanged": "Nothing changed in"}[report.mode]
    moved = f": {len(report.added)} added, {len(report.changed)} changed, {len(report.removed)} removed"
    lines = [
        f"{head} {root} in {report.seconds:.2f} s" + (moved if report.mode == "updated" else ""),
        f"  {plural(counts['files'], 'file')}, {plural(counts['lines'], 'line')}, {plural(counts['chunks'], 'chunk')}, "
        f"{plural(counts['symbols'], 'symbol')}, {plural(counts['edges'], 'edge')}",
        f"  embedder {report.embedder}; files listed by {'git' if report.vcs == 'git' else 'walking the folder'}",
    ]  # fmt: skip
    if report.partial:
        lines.append(f"  {plural(len(report.partial), 'file')} with syntax errors (their good parts are indexed)")
        lines.extend(_listed(report.partial, verbose))
    if report.lossy:
        lines.append(f"  {plural(len(report.lossy), 'file')} decoded by fallback (not valid in the declared encoding)")
        lines.extend(_listed(report.lossy, verbose))
    reasons = report.skipped_by_reason()
    if reasons:
        lines.append(f"  skipped {plural(len(report.skipped), 'path')}" + ("" if verbose else " (-v lists them)"))
        for reason, count in reasons.items():
            lines.append(f"    {count:6,}  {reason}")
            if verbose:
                for item in report.skipped:
                    if item.reason == reason:
                        lines.append(f"            {item.path}" + (f"  ({item.detail})" if item.detail else ""))
    if verbose:
        for name, paths in (("added", report.added), ("changed", report.changed), ("removed", report.removed)):
            if paths and not (name == "added" and report.mode == "built"):
                lines.append(f"  {name}")
                lines.extend(f"    {path}" for path in paths)
        if report.mode == "built":
            lines.append("  indexed")
            lines.extend(f"    {path}" for path in report.added)
    return lines


def _listed(paths: tuple[str, ...], verbose: bool) -> list[str]:
    shown = paths if verbose else paths[:_LISTED_WITHOUT_VERBOSE]
    more = len(paths) - len(shown)
    return [f"    {path}" for path in shown] + ([f"    … {more} more (-v lists them)"] if more else [])
