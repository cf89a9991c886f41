"""Where is error Z raised: the frames of a traceback, the source of its message, the raise statements of a class."""

from __future__ import annotations

import re
from collections import Counter

from agent.answer.offline.context import Context, Draft, doc_statements, question_terms, title, where
from agent.answer.offline.find import Line, folded
from agent.answer.offline.messages import QUOTED, TOLD, ask_further, source_line, tell_messages
from agent.answer.offline.settings import answer_settings
from agent.answer.offline.wording import code, not_listed, plural
from retrieval.pack_records import FileHint
from retrieval.records import Role, SymbolRow

MAX_RAISES = 30
MAX_MATCHING = 8  # of many raise statements, those that share words with the question
MAX_FRAMES = 12
MAX_HANDLERS = 6
_ERROR_NAME = re.compile(r"(?:\w{1,80}\.){0,6}([A-Z]\w{0,80})\Z")
_CAPITALS = re.compile(r"(?<![\w.])[A-Z][A-Z0-9_]{2,80}(?!\w)")
_ASKS_HANDLERS = re.compile(r"\b(?:caught|catch(?:es)?|handled?|handles|except)\b", re.IGNORECASE)
_FRAME_TEXT = re.compile(r'File "[^"\n]{1,400}", line (\d{1,9})[^\n]{0,200}\n[ \t]{0,40}(\S[^\n]{0,300})')


def answer_errors(context: Context) -> Draft:
    """What the question holds decides: frames, then the message, then the exceptions that it names; then what the
    rest of the question asks."""
    draft = Draft()
    _frames(context, draft)
    traced = bool(draft.lines)
    told = tell_messages(context, draft)
    if told:
        ask_further(context, draft, told)
        return draft
    mentions = context.pack.plan.mentions
    names = [mention.text for mention in mentions if mention.how != "traceback"]
    for row in context.targets:
        if row.symbol.kind == "class" and row.symbol.name in {name.rsplit(".", 1)[-1] for name in names}:
            # A capital word of the traceback ("View function mapping …") is no exception.
            if traced and not _raise_lines(context, row.symbol.name):
                continue
            draft.gap()
            draft.say(where(context, row), *doc_statements(context, row, 1))
            _raises(context, row.symbol.name, row, draft, brief=False)
    for mention in context.pack.plan.mentions:
        matched = _ERROR_NAME.match(mention.text)
        if matched and not mention.symbols and mention.text not in context.absent:
            draft.gap()
            _raises(context, matched[1], None, draft, brief=traced)
    if draft.lines:
        return draft
    draft = answer_settings(context)
    return draft if draft.lines or context.targets else _unknown_message(context)


def asks_for_handlers(context: Context) -> bool:
    """``where is ConnectTimeout handled``: the question is about an exception, which a class with raise lines is."""
    return bool(_ASKS_HANDLERS.search(context.pack.question[:2_000])) and any(
        row.symbol.kind == "class" and _raise_lines(context, row.symbol.name) for row in context.targets
    )


def _unknown_message(context: Context) -> Draft:
    """A message that the question quotes and no line of code spells; empty when it quotes none."""
    draft = Draft()
    for text in ["".join(groups) for groups in QUOTED.findall(context.pack.question[:8_000])][:1]:
        draft.abstained = True
        draft.missing.append(f"a line of code that spells {code(text)}")
        draft.say(f"The evidence does not show where {code(text)} comes from: no line of code in the index spells it.")
    return draft


# ------------------------------------------------------------------------------------------------------------ frames


def _frames(context: Context, draft: Draft) -> None:
    hints = [hint for hint in context.pack.plan.file_hints if hint.line is not None]
    known = [hint for hint in hints if hint.paths]
    if not known:
        return
    spelled = dict(_FRAME_TEXT.findall(context.pack.question[:20_000]))
    draft.say(f"{plural(len(known), 'frame')} of the traceback {'lies' if len(known) == 1 else 'lie'} in this tree:")
    moved = False
    for hint in known[-MAX_FRAMES:]:
        entry, differs = _frame(context, hint, spelled.get(str(hint.line), ""))
        moved = moved or differs
        draft.say(entry)
    if moved:
        draft.notes.append("a frame's line differs from the traceback's: the tree is another version of the code")
    if len(hints) > len(known):
        outside = len(hints) - len(known)
        draft.notes.append(f"{plural(outside, 'frame')} {'lies' if outside == 1 else 'lie'} outside the indexed tree")


