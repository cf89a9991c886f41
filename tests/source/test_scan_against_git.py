"""The walk without git against git itself: the same tree, the same rules, the same files."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from retrieval.source.scan import scan_tree

FILES = """
a.py b.log keep.log #hash.py !bang.py foo foo.txt sub/a.py sub/b.log sub/keep.log sub/deep/a.py sub/deep/b.log
sub/deep/er/x.log sub/deep/er/a.py dir/a.py dir/x.log dir/sub/a.py other/dir/a.py other/dir/b.log other/foo
other/doc/a.txt doc/a.txt doc/frotz/b.txt src/build/a.py src/a_b.py src/[x].py src/x.py data1/a.py data2/a.py
café.py sub/-x sub/*
"""
NAMES = [*FILES.split(), "sp ace.py", "trail ", "sub/sp ace.log"]

CASES = [
    {"": "*.log\n!keep.log\n"},
    {"": "dir/\n!dir/a.py\n"},  # nothing below an ignored folder comes back
    {"": "dir/*\n!dir/sub/\n"},
    {"": "*\n!*/\n!*.py\n"},
    {"": "/*\n!/src\n!/sub\n/sub/*\n!/sub/deep\n"},
    {"": "\\#hash.py\n\\!bang.py\n"},
    {"": "#hash.py\n!bang.py\n"},
    {"": "/foo\n"},
    {"": "foo/\n"},
    {"": "doc/frotz\n"},
    {"": "**/dir\n"},
    {"": "other/**\n"},
    {"": "other/**/*.log\n"},
    {"": "sub/**/a.py\n"},
    {"": "data[0-1]/\n"},
    {"": "data[!1]\n"},
    {"": "src/\\[x\\].py\n"},
    {"": "trail\\ \n"},
    {"": "trail \n"},
    {"": "sp\\ ace.*\n"},
    {"": "sp ace.py   \n"},
    {"": "*.log\r\n!keep.log\r\n"},
    {"": "\ufeff*.log\n"},
    {"": "?.py\n"},
    {"": "dir/\n!dir/\n*.log\n"},
    {"": "*.log\n", "sub": "!*.log\n", "sub/deep": "b.log\n"},
    {"": "!keep.log\n", "sub": "*.log\n!/keep.log\n"},
    {"": "sub/deep/\n", "sub": "!deep/\n"},
    {"": "sub/deep/\n", "sub/deep": "!*\n"},
    {"sub": "/a.py\n", "other": "dir\n"},
    {"": "[\n[a\n\\\n!\n/\n//\n**\n!**\n"},
]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("ignored")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    for path in NAMES:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x\n")
    return root


def listed_by_git(root: Path) -> set[str]:
    command = ["git", "-c", "core.excludesFile=" + os.devnull, "ls-files", "-z", "--others", "--exclude-standard"]
    output = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    return {name for name in os.fsdecode(output).split("\0") if name}


def write_rules(root: Path, rules: dict[str, str]) -> None:
    for old in root.rglob(".gitignore"):
        old.unlink()
    for folder, text in rules.items():
        (root / folder / ".gitignore").write_bytes(text.encode())


@pytest.mark.parametrize("rules", CASES, ids=[repr(case)[:60] for case in CASES])
def test_same_files_as_git(tree: Path, rules: dict[str, str]) -> None:
    write_rules(tree, rules)
    assert set(scan_tree(tree, None).files) == listed_by_git(tree)


ATOMS = r"""
* *.log *.py a.py b.log dir sub deep er other doc src build fo? [a-d]* ** data[12] keep.log *e* x.* [[:alpha:]]*.py
[^a]* [!x]* \* *** *.l*g s*b [a data[[:digit:]] []x].py \a.py [[]x].py **b* [a-]* [b-a]* caf??.py caf?.py [!b-a]*
"""
LINE = st.builds(
    lambda negated, anchored, parts, folder: (
        ("!" if negated else "") + ("/" if anchored else "") + "/".join(parts) + ("/" if folder else "")
    ),
    st.booleans(),
    st.booleans(),
    st.lists(st.sampled_from(ATOMS.split()), min_size=1, max_size=3),
    st.booleans(),
)
RULES = st.dictionaries(
    st.sampled_from(["", "sub", "sub/deep", "other", "dir"]),
    st.lists(LINE, min_size=1, max_size=4).map(lambda lines: "\n".join(lines) + "\n"),
    min_size=1,
    max_size=3,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rules=RULES)
@example(rules={"": "*.log\n!sub/\n"})
@example(rules={"": "*\n!*/\n!sub/**\n"})
def test_any_rules_select_the_same_files_as_git(tree: Path, rules: dict[str, str]) -> None:
    write_rules(tree, rules)
    assert set(scan_tree(tree, None).files) == listed_by_git(tree)
