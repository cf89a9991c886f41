"""Exact, embedded Chroma and a real Chroma server give the same neighbours and fail in the same plain words."""

from __future__ import annotations

import http.server
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from retrieval.errors import IndexUnavailableError, UserError
from retrieval.vectors.base import VectorEngine, top_k
from retrieval.vectors.choose import CROSSOVER_CHUNKS, EngineChoice, choose_engine, drop_other_builds, open_engine
from retrieval.vectors.exact import ExactEngine, vectors_path

DIM = 64
N = 3_000
K = 50


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    rng = np.random.default_rng(5)
    centres = rng.standard_normal((80, DIM))
    return unit(centres[rng.integers(0, 80, N)] + 0.8 * rng.standard_normal((N, DIM)))


@pytest.fixture(scope="module")
def questions(rows: np.ndarray) -> np.ndarray:
    rng = np.random.default_rng(6)
    return unit(rows[rng.integers(0, N, 20)] + 0.1 * rng.standard_normal((20, DIM)))


@pytest.fixture(scope="module")
def chroma_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real ``chroma run`` on a free loopback port."""
    folder = tmp_path_factory.mktemp("chroma-server")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = Path(sys.executable).parent / ("chroma.exe" if os.name == "nt" else "chroma")
    with (folder / "log").open("wb") as log:
        command = [str(program), "run", "--path", str(folder / "data"), "--host", "127.0.0.1", "--port", str(port)]
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        else:
            pytest.fail(f"chroma run did not start: {(folder / 'log').read_text(errors='replace')[-500:]}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=20)


@pytest.fixture(scope="module", params=["chroma", "chroma-server"])
def filled(
    request: pytest.FixtureRequest, rows: np.ndarray, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[VectorEngine]:
    """A Chroma engine of either kind that holds ``rows``."""
    url = request.getfixturevalue("chroma_url") if request.param == "chroma-server" else ""
    choice = EngineChoice(request.param, "a test", url)
    engine = open_engine(choice, tmp_path_factory.mktemp("filled"), "build", DIM, "root")
    engine._batch = min(engine._batch, 700)  # type: ignore[attr-defined]  # more rows than one call takes
    engine.add(np.arange(N, dtype=np.int64), rows)
    engine.sync()
    yield engine
    engine.close()


@pytest.fixture
def exact(tmp_path: Path, rows: np.ndarray) -> Iterator[ExactEngine]:
    engine = ExactEngine(vectors_path(tmp_path, "b"), DIM)
    engine.add(np.arange(N, dtype=np.int64), rows)
    engine.sync()
    yield engine
    engine.close()


def recall(engine: VectorEngine, oracle: VectorEngine, questions: np.ndarray, alive: np.ndarray) -> float:
    shares = []
    for question in questions:
        wanted, expected = oracle.search(question, K, alive)
        got, scores = engine.search(question, K, alive)
        assert len(got) == len(wanted)
        assert alive[got].all()
        assert list(scores) == sorted(scores, reverse=True)
        assert scores[0] == pytest.approx(expected[0], abs=1e-4)
        shares.append(len(set(got.tolist()) & set(wanted.tolist())) / len(wanted))
    return float(np.mean(shares))


def test_exact_is_exact(exact: ExactEngine, rows: np.ndarray, questions: np.ndarray) -> None:
    alive = np.ones(N, dtype=bool)
    alive[::7] = False
    for question in questions:
        ids, scores = exact.search(question, K, alive)
        reference = rows.astype(np.float64) @ question.astype(np.float64)
        reference[~alive] = -np.inf
        np.testing.assert_allclose(scores, np.sort(reference)[::-1][:K], atol=1e-5)
        np.testing.assert_allclose(reference[ids], scores, atol=1e-5)


def test_chroma_finds_what_exact_finds(filled: VectorEngine, exact: ExactEngine, questions: np.ndarray) -> None:
    alive = np.ones(N, dtype=bool)
    assert filled.count() == N
    assert filled.problem(alive) == ""
    assert recall(filled, exact, questions, alive) >= 0.99


def test_chroma_shows_only_the_living(
    filled: VectorEngine, exact: ExactEngine, questions: np.ndarray, caplog: pytest.LogCaptureFixture
) -> None:
    """A snapshot may know fewer chunks than the store holds: newer ones, and dead ones not deleted yet."""
    alive = np.zeros(N - 500, dtype=bool)
    alive[::3] = True
    with caplog.at_level(logging.WARNING):
        assert recall(filled, exact, questions[:5], alive) >= 0.99
    assert f"holds {N} vectors, the index {alive.sum()}" in filled.problem(alive)
    assert len(filled.search(questions[0], K, np.zeros(N, dtype=bool))[0]) == 0


def test_fewer_living_than_asked_for(filled: VectorEngine, exact: ExactEngine, questions: np.ndarray) -> None:
    alive = np.zeros(N, dtype=bool)
    alive[[3, 1_500, 2_999]] = True
    for engine in (filled, exact):
        assert sorted(engine.search(questions[0], K, alive)[0].tolist()) == [3, 1_500, 2_999]


@pytest.mark.parametrize("name", ["exact", "chroma", "chroma-server"])
def test_add_delete_overwrite(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue("chroma_url") if name == "chroma-server" else ""
    engine = open_engine(EngineChoice(name, "", url), tmp_path, "small", 4, f"adu{name}")
    axes = np.eye(4, dtype=np.float32)
    engine.add(np.arange(3, dtype=np.int64), axes[:3])
    engine.sync()
    alive = np.ones(3, dtype=bool)
    assert engine.search(axes[1], 1, alive)[0].tolist() == [1]
    engine.delete(np.array([1, 77], dtype=np.int64))  # an unknown id is no error
    alive[1] = False
    assert 1 not in engine.search(axes[1], 3, alive)[0].tolist()
    engine.add(np.array([4, 3], dtype=np.int64), axes[[1, 3]])
    engine.add(np.array([0], dtype=np.int64), axes[[3]])  # an id that is there is overwritten
    alive = np.array([True, False, True, True, True])
    assert engine.problem(alive) == ""
    ids, scores = engine.search(axes[3], 2, alive)
    assert sorted(ids.tolist()) == [0, 3]
    assert ids.tolist() == [0, 3]  # equal scores: by id
    np.testing.assert_allclose(scores, 1.0, atol=1e-5)
    engine.add(np.empty(0, dtype=np.int64), np.empty((0, 4), dtype=np.float32))
    engine.close()
    again = open_engine(EngineChoice(name, "", url), tmp_path, "small", 4, f"adu{name}")
    assert again.search(axes[1], 1, alive)[0].tolist() == [4]
    again.close()


def test_a_wrong_dimension_is_refused(filled: VectorEngine, exact: ExactEngine, tmp_path: Path) -> None:
    alive = np.ones(N, dtype=bool)
    for engine in (filled, exact):
        with pytest.raises(IndexUnavailableError, match="64 dimensions, the question's has 32") as raised:
            engine.search(np.ones(32, dtype=np.float32), K, alive)
        assert "contextc index --rebuild" in raised.value.mend
        with pytest.raises(IndexUnavailableError, match="64 dimensions"):
            engine.add(np.arange(2, dtype=np.int64), np.ones((2, 32), dtype=np.float32))
    with pytest.raises(IndexUnavailableError, match="64 dimensions, the embedder makes 32"):
        ExactEngine(exact._path, 32)


def test_an_empty_collection_under_a_full_index_says_so(tmp_path: Path) -> None:
    engine = open_engine(EngineChoice("chroma", ""), tmp_path, "b", 4, "lying")
    with pytest.raises(IndexUnavailableError, match="holds 0 vectors, the index 2"):
        engine.search(np.eye(4, dtype=np.float32)[0], 1, np.ones(2, dtype=bool))
    engine.close()


def test_a_collection_that_disagrees_with_the_index_warns_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    engine = open_engine(EngineChoice("chroma", ""), tmp_path, "b", 4, "partial")
    engine.add(np.array([0], dtype=np.int64), np.eye(4, dtype=np.float32)[:1])
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert engine.search(np.eye(4, dtype=np.float32)[0], 1, np.ones(2, dtype=bool))[0].tolist() == [0]
    assert caplog.text.count("holds 1 vectors, the index 2") == 1
    assert "contextc index --rebuild" in caplog.text
    engine.close()


# --- the exact file ------------------------------------------------------------------------------------------------


def test_a_killed_writer_harms_nothing(tmp_path: Path) -> None:
    """Rows that no snapshot knows, and a torn row, are ignored by readers and overwritten by the next writer."""
    path = vectors_path(tmp_path, "b")
    axes = np.eye(4, dtype=np.float32)
    writer = ExactEngine(path, 4)
    writer.add(np.arange(2, dtype=np.int64), axes[:2])
    writer.close()
    with path.open("ab") as file:
        file.write(axes[3].tobytes() + b"\xff\xff\xff\xff\xff")  # NaN bits in a torn row
    reader = ExactEngine(path, 4)
    alive = np.ones(2, dtype=bool)
    assert reader.problem(alive) == ""
    assert reader.search(axes[3], 5, alive)[1].tolist() == [0.0, 0.0]
    writer = ExactEngine(path, 4)
    writer.add(np.array([2, 3], dtype=np.int64), axes[2:4])
    writer.sync()
    assert reader.search(axes[3], 1, np.ones(4, dtype=bool))[0].tolist() == [3]  # the open reader follows
    assert reader.search(axes[3], 5, alive)[0].tolist() == [0, 1]  # and the old snapshot stays what it was
    for engine in (reader, writer):
        engine.close()


@pytest.mark.parametrize("size", [0, 10, 63])
def test_a_writer_killed_in_the_header_starts_anew(tmp_path: Path, size: int) -> None:
    path = vectors_path(tmp_path, "b")
    path.write_bytes(b"CTXVEC01"[:size].ljust(size, b"\0"))
    engine = ExactEngine(path, 4)
    assert engine.count() == 0
    engine.add(np.arange(1, dtype=np.int64), np.eye(4, dtype=np.float32)[:1])
    assert engine.search(np.eye(4, dtype=np.float32)[0], 1, np.ones(1, dtype=bool))[1].tolist() == [1.0]
    engine.close()


def test_a_truncated_file_is_an_error_and_not_a_crash(exact: ExactEngine, questions: np.ndarray) -> None:
    os.truncate(exact._path, 64 + 100 * DIM * 4)
    engine = ExactEngine(exact._path, DIM)
    alive = np.ones(N, dtype=bool)
    assert "holds 100 vectors, the index needs 3000" in engine.problem(alive)
    with pytest.raises(IndexUnavailableError, match="holds 100 vectors, the index needs 3000"):
        engine.search(questions[0], K, alive)
    alive[100:] = False  # nothing that lives is missing
    assert len(engine.search(questions[0], K, alive)[0]) == K


def test_a_file_shortened_under_a_reader_is_an_error_and_not_a_crash(tmp_path: Path) -> None:
    rows = np.eye(8, 1024, dtype=np.float32)
    path = vectors_path(tmp_path, "b")
    writer = ExactEngine(path, 1024)
    writer.add(np.arange(8), rows)
    writer.close()
    engine = ExactEngine(path, 1024)
    alive = np.ones(8, bool)
    assert engine.search(rows[5], 1, alive)[0].tolist() == [5]
    os.truncate(path, 4096)
    with pytest.raises(IndexUnavailableError, match="shortened"):
        engine.search(rows[5], 1, alive)
    with pytest.raises(IndexUnavailableError, match="shortened"):
        engine.rows(np.asarray([5]))


def test_a_missing_or_foreign_file_is_an_error(tmp_path: Path) -> None:
    question = np.ones(DIM, dtype=np.float32)
    missing = ExactEngine(vectors_path(tmp_path, "none"), DIM)
    assert missing.search(question, K, np.zeros(5, dtype=bool))[0].tolist() == []
    with pytest.raises(IndexUnavailableError, match="holds 0 vectors"):
        missing.search(question, K, np.ones(5, dtype=bool))
    assert not vectors_path(tmp_path, "none").exists()  # looking creates nothing
    vectors_path(tmp_path, "x").write_bytes(b"not ours" * 100)
    with pytest.raises(IndexUnavailableError, match="not a vectors file"):
        ExactEngine(vectors_path(tmp_path, "x"), DIM)


@pytest.mark.filterwarnings("error")
def test_rows_of_a_damaged_file_are_never_found_and_warn_of_nothing(tmp_path: Path) -> None:
    engine = ExactEngine(tmp_path / "v.f32", 2)
    rows = [[3e38, 3e38], [np.inf, -np.inf], [-np.inf, 1], [1e30, 0], [np.nan, 0], [0.6, 0.8]]
    engine.add(np.arange(len(rows), dtype=np.int64), np.array(rows, dtype=np.float32))
    hits = engine.search(np.array([0.6, 0.8], dtype=np.float32), 9, np.ones(len(rows), dtype=np.bool_))
    assert hits[0].tolist() == [5]
    engine.close()


def test_a_row_of_nan_is_never_found(tmp_path: Path) -> None:
    engine = ExactEngine(vectors_path(tmp_path, "b"), 2)
    engine.add(np.arange(2, dtype=np.int64), np.array([[np.nan, 1], [1, 0]], dtype=np.float32))
    assert engine.search(np.array([1, 0], dtype=np.float32), 2, np.ones(2, bool))[0].tolist() == [1]
    engine.close()


@given(
    arrays(np.float32, st.integers(0, 40), elements=st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 1.0])), st.integers(0, 45)
)
@settings(deadline=None)
def test_top_k_is_a_stable_sort(scores: np.ndarray, k: int) -> None:
    expected = [int(i) for i in np.argsort(-scores, kind="stable") if scores[i] > -np.inf][:k]
    ids, found = top_k(scores, k)
    assert ids.tolist() == expected
    assert found.tolist() == scores[expected].tolist()


# --- choosing, and what goes wrong on the way ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "n", "url", "name", "why"),
    [
        ("auto", 10, None, "exact", "below the crossover"),
        ("auto", CROSSOVER_CHUNKS + 1, None, "chroma", "above the crossover"),
        ("auto", 10, "http://h:1/", "chroma-server", "URL is configured"),
        ("chroma", 10, "http://h:1", "chroma-server", "URL is configured"),
        ("chroma", 10, "", "chroma", "asked for"),
        ("exact", 10**7, "http://h:1", "exact", "asked for"),
    ],
)
def test_the_choice_and_its_reason(kind: str, n: int, url: str | None, name: str, why: str) -> None:
    choice = choose_engine(kind, n, url)
    assert choice.name == name
    assert why in choice.reason
    assert choice.url == ("http://h:1" if name == "chroma-server" else "")


def test_an_unknown_store_is_refused() -> None:
    with pytest.raises(UserError, match="faiss"):
        choose_engine("faiss", 1, None)


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def open_url(url: str, folder: Path) -> VectorEngine:
    return open_engine(EngineChoice("chroma-server", "", url), folder, "b", DIM, "root")


def test_an_unreachable_server_is_one_plain_error(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{closed_port()}"
    with pytest.raises(UserError, match="No Chroma server answers at") as raised:
        open_url(url, tmp_path)
    assert url in raised.value.cause
    assert "chroma run" in raised.value.mend


@pytest.mark.parametrize(
    "url",
    ["ftp://h", "localhost:8000", "http://", "http://h:port", "http://u:secret@h:1", "http://h/path", "http://h?x=1"],
)
def test_a_bad_url_is_refused_without_repeating_its_secrets(url: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="URL is not valid") as raised:
        open_url(url, tmp_path)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(("status", "words"), [(404, "not as a Chroma server"), (401, "refuses the token")])
def test_another_kind_of_server_is_recognised(
    status: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers.get("Authorization", ""))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    monkeypatch.setenv("CONTEXTC_CHROMA_TOKEN", "t0ken")
    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(UserError, match=words) as raised:
            open_url(f"http://127.0.0.1:{server.server_port}", tmp_path)
        server.shutdown()
    assert seen == ["Bearer t0ken"]
    assert "t0ken" not in str(raised.value)


def test_builds_and_roots_do_not_mix_and_old_builds_go(tmp_path: Path, chroma_url: str) -> None:
    axes = np.eye(DIM, dtype=np.float32)
    choice = EngineChoice("chroma-server", "", chroma_url)
    engines = {}
    for root, build in (("mix1", "old"), ("mix1", "new"), ("mix2", "old")):
        engines[root, build] = open_engine(choice, tmp_path, build, DIM, root)
        engines[root, build].add(np.arange(2, dtype=np.int64), axes[:2])
    drop_other_builds(engines["mix1", "new"], tmp_path, "mix1", {"new"})
    assert engines["mix1", "new"].count() == 2
    assert engines["mix2", "old"].count() == 2
    with pytest.raises(UserError):
        engines["mix1", "old"].count()


def test_old_exact_builds_go(tmp_path: Path) -> None:
    for build in ("a", "b", "c"):
        vectors_path(tmp_path, build).write_bytes(b"")
    engine = open_engine(EngineChoice("exact", ""), tmp_path, "b", DIM, "root")
    drop_other_builds(engine, tmp_path, "root", {"b", "c"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vectors-b.f32", "vectors-c.f32"]


def test_a_damaged_store_is_one_plain_error(tmp_path: Path) -> None:
    (tmp_path / "chroma").mkdir()
    (tmp_path / "chroma" / "chroma.sqlite3").write_bytes(b"garbage" * 1000)
    with pytest.raises(IndexUnavailableError, match="cannot be used") as raised:
        open_engine(EngineChoice("chroma", ""), tmp_path, "b", DIM, "root")
    assert "\n" not in raised.value.cause


OFFLINE_SCRIPT = """
import socket, sys
from pathlib import Path

