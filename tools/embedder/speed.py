"""Cost of the shipped embedder in processor seconds: ``python -m tools.embedder.speed --tree DIR`` (a source tree)."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

_TEXT_CHARS = 750
_TEXTS = 8_000
_QUESTIONS = 1_000
_REPEATS = 3


def main() -> None:
    import numpy as np  # its import is the interpreter's business, not the model's

    del np
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--tree", type=Path, required=True)
    options = arguments.parse_args()
    code = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in sorted(options.tree.rglob("*.py")))
    texts = [code[start : start + _TEXT_CHARS] for start in range(0, len(code), _TEXT_CHARS)][:_TEXTS]
    began = time.process_time()
    from retrieval.embed.static import StaticEmbedder

    embedder = StaticEmbedder()
    loaded = time.process_time()
    embedder.embed_query("where is the session opened")
    first = time.process_time()
    for number in range(_QUESTIONS):
        embedder.embed_query(f"How does the scheduler retry failed job {number} with exponential backoff?")
    asked = time.process_time()
    print(f"import and load {1e3 * (loaded - began):.1f} ms, first question {1e3 * (first - loaded):.2f} ms")
    print(f"a question {1e3 * (asked - first) / _QUESTIONS:.3f} ms")
    for repeat in range(_REPEATS):
        start = time.process_time()
        embedder.embed_documents(texts)
        spent = time.process_time() - start
        lines = sum(text.count("\n") for text in texts)
        print(f"pass {repeat + 1}: {len(texts) / spent:,.0f} texts/s, {lines / spent:,.0f} lines/s")


if __name__ == "__main__":
    main()
