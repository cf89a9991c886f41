"""Recall of the call graph against calls that really happened in the test suites of real packages.

Usage: ``python -m harness.graph_oracle [-v] [--fresh] [flask click requests]``. A pair counts as found when the graph
holds a call edge from the one function to the other. ``-v`` lists the missed pairs with the line of the call and what
the graph holds for that line; ``--fresh`` runs the suites again. Prints figures; asserts nothing.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from harness.graph_truth import SUITES, Definition, Observed, Pair, Place, Sources, observe
from retrieval.errors import UserError
from retrieval.graph.definitions import definitions
from retrieval.index.build import update_index
from retrieval.index.location import locate
from retrieval.index.reader import IndexReader
from retrieval.index.settings import Overrides

_SURE = ("certain", "likely")
_MOST = 6  # places named below the table
_RANK = {"certain": 0, "likely": 1, "possible": 2}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One observed pair: the confidence of its edge ("" when there is none), its kind, and what its line holds."""

    pair: Pair
    kind: str
    confidence: str
    held: str


class OurGraph:
    """Call edges of an index between places of the tree."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self.names: dict[Place, set[str]] = defaultdict(set)
        for made in definitions(conn):
            name = {"lambda": "<lambda>", "module": "<module>"}.get(made.kind, made.simple_name)
            self.names[Place(made.path, made.line, name)].add(made.qualname)
        self.edges: dict[tuple[str, str], str] = {}
        self.lines: dict[tuple[str, int], set[str]] = defaultdict(set)
        for source, target, confidence, path, line in conn.execute(
            "SELECT s.name, d.name, e.confidence, f.path, e.line FROM edges e JOIN nodes s ON s.id = e.src "
            "JOIN nodes d ON d.id = e.dst JOIN files f ON f.id = e.file_id WHERE e.kind = 'call'"
        ):
            old = self.edges.get((source, target), "possible")
            self.edges[source, target] = min(old, confidence, key=_RANK.__getitem__)
            self.lines[path, line].add(target)

    def confidence(self, pair: Pair) -> str:
        found = [
            self.edges[edge]
            for caller in self.names.get(pair.caller, ())
            for callee in self.names.get(pair.callee, ())
            if (edge := (caller, callee)) in self.edges
        ]
        return min(found, key=_RANK.__getitem__, default="")

    def held(self, pair: Pair) -> str:
        """What the graph says about the line of a missed call."""
        if pair.caller not in self.names or pair.callee not in self.names:
            return "a definition that the index does not have"
        targets = self.lines.get((pair.caller.path, pair.line), set())
        if f"?.{pair.callee.name}" in targets:
            return "unresolved, the name fits"
        if any(target.startswith("?.") for target in targets):
            return "unresolved, another name"
        return "resolved to something else" if targets else "no call on that line"


def kind_of(caller: Definition, callee: Definition) -> str:
    """What a static graph must understand to know this pair; the first that fits."""
    if callee.place.name == "__init__":
        return "constructor"
    if callee.place.name.startswith("__") and callee.place.name.endswith("__"):
        return "operator or protocol method"
    if callee.kind in ("property", "lambda"):
        return callee.kind
    if callee.nested:
        return "inner function or wrapper"
    if callee.is_generator:
        return "generator or coroutine"
    return callee.kind


def judge(observed: Observed, graph: OurGraph) -> list[Verdict]:
    sources = Sources(observed.tree)
    verdicts = []
    for pair in observed.pairs:
        caller, callee = sources.find(pair.caller), sources.find(pair.callee)
        if caller is None or callee is None:
            continue
        confidence = graph.confidence(pair)
        verdicts.append(Verdict(pair, kind_of(caller, callee), confidence, "" if confidence else graph.held(pair)))
    return verdicts


def our_graph(tree: Path) -> OurGraph:
    """The graph of a copy of ``tree``, indexed without vectors."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / tree.name
        shutil.copytree(tree, copy, ignore=shutil.ignore_patterns(".contextc"))
        location = locate(copy, explicit=True)
        update_index(location, Overrides(embedder="none"))
        with IndexReader.open(location) as reader:
            return OurGraph(reader.conn)


