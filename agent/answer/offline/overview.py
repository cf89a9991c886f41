"""How is the project structured: its packages and modules by what depends on them, and what its readme says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agent.answer.offline.context import Context, Draft, find_lines, question_terms
from agent.answer.offline.passages import answer_passages
from agent.answer.offline.wording import code, doc_sentences, listed, not_listed, plural, prose_sentences, quote
from retrieval.records import EdgeKind, Role, SymbolRow

MAX_PARTS = 16
MAX_DEFINITIONS = 3  # named for each part
_README_LINES = 60
_README_SENTENCES = 2
# Words that ask for the whole; a question that says more asks about a part of it.
_WHOLE = frozenset(
    "project codebase code base repo repository package library framework app application system architecture "  # noqa: SIM905
    "structure structured organised organized organisation organization laid out layout built put together fit fits "
    "overview outline tour main major key core component components module modules packages part parts layer layers "
    "building block blocks high level overall general design big picture describe explain summarise summarize summary "
    "directory directories folder folders file files entry point points tell walk through whole entire work "
    "works".split()
)


@dataclass(slots=True)
class _Part:
    """A module or a package directly below the root of the code."""

    path: str
    files: list[str] = field(default_factory=list)
    module: str = ""  # qualified name of its own module
    weight: int = 0
    definitions: list[tuple[int, str]] = field(default_factory=list)  # biggest and most imported first


def answer_overview(context: Context) -> Draft:
    """The whole project; passages when the question is about a part of it, or when the reader cannot list files."""
    paths = tuple(getattr(context.reader, "paths", ()))
    roles = _roles(context)
    if not paths or not roles or not asks_for_the_whole(context):
        return answer_passages(context)
    source = [path for path in paths if roles.get(path) is Role.CODE and path.endswith(".py")]
    if not source:
        return answer_passages(context)
    draft = Draft()
    _readme(context, paths, draft)
    draft.gap()
    roots = _roots(source)
    parts: list[_Part] = []
    for root, members in roots:
        parts.extend(_parts(root, members))
    _weigh(context, parts)
    parts.sort(key=lambda part: (-part.weight, part.path))
    _tell(context, parts, len(source), draft)
    _other_files(paths, roles, draft)
    return draft


def asks_for_the_whole(context: Context) -> bool:
    """The question has no word that would name a part, and the reader knows the tree's files."""
    from retrieval.text.terms import index_terms

    known = {term for word in _WHOLE for term in index_terms(word)}
    reader = context.reader
    names = {
        part.lower()
        for path in getattr(reader, "paths", ())
        for part in path.split("/")[:3]
        if path.endswith("__init__.py")
    }
    known |= {term for name in names for term in index_terms(name)}
    return bool(getattr(reader, "paths", ())) and not (question_terms(context.pack.question) - known)


def _roles(context: Context) -> dict[str, Role]:
    """Role of every indexed file; empty for a reader without a table of files."""
    conn = getattr(context.reader, "conn", None)
    if conn is None:
        return {}
    return {path: Role(role) for path, role in conn.execute("SELECT path, role FROM files WHERE root_id = 0")}


