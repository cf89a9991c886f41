"""What is the difference between A and B: both, and what one has and the other has not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.answer.offline.bearing import ask_of, say_bearing
from agent.answer.offline.context import Context, Draft, doc_statements, question_terms, signature_end, unique, where
from agent.answer.offline.explain import first_statements, say_of_kind, say_statements
from agent.answer.offline.wording import code, not_listed
from retrieval.records import BlockKind, Role, SymbolRow

MAX_STATEMENTS = 5  # of a function that neither returns nor raises
MAX_NAMES = 8  # parameters or members of one side
_BESIDES = 3  # definitions told behind the comparison
_COMPARES = re.compile(
    r"\b(?:differ(?:s|ed|ent|ence|ences|ently)?|compared? (?:to|with)|versus|vs|distinguish\w{0,3}|as opposed to)\b"
    r"|^\s{0,9}(?:please )?compare\b|\bcomparison (?:of|between)\b",  # "which compares A and B" is another question
    re.IGNORECASE,
)
_COMPARED = frozenset({"differ", "differenc", "different", "compar", "versu", "vs", "distinguish", "oppos", "between"})
_KINDS = frozenset({"class", "function", "method", "property"})
_MAX_READ = 2_000  # characters of a question
_WORD = r"`?([A-Za-z_]\w{0,80})`?"
_PAIR = re.compile(rf"{_WORD}(?:\(\))?,? (?:and|from|to|with|versus|vs\.?) (?:an? |the )?{_WORD}")
_PARAMETER = re.compile(r"\s*(\*{0,2}[A-Za-z_]\w{0,80})")


def asks_to_compare(context: Context) -> bool:
    """The question asks how two definitions that it names differ."""
    return bool(_COMPARES.search(context.pack.question[:_MAX_READ])) and len(_compared(context)) == 2


def _compared(context: Context) -> list[SymbolRow]:
    """The two definitions. One may be a plain word beside a name (``Signal and NamedSignal``)."""
    rows = [row for row in context.targets if row.symbol.kind in _KINDS]
    if len(rows) == 1 and len(context.targets) == 1:
        pairs = (word for pair in _PAIR.finditer(context.pack.question[:_MAX_READ]) for word in pair.groups())
        for word in dict.fromkeys(pairs):
            if word == rows[0].symbol.name or _COMPARES.fullmatch(word):
                continue
            found = context.reader.symbols_named(word)
            rows += [row for row in found if row.symbol.kind in _KINDS and row.role is Role.CODE][:1]
            if len(rows) == 2:
                break
    return rows if len({row.symbol.qualname for row in rows}) == 2 else []


def answer_comparison(context: Context) -> Draft:
    draft = Draft()
    first, second = _compared(context)
    for row in (first, second):
        draft.gap()
        draft.say(where(context, row), *doc_statements(context, row, 2))
        _bases(context, row, draft)
        said = len(draft.lines)
        if row.symbol.kind != "class":
            name = code(row.symbol.name)
            say_of_kind(context, row, draft, BlockKind.RETURN, f"{name} returns or yields at")
            say_of_kind(context, row, draft, BlockKind.RAISE, f"{name} raises at")
            if len(draft.lines) == said:
                say_statements(context, row, first_statements(context, row)[:MAX_STATEMENTS], draft)
    draft.gap()
    for row, other in ((first, second), (second, first)):
        _parameters(context, row, other, draft)
        _members(context, row, other, draft)
    named = frozenset().union(*(question_terms(row.symbol.qualname) for row in (first, second)))
    if question_terms(context.pack.question) - named - _COMPARED:
        draft.gap()
        told = (first.symbol.qualname, second.symbol.qualname)
        say_bearing(context, ask_of(context), draft, told=told, others=_BESIDES)
    return draft


def _bases(context: Context, row: SymbolRow, draft: Draft) -> None:
    if row.symbol.kind == "class" and row.symbol.bases:
        cited = context.book.cite(row.path, row.symbol.def_line, signature_end(context, row), (row.symbol.name,))
        bases = ", ".join(code(base) for base in row.symbol.bases)
        draft.say(f"{code(row.symbol.name)} derives from {bases} {cited}.")


def _parameters(context: Context, row: SymbolRow, other: SymbolRow, draft: Draft) -> None:
    """Parameters that only one of them takes; of a class those of its ``__init__``."""
    mine, theirs = (_callable(context, each) for each in (row, other))
    if mine is None or theirs is None:
        return
    known = set(_names_of(context, theirs))
    only = [name for name in _names_of(context, mine) if name not in known]
    if only:
        cited = context.book.cite(mine.path, mine.symbol.def_line, signature_end(context, mine), (row.symbol.name,))
        shown = ", ".join(code(name) for name in only[:MAX_NAMES])
        draft.say(f"Only {code(row.symbol.name)} takes {shown} {cited}.")
        if len(only) > MAX_NAMES:
            draft.notes.append(not_listed(len(only) - MAX_NAMES, f"parameters of {row.symbol.name}"))


def _callable(context: Context, row: SymbolRow) -> SymbolRow | None:
    return context.reader.symbol(f"{row.symbol.qualname}.__init__") if row.symbol.kind == "class" else row


def _names_of(context: Context, row: SymbolRow) -> list[str]:
    """Names of the parameters, ``self`` and ``cls`` left out."""
    last = signature_end(context, row)
    text = " ".join(line.split("#", 1)[0] for line in context.book.lines(row.path)[row.symbol.def_line - 1 : last])
    _, _, inside = text.partition("(")
    names = [found[1] for part in _at_top(inside) if (found := _PARAMETER.match(part))]
    return [name for name in names if name not in ("self", "cls")]


def _at_top(text: str) -> list[str]:
    """The parts between commas outside of brackets, up to the bracket that closes the list."""
    parts: list[str] = []
    depth = start = 0
    for at, char in enumerate(text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            if depth == 0:
                return [*parts, text[start:at]]
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def _members(context: Context, row: SymbolRow, other: SymbolRow, draft: Draft) -> None:
    """Methods and properties that only one of two classes defines itself."""
    if row.symbol.kind != "class" or other.symbol.kind != "class":
        return
    known = {each.symbol.name for each in _members_of(context, other)}
    only = [each for each in _members_of(context, row) if each.symbol.name not in known]
    if only:
        shown = ", ".join(
            f"{code(each.symbol.name)} {context.book.cite(each.path, each.symbol.def_line, names=(each.symbol.name,))}"
            for each in only[:MAX_NAMES]
        )
        cited = context.book.cite(row.path, row.symbol.def_line, names=(row.symbol.name,))
        draft.say(f"Only {code(row.symbol.name)} {cited} defines {shown}.")
        if len(only) > MAX_NAMES:
            draft.notes.append(not_listed(len(only) - MAX_NAMES, f"members of {row.symbol.name}"))


def _members_of(context: Context, row: SymbolRow) -> Sequence[SymbolRow]:
    rows = [
        each
        for each in context.reader.symbols_in(row.path)
        if each.symbol.parent == row.symbol.qualname and each.symbol.kind in ("method", "property")
    ]
    return [each for each in unique(rows) if "#" not in each.symbol.qualname]
