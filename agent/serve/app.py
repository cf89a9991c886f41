"""The application: routes to blocking work, under the guard."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Any, NoReturn

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from agent.serve import tree
from agent.serve.asking import Emit, Question, answer_by_model, fresh_pack, prepare
from agent.serve.document import checked_body, checked_query, document
from agent.serve.events import EventStream, encode_json
from agent.serve.guard import Guard
from agent.serve.keeper import Keeper
from agent.serve.problems import RequestError, problem, response_to
from agent.serve.settings import ServeSettings
from agent.serve.work import Gone, GoneError, T, Threads, lent, wait_for_disconnect
from agent.session import Session
from agent.tools.pool import SessionPool

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_SCRIPTS = ("page", "stream", "answer", "evidence", "source", "dom")
_PAGE = {"/": ("page.html", "text/html"), "/page.css": ("page.css", "text/css")} | {
    f"/{name}.js": (f"{name}.js", "text/javascript") for name in _SCRIPTS
}
QUICK_THREADS = 2  # for what takes no compiling: a line to open must not wait behind a line of questions
_BODY_S = 20.0  # for a request's body to come


class Server:
    """Everything that requests share. ``app`` is the ASGI application."""

    def __init__(self, settings: ServeSettings, pool: SessionPool, keeper: Keeper) -> None:
        self._settings = settings
        self._pool = pool
        self._keeper = keeper
        self._threads = Threads(settings.workers, settings.waiting, "contextc")
        self._quick = Threads(QUICK_THREADS, settings.waiting, "contextc-quick")
        self._streams = Threads(settings.streams, settings.waiting, "contextc-model")
        self.stopping = asyncio.Event()
        routes = [Route("/openapi.json", self._document, methods=["GET"])]
        routes += [Route(path, partial(_page, *page), methods=["GET"]) for path, page in _PAGE.items()]
        for path, method, endpoint in (
            ("/api/status", "GET", self._status),
            ("/api/search", "POST", self._search),
            ("/api/pack", "POST", self._pack),
            ("/api/ask", "POST", self._ask),
            ("/api/ask/stream", "POST", self._ask_stream),
            ("/api/file", "GET", self._file),
            ("/api/graph", "GET", self._graph),
        ):
            routes.append(Route(path, _answering(endpoint), methods=[method]))
        starlette = Starlette(routes=routes, exception_handlers={404: _not_found, 405: _not_allowed})
        starlette.router.redirect_slashes = False
        self.app: ASGIApp = Guard(starlette, settings.token, settings.hosts, ("/openapi.json", *_PAGE))

    def close(self) -> None:
        """Waiting work is dropped; what runs ends by itself or with its client."""
        self._threads.close()
        self._quick.close()
        self._streams.close()
        self._keeper.close()
        self._pool.close()

    # ---- endpoints ---------------------------------------------------------------------------------------------------

    async def _document(self, request: Request) -> Response:
        return _json(encode_json(document()))

    async def _status(self, request: Request) -> Response:
        checked_query("/api/status", request.query_params.multi_items())
        return await self._tree(request, partial(tree.status, settings=self._settings))

    async def _search(self, request: Request) -> Response:
        given = await _body(request, "SearchRequest")
        query, paths = _clean(given["query"]), [_clean(path) for path in given["paths"]]
        return await self._tree(request, lambda session: tree.search(session, query, given["k"], paths))

    async def _file(self, request: Request) -> Response:
        given = checked_query("/api/file", request.query_params.multi_items())
        path, first, last = _clean(given["path"]), given["first"], given.get("last")
        return await self._tree(request, lambda session: tree.file_lines(session, path, first, last))

    async def _graph(self, request: Request) -> Response:
        given = checked_query("/api/graph", request.query_params.multi_items())
        symbol, to = _clean(given["symbol"]), _clean(given["to"]) if "to" in given else None
        rest = (given["relation"], to, given.get("depth"), given["min_confidence"], given["limit"])
        return await self._tree(request, lambda session: tree.graph(session, symbol, *rest))

    async def _pack(self, request: Request) -> Response:
        from retrieval.compile.schema import pack_to_dict

        asked = self._question(await _body(request, "PackRequest"))

        def work(gone: Gone) -> Any:
            return pack_to_dict(fresh_pack(self._pool, self._keeper, asked.text, asked.budget, asked.reserve, gone))

        return await self._run(request, work, self._threads)

    async def _ask(self, request: Request) -> Response:
        asked = self._question(await _body(request, "AskRequest"))
        told: dict[str, Any] = {}
        gone = Gone()
        work = asyncio.create_task(self._answer(asked, told.__setitem__, gone))
        await _until_gone(request, work, gone)
        return _json(encode_json({"answer": told["answer"], "pack": told["pack"]}))

    async def _ask_stream(self, request: Request) -> EventStream:
        asked = self._question(await _body(request, "AskRequest"))

        async def source(emit: Emit, gone: Gone) -> None:
            loop = asyncio.get_running_loop()
            began = loop.time()
            await self._answer(asked, emit, gone)
            emit("done", {"seconds": round(loop.time() - began, 3)})

        return EventStream(source, self.stopping)

    # ---- work --------------------------------------------------------------------------------------------------------

    def _question(self, given: dict[str, Any]) -> Question:
        config = replace(self._settings.answer, strict=given.get("strict", False))
        if given.get("answerer") == "offline":
            config = replace(config, answerer="offline")
        budget, reserve = given.get("budget", self._settings.budget), given.get("reserve", self._settings.reserve)
        return Question(_clean(given["question"]), budget, reserve, config, self._settings.rules)

    async def _answer(self, asked: Question, emit: Emit, gone: Gone) -> None:
        prepared = await self._threads.run(partial(prepare, self._pool, self._keeper, asked, emit, gone))
        answer = prepared.answer
        if answer is None:
            answer = await self._streams.run(partial(answer_by_model, prepared, emit, gone))
        told = answer.to_dict()
        emit("citations", told["citations"])
        emit("answer", told)

    async def _tree(self, request: Request, work: Callable[[Session], Any]) -> Response:
        def on_session(gone: Gone) -> Any:
            with lent(self._pool, gone) as session:
                return work(session)

        return await self._run(request, on_session, self._quick)

    async def _run(self, request: Request, work: Callable[[Gone], Any], threads: Threads) -> Response:
        """What ``work`` gives, as JSON; it is made and encoded in a thread."""
        gone = Gone()
        task = asyncio.create_task(threads.run(lambda: encode_json(work(gone))))
        return _json(await _until_gone(request, task, gone))


async def _until_gone(request: Request, work: asyncio.Task[T], gone: Gone) -> T:
    """The result, unless the client goes first: then what has not begun is dropped, what runs is told."""
    leaving = asyncio.create_task(wait_for_disconnect(request.receive))
    try:
        await asyncio.wait((work, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise GoneError
        return work.result()
    finally:
        gone.set()
        for task in (work, leaving):
            task.cancel()
        await asyncio.gather(work, leaving, return_exceptions=True)


def _answering(
    endpoint: Callable[[Request], Awaitable[Response | EventStream]],
) -> Callable[[Request], Awaitable[Response | EventStream]]:
    async def call(request: Request) -> Response | EventStream:
        try:
            return await endpoint(request)
        except GoneError:
            return Response(status_code=499)  # nobody reads it
        except Exception as error:
            return response_to(error)

    return call


async def _body(request: Request, name: str) -> dict[str, Any]:
    """The request's JSON, checked against the document's schema ``name``."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RequestError(415, "The body is not declared as JSON.", "Send Content-Type: application/json")
    if request.query_params:
        raise RequestError(422, "This request takes no parameters in its address.", "Put them into the body.")
    try:
        async with asyncio.timeout(_BODY_S):
            data = await request.body()
    except TimeoutError:
        raise RequestError(408, f"The body did not come within {_BODY_S:.0f} s.", "Send it at once.") from None
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        cause = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise RequestError(400, f"The body is not JSON in UTF-8: {cause[:200]}", "Send one JSON object.") from None
    return checked_body(name, value)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _clean(text: str) -> str:
    """Text as the index takes it: no NUL, no half of a surrogate pair."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def _json(data: bytes) -> Response:
    return Response(data, media_type="application/json")


async def _page(name: str, kind: str, request: Request) -> Response:
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    return Response(text, media_type=kind)


async def _not_found(request: Request, error: Exception) -> Response:
    return problem(404, "There is nothing here.", "See /openapi.json for what there is.")


async def _not_allowed(request: Request, error: Exception) -> Response:
    headers = getattr(error, "headers", None) or {}
    return problem(405, f"{request.method[:20]} is not what this address takes.", "See /openapi.json.", headers)
