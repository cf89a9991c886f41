"""``template``: what all lines share, once. ``spans``: repeated runs of lines, once. Both give back every character.

Lines end at ``\\n`` alone and are joined by it; ``end`` is what follows the last one. A carriage return stays in its
line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from retrieval.context_ir.records import NotRecordsError, dump_string, dump_strings, load_json
from retrieval.context_ir.settings import MAX_FIELDS, MAX_RECORDS

_LEAST_LINES = 3
_SEPARATORS = ("|", "\t", "¦", "~", "^")
_ENTRY_CHARS = 6  # what an entry costs in the dictionary and at its first use, beside its text


def split_lines(text: str) -> tuple[list[str], str]:
    """Lines without their ends, and the end of the last one ("" or ``\\n``).

    Raises:
        NotRecordsError: Fewer than 3 or more than 1,024 lines.
    """
    end = "\n" if text.endswith("\n") else ""
    lines = (text[:-1] if end else text).split("\n")
    if not _LEAST_LINES <= len(lines) <= MAX_RECORDS:
        raise NotRecordsError("lines")
    return lines, end


def encode_template(text: str) -> str | None:
    """None when the lines share nothing. Cuts fall at blanks only, so that no value is cut in two."""
    lines, end = split_lines(text)
    prefix = _common_prefix(lines)
    prefix = prefix[: prefix.rfind(" ") + 1]
    rest = [line[len(prefix) :] for line in lines]
    suffix = _common_suffix(rest)
    if not all(len(line) == len(suffix) for line in rest):
        at = suffix.find(" ")
        suffix = suffix[at:] if at >= 0 else ("\r" if suffix.endswith("\r") else "")
    middles = [line[: len(line) - len(suffix)] for line in rest]
    parts, slots = _columns(middles)
    parts[0] = prefix + parts[0]
    parts[-1] += suffix
    taken = "".join(map("".join, slots))
    separator = next((mark for mark in _SEPARATORS if mark not in taken), None)
    if not any(parts) or separator is None or not any(map(any, slots)):  # lines that are all alike are spans' business
        return None
    head = f'{{"parts":{dump_strings(parts)},"end":{dump_string(end)},"sep":{dump_string(separator)}}}'
    return "\n".join([head, *(separator.join(row) for row in slots)])


def _common_prefix(lines: Sequence[str]) -> str:
    low, high = min(lines), max(lines)  # what these two share, all share
    at = next((at for at, pair in enumerate(zip(low, high, strict=False)) if pair[0] != pair[1]), len(low))
    return low[: min(at, len(high))]


def _common_suffix(lines: Sequence[str]) -> str:
    suffix = lines[0]
    for line in lines:
        if not line.endswith(suffix):
            suffix = _common_prefix((suffix[::-1], line[: -len(suffix) - 1 : -1]))[::-1]
    return suffix


def _columns(lines: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Constant text around and between the slots, and the slots of each line, from fields parted by single blanks."""
    fields = [line.split(" ") for line in lines]
    width = len(fields[0])
    if any(len(row) != width for row in fields) or width == 1:
        return ["", ""], [[line] for line in lines]
    columns = list(zip(*fields, strict=True))
    constant = [len(set(column)) == 1 for column in columns]
    parts = [""]
    slots: list[list[int]] = []
    for at in range(width):
        blank = " " if at else ""
        if constant[at]:
            parts[-1] += blank + columns[at][0]
        elif at and not constant[at - 1]:
            slots[-1].append(at)  # neighbouring slots are one: the blank between them costs less than a cut
        else:
            parts[-1] += blank
            slots.append([at])
            parts.append("")
    if not slots or len(slots) > MAX_FIELDS:
        return ["", ""], [[line] for line in lines]
    cuts = [slice(group[0], group[-1] + 1) for group in slots]
    return parts, [[" ".join(row[cut]) for cut in cuts] for row in fields]


def decode_template(body: str) -> str:
    """Raises NotRecordsError when ``body`` is no template."""
    head, _, rest = body.partition("\n")
    parts, end, separator = _fields(head, ("parts", "end", "sep"))
    if not isinstance(parts, list) or not isinstance(end, str) or not isinstance(separator, str) or not separator:
        raise NotRecordsError("template")
    if not all(isinstance(part, str) for part in parts):
        raise NotRecordsError("template")
    line = "%s".join(part.replace("%", "%%") for part in parts)
    try:
        if len(parts) == 2:
            return "\n".join([line % row for row in rest.split("\n")]) + end
        return "\n".join([line % tuple(row.split(separator)) for row in rest.split("\n")]) + end
    except TypeError:  # a row with more or fewer spans
        raise NotRecordsError("template") from None


def encode_spans(text: str) -> str | None:
    """None when no run of lines comes again."""
    lines, end = split_lines(text)
    if len(set(lines)) == len(lines):
        return None
    blocks = _blocks(lines)
    uses = Counter(blocks)
    known: dict[tuple[str, ...], int] = {}
    spans: list[str] = []
    literal: list[str] = []
    for block in blocks:
        chars = sum(map(len, block))
        if uses[block] > 1 and chars * (uses[block] - 1) > _ENTRY_CHARS + 2 * uses[block]:
            if literal:
                spans.append(dump_string("\n".join(literal)))
                literal = []
            spans.append(str(known.setdefault(block, len(known))))
        else:
            literal.extend(block)
    if not known:
        return None
    if literal:
        spans.append(dump_string("\n".join(literal)))
    words = dump_strings(["\n".join(block) for block in known])
    return f'{{"dict":{words},"end":{dump_string(end)},"spans":[{",".join(spans)}]}}'


def _blocks(lines: Sequence[str]) -> list[tuple[str, ...]]:
    """``lines`` cut into runs: two neighbours stay together when neither ever occurs without the other so."""
    uses = Counter(lines)
    pairs = Counter(pairwise(lines))
    blocks: list[tuple[str, ...]] = []
    run = [lines[0]]
    for before, line in pairwise(lines):
        if uses[line] == uses[before] == pairs[before, line] and uses[line] > 1 and line != before:
            run.append(line)
        else:
            blocks.append(tuple(run))
            run = [line]
    blocks.append(tuple(run))
    return blocks


def decode_spans(body: str) -> str:
    """Raises NotRecordsError when ``body`` holds no spans."""
    words, end, spans = _fields(body, ("dict", "end", "spans"))
    if not isinstance(words, list) or not isinstance(end, str) or not isinstance(spans, list):
        raise NotRecordsError("spans")
    out: list[str] = []
    for item in spans:
        try:
            piece = words[int(item)] if isinstance(item, bytes) else item
        except (ValueError, IndexError):
            raise NotRecordsError("spans") from None
        if not isinstance(piece, str):
            raise NotRecordsError("spans")
        out.append(piece)
    return "\n".join(out) + end


def _fields(body: str, names: tuple[str, ...]) -> list[object]:
    parsed = load_json(body)
    if not isinstance(parsed, tuple) or tuple(pair[0] for pair in parsed) != names:
        raise NotRecordsError("fields")
    return [pair[1] for pair in parsed]


def line_offsets(text: str) -> list[tuple[int, int]]:
    """Character offsets of each line with its end."""
    offsets: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        cut = text.find("\n", at) + 1 or len(text)
        offsets.append((at, cut))
        at = cut
    return offsets
