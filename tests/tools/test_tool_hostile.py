"""Hostile arguments: none reads outside the root, a secret or an ignored file, none raises, hangs or returns much."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent.session import open_session
from agent.tools.registry import DEFAULT_RESULT_TOKENS, Toolbox, tools
from retrieval.tokens.counter import count_tokens

OUTSIDE, SECRET, IGNORED = "CANARY-outside", "CANARY-secret", "CANARY-ignored"
TOKEN = "ghp_" + "z9Y8x7W6v5U4" * 3
KEY_LINE = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj" * 1
CANARIES = (OUTSIDE, SECRET, IGNORED, TOKEN, TOKEN[4:], KEY_LINE, KEY_LINE[:40], "root:x:0:0")


@dataclass(frozen=True)
class Place:
    root: Path
    box: Toolbox


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, own_cache: None) -> Iterator[Place]:
    base = tmp_path_factory.mktemp("hostile")
    (base / "outside").mkdir()
    (base / "outside/private.py").write_text(f"x = '{OUTSIDE}'\n", encoding="utf-8")
    (base / "tree-evil").mkdir()  # a sibling whose name starts like the root's
    (base / "tree-evil/private.py").write_text(f"x = '{OUTSIDE}'\n", encoding="utf-8")
    root = base / "tree"
    (root / "src").mkdir(parents=True)
    (root / "src/app.py").write_text("def run():\n    return stop()\n\n\ndef stop():\n    return 1\n", encoding="utf-8")
    (root / "src/conf.py").write_text(
        f'TOKEN = "{TOKEN}"\nKEY = """-----BEGIN RSA PRIVATE KEY-----\n' + f"{KEY_LINE}\n" * 8
        + '-----END RSA PRIVATE KEY-----"""\n\n\ndef load():\n    return TOKEN\n',
        encoding="utf-8",
    )  # fmt: skip
    (root / "src/wide.py").write_text("blob = '" + "ab cd " * 60_000 + "'\n", encoding="utf-8")
    for name in (
        ".env",
        "src/.env.local",
        "id_rsa",
        "deploy.pem",
        "credentials.json",
        ".ssh/id_ed25519",
        "prod.tfvars",
    ):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(f"PASSWORD={SECRET}\n", encoding="utf-8")
    (root / ".gitignore").write_text("ignored/\n*.log\n", encoding="utf-8")
    (root / "ignored").mkdir()
    (root / "ignored/notes.py").write_text(f"x = '{IGNORED}'\n", encoding="utf-8")
    (root / "run.log").write_text(IGNORED, encoding="utf-8")
    (root / "out.py").symlink_to(base / "outside/private.py")
    (root / "outdir").symlink_to(base / "outside")
    (root / "env.py").symlink_to(root / ".env")
    (root / "passwd.txt").symlink_to("/etc/passwd")
    (root / "loop.py").symlink_to(root / "loop.py")
    (root / "chain.py").symlink_to(root / "out.py")
    os.mkfifo(root / "pipe.py")
    listener = socket.socket(socket.AF_UNIX)
    with contextlib.suppress(OSError):  # where the path is longer than a socket's may be
        listener.bind(os.path.relpath(root / "sock.py"))
    for words in (["init", "-q"], ["add", "src/app.py", "src/conf.py", ".gitignore"], ["commit", "-qm", "Begin"]):
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *words], cwd=root, check=True)
    session = open_session(root)
    with Toolbox(session) as box:
        yield Place(root, box)
    listener.close()


