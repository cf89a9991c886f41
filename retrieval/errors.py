"""Errors a user can cause: one line of cause, one line of mend (the command line turns them into exit code 2)."""

from __future__ import annotations


class UserError(Exception):
    """A mistake or a condition that the user can mend.

    Args:
        cause: One line: what is wrong, with the value that is wrong.
        mend: One line: what to do or type next.
    """

    def __init__(self, cause: str, mend: str) -> None:
        super().__init__(f"{cause} {mend}")
        self.cause = cause
        self.mend = mend


class DiskFullError(UserError):
    """The disk takes no more of an index; the last complete one is as it was."""


class IndexUnavailableError(UserError):
    """The index cannot be used.

    Args:
        kind: ``missing``, ``damaged``, ``older``, ``foreign``, ``newer`` or ``embedder``. The first three can be
            mended by building anew without asking; the others need the user's word.
    """

    def __init__(self, cause: str, mend: str, kind: str = "damaged") -> None:
        super().__init__(cause, mend)
        self.kind = kind

    @property
    def rebuildable(self) -> bool:
        return self.kind in ("missing", "damaged", "older")