def _roots(paths: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Folders that hold the code: those with the most files, each entered while it holds a single folder only."""
    tops: dict[str, list[str]] = {}
    for path in paths:
        top = path.split("/", 1)[0] if "/" in path else ""
        tops.setdefault(top, []).append(path)
    roots = []
    for top, members in sorted(tops.items(), key=lambda item: (-len(item[1]), item[0])):
        folder = top
        while folder:
            below = {path[len(folder) + 1 :].split("/", 1)[0] for path in members}
            if len(below) != 1 or not all("/" in path[len(folder) + 1 :] for path in members):
                break
            folder = f"{folder}/{below.pop()}"
        roots.append((folder, members))
    most = max(len(members) for _, members in roots)
    return [root for root in roots if len(root[1]) * 10 >= most and root[0]] or roots[:1]


def _parts(root: str, paths: Iterable[str]) -> list[_Part]:
    found: dict[str, _Part] = {}
    for path in paths:
        inside = path[len(root) + 1 :] if root else path
        head, slash, _ = inside.partition("/")
        key = (f"{root}/{head}" if root else head) + ("/" if slash else "")
        found.setdefault(key, _Part(key)).files.append(path)
    return list(found.values())


def _weigh(context: Context, parts: Sequence[_Part]) -> None:
    """How many files import the modules of each part, its biggest public definitions, and its own module."""
    conn = context.reader.conn  # type: ignore[attr-defined]  # _roles found it
    imported = dict(
        conn.execute(
            "SELECT d.name, COUNT(DISTINCT e.file_id) FROM edges e JOIN nodes d ON d.id = e.dst "
            "JOIN files f ON f.id = e.file_id WHERE e.kind = ? AND f.role = ? GROUP BY d.id",
            (EdgeKind.IMPORT.value, Role.CODE.value),
        )
    )
    modules: dict[str, str] = {}
    tops: dict[str, list[tuple[int, str]]] = {}
    rows = conn.execute(
        "SELECT f.path, s.qualname, s.name, s.kind, s.end_line - s.start_line, s.parent FROM symbols s "
        "JOIN files f ON f.id = s.file_id WHERE f.role = ? AND s.kind IN ('module', 'class', 'function') "
        "ORDER BY f.path, s.start_line, s.id",
        (Role.CODE.value,),
    )
    for path, qualname, name, kind, size, parent in rows:
        if kind == "module":
            modules[path] = qualname
        elif not name.startswith("_") and parent == modules.get(path) and "#" not in qualname:
            tops.setdefault(path, []).append((size, qualname))
    for part in parts:
        part.module = modules.get(f"{part.path}__init__.py" if part.path.endswith("/") else part.path, "")
        for path in part.files:
            count = imported.get(modules.get(path, ""), 0)
            part.weight += count
            part.definitions += [(-(count + 1) * size, qualname) for size, qualname in tops.get(path, ())]
        part.definitions = sorted(part.definitions)[:MAX_DEFINITIONS]


def _tell(context: Context, parts: Sequence[_Part], total: int, draft: Draft) -> None:
    shown = [part for part in parts if part.module or part.definitions][:MAX_PARTS]
    draft.say(f"The code is {plural(total, 'Python file')} in {plural(len(parts), 'part')}, the most imported first:")
    for part in shown:
        size = f" ({plural(len(part.files), 'file')})" if part.path.endswith("/") else ""
        says, cited = _says(context, part)
        names = [row for _, name in part.definitions if (row := context.reader.symbol(name)) is not None]
        holds = ""
        if names:
            marks = "".join(dict.fromkeys(_cite(context, row) for row in names))
            holds = f"; holds {listed([code(row.symbol.name) for row in names])} {marks}"
        if not cited and not names:
            continue
        draft.say(f"- {code(part.path, 300)}{size}{says}{holds}")
    if len(parts) > len(shown):
        draft.notes.append(not_listed(len(parts) - len(shown), "parts"))


def _cite(context: Context, row: SymbolRow) -> str:
    return context.book.cite(row.path, row.symbol.def_line, names=(row.symbol.name,))


def _says(context: Context, part: _Part) -> tuple[str, bool]:
    module = context.reader.symbol(part.module) if part.module else None
    if module is None:
        return "", False
    for sentence in doc_sentences(module.symbol.doc, 1):
        quoted = quote(sentence)
        lines = context.book.lines(module.path)
        span = find_lines(lines, sentence, 1, min(len(lines), 80))
        if quoted and span:
            return f": {quoted} {context.book.cite(module.path, *span)}", True
    return "", False


def _readme(context: Context, paths: Sequence[str], draft: Draft) -> None:
    """The first whole sentences of the readme at the root."""
    readme = next((path for path in paths if path.lower().startswith("readme") and "/" not in path), "")
    if not readme:
        return
    lines = context.book.lines(readme)[:_README_LINES]
    paragraph: list[str] = []
    said = 0
    for line in (*lines, ""):
        stripped = line.strip()
        prose = stripped[:1].isalnum() or stripped[:1] in "*_`"
        if prose and not stripped.startswith("```"):
            paragraph.append(stripped)
            continue
        for sentence in prose_sentences(" ".join(paragraph)):
            quoted = quote(sentence)
            span = find_lines(lines, sentence, 1, len(lines))
            if quoted and span and sentence.endswith(".") and len(sentence.split()) > 4 and said < _README_SENTENCES:
                lead = f"{code(readme)} says" if not said else "It goes on"
                draft.say(f"{lead}: {quoted} {context.book.cite(readme, *span)}.")
                said += 1
        paragraph.clear()
        if said:
            return


def _other_files(paths: Sequence[str], roles: dict[str, Role], draft: Draft) -> None:
    counts = {role: sum(roles.get(path) is role for path in paths) for role in (Role.TEST, Role.DOC, Role.EXAMPLE)}
    words = {Role.TEST: "test file", Role.DOC: "document", Role.EXAMPLE: "example"}
    told = [plural(count, words[role]) for role, count in counts.items() if count]
    if told:
        draft.notes.append(f"beside the code stand {listed(told)}")
