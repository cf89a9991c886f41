"""semble with its own ranking: ``python semble_search.py ROOT [MODEL]``.

MODEL is a folder that model2vec can load. Without one, a StaticModel is made of the vectors and the tokenizer that the
package wordllama carries, because semble's own model would have to be downloaded.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
import time
from importlib import metadata, util
from pathlib import Path

from protocol import serve  # type: ignore[import-not-found]  # beside this script

_TOP = 100


def stand_in(folder: Path) -> Path:
    """Save the stand-in model into ``folder``."""
    origin = (util.find_spec("wordllama") or sys.exit("wordllama is not installed")).origin
    home = Path(str(origin)).parent
    table = importlib.import_module("safetensors.numpy").load_file(
        str(home / "weights" / "l2_supercat_256.safetensors")
    )["embedding.weight"]
    (vocabulary,) = home.glob("tokenizer*/l2_supercat_tokenizer_config.json")
    tokenizer = importlib.import_module("tokenizers").Tokenizer.from_file(str(vocabulary))
    static_model = importlib.import_module("model2vec").StaticModel
    static_model(vectors=table.astype("float32"), tokenizer=tokenizer, normalize=True).save_pretrained(folder)
    return folder


def main() -> None:
    root = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SEMBLE_CACHE_LOCATION"] = str(Path(folder) / "cache")  # neither the user's cache nor statistics
        os.environ["HF_HUB_OFFLINE"] = "1"
        model = Path(sys.argv[2]) if len(sys.argv) > 2 else stand_in(Path(folder) / "model")
        index_of = importlib.import_module("semble").SembleIndex
        began = time.perf_counter()
        index = index_of.from_path(root, model_path=str(model))
        took = time.perf_counter() - began

        def ask(question: str) -> list[tuple[str, int, int]]:
            found = index.search(question, top_k=_TOP)
            return [(Path(r.chunk.file_path).as_posix(), r.chunk.start_line, r.chunk.end_line) for r in found]

        serve(ask, took, metadata.version("semble"))


if __name__ == "__main__":
    main()
