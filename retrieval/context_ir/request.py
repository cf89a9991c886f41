"""The two request shapes (chat ``messages``, Responses-style ``input``), which messages may change, canonical JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from retrieval.context_ir.formats import RECOVERY_TOOL
from retrieval.context_ir.protect import is_ours

Request = Mapping[str, Any]

_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN_KEYS = frozenset({"role", "content"})
_NEEDED = ("artifact_id", "offset", "limit")


@dataclass(frozen=True, slots=True)
class Eligible:
    """A message that may be re-encoded: plain text of a user or an assistant before the current user's turn."""

    ordinal: int
    role: str
    text: str


def canonical_json(request: Request) -> str:
    """The request with every field, keys sorted, no white space; lone surrogates as their escapes.

    Raises:
        ValueError, TypeError: It is not JSON (NaN, foreign objects, a cycle).
    """
    text = json.dumps(request, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)
    return text if text.isascii() else _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def message_list(request: Request) -> tuple[str, Sequence[Any]] | None:
    """The field's name and its list; None when there is not exactly one such list."""
    found = [
        (name, request[name])
        for name in ("messages", "input")
        if isinstance(request.get(name), Sequence) and not isinstance(request.get(name), (str, bytes))
    ]
    if len(found) != 1 or not found[0][1]:
        return None
    return found[0]


def eligible(messages: Sequence[Any]) -> tuple[list[Eligible], str, str]:
    """(messages that may change, the current user's wording, why there are none).

    When the last user turn is not plain text, which earlier one it answers is not guessed: nothing may change.
    """
    users = [at for at, one in enumerate(messages) if isinstance(one, Mapping) and one.get("role") == "user"]
    if not users:
        return [], "", "no-user-turn"
    current = users[-1]
    wording = messages[current].get("content")
    if not isinstance(wording, str):
        return [], "", "structured-user-turn"
    found = [
        Eligible(at, message["role"], message["content"])
        for at, message in enumerate(messages[:current])
        if _is_plain(message) and not is_ours(message["content"])
    ]
    return found, wording, ""


def _is_plain(message: Any) -> bool:
    if not isinstance(message, Mapping) or message.get("role") not in ("user", "assistant"):
        return False
    extra = set(message) - _PLAIN_KEYS
    typed = extra == {"type"} and message["type"] == "message"  # how the Responses shape marks a plain message
    return (not extra or typed) and isinstance(message.get("content"), str)


def with_contents(request: Request, field: str, contents: Mapping[int, str]) -> dict[str, Any]:
    """The request with the content of some messages replaced; everything else is the same object."""
    messages = [
        {**message, "content": contents[at]} if at in contents else message for at, message in enumerate(request[field])
    ]
    return {**request, field: messages}


def recovery_problem(request: Request) -> str:
    """Why the model could not fetch an exact source: no such tool, or a choice that rules it out. "" when it can."""
    tools = request.get("tools")
    if not isinstance(tools, Sequence) or not any(map(_is_recovery_tool, tools)):
        return "no-recovery-tool"
    choice = request.get("tool_choice", "auto")
    if choice in ("auto", "required", None):
        return ""
    return "" if isinstance(choice, Mapping) and _names(choice) == RECOVERY_TOOL else "tool-choice"


def _is_recovery_tool(tool: Any) -> bool:
    if not isinstance(tool, Mapping) or tool.get("type") != "function" or _names(tool) != RECOVERY_TOOL:
        return False
    inner = tool.get("function")
    declared = inner if isinstance(inner, Mapping) else tool
    parameters = declared.get("parameters")
    properties = parameters.get("properties") if isinstance(parameters, Mapping) else None
    return isinstance(properties, Mapping) and all(name in properties for name in _NEEDED)


def _names(tool: Mapping[str, Any]) -> object:
    inner = tool.get("function")
    return inner.get("name") if isinstance(inner, Mapping) else tool.get("name")
