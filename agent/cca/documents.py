"""A rule document (Markdown, reStructuredText, plain text) as blocks and sentences with their lines, verbatim.

One pass over the lines. Lines end at a line feed; numbers are 1-based. Nothing is interpreted beyond layout, so that a
fictional or counterfactual text stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

BlockKind = Literal["heading", "paragraph", "item", "code", "table", "quote"]

MAX_DOCUMENT_CHARS = 2_000_000
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:_])\1{2,}[ \t]*$")
_ITEM = re.compile(r"([ \t]*)(?:([-*+•])|(\(?\d{1,4}[.)])|(#\.)|(\(?[a-zA-Z][.)]))[ \t]+(?=\S)")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)")
_DIRECTIVE = re.compile(r"[ \t]*\.\. ?(?:([\w:-]+)::(.*)|.*)$")
_CODE_DIRECTIVES = (
    "console",
    "code",
    "code-block",
    "sourcecode",
    "parsed-literal",
    "literalinclude",
    "highlight",
    "doctest",
)
_PROSE_DIRECTIVES = ("note", "warning", "important", "tip", "caution", "attention", "danger", "hint", "admonition")


@dataclass(frozen=True, slots=True)
class Block:
    """``text``: the block's lines joined by line feeds, markers cut off; ``number``: of a numbered item, else 0."""

    kind: BlockKind
    text: str
    first_line: int
    last_line: int
    section: str = ""
    number: int = 0
    indent: int = 0
    language: str = ""


def split_lines(text: str) -> list[str]:
    return text[:MAX_DOCUMENT_CHARS].replace("\r\n", "\n").split("\n")


def blocks(text: str) -> tuple[Block, ...]:
    """The document's blocks in order."""
    return _Parser(_without_comments(text)).run()


_ALERT = re.compile(r" {0,3}> ?\[!\w{1,20}\]\s*$")
_QUOTE_MARK = re.compile(r" {0,3}> ?")


def _without_alerts(lines: list[str]) -> list[str]:
    """GitHub's alerts (``> [!NOTE]``) are prose of the document, no quotation: their marks are cut off."""
    inside = False
    for at, line in enumerate(lines):
        if _ALERT.match(line):
            inside, lines[at] = True, ""
        elif inside and (mark := _QUOTE_MARK.match(line)):
            lines[at] = line[mark.end() :]
        else:
            inside = False
    return lines


def _without_comments(text: str) -> str:
    """HTML comments blanked, their line feeds kept, so that line numbers stay. One that never ends is none."""
    out: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        out += (text[at:start], "\n" * text.count("\n", start, end))
        at = end + 3
    return "".join((*out, text[at:]))


