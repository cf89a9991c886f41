"""What a build no longer needs, given back before the graph is resolved: that is when it needs most."""

from __future__ import annotations

import contextlib
import sys


def give_back() -> None:
    """Let go of the tokenizer and its counts (100 MB), and return freed pages to the system, which glibc keeps else."""
    from retrieval.tokens import counter

    counter.forget()
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):  # another C library has no such call
            ctypes.CDLL(None).malloc_trim(0)
