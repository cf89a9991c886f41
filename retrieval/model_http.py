"""The HTTP client for servers of models: it sends nothing elsewhere, unpacks nothing, and no reply is without end."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

MAX_STREAM_BYTES = 64 * 1024 * 1024  # of events, some two hundred bytes for each token
MAX_BODY_BYTES = 16 * 1024 * 1024
_STREAMED = "text/event-stream"


class EndlessReplyError(Exception):
    """A reply is larger, or comes in another form, than any model's; ``why`` ends a sentence that names the server."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def endless_reply(error: BaseException | None) -> EndlessReplyError | None:
    """The ``EndlessReplyError`` behind ``error``, however the client's package has wrapped it."""
    for _ in range(16):
        if error is None or isinstance(error, EndlessReplyError):
            return error
        error = error.__cause__ or error.__context__
    return None


def within(seconds: float, work: Callable[[], Any]) -> Any:
    """What ``work`` returns or raises, done in a thread that is left behind when it takes longer.

    The client's own timeout is about silence: a server that sends a byte now and then, of the headers too, is never
    silent. Whoever catches the error closes the client, which ends that thread.

    Raises:
        EndlessReplyError: It took longer than ``seconds``.
    """
    results: list[Any] = []
    faults: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as fault:  # raised again where it is waited for
            faults.append(fault)

    thread = threading.Thread(target=run, name="contextc-reply", daemon=True)
    thread.start()
    thread.join(seconds)
    if faults:
        raise faults[0]
    if not results:
        raise EndlessReplyError(f"took more than {seconds:g} s for one reply")
    return results[0]


def model_http_client(on_request: Sequence[Callable[[Any], None]] = ()) -> Any:
    """For the ``http_client`` of ``openai.OpenAI``: its defaults, but for what a hostile or broken server could use.

    Redirections are not followed: the request holds source code. Compressed replies are neither asked for nor
    unpacked, since a few kilobytes can unpack to gigabytes. While a reply is read, ``EndlessReplyError`` is raised
    where it exceeds ``MAX_STREAM_BYTES`` (events) or ``MAX_BODY_BYTES``.

    Args:
        on_request: Further hooks of httpx, called with each request.
    """
    import openai

    # Releases of openai differ in their HTTP package (httpx, httpx2), and each reads streams of its own class only.
    base = openai.DefaultHttpxClient.__mro__[1]
    stream_class: type = sys.modules[base.__module__.partition(".")[0]].SyncByteStream

    class Bounded(stream_class):  # type: ignore[misc]
        def __init__(self, stream: Any, limit: int) -> None:
            self._stream, self._limit = stream, limit

        def __iter__(self) -> Iterator[bytes]:
            left = self._limit
            for piece in self._stream:
                left -= len(piece)
                if left < 0:
                    yield piece[:left]
                    raise EndlessReplyError(f"sent more than {self._limit >> 20} MB in one reply")
                yield piece

        def close(self) -> None:
            self._stream.close()

    def bound(response: Any) -> None:
        if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            raise EndlessReplyError("sent a compressed reply, which was not asked for")
        streams = response.is_success and response.headers.get("content-type", "").startswith(_STREAMED)
        response.stream = Bounded(response.stream, MAX_STREAM_BYTES if streams else MAX_BODY_BYTES)

    return openai.DefaultHttpxClient(
        follow_redirects=False,
        headers={"Accept-Encoding": "identity"},
        event_hooks={"request": list(on_request), "response": [bound]},
    )
