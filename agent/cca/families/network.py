"""A small convolutional network over the words of a sentence: how likely each family of demands is.

Word vectors, filters over one to three neighbouring words, the maximum of each filter over the sentence, a linear layer
(Kim 2014, "Convolutional Neural Networks for Sentence Classification"). Trained by ``python -m tools.families.train``;
run in numpy. Weights are bytes with one scale a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

WIDTHS = (1, 2, 3)
UNKNOWN, OPEN = "<unk>", "<open>"
MAX_WORDS = 48


@dataclass(frozen=True, slots=True)
class Network:
    """``table``: float32[words, d]. ``filters``: of each width w float32[w d, f]. ``biases``: float32[f] each.
    ``out``: float32[3 f, classes], ``shift``: float32[classes]."""

    vocabulary: dict[str, int]
    table: Floats
    filters: tuple[Floats, ...]
    biases: tuple[Floats, ...]
    out: Floats
    shift: Floats
    classes: tuple[str, ...]

    def knows(self, word: str) -> bool:
        return word in self.vocabulary

    def chances(self, words: Sequence[str]) -> Floats:
        """float32[classes], adding up to one; pure."""
        import numpy as np

        unknown = self.vocabulary[UNKNOWN]
        ids = [self.vocabulary[OPEN], *(self.vocabulary.get(word, unknown) for word in words[: MAX_WORDS - 1])]
        rows = self.table[ids]
        found = []
        for width, kernel, bias in zip(WIDTHS, self.filters, self.biases, strict=True):
            edge = np.zeros((width - 1, rows.shape[1]), np.float32)
            padded = np.concatenate([edge, rows, edge])
            runs = np.concatenate([padded[i : len(padded) - width + 1 + i] for i in range(width)], axis=1)
            found.append(np.maximum(runs @ kernel + bias, 0.0).max(0))
        logits = np.concatenate(found) @ self.out + self.shift
        powers = np.exp(logits - logits.max())
        return np.asarray(powers / powers.sum(), np.float32)


def packed(network: Network) -> dict[str, Any]:
    """Arrays for ``np.savez``: matrices in bytes, one scale for each row of the table and each column of the others."""
    import numpy as np

    data: dict[str, Any] = {
        "n_vocabulary": "\n".join(sorted(network.vocabulary, key=network.vocabulary.__getitem__)),
        "n_classes": "\n".join(network.classes),
        "n_shift": network.shift.astype(np.float32),
    }
    matrices = {"table": network.table.T, "out": network.out}
    for width, kernel, bias in zip(WIDTHS, network.filters, network.biases, strict=True):
        matrices[f"filter{width}"] = kernel
        data[f"n_bias{width}"] = bias.astype(np.float32)
    for name, matrix in matrices.items():
        scale = np.abs(matrix).max(0) / 127.0 + 1e-12
        data[f"n_{name}"] = np.round(matrix / scale).astype(np.int8)
        data[f"n_{name}_scale"] = scale.astype(np.float32)
    return data


def unpacked(data: dict[str, Any]) -> Network:
    """Of the arrays of ``packed``."""
    import numpy as np

    def matrix(name: str) -> Floats:
        return np.ascontiguousarray(data[f"n_{name}"].astype(np.float32) * data[f"n_{name}_scale"])

    return Network(
        {word: i for i, word in enumerate(str(data["n_vocabulary"]).split("\n"))},
        np.ascontiguousarray(matrix("table").T),
        tuple(matrix(f"filter{width}") for width in WIDTHS),
        tuple(data[f"n_bias{width}"] for width in WIDTHS),
        matrix("out"),
        data["n_shift"],
        tuple(str(data["n_classes"]).split("\n")),
    )
