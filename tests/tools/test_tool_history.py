"""history: what git says about lines, and nothing that a repository's own configuration would have run or read."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.session import open_session
from agent.tools.registry import Toolbox

Git = Callable[..., str]


@pytest.fixture
def repository(shop: Path, run_git: Git) -> Path:
    run_git(shop, "init", "-q")
    run_git(shop, "add", "-A")
    run_git(shop, "commit", "-qm", "Sell apples")
    path = shop / "shop/prices.py"
    path.write_text(path.read_text("utf-8").replace('"pear": 4', '"pear": 5'), encoding="utf-8")
    run_git(shop, "commit", "-qam", "Pears cost more")
    return shop


def call(root: Path, **arguments: object) -> str:
    with Toolbox(open_session(root)) as box:
        result = box.call("history", {"path": "shop/prices.py"} | arguments)
    return ("error: " if result.is_error else "") + result.text


def test_commits_of_a_file_and_of_lines(repository: Path) -> None:
    whole = call(repository)
    assert whole.index("Pears cost more") < whole.index("Sell apples")
    assert "Pears" in call(repository, first=3)
    assert "Pears" not in call(repository, first=6, last=8)
    assert call(repository, first=9_000).startswith("error: ")


def test_blame_and_patch(repository: Path, run_git: Git) -> None:
    blame = call(repository, view="blame")
    lines = (repository / "shop/prices.py").read_text("utf-8").split("\n")
    head = run_git(repository, "rev-parse", "HEAD").strip()
    assert f"3 {head[:12]}" in blame
    assert all(line in blame for line in lines)
    patch = call(repository, view="patch", commit=head[:10])
    assert '-PRICES = {"apple": 3, "pear": 4}' in patch
    assert '+PRICES = {"apple": 3, "pear": 5}' in patch
    assert call(repository, view="patch").startswith("error: ")
    (repository / "shop/prices.py").write_text("\n".join(["# new", *lines]), encoding="utf-8")
    assert "has changed since" in call(repository, view="blame")


def test_a_secret_of_the_past_is_redacted(repository: Path, run_git: Git) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    path = repository / "shop/prices.py"
    path.write_text(f'TOKEN = "{token}"\n', encoding="utf-8")
    run_git(repository, "commit", "-qam", f"Use {token}")
    path.write_text("TOKEN = None\n", encoding="utf-8")
    run_git(repository, "commit", "-qam", "Better")
    commit = run_git(repository, "rev-parse", "HEAD~1").strip()
    for arguments in ({}, {"view": "patch", "commit": commit}, {"view": "blame"}):
        assert token not in call(repository, **arguments)


def test_nothing_that_the_repository_configures_is_run(repository: Path, run_git: Git, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    program = tmp_path / "evil"
    program.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n", encoding="utf-8")
    program.chmod(0o755)
    for setting in (
        "core.fsmonitor", "core.pager", "pager.log", "pager.show", "pager.blame", "diff.external", "diff.x.textconv",
        "diff.x.command", "filter.x.clean", "filter.x.smudge", "gpg.program", "core.sshCommand", "core.editor",
    ):  # fmt: skip
        run_git(repository, "config", setting, str(program))
    run_git(repository, "config", "log.showSignature", "true")
    (repository / ".gitattributes").write_text("* diff=x filter=x\n", encoding="utf-8")
    head = run_git(repository, "rev-parse", "HEAD").strip()
    (repository / "shop/prices.py").write_text("changed = 1\n", encoding="utf-8")
    for arguments in ({}, {"first": 1}, {"view": "blame"}, {"view": "patch", "commit": head}):
        assert not call(repository, **arguments).startswith("error")
    assert not marker.exists()


def test_configured_files_are_not_read(repository: Path, run_git: Git, tmp_path: Path) -> None:
    secret = tmp_path / "private.txt"
    secret.write_text("not-a-commit hunter2hunter2\n", encoding="utf-8")
    for setting in ("blame.ignoreRevsFile", "diff.orderFile", "mailmap.file"):
        run_git(repository, "config", setting, str(secret))
    for arguments in ({}, {"view": "blame"}):
        text = call(repository, **arguments)
        assert "hunter2" not in text
    assert "Pears cost more" in call(repository)


@pytest.mark.parametrize("how", ["pointer", "link", "commondir", "alternates", "objects-link"])
def test_the_history_of_another_repository_is_not_shown(
    repository: Path, run_git: Git, tmp_path: Path, how: str
) -> None:
    """A tree that was sent with a .git that borrows from a private repository of this machine."""
    sent = tmp_path / "sent"
    (sent / "shop").mkdir(parents=True)
    (sent / "shop/prices.py").write_text("PRICES = {}\n", encoding="utf-8")
    private = repository / ".git"
    if how == "pointer":
        (sent / ".git").write_text(f"gitdir: {private}\n", encoding="utf-8")
    elif how == "link":
        (sent / ".git").symlink_to(private)
    else:
        run_git(sent, "init", "-q")
        head = run_git(repository, "rev-parse", "HEAD").strip()
        git = sent / ".git"
        if how == "commondir":
            (git / "commondir").write_text(f"{private}\n", encoding="utf-8")
            (git / "HEAD").write_text(f"{head}\n", encoding="utf-8")
        elif how == "alternates":
            (git / "objects/info").mkdir(parents=True, exist_ok=True)
            (git / "objects/info/alternates").write_text(f"{private / 'objects'}\n", encoding="utf-8")
            (git / "HEAD").write_text(f"{head}\n", encoding="utf-8")
        else:
            subprocess.run(["rm", "-r", str(git / "objects")], check=True)
            (git / "objects").symlink_to(private / "objects")
            (git / "HEAD").write_text(f"{head}\n", encoding="utf-8")
    text = call(sent)
    assert text.startswith("error: ")
    assert "Pears" not in text


def test_linked_worktrees_and_clones_have_their_history(repository: Path, run_git: Git, tmp_path: Path) -> None:
    run_git(repository, "worktree", "add", "-q", str(tmp_path / "linked"))
    assert "Pears cost more" in call(tmp_path / "linked")
    run_git(tmp_path, "clone", "-q", str(repository), "copy")
    assert "Pears cost more" in call(tmp_path / "copy")


def test_a_file_of_a_submodule_has_the_history_of_the_submodule(repository: Path, run_git: Git, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    run_git(outer, "init", "-q")
    run_git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repository), "vendor")
    (outer / "shop").mkdir()
    (outer / "shop/prices.py").write_text("PRICES = {}\n", encoding="utf-8")
    run_git(outer, "add", "-A")
    run_git(outer, "commit", "-qm", "Take it all in")
    assert "Pears cost more" in call(outer / "vendor")
    assert "Pears cost more" in call(outer, path="vendor/shop/prices.py", first=3)
    assert "Take it all in" in call(outer) and "Pears" not in call(outer)


def test_without_git_it_says_so(shop: Path) -> None:
    assert "not under git" in call(shop)
