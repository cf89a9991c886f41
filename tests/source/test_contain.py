"""No read leaves the root."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from retrieval.errors import UserError
from retrieval.source.contain import read_inside, resolve_inside


@pytest.fixture
def root(make) -> Path:
    make("outside", {"x.py": "leak", "d/y.py": "leak"})
    root = make("r", {"a.py": "a", "pkg/b.py": "b", "pkg/sub/c.py": "c"})
    (root / "out.py").symlink_to("../outside/x.py")
    (root / "outdir").symlink_to("../outside/d")
    (root / "in.py").symlink_to("pkg/b.py")
    (root / "indir").symlink_to("pkg")
    (root / "loop").symlink_to("loop")
    return root


@pytest.mark.parametrize(
    "path",
    [
        "../outside/x.py",
        "..",
        "pkg/../../outside/x.py",
        "out.py",
        "outdir/y.py",
        "outdir",
        "indir/../../outside/x.py",
        "/etc/passwd",
        "",
        "a\x00b",
        "outdir/../x.py",
        "../r2",
        "pkg/./../../r/../outside/x.py",
    ],
)
def test_what_leaves_the_root_is_refused(root: Path, path: str) -> None:
    with pytest.raises(UserError):
        resolve_inside(root, path)
    with pytest.raises(UserError):
        read_inside(root, path, 100)


@pytest.mark.parametrize(
    ("path", "real"),
    [
        ("a.py", "a.py"),
        ("pkg/sub/c.py", "pkg/sub/c.py"),
        ("in.py", "pkg/b.py"),
        ("indir/sub/c.py", "pkg/sub/c.py"),
        ("pkg/../a.py", "a.py"),
        ("./a.py", "a.py"),
        ("pkg", "pkg"),
        (".", "."),
        ("new/file.py", "new/file.py"),
    ],
)
def test_what_stays_inside_is_resolved(root: Path, path: str, real: str) -> None:
    assert resolve_inside(root, path) == root / real


def test_a_root_that_is_a_link_itself(root: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(root)
    assert resolve_inside(tmp_path / "alias", "pkg/b.py") == root / "pkg/b.py"
    with pytest.raises(UserError):
        resolve_inside(tmp_path / "alias", "out.py")


def test_a_sibling_with_the_same_prefix_is_outside(root: Path, make) -> None:
    make("r2", {"x.py": "leak"})
    with pytest.raises(UserError):
        resolve_inside(root, "../r2/x.py")


def test_devices_and_pipes_are_refused(root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "null").symlink_to("/dev/null")
    for name in ("pipe", "null"):
        with pytest.raises(UserError):
            resolve_inside(root, name)


def test_read_inside_stops_at_the_limit(root: Path) -> None:
    assert read_inside(root, "a.py", 1) == b"a"
    assert read_inside(root, "a.py", 0) is None


@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_becomes_a_link_between_looking_and_opening_is_not_read(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    private = tmp_path / "private"
    private.mkdir()
    (private / "late.py").write_text("leak")
    (root / "late").mkdir()
    (root / "late/late.py").write_text("ours")

    def swapping(base: Path, path: str) -> Path:
        place = resolve_inside(base, path)
        if what == "folder":
            (root / "late").rename(tmp_path / "aside")
            (root / "late").symlink_to(private)
        else:
            (root / "late/late.py").unlink()
            (root / "late/late.py").symlink_to(private / "late.py")
        return place

    assert read_inside(root, "late/late.py", 100) == b"ours"
    monkeypatch.setattr("retrieval.source.contain.resolve_inside", swapping)
    with pytest.raises(OSError):
        read_inside(root, "late/late.py", 100)


def test_the_error_says_cause_and_mend(root: Path) -> None:
    with pytest.raises(UserError) as caught:
        resolve_inside(root, "../x\n.py")
    assert "outside the root" in caught.value.cause
    assert "\n" not in str(caught.value)
    assert caught.value.mend


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.sampled_from(["..", ".", "", "pkg", "sub", "outdir", "indir", "a.py", "loop", "é"]), max_size=6))
@example(["loop", "..", "outdir", "pkg"])
def test_the_answer_is_always_inside(root: Path, parts: list[str]) -> None:
    try:
        place = resolve_inside(root, "/".join(parts))
    except UserError:
        return
    assert Path(os.path.realpath(place)).is_relative_to(root)
