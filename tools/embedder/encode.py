"""Pairs to arrays of vocabulary ids, one file per project, so that training never touches text.

``python -m tools.embedder.encode --pairs DIR --vocab vocab.txt --out DIR``; projects that are there already are kept.
The text side gets the form in which an index hands over a chunk: path, symbol and context on three lines of their own.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from retrieval.embed.bags import segments_of
from retrieval.embed.words import WordPieces

KINDS = (
    "docstring", "docstring-2", "question", "name", "test", "comment", "error",
    "class", "module", "heading", "paragraph",
)  # fmt: skip
# Kinds whose question side does not quote the name of the definition.
_NAMED = frozenset({"docstring", "docstring-2", "question", "error", "class"})
_BARE, _WITHOUT_PATH, _WITHOUT_SYMBOL = 0.15, 0.10, 0.05  # shares of texts that lack these lines


def placed(kind: str, group: str, text: str, dice: random.Random) -> str:
    """The text as an index would hand it over: the place that ``pairs`` wrote in words gives way to three lines."""
    path, _, symbol = group.partition(":")
    stem = path.removesuffix(".py").removesuffix("/__init__").replace("/", " ")
    if text.startswith((f"{stem} ", f"{stem}\n")):
        text = text.partition("\n")[2]
    if kind not in _NAMED:
        symbol = ""
    chance = dice.random()
    if chance < _BARE:
        path = symbol = ""
    elif chance < _BARE + _WITHOUT_PATH:
        path = ""
    elif chance < _BARE + _WITHOUT_PATH + _WITHOUT_SYMBOL:
        symbol = ""
    return f"{path}\n{symbol}\n\n{text}"


def segmented(
    pieces: WordPieces, texts: Sequence[Sequence[str]]
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint16]]:
    """(ids of all texts one after the other, uint16[texts, segments] how many belong to each segment)."""
    flat: list[int] = []
    sizes: list[list[int]] = []
    for segments in texts:
        found = [list(pieces.ids_of(segment)) for segment in segments]
        sizes.append([len(ids) for ids in found])
        for ids in found:
            flat.extend(ids)
    return np.array(flat, dtype=np.uint16), np.array(sizes, dtype=np.uint16)


def encoded(pieces: WordPieces, rows: Sequence[Sequence[str]]) -> dict[str, npt.NDArray[Any]]:
    """The arrays of one project's pairs (kind, group, query, text)."""
    kinds, groups, queries, texts = zip(*rows, strict=True)
    query_ids, query_sizes = segmented(pieces, [("", "", "", query) for query in queries])
    text_ids, text_sizes = segmented(pieces, [segments_of(text) for text in texts])
    return {
        "query_ids": query_ids,
        "query_sizes": query_sizes,
        "text_ids": text_ids,
        "text_sizes": text_sizes,
        "kind": np.array([KINDS.index(kind) for kind in kinds], dtype=np.uint8),
        "group": np.array([_number(group) for group in groups], dtype=np.int64),
        "source": np.array([_number(group.partition(":")[0]) for group in groups], dtype=np.int64),
        "asked": np.array([_number(query) for query in queries], dtype=np.int64),
    }


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:7], "little")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pairs", type=Path, required=True)
    arguments.add_argument("--vocab", type=Path, required=True)
    arguments.add_argument("--out", type=Path, required=True)
    options = arguments.parse_args()
    pieces = WordPieces(options.vocab.read_text(encoding="utf-8").rstrip("\n").split("\n"))
    options.out.mkdir(parents=True, exist_ok=True)
    total = 0
    for path in sorted(options.pairs.glob("*.jsonl")):
        target = options.out / f"{path.stem}.npz"
        if target.exists():
            continue
        dice = random.Random(path.stem)  # noqa: S311
        with path.open(encoding="utf-8") as stream:
            found = [json.loads(line) for line in stream]
        rows = [(kind, group, query, placed(kind, group, text, dice)) for kind, group, query, text in found]
        if rows:
            np.savez(target, **encoded(pieces, rows))  # type: ignore[arg-type]
            total += len(rows)
    print(f"{total:,} pairs")


if __name__ == "__main__":
    main()
