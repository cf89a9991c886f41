"""Quoted strings of a question: error messages and literals that are looked for verbatim."""

from __future__ import annotations

import re

_MAX_PHRASES = 4
_MIN_PHRASE_CHARS = 6
_MAX_PHRASE_CHARS = 200
# One opening quote, then anything but that quote: no backtracking. Apostrophes inside words do not open a quote.
_QUOTED = re.compile(r'"([^"\n]{1,400})"|“([^”\n]{1,400})”|(?<![\w])\'([^\'\n]{1,400})\'(?!\w)|`([^`\n]{1,400})`')
# "RuntimeError: Working outside of ..." quotes its message without quotation marks.
_MESSAGE = re.compile(r"\b\w{0,80}(?:Error|Exception|Warning): ([^\n]{1,400})")
_FRAME_PREFIX = 'File "'


def quoted_phrases(text: str) -> tuple[str, ...]:
    """Error messages and quoted pieces of ``text`` that read like a message or a literal, at most four.

    A piece counts when it has 6 to 200 characters and either a space or no identifier shape (``"a b c"``,
    ``"--flag"``); quoted identifiers are mentions, not phrases. The paths of traceback frames are not phrases.
    """
    found: list[str] = []
    for message in _MESSAGE.finditer(text):
        first = message[1].split(". ")[0].strip(" .?!'\"")[:_MAX_PHRASE_CHARS]
        if " " in first and len(first) >= _MIN_PHRASE_CHARS and first not in found:
            found.append(first)
    for match in _QUOTED.finditer(text):
        if text[max(0, match.start() - 5) : match.start() + 1] == _FRAME_PREFIX:
            continue
        phrase = next(group for group in match.groups() if group is not None).strip()
        if not _MIN_PHRASE_CHARS <= len(phrase) <= _MAX_PHRASE_CHARS or phrase.replace(".", "").isidentifier():
            continue
        if phrase not in found:
            found.append(phrase)
        if len(found) == _MAX_PHRASES:
            break
    return tuple(found[:_MAX_PHRASES])