_UP = ("..", "../", "../outside/private.py", "../../../../../../../../etc/passwd", "src/../../outside/private.py")
PATHS: list[str] = [
    *_UP,
    *[path.replace("/", sep) for path in _UP[2:] for sep in ("\\", "//", "/./", "%2f", "%252f", "\u2215", "\uff0f", "\u29f8")],
    *[path.replace("..", dots) for path in _UP[2:4] for dots in (
        "%2e%2e", "%252e%252e", "..%00", "\uff0e\uff0e", "\u2025", "\u2024\u2024", ". .", ".\u200b.", "..;", "....", ".../.", "..\t",
    )],
    "/etc/passwd", "//etc/passwd", "///etc/passwd", "/etc/./passwd", "/proc/self/environ", "/proc/self/cmdline", "/proc/1/maps",
    "/proc/self/fd/0", "/proc/self/root/etc/passwd", "/dev/zero", "/dev/stdin", "/dev/tty", "/dev/fd/0", "/sys/kernel/notes",
    "file:///etc/passwd", "file://localhost/etc/passwd", "contextc://file/../outside/private.py", "http://127.0.0.1/", "~/.ssh/id_rsa",
    "~root", "$HOME/.ssh/id_rsa", "`id`", "$(cat /etc/passwd)", "|cat /etc/passwd", ";cat /etc/passwd", "-", "--", "-rf", "--help",
    "C:\\Windows\\win.ini", "C:/Windows/win.ini", "\\\\server\\share\\x", "\\\\?\\C:\\x", "CON", "NUL", "aux.py", "a:b", "src/app.py::$DATA",
    "src/app.py\0", "\0", "src\0/app.py", "../outside/private.py\0.py", "\n", "src/app.py\n/etc/passwd", "\r\n", "\x1b[2J", "\u202e",
    "\ud800", "src/\udcff.py", "\ufeff../outside/private.py", " ../outside/private.py", "../outside/private.py ", "\t/etc/passwd",
    "out.py", "chain.py", "outdir", "outdir/", "outdir/private.py", "outdir/../outside/private.py", "passwd.txt", "loop.py",
    "loop.py/x", "env.py", "pipe.py", "sock.py", ".git/config", ".git/HEAD", ".git", ".contextc/manifest.json", ".contextc",
    ".env", "./.env", "src/../.env", "src/.env.local", ".ENV", ".Env", "id_rsa", "ID_RSA", ".ssh/id_ed25519", "deploy.pem",
    "credentials.json", "prod.tfvars", ".env/", ".env/.", "src/app.py/../../.env", "ignored/notes.py", "ignored", "run.log",
    "x" * 300, "a/" * 400, "../" * 300 + "etc/passwd", "x" * 1_024, "x" * 5_000, "/" * 1_000, "." * 1_000, "*", "**", "?", "[a-z]*",
    "src/*.py", "", " ", ".", "./", "./.", "src", "src/", "src/app.py/", "src/app.py/x", "SRC/APP.PY", "src/app.py#2", "src/app.py?x=1",
]  # fmt: skip

PATTERNS: list[str] = [
    SECRET, OUTSIDE, IGNORED, TOKEN, "ghp_.*", "z9Y8", "MIIEvQ", "PASSWORD", "BEGIN RSA[^x]*END", "(a+)+$", "(a|a)*b", "(.*)*$", "(.*a){60}",
    "^(([a-z])+.)+[A-Z]([a-z])+$", "(x+x+)+y", "((((((((((.*)*)*)*)*)*)*)*)*)*)*", "(a?){500}a{500}", "a{1000}{1000}", "(a{999}){999}", "\\1",
    "(?=x)", "(?<!x)y", "(?P<n>a)(?P=n)", "[", "(", ")", "*", "+", "\\", "(?", "[z-a]", "\\p{Nope}", "\\C", "(?-m)^x", "\\Adef", "\0", "\n", "\ud800",
    "x" * 500, "x" * 501, "(" * 250, "[" * 250, "|" * 500, ".*" * 250, "\u202e", "(?i)(?i)(?i)ghp", "\\Q.*\\E", "$", "^",
]  # fmt: skip

GLOBS: list[Any] = [
    ["../**"],
    ["/etc/*"],
    ["**/.env"],
    ["!" * 200],
    ["*" * 200],
    ["**/" * 60],
    ["[" * 200],
    ["{a,b}" * 30],
    [""],
    [" "],
    ["\0"],
]

