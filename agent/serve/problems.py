"""Errors as problem documents (RFC 9457): one line of cause, one of mend."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.responses import JSONResponse

from agent.guard import strip_controls
from retrieval.errors import IndexUnavailableError, UserError

_LOG = logging.getLogger(__name__)
_MAX_LINE = 600  # characters of a cause or a mend
MEDIA_TYPE = "application/problem+json"


class RequestError(UserError):
    """A request that cannot be served; ``status`` tells of which kind."""

    def __init__(self, status: int, cause: str, mend: str, **more: Any) -> None:
        super().__init__(cause, mend)
        self.status = status
        self.more = more


def problem(status: int, cause: str, mend: str, headers: Mapping[str, str] | None = None, **more: Any) -> JSONResponse:
    return JSONResponse(
        problem_dict(status, cause, mend, **more), status, headers=dict(headers or {}), media_type=MEDIA_TYPE
    )


def problem_dict(status: int, cause: str, mend: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "cause": _line(cause),
        "mend": _line(mend),
        **more,
    }


def describe(error: Exception) -> dict[str, Any]:
    """The problem document of anything that went wrong; what is no user's mistake is logged."""
    match error:
        case RequestError():
            return problem_dict(error.status, error.cause, error.mend, **error.more)
        case IndexUnavailableError():
            return problem_dict(503, error.cause, error.mend)
        case UserError():
            return problem_dict(422, error.cause, error.mend)
        case sqlite3.DatabaseError():
            return problem_dict(503, f"The index is damaged ({error}).", "Rebuild it: contextc index --rebuild")
        case OSError():
            where = f" {error.filename}" if error.filename else ""
            cause = f"The system refused{where}: {error.strerror or error}."
            return problem_dict(503, cause, "Check the path, permissions and space.")
    _LOG.error("%s: %s", type(error).__name__, error, exc_info=bool(os.environ.get("CONTEXTC_DEBUG")))
    cause = f"Internal error: {type(error).__name__}."
    return problem_dict(500, cause, "Please report it with the server's output under CONTEXTC_DEBUG=1.")


def response_to(error: Exception) -> JSONResponse:
    told = describe(error)
    headers = {"retry-after": "1"} if told["status"] == HTTPStatus.SERVICE_UNAVAILABLE else {}
    return JSONResponse(told, told["status"], headers=headers, media_type=MEDIA_TYPE)


def _line(text: str) -> str:
    folded = " ".join(strip_controls(text).split()).encode("utf-8", "replace").decode("utf-8")
    return folded if len(folded) <= _MAX_LINE else folded[: _MAX_LINE - 1] + "…"
