"""Train the static embedder and write its data files.

``python -m tools.embedder.train --pairs DIR --vocab vocab.txt --bigrams bigrams.npy --start START --out DIR``

START is a matrix of vectors for the pieces (``start.npy``) or the folder of an earlier model over the same vocabulary.

Symmetric InfoNCE over batches from one project: the negatives of a question are the other answers of its own codebase,
which is what a search has to tell apart. Adam, applied to the rows of a batch alone. Needs torch; runs on one thread.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from retrieval.embed.bags import GROUP_OF_ZONE, GROUPS, SHARES, ZONES, Bags
from retrieval.embed.static import (
    BIGRAMS_FILE,
    DAMP,
    DAMP_UNIT,
    DATA_FILES,
    MODEL_FILE,
    VECTORS_FILE,
    VOCABULARY_FILE,
    WEIGHTS_FILE,
    ZONE_MAX,
    ZONES_FILE,
)
from tools.embedder.corpus import Corpus, batches

TEMPERATURE = 0.05
_WARM_UP_STEPS = 100
_WEIGHT_RATE = 0.5  # of the vectors' learning rate: log weights move on a larger scale than components
_BETAS = (0.9, 0.99)
_EPSILON = 1e-8
_MASKED = -1e4

Floats = npt.NDArray[np.float32]


class LazyAdam:
    """Adam whose moments and values move only where a batch has touched them, along one dimension of a tensor."""

    def __init__(self, values: Any, dim: int, scale: float) -> None:
        self.values, self._dim, self._scale = values, dim, scale
        self._first, self._second = torch.zeros_like(values), torch.zeros_like(values)

    def step(self, rows: Any, gradient: Any, rate: float, number: int) -> None:
        first = self._first.index_select(self._dim, rows).mul_(_BETAS[0]).add_(gradient, alpha=1 - _BETAS[0])
        second = self._second.index_select(self._dim, rows).mul_(_BETAS[1])
        second.addcmul_(gradient, gradient, value=1 - _BETAS[1])
        self._first.index_copy_(self._dim, rows, first)
        self._second.index_copy_(self._dim, rows, second)
        spread = (second / (1 - _BETAS[1] ** number)).sqrt_().add_(_EPSILON)
        change = first / spread * (rate * self._scale / (1 - _BETAS[0] ** number))
        self.values.index_copy_(self._dim, rows, self.values.index_select(self._dim, rows) - change)


def train(corpus: Corpus, vectors: Floats, log_weights: Floats, options: argparse.Namespace) -> list[Floats]:
    """[vectors float32[rows, dim], log weights float32[2, rows], log zones float32[2, ZONES]]; documents first."""
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    dice = np.random.default_rng(options.seed)
    table = LazyAdam(torch.from_numpy(vectors), 0, 1.0)
    weights = LazyAdam(torch.from_numpy(log_weights), 1, _WEIGHT_RATE)
    zones = LazyAdam(torch.zeros(2, ZONES), 1, _WEIGHT_RATE)
    all_zones = torch.arange(ZONES)
    plan: list[npt.NDArray[np.int64]] = []
    while len(plan) < options.steps:
        plan += batches(corpus, options.batch, options.cap, options.by_file, dice)
    print(f"{corpus.n:,} pairs, {options.steps:,} steps", flush=True)
    began, mean_loss = time.time(), 0.0
    for step, rows in enumerate(plan[: options.steps]):
        sides = (corpus.bags("text", rows), corpus.bags("query", rows))
        touched = np.zeros(corpus.n_rows, dtype=np.bool_)
        for bag in sides:
            touched[bag.rows] = True
        used = np.flatnonzero(touched)
        place = np.zeros(corpus.n_rows, dtype=np.int64)
        place[used] = np.arange(len(used))
        index = torch.from_numpy(used)
        local = [
            table.values[index].requires_grad_(),
            weights.values[:, index].requires_grad_(),
            zones.values.clone().requires_grad_(),
        ]
        texts, queries = (
            _embedded(local, number, place[bag.rows], bag, len(rows), options.dropout, dice)
            for number, bag in enumerate(sides)
        )
        logits = (queries @ texts.T / TEMPERATURE).masked_fill(torch.from_numpy(corpus.twins(rows)), _MASKED)
        target = torch.arange(len(rows))
        entropy = torch.nn.functional.cross_entropy
        loss = 0.5 * (entropy(logits, target) + entropy(logits.T, target))
        loss.backward()
        rate = options.rate * min(1.0, (step + 1) / _WARM_UP_STEPS) * (1.0 - step / options.steps)
        optimizers = zip((table, weights, zones), (index, index, all_zones), strict=True)
        for part, (optimizer, where) in zip(local, optimizers, strict=True):
            optimizer.step(where, part.grad, rate, step + 1)
        mean_loss += loss.item()
        if step % 200 == 199:
            print(f"step {step + 1} loss {mean_loss / 200:.4f} {time.time() - began:.0f} s", flush=True)
            mean_loss = 0.0
    return [part.values.numpy() for part in (table, weights, zones)]


def _embedded(
    local: list[Any], number: int, rows: npt.NDArray[np.int64], bag: Bags, n: int, dropout: float, dice: Any
) -> Any:
    """Unit vectors of one side of a batch; ``rows`` point into the batch's own part of the table."""
    damped = (DAMP / DAMP_UNIT).astype(np.float32)[np.minimum(bag.counts, len(DAMP) - 1)]
    if dropout:
        damped = damped * (dice.random(len(damped), dtype=np.float32) >= dropout)
    cells = bag.owners * GROUPS + (GROUP_OF_ZONE[bag.zones] if number == 0 else 0)
    order = np.argsort(cells, kind="stable")
    tokens = torch.from_numpy(rows[order])
    strength = torch.exp(local[1][number][tokens] + local[2][number][torch.from_numpy(bag.zones[order])])
    firsts = torch.from_numpy(np.searchsorted(cells[order], np.arange(n * GROUPS)))
    parts = torch.nn.functional.embedding_bag(
        tokens, local[0], firsts, mode="sum", per_sample_weights=strength * torch.from_numpy(damped[order])
    )
    shares = torch.from_numpy(SHARES.astype(np.float32))
    unit = torch.nn.functional.normalize(parts, dim=1, eps=1e-6).view(n, GROUPS, -1)
    return torch.nn.functional.normalize((unit * shares[None, :, None]).sum(dim=1), dim=1, eps=1e-6)


