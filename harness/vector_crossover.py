"""Where does Chroma overtake the exact scan? Run ``python -m harness.vector_crossover [--full]``.

For each size and engine, in a fresh process each for building and for asking, as a command-line tool pays it:
seconds to insert, seconds from nothing to the first answer (imports, opening, one query), warm p50 of a k=50 query,
peak memory of the asking process, and the recall@50 of Chroma against exact. The vectors are clustered like those of
code (many near neighbours), 256-d, unit length, from a fixed seed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.vectors.choose import CROSSOVER_CHUNKS, EngineChoice, open_engine

DIM = 256
K = 50
QUERIES = 60
EXACT_SIZES = (5_000, 20_000, 50_000, 200_000)
CHROMA_SIZES = (5_000, 20_000)
FULL_SIZES = (5_000, 20_000, 50_000, 100_000, 200_000, 500_000)  # tens of minutes, nearly all of it Chroma's inserts
_WRITE_ROWS = 10_000


def clustered(n: int, dim: int, seed: int) -> NDArray[np.float32]:
    """``n`` unit vectors around ``n / 40`` centres (at least 20), float32[n, dim]."""
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(7).standard_normal((max(20, n // 40), dim)).astype(np.float32)
    rows = centres[rng.integers(0, len(centres), n)] + 0.8 * rng.standard_normal((n, dim)).astype(np.float32)
    normed: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return normed


def _queries(stored: NDArray[np.float32]) -> NDArray[np.float32]:
    """Questions near the stored rows, but equal to none."""
    rng = np.random.default_rng(3)
    rows = stored[rng.integers(0, len(stored), QUERIES)]
    noisy = rows + 0.05 * rng.standard_normal(rows.shape).astype(np.float32)
    normed: NDArray[np.float32] = noisy / np.linalg.norm(noisy, axis=1, keepdims=True)
    return normed


def _insert(name: str, folder: Path, n: int) -> dict[str, Any]:
    rows = clustered(n, DIM, seed=1)
    np.save(folder / "queries.npy", _queries(rows))  # here, lest the asking process inherit this one's peak memory
    start = time.perf_counter()
    engine = open_engine(EngineChoice(name, ""), folder, "bench", DIM, "bench")
    for first in range(0, n, _WRITE_ROWS):
        ids = np.arange(first, min(first + _WRITE_ROWS, n), dtype=np.int64)
        engine.add(ids, rows[first : first + len(ids)])
    engine.sync()
    return {"insert_s": time.perf_counter() - start}


def _ask(name: str, folder: Path, n: int) -> dict[str, Any]:
    import resource

    questions = np.load(folder / "queries.npy")
    alive = np.ones(n, dtype=bool)
    start = time.perf_counter()
    engine = open_engine(EngineChoice(name, ""), folder, "bench", DIM, "bench")
    engine.search(questions[0], K, alive)
    first = time.perf_counter() - start
    times, found = [], []
    for question in questions:
        start = time.perf_counter()
        ids, _ = engine.search(question, K, alive)
        times.append(time.perf_counter() - start)
        found.append(ids.tolist())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"first_s": first, "warm_ms": median(times) * 1e3, "peak_mib": peak, "found": found}


def _in_process(step: str, name: str, folder: Path, n: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "harness.vector_crossover", step, name, str(folder), str(n)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def _measure(n: int, names: tuple[str, ...]) -> None:
    exact: list[list[int]] = []
    for name in names:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            inserted = _in_process("insert", name, folder, n)["insert_s"]
            asked = _in_process("ask", name, folder, n)
            size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20
        exact = exact or asked["found"]
        recall = float(np.mean([len(set(a) & set(b)) / K for a, b in zip(exact, asked["found"], strict=True)]))
        print(
            f"| {n:>7,} | {name:6} | {inserted:8.2f} | {asked['first_s']:7.3f} | {asked['warm_ms']:7.2f} "
            f"| {asked['peak_mib']:6.0f} | {size:6.0f} | {recall:.4f} |",
            flush=True,
        )


def main(arguments: list[str]) -> None:
    if arguments and arguments[0] in ("insert", "ask"):
        step = _insert if arguments[0] == "insert" else _ask
        print(json.dumps(step(arguments[1], Path(arguments[2]), int(arguments[3]))))
        return
    full = "--full" in arguments
    print("|  chunks | engine | insert s | first s | warm ms | MiB    | disk   | recall@50 |")
    print("|---|---|---|---|---|---|---|---|")
    for n in FULL_SIZES if full else EXACT_SIZES:
        _measure(n, ("exact", "chroma") if full or n in CHROMA_SIZES else ("exact",))
    print(f"\n--vector-store auto changes to Chroma above {CROSSOVER_CHUNKS:,} chunks (retrieval/vectors/choose.py).")


if __name__ == "__main__":
    main(sys.argv[1:])
