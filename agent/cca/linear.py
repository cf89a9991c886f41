"""Regular expressions that came from a document or a model, run by RE2: linear in the text, bounded in memory."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

_MAX_MEMORY_BYTES = 8 << 20


class PatternError(ValueError):
    """RE2 does not accept the pattern (back-references, look-around, too large)."""


@lru_cache(maxsize=512)
def compiled(pattern: str) -> Any:
    """The compiled pattern, ``^`` and ``$`` matching at lines.

    Raises:
        PatternError: RE2 refuses it.
    """
    import re2

    options = re2.Options()
    options.max_mem = _MAX_MEMORY_BYTES
    options.log_errors = False
    try:
        return re2.compile(f"(?m){pattern}", options)
    except (re2.error, UnicodeError, OverflowError) as error:
        raise PatternError(f"the pattern is not RE2: {_said(error)}") from None


def _said(error: BaseException) -> str:
    first = error.args[0] if error.args else ""
    text = first.decode("utf-8", "replace") if isinstance(first, bytes) else str(first)
    return text[:120]


def count_matches(pattern: str, text: str, limit: int = 10_000) -> tuple[int, tuple[int, int] | None]:
    """(how many matches, at most ``limit``; the first one's character span). An empty match counts once a place."""
    found, first = 0, None
    for match in compiled(pattern).finditer(scrub(text)):
        if first is None:
            first = (match.start(), match.end())
        found += 1
        if found >= limit:
            break
    return found, first


_SURROGATES = re.compile("[\ud800-\udfff]")


def scrub(text: str) -> str:
    """RE2 takes UTF-8 only: a lone surrogate becomes a replacement character, so that offsets stay."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)