ARGUMENTS: list[tuple[str, Any]] = [
    ("read_file", {"path": "src/app.py", "first": -1}), ("read_file", {"path": "src/app.py", "first": 10**30}),
    ("read_file", {"path": "src/app.py", "first": 1, "last": 10**7 + 1}), ("read_file", {"path": "src/app.py", "first": 9_999_999}),
    ("read_file", {"path": "src/app.py", "first": 5, "last": 2}), ("read_file", {"path": "src/app.py", "column": 10**7}),
    ("read_file", {"path": "src/wide.py"}), ("read_file", {"path": "src/wide.py", "column": 359_000}),
    ("read_file", {"path": "src/app.py", "first": float("nan")}), ("read_file", {"path": "src/app.py", "first": float("inf")}),
    ("read_file", {"path": ["src/app.py"]}), ("read_file", {"path": {"path": "src/app.py"}}), ("read_file", {"path": b"src/app.py"}),
    ("read_file", {"path": None}), ("read_file", {}), ("read_file", {"path": "src/app.py", "root": "/etc"}),
    ("read_file", {"path": "src/app.py", "__class__": 1}), ("read_file", {"path": "src/app.py", "context": {}}), ("read_file", {1: 2}),
    ("read_file", {"path": "src/app.py", "self": 1}), ("read_file", {"PATH": "src/app.py"}), ("read_file", {"path": True}),
    ("read_file", "src/app.py"), ("read_file", []), ("read_file", 7), ("read_file", None), ("read_file", [["path", "src/app.py"]]),
    ("list_files", {"depth": 10**9}), ("list_files", {"offset": 10**9}), ("list_files", {"offset": 999_999}), ("list_files", {"depth": -1}),
    ("search", {"query": "x" * 4_001}), ("search", {"query": "x" * 4_000}), ("search", {"query": "_" * 4_000}), ("search", {"query": "\0"}),
    ("search", {"query": "\ud800 run"}), ("search", {"query": "run", "k": 10**20}), ("search", {"query": "run", "offset": 900_000}),
    ("search", {"query": "'; DROP TABLE files; --"}), ("search", {"query": 'run" OR 1=1'}), ("search", {"query": "run NEAR stop AND (x"}),
    ("search", {"query": TOKEN}), ("search", {"query": "private key token"}), ("search", {"query": "PASSWORD in .env"}),
    ("search", {"query": "run", "paths": ["x" * 201]}), ("search", {"query": "run", "paths": ["x"] * 21}), ("search", {"query": "run", "paths": "src"}),
    ("search", {"query": "run", "paths": [["src"]]}), ("search", {"query": "run", "paths": [None]}), ("search", {"query": "run", "paths": {"a": 1}}),
    ("pack", {"question": "x" * 4_001}), ("pack", {"question": "a.b." * 999}), ("pack", {"question": "TOKEN in src/conf.py"}),
    ("pack", {"question": "what is in .env"}), ("pack", {"question": "run", "budget": 10**9}), ("pack", {"question": "run", "budget": 0}),
    ("pack", {"question": "show ../outside/private.py:1"}), ("pack", {"question": "KEY of src/conf.py", "budget": 32_000}),
    ("find_symbol", {"name": "%"}), ("find_symbol", {"name": "'; DROP TABLE symbols; --"}), ("find_symbol", {"name": "x" * 500}),
    ("find_symbol", {"name": "." * 500}), ("find_symbol", {"name": "\0"}), ("find_symbol", {"name": "\ud800"}), ("find_symbol", {"name": "run", "kind": "secret"}),
    ("find_symbol", {"name": "run", "kind": ["any"]}), ("find_symbol", {"name": "TOKEN"}), ("find_symbol", {"name": "KEY"}),
    ("callers", {"symbol": "x" * 500}), ("callers", {"symbol": "run", "depth": 51}), ("callers", {"symbol": "_" * 500}), ("callers", {"symbol": "a.b" * 160}),
    ("callers", {"symbol": "?.run"}), ("callers", {"symbol": "src/../../outside/private.py"}), ("callers", {"symbol": "/etc/passwd"}),
    ("callees", {"symbol": "run", "min_confidence": "sure"}), ("impact", {"symbol": "run", "depth": 50}), ("impact", {"symbol": "*"}),
    ("path_between", {"source": "run", "target": "run"}), ("path_between", {"source": "run"}), ("path_between", {"source": "run", "target": "'"}),
    ("tests_for", {"symbol": "run#9"}), ("tests_for", {"symbol": "#" * 500}), ("tests_for", {"symbol": "<lambda>"}),
    ("history", {"path": "src/app.py", "commit": "--output=/tmp/x", "view": "patch"}), ("history", {"path": "src/app.py", "commit": "HEAD", "view": "patch"}),
    ("history", {"path": "src/app.py", "commit": "abcdef1\n", "view": "patch"}), ("history", {"path": "src/app.py", "commit": "a" * 64, "view": "patch"}),
    ("history", {"path": "src/app.py", "first": 10**7}), ("history", {"path": "src/app.py", "first": 3, "last": 1}), ("history", {"path": "src/conf.py", "view": "blame"}),
    ("history", {"path": "src/conf.py"}), ("history", {"path": ":(top)src/app.py"}), ("history", {"path": ":/src/app.py"}), ("history", {"path": "--all"}),
    ("artifact_get", {"artifact_id": "../vault.sqlite"}), ("artifact_get", {"artifact_id": "a_" + "0" * 78}), ("artifact_get", {"artifact_id": "a_'--"}),
    ("artifact_get", {"artifact_id": "a_0", "offset": -1}), ("artifact_peek", {"artifact_id": "\0"}), ("artifact_find", {"query": "x" * 501}),
    ("artifact_find", {"query": SECRET}), ("artifact_find", {"query": "x", "artifact_id": "/etc/passwd"}),
    ("__init__", {}), ("run", {}), ("", {}), ("read_file\0", {}), ("READ_FILE", {"path": "src/app.py"}), ("x" * 10_000, {}), (None, {}), (7, {}), (["read_file"], {}),
]  # fmt: skip

