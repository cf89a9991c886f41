"""The embedder that ships: shapes, exactness, hostile text, cost of loading, and that it finds code by meaning."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.embed.base import embed_batches, unit_rows
from retrieval.embed.load import load_embedder
from retrieval.embed.static import DATA_FOLDER as DATA
from retrieval.embed.static import StaticEmbedder
from retrieval.errors import UserError

# What a function is for, and the function, without one shared identifier where that reads naturally.
PURPOSES = {
    "remove duplicate entries while keeping the order": "def unique(items):\n    seen = set()\n    out = []\n    for item in items:\n        if item not in seen:\n            seen.add(item)\n            out.append(item)\n    return out",
    "read settings from a configuration file": "def load_config(path):\n    parser = configparser.ConfigParser()\n    with open(path) as fh:\n        parser.read_file(fh)\n    return {s: dict(parser[s]) for s in parser.sections()}",
    "send an email message to the user": "def notify(address, subject, body):\n    msg = MIMEText(body)\n    msg['Subject'] = subject\n    msg['To'] = address\n    with smtplib.SMTP(HOST) as smtp:\n        smtp.send_message(msg)",
    "compute the average of a list of numbers": "def mean(values):\n    if not values:\n        raise ValueError('empty')\n    return sum(values) / len(values)",
    "retry a failed network call with increasing delays": "def with_backoff(request, attempts=5):\n    delay = 1.0\n    for _ in range(attempts):\n        try:\n            return request()\n        except ConnectionError:\n            time.sleep(delay)\n            delay *= 2\n    raise TimeoutError",
    "check whether the password is correct": "def verify_credentials(user, secret):\n    digest = hashlib.pbkdf2_hmac('sha256', secret.encode(), user.salt, 100_000)\n    return hmac.compare_digest(digest, user.hashed)",
    "convert a date string into an object": "def parse_day(raw):\n    for fmt in ('%Y-%m-%d', '%d.%m.%Y'):\n        try:\n            return datetime.strptime(raw, fmt).date()\n        except ValueError:\n            continue\n    raise ValueError(raw)",
    "draw the bars of a histogram": "def plot_hist(ax, counts, edges, color='k'):\n    for height, left, right in zip(counts, edges, edges[1:]):\n        ax.bar(left, height, width=right - left, color=color, align='edge')",
    "find the shortest route between two vertices": "def dijkstra(graph, source, target):\n    heap = [(0, source)]\n    dist = {source: 0}\n    while heap:\n        cost, node = heapq.heappop(heap)\n        if node == target:\n            return cost\n        for nxt, weight in graph[node].items():\n            if cost + weight < dist.get(nxt, inf):\n                dist[nxt] = cost + weight\n                heapq.heappush(heap, (dist[nxt], nxt))",
    "store a value so that it need not be computed twice": "def memoize(fn):\n    cache = {}\n    def wrapper(*args):\n        if args not in cache:\n            cache[args] = fn(*args)\n        return cache[args]\n    return wrapper",
    "execute a query against the database": "def run_sql(conn, statement, params=()):\n    cursor = conn.cursor()\n    cursor.execute(statement, params)\n    rows = cursor.fetchall()\n    cursor.close()\n    return rows",
    "split the command line into options and arguments": "def parse_argv(argv):\n    parser = argparse.ArgumentParser()\n    parser.add_argument('--verbose', action='store_true')\n    parser.add_argument('files', nargs='*')\n    return parser.parse_args(argv)",
    "compress a directory into an archive": "def make_zip(folder, target):\n    with zipfile.ZipFile(target, 'w', zipfile.ZIP_DEFLATED) as zf:\n        for path in folder.rglob('*'):\n            zf.write(path, path.relative_to(folder))",
    "multiply two matrices": "def matmul(a, b):\n    n, k, m = len(a), len(b), len(b[0])\n    return [[sum(a[i][t] * b[t][j] for t in range(k)) for j in range(m)] for i in range(n)]",
    "escape special characters before they are put in a web page": "def quote_html(text):\n    return text.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')",
    "wait until all worker threads have finished": "def drain(pool):\n    for thread in pool:\n        thread.join()\n    pool.clear()",
}  # fmt: skip


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return StaticEmbedder()


def test_documents_are_unit_rows_of_the_stated_width(embedder: StaticEmbedder) -> None:
    matrix = embedder.embed_documents(list(PURPOSES.values()))
    assert matrix.shape == (len(PURPOSES), embedder.dim)
    assert matrix.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(matrix, axis=1), 1.0, atol=1e-6)
    query = embedder.embed_query("where is the cache filled")
    assert query.shape == (embedder.dim,)
    assert np.linalg.norm(query) == pytest.approx(1.0, abs=1e-6)


def test_no_documents_give_no_rows(embedder: StaticEmbedder) -> None:
    assert embedder.embed_documents([]).shape == (0, embedder.dim)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=200), min_size=1, max_size=8))
def test_a_text_has_the_same_vector_alone_and_in_a_batch(texts: list[str]) -> None:
    """Bit for bit: vectors cached by content hash must not depend on what was indexed beside them."""
    embedder = _shared()
    together = embedder.embed_documents([*PURPOSES.values(), *texts])[len(PURPOSES) :]
    for row, text in zip(together, texts, strict=True):
        assert row.tobytes() == embedder.embed_documents([text])[0].tobytes()
        assert np.isfinite(row).all()
        assert np.linalg.norm(row) == pytest.approx(1.0, abs=1e-6) or not row.any()


def test_batches_of_any_size_agree(embedder: StaticEmbedder) -> None:
    texts = [f"{text}\n# {n}" for n in range(20) for text in PURPOSES.values()]
    whole = embedder.embed_documents(texts)
    parts = [matrix for _, matrix in embed_batches(embedder, texts)]
    assert np.concatenate(parts).tobytes() == whole.tobytes()
    assert StaticEmbedder().embed_documents(texts[:70]).tobytes() == whole[:70].tobytes()


def test_case_style_of_an_identifier_does_not_matter(embedder: StaticEmbedder) -> None:
    rows = embedder.embed_documents(["parse_http_header", "parseHttpHeader", "ParseHTTPHeader", "parse http header"])
    assert len({row.tobytes() for row in rows}) == 1


@pytest.mark.parametrize("text", ["", " \n\t", "\x00\x01", "!!! --- ((("])
def test_text_without_words_is_a_zero_vector(embedder: StaticEmbedder, text: str) -> None:
    assert not embedder.embed_query(text).any()
    assert not embedder.embed_documents([text]).any()


@pytest.mark.parametrize("text", ["<|endoftext|>", "<s>[INST]</s>", "[UNK] [CLS] ##ing", "<|im_start|>system"])
def test_special_tokens_are_plain_text(embedder: StaticEmbedder, text: str) -> None:
    row = embedder.embed_documents([text])[0]
    assert np.linalg.norm(row) == pytest.approx(1.0, abs=1e-6)
    code = PURPOSES["execute a query against the database"]
    assert embedder.embed_documents([f"{code} # {text}"])[0] @ embedder.embed_documents([code])[0] > 0.3


@pytest.mark.parametrize(
    "text",
    [
        "x" * 1_000_000,
        "_" * 1_000_000,
        "aB" * 500_000,
        "a1" * 500_000,
        "AAAAAAAAAb" * 100_000,
        "word " * 200_000,
        "".join(chr(0x4E00 + n % 2000) for n in range(1_000_000)),
        " ".join(f"{n:x}" for n in range(150_000)),
        "é" * 1_000_000,
        "\ud800 lone surrogate",
    ],
    ids=[
        "one-letter",
        "underscores",
        "camel",
        "digits",
        "capitals",
        "repeated",
        "cjk",
        "distinct",
        "accents",
        "surrogate",
    ],
)
def test_huge_and_hostile_text_is_embedded(text: str) -> None:
    row = StaticEmbedder().embed_documents([text])[0]
    assert np.isfinite(row).all()
    assert np.linalg.norm(row) == pytest.approx(1.0, abs=1e-6) or not row.any()


def test_many_distinct_words_do_not_grow_memory_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retrieval.embed.words._MAX_MEMO_RUNS", 100)
    embedder = StaticEmbedder()
    text = " ".join(f"name{n}" for n in range(1000))
    expected = _shared().embed_documents([text])
    assert embedder.embed_documents([text]).tobytes() == expected.tobytes()
    assert len(embedder._pieces) <= 100


def test_questions_find_the_function_they_describe(embedder: StaticEmbedder) -> None:
    """Hardly a word is shared between the two sides: a broken or an untrained model fails here."""
    documents = embedder.embed_documents(list(PURPOSES.values()))
    ranks = []
    for row, question in enumerate(PURPOSES):
        scores = documents @ embedder.embed_query(question)
        ranks.append(int((scores >= scores[row]).sum()))
    assert sum(rank == 1 for rank in ranks) >= 13, ranks


def test_loading_imports_nothing_heavy() -> None:
    code = (
        "import sys; from retrieval.embed.load import load_embedder; load_embedder().embed_query('where is it');"
        "print(sorted(m for m in ('torch', 'tokenizers', 'openai', 'chromadb', 'tiktoken', 'networkx', 'httpx')"
        " if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_model_id_carries_the_digest_of_the_data(embedder: StaticEmbedder) -> None:
    digest = hashlib.sha256()
    for name in ("vocab.txt", "vectors.npy", "weights.npy", "bigrams.npy", "zones.npy"):
        digest.update((DATA / name).read_bytes())
    about = json.loads((DATA / "model.json").read_text())
    assert about["digest"] == digest.hexdigest()
    assert embedder.model_id == f"{about['name']}-{digest.hexdigest()[:12]}"


def test_data_fits_the_wheel() -> None:
    assert sum(file.stat().st_size for file in DATA.iterdir()) <= 16_000_000


@pytest.mark.parametrize("damage", ["missing", "truncated", "mismatch", "zones", "bigrams", "pickle"])
def test_damaged_data_is_a_user_error(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    if damage == "missing":
        (folder / "vectors.npy").unlink()
    elif damage == "truncated":
        (folder / "vectors.npy").write_bytes((DATA / "vectors.npy").read_bytes()[:1000])
    elif damage == "mismatch":
        (folder / "vocab.txt").write_text("a\nb\n")
    elif damage == "zones":
        np.save(folder / "zones.npy", np.load(DATA / "zones.npy")[:, :-1])
    elif damage == "bigrams":
        np.save(folder / "bigrams.npy", np.load(DATA / "bigrams.npy")[:-1])
    else:
        np.save(folder / "weights.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(UserError):
        StaticEmbedder(folder)


def test_unit_rows_never_holds_nan() -> None:
    rows = unit_rows(np.array([[0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0], [3.0, 4.0], [1e-30, 0.0], [1e300, 1e300]]))
    assert np.isfinite(rows).all()
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [0, 0, 0, 1, 1, 1], atol=1e-6)


def _shared() -> StaticEmbedder:
    found = load_embedder("default")
    assert isinstance(found, StaticEmbedder)
    return found
