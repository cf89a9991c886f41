"""Embedders, answerers and languages of other packages: the documented example, and packages at fault."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.errors import UserError

Run = Callable[..., tuple[int, str, str]]
EXAMPLE = Path(__file__).parent / "example"
JUSTFILE = """\
set shell := ["bash", "-c"]

# Compile the quantum frobnicator
frobnicate target: clean
    cc -o {{target}} frob.c

clean:
    rm -rf out
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Installs a package of one module as pip would: the module and its metadata in a folder of the path."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))

    def do(name: str, version: str, groups: dict[str, dict[str, str]], source: str) -> Path:
        module = folder / f"{name.replace('-', '_')}.py"
        module.write_text(source)
        for old in folder.glob(f"{name}-*.dist-info"):
            for file in old.iterdir():
                file.unlink()
            old.rmdir()
        info = folder / f"{name}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        lines = [
            f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in points.items())
            for group, points in groups.items()
        ]
        (info / "entry_points.txt").write_text("\n".join(lines))
        sys.modules.pop(module.stem, None)
        importlib.invalidate_caches()
        return module

    return do


@pytest.fixture
def example(install: Callable[..., Path]) -> Callable[..., Path]:
    """The documented example, with the entry points that its own pyproject.toml declares."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]

    def do(version: str = project["version"], **replaced: str) -> Path:
        source = (EXAMPLE / "contextc_example.py").read_text()
        for old, new in replaced.items():
            assert old in source
            source = source.replace(old, new)
        return install(project["name"], version, project["entry-points"], source)

    return do


@pytest.fixture
def tree(write_tree: Callable[..., Path]) -> Path:
    return write_tree({"build.just": JUSTFILE, "main.py": "def run():\n    return 'frobnicate'\n"})


def test_the_language_is_read_by_its_definitions(run: Run, tree: Path, example: Callable[..., Path]) -> None:
    example()
    _, out, _ = run("search", "-k", 1, "compile the quantum frobnicator", "--root", tree, "-q")
    assert "build.just:3-5  frobnicate" in out
    _, out, _ = run("ask", "where is frobnicate", "--root", tree, "-q")
    assert "`build.just:4`" in out
    assert "frobnicate target: clean" in out


def test_the_embedder_makes_the_vectors(run: Run, tree: Path, example: Callable[..., Path]) -> None:
    example()
    run("index", tree, "--embedder", "trigrams:64")
    status = json.loads(run("status", "--json", "--root", tree)[1])
    assert status["embedder"] == "trigrams:trigrams-1-64"
    hits = json.loads(run("search", "frobnicates", "--json", "--root", tree)[1])
    assert "vector" in json.dumps(hits)
    assert run("index", tree, "--embedder", "trigrams:none")[0] == 2


def test_the_answerer_answers_under_the_contract(run: Run, tree: Path, example: Callable[..., Path]) -> None:
    example()
    code, out, _ = run("ask", "--answerer", "pointer", "how is the quantum frobnicator compiled", "--root", tree)
    assert code == 0
    assert "The best evidence is in `build.just` [1:3]." in out
    assert "answered by pointer (contextc-example 1.0): 1 of 1 statements supported" in out
    answer = json.loads(run("ask", "--json", "--answerer", "pointer", "what does run do", "--root", tree)[1])
    assert answer["answerer"] == "pointer"
    (tree / "rules.md").write_text("Answers must not exceed 3 words.\n")
    out = run("ask", "--answerer", "pointer", "--rules", tree / "rules.md", "what does run do", "--root", tree)[1]
    assert "1 violated" in out


def test_an_invented_citation_is_marked(run: Run, tree: Path, example: Callable[..., Path]) -> None:
    example(**{"{best.start_line}": "999"})
    _, out, _ = run("ask", "--answerer", "pointer", "how is the quantum frobnicator compiled", "--root", tree)
    assert "0 of 1 statements supported" in out


def test_doctor_lists_them_without_running_their_code(run: Run, tree: Path, example: Callable[..., Path]) -> None:
    example(**{"from __future__": "raise SystemError('was run')\nfrom __future__"})
    run("index", tree, "-q")
    _, out, _ = run("doctor", "--root", tree)
    for line in ("embedder plugin", "answerer plugin", "language plugin"):
        assert line in out
    assert "pointer (contextc-example 1.0, contextc_example:point)" in out
    assert "contextc_example" not in sys.modules


def test_nothing_is_loaded_that_was_not_asked_for(
    run: Run, write_tree: Callable[..., Path], example: Callable[..., Path]
) -> None:
    example(**{"from __future__": "raise SystemError('was run')\nfrom __future__"})
    root = write_tree({"a.py": "def greet():\n    return 1\n", "notes.txt": "about greetings\n"})
    assert run("ask", "where is greet", "--root", root)[0] == 0
    assert run("status", "--root", root)[0] == 0
    assert "contextc_example" not in sys.modules


def test_files_are_read_again_when_the_plugin_changes_comes_or_goes(
    run: Run, tree: Path, example: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def symbols() -> str:
        return run("search", "-k", 5, "frobnicate target", "--root", tree, "-q")[1]

    def indexed() -> dict[str, object]:
        return dict(json.loads(run("index", tree, "--json", "-q")[1]))

    assert "3-5  frobnicate" not in (symbols(), indexed())[0]
    content = json.loads(run("status", "--json", "--root", tree)[1])
    module = example()
    report = indexed()
    assert report["changed"] == ["build.just"]
    assert "3-5  frobnicate" in symbols()
    assert indexed()["mode"] == "unchanged"
    assert json.loads(run("status", "--json", "--root", tree)[1]) != content
    example("1.1", **{"row + 1 - comment, last": "row + 1, last"})  # without the comment above
    assert "4-5  frobnicate" in symbols()  # noticed by a search, too
    module.write_text(module.read_text().replace('name = "just"', 'name = "justfile"'))
    sys.modules.pop("contextc_example")
    importlib.invalidate_caches()
    assert indexed()["changed"] == ["build.just"]  # the author's working copy, same version
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry != str(module.parent)])
    sys.modules.pop("contextc_example")
    importlib.invalidate_caches()
    assert indexed()["changed"] == ["build.just"]
    assert "  frobnicate" not in symbols()


def test_a_look_at_the_metadata_tells_whether_there_can_be_any(example: Callable[..., Path]) -> None:
    from importlib.metadata import entry_points

    from retrieval.plugins import GROUPS, LANGUAGES, may_have_plugins

    assert not may_have_plugins("contextc.nothing")
    for group in GROUPS:
        assert may_have_plugins(group) or not entry_points(group=group)
    example()
    assert may_have_plugins(LANGUAGES)


@pytest.mark.parametrize(
    "source",
    [
        "raise ImportError('no\\nsuch thing')",
        "X = 1",
        "class L:\n    name = 'x'\n    version = '1'\nJUST = L()",
        "class L:\n    name = 'python'\n    version = '1'\n    def definitions(self, path, text): return []\nJUST = L()",
    ],
)
def test_a_language_that_cannot_be_used_is_one_line(
    run: Run, tree: Path, install: Callable[..., Path], source: str
) -> None:
    install("bad-language", "2.0", {"contextc.languages": {"just": "bad_language:JUST"}}, source)
    code, _, err = run("index", tree)
    assert code == 0
    assert [line for line in err.splitlines() if "bad-language" in line] == err.splitlines()
    assert len(err.splitlines()) == 1
    assert "build.just" in run("search", "quantum frobnicator", "--root", tree, "-q")[1]


@pytest.mark.parametrize(
    "body",
    [
        "raise RuntimeError('x')",
        "return None",
        "return [1]",
        "return [Definition('f', 'function', 0, 2)]",
        "return [Definition('f', 'function', 1, 9999)]",
        "return [Definition('', 'function', 1, 2)]",
        "return [Definition('f', 'function', 1, 4), Definition('g', 'function', 3, 6)]",
    ],
)
def test_a_language_that_fails_on_a_file_costs_its_structure_only(
    run: Run, tree: Path, install: Callable[..., Path], body: str, caplog: pytest.LogCaptureFixture
) -> None:
    source = (
        "from retrieval.languages.definitions import Definition\n"
        f"class L:\n    name = 'x'\n    version = {body!r}\n    def definitions(self, path, text):\n        {body}\nJUST = L()"
    )
    install("bad-language", "2.0", {"contextc.languages": {"just": "bad_language:JUST"}}, source)
    (tree / "other.just").write_text(JUSTFILE)
    assert run("index", tree)[0] == 0
    assert len([record for record in caplog.records if "bad-language" in record.getMessage()]) == 1
    assert "build.just" in run("search", "quantum frobnicator", "--root", tree, "-q")[1]


EMBEDDER = """
import numpy as np
class E:
    model_id, dim, local, batch_size = 'm', 4, True, 8
    def __init__(self, detail): {init}
    def embed_documents(self, texts): {documents}
    def embed_query(self, text): return np.ones(4)
