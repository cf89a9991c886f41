"""Choose the bigrams: ``python -m tools.embedder.bigrams --pairs ENCODED --vocab vocab.txt --out bigrams.npy``.

A bigram is worth a vector when questions and the code that answers them share it. Score: over projects, the sum of
log(1 + pairs that have it on both sides); three projects at least; none with a function word, none of two numbers.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt

_MIN_PROJECTS = 3
_FUNCTION_WORDS = frozenset(
    {
        "of", "the", "in", "to", "be", "a", "an", "is", "are", "was", "were", "has", "have", "had", "been", "for",
        "and", "or", "that", "this", "with", "it", "its", "as", "by", "on", "at", "from", "if", "then", "else",
        "not", "no", "does", "do", "did", "will", "would", "should", "can", "could", "may", "might", "must", "which",
        "when", "where", "what", "how", "so", "than", "too", "very", "s", "t", "also", "any", "all", "each", "some",
        "such", "only", "both", "but", "into", "out", "up", "down", "over", "under", "about", "after", "before",
        "during", "there", "here", "their", "they", "them", "he", "she", "his", "her", "we", "our", "you", "your",
        "i", "me", "my", "these", "those", "being", "because", "while", "until", "just", "more", "most", "other",
        "same",
    }
)  # fmt: skip

Ids = npt.NDArray[np.int64]


def bigrams_of(ids: Ids, sizes: Ids, size: int) -> Ids:
    """``text * size**2 + first * size + second`` of every bigram of every text, distinct and ascending."""
    owners = np.repeat(np.arange(len(sizes)), sizes)
    inside = owners[:-1] == owners[1:]
    return np.unique((owners[:-1] * size**2 + ids[:-1] * size + ids[1:])[inside])


def chosen(folder: Path, tokens: list[str], limit: int) -> npt.NDArray[np.uint16]:
    """uint16[B, 2], ascending: the best ``limit`` bigrams over all projects of a folder that ``encode`` filled."""
    size = len(tokens)
    keys: list[Ids] = []
    scores: list[npt.NDArray[np.float64]] = []
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as stored:
            sides = [
                bigrams_of(stored[f"{side}_ids"].astype(np.int64), stored[f"{side}_sizes"].sum(axis=1, dtype=int), size)
                for side in ("query", "text")
            ]
        shared, counts = np.unique(np.intersect1d(*sides, assume_unique=True) % size**2, return_counts=True)
        keys.append(shared)
        scores.append(np.log1p(counts))
    distinct, owner = np.unique(np.concatenate(keys), return_inverse=True)
    total, projects = np.bincount(owner, weights=np.concatenate(scores)), np.bincount(owner)
    best = np.lexsort((distinct, -total))
    kept: list[int] = []
    for row in best[projects[best] >= _MIN_PROJECTS]:
        first, second = (tokens[part] for part in divmod(int(distinct[row]), size))
        if not ({first, second} & _FUNCTION_WORDS or (first.isdigit() and second.isdigit())):
            kept.append(int(distinct[row]))
            if len(kept) == limit:
                break
    return np.stack(np.divmod(np.sort(np.array(kept)), size), axis=1).astype(np.uint16)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pairs", type=Path, required=True)
    arguments.add_argument("--vocab", type=Path, required=True)
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--size", type=int, default=27_454)
    options = arguments.parse_args()
    tokens = options.vocab.read_text(encoding="utf-8").rstrip("\n").split("\n")
    found = chosen(options.pairs, tokens, options.size)
    np.save(options.out, found)
    print(f"{len(found):,} bigrams")


if __name__ == "__main__":
    main()
