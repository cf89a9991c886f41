"""``contextc serve`` as a process: how it starts and stops, follows its tree, and lets go of clients that have gone."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from scripted_server import serving
from serve_helpers import REPOSITORY, TOKEN, TREE, Running, running, silent_until_closed, wait_until, write

from agent.serve.keeper import Keeper
from agent.serve.settings import host_values
from retrieval.index.location import Location

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "tree")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    base = tmp_path_factory.mktemp("process")
    with running(write(base / "tree"), env={"CONTEXTC_CACHE_DIR": str(base / "cache")}) as server:
        yield server


def call(server: Running, path: str, body: Any = None) -> Any:
    request = urllib.request.Request(f"{server.url}{path}", headers={"authorization": f"Bearer {TOKEN}"})
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("content-type", "application/json")
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


def found(server: Running, query: str) -> list[str]:
    return [row["symbol"] for row in call(server, "/api/search", {"query": query, "k": 3})["results"]]


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_without_failure(root: Path, by: signal.Signals) -> None:
    with running(root) as server:
        assert server.told["page"] == f"{server.url}/#token={TOKEN}"
        call(server, "/api/ask", {"question": "who calls price_of"})
        code, said = server.stop(by)
    assert code == 0
    assert server.told["page"] in said
    assert said.rstrip().endswith("contextc: stopped.")
    assert "Traceback" not in said


def test_a_random_token_is_told_on_stderr_alone(root: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name != "CONTEXTC_SERVE_TOKEN"}
    command = [sys.executable, "-m", "agent.cli.main", "serve", "--root", str(root), "--port", "0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=REPOSITORY, env=env
    )
    try:
        assert process.stderr is not None
        line = next(line for line in process.stderr if "#token=" in line)
    finally:
        process.terminate()
        out, _ = process.communicate(timeout=30)
    assert len(line.rpartition("#token=")[2].strip()) >= 40
    assert out == ""


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--token", "short"), "16 to 512"),
        (("--token", "with space and more than 16"), "16 to 512"),
        (("--budget", "0"), "budget"),
        (("--host", "no.such.host.invalid"), "listen"),
        (("--host", "192.0.2.1"), "listen"),
        (("--port", "99999"), "port"),
        (("--answerer", "openai"), "key"),
        (("--base-url", "nonsense"), "server"),
        (("--no-update",), "index"),
    ],
)
def test_mistakes_are_told_in_two_lines(root: Path, run: Run, options: tuple[str, ...], says: str) -> None:
    code, out, err = run("serve", "--root", root, *options)
    assert (code, out) == (2, "")
    assert says in err
    assert len(err.strip().split("\n")) == 2


def test_a_port_that_is_taken_is_named(root: Path, run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, _, err = run("serve", "--root", root, "--port", taken.getsockname()[1])
    assert code == 2
    assert "in use" in err and "--port" in err


@pytest.mark.parametrize(
    ("address", "names", "served", "other"),
    [
        ("127.0.0.1", (), ("127.0.0.1:5", "localhost:5", "[::1]:5"), ("127.0.0.1", "0.0.0.0:5", "box:5")),
        ("0.0.0.0", ("0.0.0.0", "Box.Local."), ("127.0.0.1:5", "box.local:5"), ("0.0.0.0:5", "192.168.0.2:5")),
        ("::", (), ("[::1]:5", "localhost:5"), ("[::]:5",)),
        ("10.1.2.3", ("docs.example",), ("10.1.2.3:5", "docs.example:5"), ("127.0.0.1:5", "localhost:5")),
    ],
)
def test_which_names_are_the_servers_own(
    address: str, names: tuple[str, ...], served: tuple[str, ...], other: tuple[str, ...]
) -> None:
    found = host_values(address, 5, names)
    assert set(served) <= set(found)
    assert not set(other) & set(found)


def test_other_addresses_and_names_can_be_served(root: Path) -> None:
    with running(root, "--host", "0.0.0.0", "--allow-host", "box.test") as server:
        for host, status in (
            (f"box.test:{server.port}", 200),
            (f"127.0.0.1:{server.port}", 200),
            ("evil.example", 421),
        ):
            head = f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
            assert server.raw(head).startswith(b"HTTP/1.1 %d " % status)
        assert "not encrypted" in server.stop()[1]


def test_what_changes_in_the_tree_is_followed(root: Path) -> None:
    with running(root, "-q") as server:
        (root / "shop/voucher.py").write_text("def redeem_voucher(code):\n    return code\n")
        assert wait_until(lambda: found(server, "redeem_voucher")[:1] == ["redeem_voucher"])
        (root / "shop/voucher.py").rename(root / "shop/coupon.py")
        assert wait_until(lambda: call(server, "/api/status")["current"])
        answer = call(server, "/api/ask", {"question": "where is redeem_voucher defined"})["answer"]
        assert {each["path"] for each in answer["citations"]} == {"shop/coupon.py"}
        assert server.stop()[0] == 0


def test_the_watcher_ends_with_its_server_however_that_ends(root: Path) -> None:
    with running(root, "-q") as server:
        wait_until(lambda: bool(children(server.process.pid)))
        watchers = children(server.process.pid)
        assert len(watchers) == 1
        server.process.kill()
        server.process.communicate()
    assert wait_until(lambda: not any(Path(f"/proc/{pid}/cmdline").exists() and alive(pid) for pid in watchers))


def children(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        pytest.skip("this system does not list a process's children")
    return [int(each) for each in text.split()]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_code_in_the_tree_is_never_run(tmp_path: Path) -> None:
    """The tree's own ``agent`` package stands first on the path of a process that is started in it carelessly."""
    trap = "open('trapped', 'w').close()\n"
    names = (
        "agent/__init__.py",
        "agent/serve/__init__.py",
        "agent/serve/keeper.py",
        "retrieval/__init__.py",
        "json.py",
    )
    root = write(tmp_path / "tree", {**TREE, **dict.fromkeys(names, trap)})
    command = [sys.executable, "-P", "-m", "agent.cli.main", "serve", "--port", "0", "--json", "-q"]
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY), "CONTEXTC_SERVE_TOKEN": TOKEN}
    process = subprocess.Popen(command, cwd=root, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline()
        (root / "later.py").write_text("later = 1\n")
        database = next((root / ".contextc").glob("index-*.sqlite"))
        before = database.stat().st_mtime_ns
        wal = database.with_name(database.name + "-wal")
        assert wait_until(lambda: database.stat().st_mtime_ns != before or (wal.exists() and wal.stat().st_size > 0))
    finally:
        process.terminate()
        process.communicate(timeout=30)
    assert list(root.rglob("trapped")) == []


def test_many_clients_at_once_each_get_their_own_answer(shared: Running) -> None:
    names = ["price_of", "Cart.add", "Cart.total", "render_banner", "odd_name", "CartFullError"] * 6

    def ask(name: str) -> tuple[str, str]:
        told = call(shared, "/api/ask", {"question": f"where is {name} defined"})
        return name, json.dumps(told, sort_keys=True)

    with ThreadPoolExecutor(24) as clients:
        answers = list(clients.map(ask, names))
    for name, text in answers:
        assert json.loads(text)["answer"]["question"] == f"where is {name} defined"
    assert len(set(answers)) == len(set(names))


def open_stream(server: Running, path: str = "/api/ask/stream") -> socket.socket:
    body = b'{"question": "who calls price_of"}'
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    connection.sendall(
        f"POST {path} HTTP/1.1\r\nHost: {server.host}\r\nAuthorization: Bearer {TOKEN}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        + body
    )
    return connection


@pytest.mark.parametrize("path", ["/api/ask/stream", "/api/ask"])
def test_a_client_that_leaves_ends_the_request_to_the_model(root: Path, path: str) -> None:
    gone = threading.Event()
    with (
        serving(silent_until_closed(gone)) as model,
        running(root, "-q", "--base-url", model.base_url, "--model", "m") as server,
    ):
        connection = open_stream(server, path)
        assert wait_until(lambda: bool(model.requests))
        assert not gone.is_set()
        connection.close()
        assert gone.wait(20)
        assert call(server, "/api/ask", {"question": "who calls price_of", "answerer": "offline"})["answer"][
            "citations"
        ]


def test_stopping_ends_streams_that_wait_for_a_model(root: Path) -> None:
    gone = threading.Event()
    with (
        serving(silent_until_closed(gone)) as model,
        running(root, "-q", "--base-url", model.base_url, "--model", "m") as server,
    ):
        with open_stream(server) as connection:
            assert wait_until(lambda: bool(model.requests))
            code, said = server.stop(signal.SIGINT)
            told = b""
            while piece := connection.recv(65_536):
                told += piece
        assert (code, "Traceback" in said) == (0, False)
        assert b"event: pack" in told and b"event: done" not in told
        assert gone.wait(20)


def test_its_help_imports_no_server() -> None:
    code = (
        "import sys\nfrom agent.cli.main import main\nmain(['serve', '--help'])\n"
        "assert not {'starlette', 'uvicorn', 'jsonschema', 'openai', 'asyncio'} & set(sys.modules), sorted(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, cwd=REPOSITORY)


def test_a_tree_that_is_gone_is_told_in_a_line(tmp_path: Path) -> None:
    """The process that keeps the index current begins after the server: its tree may have been moved by then."""
    told: list[str] = []
    keeper = Keeper(Location(tmp_path / "gone", tmp_path / "gone/.contextc"), told.append)
    keeper.start()
    wait_until(lambda: len(told) > 1)
    keeper.close()
    assert told[0].startswith(f"No such path: {tmp_path / 'gone'}.")
    assert "no longer kept current" in told[1]
