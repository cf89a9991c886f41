"""What a model reads: a header per piece of evidence, numbered lines, marked elisions, a blank line between pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from retrieval.pack_records import ContextPack, Decision, EvidenceChunk, LegHit
from retrieval.tokens.counter import estimate_tokens, number_tokens

SEPARATOR_TOKENS = 1  # the blank line after a piece of evidence

LEGEND = (
    "Headers: file:lines (of the file above where none is named), symbol, legs that found it (l lexical, v vector, "
    "g graph, a added) with the score in hundredths."
)

_ELLIPSIS_TOKENS = 1
_SPACE_TOKENS = 1
_DASH_TOKENS = 1
_NEWLINE_TOKENS = 1
_words_tokens = lru_cache(maxsize=8192)(estimate_tokens)


def legs_label(legs: Sequence[LegHit]) -> str:
    """The legs that found a chunk, in alphabetical order: ``lexical+vector``; ``added`` when none did."""
    return "+".join(sorted({hit.leg for hit in legs})) or "added"


def header_text(number: int, path: str, start: int, end: int, symbol: str, legs: Sequence[LegHit], score: float) -> str:
    """``[1] src/flask/app.py:546-668 Flask.run lv93``, without a line end.

    The last word names the legs by their first letters (lexical, vector, graph; ``a`` for added) and the score in
    hundredths: two tokens, where words took nine, and a pack has some thirty headers. Control characters and line ends,
    which paths and headings may hold, are replaced, so that a header is one line.
    """
    where = f"{path}:{start}" if start == end else f"{path}:{start}-{end}"
    name = f" {symbol}" if symbol else ""
    return _one_line(f"[{number}] {where}{name} {_letters(tuple([hit.leg for hit in legs]))}{_hundredths(score)}")


def header_tokens(
    number: int, path: str, start: int, end: int, symbol: str, legs: Sequence[LegHit], score: float
) -> int:
    """``estimate_tokens`` of ``header_text`` with its line end.

    Added up from its words, most of which other headers hold, too: the o200k pattern splits before a blank.
    """
    path = _one_line(path)
    if not path.isascii():  # the pattern makes one piece of such a word
        return estimate_tokens(header_text(number, path, start, end, symbol, legs, score) + "\n")
    tokens = _words_tokens(f"[{number}]") + _words_tokens(f" {path}:") + number_tokens(start)
    if start != end:
        tokens += _DASH_TOKENS + number_tokens(end)
    if symbol:
        tokens += _words_tokens(_one_line(f" {symbol}"))
    return tokens + _words_tokens(f" {_letters(tuple([hit.leg for hit in legs]))}{_hundredths(score)}\n")


@lru_cache(maxsize=64)
def _letters(legs: tuple[str, ...]) -> str:
    return "".join(leg[0] for leg in sorted(set(legs)) or ("added",))


def _hundredths(score: float) -> int:
    return max(0, round(100 * score))


def owner_of(symbol: str) -> str:
    """The outermost name of a dotted symbol or of a single one, ``Flask`` of ``Flask.run``; "" for a heading."""
    first = symbol.split(".", 1)[0].split("#", 1)[0]
    return first if first.isidentifier() and " " not in symbol else ""


def short_symbol(symbol: str) -> str:
    """``.run`` for ``Flask.run``: what is told below a header of the same owner."""
    owner = owner_of(symbol)
    rest = symbol[len(owner) :]
    return rest if owner and rest.startswith(".") else symbol


def _one_line(text: str) -> str:
    return text if text.isprintable() else "".join(char if char.isprintable() else "\ufffd" for char in text)


def chunk_header(chunk: EvidenceChunk, above: EvidenceChunk | None = None) -> str:
    """Without the stages' actions: marks in the text show what is left out, and every token of a header is one less
    of evidence.

    Args:
        above: The piece before, if it is of the same file: its path, and its class where that is the same, are not told
            again: ``[2] :670-675 .run lv52``.
    """
    path, symbol = told(chunk.path, chunk.symbol, above.symbol if above else None)
    return header_text(chunk.number, path, chunk.start_line, chunk.end_line, symbol, chunk.legs, chunk.score)


def told(path: str, symbol: str, above: str | None) -> tuple[str, str]:
    """Path and symbol as a header tells them below a piece of the same file with the symbol ``above``, if any is."""
    if above is None:
        return path, symbol
    return "", short_symbol(symbol) if owner_of(above) == owner_of(symbol) else symbol


def pieces_above(chunks: Sequence[EvidenceChunk]) -> list[EvidenceChunk | None]:
    """Of each piece: the one before, if it is of the same file."""
    return [None, *(before if before.path == chunk.path else None for before, chunk in pairwise(chunks))][: len(chunks)]


def elision_mark(first: int, last: int) -> str:
    """The line that stands for lines ``first..last``."""
    return f"… {first}" if first == last else f"… {first}-{last}"


def elision_tokens(first: int, last: int) -> int:
    """Tokens of the mark with its line end, exact: the pattern splits at each of its parts."""
    tokens = _ELLIPSIS_TOKENS + _SPACE_TOKENS + number_tokens(first) + _NEWLINE_TOKENS
    return tokens if first == last else tokens + _DASH_TOKENS + number_tokens(last)


def body_text(ranges: Sequence[tuple[int, int]], line_of: Mapping[int, str]) -> str:
    """Numbered lines of ``ranges`` (sorted, disjoint) with a mark between two ranges."""
    out: list[str] = []
    previous = 0
    for first, last in ranges:
        if previous:
            out.append(elision_mark(previous + 1, first - 1))
        out.extend(f"{number} {line_of[number]}" for number in range(first, last + 1))
        previous = last
    return "\n".join(out)


def ranges_of(numbers: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Runs of consecutive line numbers, given sorted."""
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return tuple(ranges)


