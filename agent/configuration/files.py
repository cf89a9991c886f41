"""Configuration files: where they are, and what stands in them. Read as data, never trusted for being found.

A repository's file is ``contextc.toml``, or ``[tool.contextc]`` of ``pyproject.toml``, in the nearest folder from the
root of the tree upward to the top of its git work tree that has either; the first wins where a folder has both. The
user's own is ``$XDG_CONFIG_HOME/contextc/config.toml``.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from retrieval.errors import UserError

OWN_NAME = "contextc.toml"
SHARED_NAME = "pyproject.toml"
SECTION = ("tool", "contextc")
NO_FILES_VARIABLE = "CONTEXTC_NO_CONFIG"
_MAX_BYTES = 1_048_576
_ESCAPE = f"Mend the file, or set {NO_FILES_VARIABLE}=1 to run without configuration files."


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """One file that takes part.

    Attributes:
        kind: ``repository`` files arrive with code that somebody wrote; ``user`` is the user's own.
        values: The table that is ours.
        section: Where it stands in the file; () for a file of our own.
        boundary: Paths that the file names must lie inside this folder (for ``repository``).
    """

    path: Path
    kind: Literal["repository", "user"]
    values: Mapping[str, Any]
    text: str
    section: tuple[str, ...]
    boundary: Path

    def place(self, keys: tuple[str, ...]) -> str:
        """``path:line`` of a key, or of the nearest table around it."""
        from agent.configuration.toml_lines import line_of

        return f"{self.path}:{line_of(self.text, (*self.section, *keys))}"


def find_files(start: Path, environment: Mapping[str, str] | None = None) -> tuple[ConfigFile, ...]:
    """The files that hold for the tree around ``start``, lowest precedence first.

    Raises:
        UserError: A file that cannot be read or is not TOML, with its line.
    """
    env = os.environ if environment is None else environment
    if env.get(NO_FILES_VARIABLE, "").strip().lower() in ("1", "true", "yes", "on"):
        return ()
    own, repository = _user_file(env), _repository_file(start)
    return tuple(file for file in (own, repository) if file is not None)


def user_path(env: Mapping[str, str]) -> Path:
    base = env.get("XDG_CONFIG_HOME", "")
    folder = Path(base) if base and Path(base).is_absolute() else Path.home() / ".config"
    return folder / "contextc" / "config.toml"


def _user_file(env: Mapping[str, str]) -> ConfigFile | None:
    try:
        path = user_path(env)
    except RuntimeError:  # no home directory
        return None
    text = _read(path)
    return None if text is None else ConfigFile(path, "user", _parse(path, text), text, (), path.parent)


def _repository_file(start: Path) -> ConfigFile | None:
    for folder, boundary in _folders(start):
        for name, section in ((OWN_NAME, ()), (SHARED_NAME, SECTION)):
            path = folder / name
            if path.is_symlink() and not _inside(path, boundary):
                if name == SHARED_NAME:
                    continue  # somebody else's file, with nothing of ours that we could know of
                raise UserError(f"{path} is a link that leads out of the tree.", _ESCAPE)
            text = _read(path)
            if text is None or (section and "contextc" not in text):
                continue
            if section and not _is_ours(text) and not _is_toml(text):
                continue  # its authors' affair
            values = _parse(path, text)
            for key in section:
                inner = values.get(key) if isinstance(values, dict) else None
                values = {} if inner is None else inner
            if not isinstance(values, dict):
                raise UserError(f"{path}: tool.contextc is not a table.", "Write it as [tool.contextc].")
            if values or not section:
                return ConfigFile(path, "repository", values, text, section, boundary)
    return None


def _folders(start: Path) -> Iterator[tuple[Path, Path]]:
    """(folder, outermost folder) from the root of the tree upward. Without git, the root alone: what lies above it is
    anybody's."""
    from retrieval.index.location import INDEX_DIR_NAME
    from retrieval.index.manifest import MANIFEST_NAME
    from retrieval.source.git import is_repository

    try:
        folder = start.resolve()
    except (OSError, RuntimeError):
        return
    if folder.is_file():
        folder = folder.parent
    above = (folder, *folder.parents)
    top = next((one for one in above if is_repository(one)), None)
    indexed = next((one for one in above if (one / INDEX_DIR_NAME / MANIFEST_NAME).is_file()), None)
    root = indexed or top or folder
    if top is None or not root.is_relative_to(top):
        top = root
    for one in (root, *root.parents):
        yield one, top
        if one == top:
            return


def _inside(path: Path, boundary: Path) -> bool:
    try:
        return path.resolve(strict=True).is_relative_to(boundary)
    except (OSError, RuntimeError):
        return False


def _read(path: Path) -> str | None:
    """None when there is no such file."""
    try:
        # not to hang on a FIFO that stands where the file belongs
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UserError(f"{path} cannot be read ({error.strerror}).", _ESCAPE) from None
    info = os.fstat(descriptor)
    if not stat.S_ISREG(info.st_mode):
        os.close(descriptor)
        raise UserError(f"{path} is not a regular file.", _ESCAPE)
    with os.fdopen(descriptor, "rb") as handle:
        if info.st_size > _MAX_BYTES:
            raise UserError(f"{path} is larger than {_MAX_BYTES:,} bytes.", _ESCAPE)
        try:
            return handle.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UserError(f"{path} is not UTF-8 (byte {error.start}).", _ESCAPE) from None


def _is_ours(text: str) -> bool:
    """Whether a text that may be no TOML means to have a table of ours."""
    import re

    return re.search(r"\btool[ \t]{0,8}\.[ \t]{0,8}[\"']?contextc\b", text) is not None


def _is_toml(text: str) -> bool:
    import tomllib

    try:
        tomllib.loads(text)
    except (RecursionError, ValueError):
        return False
    return True


def _parse(path: Path, text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise UserError(f"{path} is not valid TOML: {str(error) or 'nested too deeply'}.", _ESCAPE) from None
