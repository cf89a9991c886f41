"""Exact token counts of whole requests with the target model's tokenizer; no tokenizer means no IR."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from retrieval.context_ir.request import Request, canonical_json
from retrieval.errors import UserError

TOKENIZER_JSON = "CONTEXTC_TOKENIZER_JSON"
TIKTOKEN_ENCODING = "CONTEXTC_TIKTOKEN_ENCODING"
SCOPE = "canonical-request-json"

_SEGMENT_END = re.compile('role(?=")')
_MAX_SEGMENTS = 256
_MAX_TOKENIZER_BYTES = 64 * 1024 * 1024


class UnknownTokenizerError(UserError):
    """Nothing here counts for this model."""


@dataclass(frozen=True, slots=True)
class Size:
    tokens: int
    chars: int

    def smaller_than(self, other: Size) -> bool:
        """Strictly, in tokens and in characters."""
        return self.tokens < other.tokens and self.chars < other.chars


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """``count`` gives the tokens of a text; ``name`` says which vocabulary, for which model."""

    name: str
    model: str
    count: Callable[[str], int]

    def measure(self, request: Request) -> Size:
        """Tokens and characters of the complete canonical request.

        Raises:
            Exception: Whatever the tokenizer or JSON raises: the caller sends the request untouched.
        """
        text = canonical_json(request)
        return Size(self.count(text), len(text))


def tokenizer_for(model: str, env: Mapping[str, str] | None = None) -> Tokenizer:
    """The tokenizer of ``model``: a configured ``tokenizer.json``, a configured encoding, or the one known by name.

    Raises:
        UnknownTokenizerError: The model is unknown and nothing is configured.
        UserError: What is configured cannot be used.
    """
    source = os.environ if env is None else env
    file = source.get(TOKENIZER_JSON, "").strip()
    if file:
        return Tokenizer(f"tokenizer.json:{Path(file).name}", model, _from_file(Path(file)))
    name = source.get(TIKTOKEN_ENCODING, "").strip() or _known_encoding(model)
    if not name:
        raise UnknownTokenizerError(
            f"No tokenizer is known for the model {model[:80]!r}, so context IR leaves the request as it is.",
            f"Name its tokenizer.json in {TOKENIZER_JSON}, or its encoding in {TIKTOKEN_ENCODING}.",
        )
    return tiktoken_tokenizer(name, model)


def tiktoken_tokenizer(name: str, model: str = "") -> Tokenizer:
    """Counts with a tiktoken encoding; ``<|endoftext|>`` and its like count as the plain text they are.

    Raises:
        UserError: The encoding is not available offline.
    """
    from retrieval.tokens.vocabulary import encoding

    encode = encoding(name).encode_to_numpy
    return Tokenizer(name, model, _by_segments(lambda text: int(encode(text, disallowed_special=()).size)))


def _by_segments(count: Callable[[str], int]) -> Callable[[str], int]:
    """``count``, exact, with the segments between messages remembered: the search changes one message at a time.

    Both vocabularies split behind a run of letters that a quotation mark follows, so the counts of the pieces that end
    in ``role`` before ``"`` (each message's key) add up to the count of the whole.
    """
    known: dict[str, int] = {}

    def segmented(text: str) -> int:
        total = start = 0
        for end in (*(match.end() for match in _SEGMENT_END.finditer(text)), len(text)):
            piece = text[start:end]
            start = end
            tokens = known.get(piece)
            if tokens is None:
                if len(known) >= _MAX_SEGMENTS:
                    known.clear()
                tokens = known[piece] = count(piece)
            total += tokens
        return total

    return segmented


def _known_encoding(model: str) -> str:
    from retrieval.tokens.vocabulary import encoding_for_model

    choice = encoding_for_model(model)
    return "" if choice.note else choice.name  # a note says that the encoding is a stand-in


def _from_file(path: Path) -> Callable[[str], int]:
    mend = f"Give the path of a Hugging Face tokenizer.json in {TOKENIZER_JSON}."
    try:
        if path.stat().st_size > _MAX_TOKENIZER_BYTES:
            raise UserError(f"{path} is too large for a tokenizer.", mend)
        from tokenizers import Tokenizer as HfTokenizer

        loaded = HfTokenizer.from_str(path.read_text("utf-8"))
    except UserError:
        raise
    except Exception as error:  # the Rust library raises bare Exception
        raise UserError(f"The tokenizer {path} cannot be read ({str(error)[:120]}).", mend) from None
    return lambda text: len(loaded.encode(text, add_special_tokens=False).ids)
