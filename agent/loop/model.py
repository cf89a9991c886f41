"""One reply of the model, taken in a thread of its own: the loop can stop waiting at any time."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent.answer.config import AnswerConfig
from agent.answer.openai_client import ModelStream
from agent.answer.recovery import ToolCalls, refuses_tools
from agent.guard import TerminalFilter
from agent.loop.protocols import CallProtocol, TextGate
from agent.loop.records import Message, Reply

if TYPE_CHECKING:
    from agent.loop.context_ir import ChatIr
    from retrieval.context_ir.metrics import IrMetrics

_POLL_S = 0.1
_LOOKED_AT = 600  # characters of the end of a reply in which repetition is looked for
_REPEATS = 8
_CHECK_EVERY = 200


class ToolsRefusedError(Exception):
    """The server says that it, or the model, takes no tools."""


class CancelledRunError(Exception):
    """The user wants this turn no longer; ``why`` is "" then, or names the limit of time."""

    def __init__(self, why: str = "") -> None:
        super().__init__(why)
        self.why = why


class _Stage:
    """Gathers the calls of a reply, and re-encodes the request where context IR is on."""

    def __init__(self, ir: ChatIr | None) -> None:
        self.calls = ToolCalls()
        self.metrics: IrMetrics | None = None
        self._ir = ir

    def encode(self, plain: dict[str, Any]) -> dict[str, Any]:
        if self._ir is None:
            return plain
        encoded, self.metrics = self._ir.encode(plain)
        return encoded

    def following(self, options: Mapping[str, Any]) -> dict[str, Any] | None:
        return None

    def without_tools(self, error: Exception, options: Mapping[str, Any]) -> dict[str, Any] | None:
        if "tools" in options and _refuses_tools(error):
            raise ToolsRefusedError from error
        return None


def _refuses_tools(error: Exception) -> bool:
    """Not a request that is too long for its tools. llama.cpp's server says it with HTTP 500."""
    said = str(error).lower()
    if "context" in said or "too long" in said:
        return False
    return refuses_tools(error) or (getattr(error, "status_code", 0) == 500 and "tools param" in said)


class Abandon(threading.Event):
    """Set when nobody waits for the reply any more."""


def ask_model(
    messages: Sequence[Message],
    config: AnswerConfig,
    protocol: CallProtocol,
    *,
    final: bool,
    max_tokens: int,
    on_text: Callable[[str], None],
    cancelled: Callable[[], bool] = lambda: False,
    timeout_s: float | None = None,
    ir: ChatIr | None = None,
    accepted: Mapping[str, Any] | None = None,
) -> Reply:
    """Send one request and wait for the reply.

    Args:
        final: Nothing may be called: the reply is the answer.
        on_text: Gets the text as it arrives, free of terminal control and of calls.
        accepted: An earlier request (``Reply.sent``): what the server refused then is not sent again.
        timeout_s: After which the reply is given up; None waits as long as the server keeps talking.

    Raises:
        UserError: No reply came.
        ToolsRefusedError: The server takes no tools.
        CancelledRunError: ``cancelled`` said so, or the time is up.
    """
    stage = _Stage(ir)
    abandoned = Abandon()

    def pause(seconds: float) -> None:
        if abandoned.wait(seconds):
            raise CancelledRunError

    stream = ModelStream(messages, config, max_tokens, pause, protocol.request(final), stage, accepted)
    gate, terminal = TextGate(protocol.marker), TerminalFilter()
    pieces: list[str] = []
    size = checked = 0
    repeats = False
    for piece in _pumped(stream, abandoned, cancelled, timeout_s):
        clean = terminal.feed(piece)
        pieces.append(clean)
        on_text(gate.feed(clean))
        size += len(clean)
        if size - checked >= _CHECK_EVERY:
            checked = size
            if is_repetition("".join(pieces[-_LOOKED_AT:])):
                repeats = True
                break
    clean = terminal.finish()
    pieces.append(clean)
    on_text(gate.feed(clean) + gate.finish())
    interrupted = "the model repeats itself without end" if repeats else stream.interrupted
    text, calls = protocol.parse("".join(pieces), stage.calls)
    return Reply(text, () if repeats else calls, stream.model, dict(stream.usage), interrupted, stream.sent)


def _pumped(
    stream: ModelStream, abandoned: Abandon, cancelled: Callable[[], bool], timeout_s: float | None
) -> Iterator[str]:
    """The pieces of ``stream``, read by a thread that is left behind when nobody waits any more."""
    import time

    box: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

    def read() -> None:
        try:
            pieces = iter(stream)
            for piece in pieces:
                if abandoned.is_set():
                    break
                box.put(("piece", piece))
            box.put(("end", None))
        except BaseException as error:  # handed over to the thread that waits
            box.put(("error", error))

    threading.Thread(target=read, name="contextc-model", daemon=True).start()
    deadline = None if timeout_s is None else time.monotonic() + timeout_s
    try:
        while True:
            try:
                kind, value = box.get(timeout=_POLL_S)
            except queue.Empty:
                kind, value = "", None
            if cancelled():
                raise CancelledRunError
            if kind == "piece":
                yield value
            elif kind == "error":
                raise value
            elif kind == "end":
                return
            if deadline is not None and time.monotonic() > deadline:
                raise CancelledRunError("time")
    finally:
        abandoned.set()
        stream.hang_up()


def is_repetition(text: str) -> bool:
    """Whether ``text`` ends with one short unit said eight times and more."""
    end = text[-_LOOKED_AT:]
    for length in range(1, len(end) // _REPEATS + 1):
        unit = end[-length:]
        times = max(_REPEATS, -(-_CHECK_EVERY // length))  # a row of dashes is no repetition, a screen of them is
        if length * times <= len(end) and end.endswith(unit * times) and unit.strip(" -=_*|.\n\t"):
            return True
    return False
