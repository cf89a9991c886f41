"""The values behind an answer: where constants and keys are given that it names, or that the question describes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agent.answer.offline.asked import Asked
from agent.answer.offline.context import Context, Draft, title
from agent.answer.offline.find import Line
from agent.answer.offline.wording import code
from agent.guard import is_suspicious
from retrieval.compile.value_wording import asked_terms, asks_for_values, name_terms, said_share
from retrieval.records import BlockKind, ChunkKind, ChunkRow, Role

MAX_VALUES = 6
MAX_CODE = 260  # characters of one assignment
_MAX_LINES = 12  # of one assignment
_MAX_LOOKED_UP = 4  # names whose assignment the evidence does not show
_LEAST = 0.5  # of a name, said by the question
_AMOUNT = 0.25  # a number, where one is asked for
_NUMBER = re.compile(r"(?<![\w.])\d")
_OF_A_PARAMETER = 0.15  # a parameter's default is told with its function, if it matters
_MAX_BESIDE = 3  # lines between entries of a table
_NAMED = 0.6  # the answer names it
_NAMES = re.compile(
    r"(?<![\w-])_{0,2}[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){0,8}(?!\w)|(?<=[\"'])[a-z][a-z0-9_]{3,40}(?=[\"'])"
)
_GIVES = re.compile(r"\s*(?:([A-Za-z_]\w{0,80})\s*(?::(?!=)[^=\n]{1,120})?=(?!=)|[\"']([\w.-]{1,80})[\"']\s*:)\s*\S")


@dataclass(frozen=True, slots=True)
class _Value:
    """``names`` are given a value on the lines: of a table its own, then those of its entries."""

    names: tuple[str, ...]
    path: str
    first: int
    last: int
    owner: str
    entry: bool = False  # of a table
    parameter: bool = False


def say_values(context: Context, asking: Asked, following: Sequence[str], draft: Draft) -> list[str]:
    """Lines of code that give a value to what the answer names or the question describes; none where none is asked for.

    An answer without an index at hand knows the lines that the evidence shows; with one, names that the answer spells
    are looked up.

    Args:
        following: Lines that will stand behind the values.

    Returns:
        ``following`` without what the values tell.
    """
    if not (asking.value or asking.quantity or asks_for_values(context.pack.question)):
        return list(following)
    said = "\n".join(draft.lines)
    named = dict.fromkeys(_NAMES.findall("\n".join((said, *following))))
    asked = asked_terms(context.pack.plan)
    ranked: list[tuple[float, str, int, _Value]] = []
    found = [*_shown(context), *_looked_up(context, list(named))]
    weights = [_weight(context, value, named, asked, asking) for value in found]
    tables = [value for value, weight in zip(found, weights, strict=True) if value.entry and weight >= _LEAST]
    for value, weight in zip(found, weights, strict=True):
        if value.entry and any(_is_beside(value, other) for other in tables):
            weight = max(weight, _LEAST)  # the entries of a table are read together
        if weight >= _LEAST and not _is_told(context, value, said):
            ranked.append((-weight, value.path, value.first, value))
    ranked.sort(key=lambda item: item[:3])
    chosen = list({_text(context, value): value for _, _, _, value in reversed(ranked)}.values())[::-1][:MAX_VALUES]
    if chosen:
        draft.gap()
        draft.say("Values that bear on it:", *(_line(context, value) for value in chosen))
    return _without(following, [code(_text(context, value), 150) for value in chosen])


def _without(entries: Sequence[str], told: Sequence[str]) -> list[str]:
    """The entries of a list without the lines below their heads that tell the same, and heads that have none left."""
    out: list[str] = []
    for entry in entries:
        if entry.startswith("  ") and any(text in entry for text in told):
            continue
        if not entry.startswith("  ") and out and out[-1].endswith(":") and not out[-1].startswith("  "):
            out.pop()
        out.append(entry)
    if out and out[-1].endswith(":") and not out[-1].startswith("  "):
        out.pop()
    return out


def _weight(
    context: Context, value: _Value, named: Collection[str], asked: Mapping[str, float], asking: Asked
) -> float:
    def of_name(name: str) -> float:
        terms = name_terms(name)
        share = sum(said_share(term, asked) for term in terms) / max(1, len(terms))
        return share + (_NAMED if name in named else 0.0)

    weight = max(map(of_name, value.names)) - (_OF_A_PARAMETER if value.parameter else 0.0)
    amounts = asking.quantity and weight >= _LEAST / 2 and _NUMBER.search(_text(context, value))
    return weight + (_AMOUNT if amounts else 0.0)


def _is_beside(value: _Value, other: _Value) -> bool:
    return value.path == other.path and value.owner == other.owner and abs(value.first - other.first) <= _MAX_BESIDE


def _shown(context: Context) -> Iterator[_Value]:
    """Assignments and entries of tables at the top of modules and classes, as far as the evidence shows them."""
    for path in dict.fromkeys(chunk.path for chunk in context.pack.chunks if chunk.role == Role.CODE.value):
        visible = {
            number
            for chunk in context.pack.chunks
            if chunk.path == path
            for first, last in chunk.ranges
            for number in range(first, last + 1)
        }
        lines = context.book.lines(path)
        for row in context.reader.chunks_of(path):
            if row.kind not in (ChunkKind.MODULE, ChunkKind.CLASS):
                yield from _parameters(path, lines, row, visible)
                continue
            owner = row.qualname if row.kind is ChunkKind.CLASS else ""
            for block in row.blocks:
                span = range(block.start, min(block.end, block.start + _MAX_LINES) + 1)
                if block.kind is BlockKind.ASSIGN and visible.issuperset(span):
                    yield from _given(path, lines, block.start, span[-1], owner)
                elif block.kind is BlockKind.ASSIGN:
                    for number in range(block.start, block.end + 1):
                        if number in visible:
                            yield from _given(path, lines, number, number, owner)


def _parameters(path: str, lines: Sequence[str], row: ChunkRow, visible: Collection[int]) -> Iterator[_Value]:
    """Parameters with a default that stand on lines of their own."""
    for block in row.blocks:
        if block.kind is BlockKind.SIGNATURE:
            for number in range(block.start + 1, min(block.end, len(lines)) + 1):
                if number in visible:
                    for value in _given(path, lines, number, number, row.qualname):
                        yield replace(value, parameter=True)


def _given(path: str, lines: Sequence[str], first: int, last: int, owner: str) -> Iterator[_Value]:
    matched = _GIVES.match(lines[first - 1]) if first <= len(lines) else None
    if matched and not is_suspicious(lines[first - 1]):
        inside = [found[2] for text in lines[first:last] if (found := _GIVES.match(text)) and found[2]]
        yield _Value((matched[1] or matched[2], *inside), path, first, last, owner, entry=matched[1] is None)


def _looked_up(context: Context, names: Sequence[str]) -> Iterator[_Value]:
    """Assignments of names that the answer spells, from the whole index; a reader of the evidence alone has none."""
    if not hasattr(context.reader, "conn"):
        return
    for name in names[: 3 * _MAX_LOOKED_UP]:
        found = [line for line in context.find.lines(name) if _assigns(line, name)]
        for line in found[:1]:
            first, last = line.statement()
            yield _Value(
                (name,), line.path, first, min(last, first + _MAX_LINES), line.owner if line.kind == "class" else ""
            )


def _assigns(line: Line, name: str) -> bool:
    matched = _GIVES.match(line.text)
    known = matched is not None and name in (matched[1], matched[2])
    return known and line.role is Role.CODE and not line.prose and line.kind in ("module", "class")


def _is_told(context: Context, value: _Value, said: str) -> bool:
    return code(_text(context, value), MAX_CODE) in said or code(_text(context, value), 150) in said


def _text(context: Context, value: _Value) -> str:
    return " ".join(" ".join(context.book.lines(value.path)[value.first - 1 : value.last]).split())


def _line(context: Context, value: _Value) -> str:
    cited = context.book.cite(value.path, value.first, value.last, names=(value.owner,) if value.owner else ())
    at = code(f"{value.path}:{value.first}", 300)
    inside = f" in {code(title(value.owner), 200)}" if value.owner else ""
    return f"- {code(_text(context, value), MAX_CODE)} at {at}{inside} {cited}"
