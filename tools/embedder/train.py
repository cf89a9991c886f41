"""Train the static embedder and write its data files.

``python -m tools.embedder.train --pairs DIR --vocab vocab.txt --out DIR [--start start.npy] [--epochs 4]``

Symmetric InfoNCE over batches from one project: the negatives of a question are the other answers of its own codebase,
which is what a search has to tell apart. Needs torch; runs on one thread.
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

from retrieval.embed.static import DAMP, DAMP_UNIT, MODEL_FILE, VECTORS_FILE, VOCABULARY_FILE, WEIGHTS_FILE
from tools.embedder.encode import KINDS

TEMPERATURE = 0.05
THINNED = [KINDS.index(kind) for kind in ("name", "test", "comment")]  # many, and further from a question
_WARM_UP_STEPS = 100
_WEIGHT_LEARNING_RATE = 0.5  # of the vectors' rate: log weights move on a larger scale than components


class Corpus:
    """The arrays of ``encode.py`` with offsets; ``bag`` cuts a batch of one side out of them."""

    def __init__(self, folder: Path) -> None:
        parts: dict[str, list[npt.NDArray[Any]]] = {}
        for number, file in enumerate(sorted(folder.glob("*.npz"))):
            with np.load(file) as stored:
                for name in stored.files:
                    parts.setdefault(name, []).append(stored[name])
                parts.setdefault("project", []).append(np.full(len(stored["kind"]), number))
        self.columns = {name: np.concatenate(arrays) for name, arrays in parts.items()}
        self.offsets = {
            side: np.concatenate([[0], np.cumsum(self.columns[f"{side}_sizes"], dtype=np.int64)])
            for side in ("query", "text")
        }
        self.n = len(self.columns["kind"])

    def bag(self, side: str, rows: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], ...]:
        """(ids, damped counts, offsets) of the rows, as torch's embedding_bag takes them."""
        starts = self.offsets[side][rows]
        sizes = self.columns[f"{side}_sizes"][rows].astype(np.int64)
        firsts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        cells = np.repeat(starts - firsts, sizes) + np.arange(sizes.sum())
        damped = (DAMP / DAMP_UNIT).astype(np.float32)[self.columns[f"{side}_counts"][cells]]
        return self.columns[f"{side}_ids"][cells].astype(np.int64), damped, firsts


