"""A call beside the caller's own work, for arithmetic that lets go of the interpreter's lock."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Beside(Generic[T]):
    """``call`` runs in a thread of its own from now on; ``result`` waits for it, and raises what it raised."""

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._found: list[T] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        try:
            self._thread.start()
        except RuntimeError:  # no thread to be had: the call runs now
            self._run()

    def _run(self) -> None:
        try:
            self._found.append(self._call())
        except BaseException as error:
            self._error = error

    def result(self) -> T:
        if self._thread.ident is not None:
            self._thread.join()
        if self._error is not None:
            raise self._error
        return self._found[0]
