"""The cache of embeddings: what was put is found, by whoever opened it before and after."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from retrieval.index.embed_cache import EmbeddingCache, embedding_key

_KEY = embedding_key("model", "text")
_VECTOR = np.arange(4, dtype=np.float16)


def test_what_was_put_into_an_empty_cache_is_found(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path, "model", 4)
    assert cache.get([_KEY]) == {}
    cache.put([(_KEY, _VECTOR)])
    cache.flush()
    assert cache.get([_KEY])[_KEY].tolist() == _VECTOR.tolist()
    cache.close()


def test_a_cache_that_others_filled_is_read(tmp_path: Path) -> None:
    early = EmbeddingCache(tmp_path, "model", 4)
    early.get([_KEY])
    filler = EmbeddingCache(tmp_path, "model", 4)
    filler.put([(_KEY, _VECTOR)])
    filler.close()
    late = EmbeddingCache(tmp_path, "model", 4)
    assert list(late.get([_KEY])) == [_KEY]
    early.close()  # opened again, it sees what is there now
    assert list(early.get([_KEY])) == [_KEY]
    early.close()
    late.close()
