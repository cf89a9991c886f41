"""The finest things that an answer says of a definition: a sentence of its prose; statements with their condition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agent.answer.evidence import without_comment_mark
from agent.answer.offline.wording import prose_sentences
from agent.guard import is_suspicious
from retrieval.records import Block, BlockKind, ChunkRow

DOC, ENTRY, COMMENT, PARAMETER, CLASS, STATEMENTS = "doc", "entry", "comment", "parameter", "class", "statements"

Span = tuple[int, int]

_MIN_WORDS = 3  # of a sentence that says something
_MAX_RUN = 2  # statements under one condition that are told as one
_MAX_LINES = 12  # of a statement
_MAX_PROSE = 4_000  # characters of one docstring or comment
_MAX_ENTRY = 300  # characters of a list entry that is told whole
_MAX_CHAIN = 3  # branches told before an ``else``
_MAX_UNITS = 160  # of one definition
_SIMPLE = frozenset({BlockKind.RETURN, BlockKind.RAISE, BlockKind.CALL, BlockKind.ASSIGN, BlockKind.STATEMENT})
_DECIDING = frozenset({BlockKind.RETURN, BlockKind.RAISE})
_SAYS_NOTHING = frozenset({"pass", "...", "try:", "finally:", "else:", "return", "continue", "break", "raise", "yield"})
_BRANCH = re.compile(r"(?:else|elif|except|finally|case)\b")
# The entry of a parameter list, as Google, NumPy and Sphinx write it; and of a bulleted list.
_ENTRY = re.compile(
    r"(?::(?:param|parameter|arg|argument|key|keyword|type|var|returns?|rtype|raises?|exception|yields?)\b[^:\n]{0,80}:"
    r"|\*{0,2}[A-Za-z_]\w{0,60}(?: ?\([^()\n]{1,80}\))? ?:(?: |$)|[-*+•] |\d{1,2}[.)] )"
)
_BINDS = re.compile(r"^except\b.{1,200} as (\w{1,60}):|^(?:async )?for (\w{1,60}) in ")
_PROMPT = re.compile(r"(?:>>>|\.\.\. |\$ |```|\.\. )")
_DIRECTIVE = re.compile(r"[ \t]*\.\. [\w-]{1,40}::")
_UNDERLINE = re.compile(r"[=\-~^\"'#*+.:_`|]{3,}$")
_QUOTES = re.compile(r"^[rRuUbBfF]{0,2}(?:\"\"\"|'''|\"|')|(?:\"\"\"|'''|\"|')$")
_DEFAULT = re.compile(r"\s*(\*{0,2}[A-Za-z_]\w{0,80})\s*(?::[^=]{1,200})?=\s*\S")


@dataclass(frozen=True, slots=True)
class Unit:
    """Attributes:
    kind: ``doc``, ``entry`` (of a list in a docstring), ``comment``, ``parameter``, ``class`` (its header with bases)
        or ``statements``.
    conditions: Lines of the headers that the statements stand under, outermost first; before an ``else`` its ``if``.
    spans: Lines of the sentence, or of each statement, in order.
    text: What is judged: the words of note, conditions and statements, or the sentence.
    deciding: A return, yield or raise is among the statements.
    note: A short comment right above, with its lines.
    """

    kind: str
    conditions: tuple[Span, ...]
    spans: tuple[Span, ...]
    text: str
    deciding: bool = False
    note: tuple[str, Span] | None = None

    @property
    def first(self) -> int:
        return self.spans[0][0]

    @property
    def last(self) -> int:
        return self.spans[-1][1]


def units_of(rows: Sequence[ChunkRow], lines: Sequence[str]) -> list[Unit]:
    """Units of a definition's chunks in source order. Lines that are not shown (blank) belong to none."""
    found: list[Unit] = []
    at = _Reading(lines)
    for row in rows:
        if row.part == 1:
            at = _Reading(lines)  # the parts of one definition are read as one
        for unit in _of_chunk(row, at):
            if not is_suspicious(unit.text):
                found.append(unit)
            if len(found) >= _MAX_UNITS:
                return found
    return found


