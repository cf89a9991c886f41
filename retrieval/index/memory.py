"""What a build no longer needs, given back before the graph is resolved: that is when it needs most."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Rows by the hundred thousand hold no cycles: each collection would walk them all and free nothing."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def give_back() -> None:
    """Let go of the tokenizer and its counts (100 MB), and return freed pages to the system, which glibc keeps else."""
    from retrieval.tokens import counter

    counter.forget()
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):  # another C library has no such call
            ctypes.CDLL(None).malloc_trim(0)
