"""``contextc chat`` saved, resumed and replayed: after a kill, on a full disk, from damaged files."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.loop import transcript

Chat = Callable[..., tuple[int, str, str]]


def test_a_conversation_is_resumed_and_knows_what_it_is(chat: Chat, shop: Path):
    chat("--offline", "--root", shop, lines=["who calls price_of?", ":budget 777"])
    code, out, err = chat(
        "--offline", "--root", shop, "--resume", "last", lines=["and what does it call?", ":budget", ":turns"]
    )
    assert code == 0
    assert "Resumed 1 turn of" in err
    assert "what does `shop.prices.price_of` call?" in out
    assert "budget: 777" in out
    assert "1. who calls price_of?\n2. what does" in out


def test_a_replay_prints_what_was_printed_without_an_index_or_a_model(chat: Chat, shop: Path, tmp_path: Path):
    saved = tmp_path / "chat.jsonl"
    lines = ["who calls price_of?", "and the tests?", "how does the Kubernetes ingress rotate certificates?"]
    _, live, _ = chat("--offline", "-q", "--root", shop, "--save", saved, lines=lines)
    import shutil

    shutil.rmtree(shop)
    code, again, err = chat("--replay", saved)
    assert (code, err) == (0, "")
    assert "".join(line for line in again.splitlines(keepends=True) if not line.startswith("> ")) == live
    assert [line for line in again.splitlines() if line.startswith("> ")] == [f"> {line}" for line in lines]
    _, as_json, _ = chat("--replay", saved, "--json")
    assert [json.loads(line)["turn"] for line in as_json.splitlines()] == [1, 2, 3]


@pytest.mark.parametrize("option", ["--resume", "--replay"])
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a transcript\n",
        b'{"event":"start","version":1}\n{"event":"answer","turn":1}\n',
        b'{"event":"start","version":1}\n{"event":"answer","turn":"x","topic":3}\n',
        b'{"event":"start","version":1}\n{"event":5}\n',
    ],
)
def test_what_is_no_transcript_is_a_cause_and_a_mend(
    chat: Chat, shop: Path, tmp_path: Path, option: str, content: bytes
):
    path = tmp_path / "chat.jsonl"
    path.write_bytes(content)
    code, out, err = chat("-q", "--root", shop, option, path, lines=["who calls price_of?"])
    assert code == 2
    assert out == ""
    assert "Traceback" not in err
    assert len(err.splitlines()) == 2
    assert path.read_bytes() == content


def test_wrong_options_are_told_before_any_work(chat: Chat, shop: Path, tmp_path: Path):
    (tmp_path / "there").write_text("mine")
    for options in (
        ("--budget", 0),
        ("--resume", tmp_path / "nowhere"),
        ("--resume", "last"),
        ("--resume", "x", "--save", "y"),
        ("--save", tmp_path / "there"),
        ("--max-cost", 1),
        ("--price", "cheap"),
        ("--price", "nan:1"),
        ("--rules", tmp_path / "nowhere.md"),
        ("--answerer", "openai"),
    ):
        code, out, err = chat("-q", "--root", shop, *options, lines=["who calls price_of?"])
        assert (code, out) == (2, ""), options
        assert len(err.splitlines()) == 2, err
    assert (tmp_path / "there").read_text() == "mine"


def test_a_full_disk_is_one_line_and_the_chat_goes_on(chat: Chat, shop: Path, monkeypatch, tmp_path: Path):
    real = os.write

    def fill() -> None:
        def full(fd: int, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(transcript.os, "write", full)

    lines = [
        "who calls price_of?",
        fill,
        "and the tests?",
        "where is it?",
        lambda: monkeypatch.setattr(transcript.os, "write", real),
    ]
    code, out, err = chat("--offline", "-q", "--root", shop, lines=[*lines, f":save {tmp_path / 'all.jsonl'}"])
    assert code == 0
    assert err.count("No space left on device") == 1
    assert len(err.splitlines()) == 1
    assert "test_total" in out
    events = [json.loads(line)["event"] for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert events.count("answer") == 3


def test_a_folder_that_cannot_be_written_does_not_keep_anybody_from_talking(chat: Chat, shop: Path):
    chat("--offline", "--no-save", "--root", shop, lines=["who calls price_of?"])
    (shop / ".contextc" / "chats").write_text("in the way")
    code, out, err = chat("--offline", "-q", "--root", shop, lines=["who calls price_of?"])
    assert code == 0
    assert "The conversation is not saved." in err
    assert "calls it at line" in out


def test_a_question_that_was_never_answered_is_told(shop: Path, tmp_path: Path, chat: Chat):
    saved = tmp_path / "chat.jsonl"
    start = {"event": "start", "version": 1, "root": str(shop)}
    saved.write_text(
        "".join(json.dumps(one) + "\n" for one in (start, {"event": "question", "turn": 1, "text": "why?"}))
    )
    code, _, err = chat("--offline", "--root", shop, "--resume", saved, lines=["who calls price_of?"])
    assert code == 0
    assert "The last question was not answered: why?" in err
    assert json.loads(saved.read_text().splitlines()[-1])["turn"] == 2


def test_kill_and_resume_lose_nothing_that_was_printed(shop: Path, tmp_path: Path, chat: Chat):
    saved = tmp_path / "chat.jsonl"
    command = [
        sys.executable,
        "-m",
        "agent.cli.main",
        "chat",
        "--offline",
        "--json",
        "--root",
        str(shop),
        "--save",
        str(saved),
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"who calls price_of?\n")
        process.stdin.flush()
        first = json.loads(process.stdout.readline())
        process.stdin.write(b"and the tests?\nhow does the cart work?\n")
        process.stdin.flush()
        second = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        process.wait()
    _, out, _ = chat("--replay", saved, "--json")
    replayed = [json.loads(line) for line in out.splitlines()]
    assert replayed[:2] == [first, second]
    with saved.open("ab") as file:
        file.write(b'{"event":"answer","tu')
    code, _, err = chat("--offline", "--root", shop, "--resume", saved, lines=["and what does it call?"])
    assert code == 0
    assert "ended in the middle of an event" in err
    assert f"Resumed {len(replayed)} turns" in err
    assert saved.read_bytes().endswith(b"\n")


_ANSWER = (
    '{"event":"answer","turn":TURN,"cost":0,"usage":{},"answer":"x","statements":[],"citations":[],"abstained":false,'
    '"missing":[],"notes":[],"answerer":"offline","model":"","rot_actions":[],"refused":false,"question":"q",'
    '"read_as":"q","told":[],"calls":[],"topic":null}'
)


@pytest.mark.parametrize(
    "event",
    [
        _ANSWER.replace("TURN", "Infinity"),
        _ANSWER.replace("TURN", "1e999"),
        '{"event":"question","turn":1e999,"text":"x"}',
        '{"event":"question","turn":1}',
        '{"event":"setting","name":"budget","value":-5}',
        '{"event":"setting","name":"budget","value":1e300}',
        '{"event":"setting","name":"budget","value":1e999}',
        '{"event":"setting","name":"budget","value":"' + "9" * 5000 + '"}',
        '{"event":"shown","turn":1}',
        '{"event":"shown","turn":1,"path":"a","sha256":"","names":[],"lines":[1]}',
    ],
)
def test_an_edited_event_is_a_cause_and_a_mend(chat: Chat, shop: Path, tmp_path: Path, event: str):
    path = tmp_path / "edited.jsonl"
    path.write_text('{"event":"start","version":1}\n' + event + "\n")
    code, out, err = chat("-q", "--offline", "--root", shop, "--resume", path, lines=["who calls price_of?"])
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 2
    assert "Internal error" not in err


def test_a_shipped_link_does_not_carry_the_conversation_out_of_the_tree(chat: Chat, shop: Path, tmp_path: Path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (shop / ".contextc").mkdir(exist_ok=True)
    (shop / ".contextc/chats").symlink_to(outside)
    code, _, err = chat("-q", "--offline", "--root", shop, lines=["who calls price_of?"])
    assert code == 2
    assert "chats" in err
    assert list(outside.iterdir()) == []
    assert chat("-q", "--offline", "--no-save", "--root", shop, lines=["who calls price_of?"])[0] == 0


def test_saving_under_an_unknown_home_ends_nothing(chat: Chat, shop: Path):
    code, out, err = chat("-q", "--offline", "--root", shop, lines=[":save ~nobody-of-this-name/x", ":budget"])
    assert code == 2
    assert "names no place" in err
    assert "budget: 4000" in out


@pytest.mark.skipif(sys.platform == "win32", reason="a file that is open cannot be deleted there")
def test_a_transcript_that_was_deleted_is_not_called_saved(chat: Chat, shop: Path, tmp_path: Path):
    gone, elsewhere = tmp_path / "gone.jsonl", tmp_path / "elsewhere.jsonl"
    lines = ["who calls price_of?", gone.unlink, "who calls total?", ":save", f":save {elsewhere}"]
    code, out, err = chat("-q", "--offline", "--root", shop, "--save", gone, lines=lines)
    assert code == 2  # of the first :save
    assert err.count("it was deleted") == 1
    assert "This conversation is not saved." in err
    assert f"saved in {elsewhere}" in out
    asked = [json.loads(line)["text"] for line in elsewhere.read_text().splitlines() if '"event":"question"' in line]
    assert asked == ["who calls price_of?", "who calls total?"]


def test_the_last_conversation_is_one_of_ones_own(chat: Chat, shop: Path, tmp_path: Path):
    chat("-q", "--offline", "--root", shop, lines=["who calls price_of?"])
    chats = shop / ".contextc/chats"
    start = json.dumps({"event": "start", "version": 1, "root": str(shop)})
    shipped = '{"event":"question","turn":1,"text":"a shipped question"}'
    (chats / "zz-shipped.jsonl").write_text(f"{start}\n{shipped}\n")
    (chats / "zz-linked.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
    (chats / "zz-torn.jsonl").write_text("[" * 100_000)
    os.mkfifo(chats / "zz-fifo.jsonl")
    code, _, err = chat("--offline", "--root", shop, "--resume", "last", lines=[":turns"])
    assert code == 0
    assert "Resumed 1 turn of" in err
    assert "shipped" not in err
    for path in chats.glob("2*.jsonl"):
        path.unlink()
    code, _, err = chat("--offline", "--root", shop, "--resume", "last", lines=[":turns"])
    assert code == 2
    assert "no saved conversation" in err


def test_a_tree_that_turned_read_only_keeps_its_chats_in_the_users_cache(
    chat: Chat, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    chat("-q", "--offline", "--no-save", "--root", shop, lines=["who calls price_of?"])
    monkeypatch.setattr("retrieval.index.location._writable", lambda _folder: False)  # also for root
    monkeypatch.setenv("CONTEXTC_CACHE_DIR", str(tmp_path / "cache"))
    args = ["--offline", "--no-update", "--root", shop]
    code, _, err = chat(*args, lines=["who calls price_of?"])
    assert code == 0, err
    assert list((tmp_path / "cache").glob("indexes/*/chats/*.jsonl"))
    code, _, err = chat(*args, "--resume", "last")
    assert code == 0
    assert "Resumed 1 turn of" in err
