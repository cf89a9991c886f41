"""Ask git about a tree without letting the tree run anything.

A repository's own configuration can name programs: a file-system monitor, hooks, clean filters, a transport for
missing objects. A tree that somebody sent must not run them, so each is switched off on the command line or in the
environment, which both override the repository's file.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

_LOG = logging.getLogger(__name__)

TIMEOUT_S = 60.0
_SAFE_CONFIG = (
    "core.fsmonitor=false",
    "core.hooksPath=" + os.devnull,
    "core.quotePath=off",
    "core.pager=cat",
    "protocol.allow=never",
    "submodule.recurse=false",
)
# GIT_DIR, GIT_INDEX_FILE and their kin are set inside hooks and would answer for another repository.
_KEPT_GIT_VARIABLES = ("GIT_CONFIG", "GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM")


class GitError(Exception):
    """git is missing, refused or took too long; the message is one line."""


@lru_cache(maxsize=4)
def _find_git(search_path: str) -> str | None:
    # Relative entries ("", ".") of PATH would find a program inside the tree.
    absolute = os.pathsep.join(part for part in search_path.split(os.pathsep) if Path(part).is_absolute())
    return shutil.which("git", path=absolute) if absolute else None


def _environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k.startswith(_KEPT_GIT_VARIABLES)}
    return kept | {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "LC_ALL": "C",
    }


def run_git(
    root: Path,
    arguments: Sequence[str],
    *,
    config: Iterable[str] = (),
    ceiling: Path | None = None,
    ok: Sequence[int] = (0,),
    timeout_s: float = TIMEOUT_S,
    given: bytes = b"",
) -> bytes:
    """Run a read-only git command in ``root`` and return its standard output.

    Args:
        given: What the command reads from its standard input.
        config: Further ``name=value`` settings.
        ceiling: git must not look for a repository in this folder or above it.
        ok: Exit codes that count as success.

    Raises:
        GitError: No git, a bad exit code, or no end within ``timeout_s`` seconds.
    """
    program = _find_git(os.environ.get("PATH", os.defpath))
    if program is None:
        raise GitError("git is not installed")
    settings = [part for setting in (*_SAFE_CONFIG, *config) for part in ("-c", setting)]
    environment = _environment()
    if ceiling is not None:
        environment["GIT_CEILING_DIRECTORIES"] = str(ceiling)
    try:
        done = subprocess.run(
            [program, "--no-pager", *settings, *arguments],
            cwd=root,
            env=environment,
            input=given,
            capture_output=True,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise GitError(f"git took more than {timeout_s:.0f} s") from error
    except OSError as error:
        raise GitError(f"git cannot run: {error.strerror or error}") from error
    if done.returncode not in ok:
        complaint = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise GitError(complaint or f"git {' '.join(arguments[:2])} ended with code {done.returncode}")
    return done.stdout


def is_repository(folder: Path) -> bool:
    """Whether ``folder`` has a ``.git`` that git would accept (a folder with HEAD, or a pointer file)."""
    marker = folder / ".git"
    try:
        if marker.is_dir():
            return (marker / "HEAD").is_file() or (marker / "HEAD").is_symlink()
        return git_pointer(folder) is not None
    except OSError:
        return False


def git_pointer(folder: Path) -> Path | None:
    """The folder that a ``.git`` *file* points to (linked worktrees, submodules), else None."""
    marker = folder / ".git"
    try:
        if not marker.is_file():
            return None
        with marker.open("rb") as stream:
            head = stream.read(8192)
    except OSError:
        return None
    if not head.startswith(b"gitdir:"):
        return None
    target = os.fsdecode(head[7:].strip(b" \r\n"))
    return Path(os.path.normpath(folder / target)) if target and "\0" not in target else None


def git_root(path: Path) -> Path | None:
    """The top of the work tree that holds ``path``, found without running git; None outside of one."""
    start = Path(os.path.realpath(path))
    for folder in (start, *start.parents):
        if is_repository(folder):
            return folder
    return None


def governs(top: Path, root: Path, timeout_s: float = TIMEOUT_S) -> bool:
    """Whether the work tree at ``top`` has a say about ``root``.

    A subfolder that git ignores and tracks nothing of (a package inside a virtual environment) is its own world.

    Raises:
        GitError: git cannot answer.
    """
    relative = os.path.relpath(os.path.realpath(root), top)
    if relative == ".":
        return True
    # check-ignore prints the paths that are ignored and nothing otherwise.
    question = ["check-ignore", "--no-index", "--", f"./{relative}/"]
    if not run_git(top, question, ok=(0, 1), timeout_s=timeout_s):
        return True
    return bool(run_git(root, ["ls-files", "-z", "--cached"], timeout_s=timeout_s))


def list_work_tree(root: Path, *, ceiling: Path | None = None, timeout_s: float = TIMEOUT_S) -> list[str]:
    """Tracked and untracked-not-ignored paths below ``root``, relative to it, as git prints them, sorted.

    Deleted files are still among them; a nested repository that is not a submodule ends with ``/``. Names that are not
    UTF-8 carry surrogates (``os.fsdecode``).

    Raises:
        GitError: git cannot answer.
    """
    arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    output = run_git(root, arguments, ceiling=ceiling, timeout_s=timeout_s)
    return sorted({os.fsdecode(name) for name in output.split(b"\0") if name})


def list_ignored(root: Path, *, timeout_s: float = TIMEOUT_S) -> list[str]:
    """Ignored, untracked paths below ``root``, relative to it, sorted; a folder of nothing else ends with ``/``.

    Raises:
        GitError: git cannot answer.
    """
    arguments = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"]
    return sorted(os.fsdecode(name) for name in run_git(root, arguments, timeout_s=timeout_s).split(b"\0") if name)


def head_commit(root: Path) -> str:
    """The full hash of HEAD; "" without git, before the first commit, and in folders that git ignores."""
    top = git_root(root)
    if top is None:
        return ""
    try:
        if not governs(top, root):
            return ""
        return run_git(root, ["rev-parse", "--verify", "--quiet", "HEAD"], ok=(0, 1)).decode("ascii", "replace").strip()
    except GitError as failure:
        _LOG.warning("git: %s", failure)
        return ""


def modified_paths(root: Path, paths: Iterable[str] | None = None) -> frozenset[str] | None:
    """Paths below ``root``, relative to it, whose content is not that of HEAD: changed, staged, new, deleted.

    Files of submodules count as changed when the submodule stands at another commit than HEAD records.

    Args:
        paths: Ask about these alone (faster); None asks about the whole tree.

    Returns:
        None without git, and when git cannot answer.
    """
    top = git_root(root)
    if top is None:
        return None
    wanted = None if paths is None else sorted(set(paths))
    if wanted is not None and not wanted:
        return frozenset()
    try:
        if not governs(top, root):
            return None
        return frozenset(_modified(Path(os.path.realpath(root)), top, wanted, depth=0))
    except GitError as failure:
        _LOG.warning("git: %s", failure)
        return None


_MAX_SUBMODULE_DEPTH = 16
_MAX_ARGUMENT_PATHS = 200  # more of them cost more than the whole tree, and argument lists are finite


def _modified(root: Path, top: Path, wanted: Sequence[str] | None, depth: int) -> set[str]:
    prefix = os.path.relpath(root, top).replace(os.sep, "/")
    prefix = "" if prefix == "." else prefix + "/"
    asked = wanted if wanted is not None and len(wanted) <= _MAX_ARGUMENT_PATHS else ["."]
    arguments = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"]
    output = run_git(root, ["--literal-pathspecs", *arguments, "--", *asked], config=_filters_off(root))
    names = [os.fsdecode(entry[3:]) for entry in output.split(b"\0") if len(entry) > 3]
    found = {name[len(prefix) :] for name in names if name.startswith(prefix)}
    for path, commit in _submodules(root, top):
        if depth >= _MAX_SUBMODULE_DEPTH or not is_repository(root / path):
            continue
        if wanted is not None and not any(name.startswith(path + "/") for name in wanted):
            continue
        folder = root / path
        head = run_git(folder, ["rev-parse", "--verify", "--quiet", "HEAD"], ceiling=folder.parent, ok=(0, 1))
        if head.decode("ascii", "replace").strip() == commit:
            inner: Iterable[str] = _modified(folder, folder, None, depth + 1)
        else:
            inner = list_work_tree(folder, ceiling=folder.parent)
        found.update(f"{path}/{name}" for name in inner)
    return found if wanted is None else found.intersection(wanted)


def _submodules(root: Path, top: Path) -> list[tuple[str, str]]:
    """(path, recorded commit) of each submodule below ``root``."""
    if not (top / ".gitmodules").is_file():
        return []
    entries = run_git(root, ["ls-files", "-z", "--stage"]).split(b"\0")
    links = [entry.partition(b"\t") for entry in entries if entry.startswith(b"160000 ")]
    return [(os.fsdecode(path), head.split()[1].decode("ascii")) for head, _, path in links]


def _filters_off(root: Path) -> list[str]:
    """Settings that empty every configured content filter (``status`` would run their clean commands)."""
    output = run_git(root, ["config", "-z", "--name-only", "--get-regexp", r"^filter\."], ok=(0, 1))
    drivers = {os.fsdecode(name).rpartition(".")[0] for name in output.split(b"\0") if name}
    if any("=" in driver or "\n" in driver for driver in drivers):
        raise GitError("a content filter has a name that cannot be switched off")
    settings = ("clean=", "smudge=", "process=", "required=false")
    return [f"{driver}.{setting}" for driver in sorted(drivers) for setting in settings]