def refuse(*arguments, **keywords):
    raise SystemExit(f"a connection was tried: {arguments[1:]}")

socket.socket.connect = socket.socket.connect_ex = refuse
socket.getaddrinfo = socket.create_connection = refuse

import numpy as np
from retrieval.vectors.choose import EngineChoice, open_engine

assert "chromadb" not in sys.modules
engine = open_engine(EngineChoice("chroma", ""), Path(sys.argv[1]), "b", 4, "root")
engine.add(np.arange(4, dtype=np.int64), np.eye(4, dtype=np.float32))
ids, _ = engine.search(np.eye(4, dtype=np.float32)[2], 1, np.ones(4, dtype=bool))
assert ids.tolist() == [2]
assert "evil_module" not in sys.modules
engine.close()
"""


def test_embedded_chroma_dials_nowhere_and_ignores_a_strangers_dotenv(tmp_path: Path) -> None:
    """Chroma reads its settings, classes to import among them, from ``.env``: a repository must not supply one."""
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    (stranger / ".env").write_text(
        "CHROMA_API_IMPL=evil_module.Evil\nCHROMA_SERVER_HTTP_PORT=notanumber\nMIGRATIONS=no\n"
    )
    (stranger / "evil_module.py").write_text("raise SystemExit('executed')\n")
    here = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE_SCRIPT, str(tmp_path)],
        cwd=stranger,
        env={**os.environ, "PYTHONPATH": str(here)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert done.stdout == ""
