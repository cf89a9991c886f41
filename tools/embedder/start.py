"""Start vectors: each token of the vocabulary read by MiniLM (all-MiniLM-L6-v2, Apache-2.0), reduced to 256 dimensions.

``python -m tools.embedder.start --vocab vocab.txt --onnx model.onnx --tokenizer tokenizer.json --out start.npy``
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

_BATCH = 256


def main() -> None:
    import onnxruntime
    from tokenizers import Tokenizer

    arguments = argparse.ArgumentParser(description=__doc__)
    for name in ("vocab", "onnx", "tokenizer", "out"):
        arguments.add_argument(f"--{name}", type=Path, required=True)
    arguments.add_argument("--dim", type=int, default=256)
    options = arguments.parse_args()
    tokens = options.vocab.read_text(encoding="utf-8").rstrip("\n").split("\n")
    tokenizer = Tokenizer.from_file(str(options.tokenizer))
    tokenizer.enable_padding()
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(options.onnx), settings, providers=["CPUExecutionProvider"])
    names = [item.name for item in session.get_inputs()]
    out = np.zeros((len(tokens), 384), dtype=np.float32)
    for first in range(0, len(tokens), _BATCH):
        batch = tokenizer.encode_batch([token.removeprefix("##") for token in tokens[first : first + _BATCH]])
        ids = np.array([item.ids for item in batch], dtype=np.int64)
        mask = np.array([item.attention_mask for item in batch], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = session.run(None, {name: given[name] for name in names})[0]
        if hidden.ndim == 3:
            hidden = (hidden * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        out[first : first + len(batch)] = hidden
    out -= out.mean(axis=0)
    values, axes = np.linalg.eigh(out.T @ out)
    reduced = out @ axes[:, np.argsort(-values)[: options.dim]]
    reduced /= np.linalg.norm(reduced, axis=1, keepdims=True) + 1e-9
    np.save(options.out, reduced.astype(np.float32))
    print(reduced.shape)


if __name__ == "__main__":
    main()
