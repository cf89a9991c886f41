"""What the API tells of the tree itself: status, search, lines of files, the graph. Blocking; each on one session."""

from __future__ import annotations

from typing import Any

from agent.search_results import full_row, search_tree
from agent.serve.problems import RequestError
from agent.serve.settings import ServeSettings
from agent.session import Session
from retrieval.errors import UserError
from retrieval.version import VERSION

MAX_LINES = 2_000
_MAX_CHARS = 1_000_000  # of the lines sent at once
_MAX_CANDIDATES = 40


def says_something(text: str) -> bool:
    """Whether there is anything to look for; the planner refuses what has neither letters nor digits."""
    return any(map(str.isalnum, text))


def status(session: Session, settings: ServeSettings) -> dict[str, Any]:
    """What ``contextc status --json`` gives, and how this server answers."""
    from agent.cli.status_cmd import gather

    config = settings.answer
    return {
        **gather(session.reader),
        "answerer": config.answerer if config.is_plugin else "openai" if config.wants_model else "offline",
        "model": config.model if config.wants_model else "",
        "budget": settings.budget,
        "reserve": settings.reserve,
        "version": VERSION,
    }


def search(session: Session, query: str, k: int, paths: list[str]) -> dict[str, Any]:
    rows = [full_row(item) for item in search_tree(session, query, k, paths)] if says_something(query) else []
    return {"query": query, "content_id": session.reader.meta.get("content_id", ""), "results": rows}


def file_lines(session: Session, path: str, first: int, last: int | None) -> dict[str, Any]:
    """Lines ``first`` to ``last`` as they were indexed, which is what citations point to.

    Raises:
        RequestError: 404, the index does not hold that file, or it has no such line.
    """
    from agent.source_lines import SourceLines
    from retrieval.index.freshness import content_sha256

    name = _indexed(session, path)
    text = session.reader.file_text(name)
    lines = SourceLines(session.reader).of(name)
    total = len(lines)
    if first > max(total, 1) or (last is not None and last < first):
        raise RequestError(
            404, f"{name!a} has {total} lines, not {first} to {last or 'the end'}.", "Ask for lines it has."
        )
    shown: list[str] = []
    room = _MAX_CHARS
    for line in lines[first - 1 : min(last or total, first - 1 + MAX_LINES)]:
        room -= len(line)
        if room < 0 and shown:
            break
        shown.append(line if room >= 0 else line[:_MAX_CHARS] + " …")
    return {
        "path": name,
        "language": text.language,
        "role": text.role.value,
        "sha256": text.sha256,
        "changed": content_sha256(session.reader.root, name) != text.sha256,
        "total_lines": total,
        "first": first,
        "last": first - 1 + len(shown),
        "lines": [line.encode("utf-8", "replace").decode("utf-8") for line in shown],
    }


def _indexed(session: Session, path: str) -> str:
    """The one gate for paths, told as what it is to a client: such a file is not here."""
    from agent.tools.paths import validate_path

    try:
        return validate_path(session.reader, path)
    except UserError as error:
        raise RequestError(404, error.cause, "Name an indexed file by its path relative to the root.") from error


def graph(
    session: Session, symbol: str, relation: str, to: str | None, depth: int | None, floor: str, limit: int
) -> dict[str, Any]:
    """Answers for every definition that ``symbol`` names; with ``to`` the chain that connects the two.

    Raises:
        RequestError: 404, nothing has that name; 409, definitions of several names end with it.
    """
    from agent.graph_json import answer_to_dict
    from agent.source_lines import SourceLines
    from retrieval.graph.answers import Relation, answer
    from retrieval.records import Confidence

    conn = session.reader.conn
    starts = _definitions(session, symbol)
    ends = [node.qualname for node in _definitions(session, to)] if to is not None else [""]
    wanted = Relation.PATH if to is not None else Relation(relation)
    lines = SourceLines(session.reader)
    found: list[dict[str, Any]] = []
    for node in starts:
        for end in ends:
            made = answer(conn, wanted, node.qualname, target=end, depth=depth, min_confidence=Confidence(floor))
            told = answer_to_dict(node, made, lines, limit)
            found.append(told)
    if to is not None:  # redefinitions make several pairs; one chain answers for all of them
        found = ([told for told in found if told["results"]] or found)[:1]
    return {"answers": found}


def _definitions(session: Session, name: str) -> list[Any]:
    from retrieval.graph.lookup import look_up

    found = look_up(session.reader.conn, name)
    if not found.nodes:
        near = ", ".join(found.nearest)
        mend = f"The nearest names: {near}." if near else "Search for it: POST /api/search"
        raise RequestError(404, f"The call graph knows nothing called {name[:200]!a}.", mend)
    if found.meanings > 1:
        candidates = [
            {"qualname": node.qualname, "kind": node.kind, "path": node.path, "line": node.line}
            for node in found.nodes[:_MAX_CANDIDATES]
        ]
        cause = f"{name[:200]!a} can mean {found.meanings} definitions."
        raise RequestError(409, cause, "Name one of the candidates.", candidates=candidates)
    return list(found.nodes)