def render_chunk(chunk: EvidenceChunk, above: EvidenceChunk | None = None) -> str:
    return f"{chunk_header(chunk, above)}\n{chunk.text}\n"


def render_pack(pack: ContextPack) -> str:
    """The evidence as the budget counts it; "" for an empty pack."""
    return "\n".join(map(render_chunk, pack.chunks, pieces_above(pack.chunks)))


def render_summary(pack: ContextPack) -> str:
    """Totals, what is missing, warnings and rot findings: for people, outside the budget."""
    files = len({chunk.path for chunk in pack.chunks})
    lines = sum(last - first + 1 for chunk in pack.chunks for first, last in chunk.ranges)
    out = [
        f"{_count(len(pack.chunks), 'piece')} of evidence, {_count(lines, 'line')} from {_count(files, 'file')}, "
        f"{pack.total_tokens} of "
        f"{pack.budget} tokens (and {pack.reserve} kept for the reply); evidence strength {pack.strength:.2f}"
    ]
    if pack.chunks:
        out.append(LEGEND)
    if pack.redactions:
        out.append(f"{_count(pack.redactions, 'secret')} redacted")
    if not pack.sufficient and (pack.chunks or not pack.warnings):  # else a warning tells why there is nothing
        out.append("The evidence is too thin to answer from.")
    out.extend(f"missing: {item}" for item in pack.missing)
    out.extend(f"warning: {item}" for item in pack.warnings)
    for finding in pack.rot:
        numbers = ", ".join(f"[{n}]" for n in finding.chunks)
        out.append(f"rot ({finding.severity}) {finding.kind}{' ' + numbers if numbers else ''}: {finding.message}")
        if finding.action:
            out.append(f"    {finding.action}")
    return "\n".join(out) + "\n"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + 's'}"


def render_explain(pack: ContextPack) -> str:
    """What every stage did to every chunk, one line each, in the order it happened."""
    plan = pack.plan
    weights = ", ".join(f"{leg} {weight:.2f}" for leg, weight in sorted(plan.leg_weights.items()))
    out = [f"plan: {plan.question_class.value}; legs {weights or 'none'}"]
    out += [
        f"plan: {mention.how} `{mention.text}` -> {', '.join(mention.symbols) or 'nothing in the tree'}"
        for mention in plan.mentions
    ]
    out += [f"plan: file `{hint.text}` -> {', '.join(hint.paths) or 'no indexed file'}" for hint in plan.file_hints]
    out += [f"plan: aspect {aspect}" for aspect in plan.aspects]
    out += [f"plan: {note}" for note in plan.notes]
    out += [_decision_line(decision) for decision in pack.decisions]
    return "\n".join(map(_one_line, out)) + "\n"


def _decision_line(decision: Decision) -> str:
    where = f"{decision.path}:{decision.start_line}-{decision.end_line}" if decision.path else "-"
    name = f" {decision.symbol}" if decision.symbol else ""
    return f"{decision.stage}: {decision.action} {where}{name}: {decision.why}"
