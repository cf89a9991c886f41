"""Ridge regression of classes on sparse features, in its dual form: one factorisation, and each example left out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Fitted:
    """``weights``: float64[features, classes]. ``left_out``: float64[examples, classes], the scores of each example by
    a fit without it (exact: y - alpha / diag(inverse))."""

    vocabulary: tuple[str, ...]
    idf: Floats
    weights: Floats
    classes: tuple[str, ...]
    left_out: Floats


def fit(
    examples: Sequence[Sequence[str]], labels: Sequence[str], ridge: float, least: int = 2, pair: float = 1.0
) -> Fitted:
    """Targets are 1 for an example's class and -1 for the others; vectors are weighed by idf and have length one.

    Args:
        examples: The features of each, without repetition.
        least: Examples that a feature has to stand in.
        pair: Weight of a feature of several words, beside 1 of a single one.
    """
    frequency = Counter(name for example in examples for name in example)
    vocabulary = tuple(sorted(name for name, count in frequency.items() if count >= least))
    index = {name: i for i, name in enumerate(vocabulary)}
    idf = np.asarray([math.log((1 + len(examples)) / (1 + frequency[name])) + 1.0 for name in vocabulary])
    idf *= np.asarray([pair if " " in name else 1.0 for name in vocabulary])
    x = np.zeros((len(examples), len(vocabulary)), np.float32)
    for row, example in enumerate(examples):
        ids = [index[name] for name in example if name in index]
        if ids:
            x[row, ids] = idf[ids] / np.linalg.norm(idf[ids])
    classes = tuple(sorted(set(labels)))
    y = np.full((len(labels), len(classes)), -1.0)
    y[np.arange(len(labels)), [classes.index(label) for label in labels]] = 1.0
    inverse = np.linalg.inv((x @ x.T).astype(np.float64) + ridge * np.eye(len(labels)))
    alpha = inverse @ y
    left_out = y - alpha / np.diag(inverse)[:, None]
    return Fitted(vocabulary, idf, x.T.astype(np.float64) @ alpha, classes, left_out)
