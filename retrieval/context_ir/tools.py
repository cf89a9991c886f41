"""What an agent may do with the vault: ``artifact_get``, ``artifact_peek``, ``artifact_find``, with their JSON schemas.

Each returns bounded text that says how to go on. Arguments come from a model: wrong ones give a message, not an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from retrieval.context_ir.formats import RECOVERY_TOOL
from retrieval.context_ir.inspection import MAX_PAGE_CHARS, Page, page_of
from retrieval.context_ir.vault import Vault
from retrieval.errors import UserError

DEFAULT_PAGE_CHARS = 8_000
PEEK_CHARS = 400  # of the start and of the end
MAX_HITS = 50
_AROUND_CHARS = 80

_ID = {"type": "string"}
_NUMBER = {"type": "integer", "minimum": 0}


def _tool(name: str, description: str, properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    parameters = {"type": "object", "properties": dict(properties), "required": required}
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


GET_TOOL = _tool(
    RECOVERY_TOOL,
    "Exact text of a source, in characters.",
    {"artifact_id": _ID, "offset": _NUMBER, "limit": _NUMBER},
    ["artifact_id"],
)
PEEK_TOOL = _tool("artifact_peek", "Start, end and size of a source.", {"artifact_id": _ID}, ["artifact_id"])
FIND_TOOL = _tool(
    "artifact_find",
    "Where a text occurs in a source, or in all sources that were shown.",
    {"query": {"type": "string"}, "artifact_id": _ID, "limit": _NUMBER},
    ["query"],
)
TOOLS = (GET_TOOL, PEEK_TOOL, FIND_TOOL)


def artifact_get(vault: Vault, artifact_id: str, offset: int = 0, limit: int = DEFAULT_PAGE_CHARS) -> Page:
    """Characters ``offset`` to ``offset + limit`` of an artifact; at most 20,000 at a time.

    Raises:
        VaultError: There is none of that id, or it is damaged.
        ValueError: ``offset`` or ``limit`` is negative or no whole number.
    """
    return page_of(vault.read(artifact_id), offset, limit)


def artifact_peek(vault: Vault, artifact_id: str) -> dict[str, Any]:
    """Size, digest, exposures, and the first and last 400 characters.

    Raises:
        VaultError: There is none of that id, or it is damaged.
    """
    artifact = vault.read(artifact_id)
    text = artifact.text
    whole = len(text) <= 2 * PEEK_CHARS
    return {
        "artifact_id": artifact.id,
        "sha256": artifact.sha256,
        "chars": len(text),
        "lines": text.count("\n") + (not text.endswith("\n") if text else 0),
        "shown": [{"message": at, "role": role, "format": name} for at, role, name in artifact.shown],
        "start": text if whole else text[:PEEK_CHARS],
        "end": "" if whole else text[-PEEK_CHARS:],
    }


def artifact_find(vault: Vault, query: str, artifact_id: str = "", limit: int = 20) -> list[dict[str, Any]]:
    """At most 50 occurrences of ``query`` (plain text, in any case): artifact, offset, surrounding text.

    Without an id every artifact that was shown is searched, oldest first; damaged ones are passed over.

    Raises:
        VaultError: ``artifact_id`` is given and there is none of that id, or it is damaged.
        ValueError: ``query`` is empty.
    """
    if not query:
        raise ValueError("query is empty")
    pattern = re.compile(re.escape(query), re.IGNORECASE)
    hits: list[dict[str, Any]] = []
    for name, text in _searched(vault, artifact_id):
        for match in pattern.finditer(text):
            if len(hits) >= min(max(limit, 1), MAX_HITS):
                return hits
            start = max(text.rfind("\n", 0, match.start()) + 1, match.start() - _AROUND_CHARS)
            end = text.find("\n", match.end())
            end = min(len(text) if end < 0 else end, match.end() + _AROUND_CHARS)
            hits.append({"artifact_id": name, "offset": match.start(), "text": text[start:end]})
    return hits


def _searched(vault: Vault, artifact_id: str) -> Iterator[tuple[str, str]]:
    if artifact_id:
        yield artifact_id, vault.read(artifact_id).text
        return
    for name, _, pinned in vault.ids():
        if not pinned:
            continue
        try:
            text = vault.read(name).text
        except UserError:
            continue
        yield name, text


def call(vault: Vault, name: str, arguments: str | Mapping[str, Any]) -> str:
    """The result of a model's tool call, as JSON text; a wrong name or argument gives ``{"error": …}``."""
    try:
        given = json.loads(arguments or "{}") if isinstance(arguments, str) else dict(arguments)
        if not isinstance(given, dict):
            raise ValueError("the arguments are no object")
        result = _dispatch(vault, name, given)
    except UserError as error:
        result = {"error": error.cause}
    except (ValueError, TypeError, RecursionError) as error:
        result = {"error": str(error)[:200]}
    return json.dumps(result, ensure_ascii=False)


def _dispatch(vault: Vault, name: str, given: dict[str, Any]) -> object:
    identifier = str(given.get("artifact_id") or "")
    if name == RECOVERY_TOOL:
        page = artifact_get(vault, identifier, given.get("offset") or 0, given.get("limit") or DEFAULT_PAGE_CHARS)
        return {
            "artifact_id": page.artifact,
            "offset": page.offset,
            "total_chars": page.total,
            "next_offset": page.next_offset,
            "text": page.text,
        }
    if name == "artifact_peek":
        return artifact_peek(vault, identifier)
    if name == "artifact_find":
        limit = given.get("limit", 20)
        return artifact_find(vault, str(given.get("query") or ""), identifier, limit if isinstance(limit, int) else 20)
    raise ValueError(f"there is no tool {name[:60]!r}")


__all__ = [
    "DEFAULT_PAGE_CHARS",
    "FIND_TOOL",
    "GET_TOOL",
    "MAX_PAGE_CHARS",
    "PEEK_TOOL",
    "TOOLS",
    "artifact_find",
    "artifact_get",
    "artifact_peek",
    "call",
]
