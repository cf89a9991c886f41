"""Which classes derive from X, and what X derives from: the class statements that say so."""

from __future__ import annotations

import re

from agent.answer.offline.bearing import ask_of, say_bearing
from agent.answer.offline.context import Context, Draft, label, title, unique, where
from agent.answer.offline.wording import code, listed, not_listed, plural
from retrieval.records import Confidence, EdgeKind, Role, SymbolRow

MAX_SUBCLASSES = 30
MAX_NAMESAKES = 2  # classes of one name
MAX_LEVELS = 4  # of bases that are followed
_SUBCLASSES = re.compile(
    r"\b(?:derives?|inherits?|descends?)(?: directly)? from\b|\bsubclass(?:es)? of\b|\bextends?\b|\bsubclasses\b",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"\b(?:from|of|extends?) (?:the class )?`?([A-Z]\w{2,80})`?(?![\w.])")
_BASES = re.compile(
    r"\b(?:from|of) (?:which|what)(?: class(?:es)?)?\b.{1,120}\b(?:derives?|inherits?|subclass(?:es)?)\b"
    r"|\b(?:what|which)\b.{1,80}\b(?:derives?|inherits?) from[ ?]{0,3}$|\bbase class(?:es)? of\b",
    re.IGNORECASE,
)


def classes_named(context: Context) -> list[SymbolRow]:
    """Classes that the question spells as they are written, plain words with a capital included."""
    rows: list[SymbolRow] = []
    for mention in context.pack.plan.mentions:
        if mention.text[:1].isupper() or context.is_name(mention):
            found = [row for row in map(context.reader.symbol, mention.symbols) if row is not None]
            rows += [row for row in found if row.symbol.kind == "class"][:1]
    for name in _BEHIND.findall(context.pack.question[:2_000]) if not rows else ():
        found = [row for row in context.reader.symbols_named(name) if row.symbol.kind == "class"]
        rows += sorted(found, key=lambda row: row.role is not Role.CODE)[:MAX_NAMESAKES]
    return unique(rows)


def asks_for_subclasses(context: Context) -> bool:
    question = context.pack.question[:2_000]
    return bool(_SUBCLASSES.search(question) or _BASES.search(question)) and bool(classes_named(context))


def answer_subclasses(context: Context) -> Draft:
    """Subclasses of the classes that the question names, or their bases; then what bears on the rest of it."""
    draft = Draft()
    rows = classes_named(context)
    question = context.pack.question[:2_000]
    up, down = bool(_BASES.search(question)), bool(_SUBCLASSES.search(question))
    for row in rows[:MAX_LEVELS]:
        draft.gap()
        said = len(draft.lines)
        draft.say(where(context, row))
        if up or len(rows) > 1:
            draft.say(*lineage(context, row))
        if down:
            _subclasses(context, row, draft)
        if len(draft.lines) == said + 1 and not up:
            draft.say(*lineage(context, row))
    draft.gap()
    say_bearing(context, ask_of(context), draft, told=[row.symbol.qualname for row in rows], others=2)
    return draft


def lineage(context: Context, row: SymbolRow) -> list[str]:
    """``` `B` derives from `A` [1:3].``` and the same of its bases, as far as they are in the tree."""
    out: list[str] = []
    level, seen = [row], {row.symbol.qualname}
    for _ in range(MAX_LEVELS):
        following: list[SymbolRow] = []
        for each in level:
            if not each.symbol.bases:
                continue
            names = (each.symbol.name, *each.symbol.bases)
            cited = context.book.cite(each.path, each.symbol.def_line, names=names)
            bases = listed([code(base) for base in each.symbol.bases])
            out.append(f"{code(title(each.symbol.name), 200)} derives from {bases} {cited}.")
            edges = context.graph.edges_from(each.symbol.qualname, (EdgeKind.INHERIT,)) if context.graph else ()
            for edge in edges:
                base = context.reader.symbol(edge.dst)
                if base is not None and edge.dst not in seen and edge.confidence is not Confidence.POSSIBLE:
                    seen.add(edge.dst)
                    following.append(base)
        level = following
    return out


def _subclasses(context: Context, row: SymbolRow, draft: Draft) -> None:
    if context.graph is None:
        return
    edges = context.graph.edges_into(row.symbol.qualname, (EdgeKind.INHERIT,))
    sure = [edge for edge in edges if edge.confidence is not Confidence.POSSIBLE]
    found = list({edge.src: edge for edge in reversed(sure)}.values())[::-1]
    found = [edge for edge in found if context.book.is_code(edge.path)] or found
    if not found:
        return
    draft.say(f"{plural(len(found), 'class derives', 'classes derive')} from {code(row.symbol.name)}:")
    for edge in found[:MAX_SUBCLASSES]:
        cited = context.book.cite(edge.path, edge.line, names=(edge.src,), resolved=(edge.dst,))
        line = code(context.book.line(edge.path, edge.line), 160)
        draft.say(f"- {code(label(context, edge.src), 200)} at {code(f'{edge.path}:{edge.line}', 300)}: {line} {cited}")
    if len(found) > MAX_SUBCLASSES:
        draft.notes.append(not_listed(len(found) - MAX_SUBCLASSES, f"classes that derive from {row.symbol.name}"))