def report(name: str, observed: Observed, verdicts: Sequence[Verdict]) -> list[str]:
    lines = [f"## {name}: {len(verdicts):,} pairs really called ({observed.outcome.strip('= ')})"]
    if observed.resumed:
        lines.append(f"left out: {observed.resumed} generators first stepped by a function that does not name them")
    lines += ["", f"{'':32}{'pairs':>7}{'found':>7}{'recall':>8}{'certain+likely':>16}"]
    by_kind: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_kind[verdict.kind].append(verdict)
        by_kind["from a test" if _is_test(verdict.pair) else "from the source"].append(verdict)
    groups = [("all", list(verdicts)), *sorted(by_kind.items(), key=lambda item: (item[0].startswith("from"), item[0]))]
    lines += [_row(label, group) for label, group in groups]
    held = Counter(verdict.held for verdict in verdicts if verdict.held)
    lines += ["", "missed: " + ("; ".join(f"{count} {what}" for what, count in held.most_common()) or "none")]
    for what, ends in (("calls of", "callee"), ("calls made by", "caller")):
        places = Counter(getattr(verdict.pair, ends) for verdict in verdicts if verdict.held)
        shown = ", ".join(f"{count} {place.path}:{place.line} {place.name}" for place, count in _most(places))
        lines.append(f"  most of them {what}: {shown or 'nothing'}")
    return lines


def _most(places: Counter[Place]) -> list[tuple[Place, int]]:
    return sorted(places.items(), key=lambda item: (-item[1], item[0]))[:_MOST]


def _row(label: str, group: Sequence[Verdict]) -> str:
    found = sum(bool(verdict.confidence) for verdict in group)
    sure = sum(verdict.confidence in _SURE for verdict in group)
    total = max(1, len(group))
    return f"{label:32}{len(group):7,}{found:7,}{found / total:8.1%}{sure / total:16.1%}"


def _is_test(pair: Pair) -> bool:
    return pair.caller.path.startswith("tests/")


def missed(observed: Observed, verdicts: Iterable[Verdict]) -> list[str]:
    """The missed pairs, by kind and place: who, whom, and the line."""
    sources = Sources(observed.tree)
    texts: dict[str, list[str]] = {}
    out = []
    for verdict in sorted(verdicts, key=lambda each: (each.kind, each.pair)):
        if verdict.confidence:
            continue
        pair = verdict.pair
        caller, callee = sources.find(pair.caller), sources.find(pair.callee)
        if caller is None or callee is None:
            continue
        path = pair.caller.path
        text = texts.setdefault(path, (observed.tree / path).read_text(encoding="utf-8").split("\n"))
        shown = text[pair.line - 1].strip() if 0 < pair.line <= len(text) else ""
        who = ".".join(caller.names) or "<module>"
        whom = f"{callee.place.path}:{callee.place.line} {'.'.join(callee.names)}"
        out.append(f"{verdict.kind} | {path}:{pair.line} {who} -> {whom} | {verdict.held} | {shown}")
    return out


@click.command()
@click.argument("names", nargs=-1)
@click.option("-v", "--verbose", is_flag=True, help="List the missed pairs.")
@click.option("--fresh", is_flag=True, help="Run the test suites again.")
def main(names: tuple[str, ...], verbose: bool, fresh: bool) -> None:
    """Recall of the call graph against calls seen in test suites."""
    everything: list[Verdict] = []
    for name in names or tuple(SUITES):
        click.echo(f"{name}: tracing its tests, unless they are in the cache …", err=True)
        observed = observe(name, fresh)
        verdicts = judge(observed, our_graph(observed.tree))
        everything += verdicts
        click.echo("\n".join(report(name, observed, verdicts)) + "\n")
        if verbose:
            click.echo("\n".join(missed(observed, verdicts)) + "\n")
    if len(names or SUITES) > 1:
        click.echo(_row("all packages", everything))


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        sys.exit(f"{error.cause} {error.mend}")
