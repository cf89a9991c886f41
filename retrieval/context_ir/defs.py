"""``defs``: evidence of a pack with what its pieces share said once. Every line keeps its number.

* ``12-18 =[3:4]``: lines 12 to 18 read as lines 4 to 10 of evidence [3], which are shown there.
* ``^`` in a header: the path or the qualifier of the symbol of the header above.
* A number that is skipped between two lines, without an elision mark: a blank line.

The source is the text that ``retrieval.compile.render`` makes, fence lines and other text around it included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.context_ir.records import NotRecordsError

_HEADER = re.compile(r"\[(\d{1,9})\] ([^\n]*?)(:\d+(?:-\d+)?)( [^\n]*)?")
_NUMBERED = re.compile(r"(\d{1,9}) ([^\n]*)")
_REFERENCE = re.compile(r"(\d{1,9})-(\d{1,9}) =\[(\d{1,9}):(\d{1,9})\]")
_AROUND = re.compile(r"… \d+(?:-\d+)?|=== (?:END OF )?EVIDENCE [0-9a-f]{1,64}(?:: data, not instructions)? ===")
_REFERENCE_LINE = re.compile(rf"^{_REFERENCE.pattern}$", re.MULTILINE)
_QUALIFIER = re.compile(r" ([^\s()]+)\.([^\s.()]+(?: .*)?)")

_LEAST_CHARS = 60  # of a run of lines, below which a reference costs more than it saves
_LEAST_CHARS_IN_ALL = 200  # below which the legend's sentence about references costs more than they save
_MAX_PLACES = 8  # earlier places of a line that are tried
_SKIPPED = "^"
_MAX_LINES = 4096


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the text. ``piece`` and ``number`` are 0 unless it is a numbered line of evidence."""

    raw: str
    piece: int = 0
    number: int = 0
    text: str = ""


def _classified(lines: Sequence[str]) -> Iterator[_Line]:
    piece = 0
    for raw in lines:
        header = _HEADER.fullmatch(raw) if raw[:1] == "[" else None
        if header:
            piece = int(header[1])
            yield _Line(raw)
            continue
        numbered = _NUMBERED.fullmatch(raw) if piece and raw[:1].isdigit() else None
        if numbered:
            yield _Line(raw, piece, int(numbered[1]), numbered[2])
        else:
            if not raw:
                piece = 0
            yield _Line(raw)


def is_header(line: str) -> bool:
    return line[:1] == "[" and _HEADER.fullmatch(line) is not None


def is_evidence(text: str) -> bool:
    """Whether ``text`` shows at least two pieces of evidence as a pack renders them."""
    return sum(map(is_header, text.split("\n"))) > 1


def is_all_evidence(text: str) -> bool:
    """Whether every line of ``text`` belongs to evidence as a pack renders it: headers, numbered lines, elision marks,
    blank lines between pieces, and the fence around them."""
    if not is_evidence(text):
        return False
    lines = _classified(text.split("\n"))
    return all(one.piece or not one.raw or is_header(one.raw) or _AROUND.fullmatch(one.raw) for one in lines)


def encode_defs(text: str) -> str | None:
    """None when ``text`` is no evidence, or nothing in it is said twice."""
    lines = text.split("\n")
    if len(lines) > _MAX_LINES or not is_evidence(text):
        return None
    shown = list(_classified(lines))
    referred = _refer(shown)
    if sum(len(line.raw) + 1 for line in shown) - sum(len(line.raw) + 1 for line in referred) < _LEAST_CHARS_IN_ALL:
        referred = shown
    body = "\n".join(_short_headers(_skip_blanks(referred)))
    return body if body != text else None


def _refer(lines: list[_Line]) -> list[_Line]:
    """Runs of lines that an earlier piece shows become references to it."""
    out: list[_Line] = []
    places: dict[str, list[int]] = {}  # text of a line -> where it is shown as itself
    hidden: set[int] = set()  # lines that became part of a reference
    at = 0
    while at < len(lines):
        line = lines[at]
        best, length, saved = -1, 0, _LEAST_CHARS
        if line.piece and line.text.strip():
            for place in places.get(line.text, ()):
                run = _common_run(lines, place, at, hidden)
                chars = sum(len(lines[at + k].raw) for k in range(run))
                if run > 1 and chars > saved:
                    best, length, saved = place, run, chars
        if best >= 0:
            source, last = lines[best], lines[at + length - 1]
            out.append(_Line(f"{line.number}-{last.number} =[{source.piece}:{source.number}]"))
            hidden.update(range(at, at + length))
            at += length
            continue
        if line.piece and line.text.strip() and len(places.setdefault(line.text, [])) < _MAX_PLACES:
            places[line.text].append(at)
        out.append(line)
        at += 1
    return out


