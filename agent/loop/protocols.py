"""How calls travel: OpenAI's tool calling, or lines of text for servers that have none."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from agent.answer.recovery import MAX_NAME, ToolCalls
from agent.loop.records import Called, Message, Reply, ToolCall

_CODE_DIGITS = 6
_MAX_TEXT_CALLS = 8
_BOUNDS = frozenset({"minLength", "maxLength", "minimum", "maximum", "maxItems", "minItems", "additionalProperties"})


class ToolSpec(Protocol):
    """What the loop needs of ``agent.tools.registry.Tool``."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def parameters(self) -> Any: ...


class CallProtocol(Protocol):
    """``name`` is for the record. ``marker`` begins a line that is a call; "" when calls are no text."""

    name: str
    marker: str

    def request(self, final: bool) -> dict[str, Any]:
        """What the request carries beside its messages; ``final``: nothing may be called any more."""
        ...

    def instructions(self) -> str: ...

    def parse(self, text: str, calls: ToolCalls) -> tuple[str, tuple[ToolCall, ...]]:
        """(what of the reply is said to the user, its calls)."""
        ...

    def messages(self, reply: Reply, done: Sequence[Called]) -> list[Message]:
        """The reply and the results of its calls, as the next request shows them."""
        ...


class NativeCalls:
    """The ``tools`` of a chat completion request."""

    name = "tool calling"
    marker = ""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._tools = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": _without_bounds(tool.parameters),
                },
            }
            for tool in tools
        ]

    def request(self, final: bool) -> dict[str, Any]:
        return {"tools": self._tools, "tool_choice": "none" if final else "auto"} if self._tools else {}

    def instructions(self) -> str:
        return ""

    def parse(self, text: str, calls: ToolCalls) -> tuple[str, tuple[ToolCall, ...]]:
        return text, tuple(ToolCall(one["id"], one["name"], one["arguments"] or "{}") for one in calls.take())

    def messages(self, reply: Reply, done: Sequence[Called]) -> list[Message]:
        asked = [
            {
                "id": one.call.id,
                "type": "function",
                "function": {"name": one.call.name, "arguments": _json_object(one.call.arguments)},
            }
            for one in done
        ]
        said: list[Message] = [{"role": "assistant", "content": reply.text or None, "tool_calls": asked}]
        return said + [{"role": "tool", "tool_call_id": one.call.id, "content": one.text} for one in done]


class TextCalls:
    """One call a line: ``CALL code {"name": …, "arguments": {…}}``, and nothing behind the last call.

    The code is drawn from the question, so that no file can contain a line that would be taken for a call.
    """

    name = "text"

    def __init__(self, tools: Sequence[ToolSpec], seed: str) -> None:
        self._tools = tuple(tools)
        digest = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()
        self.marker = f"CALL {digest[:_CODE_DIGITS]}"
        self._line = re.compile(rf"[ \t>*`-]{{0,8}}{self.marker}[ \t:]{{0,4}}(.*)", re.IGNORECASE)

    def request(self, final: bool) -> dict[str, Any]:
        return {}

    def instructions(self) -> str:
        example = '{"name": "find_symbol", "arguments": {"name": "..."}}'
        listed = "\n".join(f"- {_signature(tool)}: {_first_line(tool.description)}" for tool in self._tools)
        return (
            "You can call tools. To call one, reply with a line of exactly this form and nothing else; several calls "
            f"are several such lines:\n{self.marker} {example}\nThe results come in the next message. When you have "
            f"enough evidence, reply with the answer and no such line. The tools:\n{listed}\n"
        )

    def parse(self, text: str, calls: ToolCalls) -> tuple[str, tuple[ToolCall, ...]]:
        calls.take()
        said: list[str] = []
        found: list[ToolCall] = []
        for line in text.split("\n"):
            match = self._line.fullmatch(line)
            if match:
                if len(found) < _MAX_TEXT_CALLS:
                    found.append(_text_call(match[1].strip().rstrip("`").strip(), len(found)))
            elif found and line.strip() and not line.strip().startswith("```"):
                break  # what follows the calls is made up: their results are not known yet
            elif not found:
                said.append(line)
        return "\n".join(said).removesuffix("```").rstrip() if found else text, tuple(found)

    def messages(self, reply: Reply, done: Sequence[Called]) -> list[Message]:
        called = "\n".join(f"{self.marker} {_as_text(one.call)}" for one in done)
        said = f"{reply.text}\n{called}" if reply.text.strip() else called
        results = "\n".join(f"Result of call {at} ({one.call.name}):\n{one.text}" for at, one in enumerate(done, 1))
        return [{"role": "assistant", "content": said}, {"role": "user", "content": results}]


def _without_bounds(schema: Any) -> Any:
    """The toolbox checks bounds and says what is wrong; sent along they would cost as much as the descriptions."""
    if isinstance(schema, Mapping):
        return {name: _without_bounds(value) for name, value in schema.items() if name not in _BOUNDS}
    return schema


def _text_call(written: str, at: int) -> ToolCall:
    """A line that is no JSON becomes a call without a name, whose result says so."""
    try:
        given = json.loads(written)
    except (ValueError, RecursionError):
        return ToolCall(f"call_{at}", "", written)
    if not isinstance(given, dict) or not isinstance(given.get("name"), str):
        return ToolCall(f"call_{at}", "", written)
    arguments = given.get("arguments", {})
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return ToolCall(f"call_{at}", given["name"][:MAX_NAME], text)


def _as_text(call: ToolCall) -> str:
    if not call.name:
        return call.arguments
    return json.dumps({"name": call.name, "arguments": json.loads(_json_object(call.arguments))}, ensure_ascii=False)


def _json_object(arguments: str) -> str:
    """Servers refuse a history whose arguments are no JSON object."""
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError):
        return "{}"
    return arguments if isinstance(given, dict) else "{}"


def _signature(tool: ToolSpec) -> str:
    """``grep(pattern: string, path: string = "")`` of a JSON Schema."""
    parameters = tool.parameters
    required = set(parameters.get("required", ()))
    parts = []
    for name, schema in parameters.get("properties", {}).items():
        kind = schema.get("type", "any")
        default = "" if name in required else f" = {json.dumps(schema.get('default'), ensure_ascii=False)}"
        parts.append(f"{name}: {kind}{default}")
    return f"{tool.name}({', '.join(parts)})"


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0]


class TextGate:
    """Streams a reply to the user without the lines that may be calls.

    Args:
        marker: As of the protocol; "" passes everything on at once.
    """

    def __init__(self, marker: str) -> None:
        self._marker = marker.casefold()
        self._held = ""  # the start of a line that may become a call
        self._open = True  # at the start of a line
        self._closed = False

    def feed(self, piece: str) -> str:
        """What may be shown now. Behind the first call nothing is."""
        if not self._marker:
            return piece
        out = []
        for char in piece:
            if self._closed:
                break
            if not self._open:
                out.append(char)
                self._open = char == "\n"
                continue
            self._held += char
            start = self._held.lstrip(" \t>*`-").casefold()
            if start.startswith(self._marker):
                self._closed = True
            elif char == "\n" or not self._marker.startswith(start):
                out.append(self._held)
                self._held, self._open = "", char == "\n"
        return "".join(out)

    def finish(self) -> str:
        held, self._held = self._held, ""
        return "" if self._closed else held