def started(start: Path, corpus: Corpus) -> tuple[Floats, Floats]:
    """(vectors, log weights) to begin with; bigrams begin at nothing, so that they change nothing at first."""
    if start.is_dir():
        stored = np.load(start / VECTORS_FILE)[: corpus.n_pieces].astype(np.float32)
        lengths = np.linalg.norm(stored, axis=1)
        lengths[lengths == 0] = 1.0
        vectors = stored / lengths[:, None]
        log_weights = np.log(np.load(start / WEIGHTS_FILE)[:, : corpus.n_pieces] * lengths)
        log_weights -= np.median(log_weights, axis=1, keepdims=True)
    else:
        vectors = np.load(start)
        df = np.bincount(corpus.columns["text_ids"], minlength=corpus.n_pieces)
        idf = np.log((df.sum() + 1) / (df + 0.5)).clip(0.1, 16.0)
        log_weights = np.stack([np.log(idf / np.median(idf))] * 2)
    more = corpus.n_rows - corpus.n_pieces
    return (
        np.concatenate([vectors, np.zeros((more, vectors.shape[1]))]).astype(np.float32),
        np.concatenate([log_weights, np.zeros((2, more))], axis=1).astype(np.float32),
    )


def save(
    folder: Path, name: str, vocabulary: Path, bigrams: npt.NDArray[np.uint16],
    vectors: Floats, log_weights: Floats, log_zones: Floats,
) -> None:  # fmt: skip
    """int8 rows, their scale folded into the weights: the largest weight is 65,535, the largest zone ZONE_MAX."""
    folder.mkdir(parents=True, exist_ok=True)
    scale = np.abs(vectors).max(axis=1) / 127.0
    scale = np.where(scale > 0, scale, 1.0)
    np.save(folder / VECTORS_FILE, np.rint(vectors / scale[:, None]).astype(np.int8))
    folded = np.exp(log_weights.astype(np.float64)) * scale
    folded *= 65_535 / folded.max(axis=1, keepdims=True)  # each side by itself: a vector is normalised in the end
    np.save(folder / WEIGHTS_FILE, np.maximum(np.rint(folded), 1).astype(np.uint16))
    zones = np.exp(log_zones.astype(np.float64))
    np.save(folder / ZONES_FILE, np.rint(zones * ZONE_MAX / zones.max(axis=1, keepdims=True)).astype(np.uint8))
    np.save(folder / BIGRAMS_FILE, bigrams)
    if vocabulary.resolve() != (folder / VOCABULARY_FILE).resolve():
        shutil.copyfile(vocabulary, folder / VOCABULARY_FILE)
    about = {"name": name, "digest": data_digest(folder), "dim": int(vectors.shape[1])}
    (folder / MODEL_FILE).write_text(json.dumps(about) + "\n", encoding="utf-8")


def data_digest(folder: Path) -> str:
    """SHA-256 over the data files, which makes the model's id."""
    digest = hashlib.sha256()
    for name in DATA_FILES:
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pairs", type=Path, required=True)
    arguments.add_argument("--vocab", type=Path, required=True)
    arguments.add_argument("--bigrams", type=Path, required=True)
    arguments.add_argument("--start", type=Path, required=True)
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--name", default="contextc-static-2")
    arguments.add_argument("--steps", type=int, default=6000)
    arguments.add_argument("--batch", type=int, default=768)
    arguments.add_argument("--cap", type=int, default=8000)
    arguments.add_argument("--by-file", type=float, default=0.5)
    arguments.add_argument("--dropout", type=float, default=0.1)
    arguments.add_argument("--rate", type=float, default=4e-3)
    arguments.add_argument("--seed", type=int, default=0)
    options = arguments.parse_args()
    n_pieces = len(options.vocab.read_text(encoding="utf-8").rstrip("\n").split("\n"))
    bigrams = np.load(options.bigrams)
    corpus = Corpus(options.pairs, bigrams, n_pieces)
    trained = train(corpus, *started(options.start, corpus), options)
    save(options.out, options.name, options.vocab, bigrams, *trained)


if __name__ == "__main__":
    main()
