"""Which files a walk finds, with git and without."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.errors import UserError
from retrieval.source.walk import Reason, WalkLimits, WalkResult, walk

BASE = {
    "a.py": "a = 1\n",
    "pkg/b.py": "b = 2\n",
    "pkg/ignored.log.py": "x\n",
    ".gitignore": "*.log.py\nout/\n",
    "out/c.py": "",
}


def paths(result: WalkResult) -> list[str]:
    return [file.path for file in result.files]


def reasons(result: WalkResult) -> dict[str, str]:
    return {skip.path: skip.reason for skip in result.skipped}


def commit(git, root: Path) -> None:
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")


def test_tracked_and_untracked_but_not_ignored(git, make) -> None:
    root = make("r", BASE)
    commit(git, root)
    make("r", {"new.py": "", "out/tracked.py": "", "pkg/other.log.py": ""})
    git(root, "add", "-f", "out/tracked.py")
    (root / "a.py").unlink()
    result = walk(root)
    assert result.vcs == "git"
    assert paths(result) == [".gitignore", "new.py", "out/tracked.py", "pkg/b.py"]


def test_a_subfolder_of_a_work_tree_obeys_the_rules_above_it(git, make) -> None:
    root = make("r", BASE)
    commit(git, root)
    result = walk(root / "pkg")
    assert (result.vcs, paths(result)) == ("git", ["b.py"])


def test_a_folder_that_git_ignores_is_walked_when_asked_for(git, make) -> None:
    root = make("r", {**BASE, "out/lib/d.py": "", "out/.gitignore": "no.py\n", "out/no.py": ""})
    commit(git, root)
    result = walk(root / "out")
    assert (result.vcs, paths(result)) == ("none", [".gitignore", "c.py", "lib/d.py"])


def test_file_facts_are_those_of_lstat(git, make) -> None:
    root = make("r", {"a.py": "abc"})
    (file,) = walk(root).files
    status = (root / "a.py").lstat()
    assert (file.size, file.mtime_ns, file.mode) == (3, status.st_mtime_ns, status.st_mode)


def test_unmerged_files_are_listed_once(git, make) -> None:
    root = make("r", {"a.py": "1\n"})
    commit(git, root)
    git(root, "checkout", "-qb", "other")
    make("r", {"a.py": "2\n"})
    git(root, "commit", "-qam", "2")
    git(root, "checkout", "-q", "main")
    make("r", {"a.py": "3\n"})
    git(root, "commit", "-qam", "3")
    with pytest.raises(Exception, match="merge"):
        git(root, "merge", "other")
    assert paths(walk(root)) == ["a.py"]


def test_submodules_are_walked_once_by_their_own_rules(git, make) -> None:
    inner = make("inner", {"i.py": "", ".gitignore": "junk.py\n"})
    commit(git, inner)
    middle = make("middle", {"m.py": ""})
    commit(git, middle)
    git(middle, "submodule", "--quiet", "add", str(inner), "deep/inner")
    git(middle, "commit", "-qm", "sub")
    root = make("r", BASE)
    commit(git, root)
    git(root, "submodule", "--quiet", "add", str(middle), "vendor/middle")
    git(root, "submodule", "--quiet", "update", "--init", "--recursive")
    make("r", {"vendor/middle/deep/inner/junk.py": "", "vendor/middle/new.py": ""})
    found = paths(walk(root))
    assert [path for path in found if path.startswith("vendor/")] == [
        "vendor/middle/.gitmodules",
        "vendor/middle/deep/inner/.gitignore",
        "vendor/middle/deep/inner/i.py",
        "vendor/middle/m.py",
        "vendor/middle/new.py",
    ]
    assert len(found) == len(set(found))


def test_a_submodule_that_is_not_checked_out_is_named(git, make) -> None:
    inner = make("inner", {"i.py": ""})
    commit(git, inner)
    root = make("r", BASE)
    commit(git, root)
    git(root, "submodule", "--quiet", "add", str(inner), "sub")
    git(root, "commit", "-qm", "sub")
    git(root, "submodule", "--quiet", "deinit", "-f", "sub")
    assert reasons(walk(root)) == {"sub": Reason.EMPTY_SUBMODULE}


def test_nested_repositories_and_worktrees_are_not_indexed_twice(git, make) -> None:
    root = make("r", BASE)
    commit(git, root)
    git(root, "worktree", "add", "-q", "trees/feature", "-b", "feature")
    git(root, "clone", "-q", str(root), "copy")
    result = walk(root)
    assert paths(result) == [".gitignore", "a.py", "pkg/b.py"]
    assert reasons(result) == {"copy": Reason.NESTED, "trees/feature": Reason.WORKTREE}
    inside = walk(root / "trees/feature")
    assert (inside.vcs, paths(inside)) == ("git", [".gitignore", "a.py", "pkg/b.py"])


def test_a_folder_of_repositories_lists_each_by_its_own_rules(git, make) -> None:
    root = make(
        "work", {"notes.md": "", "one/a.py": "", "one/.gitignore": "skip.py", "one/skip.py": "", "two/b.py": ""}
    )
    commit(git, root / "one")
    commit(git, root / "two")
    git(root / "two", "worktree", "add", "-q", "../two-feature", "-b", "feature")
    result = walk(root)
    assert result.vcs == "none"
    assert paths(result) == ["notes.md", "one/.gitignore", "one/a.py", "two/b.py"]
    assert reasons(result) == {"two-feature": Reason.WORKTREE}


def test_our_own_index_is_never_source(git, make) -> None:
    root = make("r", {"a.py": "", ".contextc/x.py": "", "pkg/.contextc/y.py": ""})
    assert paths(walk(root)) == ["a.py"]
    commit(git, root)
    assert paths(walk(root)) == ["a.py"]


@pytest.mark.parametrize("with_git", [True, False])
def test_links_devices_and_what_leads_out(git, make, with_git: bool) -> None:
    outside = make("outside", {"secret.py": "s = 1\n", "d/x.py": ""})
    root = make("r", {"a.py": "", "pkg/b.py": ""})
    (root / "out.py").symlink_to(outside / "secret.py")
    (root / "outdir").symlink_to(outside / "d")
    (root / "same.py").symlink_to("a.py")
    (root / "samedir").symlink_to("pkg")
    (root / "gone.py").symlink_to("nowhere.py")
    (root / "loop.py").symlink_to("loop.py")
    if with_git:
        commit(git, root)
    else:
        os.mkfifo(root / "pipe.py")
        with socket.socket(socket.AF_UNIX) as server:
            old = Path.cwd()
            os.chdir(root)  # socket addresses are short
            server.bind("sock.py")
            os.chdir(old)
    result = walk(root)
    assert paths(result) == ["a.py", "pkg/b.py"]
    expected = {
        "out.py": Reason.OUTSIDE,
        "outdir": Reason.OUTSIDE,
        "same.py": Reason.SYMLINK,
        "samedir": Reason.SYMLINK,
        "gone.py": Reason.BROKEN_LINK,
        "loop.py": Reason.BROKEN_LINK,
    }
    if not with_git:
        expected |= {"pipe.py": Reason.SPECIAL, "sock.py": Reason.SPECIAL}
    assert reasons(result) == expected


def test_a_tracked_folder_replaced_by_a_link_is_deleted(git, make) -> None:
    outside = make("outside", {"b.py": "leak\n"})
    root = make("r", {"a.py": "", "pkg/b.py": ""})
    commit(git, root)
    (root / "pkg/b.py").unlink()
    (root / "pkg").rmdir()
    (root / "pkg").symlink_to(outside)
    result = walk(root)
    assert paths(result) == ["a.py"]
    assert reasons(result) == {"pkg": Reason.OUTSIDE}


@pytest.mark.parametrize("with_git", [True, False])
def test_odd_names(git, make, with_git: bool) -> None:
    root = make("r", {"a b.py": "", "é.py": "", "-x.py": "", "quo'te\".py": "", "back\\slash.py": "", "日本.py": ""})
    for name in (b"new\nline.py", b"bad\xff.py", b"esc\x1b[31m.py", "rtl\u202e.py".encode()):
        (root / os.fsdecode(name)).write_bytes(b"")
    if with_git:
        commit(git, root)
    result = walk(root)
    assert set(paths(result)) == {"a b.py", "é.py", "-x.py", "quo'te\".py", "back\\slash.py", "日本.py"}
    assert set(reasons(result).values()) == {Reason.UNPRINTABLE}
    assert set(reasons(result)) == {r"new\nline.py", r"bad\udcff.py", r"esc\x1b[31m.py", r"rtl\u202e.py"}
    for skip in result.skipped:
        skip.path.encode("utf-8")


def test_without_git_installed_the_rules_are_read_from_files(git, make, monkeypatch, tmp_path, caplog) -> None:
    root = make("r", BASE)
    commit(git, root)
    make("r", {".git/info/exclude": "private.py\n", "private.py": ""})
    monkeypatch.setenv("PATH", str(tmp_path))
    with caplog.at_level(logging.WARNING):
        result = walk(root)
        below = walk(root / "pkg")
    assert (result.vcs, paths(result)) == ("none", [".gitignore", "a.py", "pkg/b.py"])
    assert paths(below) == ["b.py"]
    assert "git is not installed" in caplog.text


def test_a_repository_that_git_refuses_is_walked_all_the_same(git, make, caplog) -> None:
    root = make("r", BASE)
    commit(git, root)
    (root / ".git/index").write_bytes(b"garbage")
    with caplog.at_level(logging.WARNING):
        result = walk(root)
    assert (result.vcs, paths(result)) == ("none", [".gitignore", "a.py", "pkg/b.py"])
    assert "git cannot list" in caplog.text


def test_a_repository_that_claims_another_work_tree_hides_nothing(git, make) -> None:
    make("elsewhere", {"x.py": ""})
    root = make("r", BASE)
    git(root, "init", "-q")
    git(root, "config", "core.worktree", "../../elsewhere")
    assert paths(walk(root)) == [".gitignore", "a.py", "pkg/b.py"]


def test_an_empty_repository_has_no_files(git, make) -> None:
    root = make("r", {})
    git(root, "init", "-q")
    assert walk(root).files == ()


def test_without_git_what_is_never_source_is_named(make) -> None:
    root = make(
        "r",
        {
            "a.py": "",
            "build/__init__.py": "",
            "build/tool.py": "",
            "env/pyvenv.cfg": "",
            "env/lib/x.py": "",
            "node_modules/m/i.js": "",
            "pkg/__pycache__/b.py": "",
            "r.egg-info/PKG-INFO": "",
            "target/CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n",
            "target/x.rs": "",
            "native/build/temp.linux/x.py": "",
            "native/build/lib.linux/x.py": "",
        },
    )
    result = walk(root)
    assert paths(result) == ["a.py", "build/__init__.py", "build/tool.py"]
    assert reasons(result) == {
        "env": Reason.DEPENDENCIES,
        "native/build": Reason.BUILD_OUTPUT,
        "node_modules": Reason.DEPENDENCIES,
        "pkg/__pycache__": Reason.CACHE,
        "r.egg-info": Reason.BUILD_OUTPUT,
        "target": Reason.CACHE,
    }


def test_with_git_a_tracked_folder_is_source_whatever_its_name(git, make) -> None:
    names = ["build/a.py", "dist/b.py", "node_modules/c.js", "pkg/secrets.py", "pkg/tokens.py", "venv/pyvenv.cfg"]
    root = make("r", dict.fromkeys(names, ""))
    commit(git, root)
    assert paths(walk(root)) == names


def test_names_and_sizes_that_settle_it(make) -> None:
    root = make(
        "r", {"big.py": "x" * 2000, "small.py": "x", "i.png": "x", ".env": "A=1", "poetry.lock": "", "d.csv": "1" * 900}
    )
    result = walk(root, WalkLimits(max_file_bytes=1000, max_data_bytes=500))
    assert paths(result) == ["small.py"]
    assert reasons(result) == {
        "big.py": Reason.HUGE,
        "i.png": Reason.UNSUPPORTED,
        ".env": Reason.SECRET,
        "poetry.lock": Reason.GENERATED,
        "d.csv": Reason.DATA,
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_folder_is_named(make) -> None:
    root = make("r", {"a.py": "", "shut/b.py": ""})
    (root / "shut").chmod(0)
    try:
        assert reasons(walk(root)) == {"shut": Reason.UNREADABLE}
    finally:
        (root / "shut").chmod(0o755)


def test_a_very_deep_tree_is_no_crash(tmp_path) -> None:
    old = Path.cwd()
    os.chdir(tmp_path)
    try:
        for _ in range(300):
            Path("d").mkdir()
            os.chdir("d")
    finally:
        os.chdir(old)
    result = walk(tmp_path)
    assert {skip.reason for skip in result.skipped} == {Reason.UNREADABLE}
    assert all(len(skip.path) < 1000 for skip in result.skipped)


def test_no_such_folder_is_a_user_error(tmp_path) -> None:
    with pytest.raises(UserError, match="does not exist"):
        walk(tmp_path / "nowhere")
    (tmp_path / "f").write_text("")
    with pytest.raises(UserError, match="not a folder"):
        walk(tmp_path / "f")


def test_an_empty_folder_has_no_files(tmp_path) -> None:
    assert walk(tmp_path).files == ()


def test_the_order_is_that_of_paths(git, make) -> None:
    root = make("r", {"b.py": "", "a/z.py": "", "a.py": "", "a-b.py": "", "B.py": ""})
    assert paths(walk(root)) == sorted(["b.py", "a/z.py", "a.py", "a-b.py", "B.py"])


TOKENS = ["ghp_" + "a1B2" * 9, "AKIA" + "Q7R4T8W2" * 2]


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("place", ["{}.py", "notes/{}/a.py", "x-{}.md"])
@pytest.mark.parametrize("git", [True, False])
def test_a_token_in_a_name_is_shown_nowhere(
    write_tree: Callable[..., Path], run_git: Callable[..., str], token: str, place: str, git: bool
) -> None:
    root = write_tree({place.format(token): "X = 1\n", "tokens.py": "X = 1\n", "password_reset.py": "X = 1\n"})
    if git:
        run_git(root, "init", "-q")
    found = walk(root)
    assert [file.path for file in found.files] == ["password_reset.py", "tokens.py"]
    assert [skip.reason for skip in found.skipped] == ["secret"]
    assert token not in repr(found)
