"""From a spec to an embedder, and the errors on the way."""

from __future__ import annotations

import sys
import types
from importlib import util
from pathlib import Path

import numpy as np
import pytest

from retrieval.embed.load import load_embedder
from retrieval.embed.local_models import FunctionEmbedder, folder_digest
from retrieval.errors import UserError


def test_none_is_no_embedder() -> None:
    assert load_embedder("none") is None


def test_default_and_static_are_the_same_model() -> None:
    default, static = load_embedder(), load_embedder("static")
    assert default is not None and static is not None
    assert default.model_id == static.model_id
    assert default.local


@pytest.mark.parametrize("spec", ["", "Default", "openai", "openai:", "model2vec", "static:x", "none:1", "gpt", ":x"])
def test_unknown_spec_lists_the_choices(spec: str) -> None:
    with pytest.raises(UserError) as caught:
        load_embedder(spec)
    assert "model2vec:FOLDER" in caught.value.mend


def test_missing_package_names_the_install_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    for spec in ("wordllama", f"model2vec:{tmp_path}", f"sentence-transformers:{tmp_path}", "chroma-default"):
        with pytest.raises(UserError) as caught:
            load_embedder(spec)
        assert caught.value.mend.startswith("pip install ")


def test_missing_model_folder_is_a_user_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(util, "find_spec", lambda name: object())
    with pytest.raises(UserError, match="There is no model folder"):
        load_embedder(f"model2vec:{tmp_path / 'absent'}")


def test_model2vec_is_loaded_from_its_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With a stand-in for the package, which is optional."""

    class StaticModel:
        @classmethod
        def from_pretrained(cls, path: str) -> StaticModel:
            assert Path(path) == tmp_path
            return cls()

        def encode(self, texts: list[str]) -> np.ndarray:
            return np.array([[float(len(text)), 1.0, np.nan if text == "bad" else 0.0] for text in texts])

    module = types.ModuleType("model2vec")
    module.StaticModel = StaticModel  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "model2vec", module)
    monkeypatch.setattr(util, "find_spec", lambda name: object())
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    embedder = load_embedder(f"model2vec:{tmp_path}")
    assert embedder is not None
    assert embedder.dim == 3
    matrix = embedder.embed_documents(["four", "", "bad"])
    np.testing.assert_allclose(np.linalg.norm(matrix, axis=1), [1, 0, 0], atol=1e-6)
    (tmp_path / "model.safetensors").write_bytes(b"others")
    other = load_embedder(f"model2vec:{tmp_path}")
    assert other is not None
    assert embedder.model_id != other.model_id


def test_model_digest_depends_on_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("1")
    first = folder_digest(tmp_path)
    (tmp_path / "notes.md").write_text("not part of the model")
    assert folder_digest(tmp_path) == first
    (tmp_path / "a.json").rename(tmp_path / "b.json")
    assert folder_digest(tmp_path) != first


def test_function_embedder_keeps_the_order_across_batches() -> None:
    embedder = FunctionEmbedder("t", 2, lambda texts: [[float(t), 1.0] for t in texts])
    embedder.batch_size = 2
    matrix = embedder.embed_documents(["1", "2", " ", "3", "4"])
    np.testing.assert_allclose(matrix[:, 0] / np.where(matrix[:, 1] > 0, matrix[:, 1], 1), [1, 2, 0, 3, 4], rtol=1e-6)


@pytest.mark.skipif(util.find_spec("wordllama") is None, reason="wordllama is optional")
def test_wordllama_loads_from_its_package_without_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("dialled")

    monkeypatch.setattr("socket.create_connection", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    embedder = load_embedder("wordllama")
    assert embedder is not None
    matrix = embedder.embed_documents(["parse the header", "<|endoftext|>", ""])
    assert matrix.shape == (3, embedder.dim)
    np.testing.assert_allclose(np.linalg.norm(matrix, axis=1), [1, 1, 0], atol=1e-5)
