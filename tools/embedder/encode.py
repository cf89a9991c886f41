"""Pairs to arrays of vocabulary ids, one file per project, so that training never touches text.

``python -m tools.embedder.encode --pairs DIR --vocab vocab.txt --out DIR``; projects that are there already are kept.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from retrieval.embed.words import WordPieces

KINDS = (
    "docstring", "docstring-2", "question", "name", "test", "comment", "error",
    "class", "module", "heading", "paragraph",
)  # fmt: skip
_BATCH = 2048


def bags(
    pieces: WordPieces, texts: Sequence[str], size: int
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """(distinct ids, their counts, number of distinct ids per text), the texts one after the other."""
    flat: list[int] = []
    lengths: list[int] = []
    for text in texts:
        before = len(flat)
        flat.extend(pieces.ids_of(text))
        lengths.append(len(flat) - before)
    keys = np.repeat(np.arange(len(texts), dtype=np.int64) * size, lengths) + np.array(flat, dtype=np.int64)
    cells, counts = np.unique(keys, return_counts=True)
    per_text = np.bincount(cells // size, minlength=len(texts))
    return (cells % size).astype(np.uint16), np.minimum(counts, 255).astype(np.uint8), per_text


def encoded(pieces: WordPieces, size: int, rows: Sequence[Sequence[str]]) -> dict[str, npt.NDArray[Any]]:
    """The arrays of one project's pairs (kind, group, query, text); empty for no pairs."""
    columns: dict[str, list[npt.NDArray[Any]]] = {}
    for first in range(0, len(rows), _BATCH):
        kinds, groups, queries, texts = zip(*rows[first : first + _BATCH], strict=True)
        for side, side_texts in (("query", queries), ("text", texts)):
            ids, counts, sizes = bags(pieces, side_texts, size)
            columns.setdefault(f"{side}_ids", []).append(ids)
            columns.setdefault(f"{side}_counts", []).append(counts)
            columns.setdefault(f"{side}_sizes", []).append(sizes.astype(np.uint16))
        columns.setdefault("kind", []).append(np.array([KINDS.index(kind) for kind in kinds], dtype=np.uint8))
        columns.setdefault("group", []).append(np.array([_number(group) for group in groups], dtype=np.int64))
        columns.setdefault("source", []).append(
            np.array([_number(group.partition(":")[0]) for group in groups], dtype=np.int64)
        )
        columns.setdefault("asked", []).append(np.array([_number(query) for query in queries], dtype=np.int64))
    return {name: np.concatenate(arrays) for name, arrays in columns.items()}


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:7], "little")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pairs", type=Path, required=True)
    arguments.add_argument("--vocab", type=Path, required=True)
    arguments.add_argument("--out", type=Path, required=True)
    options = arguments.parse_args()
    tokens = options.vocab.read_text(encoding="utf-8").rstrip("\n").split("\n")
    pieces = WordPieces(tokens)
    options.out.mkdir(parents=True, exist_ok=True)
    total = 0
    for path in sorted(options.pairs.glob("*.jsonl")):
        target = options.out / f"{path.stem}.npz"
        if target.exists():
            continue
        arrays = encoded(pieces, len(tokens), [json.loads(line) for line in path.open(encoding="utf-8")])
        if arrays:
            np.savez(target, **arrays)  # type: ignore[arg-type]
            total += len(arrays["kind"])
    print(f"{total:,} pairs")


if __name__ == "__main__":
    main()
