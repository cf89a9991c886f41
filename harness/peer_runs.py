"""Running a peer's adapter on a copy of a tree and grading what comes back.

Every peer gets the same questions and a fresh copy of the tree with an empty cache, and pays for what it shows in the
same tokens: o200k_base of a line that names the region and of the region's lines. Regions are taken in the peer's order
while they fit a budget. contextc's packs count themselves (line numbers, headers and all) and never undercount.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.evidence import Score, Shown, score
from harness.ranking import ndcg
from retrieval.errors import UserError

BUDGETS = (500, 1000, 2000, 4000, 8000)
ADAPTERS = Path(__file__).parent / "peer_adapters"
_RESULTS = 100  # chunks asked of contextc; adapters give as many
_SEARCH, _PACK = "contextc search", "contextc pack"


@dataclass(frozen=True, slots=True)
class Peer:
    """``script`` is the adapter, ``package`` what its Python must have installed ("" for the standard library)."""

    name: str
    script: str
    package: str
    module: str
    arguments: tuple[str, ...] = ()


PEERS = (
    Peer("ripgrep and read", "grep_read.py", "", ""),
    Peer("rank-bm25", "bm25.py", "rank-bm25", "rank_bm25", ("rank-bm25",)),
    Peer("bm25s", "bm25.py", "bm25s", "bm25s", ("bm25s",)),
    Peer("semble", "semble_search.py", "semble", "semble"),
    Peer("aider's map", "aider_map.py", "aider-chat", "aider", tuple(map(str, BUDGETS))),
)
OURS = (_SEARCH, _PACK)
NAMES = (*(peer.name for peer in PEERS), *OURS)

Question = Mapping[str, Any]


@dataclass(slots=True)
class Outcome:
    """One peer on any number of trees: seconds per index, milliseconds, NDCG@10 and scores per budget by question."""

    version: str = ""
    index_s: list[float] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    ndcg: list[float] = field(default_factory=list)
    scores: dict[int, list[Score]] = field(default_factory=lambda: {budget: [] for budget in BUDGETS})

    def extend(self, other: Outcome) -> None:
        self.version = other.version or self.version
        self.index_s += other.index_s
        self.ms += other.ms
        self.ndcg += other.ndcg
        for budget in BUDGETS:
            self.scores[budget] += other.scores[budget]


class Tree:
    """A source tree whose regions can be priced.

    Args:
        root: The folder that gold paths are relative to.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lines: dict[str, list[str]] = {}
        self._prices: dict[tuple[str, int, int], int] = {}

    def shown(self, result: Mapping[str, Any]) -> Shown:
        """The region of one result with its price."""
        path, first, last = str(result["path"]), int(result["start_line"]), int(result["end_line"])
        key = (path, first, last)
        if key not in self._prices:
            self._prices[key] = tokens_of(f"{path}:{first}-{last}\n" + "\n".join(self._text(path)[first - 1 : last]))
        return Shown(path, self._prices[key], ((first, last),))

    def _text(self, path: str) -> list[str]:
        if path not in self._lines:
            file = (self.root / path).resolve()
            inside = file.is_relative_to(self.root.resolve()) and file.is_file()
            self._lines[path] = file.read_bytes().decode("utf-8", "replace").split("\n") if inside else []
        return self._lines[path]


def tokens_of(text: str) -> int:
    """o200k_base tokens; markers of special tokens count as plain text."""
    from retrieval.tokens.vocabulary import encoding

    return len(encoding("o200k_base").encode_ordinary(text))


def python_for(peer: Peer, venvs: Sequence[Path]) -> Path | None:
    """The first Python of this one and ``venvs`` that has the peer's module; None when no one has."""
    for python in (Path(sys.executable), *(venv / "bin" / "python" for venv in venvs)):
        if not python.is_file():
            continue
        check = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"
        if not peer.module or not subprocess.run([python, "-c", check, peer.module], check=False).returncode:
            return python
    return None


def run(name: str, source: Path, questions: Sequence[Question], venvs: Sequence[Path]) -> Outcome | None:
    """Everything about one peer on one tree; None when the peer is not installed.

    Raises:
        UserError: The peer failed; names it with the last line of its error output.
    """
    with tempfile.TemporaryDirectory() as folder:
        root, cache = Path(folder) / source.name, Path(folder) / "cache"
        shutil.copytree(source, root, ignore=shutil.ignore_patterns(".contextc", ".aider*"))
        environment = {**os.environ, "CONTEXTC_CACHE_DIR": str(cache), "XDG_CACHE_HOME": str(cache)}
        tree = Tree(root)
        if name in OURS:
            return _ours(name, tree, questions, environment)
        peer = next(peer for peer in PEERS if peer.name == name)
        python = python_for(peer, venvs)
        if python is None:
            return None
        arguments, extra = list(peer.arguments), [{"id": q["id"], "question": q["question"]} for q in questions]
        spent = 0.0
        if peer.script == "bm25.py":
            chunks, spent = write_chunks(root, Path(folder) / "chunks.jsonl")
            arguments.append(str(chunks))
            extra = [{"id": q["id"], "terms": words(q["question"])} for q in questions]
        command = [str(python), str(ADAPTERS / peer.script), str(root), *arguments]
        lines = _lines_of(name, command, "\n".join(map(json.dumps, extra)), environment)
        return graded(lines, questions, tree, spent)


