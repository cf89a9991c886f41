"""The source of an error message: the statement that spells it, its condition, and what the rest of a question asks."""

from __future__ import annotations

import re

from agent.answer.offline.bearing import ask_of, say_bearing
from agent.answer.offline.cause import sources, under
from agent.answer.offline.context import Context, Draft, title
from agent.answer.offline.find import Line, folded
from agent.answer.offline.wording import code, not_listed, plural
from retrieval.records import BlockKind, Role

MAX_MESSAGES = 6
MAX_FOLLOWED = 2  # lines of the message whose conditions are looked into
MAX_VALUES = 6  # lines that give a tested name its value
_OTHERS = 2  # further definitions told where the question asks further
_FURTHER = 2  # words beside the message
_MESSAGE_WORDS = 3  # between quotes: fewer may be a value
QUOTED = re.compile(r"\"([^\"\n]{4,300})\"|(?<!\w)'([^'\n]{4,300})'(?!\w)|“([^“”\n]{4,300})”")
TOLD = re.compile(r"(?m)(?:^|\s)(?:\w{1,80}\.){0,6}[A-Z]\w{0,80}: ([^\n]{4,300})$")
_TOLD_NAME = re.compile(r"(?m)(?:^|[\s.])([A-Z]\w{0,80}): \S")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def spells_a_message(context: Context) -> bool:
    """The question quotes a message that a statement of code spells: that is evidence, whatever the ranking thought."""
    return any(_working(context, text) for text in _texts(context))


def tells_an_exception(context: Context) -> bool:
    """``Jammed: stones are jammed``: a class of the tree by name, and behind the colon what a statement spells."""
    named = _TOLD_NAME.findall(context.pack.question[:8_000])
    known = (row.symbol.kind == "class" for name in named for row in context.reader.symbols_named(name))
    return any(known) and spells_a_message(context)


def quotes_a_message(context: Context) -> bool:
    """``why is "Stones are jammed" raised``: several words between quotes that a statement spells."""
    quoted = ("".join(groups) for groups in QUOTED.findall(context.pack.question[:8_000]))
    return any(_working(context, text) for text in quoted if len(text.split()) >= _MESSAGE_WORDS)


def _texts(context: Context) -> list[str]:
    """Messages that the question tells: behind an exception's name, else between quotes."""
    question = context.pack.question[:8_000]
    texts = [_without_question(text.strip()) for text in TOLD.findall(question)]
    return list(dict.fromkeys(texts or ["".join(groups) for groups in QUOTED.findall(question)]))


def _without_question(text: str) -> str:
    """The sentences before the first one that asks; all of them when the first one does."""
    sentences = _SENTENCE_END.split(text)
    asks = next((at for at, sentence in enumerate(sentences) if "?" in sentence), len(sentences))
    return " ".join(sentences[:asks]) or text


def _working(context: Context, text: str) -> list[Line]:
    """The statements of code that spell a message."""
    lines = [line for line in context.find.message(text) if line.role is Role.CODE and line.kind != "section"]
    return _statements([line for line in lines if not _is_comment(line) and not line.prose])


def tell_messages(context: Context, draft: Draft) -> list[Line]:
    """Where the text of an error message comes from, under which condition; the lines of code that hold it."""
    told: list[Line] = []
    for text in _texts(context):
        working = _working(context, text)
        if not working:
            continue
        told += working
        draft.gap()
        draft.say(f"The message comes from {plural(len(working), 'line')} of code:")
        for line in working[:MAX_MESSAGES]:
            draft.say(source_line(context, line))
            _carried(context, line, draft)
        if len(working) > MAX_MESSAGES:
            draft.notes.append(not_listed(len(working) - MAX_MESSAGES, "lines with the message"))
        values = list(dict.fromkeys(each for line in working[:MAX_FOLLOWED] for each in sources(context, line)))
        if values:
            draft.say("What the condition tests gets its value here:", *values[:MAX_VALUES])
    return told


def _statements(lines: list[Line]) -> list[Line]:
    """One line of each statement: a message may run over several."""
    return list({(line.path, line.statement()[0]): line for line in reversed(lines)}.values())[::-1]


def ask_further(context: Context, draft: Draft, told: list[Line]) -> None:
    """What the question asks beside the message: from the definition that spells it, then from other evidence."""
    from retrieval.text.terms import index_terms

    spelled = frozenset(index_terms(" ".join(line.text for line in told)))
    asking = ask_of(context, without=sorted(spelled))
    if len(asking.whole.weights) < _FURTHER:
        return
    rows = [row for line in told[:MAX_FOLLOWED] if (row := context.reader.symbol(line.owner)) is not None]
    draft.gap()
    say_bearing(context, asking, draft, lead=[row for row in rows if row.symbol.kind != "module"], others=_OTHERS)


def _is_comment(line: Line) -> bool:
    return line.text.lstrip().startswith("#") or line.block_kind() is BlockKind.COMMENT


def source_line(context: Context, line: Line, *, guarded: bool = True) -> str:
    first, last = line.statement()
    verb = "raised" if line.block_kind() is BlockKind.RAISE else "spelled"
    cited = context.book.cite(line.path, first, last, names=(line.owner,))
    owner = f" in {code(title(line.owner), 200)}" if line.owner else ""
    text = folded(context.book, line.path, first, last)
    condition, also = under(context, line) if guarded else ("", "")
    return f"- {verb} at {code(f'{line.path}:{line.number}', 300)}{owner}{condition}: {code(text, 160)} {cited}{also}"


_ASSIGNED = re.compile(r"\s*([A-Za-z_]\w{0,80})\s*(?::[^=\n]{1,80})?=(?!=)")


def _carried(context: Context, line: Line, draft: Draft) -> None:
    """A message that is assigned to a name of the module: where that name goes."""
    first, _ = line.statement()
    matched = _ASSIGNED.match(context.book.line(line.path, first))
    if not matched or line.kind != "module":
        return
    uses = [
        each
        for each in context.find.lines(matched[1])
        if each.role is Role.CODE and not each.prose and not (each.path == line.path and each.number == first)
    ]
    for each in uses[:MAX_MESSAGES]:
        start, end = each.statement()
        cited = context.book.cite(each.path, start, end, names=(each.owner,))
        text = folded(context.book, each.path, start, end)
        draft.say(f"- its name {code(matched[1])} is used at {code(f'{each.path}:{each.number}', 300)}: "
                  f"{code(text, 160)} {cited}")  # fmt: skip
