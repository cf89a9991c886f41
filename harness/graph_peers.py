"""contextc's call graph beside those of pyan3, code2flow and PyCG: recall, precision, seconds, memory, in one run.

Usage: ``python -m harness.graph_peers [flask click requests] [--big django]``. Recall is against the calls really seen
in the packages' test suites (``harness.graph_truth``); every tool gets the same files, packages and tests side by side.
Recall and precision on the idioms are those of calls between functions of the programs in ``tests/graph/programs``. A
name that a tool cuts short counts where only one definition can be meant. Prints tables; asserts nothing.
"""

from __future__ import annotations

import compileall
import contextlib
import json
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import click

from harness import corpora
from harness.graph_truth import SUITES, Definition, Observed, Place, Source, environment, observe
from harness.idioms import Program, read_programs
from harness.speed import run_timed
from retrieval.errors import UserError
from retrieval.graph.export import plain

_DRIVER = Path(__file__).with_name("graph_peer.py")
_LIMIT_S = 900
#: Assertions are off for code2flow: one of them stops it at each call of a call's result that it does not know.
PEERS = {
    "pyan3": ("pyan3==2.9.0",),
    "code2flow": ("code2flow==2.5.1", "setuptools<81"),
    "pycg": ("PyCG==0.0.7", "setuptools<81"),
}
OURS, OURS_SURE = "contextc", "contextc, certain+likely"
Edge = tuple[Place, Place]


@dataclass(frozen=True, slots=True)
class Ran:
    """What one tool said of several jobs (None: it failed); seconds by the clock and of processors, peak MiB of all
    its processes."""

    edges: tuple[frozenset[Edge] | None, ...]
    seconds: float
    cpu_s: float
    mib: float
    error: str = ""


class Names:
    """Definitions of a tree by place and by dotted name, for tools that tell one or the other."""

    def __init__(self, root: Path, files: Sequence[str]) -> None:
        self._by_line: dict[tuple[str, int, str], Place] = {}
        self._by_name: dict[str, Place] = {}
        self._by_tail: dict[str, set[Place]] = defaultdict(set)
        self._same: dict[Place, Place] = {}
        for path in files:
            text = (root / path).read_text(encoding="utf-8-sig", errors="replace")
            with contextlib.suppress(SyntaxError, ValueError):  # a file that Python cannot read defines nothing
                for made in Source(path, text).definitions.values():
                    self._add(path, made)

    def _add(self, path: str, made: Definition) -> None:
        if made.kind == "class":
            return  # naming one is no call; making one calls its __init__
        module = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        dotted = ".".join((module, *made.names))
        place = self._by_name.setdefault(dotted, made.place)  # redefinitions of a name are one
        self._same[made.place] = place
        own = "" if made.kind in ("module", "lambda") else made.place.name
        self._by_line[path, 0 if made.kind == "module" else made.def_line, own] = place
        parts = dotted.split(".")
        for start in range(1, len(parts) - len(made.names)):
            self._by_tail[".".join(parts[start:])].add(place)

    def place(self, end: Sequence[object]) -> Place | None:
        """None for what lies outside the tree, and for what several definitions can be."""
        path, line, name = str(end[0]), int(str(end[1])), str(end[2])
        if path:
            found = self._by_line.get((path, line, name)) or self._by_line.get((path, line, ""))
            return found if found is None or line == 0 or name in ("", found.name) or _is_lambda(found) else None
        tail = self._by_tail.get(name, set())
        return self._by_name.get(name) or (next(iter(tail)) if len(tail) == 1 else None)

    def same(self, pairs: Iterable[Edge]) -> frozenset[Edge]:
        """Places as the other methods give them."""
        return frozenset((self._same.get(a, a), self._same.get(b, b)) for a, b in pairs)

    def edges(self, pairs: Iterable[Sequence[Sequence[object]]]) -> frozenset[Edge]:
        found = ((self.place(caller), self.place(callee)) for caller, callee in pairs)
        return frozenset((caller, callee) for caller, callee in found if caller and callee)


def _is_lambda(place: Place) -> bool:
    return place.name == "<lambda>"