def _ours(name: str, tree: Tree, questions: Sequence[Question], environment: Mapping[str, str]) -> Outcome:
    contextc = [
        sys.executable,
        "-c",
        "import sys; from agent.cli.main import main; raise SystemExit(main(sys.argv[1:]))",
    ]

    def ask(verb: str, text_field: str, *options: str) -> list[dict[str, Any]]:
        batch = tree.root.parent / f"{verb}.jsonl"
        batch.write_text("\n".join(json.dumps({"id": q["id"], text_field: q["question"]}) for q in questions), "utf-8")
        command = [*contextc, verb, *options, "--batch", str(batch), "--root", str(tree.root), "-q"]
        return _lines_of(name, command, "", environment)

    # A pack's order is that of reading, so how well files are ranked is told by the search.
    outcome = graded(ask("search", "query", "-k", str(_RESULTS)), questions, tree, 0.0)
    if name == _SEARCH:
        return outcome
    packs = Outcome(outcome.version, outcome.index_s, [], outcome.ndcg)
    for budget in BUDGETS:
        by_id = {line["id"]: line for line in ask("pack", "question", "--budget", str(budget)) if "id" in line}
        for question in questions:
            line = by_id[question["id"]]
            pieces = [Shown(c["path"], c["tokens"], tuple(map(tuple, c["ranges"]))) for c in line["chunks"]]
            packs.scores[budget].append(score(question["gold"], pieces, budget))
            packs.ms.append(line["ms"])
    return packs


def graded(lines: Iterable[Mapping[str, Any]], questions: Sequence[Question], tree: Tree, chunking_s: float) -> Outcome:
    """The measures of one adapter's output. ``chunking_s`` was spent on the peer's behalf before it started."""
    outcome = Outcome()
    by_id: dict[Any, Mapping[str, Any]] = {}
    for line in lines:
        if "meta" in line:
            outcome.version = str(line["meta"].get("version", ""))
            outcome.index_s.append(line["meta"]["index_s"] + chunking_s)
        else:
            by_id[line["id"]] = line
    for question in questions:
        answer = by_id[question["id"]]
        outcome.ms.append(answer["ms"])
        outcome.ndcg.append(ndcg([g["path"] for g in question["gold"]], [r["path"] for r in answer["results"]]))
        for budget in BUDGETS:
            if "shown" in answer:
                pieces: Iterable[Shown] = _map_pieces(answer["shown"][str(budget)])
            else:
                pieces = map(tree.shown, answer["results"])
            outcome.scores[budget].append(score(question["gold"], pieces, budget))
    return outcome


def _map_pieces(shown: Mapping[str, Any]) -> list[Shown]:
    """Files of one rendered map, the whole text's tokens shared among them by their lines."""
    sizes = [1 + sum(last - first + 1 for first, last in ranges) for _, ranges in shown["regions"]]
    total = tokens_of(shown["text"])
    return [
        Shown(path, -(-total * size // sum(sizes)), tuple((first, last) for first, last in ranges))
        for (path, ranges), size in zip(shown["regions"], sizes, strict=True)
    ]


def words(text: str) -> list[str]:
    """The plain terms of both BM25 peers."""
    from retrieval.embed.words import words_of

    return words_of(text)


def write_chunks(root: Path, target: Path) -> tuple[Path, float]:
    """Functions, classes' headers and sections of a tree as JSONL for ``bm25.py``, and the seconds it took."""
    import time

    from retrieval.languages.registry import analyze
    from retrieval.source.decode import read_source
    from retrieval.source.roles import language_of
    from retrieval.source.walk import Skipped, WalkLimits, walk

    began = time.perf_counter()
    limits = WalkLimits()
    with target.open("w", encoding="utf-8") as stream:
        for file in walk(root, limits).files:
            source = read_source(root, file.path, limits)
            if isinstance(source, Skipped):
                continue
            lines = source.text.split("\n")
            for chunk in analyze(file.path, source.text, language_of(file.path), "").chunks:
                text = "\n".join(lines[chunk.start_line - 1 : chunk.end_line])
                row = {"path": file.path, "start_line": chunk.start_line, "end_line": chunk.end_line}
                stream.write(json.dumps({**row, "terms": words(f"{file.path} {chunk.symbol} {text}")}) + "\n")
    return target, time.perf_counter() - began


def _lines_of(name: str, command: list[str], given: str, environment: Mapping[str, str]) -> list[dict[str, Any]]:
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False, env=dict(environment))
    if done.returncode:
        reason = " ".join(" ".join(done.stderr.strip().split("\n")[-2:]).split())[:300]
        raise UserError(f"{name} failed: {reason}", "Run it again without this peer, or mend its installation.")
    return [json.loads(line) for line in done.stdout.split("\n") if line.startswith("{")]
