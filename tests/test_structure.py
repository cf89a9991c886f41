"""The structure that the design promises, and what no module may do."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("retrieval", "agent", "harness")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {module_name(path): path for path in MODULES}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_has_grown_beyond_one_job(package: str) -> None:
    lines = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {name: count for name, count in lines.items() if name.startswith(f"{package}/") and count > 300} == {}


def imports_of(path: Path, *, top_only: bool = False) -> set[str]:
    found: set[str] = set()
    tree = ast.parse(path.read_text("utf-8"))
    guarded = {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.dump(block.test)
        for node in ast.walk(block)
    }
    nodes = tree.body if top_only else list(ast.walk(tree))
    for node in nodes:
        if node in guarded:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


@pytest.mark.parametrize(("package", "forbidden"), [("retrieval", ("agent", "harness")), ("agent", ("harness",))])
def test_layers_import_downwards_only(package: str, forbidden: tuple[str, ...]) -> None:
    wrong = [
        f"{name} imports {imported}"
        for name, path in NAMES.items()
        if name.split(".")[0] == package
        for imported in imports_of(path)
        if imported.split(".")[0] in forbidden
    ]
    assert wrong == []


def test_there_are_no_import_cycles() -> None:
    edges = {
        name: sorted(imported for imported in imports_of(path, top_only=True) if imported in NAMES and imported != name)
        for name, path in NAMES.items()
    }
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join((*trail, name))
        if name not in done:
            for imported in edges[name]:
                visit(imported, (*trail, name))
            done.add(name)

    for name in edges:
        visit(name, ())


def test_nothing_unpickles_or_evaluates() -> None:
    wrong = []
    for name, path in NAMES.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("eval", "exec", "__import__")
            ):
                wrong.append(f"{name}:{node.lineno} calls {node.func.id}")
            if isinstance(node, ast.Call) and any(
                keyword.arg == "shell" and getattr(keyword.value, "value", False) for keyword in node.keywords
            ):
                wrong.append(f"{name}:{node.lineno} runs a shell")
        wrong.extend(f"{name} imports {bad}" for bad in imports_of(path) & {"pickle", "shelve", "marshal", "dill"})
    assert wrong == []


def test_a_search_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def greet():\n    return 'hello'\n")
    code = "import sys\nfrom agent.cli.main import main\nassert main(['index', sys.argv[1], '-q']) == 0\n"
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, capture_output=True, cwd=ROOT)
    code = (
        "import sys\nfrom agent.cli.main import main\n"
        "assert main(['search', 'greet somebody', '-q', '--root', sys.argv[1]]) == 0\n"
        "heavy = {'openai', 'chromadb', 'networkx', 'tiktoken', 'rank_bm25', 'bpe_openai', 'tree_sitter', 'multiprocessing', 'asyncio'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], check=True, capture_output=True, text=True, cwd=ROOT
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("command", [["chat", "--offline"], ["ask", "--answerer", "offline", "what does greet return"]])
def test_an_offline_start_imports_no_client_and_no_server(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "a.py").write_text("def greet():\n    return 'hello'\n")
    code = (
        "import sys\nfrom agent.cli.main import main\n"
        "assert main([*sys.argv[2:], '-q', '--root', sys.argv[1]]) == 0\n"
        "heavy = {'openai', 'httpx', 'chromadb', 'rank_bm25', 'starlette', 'mcp', 'matplotlib', 'asyncio'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), *command],
        check=True,
        capture_output=True,
        text=True,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_ci_runs_what_the_readme_says() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    ci = (ROOT / ".ci/run").read_text("utf-8")
    commands = [block.strip() for block in re.findall(r"```sh\n(.*?)```", readme, re.S)][:2]
    assert len(commands) == 2
    for command in commands:
        assert command in ci


def test_every_constraint_is_an_exact_version_without_an_address() -> None:
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        assert line.startswith("#") or re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+]+", line), line


def test_every_test_module_has_a_name_of_its_own() -> None:
    """pytest imports test files and their helpers by bare name: of two with one name, whichever folder came first wins."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("*.py") if path.name != "conftest.py")
    assert sorted(name for name, count in names.items() if count > 1) == []
