"""Speed and memory of the whole command line and of warm calls, each beside a floor measured in the same run.

Usage: ``python -m harness.speed [flask django sympy]``. Prints a table; asserts nothing.
"""

from __future__ import annotations

import hashlib
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.session import Session, open_session
from harness.corpora import fetch
from retrieval.errors import UserError

_COLD_RUNS = 5
_WARM_QUESTIONS = 60
_MEMORY_POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class Timed:
    """Wall seconds, CPU seconds of the process and its children, and the peak of the process tree's proportional memory
    in MiB (shared pages counted once)."""

    seconds: float
    cpu: float
    peak_mib: float


def run_timed(command: Sequence[str], cwd: Path, limit_s: float | None = None) -> Timed:
    """Run a command to its end, sampling the memory of its process tree.

    Raises:
        RuntimeError: It failed.
        subprocess.TimeoutExpired: It ran longer than ``limit_s`` and was ended.
    """
    peak = 0.0
    before = _children_cpu()
    began = time.perf_counter()
    with subprocess.Popen(
        command, cwd=cwd, env=_installed(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        done = threading.Event()

        def sample() -> None:
            nonlocal peak
            while not done.wait(_MEMORY_POLL_S):
                peak = max(peak, tree_mib(process.pid))

        sampler = threading.Thread(target=sample)
        sampler.start()
        try:
            code = process.wait(limit_s)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        finally:
            seconds = time.perf_counter() - began
            done.set()
            sampler.join()
    if code:
        raise RuntimeError(f"{command} ended with {code}")
    return Timed(seconds, _children_cpu() - before, peak)


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _installed() -> dict[str, str]:
    """The environment of a program that is installed: its modules are compiled once, not at each start."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {"PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "contextc-speed-pycache"), **kept}


def tree_mib(pid: int) -> float:
    """Proportional memory of a process and its children (Linux)."""
    total = 0
    pending = [pid]
    while pending:
        current = pending.pop()
        try:
            rollup = Path(f"/proc/{current}/smaps_rollup").read_text()
            total += next(int(line.split()[1]) for line in rollup.split("\n") if line.startswith("Pss:"))
            pending.extend(map(int, Path(f"/proc/{current}/task/{current}/children").read_text().split()))
        except (OSError, StopIteration, ValueError):
            continue
    return total / 1024


def contextc(*args: str) -> list[str]:
    return [sys.executable, "-m", "agent.cli.main", *args]


def median_of(times: Sequence[Timed]) -> str:
    seconds, cpu = (
        statistics.median(column) for column in zip(*((one.seconds, one.cpu) for one in times), strict=True)
    )
    return f"{seconds:8.2f} s, {cpu:.2f} CPU"


def repeated(command: Sequence[str], cwd: Path, runs: int = _COLD_RUNS) -> str:
    return median_of([run_timed(command, cwd) for _ in range(runs)])


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as handle:
        handle.write(text)


def questions_of(session: Session, limit: int) -> list[str]:
    """First docstring sentences, spread evenly over the tree: questions that nobody chose."""
    rows = session.reader.conn.execute(
        "SELECT doc FROM symbols WHERE length(doc) > 40 AND kind IN ('function', 'method', 'class') ORDER BY qualname"
    ).fetchall()
    step = max(1, len(rows) // limit)
    return [doc.split("\n\n")[0].replace("\n", " ")[:200] for (doc,) in rows[::step]][:limit]


def percentiles_ms(calls: Sequence[Callable[[], object]]) -> tuple[float, float]:
    """(p50, p95) in milliseconds over one timed call each."""
    times = []
    for call in calls:
        began = time.perf_counter()
        call()
        times.append((time.perf_counter() - began) * 1000)
    times.sort()
    return times[len(times) // 2], times[int(len(times) * 0.95)]


def measure(name: str) -> list[str]:
    """The figures of one corpus, as lines of a table."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / name
        shutil.copytree(fetch(name), tree, ignore=shutil.ignore_patterns(".contextc"))
        began = time.perf_counter()
        for path in sorted(tree.rglob("*")):
            if path.is_file() and not path.is_symlink():
                hashlib.sha256(path.read_bytes())
        floor = time.perf_counter() - began
        # No cached embeddings: a first index on a new machine.
        os.environ["CONTEXTC_CACHE_DIR"] = str(Path(folder) / "cache")
        first = run_timed(contextc("index", "-q"), tree)
        with open_session(tree, update=False).reader as reader:
            counts = reader.counts()
            target = next(p for p in reader.paths if p.endswith(".py") and len(reader.chunks_of(p)) > 5)
        again = run_timed(contextc("index", "--rebuild", "-q"), tree)
        idle = repeated(contextc("index", "-q"), tree)
        bodies, definitions = [], []
        for number in range(_COLD_RUNS):
            _append(tree / target, f"\n# note {number}\n")
            bodies.append(run_timed(contextc("index", "-q"), tree))
            _append(tree / target, f"\n\ndef added_{number}():\n    return {number}\n")
            definitions.append(run_timed(contextc("index", "-q"), tree))
        cold = repeated(contextc("search", "-q", "how is a request dispatched"), tree)
        cold_pack = repeated(contextc("pack", "-q", "how is a request dispatched"), tree)
        python = repeated([sys.executable, "-c", "import click, numpy, sqlite3"], tree)
        session = open_session(tree, update=False)
        with session.reader:
            asked = questions_of(session, _WARM_QUESTIONS)
            for question in asked[:5]:
                session.pack(question, budget=4000)
            search = percentiles_ms(
                [lambda q=q: session.searcher.search(session.plan(q), 10, objective="files") for q in asked]  # type: ignore[misc]
            )
            pack = percentiles_ms([lambda q=q: session.pack(q, budget=4000) for q in asked])  # type: ignore[misc]
    rates = ", ".join(f"{counts[key] / first.seconds:,.0f} {key}/s" for key in ("files", "lines", "chunks"))
    return [
        f"## {name}: {counts['files']:,} files, {counts['lines']:,} lines, {counts['chunks']:,} chunks",
        f"index, first            {median_of([first])}   {rates}, peak {first.peak_mib:,.0f} MiB "
        f"(floor: read and hash every file {floor:.2f} s)",
        f"index, embeddings cached{median_of([again])}",
        f"index, one file changed {median_of(bodies)}",
        f"  a new definition      {median_of(definitions)}   (which importers may see)",
        f"  nothing changed       {idle}",
        f"search, cold            {cold}   (floor: python with click, numpy and sqlite3 {python.strip()})",
        f"pack, cold              {cold_pack}",
        f"search, warm            {search[0]:8.1f} ms p50, {search[1]:.1f} ms p95",
        f"pack, warm              {pack[0]:8.1f} ms p50, {pack[1]:.1f} ms p95",
    ]


def main(names: Sequence[str]) -> None:
    code = [str(Path(__file__).resolve().parent.parent / package) for package in ("agent", "retrieval")]
    subprocess.run([sys.executable, "-m", "compileall", "-q", *code], env=_installed(), check=True)
    for name in names or ("flask", "django", "sympy"):
        try:
            lines = measure(name)
        except UserError as error:
            sys.exit(f"{error.cause}\n{error.mend}")
        print(*lines, "", sep="\n", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
