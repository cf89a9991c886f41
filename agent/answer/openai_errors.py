"""Turns what an OpenAI-compatible server does wrong into a cause and a mend, and says what is worth a retry."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from agent.answer.config import AnswerConfig
from agent.guard import strip_controls
from retrieval.errors import UserError
from retrieval.model_http import endless_reply

_RETRY_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_NO_RETRY_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_TOO_LONG = (
    "context length",
    "context_length",
    "context window",
    "context size",
    "maximum context",
    "too long",
    "too many tokens",
)
_MAX_MESSAGE = 240
_MAX_MODELS_NAMED = 12


class TooLongError(UserError):
    """The request does not fit into the model's context."""


def is_transport(error: BaseException) -> bool:
    """A connection that failed, timed out or broke off, whichever HTTP client the package uses."""
    import openai

    return isinstance(error, openai.APIConnectionError | OSError) or type(error).__module__.startswith("http")


def is_worth_retrying(error: BaseException) -> bool:
    """Busy, failing or silent servers; not refused connections, unknown hosts, spent quotas or wrong requests."""
    import openai

    if isinstance(error, openai.APIStatusError):
        return error.status_code in _RETRY_STATUS and (error.code or "") not in _NO_RETRY_CODES
    return is_transport(error) and not _is_unreachable(error)


def retry_delay(
    error: BaseException, attempt: int, config: AnswerConfig, now: Callable[[], datetime] | None = None
) -> float:
    """Seconds to wait before try ``attempt + 1`` (attempt counts from 0).

    ``Retry-After`` (seconds or an HTTP date) and ``retry-after-ms`` win over the exponential delay. No jitter: one
    user's single request needs none, and runs stay repeatable.
    """
    stated = _stated_delay(_headers(error), now or (lambda: datetime.now(UTC)))
    if stated is not None:
        return stated
    return float(min(config.backoff_s * 2**attempt, config.max_backoff_s))


def _headers(error: object) -> Mapping[str, str]:
    return getattr(getattr(error, "response", None), "headers", None) or {}


def _stated_delay(headers: Mapping[str, str], now: Callable[[], datetime]) -> float | None:
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) * scale
        except ValueError:
            try:
                seconds = (parsedate_to_datetime(value) - now()).total_seconds()
            except (TypeError, ValueError):
                continue
        if seconds == seconds:  # not NaN
            return max(0.0, seconds)
    return None


def to_user_error(
    error: BaseException, config: AnswerConfig, model: str, tries: int, list_models: Callable[[], Sequence[str]]
) -> UserError:
    """The error as a person reads it. ``list_models`` is asked only when the model or the path was not found."""
    import openai

    where = strip_controls(config.base_url) or f"https://{config.provider}"
    if endless_reply(error) is not None:
        return endless(error, config)
    said = server_message(error, config)
    if isinstance(error, openai.APITimeoutError | TimeoutError):
        return UserError(
            f"{where} did not answer within {config.timeout_s:g} s (tried {tries} times).",
            "Raise the limit with --timeout, or choose a smaller model or --budget.",
        )
    if isinstance(error, openai.APIStatusError):
        return _status_error(error, config, model, where, said, tries, list_models)
    if _is_unreachable(error):
        hint = "Start the server" if config.is_local else "Check the network and --base-url"
        return UserError(f"Nothing answers at {where}.", f"{hint}, or answer without a model: --answerer offline.")
    if is_transport(error):
        return UserError(
            f"The connection to {where} broke off (tried {tries} times).", "Try again, or --answerer offline."
        )
    if isinstance(error, openai.APIError):
        return UserError(f"{where} reported an error: {said}", "Look at the server's log, or use --answerer offline.")
    return not_compatible(where, said)


def endless(error: BaseException, config: AnswerConfig) -> UserError:
    """Of a reply that is larger, longer or packed otherwise than any model's."""
    where = strip_controls(config.base_url) or f"https://{config.provider}"
    found = endless_reply(error)
    why = found.why if found is not None else f"did not end a reply within {config.longest_reply_s:g} s"
    return UserError(f"{where} {why}.", "Look at the server's log, or answer without a model: --answerer offline.")


def not_compatible(where: str, said: str = "") -> UserError:
    shown = f" ({said})" if said else ""
    return UserError(
        f"{where} did not answer as an OpenAI-compatible server does{shown}.",
        "Check --base-url: it usually ends with /v1 (Ollama: http://localhost:11434/v1).",
    )


def _status_error(
    error: object,
    config: AnswerConfig,
    model: str,
    where: str,
    said: str,
    tries: int,
    list_models: Callable[[], Sequence[str]],
) -> UserError:
    status = int(getattr(error, "status_code", 0))
    code = str(getattr(error, "code", "") or "")
    if 300 <= status < 400:
        target = strip_controls(_headers(error).get("location", ""))[:_MAX_MESSAGE]
        return UserError(
            f"{where} redirects (HTTP {status}) to {target or 'nowhere'}; nothing is sent on.",
            "Give the address that answers as --base-url, if you trust it.",
        )
    if status in (401, 403):
        mend = "Check OPENAI_API_KEY" + (" and that the key may use this model." if status == 403 else ".")
        return UserError(f"{where} refused the API key (HTTP {status}): {said}", mend)
    if status == 404:
        models = list_models()
        if models and model not in models:
            named = ", ".join(strip_controls(name) for name in models[:_MAX_MODELS_NAMED])
            more = f" and {len(models) - _MAX_MODELS_NAMED} more" if len(models) > _MAX_MODELS_NAMED else ""
            return UserError(f"{where} has no model {model!r}.", f"It has {named}{more}; choose one with --model.")
        if "model" in said.lower():
            return UserError(f"{where} has no model {model!r}: {said}", "Choose another with --model.")
        return not_compatible(where, f"HTTP 404: {said}")
    if status == 429:
        if code in _NO_RETRY_CODES:
            return UserError(
                f"{where} refused: the account's quota is spent.", "Mend the account, or --answerer offline."
            )
        return UserError(
            f"{where} is busy (HTTP 429, tried {tries} times): {said}", "Wait and ask again, or --answerer offline."
        )
    if status in (400, 413, 422) and (status == 413 or any(sign in f"{code} {said}".lower() for sign in _TOO_LONG)):
        return TooLongError(
            f"The question and its evidence are too long for {model!r}: {said}",
            "Lower --budget, or choose a model with a longer context.",
        )
    if status >= 500:
        return UserError(
            f"{where} failed (HTTP {status}, tried {tries} times): {said}", "Look at the server's log, or try again."
        )
    return UserError(
        f"{where} refused the request (HTTP {status}): {said}", "Check --model and the server's documentation."
    )


def server_message(error: BaseException, config: AnswerConfig) -> str:
    """The server's own words on one line, without control characters and without the key."""
    body = getattr(error, "body", None)
    message = body.get("message") if isinstance(body, Mapping) else None
    text = message if isinstance(message, str) and message else str(error)
    if config.api_key:
        text = text.replace(config.api_key, "[key]")
    text = " ".join(strip_controls(text).split())
    return text if len(text) <= _MAX_MESSAGE else text[: _MAX_MESSAGE - 1] + "…"


def _is_unreachable(error: BaseException) -> bool:
    return any(
        isinstance(each, ConnectionRefusedError | socket.gaierror) or _is_connect(each) for each in _chain(error)
    )


def _is_connect(error: BaseException) -> bool:
    return type(error).__name__ == "ConnectError"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen = 0
    while error is not None and seen < 16:
        yield error
        error, seen = error.__cause__ or error.__context__, seen + 1
