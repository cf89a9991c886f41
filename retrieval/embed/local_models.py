"""Embedders from optional packages, loaded from files on this machine: nothing here may download a model."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable, Sequence
from importlib import metadata, util
from pathlib import Path
from typing import Any

import numpy as np

from retrieval.embed.base import Matrix, unit_rows
from retrieval.errors import UserError

_MAX_TEXT_CHARS = 50_000  # these models cut a text after some hundreds of words anyway; the tokenizers read all of it
_DIGEST_SUFFIXES = frozenset({".json", ".txt", ".safetensors", ".bin", ".onnx", ".model", ".npy"})


class FunctionEmbedder:
    """An embedder around a function from a list of texts to a matrix of vectors."""

    local = True
    batch_size = 256

    def __init__(self, model_id: str, dim: int, encode: Callable[[list[str]], Any]) -> None:
        self.model_id = model_id
        self.dim = dim
        self._encode = encode

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """float32[len(texts), dim]; see ``Embedder``."""
        out = np.zeros((len(texts), self.dim), dtype=np.float32)
        filled = [row for row, text in enumerate(texts) if text.strip()]  # models invent a vector for nothing
        for first in range(0, len(filled), self.batch_size):
            rows = filled[first : first + self.batch_size]
            out[rows] = unit_rows(np.asarray(self._encode([texts[row][:_MAX_TEXT_CHARS] for row in rows])))
        return out

    def embed_query(self, text: str) -> Matrix:
        """float32[dim]; see ``Embedder``."""
        row: Matrix = self.embed_documents([text])[0]
        return row


def wordllama() -> FunctionEmbedder:
    """WordLlama's 256-d model from its package (its own ``load`` looks elsewhere, then tries the network)."""
    home = _package_folder("wordllama", "wordllama")
    weights = home / "weights" / "l2_supercat_256.safetensors"
    vocabulary = next(iter(sorted(home.glob("tokenizer*/l2_supercat_tokenizer_config.json"))), None)
    if vocabulary is None or not weights.is_file():
        raise UserError("The installed wordllama carries no model files.", "pip install wordllama==0.4.0.post1")
    tokenizer_of = importlib.import_module("tokenizers").Tokenizer
    table = importlib.import_module("safetensors.numpy").load_file(str(weights))["embedding.weight"]
    table = np.asarray(table, dtype=np.float32)
    tokenizer = tokenizer_of.from_file(str(vocabulary))
    tokenizer.no_padding()
    tokenizer.no_truncation()

    def encode(texts: list[str]) -> Matrix:
        out = np.zeros((len(texts), table.shape[1]), dtype=np.float32)
        for row, encoding in enumerate(tokenizer.encode_batch(texts, add_special_tokens=False)):
            if encoding.ids:
                out[row] = table[encoding.ids].mean(axis=0)
        return out

    return FunctionEmbedder(f"wordllama-{metadata.version('wordllama')}", int(table.shape[1]), encode)


def model2vec(path: str) -> FunctionEmbedder:
    """A model2vec ``StaticModel`` saved in a folder."""
    _require("model2vec", "model2vec")
    folder = _model_folder("model2vec", path)
    try:
        model = importlib.import_module("model2vec").StaticModel.from_pretrained(str(folder))
        dim = int(np.asarray(model.encode(["dimension"])).shape[1])
    except Exception as fault:  # the packages raise whatever their loaders raise
        raise _unreadable("model2vec", folder, fault) from fault
    return FunctionEmbedder(f"model2vec:{folder_digest(folder)}", dim, model.encode)


def sentence_transformers(path: str) -> FunctionEmbedder:
    """A sentence-transformers model saved in a folder."""
    _require("sentence_transformers", "sentence-transformers")
    folder = _model_folder("sentence-transformers", path)
    try:
        library = importlib.import_module("sentence_transformers")
        model = library.SentenceTransformer(str(folder), local_files_only=True)
        dim = int(model.get_sentence_embedding_dimension())
    except Exception as fault:  # the packages raise whatever their loaders raise
        raise _unreadable("sentence-transformers", folder, fault) from fault

    def encode(texts: list[str]) -> Any:
        return model.encode(texts, show_progress_bar=False)

    return FunctionEmbedder(f"sentence-transformers:{folder_digest(folder)}", dim, encode)


def chroma_default() -> FunctionEmbedder:
    """Chroma's default embedder (MiniLM as ONNX), if its model has been downloaded before."""
    _require("chromadb", "chromadb")
    embedder_of = importlib.import_module("chromadb.utils.embedding_functions.onnx_mini_lm_l6_v2").ONNXMiniLM_L6_V2
    folder = Path(embedder_of.DOWNLOAD_PATH) / embedder_of.EXTRACTED_FOLDER_NAME
    if not (folder / "model.onnx").is_file():
        raise UserError(
            f"Chroma's default embedding model is not in {folder}, and contextc downloads nothing unasked.",
            "Put the model there (Chroma's documentation says how), or pass --embedder default.",
        )
    return FunctionEmbedder(f"chroma-default:{folder_digest(folder)}", 384, embedder_of())


def folder_digest(folder: Path) -> str:
    """12 hex digits over the names and contents of a model's files."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.suffix in _DIGEST_SUFFIXES:
            digest.update(file.relative_to(folder).as_posix().encode() + b"\0")
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:12]


def _require(module: str, package: str) -> None:
    if util.find_spec(module) is None:
        raise UserError(f"The package {package} is not installed.", f"pip install {package}")


def _package_folder(module: str, package: str) -> Path:
    _require(module, package)
    found = util.find_spec(module)
    if found is None or found.origin is None:
        raise UserError(f"The package {package} has no files.", f"pip install {package}")
    return Path(found.origin).parent


def _model_folder(kind: str, path: str) -> Path:
    folder = Path(path).expanduser()
    if not folder.is_dir():
        raise UserError(f"There is no model folder {path}.", f"Save the model first and pass {kind}:FOLDER.")
    return folder.resolve()


def _unreadable(kind: str, folder: Path, fault: Exception) -> UserError:
    return UserError(f"{folder} is not a {kind} model ({' '.join(str(fault).split())[:200]}).", "Pass another folder.")
