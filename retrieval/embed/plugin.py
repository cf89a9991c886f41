"""Embedders of other packages, held to what the rest of the program relies on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from retrieval.embed.base import Embedder, Matrix, unit_rows
from retrieval.plugins import EMBEDDERS, PluginError, failed, find_plugins, load_plugin

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def plugin_names() -> tuple[str, ...]:
    return tuple(find_plugins(EMBEDDERS))


def load_plugin_embedder(name: str, detail: str) -> Embedder | None:
    """The embedder that the entry point ``name`` makes of ``detail`` (what stands behind ``name:``); None: no such.

    Raises:
        PluginError: It cannot be loaded, or is no embedder.
    """
    point = find_plugins(EMBEDDERS).get(name)
    if point is None:
        return None
    factory = load_plugin(point)
    try:
        return PluginEmbedder(point, factory(detail))
    except PluginError:
        raise
    except Exception as error:
        raise failed(point, error) from error


class PluginEmbedder:
    """A plugin's embedder whose vectors are checked, and whose model id cannot be taken for one of ours."""

    def __init__(self, point: EntryPoint, inner: Any) -> None:
        self._point = point
        self._inner = inner
        self.model_id = f"{point.name}:{inner.model_id}"
        self.dim = int(inner.dim)
        self.local = bool(inner.local)
        self.batch_size = max(1, int(inner.batch_size))
        if self.dim < 1:
            raise failed(point, f"its vectors have {self.dim} dimensions")

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        return self._checked(len(texts), lambda: self._inner.embed_documents(list(texts)))

    def embed_query(self, text: str) -> Matrix:
        row: Matrix = self._checked(1, lambda: np.asarray(self._inner.embed_query(text))[None])[0]
        return row

    def _checked(self, rows: int, make: Callable[[], Any]) -> Matrix:
        try:
            matrix = np.asarray(make(), dtype=np.float32)
        except Exception as error:
            raise failed(self._point, error) from error
        if matrix.shape != (rows, self.dim):
            raise failed(self._point, f"{rows} texts gave an array of shape {matrix.shape}, not ({rows}, {self.dim})")
        return unit_rows(matrix)
