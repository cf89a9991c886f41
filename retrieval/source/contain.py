"""Keep every read inside the root: no ``..``, no link that leads out, no device that blocks."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from retrieval.errors import UserError

_MEND = "Name a file inside the indexed tree by its path relative to the root."
# O_NOFOLLOW: the path is resolved already, a link there now has been swapped in. O_NONBLOCK: a FIFO must not hang us.
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_DIRECTORY", 0)


def resolve_inside(root: Path, path: str) -> Path:
    """The real place of ``path`` (relative to ``root``), proved to be inside ``root``.

    A path that does not exist is returned as it would be; links inside the root that stay inside are followed.

    Raises:
        UserError: The path is absolute, holds a NUL, leaves the root by ``..`` or by a link, or is neither a regular
            file nor a folder.
    """
    shown = ascii(path)
    if not path or "\0" in path:
        raise UserError(f"{shown} is not a path.", _MEND)
    if Path(path).is_absolute() or path.startswith("/") or Path(path).drive:
        raise UserError(f"{shown} is not relative to the root.", _MEND)
    real_root = os.path.realpath(root)
    if _is_plain(real_root, path):
        place = os.path.join(real_root, path)  # noqa: PTH118 - one per file read
    else:
        try:
            place = os.path.realpath(f"{real_root}/{path}")
        except (OSError, ValueError) as error:
            raise UserError(f"{shown} cannot be resolved.", _MEND) from error
        # Beyond a loop of links realpath leaves the rest of the path as it is, links that lead out included.
        if os.path.realpath(place) != place:
            raise UserError(f"{shown} cannot be resolved.", _MEND)
        inside = os.path.relpath(place, real_root)
        if inside == os.pardir or inside.startswith(os.pardir + os.sep):
            raise UserError(f"{shown} lies outside the root.", _MEND)
    try:
        mode = os.lstat(place).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return Path(place)
    except OSError as error:
        raise UserError(f"{shown} cannot be looked at: {error.strerror}.", "Check its permissions.") from error
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise UserError(f"{shown} is not a regular file.", _MEND)
    return Path(place)


def _is_plain(real_root: str, path: str) -> bool:
    """Whether ``path`` needs no resolution: no ``.``, ``..`` or empty part, and no link on the way or at its end."""
    place = real_root
    for part in path.split("/"):
        if part in ("", ".", "..") or (os.sep != "/" and os.sep in part):
            return False
        place = f"{place}/{part}"
        try:
            if stat.S_ISLNK(os.lstat(place).st_mode):
                return False
        except OSError:
            return False
    return True


def _open_below(real_root: str, place: Path) -> int:
    """Open a resolved place folder by folder: one that has become a link since it was resolved is not followed."""
    if os.open not in os.supports_dir_fd:  # Windows
        return os.open(place, _OPEN_FLAGS)
    *folders, name = os.path.relpath(place, real_root).split(os.sep)  # noqa: PTH206 - one per file read
    at = os.open(real_root, _FOLDER_FLAGS)
    try:
        for folder in folders:
            above, at = at, os.open(folder, _FOLDER_FLAGS, dir_fd=at)
            os.close(above)
        return os.open(name, _OPEN_FLAGS, dir_fd=at)
    finally:
        os.close(at)


def read_inside(root: Path, path: str, max_bytes: int) -> bytes | None:
    """The bytes of a regular file inside ``root``; None when there are more than ``max_bytes``.

    Raises:
        UserError: As `resolve_inside`.
        OSError: The file is gone or unreadable.
    """
    descriptor = _open_below(os.path.realpath(root), resolve_inside(root, path))
    with open(descriptor, "rb") as stream:  # noqa: PTH123 - a descriptor, not a path
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UserError(f"{path!a} is not a regular file.", _MEND)
        data = stream.read(max_bytes + 1)
    return data if len(data) <= max_bytes else None
