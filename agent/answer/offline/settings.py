"""Where is option, setting or error Z handled: the lines that define, read, raise, handle or document it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.answer.offline.context import Context, Draft, prose_lines, where
from agent.answer.offline.relations import unique_sites
from agent.answer.offline.wording import code, plural
from retrieval.records import EdgeKind, QuestionClass, SymbolRow

MAX_LISTED = 30
MAX_TARGETS = 3
_QUOTED = re.compile(r"\"([^\"\n]{2,120})\"|'([^'\n]{2,120})'|“([^“”\n]{2,120})”")
_FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]{0,80}")
_CAPITALS = re.compile(r"(?<![\w.])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?!\w)")
_READERS = ("[", "get(", "getenv(", "environ", "getattr(", "config.", "settings.", "options.", "args.")
_PLACES = ("raised", "defined", "read", "handled", "used", "documented")


@dataclass(frozen=True, slots=True)
class _Site:
    path: str
    line: int
    how: str
    owner: str
    test: bool


def answer_settings(context: Context) -> Draft:
    """Symbols first (an exception's definition and raise lines), then every line of evidence that spells the name."""
    draft = Draft()
    for row in context.targets[:MAX_TARGETS]:
        draft.gap()
        draft.say(where(context, row))
        _raises(context, row, draft)
    seen: set[tuple[str, int]] = set()
    for term in _terms(context):
        found = [site for site in _sites(context, term) if (site.path, site.line) not in seen]
        seen.update((site.path, site.line) for site in found)
        _tell(context, term, found, draft)
    return draft


def _raises(context: Context, row: SymbolRow, draft: Draft) -> None:
    if context.graph is None or row.symbol.kind != "class":
        return
    edges = context.graph.edges_into(row.symbol.qualname, (EdgeKind.CALL, EdgeKind.REFERENCE))
    lines = [
        edge for edge in unique_sites(context, edges) if "raise" in context.book.line(edge.path, edge.line).split()[:1]
    ]
    if not lines:
        return
    cited = context.book.cite(row.path, row.symbol.def_line, names=(row.symbol.qualname,))
    draft.say(f"It is raised at {plural(len(lines), 'place')} {cited}:")
    for edge in lines[:MAX_LISTED]:
        text = context.book.line(edge.path, edge.line)
        where_cited = context.book.cite(edge.path, edge.line, names=(edge.src,))
        place = code(f"{edge.path}:{edge.line}", 300)
        draft.say(f"- {code(edge.src, 200)} at {place}: {code(text)} {where_cited} ({edge.confidence.value})")
    if len(lines) > MAX_LISTED:
        draft.notes.append(f"{len(lines) - MAX_LISTED} more raise lines are not listed (limit {MAX_LISTED})")


def _terms(context: Context) -> list[str]:
    """What the question spells out: mentions, flags, constants, quoted text."""
    question = context.pack.question[:20_000]
    found = [mention.text.strip("`").removesuffix("()") for mention in context.pack.plan.mentions]
    found += _FLAG.findall(question) + _CAPITALS.findall(question)
    if context.pack.plan.question_class is QuestionClass.ERROR:
        found += ["".join(groups) for groups in _QUOTED.findall(question)]
    return [term for term in dict.fromkeys(found) if len(term) > 1]


def _sites(context: Context, term: str) -> Iterator[_Site]:
    """Lines of the evidence that spell ``term`` as a whole word, in order of the pack."""
    whole = re.compile(rf"(?<![\w]){re.escape(term)}(?![\w])")
    for chunk in context.pack.chunks:
        prose = prose_lines(context, chunk.qualname)
        numbers = (number for first, last in chunk.ranges for number in range(first, last + 1))
        for number, text in zip(numbers, chunk.source.split("\n"), strict=False):
            if whole.search(text):
                yield _Site(
                    chunk.path,
                    number,
                    _how(text, term, chunk.role == "doc" or number in prose),
                    chunk.qualname or chunk.symbol,
                    chunk.role == "test",
                )


def _how(text: str, term: str, prose: bool) -> str:
    """What the line does with the name, judged by its form alone."""
    stripped = text.strip()
    at = stripped.find(term)
    before = stripped[:at].rstrip("\"'`")
    behind = stripped[at + len(term) :].lstrip("\"'`])").lstrip()
    if prose or stripped.startswith(("#", '"""', "..")):
        return "documented"
    if stripped.startswith("raise ") and "(" not in before:
        return "raised"
    if stripped.startswith("except"):
        return "handled"
    if stripped.startswith(("def ", "class ", "async def ")) or (behind[:1] in ("=", ":") and behind[:2] != "=="):
        return "defined"
    return "read" if before.endswith(_READERS) else "used"


def _tell(context: Context, term: str, found: list[_Site], draft: Draft) -> None:
    if not found:
        return
    draft.gap()
    files = len({site.path for site in found})
    draft.say(f"{code(term, 200)} stands on {plural(len(found), 'line')} of the evidence in {plural(files, 'file')}:")
    ordered = sorted(found, key=lambda site: (site.test, _PLACES.index(site.how)))
    for site in ordered[:MAX_LISTED]:
        text = context.book.line(site.path, site.line)
        cited = context.book.cite(site.path, site.line, names=(site.owner,))
        owner = f" in {code(site.owner, 200)}" if site.owner else ""
        draft.say(f"- {site.how} at {code(f'{site.path}:{site.line}', 300)}{owner}: {code(text)} {cited}")
    if len(ordered) > MAX_LISTED:
        draft.notes.append(f"{len(ordered) - MAX_LISTED} more lines with {term} are not listed (limit {MAX_LISTED})")
