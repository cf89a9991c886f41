"""Puts repository text into sentences safely: inline code, verbatim quotes, first sentences of docstrings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.answer.citations import find_refs
from agent.answer.roles import without_roles
from agent.answer.sentences import SENTENCE, split
from agent.guard import is_suspicious, strip_controls

MAX_CODE = 110  # characters of a source line in a sentence
_MAX_QUOTE = 320
_MAX_DOC = 4_000  # characters of a docstring that are read for its summary
_UNDERLINE = re.compile(r"[=\-~^\"'#*+.:_`]{3,}$")
_SECTIONS = "Args|Arguments|Parameters|Returns?|Yields?|Raises?|Examples?|Notes?|See Also|Attributes|Usage"
_FIELDS = "param|parameter|arg|argument|key|keyword|type|var|return|rtype|raise|except|exception|yield|meta"
_FIRST_PLURAL = re.compile(r"(?<=[a-z])s\b")
_FIELD = re.compile(rf"(?::(?:{_FIELDS})s?\b[^:\n]{{0,60}}:|@\w|\.\. |(?:{_SECTIONS}):?$|>>> |```)")


def code(text: str, limit: int = MAX_CODE) -> str:
    """``text`` as inline code on one line, whatever backticks it holds; cut at ``limit`` characters with ``…``."""
    folded = " ".join(strip_controls(text).split())
    if len(folded) > limit:
        space = folded.rfind(" ", limit * 2 // 3, limit + 1)  # a cut word would be a name that nothing has
        folded = folded[: space if space > 0 else limit].rstrip() + "…"
    if not folded:
        return "``"
    longest = max((len(run) for run in re.findall("`+", folded)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{folded}{pad}{fence}"


def quote(text: str) -> str | None:
    """``text`` between curly quotes, or None when it cannot be quoted safely and verbatim; roles as what they show."""
    folded = without_roles(" ".join(text.split()))
    if not folded or len(folded) > _MAX_QUOTE or "“" in folded or "”" in folded:
        return None
    if folded != strip_controls(folded) or is_suspicious(folded) or find_refs(folded):
        return None  # "[0]" in it would be read as a citation of ours
    return f"“{folded}”"


def doc_sentences(doc: str, limit: int = 2) -> tuple[str, ...]:
    """The first sentences of a docstring's first paragraph of prose, white space folded."""
    if is_suspicious(doc[:_MAX_DOC]):
        return ()
    paragraph: list[str] = []
    for line in doc[:_MAX_DOC].split("\n"):
        stripped = line.strip()
        if _UNDERLINE.match(stripped):  # a heading's underline: the heading is no sentence
            paragraph.clear()
        elif _FIELD.match(stripped):
            break
        elif stripped:
            paragraph.append(stripped)
        elif paragraph:
            break
    return prose_sentences(" ".join(paragraph))[:limit]


def prose_sentences(text: str) -> tuple[str, ...]:
    """The sentences of running text, citations and list markers aside."""
    return tuple(" ".join(piece.text.split()) for piece in split(text) if piece.kind == SENTENCE)


def plural(count: int, noun: str, many: str = "") -> str:
    return f"{count} {noun if count == 1 else many or noun + 's'}"


def not_listed(count: int, what: str) -> str:
    """``not_listed(1, "calls of run")``: ``1 more call of run is not listed``; ``what`` starts with its plural."""
    named = _FIRST_PLURAL.sub("", what, count=1) if count == 1 else what
    return f"{count} more {named} {'is' if count == 1 else 'are'} not listed"


def listed(items: Sequence[str], conjunction: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return f" {conjunction} ".join(filter(None, (", ".join(items[:-1]), items[-1]))) if items else ""
