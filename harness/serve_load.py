"""``contextc serve`` under load: many clients at once, while another process builds the index anew over and over.

Usage: ``python -m harness.serve_load [--clients 64] [--seconds 60] [--corpus flask | --tree DIR] [--threads 4]``.
Prints a table; exit code 1 when any request failed or got the answer to another one.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from harness.corpora import fetch

_SAMPLE_S = 0.5
_TIMEOUT_S = 120
_MIX = ("search", "pack", "ask", "search", "stream", "file", "search", "pack", "graph", "ask")


@dataclass(frozen=True, slots=True)
class Request:
    """``expect`` must stand in the answer: an answer that went to the wrong client holds another one's words."""

    kind: str
    method: str
    path: str
    body: bytes | None
    expect: str


@dataclass
class Tally:
    """Latencies in seconds by kind of request, and what failed."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, kind: str, took: float, error: str) -> None:
        with self.lock:
            if error:
                self.errors[f"{kind}: {error}"] += 1
            else:
                self.seconds.setdefault(kind, []).append(took)


@dataclass
class Memory:
    """Resident MiB of the server and of the watcher beside it: first, highest and last."""

    pid: int
    samples: list[tuple[float, float]] = field(default_factory=list)

    def sample(self) -> None:
        self.samples.append((_resident_mib(self.pid), sum(_resident_mib(child) for child in _children(self.pid))))

    def describe(self) -> str:
        rows = []
        for name, values in zip(("server", "watcher"), zip(*self.samples, strict=True), strict=True):
            rows.append(
                f"{name} {values[0]:.0f} MiB at the start, {max(values):.0f} at most, {values[-1]:.0f} at the end"
            )
        return "; ".join(rows)


def _resident_mib(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in text.split("\n") if line.startswith("VmRSS:")), 0.0)


def _cpu_s(pid: int) -> float:
    """Processor seconds of a process so far, its children's left out."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _requests(names: Sequence[str], places: Sequence[str], client: int) -> Any:
    """An endless sequence, another one for each client."""
    for turn in itertools.count(client):
        kind = _MIX[turn % len(_MIX)]
        name = names[(turn * 7 + client) % len(names)]
        question = f"who calls {name} and what does it do?"
        match kind:
            case "search":
                yield _post(kind, "/api/search", {"query": name, "k": 10}, json.dumps(name))
            case "pack" | "ask":
                yield _post(kind, f"/api/{kind}", {"question": question}, json.dumps(question))
            case "stream":
                yield _post(kind, "/api/ask/stream", {"question": question}, json.dumps(question))
            case "file":
                place = places[turn % len(places)]
                yield Request(kind, "GET", "/api/file?" + urlencode({"path": place}), None, json.dumps(place))
            case _:
                yield Request(kind, "GET", "/api/graph?" + urlencode({"symbol": name}), None, json.dumps(name))


def _post(kind: str, path: str, body: dict[str, Any], expect: str) -> Request:
    return Request(kind, "POST", path, json.dumps(body).encode(), expect)


def _client(port: int, token: str, requests: Any, until: float, tally: Tally) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT_S)
    for request in requests:
        if time.monotonic() >= until:
            break
        began = time.monotonic()
        try:
            error = _send(connection, token, request)
        except (OSError, http.client.HTTPException, ValueError) as failure:
            error = f"{type(failure).__name__}: {failure}"[:120]
            connection.close()
        tally.add(request.kind, time.monotonic() - began, error)
    connection.close()


def _send(connection: http.client.HTTPConnection, token: str, request: Request) -> str:
    """What is wrong with the answer; "" for nothing."""
    headers = {"Authorization": f"Bearer {token}"} | ({"Content-Type": "application/json"} if request.body else {})
    connection.request(request.method, request.path, request.body, headers)
    response = connection.getresponse()
    text = response.read().decode("utf-8")
    if response.status != 200:
        return f"{response.status} {text[:120]}"
    if request.kind == "stream":
        return "" if text.rstrip().split("\n")[-2] == "event: done" and request.expect in text else "broken stream"
    return "" if request.expect in json.dumps(json.loads(text), ensure_ascii=True) else "the answer to another request"