"""


@pytest.mark.parametrize(
    ("init", "documents"),
    [
        ("raise OSError('no model\\nhere')", "return np.ones((len(texts), 4))"),
        ("pass", "raise RuntimeError('boom')"),
        ("pass", "return np.ones((len(texts), 5))"),
        ("pass", "return 'vectors'"),
        ("self.dim = 0", "return np.ones((len(texts), 4))"),
        ("del self.dim", "return np.ones((len(texts), 4))"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_embedder_at_fault_is_one_line_and_leaves_the_index_as_it_was(
    run: Run, tree: Path, install: Callable[..., Path], init: str, documents: str, jobs: int
) -> None:
    run("index", tree, "-q")
    before = run("search", "frobnicate", "--root", tree, "-q")[1]
    install(
        "bad-embedder",
        "1",
        {"contextc.embedders": {"bad": "bad_embedder:E"}},
        EMBEDDER.format(init=init, documents=documents),
    )
    if jobs == 2:  # enough for processes of their own
        for number in range(50):
            (tree / f"m{number}.py").write_text("VALUE = 1\n" * 900)
    code, _, err = run("index", tree, "--embedder", "bad", "-q", "-j", jobs)
    assert code == 2
    assert "The embedder plugin 'bad' (package bad-embedder) failed" in err
    assert "pip uninstall bad-embedder" in err
    assert len(err.splitlines()) == 2
    if jobs == 1:
        assert run("search", "frobnicate", "--root", tree, "-q")[1] == before


@pytest.mark.parametrize(
    "body", ["raise RuntimeError('boom')", "return None", "return [1]", "yield 'a'; raise ValueError('half way')"]
)
def test_an_answerer_at_fault_is_one_line(run: Run, tree: Path, install: Callable[..., Path], body: str) -> None:
    install(
        "bad-answerer",
        "1",
        {"contextc.answerers": {"bad": "bad_answerer:answer"}},
        f"def answer(pack, messages):\n    {body}\n",
    )
    code, _, err = run("ask", "--answerer", "bad", "how is the quantum frobnicator compiled", "--root", tree, "-q")
    assert code == 2
    assert "The answerer plugin 'bad' (package bad-answerer) failed" in err
    assert len(err.splitlines()) == 2


def test_names_that_nobody_brings(run: Run, tree: Path, example: Callable[..., Path]) -> None:
    example()
    code, _, err = run("ask", "--answerer", "pointr", "where is run", "--root", tree)
    assert code == 2
    assert "'pointer'" in err
    code, _, err = run("index", tree, "--embedder", "trigram")
    assert code == 2
    assert "trigrams" in err
    with pytest.raises(UserError, match="no answerer"):
        from agent.answer.plugin import load_answerer

        load_answerer("nobody")


def test_a_command_at_fault_is_one_line(run: Run, install: Callable[..., Path]) -> None:
    install(
        "bad-command", "1", {"contextc.commands": {"broken": "bad_command:cmd", "none": "bad_command:X"}}, "X = 1\n"
    )
    for name in ("broken", "none"):
        code, _, err = run(name)
        assert code == 2
        assert "bad-command" in err
        assert len(err.splitlines()) == 2


@pytest.mark.skipif(not os.environ.get("CONTEXTC_TEST_PIP"), reason="set CONTEXTC_TEST_PIP=1 to build with pip")
def test_pip_installs_the_example(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(tmp_path), str(EXAMPLE)]
    subprocess.run(command, check=True)
    assert list(tmp_path.glob("contextc_example-1.0.dist-info/entry_points.txt"))
