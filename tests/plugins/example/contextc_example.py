"""An example of a plugin package for contextc: an embedder, an answerer and a language. Installed by the tests."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from retrieval.languages.definitions import Definition
from retrieval.pack_records import ContextPack


class Trigrams:
    """contextc.embedders: called with what stands behind ``trigrams:`` ("" for nothing)."""

    local = True
    batch_size = 64

    def __init__(self, detail: str) -> None:
        self.dim = int(detail or 256)
        self.model_id = f"trigrams-1-{self.dim}"

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        vector = np.zeros(self.dim, np.float32)
        for start in range(len(text) - 2):
            vector[zlib.crc32(text[start : start + 3].lower().encode("utf-8", "replace")) % self.dim] += 1
        length = float(np.linalg.norm(vector))
        return vector / length if length else vector


def point(pack: ContextPack, messages: Sequence[dict[str, str]]) -> Iterator[str]:
    """contextc.answerers: says no more than where the best evidence is."""
    best = pack.chunks[0]
    yield f"The best evidence is in `{best.path}` "
    yield f"[{best.number}:{best.start_line}].\n"


class Just:
    """contextc.languages: recipes of justfiles (``build target: clean`` and the indented lines below it)."""

    name = "just"
    version = "1"
    _RECIPE = re.compile(r"@?([A-Za-z_][\w-]{0,80})(?: [^:=\n]{0,200})?:(?!=)")

    def definitions(self, path: str, text: str) -> Iterable[Definition]:
        lines = text.split("\n")
        for row, line in enumerate(lines):
            recipe = self._RECIPE.match(line)
            if recipe is None:
                continue
            last = row
            while last + 1 < len(lines) and lines[last + 1][:1] in (" ", "\t"):
                last += 1
            comment = row > 0 and lines[row - 1].startswith("# ")
            doc = lines[row - 1][2:] if comment else ""
            yield Definition(recipe[1], "function", row + 1 - comment, last + 1, row + 1, line.rstrip(), doc)


JUST = Just()