def _symbols(root: Path) -> tuple[list[str], list[str]]:
    """Qualified names of functions and classes that are called something of their own, and indexed paths."""
    from agent.session import open_session

    session = open_session(root)
    with session.reader as reader:
        rows = reader.conn.execute(
            "SELECT max(qualname) FROM symbols WHERE kind IN ('function', 'method', 'class') GROUP BY name "
            "HAVING count(*) = 1 ORDER BY 1"
        )
        return [str(row[0]) for row in rows][:500], list(reader.paths)


def _reindex(root: Path, until: float, count: list[int]) -> None:
    command = [sys.executable, "-P", "-m", "agent.cli.main", "index", "--rebuild", "--quiet", "--jobs", "1", str(root)]
    while time.monotonic() < until:
        done = subprocess.run(command, capture_output=True, check=False)
        count[0 if done.returncode == 0 else 1] += 1


def measure(root: Path, clients: int, seconds: float, threads: int) -> int:
    names, places = _symbols(root)
    token = secrets.token_urlsafe(32)
    command = [sys.executable, "-P", "-m", "agent.cli.main", "serve", "--port", "0", "--json", "--quiet"]
    command += ["--answerer", "offline", "--threads", str(threads), "--root", str(root)]
    env = {**os.environ, "CONTEXTC_SERVE_TOKEN": token}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as server, ExitStack() as stack:
        stack.callback(server.terminate)
        assert server.stdout is not None  # noqa: S101 - a pipe
        port = int(json.loads(server.stdout.readline())["url"].rpartition(":")[2])
        memory, tally, rebuilds = Memory(server.pid), Tally(), [0, 0]
        memory.sample()
        cpu = _cpu_s(server.pid)
        until = time.monotonic() + seconds
        workers = [threading.Thread(target=_reindex, args=(root, until, rebuilds))]
        for number in range(clients):
            arguments = (port, token, _requests(names, places, number), until, tally)
            workers.append(threading.Thread(target=_client, args=arguments))
        for worker in workers:
            worker.start()
        while any(worker.is_alive() for worker in workers):
            time.sleep(_SAMPLE_S)
            memory.sample()
        _report(tally, memory, rebuilds, clients, seconds, _cpu_s(server.pid) - cpu)
        return 1 if tally.errors or server.poll() is not None else 0


def _report(tally: Tally, memory: Memory, rebuilds: Sequence[int], clients: int, seconds: float, cpu_s: float) -> None:
    every = [took for each in tally.seconds.values() for took in each]
    failed = sum(tally.errors.values())
    rate = len(every) / seconds
    print(f"{clients} clients, {seconds:.0f} s: {len(every)} answers ({rate:.0f} a second), {failed} errors;")
    print(f"meanwhile {rebuilds[0]} complete rebuilds of the index by another process ({rebuilds[1]} found it busy)")
    print(f"{'request':<8} {'answers':>8} {'p50 ms':>8} {'p95 ms':>8} {'max ms':>8}")
    for kind, took in [*sorted(tally.seconds.items()), ("all", every)]:
        ordered = sorted(took) or [0.0]
        p50, p95 = (1000 * ordered[min(len(ordered) - 1, int(len(ordered) * part))] for part in (0.5, 0.95))
        print(f"{kind:<8} {len(took):>8} {p50:>8.0f} {p95:>8.0f} {1000 * ordered[-1]:>8.0f}")
    print(memory.describe())
    print(f"server: {1000 * cpu_s / max(1, len(every)):.0f} ms of processor time an answer")
    for error, count in tally.errors.most_common(10):
        print(f"{count} x {error}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--threads", type=int, default=4, help="threads of the server")
    parser.add_argument("--corpus", default="flask", help="a pinned source distribution")
    parser.add_argument("--tree", type=Path, default=None, help="another tree; it is copied first")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        source = given.tree or fetch(given.corpus)
        shutil.copytree(source, root, symlinks=True, ignore=shutil.ignore_patterns(".contextc"))
        return measure(root, given.clients, given.seconds, given.threads)


if __name__ == "__main__":
    sys.exit(main())
