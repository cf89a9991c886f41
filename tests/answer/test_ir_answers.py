"""``--context-ir``: what is sent to a server, the model's calls for exact text, and the vault on the command line."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from answer_fakes import evidence, pack_of
from scripted_server import chunk, fails, serving, streams, whole

from agent.answer.answerer import answer_question
from agent.answer.config import AnswerConfig
from agent.answer.context_ir import IrStage, IrUse, encode_request
from agent.answer.openai_client import request_options, stream_answer
from agent.answer.prompt import build_messages, evidence_message
from agent.cli.main import main
from retrieval.compile.schema import pack_schema
from retrieval.context_ir.inspection import expand_ir
from retrieval.context_ir.settings import IrSettings
from retrieval.context_ir.vault import Vault

BODY = "\n\n".join(f"def step_{at}(self):\n    value = self.read({at})\n    return value + {at}" for at in range(30))
PACK = pack_of(
    *(evidence(at, "src/pipeline/steps.py", BODY, 1 + 200 * at, symbol=f"Pipeline.part_{at}") for at in range(1, 6)),
    question="What does step_3 return?",
)


@pytest.fixture()
def use(tmp_path: Path) -> IrUse:
    return IrUse(IrSettings(enabled=True), tmp_path / "vault.sqlite")


def calls(*, name: str = "artifact_get", arguments: str = "", pieces: int = 3):
    """A reply that calls a tool, its arguments in several pieces."""

    def step(handler: Any, body: dict[str, Any]) -> None:
        shown = re.search(r"source=(a_[0-9a-f]+)", json.dumps(body))
        text = arguments or json.dumps({"artifact_id": shown[1] if shown else "", "limit": 100})
        handler.start_stream()
        cuts = [len(text) * at // pieces for at in range(pieces + 1)]
        for at, (first, last) in enumerate(pairwise(cuts)):
            call: dict[str, Any] = {"index": 0, "function": {"arguments": text[first:last]}}
            if at == 0:
                call |= {"id": "call_7", "type": "function"}
                call["function"]["name"] = name
            event = chunk()
            event["choices"] = [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}]
            handler.event(event)
        handler.event(chunk(finish="tool_calls"))
        handler.event("[DONE]")

    return step


def ask(server: Any, use: IrUse, model: str = "gpt-4o-mini") -> tuple[str, Any]:
    config = AnswerConfig(base_url=server.base_url, model=model, context_ir=use)
    stream = stream_answer(PACK, config, lambda seconds: None)
    return "".join(stream), stream


def test_the_request_that_is_sent_is_the_measured_one_and_smaller(use: IrUse) -> None:
    with serving(streams("It ", "adds 3 [1:14].")) as server:
        text, stream = ask(server, use)
    body = server.requests[0]["body"]
    plain = request_options("gpt-4o-mini", build_messages(PACK), AnswerConfig(), PACK.reserve)
    assert text == "It adds 3 [1:14]." and stream.stage.metrics.status == "applied"
    assert [message["role"] for message in body["messages"]] == ["system", "user", "user"]
    content = body["messages"][1]["content"]
    assert content.startswith("TTIR/1 defs m=1 source=a_") and "=[1:201]" in content
    assert body["messages"][2]["content"] == "Question: What does step_3 return?\n"
    assert body["messages"][0] == plain["messages"][0]
    assert [tool["function"]["name"] for tool in body["tools"]] == ["artifact_get"]
    assert len(json.dumps(body)) < len(json.dumps(plain))
    assert encode_request(plain, PACK, use).request == body
    with Vault(use.vault) as vault:
        assert expand_ir(content, vault).text == evidence_message(PACK)


def test_the_model_may_fetch_the_exact_text(use: IrUse) -> None:
    with serving(calls(), streams("It adds 3 [1:14].")) as server:
        text, stream = ask(server, use)
    assert text == "It adds 3 [1:14]." and stream.interrupted == ""
    asked, result = server.requests[1]["body"]["messages"][-2:]
    assert asked["tool_calls"][0]["id"] == result["tool_call_id"] == "call_7"
    got = json.loads(result["content"])
    assert got["text"] == evidence_message(PACK)[:100] and got["next_offset"] == 100


def test_only_what_the_request_shows_can_be_fetched(use: IrUse) -> None:
    from retrieval.context_ir.vault import Exposure

    with Vault(use.vault) as vault:
        (other,) = vault.publish([Exposure("of another conversation", 1, "user", "defs")])
    steps = [calls(arguments=json.dumps({"artifact_id": other})), calls(arguments="{broken"), streams("ok")]
    with serving(*steps) as server:
        assert ask(server, use)[0] == "ok"
    for request in server.requests[1:]:
        assert "error" in json.loads(request["body"]["messages"][-1]["content"])
        assert "another conversation" not in json.dumps(request["body"])


def test_recovery_calls_are_bounded(use: IrUse) -> None:
    with serving(calls(), calls(), calls(), streams("enough")) as server:
        assert ask(server, use)[0] == "enough"
    assert [request["body"].get("tool_choice") for request in server.requests] == [None, None, None, "none"]


@pytest.mark.parametrize("status", [400, 404])
def test_a_server_without_tools_gets_the_plain_request(use: IrUse, status: int) -> None:
    with serving(fails(status, "gpt-4o-mini does not support tools"), streams("ok")) as server:
        text, stream = ask(server, use)
    assert text == "ok" and (stream.stage.metrics.status, stream.stage.metrics.reason) == ("untouched", "tools-refused")
    assert server.requests[1]["body"] == request_options("gpt-4o-mini", build_messages(PACK), AnswerConfig(), 1024)


def test_an_unknown_model_gets_the_plain_request_and_the_answer_says_so(use: IrUse) -> None:
    with serving(whole("It adds 3 [1:14].")) as server:
        config = AnswerConfig(base_url=server.base_url, model="qwen2.5-coder", context_ir=use)
        answer = answer_question(PACK, None, None, config)  # type: ignore[arg-type]
    assert "tools" not in server.requests[0]["body"] and not use.vault.exists()
    assert any("context IR" in note and "CONTEXTC_TIKTOKEN_ENCODING" in note for note in answer.notes)


def test_citations_hold_against_evidence_that_was_re_encoded(use: IrUse) -> None:
    with serving(streams("`step_3` returns `value + 3` [2:412-414].")) as server:
        config = AnswerConfig(base_url=server.base_url, model="gpt-4o-mini", context_ir=use)
        answer = answer_question(PACK, None, None, config)  # type: ignore[arg-type]
    assert answer.statements[0].supported
    assert any("tokens for the whole request" in note and "defs" in note for note in answer.notes)


def test_without_the_option_nothing_changes() -> None:
    with serving(streams("ok")) as server:
        config = AnswerConfig(base_url=server.base_url, model="gpt-4o-mini")
        assert "".join(stream_answer(PACK, config)) == "ok"
    assert server.requests[0]["body"] == request_options("gpt-4o-mini", build_messages(PACK), config, 1024)


def test_a_pack_that_gains_nothing_is_sent_as_it_is(use: IrUse) -> None:
    small = pack_of(evidence(1, "app.py", "def run():\n    return 1"))
    plain = request_options("gpt-4o", build_messages(small), AnswerConfig(), 1024)
    stage = IrStage(small, use)
    assert stage.encode(plain) == plain and stage.metrics is not None and stage.metrics.reason == "no-candidates"
    assert stage.following(plain) is None and not use.vault.exists()


# --------------------------------------------------------------------------------------------------------- command line


@pytest.fixture()
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    root.mkdir()
    methods = "\n\n".join(
        f"    def step_{at}(self):\n        value = self.read({at})\n\n        return value" for at in range(60)
    )
    for name in ("pipeline", "reactor"):
        (root / f"{name}.py").write_text(
            f"class {name.title()}:\n    def read(self, at):\n        return at\n\n{methods}\n"
        )
    return root


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main([str(arg) for arg in args])
    return code, *capsys.readouterr()


def test_pack_shows_what_is_sent_and_artifact_gives_the_exact_text(
    tree: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    question = "what do the steps of the pipeline and the reactor read"
    code, out, _ = run(capsys, "pack", question, "--context-ir", "--explain", "--root", tree, "-q", "--budget", 6000)
    assert code == 0 and out.startswith("TTIR/1 defs m=1 source=a_")
    assert re.search(
        r"context IR: [\d,]+ instead of [\d,]+ tokens for the whole request \(\d+\.\d % less, o200k_base\)", out
    )
    assert "context IR: applied; 1 candidates" in out
    source = re.search(r"source=(a_[0-9a-f]+)", out)[1]  # type: ignore[index]

    plain = run(capsys, "pack", question, "--root", tree, "-q", "--budget", 6000)[1]
    exact = run(capsys, "artifact", "get", source, "--root", tree)[1]
    assert exact.startswith("=== EVIDENCE ") and plain.partition("\n\n1")[0].partition("\n\n")[0] in exact
    assert run(capsys, "artifact", "get", source, "--offset", 4, "--limit", 8, "--root", tree)[1] == exact[4:12]
    page = json.loads(run(capsys, "artifact", "get", source, "--limit", 8, "--json", "--root", tree)[1])
    assert (page["text"], page["next_offset"], page["total_chars"]) == (exact[:8], 8, len(exact))
    listed = json.loads(run(capsys, "artifact", "list", "--json", "--root", tree)[1])
    assert listed == [{"artifact_id": source, "chars": len(exact), "pinned": True}]
    assert "message 1 (user) as defs" in run(capsys, "artifact", "peek", source, "--root", tree)[1]
    hit = json.loads(run(capsys, "artifact", "find", "STEP_7(", "--json", "--root", tree)[1])[0]
    assert exact[hit["offset"] :].startswith("step_7(")

    data = json.loads(
        run(capsys, "pack", question, "--context-ir", "--json", "--root", tree, "-q", "--budget", 6000)[1]
    )
    jsonschema.validate(data, pack_schema())
    assert (
        data["context_ir"]["status"] == "applied"
        and data["context_ir"]["final_tokens"] < data["context_ir"]["raw_tokens"]
    )
    (tmp_path / "shown.txt").write_text(data["context_ir"]["text"])
    code, out, _ = run(capsys, "artifact", "inspect", tmp_path / "shown.txt", "--root", tree)
    assert code == 0 and out.startswith(f"verified: defs of message 1, {len(data['chunks']) + 1} units")
    (tmp_path / "shown.txt").write_text(data["context_ir"]["text"].replace("step_7", "step_8"))
    assert run(capsys, "artifact", "inspect", tmp_path / "shown.txt", "--root", tree)[0] == 2


def test_no_secret_reaches_the_vault(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    source = (tree / "reactor.py").read_text()
    (tree / "reactor.py").write_text(source.replace("        value = self.read(7)\n", f'        value = "{secret}"\n'))
    question = "what do the steps of the reactor and the pipeline read, step_7"
    code, out, _ = run(capsys, "pack", question, "--context-ir", "--root", tree, "-q", "--budget", 6000)
    assert code == 0 and out.startswith("TTIR/1 defs") and secret not in out
    stored = b"".join(path.read_bytes() for path in (tree / ".contextc").glob("vault.sqlite*"))
    assert b"def step_7(self)" in stored and secret.encode() not in stored


def test_mistakes_on_the_command_line(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "artifact", "get", "a_000000000000", "--root", tree)
    assert (code, out) == (2, "") and "no vault" in err and "pack --context-ir" in err
    assert not (tree / ".contextc").exists()  # reading makes nothing
    run(capsys, "pack", "what do the steps read", "--context-ir", "--root", tree, "-q", "--budget", 6000)
    code, _, err = run(capsys, "artifact", "get", "a_000000000000", "--root", tree)
    assert code == 2 and "no artifact" in err
    assert run(capsys, "artifact", "find", "", "--root", tree)[0] == 2
    assert run(capsys, "artifact", "nothing", "--root", tree)[0] == 2


def test_ask_says_where_the_option_changes_nothing(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "ask", "where is step_3", "--context-ir", "--root", tree)
    assert code == 0 and "--context-ir changes nothing here: no model is asked." in err


def test_ask_sends_what_was_encoded(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(streams("It reads [1].")) as server:
        given = ("--base-url", server.base_url, "--model", "gpt-4o", "--context-ir", "--budget", 6000, "-q")
        code, out, _ = run(
            capsys, "ask", "what do the steps of the pipeline and the reactor read", *given, "--root", tree
        )
    assert code == 0 and server.requests[0]["body"]["messages"][1]["content"].startswith("TTIR/1 defs m=1 ")
    assert re.search(r"note: context IR: [\d,]+ instead of [\d,]+ tokens", out)


def test_the_environment_switches_it_on_and_the_option_off(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_pack = ("pack", "what do the steps of the pipeline read", "--root", tree, "-q", "--budget", 6000)
    assert "TTIR" not in run(capsys, *ask_pack)[1]
    monkeypatch.setenv("CONTEXTC_CONTEXT_IR", "true")
    assert "TTIR/1 defs" in run(capsys, *ask_pack)[1]
    assert "TTIR" not in run(capsys, *ask_pack, "--no-context-ir")[1]
    monkeypatch.setenv("CONTEXTC_MODEL", "a-model-nobody-knows")
    assert "tokenizer is not known" in run(capsys, *ask_pack)[1]
