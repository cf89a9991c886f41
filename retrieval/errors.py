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


class IndexUnavailableError(UserError):
    """The index is missing, foreign, newer than this program, corrupt or made with another embedder."""
