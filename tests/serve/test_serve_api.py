"""The API gives what the command line gives, follows the index, and says in one problem document what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from scripted_server import Handler, Step, breaks_after, fails, says, serving, streams
from serve_helpers import SECRET, client_of, events, write
from starlette.testclient import TestClient

from agent.answer.config import AnswerConfig
from retrieval.index.build import update_index
from retrieval.index.location import locate

Run = Callable[..., tuple[int, str, str]]
QUESTION = "who calls price_of"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "tree")


@pytest.fixture
def client(root: Path) -> Iterator[TestClient]:
    with client_of(root) as found:
        yield found


def test_status_tells_the_index_and_who_answers(client: TestClient, root: Path) -> None:
    found = client.get("/api/status").json()
    assert (found["root"], found["current"], found["answerer"]) == (str(root), True, "offline")
    (root / "shop/new.py").write_text("x = 1\n")
    found = client.get("/api/status").json()
    assert (found["current"], found["changed"]) == (False, ["shop/new.py"])


def test_search_gives_the_rows_of_the_command(client: TestClient, root: Path, run: Run) -> None:
    body = {"query": "price of one item", "k": 3, "paths": ["shop/"]}
    found = client.post("/api/search", json=body).json()
    args = ("search", "price of one item", "-k", "3", "--path", "shop/", "--json", "--no-update", "--root", root)
    assert found["results"] == json.loads(run(*args)[1])["results"]


def test_a_pack_is_the_commands_pack_and_always_the_same(client: TestClient, root: Path, run: Run) -> None:
    first = client.post("/api/pack", json={"question": QUESTION, "budget": 700})
    assert first.content == client.post("/api/pack", json={"question": QUESTION, "budget": 700}).content
    args = ("pack", QUESTION, "--budget", "700", "--json", "--no-update", "--root", root)
    assert first.json() == json.loads(run(*args)[1])


def test_an_answer_is_the_commands_answer(client: TestClient, root: Path, run: Run) -> None:
    found = client.post("/api/ask", json={"question": QUESTION}).json()
    assert found["answer"] == json.loads(run("ask", QUESTION, "--json", "--no-update", "--root", root)[1])
    assert found["answer"]["citations"]


def test_every_citation_opens_the_lines_that_it_quotes(client: TestClient) -> None:
    answer = client.post("/api/ask", json={"question": "what does Cart.add do"}).json()["answer"]
    assert answer["citations"]
    for each in answer["citations"]:
        place = {"path": each["path"], "first": each["start"], "last": each["end"]}
        assert "\n".join(client.get("/api/file", params=place).json()["lines"]) == each["text"]


def test_a_stream_tells_its_steps_in_order(client: TestClient) -> None:
    response = client.post("/api/ask/stream", json={"question": QUESTION})
    assert response.headers["content-type"].startswith("text/event-stream")
    found = events(response.text)
    names = [name for name, _ in found]
    assert names == ["plan", "pack", "rot", *["text"] * names.count("text"), "citations", "answer", "done"]
    told = dict(found)
    assert "".join(data["text"] for name, data in found if name == "text") == told["answer"]["answer"]
    assert told["plan"]["question_class"] == "callers"
    assert told["citations"] == told["answer"]["citations"]
    whole = client.post("/api/ask", json={"question": QUESTION}).json()
    assert (told["answer"], told["pack"]) == (whole["answer"], whole["pack"])


def test_rot_is_told_and_treated(client: TestClient) -> None:
    found = dict(events(client.post("/api/ask/stream", json={"question": "what does render_banner return"}).text))
    assert any(finding["kind"] == "injection" for finding in found["rot"]["findings"])
    assert any("injection" in line for line in found["answer"]["rot_actions"])


def test_strict_refuses_evidence_with_defects(client: TestClient) -> None:
    body = {"question": "what does render_banner return", "strict": True}
    assert client.post("/api/ask", json=body).json()["answer"]["refused"] is True


def test_the_graph_gives_the_commands_answers(client: TestClient, root: Path, run: Run) -> None:
    found = client.get("/api/graph", params={"symbol": "price_of"}).json()
    assert found == json.loads(run("graph", "callers", "price_of", "--json", "--no-update", "--root", root)[1])
    chain = client.get("/api/graph", params={"symbol": "test_total", "to": "price_of"}).json()["answers"][0]
    assert (chain["relation"], chain["status"], chain["results"][0]["distance"]) == ("path", "found", 2)


def test_a_name_of_several_definitions_lists_them(tmp_path: Path) -> None:
    root = write(tmp_path / "twins", {"a.py": "def twin(): ...\n", "b.py": "def twin(): ...\n"})
    with client_of(root) as client:
        response = client.get("/api/graph", params={"symbol": "twin"})
    assert response.status_code == 409
    assert [each["qualname"] for each in response.json()["candidates"]] == ["a.twin", "b.twin"]


def test_an_update_by_another_process_is_seen_by_the_next_request(client: TestClient, root: Path) -> None:
    body = {"query": "refund_customer"}
    before = client.post("/api/search", json=body).json()
    (root / "shop/refund.py").write_text("def refund_customer(order):\n    return order\n")
    update_index(locate(root, explicit=True), workers=1)
    after = client.post("/api/search", json=body).json()
    assert after["content_id"] != before["content_id"]
    assert after["results"][0]["symbol"] == "refund_customer"


def test_a_replaced_index_is_seen_by_the_next_request(client: TestClient, root: Path) -> None:
    assert client.post("/api/pack", json={"question": QUESTION}).status_code == 200
    (root / "shop/prices.py").write_text("def price_of(item):\n    return 5\n")
    update_index(locate(root, explicit=True), rebuild=True, workers=1)
    found = client.post("/api/pack", json={"question": QUESTION}).json()
    assert not [finding for finding in found["rot"] if finding["kind"] == "stale"]
    assert any("return 5" in chunk["source"] for chunk in found["chunks"])


def test_a_vanished_index_is_named_with_its_mend_and_a_new_one_is_used(client: TestClient, root: Path) -> None:
    hidden = root / ".contextc/hidden"
    (root / ".contextc/manifest.json").rename(hidden)
    response = client.post("/api/search", json={"query": "cart"})
    assert (response.status_code, response.headers["content-type"]) == (503, "application/problem+json")
    assert "contextc index" in response.json()["mend"]
    hidden.rename(root / ".contextc/manifest.json")
    assert client.post("/api/search", json={"query": "cart"}).status_code == 200


def test_a_damaged_index_is_told_until_it_is_rebuilt(client: TestClient, root: Path) -> None:
    # Before anything was asked: what a server has read once it may go on serving, since it is right.
    database = next((root / ".contextc").glob("index-*.sqlite"))
    with database.open("r+b") as handle:
        handle.write(b"\xff" * database.stat().st_size)
    for _ in range(2):
        response = client.post("/api/ask", json={"question": "what does Cart.add do"})
        assert response.status_code == 503
        assert "contextc index --rebuild" in response.json()["mend"]
    update_index(locate(root, explicit=True), rebuild=True, workers=1)
    assert client.post("/api/ask", json={"question": "what does Cart.add do"}).json()["answer"]["citations"]


def test_stale_evidence_is_told(client: TestClient, root: Path) -> None:
    (root / "shop/prices.py").write_text("# moved\n" + (root / "shop/prices.py").read_text())
    found = client.post("/api/pack", json={"question": QUESTION}).json()
    assert any(finding["kind"] == "stale" for finding in found["rot"])
    assert client.get("/api/file", params={"path": "shop/prices.py"}).json()["changed"] is True


def test_files_come_in_pages_and_secrets_are_redacted(tmp_path: Path) -> None:
    text = "".join(f"line_{number} = {number}\n" for number in range(1, 2501)) + f'token = "{SECRET}"\n'
    root = write(tmp_path / "long", {"long.py": text})
    with client_of(root) as client:
        first = client.get("/api/file", params={"path": "long.py"}).json()
        rest = client.get("/api/file", params={"path": "long.py", "first": first["last"] + 1}).json()
    assert (first["total_lines"], first["last"], rest["last"]) == (2501, 2000, 2501)
    assert first["lines"] + rest["lines"][:-1] == text.split("\n")[:2500]
    assert "REDACTED" in rest["lines"][-1]


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("/api/pack", {"question": "x", "budget": 0}, 422, "budget"),
        ("/api/pack", {"question": ""}, 422, "question"),
        ("/api/pack", {"question": "x" * 4001}, 422, "question"),
        ("/api/pack", {"question": ["x"]}, 422, "question"),
        ("/api/pack", {}, 422, "question"),
        ("/api/pack", {"question": "x", "base_url": "http://evil.example"}, 422, "base_url"),
        ("/api/ask", {"question": "x", "answerer": "openai"}, 422, "answerer"),
        ("/api/search", {"query": "x", "k": 101}, 422, "k"),
        ("/api/search", {"query": "x", "paths": ["p"] * 21}, 422, "paths"),
        ("/api/search", [], 422, "object"),
        ("/api/search", 1, 422, "object"),
    ],
)
def test_what_is_wrong_with_a_body_is_named(client: TestClient, path: str, body: Any, status: int, says: str) -> None:
    response = client.post(path, json=body)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    told = response.json()
    assert says in told["cause"]
    assert told["mend"] and "\n" not in told["cause"] + told["mend"]


@pytest.mark.parametrize(
    "question",
    ["price_of\0", "???", "\0", " \u0096", "\ud800 price_of", "日本語", "x" * 4000, "a\r\nevent: done\ndata: {}"],
)
def test_odd_questions_are_answered(client: TestClient, question: str) -> None:
    body = json.dumps({"question": question}).encode()
    response = client.post("/api/ask/stream", content=body, headers={"content-type": "application/json"})
    found = events(response.text)
    assert found[-1][0] == "done"
    assert [name for name, _ in found].count("done") == 1


# ---- with a model ----------------------------------------------------------------------------------------------------


def model(url: str) -> AnswerConfig:
    return AnswerConfig(answerer="openai", base_url=url, model="tiny-1", backoff_s=0.01, max_retries=1)


def test_a_models_answer_streams_and_is_checked(root: Path) -> None:
    script = streams("`price_of` gives ", "the price [1]. ", "It is free [77].")
    with serving(script) as server, client_of(root, answer=model(server.base_url)) as client:
        found = events(client.post("/api/ask/stream", json={"question": QUESTION}).text)
    texts = [data["text"] for name, data in found if name == "text"]
    assert "".join(texts) == "`price_of` gives the price [1]. It is free [77]."
    assert len(texts) > 1
    answer = dict(found)["answer"]
    assert answer["answerer"] == "openai"
    assert "[unsupported]" in answer["answer"]
    assert answer["usage"]["total_tokens"] == 15


def test_offline_can_be_asked_for_where_a_model_is_set(root: Path) -> None:
    with serving() as server, client_of(root, answer=model(server.base_url)) as client:
        found = client.post("/api/ask", json={"question": QUESTION, "answerer": "offline"}).json()
        assert server.requests == []
    assert found["answer"]["answerer"] == "offline"


def test_a_failing_model_server_is_a_problem_with_its_mend(root: Path) -> None:
    refusals = [fails(401, "bad key")] * 2
    with serving(*refusals) as server, client_of(root, answer=model(server.base_url)) as client:
        response = client.post("/api/ask", json={"question": QUESTION})
        assert (response.status_code, bool(response.json()["mend"])) == (502, True)
        found = events(client.post("/api/ask/stream", json={"question": QUESTION}).text)
    assert [name for name, _ in found] == ["plan", "pack", "rot", "error"]
    assert found[-1][1]["status"] == 502


def hangs_up(handler: Handler, body: dict[str, Any]) -> None:
    handler.close_connection = True
    handler.connection.close()


@pytest.mark.parametrize(
    "step",
    [fails(429, "slow down"), fails(500, "broken"), says(200, b"<html>no</html>", "text/html"), hangs_up],
    ids=["429", "500", "garbage", "nothing"],
)
def test_every_fault_of_a_model_server_is_one_clear_line(root: Path, step: Step) -> None:
    with serving(*[step] * 4) as server, client_of(root, answer=model(server.base_url)) as client:
        found = events(client.post("/api/ask/stream", json={"question": QUESTION}).text)
        assert client.post("/api/ask", json={"question": QUESTION, "answerer": "offline"}).status_code == 200
    assert [name for name, _ in found] == ["plan", "pack", "rot", "error"]
    told = found[-1][1]
    assert (told["status"], bool(told["cause"]), bool(told["mend"])) == (502, True, True)
    assert "\n" not in told["cause"] + told["mend"] and "Traceback" not in told["cause"]


def test_half_an_answer_is_kept_and_said(root: Path) -> None:
    script = breaks_after("`price_of` gives the price [1].")
    with serving(script) as server, client_of(root, answer=model(server.base_url)) as client:
        answer = client.post("/api/ask", json={"question": QUESTION}).json()["answer"]
    assert "gives the price" in answer["answer"]
    assert any("incomplete" in note for note in answer["notes"])