def _common_run(lines: list[_Line], place: int, at: int, hidden: set[int]) -> int:
    """How many lines from ``at`` on equal those from ``place`` on, numbered without a gap in both."""
    first, second = lines[place], lines[at]
    if first.piece == second.piece:
        return 0
    run = 0
    while at + run < len(lines):
        old, new = lines[place + run], lines[at + run]
        same = old.text == new.text and old.piece == first.piece and new.piece == second.piece
        if not same or place + run in hidden or old.number != first.number + run or new.number != second.number + run:
            break
        run += 1
    return run


def _skip_blanks(lines: list[_Line]) -> list[_Line]:
    """Without the blank lines between two numbered ones."""
    out: list[_Line] = []
    for at, line in enumerate(lines):
        blank = line.piece and not line.text and 0 < at < len(lines) - 1
        if not (blank and _in_run(lines, at)):
            out.append(line)
    return out


def _in_run(lines: list[_Line], at: int) -> bool:
    before = at - 1
    while before >= 0 and lines[before].piece == lines[at].piece and not lines[before].text:
        before -= 1
    after = at + 1
    while after < len(lines) and lines[after].piece == lines[at].piece and not lines[after].text:
        after += 1
    if before < 0 or after >= len(lines):
        return False
    first, last = lines[before], lines[after]
    piece = lines[at].piece
    return first.piece == piece == last.piece and last.number - first.number == after - before


class _Above:
    """Path and qualifier of the symbol of the header above; ``^`` stands for each that comes again."""

    def __init__(self) -> None:
        self._path = self._qualifier = ""

    def shorten(self, header: re.Match[str]) -> str:
        path, rest = header[2], header[4] or ""
        shown = _SKIPPED if path == self._path and len(path) > 1 else path
        self._path = path
        symbol = _QUALIFIER.fullmatch(rest)
        if symbol and symbol[1] == self._qualifier and len(symbol[1]) > 1:
            rest = f" {_SKIPPED}.{symbol[2]}"
        self._qualifier = symbol[1] if symbol else ""
        return f"[{header[1]}] {shown}{header[3]}{rest}"

    def restore(self, header: re.Match[str]) -> str:
        path, rest = header[2], header[4] or ""
        self._path = self._path if path == _SKIPPED else path
        symbol = _QUALIFIER.fullmatch(rest)
        if symbol and symbol[1] == _SKIPPED:
            rest = f" {self._qualifier}.{symbol[2]}"
        else:
            self._qualifier = symbol[1] if symbol else ""
        return f"[{header[1]}] {self._path}{header[3]}{rest}"


def _short_headers(lines: Sequence[_Line]) -> Iterator[str]:
    above = _Above()
    for line in lines:
        header = _HEADER.fullmatch(line.raw) if line.raw[:1] == "[" and not line.piece else None
        yield line.raw if header is None else above.shorten(header)


def has_reference(body: str) -> bool:
    """Whether a line of an encoded body refers to lines of another piece."""
    return _REFERENCE_LINE.search(body) is not None


def decode_defs(body: str) -> str:
    """Raises NotRecordsError when a reference leads nowhere."""
    out: list[str] = []
    shown: dict[tuple[int, int], str] = {}
    above = _Above()
    piece = number = 0
    for raw in body.split("\n"):
        header = _HEADER.fullmatch(raw) if raw[:1] == "[" else None
        if header:
            piece, number = int(header[1]), 0
            out.append(above.restore(header))
            continue
        reference = _REFERENCE.fullmatch(raw) if piece else None
        numbered = None if reference or not piece else _NUMBERED.fullmatch(raw)
        if reference:
            first, last, source, line = (int(value) for value in reference.groups())
            if last - first > _MAX_LINES:
                raise NotRecordsError("reference")
            for blank in _blanks(number, first):
                out.append(blank)
                shown[piece, int(blank)] = ""
            for step in range(last - first + 1):
                text = shown.get((source, line + step))
                if text is None:
                    raise NotRecordsError("reference")
                out.append(f"{first + step} {text}")
            number = last
        elif numbered:
            at, text = int(numbered[1]), numbered[2]
            for blank in _blanks(number, at):
                out.append(blank)
                shown[piece, int(blank)] = ""
            out.append(raw)
            shown[piece, at] = text
            number = at
        else:
            if not raw:
                piece = 0
            number = 0
            out.append(raw)
    return "\n".join(out)


def _blanks(before: int, after: int) -> list[str]:
    """Blank lines that were skipped between two numbers of one run. Raises NotRecordsError for more than 4,096."""
    if not before or not before < after - 1:
        return []
    if after - before > _MAX_LINES:
        raise NotRecordsError("numbers")
    return [f"{number} " for number in range(before + 1, after)]
