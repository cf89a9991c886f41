"""The tools, and the toolbox that calls them: checked arguments in, a bounded result out, never an exception."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agent.guard import strip_controls
from agent.tools import artifacts, files, find, grep, history, relations, symbols
from agent.tools.cancel import Cancellation
from agent.tools.context import FileCache, ToolContext
from agent.tools.paging import MIN_PAGE_TOKENS, fit, page_of
from agent.tools.pool import SessionPool
from agent.tools.records import Outcome, ToolResult
from agent.tools.schema import Signature, signature_of
from retrieval.errors import UserError
from retrieval.index.location import Location
from retrieval.source.secrets import redact

if TYPE_CHECKING:
    from agent.session import Session

_LOG = logging.getLogger(__name__)

DEFAULT_RESULT_TOKENS = 2_000
NOTE_TOKENS = 40  # kept of each result for a word about files that have changed
_FUNCTIONS: tuple[Callable[..., Outcome], ...] = (
    find.search,
    find.pack,
    files.read_file,
    files.list_files,
    grep.grep,
    symbols.find_symbol,
    symbols.outline,
    relations.callers,
    relations.callees,
    relations.impact,
    relations.path_between,
    relations.tests_for,
    history.history,
    artifacts.artifact_get,
    artifacts.artifact_peek,
    artifacts.artifact_find,
)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as a model is told of it. ``parameters`` is the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    run: Callable[..., Outcome]
    signature: Signature


@lru_cache(maxsize=1)
def tools() -> tuple[Tool, ...]:
    """Every tool, by name."""
    made = []
    for function in _FUNCTIONS:
        signature = signature_of(function)
        made.append(Tool(function.__name__, signature.description, signature.parameters, function, signature))
    return tuple(sorted(made, key=lambda tool: tool.name))


class Toolbox:
    """Calls tools on the index of a session or of a location. It may be called from several threads at once.

    It opens readers of its own and never touches the session's, so that the owner may go on using that.

    Args:
        tree: Whose index; a location need not have one yet, calls are errors until it has.
        max_tokens: What the text of one result may take (o200k_base, an upper bound); at least 200.
    """

    def __init__(self, tree: Session | Location, *, max_tokens: int = DEFAULT_RESULT_TOKENS) -> None:
        self.max_tokens = max(max_tokens, MIN_PAGE_TOKENS)
        self._pool = SessionPool(tree if isinstance(tree, Location) else tree.location)
        self._cache = FileCache()
        self._tools = {tool.name: tool for tool in tools()}

    @property
    def sessions(self) -> SessionPool:
        """Where its readers come from, for who needs one beside the tools."""
        return self._pool

    def close(self) -> None:
        self._pool.close()

    def __enter__(self) -> Toolbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, name: str, arguments: Mapping[str, Any], cancellation: Cancellation | None = None) -> ToolResult:
        """Run a tool. What is wrong with the call, the index or the tool itself is a result with ``is_error``.

        Args:
            cancellation: Another thread may end the call through it; the result then says so.
        """
        try:
            tool = self._tools.get(name) if isinstance(name, str) else None
            if tool is None:
                raise UserError(f"There is no tool {_short(name)}.", f"There are: {', '.join(self._tools)}.")
            if not isinstance(arguments, Mapping):
                raise UserError("The arguments are no object.", 'Give a JSON object, for example {"query": "..."}.')
            return self._run(tool, tool.signature.check(arguments), cancellation or Cancellation())
        except UserError as error:
            return _failed(error.cause, error.mend)
        except sqlite3.DatabaseError as error:
            return _failed(f"The index cannot be read ({error}).", "Rebuild it: contextc index --rebuild")
        except Exception as error:
            _LOG.exception("tool %s failed", tool.name if tool else "?")
            return _failed(f"Internal error: {type(error).__name__}.", "Ask in another way; the log has the details.")

    def _run(self, tool: Tool, arguments: dict[str, Any], cancellation: Cancellation) -> ToolResult:
        cancellation.check()
        with self._pool.session() as session, cancellation.interrupting(session.reader.conn):
            context = ToolContext(session, self.max_tokens - NOTE_TOKENS, cancellation, self._cache)
            outcome = tool.run(context, **arguments)
            page = page_of(outcome, tool.name, arguments, self.max_tokens - NOTE_TOKENS)
            evidence = context.evidence(page.shown)
            changed = context.changed(dict.fromkeys(each.path for each in evidence))
        text = _gate(page.text)
        data = {**outcome.data, "results": page.results} if page.results else dict(outcome.data)
        if changed:
            data["changed_since_indexed"] = changed
            text += fit(
                f"\nnote: changed since they were indexed, so that lines may differ: {', '.join(changed)}", NOTE_TOKENS
            )
        return ToolResult(text, _gated(data), False, page.more, evidence)


def _failed(cause: str, mend: str) -> ToolResult:
    cause, mend = (_gate(" ".join(text.split()))[:500] for text in (cause, mend))
    return ToolResult(f"{cause}\n{mend}", {"error": {"cause": cause, "mend": mend}}, is_error=True)


def _gate(text: str) -> str:
    """Whatever a tool did before: no result carries a secret or a control character."""
    return strip_controls(redact(text).text)


def _gated(data: dict[str, Any]) -> dict[str, Any]:
    """JSON through the same gate; one look at all of it decides whether each string must be looked at."""
    text = "\n".join(_strings(data))
    gated: dict[str, Any] = data if _gate(text) == text else _each_gated(data)
    return gated


def _strings(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from _strings(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _strings(value)


def _each_gated(data: Any) -> Any:
    if isinstance(data, str):
        return _gate(data)
    if isinstance(data, Mapping):
        return {key: _each_gated(value) for key, value in data.items()}
    return [_each_gated(value) for value in data] if isinstance(data, list | tuple) else data


def _short(name: object) -> str:
    return ascii(name)[:80] if isinstance(name, str) else f"that is {type(name).__name__}"
