"""Ridge regression of classes on sparse features, in normal equations: one factorisation, and each example left out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
_LEAST_WORD = 3
_EVEN = 0.5  # 0: each example weighs the same, 1: each class


@dataclass(frozen=True, slots=True)
class Fitted:
    """``weights``: float64[features, classes]. ``left_out``: float64[examples, classes], the scores of each example by
    a fit without it (exact: (fitted - h y) / (1 - h), h its leverage)."""

    vocabulary: tuple[str, ...]
    idf: Floats
    weights: Floats
    classes: tuple[str, ...]
    left_out: Floats


def fit(
    examples: Sequence[Sequence[str]], labels: Sequence[str], ridge: float, least: int = 5, pair: float = 1.0
) -> Fitted:
    """Targets are 1 for an example's class and -1 for the others; vectors are weighed by idf and have length one.

    Classes with more examples weigh more, but less than in proportion; those of the class "" (none) weigh in full.

    Args:
        examples: The features of each, without repetition.
        least: Examples that a feature of several words has to stand in; a word needs ``_LEAST_WORD``.
        pair: Weight of a feature of several words, beside 1 of a single one.
    """
    frequency = Counter(name for example in examples for name in example)
    vocabulary = tuple(sorted(name for name, n in frequency.items() if n >= (least if " " in name else _LEAST_WORD)))
    index = {name: i for i, name in enumerate(vocabulary)}
    idf = np.asarray([math.log((1 + len(examples)) / (1 + frequency[name])) + 1.0 for name in vocabulary])
    idf *= np.asarray([pair if " " in name else 1.0 for name in vocabulary])
    rows = [np.asarray([index[name] for name in example if name in index], np.int64) for example in examples]
    units = [idf[ids] / np.linalg.norm(idf[ids]) if len(ids) else idf[ids] for ids in rows]
    classes = tuple(sorted(set(labels)))
    own = [classes.index(label) for label in labels]
    sizes = Counter(labels)
    even = [(len(labels) / len(classes) / sizes[label]) ** _EVEN if label else 1.0 for label in labels]
    gram = (ridge * np.eye(len(vocabulary))).astype(np.float32)  # well conditioned: single precision is enough
    target = np.zeros((len(vocabulary), len(classes)))
    for ids, unit, at, weight in zip(rows, units, own, even, strict=True):
        gram[np.ix_(ids, ids)] += weight * np.outer(unit, unit)
        target[ids] -= weight * unit[:, None]
        target[ids, at] += 2.0 * weight * unit
    inverse = np.linalg.inv(gram)
    weights = np.asarray(inverse @ target.astype(np.float32), np.float64)
    left_out = np.empty((len(rows), len(classes)))
    for i, (ids, unit, at, weight) in enumerate(zip(rows, units, own, even, strict=True)):
        share = weight * float(unit @ inverse[np.ix_(ids, ids)] @ unit)
        wanted = np.full(len(classes), -1.0)
        wanted[at] = 1.0
        left_out[i] = (unit @ weights[ids] - share * wanted) / (1.0 - share)
    return Fitted(vocabulary, idf, weights, classes, left_out)