def _frame(context: Context, hint: FileHint, text: str) -> tuple[str, bool]:
    path, line = hint.paths[0], hint.line or 1
    here = context.book.line(path, line)
    differs = bool(text) and " ".join(text.split()) not in " ".join(here.split())
    owner = next(
        (
            row
            for row in reversed(context.reader.symbols_in(path))
            if row.symbol.kind in ("function", "method", "property", "class")
            and row.symbol.start_line <= line <= row.symbol.end_line
        ),
        None,
    )
    name = owner.symbol.qualname if owner else ""
    cited = context.book.cite(path, line, names=(name,))
    held = f" in {code(title(name), 200)}" if name else ""
    return f"- {code(f'{path}:{line}', 300)}{held}: {code(here)} {cited}", differs


# ------------------------------------------------------------------------------------------------------------ raises

_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")


def _raise_lines(context: Context, name: str) -> list[Line]:
    """A message may spell the name of a class that the statement does not raise."""
    spelled = re.compile(rf"\braise\b[^#\n]{{0,200}}\b{re.escape(name)}\b")
    lines = [line for line in context.find.lines(name) if not line.prose and line.role is not Role.DOC]
    return [line for line in lines if spelled.search(_STRING.sub("", line.text))]


def _raises(context: Context, name: str, row: SymbolRow | None, draft: Draft, *, brief: bool) -> None:
    lines = [line for line in context.find.lines(name) if not line.prose and line.role is not Role.DOC]
    raised = _raise_lines(context, name)
    code_raised = [line for line in raised if line.role is Role.CODE] or raised
    owned = [line for line in code_raised if _is_within(line, context)]
    if owned:  # "why does url_for raise a RuntimeError" asks about the statements of url_for
        code_raised = owned
    asks_handlers = bool(_ASKS_HANDLERS.search(context.pack.question[:2_000]))
    if asks_handlers:
        _list_handlers(context, name, lines, draft)
    if code_raised:
        question = context.pack.question
        messages = " ".join(TOLD.findall(question[:8_000]))
        terms = question_terms(messages or question) - question_terms(name)
        _list_raises(context, name, row, code_raised, terms, draft, brief)
    if not brief and not asks_handlers:
        _list_handlers(context, name, lines, draft)
    if not raised and row is not None:
        cited = context.book.cite(row.path, row.symbol.def_line, names=(row.symbol.qualname,))
        draft.say(f"No line of the indexed tree raises {code(name)} by name {cited}.")


def _is_within(line: Line, context: Context) -> bool:
    named = [row.symbol.qualname for row in context.meant() if row.symbol.kind in ("function", "method", "property")]
    return any(line.owner == name or line.owner.startswith(name + ".") for name in named)


def _list_handlers(context: Context, name: str, lines: list[Line], draft: Draft) -> None:
    handled = [line for line in lines if line.text.lstrip().startswith("except") and line.role is Role.CODE]
    if not handled:
        if _ASKS_HANDLERS.search(context.pack.question[:2_000]):
            draft.say(f"The evidence does not show an except clause in code that names {code(name)}.")
        return
    draft.gap()
    draft.say(f"{code(name)} is caught at {plural(len(handled), 'place')} in code:")
    for line in handled[:MAX_HANDLERS]:
        cited = context.book.cite(line.path, line.number, names=(line.owner,))
        draft.say(f"- {code(f'{line.path}:{line.number}', 300)}: {code(line.text)} {cited}")
    if len(handled) > MAX_HANDLERS:
        draft.notes.append(not_listed(len(handled) - MAX_HANDLERS, f"handlers of {name}"))


def _list_raises(
    context: Context,
    name: str,
    row: SymbolRow | None,
    lines: list[Line],
    terms: frozenset[str],
    draft: Draft,
    brief: bool,
) -> None:
    from retrieval.text.terms import index_terms

    files = Counter(line.path for line in lines)
    total = f"{plural(len(lines), 'place')} in {plural(len(files), 'file')}"
    subject = "It" if row is not None else code(name)
    keys = _CAPITALS.findall(context.pack.question[:8_000])
    scored = []
    for line in lines:
        first, last = line.statement()
        statement = folded(context.book, line.path, first, last)
        shared = len(terms & frozenset(index_terms(f"{line.path} {line.owner} {statement}")))
        scored.append((-shared - 2 * sum(key in statement for key in keys), line.path, line.number, line))
    matching = [item[3] for item in sorted(scored) if item[0] < 0]
    if len(lines) > MAX_MATCHING and matching:
        shown = matching[:MAX_MATCHING]
        draft.say(f"{subject} is raised at {total}; these share most with the question:")
    else:
        shown = lines[: MAX_MATCHING if brief else MAX_RAISES]
        draft.say(f"{subject} is raised at {total}:")
    draft.say(*(source_line(context, line) for line in shown))
    if len(shown) < len(lines):
        told = ", ".join(f"{path} ({count})" for path, count in files.most_common(6))
        more = f" and {plural(len(files) - 6, 'more file')}" if len(files) > 6 else ""
        draft.notes.append(f"{not_listed(len(lines) - len(shown), 'raise statements')}; by file: {told}{more}")
