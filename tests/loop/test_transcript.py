"""The transcript: what was acknowledged is there, whatever happens to the process or to the disk."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from agent.loop import transcript
from agent.loop.transcript import Recorder, read_transcript
from retrieval.errors import UserError


def started(path: Path) -> tuple[Recorder, list[str]]:
    warned: list[str] = []
    recorder = Recorder(warned.append)
    recorder.start(path, {"root": "x"})
    return recorder, warned


def test_events_come_back_in_order_and_the_file_is_private(tmp_path: Path):
    path = tmp_path / "deep" / "chat.jsonl"
    recorder, _ = started(path)
    recorder.write("question", {"text": "wh\u00e4t\u2028?\n\udcff"})
    recorder.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    read = read_transcript(path)
    assert [event["event"] for event in read.events] == ["start", "question"]
    assert read.events[1]["text"] == "wh\u00e4t\u2028?\n\udcff"
    assert path.read_bytes().count(b"\n") == 2


def test_a_torn_last_line_is_dropped_told_and_cut_off(tmp_path: Path):
    path = tmp_path / "chat.jsonl"
    started(path)[0].close()
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"event":"ans')
    recorder = Recorder(lambda _text: None)
    assert recorder.resume(path).torn == 13
    assert path.read_bytes() == whole
    recorder.write("question", {"text": "next"})
    recorder.close()
    assert [event["event"] for event in read_transcript(path).events] == ["start", "question"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "holds no event"),
        (b'{"event":"start","version":1}', "holds no event"),
        (b'{"event":"hello"}\n', "no transcript"),
        (b'{"event":"start","version":99}\n', "later version"),
        (b'{"event":"start","version":1}\nnonsense\n{"event":"x"}\n', ":2 is no event"),
        (b'{"event":"start","version":1}\n[1]\n', ":2 is no event"),
        (b"\x00" * 100 + b"\n", "no event"),
        (b"[" * 100_000 + b"\n", "no event"),
    ],
)
def test_what_is_no_transcript_is_a_cause_and_a_mend(tmp_path: Path, content: bytes, said: str):
    path = tmp_path / "chat.jsonl"
    path.write_bytes(content)
    with pytest.raises(UserError, match=said):
        read_transcript(path)
    assert path.read_bytes() == content


def test_a_missing_file_a_folder_and_an_existing_file(tmp_path: Path):
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(UserError, match="no transcript"):
            read_transcript(path)
    (tmp_path / "there").write_text("mine")
    with pytest.raises(UserError, match="exists"):
        started(tmp_path / "there")
    assert (tmp_path / "there").read_text() == "mine"


def test_a_link_is_not_followed(tmp_path: Path):
    target = tmp_path / "target"
    target.write_text('{"event":"start","version":1}\n')
    (tmp_path / "link").symlink_to(target)
    with pytest.raises(UserError, match="cannot be written"):
        Recorder(lambda _text: None).resume(tmp_path / "link")


def test_two_chats_do_not_write_one_file(tmp_path: Path):
    first, _ = started(tmp_path / "chat.jsonl")
    with pytest.raises(UserError, match="Another chat"):
        Recorder(lambda _text: None).resume(tmp_path / "chat.jsonl")
    first.close()


@pytest.mark.parametrize("written", [0, 7])
def test_a_full_disk_is_told_once_and_leaves_whole_events(tmp_path: Path, monkeypatch, written: int):
    path = tmp_path / "chat.jsonl"
    recorder, warned = started(path)
    recorder.write("question", {"text": "kept"})
    real = os.write

    def full(fd: int, data: bytes) -> int:
        if written and len(data) > written:
            return real(fd, data[:written])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(transcript.os, "write", full)
    recorder.write("answer", {"text": "lost to the disk"})
    recorder.write("question", {"text": "later"})
    monkeypatch.undo()
    assert len(warned) == 1
    assert "No space left on device" in warned[0]
    assert "unsaved" in warned[0]
    assert [event["event"] for event in read_transcript(path).events] == ["start", "question"]
    recorder.save_as(tmp_path / "other.jsonl")
    assert [event["event"] for event in read_transcript(tmp_path / "other.jsonl").events] == [
        "start",
        "question",
        "answer",
        "question",
    ]
    recorder.write("answer", {})
    assert len(read_transcript(tmp_path / "other.jsonl").events) == 5
    recorder.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_device_that_is_really_full(monkeypatch, tmp_path: Path):
    recorder, warned = started(tmp_path / "chat.jsonl")
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, recorder._fd)
    os.close(full)
    recorder.write("question", {"text": "x"})
    assert "No space left" in warned[0]


_WRITER = """
import sys
from pathlib import Path
from agent.loop.transcript import Recorder
recorder = Recorder(print)
recorder.start(Path(sys.argv[1]), {})
for number in range(100_000):
    recorder.write("question", {"number": number, "text": "x" * 3000})
    print(number, flush=True)
"""


def test_a_kill_at_any_moment_loses_nothing_that_was_acknowledged(tmp_path: Path):
    for run in range(3):
        path = tmp_path / f"{run}.jsonl"
        with subprocess.Popen([sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            for _ in range(20 + 7 * run):
                acknowledged = int(process.stdout.readline())
            process.send_signal(signal.SIGKILL)
            rest = process.stdout.read().split()
            acknowledged = int(rest[-1]) if rest and rest[-1].isdigit() and len(rest) > 1 else acknowledged
        recorder = Recorder(lambda _text: None)
        numbers = [event["number"] for event in recorder.resume(path).events[1:]]
        recorder.close()
        assert numbers == list(range(len(numbers)))
        assert len(numbers) > acknowledged
