"""What is learned: which family of demands a sentence belongs to, which way its number bounds, how sure that is.

The families are told by ``network``; limits by ridge regression of one class against the others on n-grams weighed by
inverse document frequency, trained by ``python -m harness.cca.train_families``; its weights are bytes with one scale a
class.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.cca.families.network import Network, unpacked
from retrieval.errors import UserError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

_FILE = Path(__file__).with_name("weights.npz")
NETWORK_FILE = Path(__file__).with_name("network.npz")
NONE = ""  # the class of sentences that demand nothing that is known


@dataclass(frozen=True, slots=True)
class Linear:
    """``weights``: float32[features, classes], for unit vectors of ``idf``-weighed features."""

    vocabulary: dict[str, int]
    idf: Floats
    weights: Floats
    classes: tuple[str, ...]

    def scores(self, features: Sequence[str]) -> Floats:
        """float32[classes]: 1 where it is said to belong, -1 where not, roughly; zeros where nothing is known."""
        import numpy as np

        ids = [self.vocabulary[name] for name in features if name in self.vocabulary]
        if not ids:
            return np.zeros(len(self.classes), np.float32)
        vector = self.idf[ids]
        return np.asarray((vector / np.linalg.norm(vector)) @ self.weights[ids], np.float32)


@dataclass(frozen=True, slots=True)
class Model:
    """``words``: the words that each family has. ``common``: of each word, ln of the share of families whose wordings
    have it, negated. ``gate``: weights of ``gate.FEATURES``, the intercept first. ``proven``: families whose certain
    guesses at labelled rules were all right; ``doubted``: not all; ``refuted``: more of them wrong than right.
    ``alone``: ``guards.mark_of`` the wordings that demand nothing."""

    families: Network
    limits: Linear
    words: dict[str, frozenset[str]]
    common: dict[str, float]
    gate: Floats
    proven: frozenset[str]
    doubted: frozenset[str]
    refuted: frozenset[str]
    alone: frozenset[int]


@cache
def load_model() -> Model | None:
    """The weights of the package; None where it was built without.

    Raises:
        UserError: They are damaged. Rules read without them would be read otherwise, and nobody told.
    """
    if not (_FILE.exists() and NETWORK_FILE.exists()):
        return None
    try:
        return unpack(_arrays(_FILE), load_network())
    except Exception as error:  # damage has as many shapes as the code that meets it
        raise UserError(
            f"The weights by which rules are read, in {_FILE.parent}, are damaged ({type(error).__name__}).",
            "Install contextc anew; in a checkout: git checkout agent/cca/families",
        ) from error


@cache
def fingerprint() -> str:
    """Of the weights by their content, for what is cached of their work; empty for files that are not there."""
    digest, found = hashlib.sha256(), False
    for file in (_FILE, NETWORK_FILE):
        if file.is_file():
            digest.update(file.read_bytes())
            found = True
    return digest.hexdigest() if found else ""


def load_network() -> Network:
    return unpacked(_arrays(NETWORK_FILE))


def _arrays(file: Path) -> dict[str, Any]:
    import numpy as np

    with np.load(file, allow_pickle=False) as data:
        return {name: data[name] for name in data.files}


def unpack(data: dict[str, Any], families: Network) -> Model:
    limits = _linear(data, "l")
    lists = str(data["words"]).split("\n")
    words = {name: frozenset(line.split("\t")) for name, line in zip(families.classes, lists, strict=True)}
    common = dict(zip(str(data["common"]).split("\n"), (float(x) for x in data["common_idf"]), strict=True))
    proven, doubted, refuted = (frozenset(str(data[name]).split("\n")) for name in ("proven", "doubted", "refuted"))
    alone = frozenset(int(mark) for mark in data["alone"])
    gate = data["gate"].astype("float32")
    return Model(families, limits, words, common, gate, proven, doubted, refuted, alone)


def _linear(data: dict[str, Any], of: str) -> Linear:
    import numpy as np

    vocabulary = {name: i for i, name in enumerate(str(data[f"{of}_vocabulary"]).split("\n"))}
    weights = data[f"{of}_weights"].astype(np.float32) * data[f"{of}_scale"].astype(np.float32)
    classes = tuple(str(data[f"{of}_classes"]).split("\n"))
    return Linear(vocabulary, data[f"{of}_idf"].astype(np.float32), weights, classes)
