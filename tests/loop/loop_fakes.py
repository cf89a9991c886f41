"""A tree in memory, tools that answer from a table, and steps of a scripted server that call tools."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scripted_server import Handler, Step, chunk

from agent.answer.config import AnswerConfig
from agent.loop.ledger import Ledger
from agent.loop.limits import Limits
from agent.loop.run import Agent
from agent.tools.context import FileLines, digest_of_lines
from agent.tools.records import Evidence, ToolResult

FILES = {
    "app.py": "import os\n\n\ndef run(port):\n    return serve(port)\n\n\ndef serve(port):\n    return port + 1\n",
    "notes.md": "# Notes\n\nThe port is 5000.\n",
}


@dataclass
class FakeTree:
    """Files that a test may change under the ledger."""

    files: dict[str, str] = field(default_factory=lambda: dict(FILES))

    def now(self, path: str) -> FileLines | None:
        if path not in self.files:
            return None
        text = self.files[path]
        return FileLines.of(text.split("\n")[:-1], hashlib.sha256(text.encode()).hexdigest())

    def sha256(self, path: str) -> str | None:
        text = self.now(path)
        return text.sha256 if text else None

    def indexed(self, path: str) -> FileLines | None:
        return None


@dataclass(frozen=True)
class Spec:
    name: str
    description: str = "A tool."
    parameters: Mapping[str, Any] = field(
        default_factory=lambda: {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    )


@dataclass
class FakeTools:
    """``read_file`` shows a file, everything else what ``results`` says; every call is noted."""

    tree: FakeTree
    results: dict[str, str] = field(default_factory=dict)
    called: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    before: Callable[[str], object] = lambda _name: None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def call(self, name: str, arguments: Mapping[str, Any], cancellation: Any = None) -> ToolResult:
        with self.lock:
            self.called.append((name, dict(arguments)))
        self.before(name)
        if name == "read_file":
            path = arguments.get("path", "")
            text = self.tree.now(path)
            if text is None:
                return ToolResult(f"There is no file {path!r}.\nList the files.", {}, is_error=True)
            shown = "\n".join(f"{number} {line}" for number, line in enumerate(text.shown, 1))
            last = len(text.raw)
            evidence = (Evidence(path, 1, last, digest_of_lines(text.raw, 1, last)),)
            return ToolResult(f"{path}:1-{last} of {last} lines\n{shown}", {}, evidence=evidence)
        if name not in self.results:
            return ToolResult(f"There is no tool {name!r}.\nThere are: read_file.", {}, is_error=True)
        return ToolResult(self.results[name], {})

    def close(self) -> None: ...


def agent_of(server: Any, tree: FakeTree | None = None, tools: FakeTools | None = None, **limits: Any) -> Agent:
    tree = tree or FakeTree()
    tools = tools or FakeTools(tree)
    calling = limits.pop("calling", "auto")
    timeout_s = limits.pop("timeout_s", 5.0)
    specs = [Spec(name) for name in limits.pop("names", ("grep", "list_files", "read_file"))]
    config = AnswerConfig(base_url=server.base_url, model="tiny", timeout_s=timeout_s, backoff_s=0.01)
    return Agent(config, tools, specs, Ledger(tree), Limits(**limits), calling)


def calls(*asked: tuple[str, Any], text: str = "", finish: str | None = "tool_calls", same_index: bool = False) -> Step:
    """A streamed reply with tool calls, the arguments of each in two pieces."""

    def step(handler: Handler, body: dict[str, Any]) -> None:
        handler.start_stream()
        if text:
            handler.event(chunk(text))
        for at, (name, arguments) in enumerate(asked):
            written = arguments if isinstance(arguments, str) else json.dumps(arguments)
            index = 0 if same_index else at
            half = 0 if same_index else len(written) // 2
            handler.event(delta(index, {"id": f"c{at}", "function": {"name": name, "arguments": written[:half]}}))
            rest = {"function": {"arguments": written[half:]}}
            handler.event(delta(index, {"id": f"c{at}", **rest} if same_index else rest))
        if finish:
            handler.event(chunk(finish=finish))
        handler.event(chunk(usage={"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}))
        handler.event("[DONE]")

    return step


def delta(index: int, call: Mapping[str, Any]) -> dict[str, Any]:
    made = chunk()
    made["choices"][0]["delta"] = {"tool_calls": [{"index": index, "type": "function", **call}]}
    return made
