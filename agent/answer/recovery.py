"""The model's calls of ``artifact_get``: gathered from a stream, answered from the vault, a bounded number of times."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from retrieval.model_http import EndlessReplyError

if TYPE_CHECKING:
    from retrieval.context_ir.vault import Vault

MAX_ROUNDS = 3
_MAX_CALLS = 8  # of one round
MAX_NAME = 200  # of a call, and of its id: longer ones are shown, kept and sent back to no end
_MAX_CHARS = 1_000_000  # of the arguments of one reply
_REFUSED = (400, 404, 422, 501)


class ToolCalls:
    """Calls of one reply, whole or in pieces. Empty ones count as none."""

    def __init__(self) -> None:
        self._calls: dict[int, dict[str, str]] = {}
        self._size = 0
        self._at: dict[int, int] = {}  # index as the server counts -> key among the calls

    def __bool__(self) -> bool:
        return bool(self._calls)

    def add(self, pieces: Iterable[Any] | None) -> None:
        """Take what a chunk (or a whole message) says about calls."""
        for at, piece in enumerate(pieces or ()):
            given = _field(piece, "index")
            index = given if isinstance(given, int) else at
            key = self._at.setdefault(index, len(self._calls))
            known = self._calls.get(key, {"id": ""})["id"]
            given_id = str(_field(piece, "id") or "")[:MAX_NAME]
            if known and given_id not in ("", known):  # a server that gives each call the index 0
                key = self._at[index] = len(self._calls)
            call = self._calls.setdefault(key, {"id": "", "name": "", "arguments": ""})
            function = _field(piece, "function")
            call["id"] = given_id or call["id"]
            call["name"] = str(_field(function, "name") or call["name"])[:MAX_NAME]
            more = str(_field(function, "arguments") or "")
            self._size += len(more)
            if self._size > _MAX_CHARS:
                raise EndlessReplyError(f"wrote calls of more than {_MAX_CHARS:,} characters")
            call["arguments"] += more

    def take(self) -> list[dict[str, str]]:
        """The calls so far, in order, each with an id; afterwards there are none."""
        taken = [{**call, "id": call["id"] or f"call_{at}"} for at, call in sorted(self._calls.items())[:_MAX_CALLS]]
        self._calls.clear()
        self._at.clear()
        self._size = 0
        return taken


def _field(piece: Any, name: str) -> Any:
    return piece.get(name) if isinstance(piece, Mapping) else getattr(piece, name, None)


def with_results(
    options: Mapping[str, Any], calls: Sequence[Mapping[str, str]], vault: Vault, sources: Collection[str]
) -> dict[str, Any]:
    """The request with the calls and their results behind it. Only ``sources``, which it shows, can be fetched."""
    from retrieval.context_ir import tools

    asked = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": call["arguments"] or "{}"},
        }
        for call in calls
    ]
    messages = [*options["messages"], {"role": "assistant", "content": None, "tool_calls": asked}]
    for call in calls:
        if _artifact_of(call["arguments"]) in sources:
            result = tools.call(vault, call["name"], call["arguments"])
        else:
            result = json.dumps({"error": "this request shows no source of that id"})
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    return {**options, "messages": messages}


def _artifact_of(arguments: str) -> str:
    try:
        given = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        return ""
    return str(given.get("artifact_id") or "") if isinstance(given, dict) else ""


def refuses_tools(error: Exception) -> bool:
    """Whether a server says that it, or the model, takes no tools."""
    return getattr(error, "status_code", 0) in _REFUSED and "tool" in str(error).lower()
