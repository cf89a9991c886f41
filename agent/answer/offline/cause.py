"""Under which condition a statement is reached, and where the names that the condition tests get their values."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence

from agent.answer.offline.context import Context, title
from agent.answer.offline.find import Line, folded
from agent.answer.offline.tell import cite_spans
from agent.answer.offline.units import Span, conditions_at
from agent.answer.offline.wording import code
from retrieval.records import Role

MAX_NAMES = 4  # of a condition, that are followed
MAX_SOURCES = 3  # lines that give one name its value
_MAX_HOPS = 2
_MAX_CONDITION = 260  # characters
_NAME = re.compile(r"(?P<holder>(?:self|cls|[A-Za-z_]\w{0,60})\.)?(?P<name>[A-Za-z_]\w{1,80})(?!\w|\s?\()")
_STRING = re.compile(r"\"[^\"\n]{0,400}\"|'[^'\n]{0,400}'")
_COMMON = frozenset(
    {"self", "cls", "len", "isinstance", "type", "name", "value", "True", "False", "None", "is", "exc", "err"}
)
_CONSTANT = re.compile(r"(?<![\w.])[A-Z][A-Z0-9_]{3,80}(?!\w)")


def conditions_of(context: Context, line: Line, depth: int = 2) -> tuple[Span, ...]:
    return conditions_at(line.blocks, context.book.lines(line.path), line.number, depth)


def under(context: Context, line: Line) -> tuple[str, str]:
    """(`` under `if not silent:` ``, its citation); two empty strings for a statement under no condition."""
    spans = conditions_of(context, line)
    if not spans:
        return "", ""
    told = " and ".join(code(folded(context.book, line.path, *span), _MAX_CONDITION) for span in spans)
    return f", under {told}", cite_spans(context, line.path, spans)


def sources(context: Context, line: Line) -> list[str]:
    """List lines: where the names that the conditions of ``line`` test are set, constants of defaults included."""
    text = " ".join(folded(context.book, line.path, *span) for span in conditions_of(context, line, 1))
    out: list[str] = []
    seen: set[tuple[str, int]] = set()
    names = _names(text)
    for _ in range(_MAX_HOPS):
        following: list[tuple[str, bool]] = []
        for name, attribute in names[:MAX_NAMES]:
            for each in _setters(context, line, name, attribute):
                if (each.path, each.number) in seen:
                    continue
                seen.add((each.path, each.number))
                first, last = each.statement()
                first = last = each.number if last - first > _MAX_HOPS else first
                shown = folded(context.book, each.path, first, last)
                cited = context.book.cite(each.path, first, last, names=(each.owner,))
                owner = f" in {code(title(each.owner), 200)}" if each.owner else ""
                out.append(f"- {code(name)} at {code(f'{each.path}:{first}', 300)}{owner}: {code(shown, 140)} {cited}")
                following += [(constant, True) for constant in _CONSTANT.findall(shown) if constant != name]
                following += [(name.lstrip("_"), False)] if name.startswith("_") else []
        names = list(dict.fromkeys(following))
    return out


def _names(text: str) -> list[tuple[str, bool]]:
    """(name, whether it is an attribute or a constant) in order, each once."""
    found: dict[str, bool] = {}
    for match in _NAME.finditer(_STRING.sub("", text)):
        name, holder = match["name"], match["holder"]
        if keyword.iskeyword(name) or name in _COMMON or len(name) < 3:
            continue
        found.setdefault(name, bool(holder) or name.isupper())
    return list(found.items())


def _setters(context: Context, line: Line, name: str, attribute: bool) -> list[Line]:
    """Lines that give the name a value: in the same definition for a local one, anywhere in code for others."""
    pattern = re.compile(
        rf"(?:^|[\s(,]|\.){re.escape(name)}\s*(?::(?!=)[^=\n]{{1,120}})?(?:[-+|&]?=)(?!=)|\bfor {re.escape(name)} in\b"
    )
    holder = line.owner.rsplit(".", 1)[0]
    found = [
        each
        for each in context.find.lines(name)
        if each.role is Role.CODE
        and not each.prose
        and (attribute or each.owner == line.owner or each.owner.startswith(holder + "."))
        and (each.path, each.number) != (line.path, line.number)
        and pattern.search(each.text)
    ]
    ranked = sorted(found, key=lambda each: (each.owner != line.owner, each.path != line.path, each.number))
    return _spread(ranked)[:MAX_SOURCES]


def _spread(lines: Sequence[Line]) -> list[Line]:
    """One line of each definition first."""
    first: dict[tuple[str, str], Line] = {}
    for line in lines:
        first.setdefault((line.path, line.owner), line)
    return [*first.values(), *(line for line in lines if line not in first.values())]
