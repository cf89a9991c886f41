"""One streamed answer from any OpenAI-compatible server, through the ``openai`` package (imported when first used)."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent.answer.config import DEFAULT_MODEL, AnswerConfig
from agent.answer.hangup import HangUp
from agent.answer.openai_errors import (
    endless,
    is_transport,
    is_worth_retrying,
    not_compatible,
    retry_delay,
    server_message,
    to_user_error,
)
from agent.answer.prompt import build_messages
from agent.answer.refused_options import as_accepted, unstreamed, without_refused
from agent.answer.wire import bounded, encodable, usage_of
from retrieval.errors import UserError
from retrieval.model_http import endless_reply, model_http_client
from retrieval.pack_records import ContextPack

if TYPE_CHECKING:
    from agent.answer.stage import RequestStage

log = logging.getLogger(__name__)

_MAX_WAIT_S = 120.0  # a server that asks for a longer pause than this is reported, not waited for
MIN_ANSWER_TOKENS = 256


def stream_answer(pack: ContextPack, config: AnswerConfig, sleep: Callable[[float], None] = time.sleep) -> ModelStream:
    """The model's answer, piece by piece. Nothing is sent before the first piece is asked for."""
    stage = None
    if config.context_ir is not None:
        from agent.answer.context_ir import IrStage

        stage = IrStage(pack, config.context_ir)
    return ModelStream(build_messages(pack), config, answer_tokens(pack, config), sleep, stage=stage)


def answer_tokens(pack: ContextPack, config: AnswerConfig) -> int:
    return config.max_answer_tokens or pack.reserve


def request_options(
    model: str, messages: Sequence[Mapping[str, Any]], config: AnswerConfig, max_tokens: int
) -> dict[str, Any]:
    """The whole request as it is sent, unless a server refuses a part of it."""
    return {
        "model": model,
        "messages": [dict(message) for message in messages],
        "temperature": config.temperature,
        "seed": config.seed,
        "max_tokens": max(MIN_ANSWER_TOKENS, max_tokens),
        "stream": True,
        "stream_options": {"include_usage": True},
    }


