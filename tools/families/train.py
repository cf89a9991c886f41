"""Train the network of families: ``python -m tools.families.train --vectors vectors.npz [--out FILE]``

Learned from ``harness/cca/wordings``: cross entropy over all families and "none", classes with fewer wordings weighed
more, words and their own vectors dropped at random, so that a word that no wording has is still told by its neighbours
in the vectors of ``tools.families.vectors``. Needs torch. ``python -m harness.cca.train_families --write`` comes after.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from agent.cca.families import network as n
from agent.cca.families.model import NETWORK_FILE
from agent.cca.families.slots import plain_token, see
from harness.cca.wordings import all_wordings

_LEAST = 2  # sentences that a word has to stand in to have a vector of its own
_BATCH = 128
_RATE = 2e-3
_DECAY = 0.01
_SMOOTH = 0.05
_DROP_WORD, _DROP_OWN, _DROP_SHAPE, _DROP_OUT = 0.1, 0.2, 0.2, 0.4
_GIVEN = 0.3  # scale of the vectors that are given
_EVEN = 0.5  # 0: each wording weighs the same, 1: each class
_NONE_WEIGHT = 1.5  # what demands nothing must not be taken for a demand
_BLOCK = 20  # batches that are sorted by length together


class Words:
    """Rows: padding, unknown, opening mark, the wordings' words, then those with a given vector alone."""

    def __init__(self, sentences: list[tuple[str, ...]], given: dict[str, np.ndarray]) -> None:
        counts = Counter(word for sentence in sentences for word in set(sentence))
        counts.update(plain_token(word) for sentence in sentences for word in set(sentence) if word[0] == "\x01")
        own = sorted(word for word, times in counts.items() if times >= _LEAST)
        self.names = ["<pad>", n.UNKNOWN, n.OPEN, *own]
        self.own = len(self.names)
        self.names += sorted(set(given) - set(own))
        self.index = {name: i for i, name in enumerate(self.names)}
        self.given = torch.zeros(len(self.names), len(next(iter(given.values()))))
        for name, vector in given.items():
            self.given[self.index[name]] = torch.tensor(vector)
        self.plain = torch.arange(len(self.names))
        for name, i in self.index.items():
            if name[0] == "\x01":
                self.plain[i] = self.index[plain_token(name)]

    def ids(self, sentence: tuple[str, ...]) -> list[int]:
        found = (self.index.get(word, self.index.get(plain_token(word), 1)) for word in sentence[: n.MAX_WORDS - 1])
        return [2, *found]


class Net(nn.Module):
    def __init__(self, words: Words, classes: int, width: int, filters: int) -> None:
        super().__init__()
        self.words = words
        self.own = nn.Embedding(words.own, width)
        nn.init.normal_(self.own.weight, std=0.05)
        with torch.no_grad():
            self.own.weight.copy_(self.own.weight[words.plain[: words.own]])
        self.given = nn.Linear(words.given.shape[1], width, bias=False)
        self.filters = nn.ModuleList(nn.Conv1d(width, filters, size, padding=size - 1) for size in n.WIDTHS)
        self.out = nn.Linear(len(n.WIDTHS) * filters, classes)
        self.drop = nn.Dropout(_DROP_OUT)

    def table(self) -> torch.Tensor:
        """float[words, width]: what each word amounts to."""
        rows = self.given(self.words.given) * _GIVEN
        return torch.cat([rows[: self.words.own] + self.own.weight, rows[self.words.own :]])

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        padding = (ids == 0)[..., None]
        given = self.words.given[ids]
        has_own = ids < self.words.own
        if self.training:
            spared = (torch.rand(ids.shape) < _DROP_OWN) & (given.abs().sum(-1) > 0)
            ids = torch.where(torch.rand(ids.shape) < _DROP_SHAPE, self.words.plain[ids], ids)
            dropped = (torch.rand(ids.shape) < _DROP_WORD) & (ids > 2)
            ids = torch.where(dropped, torch.ones_like(ids), ids)
            given = given * ~dropped[..., None]
            has_own = (has_own & ~spared) | dropped
        own = self.own(ids.clamp(max=self.words.own - 1)) * has_own[..., None]
        rows = (own + self.given(given) * _GIVEN).masked_fill(padding, 0.0).transpose(1, 2)
        found = [functional.relu(each(rows)).max(2).values for each in self.filters]
        return self.out(self.drop(torch.cat(found, 1)))


def exported(net: Net, classes: tuple[str, ...]) -> n.Network:
    net.eval()
    names = net.words.names
    with torch.no_grad():
        table = net.table().numpy()[1:]  # no padding at run time
        filters = tuple(each.weight.permute(2, 1, 0).reshape(-1, each.weight.shape[0]).numpy() for each in net.filters)
        biases = tuple(each.bias.numpy() for each in net.filters)
        out, shift = net.out.weight.T.numpy(), net.out.bias.numpy()
    index = {name: i for i, name in enumerate(names[1:])}
    return n.Network(index, table, filters, biases, out, shift, classes)


def batches(ids: list[list[int]]) -> list[np.ndarray]:
    """Of sentences of like length, in random order."""
    lengths = np.asarray([len(each) for each in ids])
    order = np.random.permutation(len(ids))
    blocks = np.array_split(order, max(1, len(ids) // (_BATCH * _BLOCK)))
    order = np.concatenate([block[np.argsort(lengths[block], kind="stable")] for block in blocks])
    found = [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]
    random.shuffle(found)
    return found


def padded(rows: list[list[int]]) -> torch.Tensor:
    found = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
    for i, row in enumerate(rows):
        found[i, : len(row)] = torch.tensor(row)
    return found


def train(given: dict[str, np.ndarray], *, epochs: int, width: int, filters: int, seed: int) -> n.Network:
    torch.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed)
    wordings = all_wordings()
    sentences = [see(each.text).signed for each in wordings]
    classes = tuple(sorted({each.family for each in wordings}))
    target = torch.tensor([classes.index(each.family) for each in wordings])
    words = Words(sentences, given)
    ids = [words.ids(each) for each in sentences]
    sizes = torch.bincount(target).float()
    weight = (sizes.mean() / sizes) ** _EVEN
    weight[classes.index("")] = _NONE_WEIGHT
    net = Net(words, len(classes), width, filters)
    optimiser = torch.optim.AdamW(net.parameters(), lr=_RATE, weight_decay=_DECAY)
    steps = epochs * math.ceil(len(ids) / _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, total_steps=steps)
    start = time.monotonic()
    for epoch in range(epochs):
        net.train()
        total = 0.0
        for batch in batches(ids):
            said = net(padded([ids[int(i)] for i in batch]))
            loss = functional.cross_entropy(said, target[batch], weight=weight, label_smoothing=_SMOOTH)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total += loss.item() * len(batch)
        print(f"epoch {epoch + 1}: loss {total / len(ids):.3f}, {time.monotonic() - start:.0f} s", flush=True)
    return exported(net, classes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vectors", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--width", type=int, default=96)
    parser.add_argument("--filters", type=int, default=256)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, help="Instead of the package's file.")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    with np.load(options.vectors) as data:
        given = dict(zip(str(data["words"]).split("\n"), data["vectors"], strict=True))
    network = train(given, epochs=options.epochs, width=options.width, filters=options.filters, seed=options.seed)
    target = options.out or NETWORK_FILE
    np.savez_compressed(target, **n.packed(network))
    size = target.stat().st_size / 1e6
    print(f"{target}: {size:.2f} MB, {len(network.vocabulary)} words, {len(network.classes)} classes")


if __name__ == "__main__":
    main()