class _Parser:
    def __init__(self, text: str) -> None:
        self.lines = _without_alerts(split_lines(text))
        self.at = 0
        self.section = ""
        self.trail: list[tuple[int, str]] = []
        self.found: list[Block] = []
        self.open: list[str] = []  # lines of the paragraph or item that is being read
        self.begun = 0
        self.kind: BlockKind = "paragraph"
        self.number = self.indent = 0

    def run(self) -> tuple[Block, ...]:
        while self.at < len(self.lines):
            self._line(self.lines[self.at])
            self.at += 1
        self._close()
        return tuple(self.found)

    def _line(self, line: str) -> None:
        shown = line.strip()
        fence = _FENCE.match(line)
        if fence:
            self._close()
            self._fenced(fence[1], fence[2].strip())
        elif not shown:
            self._close()
        elif self._heading(line, shown):
            return
        elif _DIRECTIVE.match(line) and shown.startswith(".."):
            self._directive(line)
        elif shown.startswith("|") or (self.found and self._is_row(shown)):
            self._close()
            self._table()
        elif self._indented_code(line):
            self._close()
            self._code(len(line) - len(line.lstrip()))
        else:
            self._prose(line)

    def _is_row(self, shown: str) -> bool:
        return shown.startswith("+-") or shown.startswith("+=")

    def _heading(self, line: str, shown: str) -> bool:
        match = _ATX.match(line)
        if match:
            self._close()
            self._add_heading(match[2].strip().rstrip("#").strip(), len(match[1]), self.at)
            return True
        following = self.lines[self.at + 1] if self.at + 1 < len(self.lines) else ""
        mark = _UNDERLINE.match(following)
        if mark and not self.open and len(following.strip()) >= min(len(shown), 60) and not _ITEM.match(line):
            level = 10 + "=-~^\"'`#*+.:_".index(mark[1])
            self._add_heading(shown, level, self.at)
            self.at += 1
            return True
        if _UNDERLINE.match(line):  # overlines, thematic breaks
            self._close()
            return True
        return False

    def _add_heading(self, text: str, level: int, at: int) -> None:
        self.trail = [(each, name) for each, name in self.trail if each < level] + [(level, text)]
        self.section = " > ".join(name for _, name in self.trail)
        self.found.append(Block("heading", text, at + 1, at + 1, self.section))

    def _fenced(self, mark: str, language: str) -> None:
        first, body = self.at, []
        self.at += 1
        while self.at < len(self.lines):
            match = _FENCE.match(self.lines[self.at])
            if match and match[1].startswith(mark) and not match[2].strip():
                break
            body.append(self.lines[self.at])
            self.at += 1
        name = language.split()[0].strip("{}.").lower() if language else ""
        last = min(self.at, len(self.lines) - 1)
        self.found.append(Block("code", "\n".join(body), first + 1, last + 1, self.section, language=name))

    def _directive(self, line: str) -> None:
        """A reStructuredText directive or comment: its body is code, prose, or left out."""
        self._close()
        match = _DIRECTIVE.match(line)
        name = (match[1] or "") if match else ""
        if name in _PROSE_DIRECTIVES:
            rest = (match[2] or "").strip() if match else ""
            if rest:
                self.found.append(Block("paragraph", rest, self.at + 1, self.at + 1, self.section))
            self._dedent_body(len(line) - len(line.lstrip()))
            return  # its body is prose
        lead = len(line) - len(line.lstrip())
        first, body = self.at, []
        while self.at + 1 < len(self.lines):
            following = self.lines[self.at + 1]
            if following.strip() and len(following) - len(following.lstrip()) <= lead:
                break
            body.append(following)
            self.at += 1
        if name in _CODE_DIRECTIVES and any(each.strip() for each in body):
            language = (match[2] or "").strip().lower() or (name if name == "console" else "") if match else ""
            text = "\n".join(body).strip("\n")
            self.found.append(Block("code", text, first + 1, self.at + 1, self.section, language=language))

    def _dedent_body(self, lead: int) -> None:
        """The lines of a directive's body moved to where the directive stands: they are read as prose, not as code."""
        at, body = self.at + 1, []
        while at < len(self.lines):
            line = self.lines[at]
            if line.strip() and len(line) - len(line.lstrip()) <= lead:
                break
            body.append(line)
            at += 1
        depth = min((len(line) - len(line.lstrip()) for line in body if line.strip()), default=lead)
        for offset, line in enumerate(body):
            self.lines[self.at + 1 + offset] = line[:lead] + line[depth:]

    def _table(self) -> None:
        first, rows = self.at, []
        while self.at < len(self.lines) and (shown := self.lines[self.at].strip()) and shown[0] in "|+":
            rows.append(shown)
            self.at += 1
        self.at -= 1
        self.found.append(Block("table", "\n".join(rows), first + 1, self.at + 1, self.section))

    def _indented_code(self, line: str) -> bool:
        """Indented by four after a blank line, outside of lists, or after a paragraph that ends in ``::``."""
        if self.open or not line.startswith(("    ", "\t")):
            return False
        before = self.found[-1] if self.found else None
        if before is None or before.kind == "heading":
            return True
        if before.text.rstrip().endswith("::"):
            return True
        return before.kind in ("paragraph", "code", "table") and not _ITEM.match(line)

    def _code(self, lead: int) -> None:
        first, body = self.at, []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.strip() and len(line) - len(line.lstrip()) < min(lead, 4):
                break
            body.append(line)
            self.at += 1
        self.at -= 1
        while body and not body[-1].strip():
            body.pop()
        self.found.append(Block("code", "\n".join(body), first + 1, first + len(body), self.section))

    def _prose(self, line: str) -> None:
        item = _ITEM.match(line)
        if item and (not self.open or item[3] is None or self.kind == "item" or self._opens_list()):
            self._close()
            self.kind = "item"
            digits = "".join(char for char in item[3] or "" if char.isdigit())
            self.number = int(digits) if digits else (1 if item[4] else 0)
            self.indent = len(item[1].expandtabs(4))
            self.begun = self.at
            self.open = [line[item.end() :]]
            return
        if not self.open:
            self.kind = "quote" if line.lstrip().startswith(">") else "paragraph"
            self.number, self.indent, self.begun = 0, len(line) - len(line.lstrip()), self.at
        self.open.append(line.lstrip().lstrip(">").lstrip() if self.kind == "quote" else line)

    def _opens_list(self) -> bool:
        return bool(self.open) and self.open[-1].rstrip().endswith(":")

    def _close(self) -> None:
        if self.open:
            text = "\n".join(self.open)
            last = self.begun + len(self.open)
            self.found.append(
                Block(self.kind, text, self.begun + 1, last, self.section, number=self.number, indent=self.indent)
            )
        self.open = []
