"""A sentence without emphasis and marks of fences, which would be read as quotation marks."""

from __future__ import annotations

import re

_I = re.IGNORECASE
_BOLD = re.compile(r"(?<!`)\*\*([^*\n]{1,200})\*\*(?!`)|(?<![\w*])\*([A-Z][A-Z ]{2,40})\*(?!\w)")
_SPECIFIED = re.compile(
    r" (?:format|schema|structure) (?:that is |which is )?(?:specified|given|described|shown|provided|defined)"
    r" (?:in|inside|within|between|by) (?:the )?<[\w-]{1,40}>(?: ?(?:and )?</[\w-]{1,40}>)?(?: tags?)?",
    _I,
)
"""Tags that hold the description of a format, not the answer."""
_FENCE_MARK = re.compile(r"[`\"']?`{3,}(?:\.{3}`{3,})?([a-z]{0,12})[`\"']?")


def in_words_only(text: str) -> str:
    """Without emphasis, and marks of code fences put in words: they would be read as quotation marks."""
    text = _SPECIFIED.sub(" format", text)
    text = _BOLD.sub(lambda match: match[1] or match[2], text)
    text = re.sub(r"\bone and only one\b", "exactly one", text, flags=_I)
    text = _FENCE_MARK.sub(lambda match: f"{match[1]} code fence".strip(), text)
    return re.sub(r"\bcode fence (?=(?:markdown )?(?:code )?(?:fence|block)s?\b)", "", text, flags=_I)