def batches(
    corpus: Corpus, size: int, cap: int, by_file: float, thin: float, dice: np.random.Generator
) -> list[npt.NDArray[np.int64]]:
    """One epoch: at most ``cap`` pairs of a project, batches of one project, remainders of all projects together.

    A share ``thin`` of the pairs of THINNED kinds is left out, another one in each epoch.
    In a share ``by_file`` of the batches whole files stand together, so that negatives come from the same file too.
    """
    out: list[npt.NDArray[np.int64]] = []
    rest: list[npt.NDArray[np.int64]] = []
    project = corpus.columns["project"]
    edges = np.flatnonzero(np.diff(project)) + 1
    kept = np.ones(corpus.n, dtype=np.bool_)
    if thin:
        kept = dice.random(corpus.n) >= np.isin(corpus.columns["kind"], THINNED) * thin
    for rows in np.split(np.arange(corpus.n), edges):
        rows = rows[kept[rows]]
        chosen = dice.permutation(rows)[:cap]
        if dice.random() < by_file:
            salt = np.uint64(dice.integers(1 << 62) | 1)
            files = corpus.columns["source"][chosen].astype(np.uint64) * salt
            chosen = chosen[np.argsort(files, kind="stable")]
        full = len(chosen) // size * size
        out.extend(chosen[:full].reshape(-1, size))
        rest.append(chosen[full:])
    left = np.concatenate(rest)
    # Remainders keep their projects together too: half a batch of one project is better than a mixture of all.
    out.extend(left[first : first + size] for first in range(0, len(left), size) if len(left) - first >= size // 2)
    return [out[i] for i in dice.permutation(len(out))]


def inverse_document_frequency(corpus: Corpus, size: int) -> npt.NDArray[np.float32]:
    df = np.bincount(corpus.columns["text_ids"], minlength=size)
    return np.log((corpus.n + 1) / (df + 0.5)).clip(0.1, 9.0).astype(np.float32)


def train(corpus: Corpus, vectors: npt.NDArray[np.float32], options: argparse.Namespace) -> tuple[Any, Any]:
    """(vectors float32[V, dim], log weights float32[2, V]: documents, questions)."""
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    dice = np.random.default_rng(options.seed)
    size = len(vectors)
    table = torch.nn.Parameter(torch.from_numpy(vectors.copy()))
    idf = np.log(inverse_document_frequency(corpus, size) / 5.0)
    weights = torch.nn.Parameter(torch.from_numpy(np.stack([idf, idf]).astype(np.float32)))
    optimizer = torch.optim.Adam(
        [{"params": [table], "scale": 1.0}, {"params": [weights], "scale": _WEIGHT_LEARNING_RATE}],
        lr=options.rate, betas=(0.9, 0.99), fused=True,
    )  # fmt: skip
    plan = [
        batch
        for _ in range(options.epochs)
        for batch in batches(corpus, options.batch, options.cap, options.by_file, options.thin, dice)
    ]
    print(f"{corpus.n:,} pairs, {len(plan):,} steps", flush=True)
    began, mean_loss = time.time(), 0.0
    for step, rows in enumerate(plan):
        left = 1.0 - step / len(plan)
        for group in optimizer.param_groups:
            group["lr"] = options.rate * group["scale"] * min(1.0, (step + 1) / _WARM_UP_STEPS) * left
        sides = []
        for number, side in ((1, "query"), (0, "text")):
            ids, damped, firsts = corpus.bag(side, rows)
            tokens = torch.from_numpy(ids)
            if options.dropout:
                damped = damped * (dice.random(len(damped), dtype=np.float32) >= options.dropout)
            strength = torch.exp(weights[number])[tokens] * torch.from_numpy(damped)
            summed = torch.nn.functional.embedding_bag(
                tokens, table, torch.from_numpy(firsts), mode="sum", per_sample_weights=strength
            )
            sides.append(torch.nn.functional.normalize(summed, dim=1, eps=1e-6))
        logits = sides[0] @ sides[1].T / TEMPERATURE
        group_of, asked = corpus.columns["group"][rows], corpus.columns["asked"][rows]
        same = (group_of[:, None] == group_of[None, :]) | (asked[:, None] == asked[None, :])
        np.fill_diagonal(same, False)
        logits = logits.masked_fill(torch.from_numpy(same), -1e4)
        target = torch.arange(len(rows))
        loss = 0.5 * (
            torch.nn.functional.cross_entropy(logits, target) + torch.nn.functional.cross_entropy(logits.T, target)
        )
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        mean_loss += loss.item()
        if step % 200 == 199:
            print(f"step {step + 1} loss {mean_loss / 200:.4f} {time.time() - began:.0f} s", flush=True)
            mean_loss = 0.0
    return table.detach().numpy(), weights.detach().numpy()


def save(
    folder: Path, name: str, vocabulary: Path, vectors: npt.NDArray[np.float32], log_weights: npt.NDArray[np.float32]
) -> None:
    """int8 rows, their scale folded into the weights: the largest weight is 65,535."""
    folder.mkdir(parents=True, exist_ok=True)
    scale = np.abs(vectors).max(axis=1) / 127.0
    scale = np.where(scale > 0, scale, 1.0)
    np.save(folder / VECTORS_FILE, np.rint(vectors / scale[:, None]).astype(np.int8))
    folded = np.exp(log_weights.astype(np.float64)) * scale
    folded *= 65_535 / folded.max(axis=1, keepdims=True)  # each side by itself: a vector is normalised in the end
    np.save(folder / WEIGHTS_FILE, np.maximum(np.rint(folded), 1).astype(np.uint16))
    if vocabulary.resolve() != (folder / VOCABULARY_FILE).resolve():
        shutil.copyfile(vocabulary, folder / VOCABULARY_FILE)
    about = {"name": name, "digest": data_digest(folder), "dim": int(vectors.shape[1])}
    (folder / MODEL_FILE).write_text(json.dumps(about) + "\n", encoding="utf-8")


def data_digest(folder: Path) -> str:
    """SHA-256 over the three data files, which makes the model's id."""
    digest = hashlib.sha256()
    for name in (VOCABULARY_FILE, VECTORS_FILE, WEIGHTS_FILE):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pairs", type=Path, required=True)
    arguments.add_argument("--vocab", type=Path, required=True)
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--start", type=Path)
    arguments.add_argument("--name", default="contextc-static-1")
    arguments.add_argument("--dim", type=int, default=256)
    arguments.add_argument("--epochs", type=int, default=4)
    arguments.add_argument("--batch", type=int, default=768)
    arguments.add_argument("--cap", type=int, default=20_000)
    arguments.add_argument("--by-file", type=float, default=0.5)
    arguments.add_argument("--thin", type=float, default=0.0)
    arguments.add_argument("--dropout", type=float, default=0.1)
    arguments.add_argument("--rate", type=float, default=6e-3)
    arguments.add_argument("--seed", type=int, default=0)
    options = arguments.parse_args()
    size = len(options.vocab.read_text(encoding="utf-8").rstrip("\n").split("\n"))
    if options.start:
        vectors = np.load(options.start)
    else:
        vectors = np.random.default_rng(options.seed).standard_normal((size, options.dim)).astype(np.float32)
        vectors /= np.sqrt(options.dim)
    vectors, log_weights = train(Corpus(options.pairs), vectors, options)
    save(options.out, options.name, options.vocab, vectors, log_weights)


if __name__ == "__main__":
    main()
