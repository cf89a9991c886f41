"""What git says about commits and changes, and what a hostile repository cannot make it do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from retrieval.source.git import git_root, head_commit, modified_paths
from retrieval.source.walk import walk


@pytest.fixture
def repo(git, make) -> Path:
    root = make("r", {"a.py": "1\n", "pkg/b.py": "2\n", "pkg/c.py": "3\n", ".gitignore": "out/\n", "out/o.py": ""})
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")
    return root


def test_head_commit(git, repo, make) -> None:
    assert head_commit(repo) == git(repo, "rev-parse", "HEAD").strip()
    assert head_commit(repo / "pkg") == head_commit(repo)
    assert head_commit(repo / "out") == ""
    assert head_commit(make("plain", {"a.py": ""})) == ""
    empty = make("empty", {})
    git(empty, "init", "-q")
    assert head_commit(empty) == ""


def test_modified_paths_are_relative_to_the_root(git, repo, make) -> None:
    assert modified_paths(repo) == frozenset()
    make("r", {"pkg/b.py": "changed\n", "new.py": "", "pkg/n.py": "", "staged.py": ""})
    git(repo, "add", "staged.py")
    git(repo, "mv", "pkg/c.py", "pkg/d.py")
    (repo / "a.py").unlink()
    everything = {"a.py", "pkg/b.py", "new.py", "pkg/n.py", "staged.py", "pkg/c.py", "pkg/d.py"}
    assert modified_paths(repo) == everything
    assert modified_paths(repo / "pkg") == {"b.py", "n.py", "c.py", "d.py"}
    assert modified_paths(repo, ["pkg/b.py", ".gitignore"]) == {"pkg/b.py"}
    assert modified_paths(repo, []) == frozenset()


def test_touching_a_file_is_no_change(repo) -> None:
    os.utime(repo / "a.py", (1, 1))
    assert modified_paths(repo) == frozenset()


def test_without_git_nothing_is_known(make, repo, monkeypatch, tmp_path) -> None:
    assert modified_paths(make("plain", {"a.py": ""})) is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert modified_paths(repo) is None
    assert head_commit(repo) == ""


def test_submodules_take_part(git, repo, make) -> None:
    inner = make("inner", {"i.py": "1\n", "j.py": "1\n"})
    git(inner, "init", "-q")
    git(inner, "add", "-A")
    git(inner, "commit", "-qm", "x")
    git(repo, "submodule", "--quiet", "add", str(inner), "sub")
    git(repo, "commit", "-qm", "sub")
    assert modified_paths(repo) == frozenset()
    make("r", {"sub/i.py": "2\n"})
    assert modified_paths(repo) == {"sub/i.py"}
    git(repo / "sub", "commit", "-qam", "moved on")
    assert modified_paths(repo) == {"sub/i.py", "sub/j.py"}
    assert modified_paths(repo, ["sub/j.py"]) == {"sub/j.py"}


def test_git_root_is_the_innermost_real_one(repo, make) -> None:
    assert git_root(repo / "pkg") == repo
    (repo / "pkg/.git").mkdir()  # an empty folder is no repository
    assert git_root(repo / "pkg") == repo
    assert git_root(make("plain", {})) is None


def test_variables_of_a_surrounding_hook_are_ignored(git, repo, make, monkeypatch) -> None:
    other = make("other", {"o.py": ""})
    git(other, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    assert [file.path for file in walk(repo).files] == [".gitignore", "a.py", "pkg/b.py", "pkg/c.py"]
    assert len(head_commit(repo)) == 40


def test_a_hostile_repository_runs_nothing(git, repo, make, tmp_path, monkeypatch) -> None:
    """Monitor, hooks and filters named by the repository itself stay off; so does a ``git`` inside the tree."""
    trap = tmp_path / "trap"
    script = make("bin", {"run": f"#!/bin/sh\ntouch '{trap}'\ncat\n"}) / "run"
    script.chmod(0o755)
    for name in ("core.fsmonitor", "filter.evil.clean", "filter.evil.process", "filter.evil.smudge", "core.pager"):
        git(repo, "config", name, str(script))
    git(repo, "config", "filter.evil.required", "true")
    git(repo, "config", "status.showUntrackedFiles", "no")
    make("r", {".gitattributes": "* filter=evil\n", "pkg/b.py": "9\n"})
    for hook in ("post-index-change", "pre-commit", "post-checkout"):
        (repo / ".git/hooks" / hook).write_text(script.read_text())
        (repo / ".git/hooks" / hook).chmod(0o755)
    (repo / "git").write_text(script.read_text())
    (repo / "git").chmod(0o755)
    monkeypatch.chdir(repo)
    monkeypatch.setenv("PATH", ":." + os.pathsep + os.environ["PATH"])
    assert walk(repo).vcs == "git"
    assert "pkg/b.py" in (modified_paths(repo) or ())
    assert ".gitattributes" in (modified_paths(repo) or ())
    head_commit(repo)
    assert not trap.exists()


def test_a_filter_that_cannot_be_switched_off_is_not_risked(git, repo, make) -> None:
    with (repo / ".git/config").open("a") as stream:
        stream.write('[filter "e=f"]\nclean = false\n')
    assert modified_paths(repo) is None
