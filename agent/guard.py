"""Keeps text from a repository or a model harmless: no terminal control, and orders to a model are recognised."""

from __future__ import annotations

import re

from retrieval.compile.rot_injection import suspicious_phrases

_ANSI = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor, clear
    r"|\x1b[\]PX^_][^\x07\x1b\x9b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS and kin: titles, links, clipboard
    r"|\x1b[ -/]*[0-~]"
    r"|\x9b[0-?]*[ -/]*[@-~]"
)
# C0 but tab and line feed, DEL, C1, and the bidirectional overrides that make code read otherwise than it runs.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_MAX_HELD = 4096  # characters of an unfinished escape sequence that a stream may hold back


def is_suspicious(text: str) -> bool:
    """Whether ``text``, however its lines are broken, reads like an order to a model (the rules of rot detection)."""
    return bool(suspicious_phrases(" ".join(text.split())))


def strip_controls(text: str) -> str:
    """``text`` without escape sequences and control characters; tabs and line feeds stay."""
    if text.isascii() and text.isprintable():
        return text
    return _CONTROLS.sub("", _ANSI.sub("", text))


class TerminalFilter:
    """``strip_controls`` for a stream: an escape sequence cut in two by a chunk boundary is still removed."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """What of the text so far may be printed now."""
        text = self._held + piece
        self._held = ""
        last = max(text.rfind("\x1b"), text.rfind("\x9b"))
        if last >= 0 and len(text) - last <= _MAX_HELD and not _complete(text, last):
            self._held, text = text[last:], text[:last]
        return strip_controls(text)

    def finish(self) -> str:
        held, self._held = self._held, ""
        return strip_controls(held)


_UNFINISHED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\x9b\x9c\n]*|[ -/]*)\Z|\x9b[0-?]*[ -/]*\Z")


def _complete(text: str, start: int) -> bool:
    return _UNFINISHED.match(text, start) is None
