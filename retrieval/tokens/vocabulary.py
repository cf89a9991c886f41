"""tiktoken encodings built from the vocabulary files inside the package ``bpe-openai``: no download, no cache folder.

``bpe_openai`` itself is never imported (its import costs 0.8 s); only its data files are read, and each is used only
when its content has the SHA-256 that tiktoken publishes for that vocabulary.
"""

from __future__ import annotations

import binascii
import gzip
import hashlib
import importlib.util
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.errors import UserError

if TYPE_CHECKING:
    import tiktoken


DEFAULT_ENCODING = "o200k_base"

_MAX_VOCABULARY_BYTES = 16 * 1024 * 1024

_O200K_PATTERN = "|".join(
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)
_CL100K_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
    r"|\s+(?!\S)|\s"
)


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """What identifies an encoding: file name, SHA-256 of the unpacked file, splitting pattern, special tokens."""

    file: str
    sha256: str
    pattern: str
    special: tuple[tuple[str, int], ...]


_VOCABULARIES = {
    "o200k_base": _Vocabulary(
        "o200k_base.tiktoken.gz",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        _O200K_PATTERN,
        (("<|endoftext|>", 199_999), ("<|endofprompt|>", 200_018)),
    ),
    "cl100k_base": _Vocabulary(
        "cl100k_base.tiktoken.gz",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        _CL100K_PATTERN,
        (
            ("<|endoftext|>", 100_257),
            ("<|fim_prefix|>", 100_258),
            ("<|fim_middle|>", 100_259),
            ("<|fim_suffix|>", 100_260),
            ("<|endofprompt|>", 100_276),
        ),
    ),
}


def data_folder() -> Path | None:
    """The folder of vocabulary files in the installed package ``bpe-openai``; None when it is not installed."""
    spec = importlib.util.find_spec("bpe_openai")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))) / "data"


def _ranks(vocabulary: _Vocabulary) -> dict[bytes, int]:
    """Token bytes to rank. Raises UserError when the file is missing or its content is not the published one."""
    folder = data_folder()
    mend = "Reinstall it: python -m pip install --force-reinstall bpe-openai"
    if folder is None:
        raise UserError("The package bpe-openai, which holds the token vocabulary, is not installed.", mend)
    path = folder / vocabulary.file
    try:
        with gzip.open(path) as stream:
            content = stream.read(_MAX_VOCABULARY_BYTES)
    except (OSError, EOFError) as error:
        raise UserError(f"The token vocabulary {path} cannot be read ({error}).", mend) from error
    if hashlib.sha256(content).hexdigest() != vocabulary.sha256:
        raise UserError(f"The token vocabulary {path} is not the published one (its SHA-256 differs).", mend)
    words = content.split()
    return dict(zip(map(binascii.a2b_base64, words[0::2]), map(int, words[1::2]), strict=True))


@lru_cache(maxsize=4)
def encoding(name: str = DEFAULT_ENCODING) -> tiktoken.Encoding:
    """The tiktoken encoding ``name`` (``o200k_base`` or ``cl100k_base``), built in about 0.4 s, then cached.

    Raises:
        UserError: The name is unknown here, or its vocabulary is missing or altered.
    """
    vocabulary = _VOCABULARIES.get(name)
    if vocabulary is None:
        raise UserError(f"The encoding {name} is not available offline.", f"Use one of {', '.join(_VOCABULARIES)}.")
    import tiktoken

    return tiktoken.Encoding(
        name, pat_str=vocabulary.pattern, mergeable_ranks=_ranks(vocabulary), special_tokens=dict(vocabulary.special)
    )


@dataclass(frozen=True, slots=True)
class EncodingChoice:
    """The encoding that counts for a model; ``note`` says so when it is a stand-in for one not available offline."""

    name: str
    note: str = ""


_CL100K_MODELS = ("gpt-4-", "gpt-3.5", "gpt-35", "text-embedding-")
_O200K_MODELS = ("gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "chatgpt-4o", "o1", "o3", "o4")


def encoding_for_model(model: str) -> EncodingChoice:
    """Which encoding counts tokens for ``model``; models of other makers are counted with o200k_base, and it says so.

    The last part of a ``maker/model`` name decides. Never raises.
    """
    name = model.strip().lower().rsplit("/", 1)[-1]
    if name.startswith(_O200K_MODELS):
        return EncodingChoice("o200k_base")
    if name == "gpt-4" or name.startswith(_CL100K_MODELS):
        return EncodingChoice("cl100k_base")
    return EncodingChoice(DEFAULT_ENCODING, f"{model or 'unknown model'}: counted with {DEFAULT_ENCODING} as stand-in")
