"""How to answer: which answerer, which server and model, how long to wait."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from retrieval.errors import UserError

if TYPE_CHECKING:
    from agent.answer.context_ir import IrUse

OPENAI_BASE_URL = "https://api.openai.com/v1"
DEFAULT_MODEL = "gpt-4.1-mini"
ANSWERERS = ("auto", "offline", "openai")
_REPLY_TIMES = 30  # the longest silence: a whole reply
_LOCAL_KEY = "local"  # local servers want a key in the header and do not look at it


def _is_server(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that do not close, a port that is no number
        return False


@dataclass(frozen=True, slots=True)
class AnswerConfig:
    """Settings of one answer.

    Attributes:
        answerer: ``auto`` (a model when a base URL or a key is given, else offline), ``offline``, ``openai``, or the
            name of a plugin.
        base_url: Of an OpenAI-compatible server, up to and including ``/v1``; "" for OpenAI's own.
        model: Model name; "" for the server's only model when it lists exactly one, else DEFAULT_MODEL.
        timeout_s: Longest silence of the server, in seconds; a whole reply may take thirty times as long.
        connect_timeout_s: For the connection.
        max_retries: How often a refused or failed request is repeated (429, 5xx, timeouts, dropped connections).
        backoff_s: First delay; it doubles each time up to ``max_backoff_s``. A ``Retry-After`` header wins.
        max_answer_tokens: Limit of the reply; 0 takes the pack's reserve.
        strict: Refuse to answer from a pack with defects.
        context_ir: How to re-encode the request; None sends it as it is.
    """

    answerer: str = "auto"
    base_url: str = ""
    model: str = ""
    api_key: str = ""
    timeout_s: float = 120.0
    connect_timeout_s: float = 5.0
    max_retries: int = 4
    backoff_s: float = 0.5
    max_backoff_s: float = 30.0
    temperature: float = 0.0
    seed: int = 0
    max_answer_tokens: int = 0
    strict: bool = False
    context_ir: IrUse | None = None

    def __repr__(self) -> str:  # a key must not reach a log
        return f"AnswerConfig(answerer={self.answerer!r}, base_url={self.base_url!r}, model={self.model!r})"

    @property
    def is_plugin(self) -> bool:
        """Whether another package answers (``agent.answer.plugin``)."""
        return self.answerer not in ANSWERERS

    @property
    def wants_model(self) -> bool:
        """Whether a model server of ours is asked."""
        return self.answerer == "openai" or (self.answerer == "auto" and bool(self.base_url or self.api_key))

    @property
    def longest_reply_s(self) -> float:
        """After which a reply is given up though pieces of it still come."""
        return _REPLY_TIMES * self.timeout_s

    @property
    def is_local(self) -> bool:
        """On this machine or in its network: a private address, a name without dots, ``*.local`` or ``*.internal``."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_private
        except ValueError:
            return bool(host) and ("." not in host or host.endswith((".local", ".internal")))

    @property
    def provider(self) -> str:
        """Host (and port) of the server, for the record."""
        return urlsplit(self.base_url or OPENAI_BASE_URL).netloc.rpartition("@")[2]

    def key(self) -> str:
        """The API key to send.

        Raises:
            UserError: None is given and the server is not a local one.
        """
        if self.api_key:
            return self.api_key
        if self.base_url and self.is_local:
            return _LOCAL_KEY
        raise UserError(
            f"{self.provider} needs an API key and none is set.",
            "Set OPENAI_API_KEY, or use a local server (--base-url http://localhost:11434/v1) or --answerer offline.",
        )

    @classmethod
    def from_env(cls, env: Mapping[str, str] | None = None, **given: object) -> AnswerConfig:
        """From ``OPENAI_API_KEY``, ``OPENAI_BASE_URL`` and ``CONTEXTC_MODEL``; a ``given`` value wins unless None."""
        source = os.environ if env is None else env
        values: dict[str, object] = {
            "api_key": source.get("OPENAI_API_KEY", "").strip(),
            "base_url": source.get("OPENAI_BASE_URL", "").strip(),
            "model": source.get("CONTEXTC_MODEL", "").strip(),
        }
        values.update((name, value) for name, value in given.items() if value is not None)
        base_url = str(values["base_url"])
        if base_url and not _is_server(base_url):
            raise UserError(f"{base_url!r} is not the URL of a server.", "Give it as http://host:port/v1.")
        return cls(**values)  # type: ignore[arg-type]