@dataclass(slots=True)
class _Reading:
    """Where the walk over a chunk's blocks stands.

    Attributes:
        ancestors: Headers around the current block, outermost first.
        chains: Depth -> the last ``if`` there and the ``elif`` branches that followed it.
        run: Simple statements that are told together.
        notes: First line of a statement or header -> the short comment right above it.
    """

    lines: Sequence[str]
    ancestors: list[Block] = field(default_factory=list)
    chains: dict[int, list[Block]] = field(default_factory=dict)
    run: list[Block] = field(default_factory=list)
    notes: dict[int, tuple[str, Span]] = field(default_factory=dict)

    def text(self, block: Block) -> str:
        return _text(self.lines, block.start, block.end)

    def enter(self, block: Block) -> None:
        """What follows deeper stands under ``block``, if that is a header; its ancestors are set already."""
        if block.kind is BlockKind.CONTROL:
            branch = _BRANCH.match(self.text(block))
            if branch is None:
                self.chains[block.depth] = [block]
            elif branch[0] == "elif":
                self.chains.setdefault(block.depth, []).append(block)
        if block.kind is BlockKind.CONTROL or (block.kind is BlockKind.SIGNATURE and block.depth):
            self.ancestors = [*self.ancestors, block]


def _of_chunk(row: ChunkRow, at: _Reading) -> Iterator[Unit]:
    lines = at.lines
    for block in row.blocks:
        if block.kind is BlockKind.BLANK:
            continue
        text = at.text(block)
        above = [each for each in at.ancestors if each.depth < block.depth]
        alone = not text or not above or above != at.ancestors or block.kind not in _SIMPLE
        if alone or len(at.run) == _MAX_RUN or block.start in at.notes:
            yield from _flushed(at)
        at.ancestors = above
        if not text:  # not shown: what is below it stands under a condition that nobody knows
            at.enter(block)
            continue
        if block.kind in _SIMPLE:
            at.run.append(block)
        elif block.kind is BlockKind.DOCSTRING:
            yield from _sentences(lines, block.start, block.end, DOC)
        elif block.kind is BlockKind.COMMENT:
            told = list(_sentences(lines, block.start, block.end, COMMENT))
            if len(told) == 1 and told[0].first == block.start and told[0].last == block.end:
                at.notes[block.end + 1] = (told[0].text, (block.start, block.end))
            else:
                yield from told
        elif block.kind is BlockKind.TEXT:
            yield from _config(row, block, lines)
        elif block.kind is BlockKind.SIGNATURE:
            if text.startswith("class ") and "(" in text:
                yield Unit(CLASS, (), ((block.start, block.end),), text)
            yield from _parameters(lines, block)
        if block.kind is BlockKind.CONTROL and text not in _SAYS_NOTHING:
            note = at.notes.get(block.start)
            yield Unit(STATEMENTS, (), ((block.start, block.end),), _noted(note, text), note=note)
        at.enter(block)
    yield from _flushed(at)


def _flushed(at: _Reading) -> Iterator[Unit]:
    if not at.run:
        return
    conditions = _conditions(at)
    spans = tuple((block.start, min(block.end, block.start + _MAX_LINES)) for block in at.run)
    text = " ".join(_text(at.lines, *span) for span in (*conditions, *spans))
    note = at.notes.get(at.run[0].start) or (at.notes.pop(conditions[-1][0], None) if conditions else None)
    if conditions or text not in _SAYS_NOTHING:
        deciding = any(block.kind in _DECIDING for block in at.run)
        yield Unit(STATEMENTS, conditions, spans, _noted(note, text), deciding, note)
    at.run.clear()


def _noted(note: tuple[str, Span] | None, text: str) -> str:
    return f"{note[0]} {text}" if note else text


def conditions_at(blocks: Sequence[Block], lines: Sequence[str], line: int, depth: int = 2) -> tuple[Span, ...]:
    """Lines of the innermost ``depth`` headers around the statement at ``line``, outermost first."""
    at = _Reading(lines)
    for block in blocks:
        if block.kind is BlockKind.BLANK:
            continue
        at.ancestors = [each for each in at.ancestors if each.depth < block.depth]
        if block.start <= line <= block.end:
            break
        at.enter(block)
    found: list[Span] = []
    while at.ancestors and len(found) < depth:
        spans = _conditions(at)
        if not spans:
            break
        found = [*spans, *found]
        at.ancestors = [each for each in at.ancestors if each.start < spans[-1][0]]
    return tuple(found)


def _conditions(at: _Reading) -> tuple[Span, ...]:
    """The nearest header that says something, and before an ``else`` what it is the other branch of."""
    for block in reversed(at.ancestors):
        text = at.text(block)
        if not text and block.kind is BlockKind.SIGNATURE:
            return ()  # what is around a nested definition says nothing of its statements
        if not text or text in ("try:", "finally:") or text.startswith(("with ", "async with ")):
            continue
        outer = _binder(at, block, text)
        if outer is not None:
            return ((outer.start, outer.end), (block.start, block.end))
        chain = [each for each in at.chains.get(block.depth, ()) if each.start < block.start]
        if text == "else:" and chain and at.text(chain[0]) not in ("", "try:"):
            chain = chain if len(chain) < _MAX_CHAIN else [chain[0], chain[-1]]
            return (*((each.start, each.end) for each in chain if at.text(each)), (block.start, block.end))
        return ((block.start, block.end),)
    return ()