def files_of(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.py"))


def run_peer(tool: str, roots: Sequence[Path]) -> Ran:
    python = environment(corpora.corpora_dir() / "traced" / f"venv-{tool}", PEERS[tool])
    return _run([str(python), *(["-O"] if tool == "code2flow" else []), str(_DRIVER), tool], roots)


def run_ours(roots: Sequence[Path], sure: bool = False) -> Ran:
    _compile()
    return _run([sys.executable, "-m", "harness.graph_ours", "certain+likely" if sure else "all"], roots)


@cache
def _compile() -> None:
    """Our modules are compiled beforehand, as pip does it for those of the others."""
    above = Path(__file__).resolve().parent.parent
    for name in ("retrieval", "harness"):
        compileall.compile_dir(above / name, quiet=2)


def _run(command: Sequence[str], roots: Sequence[Path]) -> Ran:
    with tempfile.TemporaryDirectory() as folder:
        jobs, answers = Path(folder) / "jobs", Path(folder) / "answers"
        lines = [json.dumps({"root": str(root), "files": files_of(root)}) for root in roots]
        jobs.write_text("\n".join(lines) + "\n", encoding="utf-8")
        before = _cpu_s()
        try:
            timed = run_timed([*command, str(jobs), str(answers)], Path(__file__).resolve().parent.parent, _LIMIT_S)
        except subprocess.TimeoutExpired:
            return Ran((None,) * len(roots), 0.0, 0.0, 0.0, f"more than {_LIMIT_S} s")
        except RuntimeError:
            return Ran((None,) * len(roots), 0.0, 0.0, 0.0, "crashed")
        used = _cpu_s() - before
        said = [json.loads(line) for line in answers.read_text(encoding="utf-8").split("\n") if line]
    edges = tuple(
        Names(root, files_of(root)).edges(answer["edges"]) if "edges" in answer else None
        for root, answer in zip(roots, said, strict=True)
    )
    error = next((answer["error"] for answer in said if "error" in answer), "")
    return Ran(edges, timed.seconds, used, timed.peak_mib, error)


def _cpu_s() -> float:
    """Processor seconds of all processes that this one started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def importable(tree: Path, into: Path) -> Path:
    """Packages and tests of a source distribution side by side, as an importer sees them."""
    for folder in (*sorted((tree / "src").iterdir()), tree / "tests"):
        if folder.is_dir() and not folder.name.endswith(".egg-info"):
            shutil.copytree(folder, into / folder.name, ignore=shutil.ignore_patterns("__pycache__", ".contextc"))
    return into


def pairs_of(observed: Observed) -> frozenset[Edge]:
    def moved(place: Place) -> Place:
        return Place(place.path.removeprefix("src/"), place.line, place.name)

    return frozenset((moved(pair.caller), moved(pair.callee)) for pair in observed.pairs)


def packages_table(names: Sequence[str]) -> list[str]:
    """Recall of observed pairs, with seconds and peak memory, a line for each tool."""
    lines = [f"{'':26}" + "".join(f"{name:>37}" for name in names)]
    rows: dict[str, list[str]] = defaultdict(list)
    for name in names:
        observed = observe(name)
        with tempfile.TemporaryDirectory() as folder:
            root = importable(observed.tree, Path(folder))
            wanted = Names(root, files_of(root)).same(pairs_of(observed))
            ran: dict[str, Ran] = {OURS: run_ours([root]), OURS_SURE: run_ours([root], sure=True)}
            for tool in PEERS:
                click.echo(f"{name}: {tool} …", err=True)
                ran[tool] = run_peer(tool, [root])
        for tool, result in ran.items():
            edges = result.edges[0]
            if edges is None:
                rows[tool].append(f"failed: {result.error}"[:26])
            else:
                share = len(wanted & edges) / max(1, len(wanted))
                rows[tool].append(f"{share:.1%} {result.seconds:6.1f} s {result.cpu_s:6.1f} s {result.mib:6,.0f} MiB")
    return [*lines, *(f"{tool:26}" + "".join(f"{cell:>37}" for cell in cells) for tool, cells in rows.items())]


def idioms_table(programs: Sequence[Program]) -> list[str]:
    """Recall and precision on the idioms, a line for each tool."""
    with tempfile.TemporaryDirectory() as folder:
        roots = [_write(Path(folder) / f"p{number}", program) for number, program in enumerate(programs)]
        wanted = [_expected(root, program) for root, program in zip(roots, programs, strict=True)]
        ran = {OURS: run_ours(roots), OURS_SURE: run_ours(roots, sure=True)}
        ran |= {tool: run_peer(tool, roots) for tool in PEERS}
    lines = [f"{'':26}{'recall':>9}{'precision':>11}{'edges':>8}{'programs failed':>17}"]
    for tool, result in ran.items():
        found = reported = right = expected = failed = 0
        for (must, may), edges in zip(wanted, result.edges, strict=True):
            expected += len(must)
            failed += edges is None
            found += len(must & (edges or frozenset()))
            reported += len(edges or ())
            right += len((must | may) & (edges or frozenset()))
        share = f"{found / max(1, expected):9.1%}{right / max(1, reported):11.1%}"
        lines.append(f"{tool:26}{share}{reported:8,}{failed:17}")
    return lines


def _write(root: Path, program: Program) -> Path:
    for name, text in program.files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def _expected(root: Path, program: Program) -> tuple[frozenset[Edge], frozenset[Edge]]:
    """Edges between functions of the program: those demanded, and those allowed."""
    names = Names(root, files_of(root))

    def places(pairs: Iterable[tuple[str, str]]) -> frozenset[Edge]:
        return names.edges(((("", 0, plain(caller)), ("", 0, plain(callee))) for caller, callee in pairs))

    return places(program.expected), places(program.allowed)


def big_table(name: str) -> list[str]:
    """Our graph of a large tree, alone."""
    ran = run_ours([corpora.fetch(name)])
    edges = ran.edges[0]
    count = f"{len(edges):,} edges between its functions" if edges is not None else ran.error
    return [f"{name}: {count}, {ran.seconds:.1f} s, {ran.cpu_s:.1f} s of processors, {ran.mib:,.0f} MiB"]


@click.command()
@click.argument("names", nargs=-1)
@click.option("--big", default="", metavar="NAME", help="A large corpus whose graph is built and timed.")
def main(names: tuple[str, ...], big: str) -> None:
    """Call graphs of contextc, pyan3, code2flow and PyCG side by side."""
    _show(
        "## Calls seen in test suites: recall, seconds, processor seconds, peak memory",
        packages_table(names or tuple(SUITES)),
    )
    _show("## Idioms: calls between functions of the programs", idioms_table(read_programs()))
    if big:
        _show(f"## The whole of {big}", big_table(big))


def _show(title: str, lines: Sequence[str]) -> None:
    click.echo("\n".join((title, *lines, "")))


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        sys.exit(f"{error.cause} {error.mend}")