class ModelStream:
    """Iterate once over the pieces of text; then the attributes say how it went.

    Attributes:
        model: Name of the model that answered, as the server reports it.
        usage: ``prompt_tokens``, ``completion_tokens``, ``total_tokens`` when the server reports them.
        finish_reason: ``stop``, ``length`` …; "" when the server did not say.
        interrupted: Why the answer is incomplete; "" when it is not. Text that had arrived stays valid.
        stage: What re-encodes the request and takes the reply's calls of tools; None for a plain request.
        sent: The request as it was sent last. Given to the next stream as ``accepted``, it spares what was refused.

    Raises (while iterating):
        UserError: No answer came: unreachable, refused, not compatible, too long, still busy after the retries.
    """

    def __init__(
        self,
        messages: Sequence[Mapping[str, Any]],
        config: AnswerConfig,
        max_tokens: int,
        sleep: Callable[[float], None] = time.sleep,
        extra: Mapping[str, Any] | None = None,
        stage: RequestStage | None = None,
        accepted: Mapping[str, Any] | None = None,
    ) -> None:
        self._accepted = accepted
        self.sent: Mapping[str, Any] = {}
        self._messages = messages
        self.stage = stage
        self._extra = dict(extra or {})
        self._max_tokens = max_tokens
        self._config = config
        self._sleep = sleep
        self.model = config.model
        self.usage: dict[str, int] = {}
        self.finish_reason = ""
        self.interrupted = ""
        self._hang_up = HangUp()

    def hang_up(self) -> None:
        """End the request from another thread: the iteration ends as if the connection had broken off."""
        self._hang_up.now()

    def __iter__(self) -> Iterator[str]:
        with self._hang_up.after(self._config.longest_reply_s):
            yield from self._pieces()

    def _pieces(self) -> Iterator[str]:
        client = self._client()
        self.model = self.model or self._choose_model(client)
        options = {**request_options(self.model, self._messages, self._config, self._max_tokens), **self._extra}
        options = as_accepted(options, self._accepted)
        if self.stage is not None:
            options = self.stage.encode(options)
        attempt = 0
        while True:
            said_anything = False
            if self.stage is not None:
                self.stage.calls.take()  # pieces of a request that failed count for nothing
            self.sent = options
            try:
                for piece in bounded(self._request(client, options)):
                    said_anything = said_anything or bool(piece.strip())
                    yield piece
                following = self.stage.following(options) if self.stage is not None else None
                if following is not None:
                    options = following
                    continue
                if said_anything or (self.stage is not None and self.stage.calls):
                    self._note_end()
                    return
                if not options.get("stream"):
                    raise UserError(
                        f"The model {self.model!r} returned an empty answer.",
                        "Ask again, choose another with --model, or --answerer offline.",
                    )
                options = unstreamed(options)
            except UserError:
                raise
            except Exception as error:
                if said_anything or (self._hang_up.is_over and not self._hang_up.is_late):
                    self.interrupted = self._why_broken(error)
                    return
                if self._hang_up.is_late or endless_reply(error) is not None:
                    raise endless(error, self._config) from error
                if options.get("stream") and isinstance(error, ValueError):  # a chunk that is no JSON
                    options = unstreamed(options)
                    continue
                adapted = self.stage.without_tools(error, options) if self.stage is not None else None
                adapted = adapted or without_refused(error, options)
                if adapted is not None:
                    log.info("the server refuses an option: sending the request without it")
                    options = adapted
                    continue
                self._wait_or_raise(error, attempt, client)
                attempt += 1

    def _client(self) -> Any:
        import openai

        config = self._config
        return openai.OpenAI(
            api_key=config.key(),
            base_url=config.base_url or None,
            max_retries=0,  # retried here, so that a delay is known and an interrupt is heard
            timeout=openai.Timeout(config.timeout_s, connect=config.connect_timeout_s),
            http_client=model_http_client([self._hang_up.watch]),
        )

    def _choose_model(self, client: Any) -> str:
        """OpenAI's default, or the only model of another server."""
        if not self._config.base_url:
            return DEFAULT_MODEL
        models = self._list_models(client)
        if len(models) == 1:
            return models[0]
        if not models:
            try:
                client.models.list()
            except Exception as error:
                raise to_user_error(error, self._config, "", 1, tuple) from error
        named = ", ".join(models[:12]) or "none"
        raise UserError(
            f"{self._config.provider} offers several models and none was chosen.", f"Choose one with --model: {named}."
        )

    def _list_models(self, client: Any) -> list[str]:
        try:
            listed = client.with_options(timeout=self._config.connect_timeout_s).models.list()
            return sorted(str(model.id) for model in getattr(listed, "data", None) or () if getattr(model, "id", None))
        except Exception as error:
            log.debug("the server does not list its models: %s", server_message(error, self._config))
            return []

    def _request(self, client: Any, options: dict[str, Any]) -> Iterator[str]:
        response = client.chat.completions.create(**encodable(options))
        if not options.get("stream"):
            yield from self._whole(response.model_dump(warnings=False) if hasattr(response, "model_dump") else response)
            return
        http = getattr(response, "response", None)
        try:
            if http is not None and str(http.headers.get("content-type", "")).startswith("application/json"):
                yield from self._whole(json.loads(http.read()))  # a server that does not stream answers at once
                return
            for chunk in response:
                yield from self._chunk(chunk)
        finally:
            close = getattr(response, "close", None)
            if close is not None:
                close()

    def _chunk(self, chunk: Any) -> Iterator[str]:
        self._record(getattr(chunk, "model", None), getattr(chunk, "usage", None))
        for choice in (getattr(chunk, "choices", None) or ())[:1]:
            self.finish_reason = getattr(choice, "finish_reason", None) or self.finish_reason
            delta = getattr(choice, "delta", None)
            self._note_calls(getattr(delta, "tool_calls", None))
            content = getattr(delta, "content", None)
            if isinstance(content, str) and content:
                yield content

    def _whole(self, completion: Any) -> Iterator[str]:
        """The text of an answer that came in one piece."""
        choices = completion.get("choices") if isinstance(completion, Mapping) else None
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
            raise not_compatible(self._config.base_url or self._config.provider)
        self._record(completion.get("model"), completion.get("usage"))
        self.finish_reason = str(choices[0].get("finish_reason") or "")
        message = choices[0].get("message") or {}
        self._note_calls(message.get("tool_calls"))
        content = message.get("content")
        if isinstance(content, str) and content.strip():
            yield content

    def _note_calls(self, pieces: Any) -> None:
        if self.stage is not None:
            self.stage.calls.add(pieces)

    def _record(self, model: object, usage: object) -> None:
        if isinstance(model, str) and model:
            self.model = model
        self.usage.update(usage_of(usage))

    def _note_end(self) -> None:
        if self._hang_up.is_late:
            self.interrupted = f"it took longer than {self._config.longest_reply_s:g} s"
        elif self.finish_reason == "length":
            self.interrupted = "it reached the limit of its length"
        elif self.finish_reason == "content_filter":
            self.interrupted = "the server's content filter cut it off"
        elif not self.finish_reason:
            self.interrupted = "the server closed the stream without ending the answer"

    def _why_broken(self, error: Exception) -> str:
        if self._hang_up.is_late:
            return f"it took longer than {self._config.longest_reply_s:g} s"
        without_end = endless_reply(error)
        if without_end is not None:
            return f"the server {without_end.why}"
        if is_transport(error):
            return "the connection broke off"
        if isinstance(error, ValueError):
            return "the server sent a piece that is not JSON"
        return f"the server reported an error: {server_message(error, self._config)}"

    def _wait_or_raise(self, error: Exception, attempt: int, client: Any) -> None:
        delay = retry_delay(error, attempt, self._config)
        if not is_worth_retrying(error) or attempt >= self._config.max_retries or delay > _MAX_WAIT_S:
            list_models: Callable[[], list[str]] = lambda: self._list_models(client)  # noqa: E731
            raise to_user_error(error, self._config, self.model, attempt + 1, list_models) from error
        message = server_message(error, self._config)
        log.warning("%s said: %s; trying again in %.1f s", self._config.provider, message, delay)
        self._sleep(delay)