def _binder(at: _Reading, block: Block, text: str) -> Block | None:
    """The header around ``block`` that binds a name which ``block`` tests: ``except NoMatch as e:``, ``for e in …``."""
    for outer in reversed(at.ancestors):
        bound = _BINDS.search(at.text(outer)) if outer.start < block.start else None
        if bound and re.search(rf"(?<![\w.]){re.escape(bound[1] or bound[2])}(?!\w)", text):
            return outer
    return None


def _sentences(lines: Sequence[str], first: int, last: int, kind: str) -> Iterator[Unit]:
    """Sentences of a docstring or a comment; each entry of a list stands for itself."""
    read = 0
    paragraph: list[tuple[int, str]] = []
    shown = [(number, lines[number - 1]) for number in range(first, min(last, len(lines)) + 1)]
    directive: int | None = None  # indentation of ".. versionchanged::", whose body is skipped
    for number, text in (*shown, (last + 1, "")):
        read += len(text)
        indent = len(text) - len(text.lstrip())
        if directive is not None and (indent > directive or not text.strip()):
            continue
        directive = indent if kind == DOC and _DIRECTIVE.match(text) else None
        stripped = without_comment_mark(text).strip() if kind == COMMENT else text.strip()
        if kind == DOC:
            stripped = _QUOTES.sub("", _QUOTES.sub("", stripped)).strip() if number in (first, last) else stripped
        if not stripped or _UNDERLINE.match(stripped) or _ENTRY.match(stripped) or _PROMPT.match(stripped):
            yield from _paragraph(paragraph, kind)
            paragraph = []
        if read > _MAX_PROSE:
            break
        if stripped and not _UNDERLINE.match(stripped) and not _PROMPT.match(stripped):
            paragraph.append((number, stripped))


def _paragraph(paragraph: Sequence[tuple[int, str]], kind: str) -> Iterator[Unit]:
    whole = " ".join(text for _, text in paragraph)
    if (
        kind == DOC and len(whole) <= _MAX_ENTRY and len(whole.split()) >= _MIN_WORDS and _ENTRY.match(whole)
    ):  # a parameter, with its "Defaults to …"
        yield Unit(ENTRY, (), ((paragraph[0][0], paragraph[-1][0]),), whole)
        return
    words = [(word, number) for number, text in paragraph for word in text.split()]
    at = 0
    for sentence in prose_sentences(" ".join(word for word, _ in words)):
        wanted = sentence.split()
        while at + len(wanted) <= len(words) and [word for word, _ in words[at : at + len(wanted)]] != wanted:
            at += 1
        if at + len(wanted) > len(words):
            return
        span = (words[at][1], words[at + len(wanted) - 1][1])
        at += len(wanted)
        if sum(any(char.isalpha() for char in word) for word in wanted) >= _MIN_WORDS:
            yield Unit(kind, (), (span,), sentence)


def _parameters(lines: Sequence[str], block: Block) -> Iterator[Unit]:
    """Each line of a signature that gives a default; a signature on one line as a whole."""
    for number in range(block.start, min(block.end, len(lines)) + 1):
        text = lines[number - 1].strip()
        if _DEFAULT.match(text) or (block.start == block.end and "=" in text):
            yield Unit(PARAMETER, (), ((number, number),), text)


def _config(row: ChunkRow, block: Block, lines: Sequence[str]) -> Iterator[Unit]:
    """Lines of a configuration file, each below the header of its section."""
    if row.kind.value != "config":
        return
    header = next(
        (n for n in range(block.start - 1, row.start_line - 1, -1) if lines[n - 1].lstrip().startswith("[")), 0
    )
    text = _text(lines, block.start, block.end)
    if (text.startswith("[") and text.endswith("]")) or not any(char.isalnum() for char in text):
        return
    conditions: tuple[Span, ...] = ((header, header),) if header else ()
    judged = f"{lines[header - 1]} {text}" if header else text
    yield Unit(STATEMENTS, conditions, ((block.start, block.end),), judged)


def _text(lines: Sequence[str], first: int, last: int) -> str:
    return " ".join(" ".join(lines[first - 1 : last]).split())