CASES: list[tuple[str, Any]] = [
    *[("read_file", {"path": path}) for path in PATHS],
    *[(name, {"path": path}) for path in PATHS[::3] for name in ("outline", "history")],
    *[("list_files", {"folder": path}) for path in PATHS[::2]],
    *[("grep", {"pattern": pattern}) for pattern in PATTERNS],
    *[("grep", {"pattern": pattern, "literal": True, "ignore_case": True}) for pattern in PATTERNS[::4]],
    *[(name, {**given, "paths": globs}) for globs in GLOBS for name, given in (("grep", {"pattern": "."}), ("list_files", {}), ("search", {"query": "run"}))],
    *ARGUMENTS,
]  # fmt: skip


def nested(depth: int) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    return value


def test_there_are_many() -> None:
    assert len(PATHS) >= 150
    assert len(CASES) >= 400
    assert {name for name, _ in CASES if isinstance(name, str)} >= {tool.name for tool in tools()}


@pytest.mark.parametrize("chunk", range(20))
def test_nothing_gets_out(place: Place, chunk: int) -> None:
    for name, arguments in CASES[chunk::20]:
        result = place.box.call(name, arguments)
        told = f"{name} {str(arguments)[:200]!a}"
        everything = result.text + json.dumps(dict(result.data), ensure_ascii=False)
        asked = json.dumps(arguments, default=str, ensure_ascii=False)
        for canary in CANARIES:
            assert canary not in everything.replace(asked, "") or (canary in asked and not result.evidence), told
        assert count_tokens(result.text) <= DEFAULT_RESULT_TOKENS, told
        assert not any(ord(char) < 32 and char not in "\n\t" for char in result.text), told
        assert "Traceback" not in everything and "Internal error" not in everything, told
        for path, first, last, _ in result.evidence:
            assert path in ("src/app.py", "src/conf.py", "src/wide.py", ".gitignore"), told
            assert 1 <= first <= last, told


def test_reads_of_what_may_not_be_read_are_errors(place: Place) -> None:
    allowed = {"src/app.py", "src/conf.py"}
    for path in PATHS:
        result = place.box.call("read_file", {"path": path})
        if not result.is_error:
            real = os.path.relpath(os.path.realpath(place.root / path), os.path.realpath(place.root))
            assert real in allowed, repr(path)


def test_deep_and_large_arguments(place: Place) -> None:
    for value in (nested(10_000), {"a": nested(500)}, ["x"] * 100_000, "x" * 10_000_000, 10**5_000):
        for name in ("path", "first", "zzz"):
            result = place.box.call("read_file", {"path": "src/app.py", name: value})
            assert result.is_error
            assert len(result.text) < 1_100


def test_the_secret_lines_of_a_readable_file_are_redacted(place: Place) -> None:
    text = place.box.call("read_file", {"path": "src/conf.py"}).text
    assert "[REDACTED:github-token]" in text
    assert "[REDACTED:private-key]" in text
    assert "def load" in text
    # A page that begins in the middle of the key knows that it is one.
    for first in range(3, 11):
        assert KEY_LINE not in place.box.call("read_file", {"path": "src/conf.py", "first": first}).text
    # A token is not told piece by piece either.
    for column in range(1, 40):
        text = place.box.call("read_file", {"path": "src/conf.py", "first": 1, "last": 1, "column": column}).text
        assert TOKEN[-8:] not in text
    assert place.box.call("grep", {"pattern": TOKEN[:6]}).data["lines"] == 0


def test_a_file_that_becomes_a_link_out_is_not_read(tmp_path: Path) -> None:
    root, private = tmp_path / "tree", tmp_path / "private"
    root.mkdir()
    private.mkdir()
    (private / "a.py").write_text(f"x = '{OUTSIDE}'\n", encoding="utf-8")
    (root / "pkg").mkdir()
    (root / "pkg/a.py").write_text("x = 1\n", encoding="utf-8")
    (root / "b.py").write_text("x = 1\n", encoding="utf-8")
    with Toolbox(open_session(root)) as box:
        assert not box.call("read_file", {"path": "pkg/a.py"}).is_error
        (root / "pkg/a.py").unlink()
        (root / "pkg").rmdir()
        (root / "pkg").symlink_to(private)
        (root / "b.py").unlink()
        (root / "b.py").symlink_to(private / "a.py")
        for path in ("pkg/a.py", "b.py"):
            result = box.call("read_file", {"path": path})
            assert result.is_error
            assert OUTSIDE not in result.text
