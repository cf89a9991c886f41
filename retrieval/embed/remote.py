"""Embeddings from any server that speaks OpenAI's ``/embeddings``: OpenAI, Ollama, vLLM, llama.cpp and the like."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from retrieval.embed.base import Matrix, unit_rows
from retrieval.errors import UserError
from retrieval.model_http import EndlessReplyError, endless_reply, model_http_client, within

_log = logging.getLogger(__name__)

BASE_URL_VARIABLES = ("CONTEXTC_EMBED_BASE_URL", "OPENAI_BASE_URL")
KEY_VARIABLES = ("CONTEXTC_EMBED_API_KEY", "OPENAI_API_KEY")
TIMEOUT_VARIABLE = "CONTEXTC_EMBED_TIMEOUT"

_TEXTS_PER_REQUEST = 64
_MAX_TEXT_CHARS = 8_000  # OpenAI's limit is 8,191 tokens and a token has at least one character in all but odd texts
_MAX_PIECES = 32  # of one text; the beginning of a quarter of a million characters says what the rest is about
_SILENCE_S = 60.0
_REPLY_S = 600.0
_MOST_REPLY_S = 86_400.0
_ATTEMPTS = 6
_FIRST_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 60.0
_RETRIED_STATUS = frozenset({408, 409, 429, 500, 502, 503, 504})


class OpenAIEmbedder:
    """Asks ``{base_url}/embeddings``. Constructing it dials nothing and imports nothing heavy.

    A request that fails with 429, a timeout or a server's own fault is repeated with growing pauses, at least as long
    as the server's Retry-After asks; when patience runs out, a UserError says so. Batches that came back before stay
    with the caller (``embed_batches``). A text above the length limit is embedded in pieces, averaged by length. A
    reply that takes longer in all than CONTEXTC_EMBED_TIMEOUT (seconds) is not asked for again: its server drips.

    Args:
        model: The server's name for the model.
        base_url: Ends before ``/embeddings``; None reads CONTEXTC_EMBED_BASE_URL, then OPENAI_BASE_URL, then OpenAI.
        dim: Expected length of a vector; None learns it from the first answer.
        sleep: For tests.
    """

    local = False
    batch_size = _TEXTS_PER_REQUEST

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        dim: int | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._model = model
        self._base_url = base_url or _first_set(BASE_URL_VARIABLES)
        self._key = _first_set(KEY_VARIABLES)
        if not self._key and not self._base_url:
            raise UserError(
                f"The embedder openai:{model} needs a key.",
                f"Set {KEY_VARIABLES[1]}, or {BASE_URL_VARIABLES[0]} for a server of your own.",
            )
        self._reply_s = _reply_seconds()
        self._dim = dim
        self._sleep = sleep
        self._client: Any = None

    @property
    def model_id(self) -> str:
        """The model's name alone: the same model behind another address gives the same vectors."""
        return f"openai:{self._model}"

    @property
    def dim(self) -> int:
        if self._dim is None:
            self._request(["dimension"])
        if self._dim is None:
            raise self._unusable("it returned no vector")
        return self._dim

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """float32[len(texts), dim]; raises UserError when the server refuses, stays silent or changes its dimension."""
        pieces: list[str] = []
        owners: list[int] = []
        for owner, text in enumerate(texts):
            for start in range(0, min(len(text), _MAX_TEXT_CHARS * _MAX_PIECES), _MAX_TEXT_CHARS):
                piece = text[start : start + _MAX_TEXT_CHARS]
                if piece.strip():  # servers refuse empty input, and JSON carries no lone surrogates
                    pieces.append(piece.encode("utf-8", "replace").decode("utf-8"))
                    owners.append(owner)
        answers = [
            self._request(pieces[first : first + _TEXTS_PER_REQUEST])
            for first in range(0, len(pieces), _TEXTS_PER_REQUEST)
        ]
        sums = np.zeros((len(texts), self.dim), dtype=np.float64)  # asks for the dimension only if nothing was sent
        if answers:
            lengths = np.array([[len(piece)] for piece in pieces], dtype=np.float64)
            np.add.at(sums, owners, np.concatenate(answers) * lengths)
        return unit_rows(sums)

    def embed_query(self, text: str) -> Matrix:
        """float32[dim]; raises as ``embed_documents``."""
        row: Matrix = self.embed_documents([text])[0]
        return row

    def _request(self, batch: Sequence[str]) -> Matrix:
        import openai

        if self._client is None:
            # The retries here honour Retry-After and are logged; the client's own would hide behind them.
            self._client = openai.OpenAI(
                api_key=self._key or "none",
                base_url=self._base_url,
                timeout=min(_SILENCE_S, self._reply_s),
                max_retries=0,
                http_client=model_http_client(),
            )
        pause = _FIRST_PAUSE_S
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return self._vectors_of(within(self._reply_s, partial(self._ask, self._client, batch)), len(batch))
            except openai.APIStatusError as fault:
                if fault.status_code not in _RETRIED_STATUS:
                    raise self._unusable(f"HTTP {fault.status_code}: {self._one_line(fault.message)}") from fault
                reason, asked = f"HTTP {fault.status_code}", _retry_after(fault.response.headers.get("retry-after"))
            except EndlessReplyError as fault:
                client, self._client = self._client, None
                client.close()
                raise self._unusable(f"it {fault.why}") from fault
            except openai.APIConnectionError as fault:  # timeouts included
                if without_end := endless_reply(fault):
                    raise self._unusable(f"it {without_end.why}") from fault
                reason, asked = self._one_line(str(fault)), 0.0
            except openai.OpenAIError as fault:
                raise self._unusable(self._one_line(str(fault))) from fault
            except (ValueError, RecursionError) as fault:  # bytes that are no text, text that is no JSON
                raise self._unusable(f"its answer cannot be read: {self._one_line(str(fault))}") from fault
            if attempt < _ATTEMPTS:
                wait = min(max(pause, asked), _LONGEST_PAUSE_S)
                _log.warning("embedding request %d of %d failed (%s); next in %.0f s", attempt, _ATTEMPTS, reason, wait)
                self._sleep(wait)
                pause *= 2
        raise self._unusable(f"{reason}, {_ATTEMPTS} times")

    def _ask(self, client: Any, batch: Sequence[str]) -> Any:
        return client.embeddings.create(model=self._model, input=list(batch), encoding_format="float")

    def _vectors_of(self, answer: Any, n: int) -> Matrix:
        try:
            rows = sorted(answer.data, key=lambda item: int(item.index))
            with np.errstate(over="ignore"):  # what is too large for float32 becomes infinite, and no unit vector
                matrix = np.array([row.embedding for row in rows], dtype=np.float32)
        except (AttributeError, TypeError, ValueError) as fault:
            raise self._unusable("its answer is not a list of vectors of one length") from fault
        if matrix.ndim != 2 or len(matrix) != n or matrix.shape[1] == 0:
            raise self._unusable(f"it returned {len(matrix)} vectors for {n} texts")
        if self._dim is None:
            self._dim = int(matrix.shape[1])
        if matrix.shape[1] != self._dim:
            raise self._unusable(f"it returned {matrix.shape[1]} dimensions where {self._dim} are expected")
        return unit_rows(matrix)

    def _one_line(self, text: str) -> str:
        """The server's words, without the key, which some of them quote."""
        return " ".join(text.replace(self._key, "[key]").split() if self._key else text.split())[:200]

    def _unusable(self, why: str) -> UserError:
        where = self._base_url or "OpenAI"
        return UserError(
            f"The embedder {self.model_id} at {where} failed: {why}.",
            f"Check the address, the key, the model's name and {TIMEOUT_VARIABLE} (seconds for a reply), then run the "
            "command again: finished batches are kept.",
        )


def _first_set(names: Sequence[str]) -> str | None:
    return next((value for name in names if (value := os.environ.get(name))), None)


def _reply_seconds() -> float:
    """How long one reply may take in all."""
    given = os.environ.get(TIMEOUT_VARIABLE)
    try:
        seconds = float(given) if given else _REPLY_S
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _MOST_REPLY_S:
        raise UserError(
            f"{TIMEOUT_VARIABLE} is {(given or '')[:40]!r}.",
            f"Set it to seconds above 0 and up to {_MOST_REPLY_S:.0f}, or leave it away: {_REPLY_S:.0f}.",
        )
    return seconds


def _retry_after(header: str | None) -> float:
    """Seconds that a Retry-After header asks for; 0 for none and for the form with a date."""
    try:
        seconds = float(header or 0)
    except ValueError:
        return 0.0
    return seconds if 0 <= seconds < float("inf") else 0.0
