"""Where is X: the definition, its signature and summary, other definitions of the name; or what a named file holds."""

from __future__ import annotations

from agent.answer.offline.context import Context, Draft, doc_statements, signature, title, unique, where
from agent.answer.offline.settings import answer_settings
from agent.answer.offline.wording import code, plural
from retrieval.records import SymbolRow

MAX_TARGETS = 4
MAX_OTHERS = 10
MAX_IN_FILE = 25


def answer_locate(context: Context) -> Draft:
    draft = Draft()
    for row in context.targets[:MAX_TARGETS]:
        draft.gap()
        draft.say(where(context, row), signature(context, row), *doc_statements(context, row, 1))
    if not context.targets:
        for path in hinted_paths(context)[:MAX_TARGETS]:
            draft.gap()
            describe_file(context, path, draft)
    if not draft.lines and context.spells_a_name:
        return answer_settings(context)  # an attribute or a parameter has no definition: its lines are told
    others(context, draft)
    return draft


def others(context: Context, draft: Draft) -> None:
    """Other definitions that the question's names may mean."""
    rows = unique(context.alternatives)
    if not rows:
        return
    draft.gap()
    draft.say(f"The name also belongs to {plural(len(rows), 'other definition')}:")
    draft.say(*(f"- {place(context, row)}" for row in rows[:MAX_OTHERS]))
    if len(rows) > MAX_OTHERS:
        draft.notes.append(f"{len(rows) - MAX_OTHERS} more definitions of the name are not listed")


def place(context: Context, row: SymbolRow) -> str:
    """``` `flask.app.Flask` (class) at `src/flask/app.py:81` [2:81]```"""
    symbol = row.symbol
    cited = context.book.cite(row.path, symbol.def_line, names=(symbol.qualname,))
    return (
        f"{code(title(symbol.qualname), 200)} ({symbol.kind}) at {code(f'{row.path}:{symbol.def_line}', 300)} {cited}"
    )


def describe_file(context: Context, path: str, draft: Draft) -> None:
    """The file and its top-level definitions."""
    lines = context.book.lines(path)
    if not lines:
        return
    rows = context.reader.symbols_in(path)
    draft.say(f"{code(path, 300)} is indexed and has {plural(len(lines), 'line')} {context.book.cite(path, 1)}.")
    modules = {row.symbol.qualname: row for row in rows if row.symbol.kind == "module"}
    for row in modules.values():
        draft.say(*doc_statements(context, row, 1))
    top = [row for row in rows if row.symbol.parent in modules and row.symbol.kind in ("class", "function")]
    if not top:
        values = [row for row in rows if row.symbol.parent in modules and row.symbol.kind == "variable"]
        if values:
            draft.say(f"It sets {plural(len(values), 'name')} at its top level:")
            draft.say(*(f"- {place(context, row)}" for row in values[:MAX_IN_FILE]))
        return
    draft.say(f"It defines {plural(len(top), 'class or function', 'classes and functions')} at its top level:")
    draft.say(*(f"- {place(context, row)}" for row in top[:MAX_IN_FILE]))
    if len(top) > MAX_IN_FILE:
        draft.notes.append(f"{len(top) - MAX_IN_FILE} more definitions in {path} are not listed")


def hinted_paths(context: Context) -> list[str]:
    return list(dict.fromkeys(path for hint in context.pack.plan.file_hints for path in hint.paths))
