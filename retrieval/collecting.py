"""When the garbage collector runs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """No collection meanwhile: for a step of some milliseconds that makes thousands of records and no cycles, of which
    each collection would walk those that are in use.

    Whoever finds it paused leaves it so and does not resume it: of several threads the first one's end does, so that
    steps that overlap for ever cannot hold it up.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
