"""The picture is one file that loads nothing, and text of the repository cannot leave its place in it."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import subprocess
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from headless_chromium import CHROMIUM, FLAGS
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.cli.main import main
from agent.graph_view.layout import positions, steps_from
from agent.graph_view.page import page

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
HOSTILE = "</script><script>document.title='owned'</script><!--<img src=x onerror=alert(1)>{{script}}{{data}}"


class Reader(HTMLParser):
    """The page as a browser cuts it: elements, scripts and style sheets."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": [], "title": []}
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag
        if tag in self.texts:
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside in self.texts:
            self.texts[self._inside][-1] += data


@pytest.fixture
def view(
    write_tree: Callable[[Mapping[str, str | bytes]], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[Path, str]]:
    root = write_tree(
        {
            "main.py": f"def f():\n    g()  # {HOSTILE}\n\ndef g():\n    pass  # {HOSTILE}\n",
            "secret.py": f'from main import g\ndef h():\n    token = "{TOKEN}"; g()\n',
            "<img src=x onerror=alert(2)>.py": "from main import f\nf()\n",
        }
    )

    def call(symbol: str) -> tuple[Path, str]:
        out = tmp_path / "picture.html"
        assert main(["graph", "view", symbol, "-o", str(out), "--root", str(root), "-q"]) == 0
        assert capsys.readouterr().out.strip() == str(out)
        return out, out.read_text(encoding="utf-8")

    return call


def test_it_is_self_contained_and_holds_hostile_text_as_data(view: Callable[..., tuple[Path, str]]) -> None:
    _, text = view("main.f")
    read = Reader(text)
    scripts = read.texts["script"]
    assert len(scripts) == 3  # data, library, ours
    data: dict[str, Any] = json.loads(scripts[0])
    assert not set("<>&") & set(scripts[0])
    (edge,) = (each for each in data["edges"] if (each["source"], each["target"]) == ("main.f", "main.g"))
    assert HOSTILE in dict(edge["sites"][0]["source"])[2]
    assert {node["id"] for node in data["nodes"]} >= {"main.f", "main.g"}
    for tag, attributes in read.tags:
        assert tag not in ("img", "link", "iframe", "object", "embed", "base")
        assert not {"src", "href", "srcset"} & set(attributes)
        assert not any(name.startswith("on") for name in attributes)
    assert "@import" not in read.texts["style"][0]
    assert "url(" not in read.texts["style"][0]


def test_the_policy_lets_it_load_nothing_and_run_only_its_own_scripts(view: Callable[..., tuple[Path, str]]) -> None:
    _, text = view("main.f")
    read = Reader(text)
    policy = next(a["content"] for _, a in read.tags if a.get("http-equiv") == "Content-Security-Policy") or ""
    assert "default-src 'none'" in policy
    hashes = set(re.findall(r"'sha256-([^']+)'", policy))
    assert "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]
    ours = {base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in read.texts["script"][1:]}
    assert hashes == ours


@settings(max_examples=20)
@given(st.text())
def test_any_title_and_line_stays_data(text: str) -> None:
    made = page({"title": text, "omitted": 0, "nodes": [{"id": text, "source": [[1, text]]}], "edges": []})
    read = Reader(made)
    assert len(read.texts["script"]) == 3
    assert json.loads(read.texts["script"][0])["nodes"][0]["source"] == [[1, text]]
    assert made.count("<script") == 3
    assert f"<title>{html.escape(text)}</title>" in made


def test_tokens_are_redacted(view: Callable[..., tuple[Path, str]]) -> None:
    _, text = view("main.g")
    assert "secret.h" in text
    assert TOKEN not in text


def test_a_dash_is_standard_output(
    write_tree: Callable[[Mapping[str, str | bytes]], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    root = write_tree({"main.py": "def f():\n    pass\n\nf()\n"})
    assert main(["graph", "view", "f", "-o", "-", "--root", str(root), "-q"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("<!") and out.rstrip().endswith("</html>")


def test_the_same_tree_gives_the_same_picture(view: Callable[..., tuple[Path, str]]) -> None:
    assert view("main.f")[1] == view("main.f")[1]


def test_callers_stand_left_and_callees_right_and_no_two_boxes_share_a_place() -> None:
    edges = {("a", "x"), ("b", "a"), ("x", "c"), ("c", "d"), ("x", "x"), *((f"n{i}", "x") for i in range(100))}
    steps = steps_from(["x"], edges)
    assert {name: steps[name] for name in "axbcd"} == {"x": 0, "a": -1, "b": -2, "c": 1, "d": 2}
    places = positions(steps, edges, dict.fromkeys(steps, 100))
    assert len(set(places.values())) == len(places)
    assert places["b"][0] < places["n50"][0] < places["x"][0] < places["c"][0] < places["d"][0]
    assert max(abs(y) for _, y in places.values()) < 1_000  # a long column is folded


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_a_browser_draws_it(view: Callable[..., tuple[Path, str]], tmp_path: Path) -> None:
    path, _ = view("main.f")
    arguments = ["--headless", *FLAGS, "--virtual-time-budget=2000", "--dump-dom"]
    done = subprocess.run(
        [CHROMIUM, *arguments, f"--user-data-dir={tmp_path / 'profile'}", path.as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    dom = done.stdout
    assert "<title>main.f</title>" in dom  # the hostile script did not run
    assert '<h1 id="title">main.f</h1>' in dom
    assert re.search(r"<canvas\b", dom)
    assert "definitions, 2 relations" in dom
    assert "<h2>main.f</h2>" in dom  # the panel shows the definition
