"""Call graph programs with hand-checked edges: read, resolved, scored. ``python -m harness.idioms [-v] [GROUP…]``.

A group is a text file. ``=== title`` opens a program, ``--- path`` a file of it (``main.py`` when left out),
``--- static`` marks one that cannot run, and below ``--- edges`` stands each call edge, ``caller -> callee, callee``. A
line that begins with ``?`` allows edges without demanding them. Any other edge called certain or likely is wrong.
Instantiating a class is an edge to its ``__init__``; the class itself is not written down.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent.parent / "tests" / "graph" / "programs"

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Program:
    """``files`` maps paths to texts; ``allowed`` edges may be missing; ``runs`` is False for what cannot run."""

    group: str
    title: str
    files: Mapping[str, str]
    expected: frozenset[Pair]
    allowed: frozenset[Pair]
    runs: bool


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of one program or of several: expected edges and those found, sure edges and those that are right."""

    expected: int = 0
    found: int = 0
    sure: int = 0
    right: int = 0
    missing: tuple[Pair, ...] = field(default=())
    wrong: tuple[tuple[str, str, str, str], ...] = field(default=())

    @property
    def recall(self) -> float:
        return self.found / self.expected if self.expected else 1.0

    @property
    def precision(self) -> float:
        return self.right / self.sure if self.sure else 1.0


def read_programs(folder: Path = PROGRAMS, groups: Sequence[str] = ()) -> list[Program]:
    """All programs of the folder, by group and in the order of the file."""
    return [
        program
        for path in sorted(folder.glob("*.txt"))
        if not groups or path.stem in groups
        for program in _programs_of(path)
    ]


def _programs_of(path: Path) -> Iterator[Program]:
    for part in path.read_text("utf-8").split("=== ")[1:]:
        title, _, body = part.partition("\n")
        files: dict[str, list[str]] = {}
        edges: list[str] = []
        runs = True
        target = files.setdefault("main.py", [])
        for line in body.split("\n"):
            if not line.startswith("--- "):
                target.append(line)
            elif line == "--- edges":
                target = edges
            elif line == "--- static":
                runs = False
            else:
                target = files.setdefault(line[4:], [])
        expected, allowed = _edges(edges)
        texts = {name: "\n".join(lines).rstrip("\n") + "\n" for name, lines in files.items()}
        yield Program(path.stem, title, texts, frozenset(expected), frozenset(allowed), runs)


def _edges(lines: Sequence[str]) -> tuple[set[Pair], set[Pair]]:
    expected: set[Pair] = set()
    allowed: set[Pair] = set()
    for line in lines:
        caller, _, callees = line.lstrip("? ").partition(" -> ")
        into = allowed if line.startswith("?") else expected
        into.update((caller, callee.strip()) for callee in callees.split(",") if callee.strip())
    return expected, allowed


def resolve_files(files: Mapping[str, str]) -> list[tuple[str, str, str, str]]:
    """(caller, callee, confidence, rule) of the call edges of a small tree; instantiated classes are left out."""
    from retrieval.graph.sources import SourceFile, graph_of_sources
    from retrieval.languages.python.modules import module_names
    from retrieval.records import EdgeKind

    jobs = [SourceFile(path, module, "code", len(files[path])) for path, module in sorted(module_names(files).items())]
    made = graph_of_sources(jobs, files.__getitem__, (EdgeKind.CALL,))
    classes = {each.qualname for each in made.definitions if each.kind == "class"}
    rows = sorted({(src, dst, confidence, rule) for src, dst, _kind, confidence, _path, _line, rule in made.edges})
    return [row for row in rows if row[1] not in classes and not row[1].startswith("?.")]


def score(program: Program) -> Score:
    """Our edges of one program against its expected ones."""
    rows = resolve_files(program.files)
    pairs = {(src, dst) for src, dst, _confidence, _rule in rows}
    sure = {(src, dst) for src, dst, confidence, _rule in rows if confidence != "possible"}
    fine = program.expected | program.allowed
    return Score(
        len(program.expected),
        len(program.expected & pairs),
        len(sure),
        len(sure & fine),
        tuple(sorted(program.expected - pairs)),
        tuple(row for row in rows if row[:2] in sure - fine and row[2] != "possible"),
    )


def total(scores: Sequence[Score]) -> Score:
    return Score(
        sum(s.expected for s in scores),
        sum(s.found for s in scores),
        sum(s.sure for s in scores),
        sum(s.right for s in scores),
    )


def main(arguments: Sequence[str]) -> int:
    verbose = "-v" in arguments
    programs = read_programs(groups=[name for name in arguments if name != "-v"])
    scores = [(program, score(program)) for program in programs]
    print(f"{'group':14}programs  edges  recall  sure edges  right")
    for group in [*dict.fromkeys(program.group for program in programs), "all"]:
        own = [entry for program, entry in scores if group in (program.group, "all")]
        s = total(own)
        print(f"{group:14}{len(own):8}{s.expected:7}{s.recall:8.3f}{s.sure:12}{s.precision:7.3f}")
    for program, entry in scores if verbose else ():
        if entry.missing or entry.wrong:
            print(f"{program.group}: {program.title}")
            for src, dst in entry.missing:
                print(f"    missing {src} -> {dst}")
            for src, dst, confidence, rule in entry.wrong:
                print(f"    wrong   {src} -> {dst} ({confidence}, {rule})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
