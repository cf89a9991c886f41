"""grep and find_symbol against independent oracles (``re`` line by line, ``ast``) on real packages' sources; the graph
tools against ``contextc graph --json``."""

from __future__ import annotations

import ast
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from agent.session import open_session
from agent.tools.records import ToolResult
from agent.tools.registry import Toolbox

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of click, which is installed wherever this is."""
    root = tmp_path_factory.mktemp("click") / "tree"
    shutil.copytree(Path(click.__file__).parent, root / "click", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "notes.md").write_text(
        "# Notes\r\nécole Σίσυφος x\x0cy \u2028 z\r\n\r\nlast line", encoding="utf-8", newline=""
    )
    return root


@pytest.fixture(scope="module")
def click_box(tree: Path, own_cache: None) -> Iterator[Toolbox]:
    with Toolbox(open_session(tree)) as box:
        yield box


def pages(box: Toolbox, name: str, arguments: dict[str, object]) -> Iterator[ToolResult]:
    for _ in range(500):
        result = box.call(name, arguments)
        assert not result.is_error, result.text
        yield result
        if result.more is None:
            return
        arguments = dict(result.more)
    raise AssertionError("the pages never end")


PATTERNS = [
    r"def \w+\(self", r"^class (\w+)", r"import$", r"^$", r"\bctx\b.*\breturn\b", r"[^x]*:$", r"(a|b|c)+d?e", r"é|Σ",
    r"\s+$", r"x.y", r"#\s*noqa", r"'''|\"\"\"", r"\d{3,}", r"raise (\w+Error)\(", r"(?i)todo|fixme", r".", r"last line$",
]  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("ignore_case", [False, True])
def test_grep_finds_the_lines_that_re_finds(tree: Path, click_box: Toolbox, pattern: str, ignore_case: bool) -> None:
    # RE2's classes are ASCII's, its whitespace has no vertical tab, and its dot takes a form feed, as re's does.
    expression = re.compile(pattern, re.ASCII | (re.IGNORECASE if ignore_case else 0))
    expected = []
    for path in sorted(tree.rglob("*.*")):
        if path.suffix in (".py", ".md"):
            lines = path.read_bytes().decode("utf-8").split("\n")
            lines = lines[:-1] if lines[-1] == "" else lines
            shown = [re.sub("[\x0c\x1b]", "", line.removesuffix("\r")) for line in lines]
            expected += [
                (path.relative_to(tree).as_posix(), n) for n, line in enumerate(shown, 1) if expression.search(line)
            ]
    found, total = [], 0
    for result in pages(click_box, "grep", {"pattern": pattern, "ignore_case": ignore_case}):
        found += [(row["path"], row["line"]) for row in result.data.get("results", [])]
        total = result.data["lines"]
        if len(found) > 600:  # paging is proved by then, and the count is of all
            break
    assert total == len(expected)
    assert found == expected[: len(found)]


def test_grep_literal_takes_the_pattern_as_text(tree: Path, click_box: Toolbox) -> None:
    result = click_box.call("grep", {"pattern": "t.Any, ...]", "literal": True})
    lines = sum("t.Any, ...]" in line for path in tree.rglob("*.py") for line in path.read_text("utf-8").split("\n"))
    assert result.data["lines"] == lines > 0


def test_find_symbol_finds_every_function_and_class_where_ast_has_it(tree: Path, click_box: Toolbox) -> None:
    expected: dict[str, set[tuple[str, int]]] = {}
    for path in sorted(tree.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                expected.setdefault(node.name, set()).add((path.relative_to(tree).as_posix(), node.lineno))
    assert len(expected) > 300
    for name in sorted(expected)[::3]:
        found = {
            (row["path"], row["line"])
            for result in pages(click_box, "find_symbol", {"name": name})
            for row in result.data["results"]
            if row["kind"] in ("function", "method", "class", "property")
        }
        assert found == expected[name], name


def test_outline_lists_every_definition_of_a_file(tree: Path, click_box: Toolbox) -> None:
    path = "click/core.py"
    source = ast.parse((tree / path).read_text("utf-8"))
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    expected = {node.lineno for node in ast.walk(source) if isinstance(node, kinds)}
    rows = [row for result in pages(click_box, "outline", {"path": path}) for row in result.data["results"]]
    assert {row["line"] for row in rows if row["kind"] in ("function", "method", "class", "property")} == expected
    assert any(row["depth"] == 1 for row in rows)


def test_list_files_lists_what_is_indexed_and_folds_folders(tree: Path, click_box: Toolbox) -> None:
    expected = sorted(
        path.relative_to(tree).as_posix()
        for path in tree.rglob("*")
        if path.suffix in (".py", ".md", ".typed") and path.stat().st_size
    )
    rows = [row["path"] for result in pages(click_box, "list_files", {}) for row in result.data["results"]]
    assert [row for row in rows if not row.endswith(".typed")] == [
        row for row in expected if not row.endswith(".typed")
    ]
    folded = click_box.call("list_files", {"depth": 1}).data["results"]
    assert [row.get("folder") or row["path"] for row in folded] == ["click/", "notes.md"]
    assert folded[0]["files"] == len([row for row in rows if row.startswith("click/")])


@pytest.mark.parametrize(
    ("tool", "command", "names"),
    [
        ("callers", "callers", ["Context.invoke"]),
        ("callees", "callees", ["BaseCommand.main", "Command.main"]),
        ("impact", "impact", ["make_str"]),
        ("tests_for", "tests", ["make_str"]),
        ("path_between", "path", ["Context.forward"]),
    ],
)
def test_graph_tools_say_what_the_command_says(
    run: Run, tree: Path, click_box: Toolbox, tool: str, command: str, names: list[str]
) -> None:
    name = next(name for name in names if not click_box.call("callers", {"symbol": name}).is_error)
    arguments = {"symbol": name} if tool != "path_between" else {"source": name, "target": "Context.invoke"}
    code, out, _ = run("graph", command, *arguments.values(), "--json", "--root", tree)
    assert code == 0
    expected = json.loads(out)["answers"]
    rows = [row for result in pages(click_box, tool, arguments) for row in result.data.get("results", [])]
    assert [row for row in rows if "chain" in row] == [row for answer in expected for row in answer["results"]]
    unresolved = [{**row, "unresolved": True} for answer in expected for row in answer["unresolved"]]
    assert [row for row in rows if row.get("unresolved")] == unresolved
    assert [row["reason"] for row in rows if "unread" in row] == [u["reason"] for a in expected for u in a["unread"]]


def test_a_name_of_several_definitions_is_an_error_that_lists_them(click_box: Toolbox) -> None:
    result = click_box.call("callers", {"symbol": "invoke"})
    assert result.is_error
    assert "click.core.Context.invoke" in result.text
    missing = click_box.call("callers", {"symbol": "invok_e"})
    assert missing.is_error
    assert "The call graph knows nothing called" in missing.text and "nearest names" in missing.text
