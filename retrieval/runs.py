"""Runs of equal keys in a sorted array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def run_starts(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each run of equal ``keys`` (int64[n]) begins, ascending."""
    begins = np.empty(len(keys), np.bool_)
    begins[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=begins[1:])
    return np.flatnonzero(begins)
