"""A sentence of several demands, each read by itself where none of them hedges: half of them is right by itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.cca import checks as c
from agent.cca.composed.containers import named
from agent.cca.composed.given import given
from agent.cca.composed.pairs import pairs
from agent.cca.composed.placed import placed
from agent.cca.composed.refused import refused
from agent.cca.quoted import quoted_terms

_I = re.IGNORECASE
_MAX_CHARS = 400
_VERBS = (
    r"(?:contains?|has|have|is|are|stays?|asks?|ends?|starts?|begins?|opens?|closes?|must|should|shall|never|may"
    r" not|cannot"
    r"|does|do|uses?|mentions?|includes?|fits?|runs?|consists?)"
)
_CUT = re.compile(
    rf",? (?:and|but) (?=(?:{_VERBS}|no|not|without|at most|no more than|at least|exactly|keep|write|avoid|don['’]t)\b)"
    r"|[,:] (?=(?:no|never|not|do not|don['’]t|without|at most|no more than|the words? [\"“`'])\b)"
    r"|: (?=(?:no|the word)\b)",
    _I,
)
_VERB_FIRST = re.compile(rf"{_VERBS}\b", _I)
_HEADLESS = re.compile(rf"(?:{_VERBS}|at most|at least|exactly|no more than|not|without)\b", _I)
_HAS_PART = re.compile(r"The answer (?:must have|has|contains|includes|consists of) an? [\w ]+? (?:of|with|in) ", _I)
"""A size that follows is one of that part."""
_HEDGE = re.compile(
    r"\b(?:if|when(?:ever)?|unless|except|apart from|other than|only|where(?:ver)?|may (?!not|never)|can (?!not)"
    r"|could|outside|instead"
    r"|fine|allowed|ok|okay|optional\w*|prefer\w*|ideally|usually|possible|needed|necessary|until|while|rather"
    r"|counting|excluding|besides|or)\b",
    _I,
)
_PRONOUN = re.compile(r"(?:and )?(?:it|they|that|this|these|those|each|none|both|neither|them|one)\b", _I)
_LABEL = re.compile(r"^\W*(?:\w+ ){0,3}(?:important|reminder|note|rules?)(?: \w+){0,2}\W*[*:] ?\**\s*(?=\w)", _I)


def composed(text: str, read: Callable[[str], Any | None]) -> Any | None:
    """The check of a sentence that is put together from halves that are known.

    Args:
        read: Reads a clause that stands by itself.
    """
    text = text.strip(" .")
    if not 8 <= len(text) <= _MAX_CHARS or text.endswith("?"):
        return None
    try:
        made = pairs(text) or refused(text) or placed(text) or given(text, read)
        if made is not None:
            return made
        put = named(_LABEL.sub("", text))
        if put != text:
            split = _halves(put, read)
            if split is not None and split.op == "all":
                return split
            whole = refused(put) or placed(put) or (None if _HAS_PART.match(put) else read(put))
            if whole is not None:
                return whole
        return _halves(put, read)
    except ValueError:  # more than a check may hold
        return None


def _halves(text: str, read: Callable[[str], Any | None]) -> Any | None:
    terms = quoted_terms(text)
    masked = text
    for each in reversed(terms):
        masked = f"{masked[: each.start]}{'§' * (each.end - each.start)}{masked[each.end :]}"
    cuts = list(_CUT.finditer(masked))
    if not cuts or _HEDGE.search(masked):
        return None
    own = text.startswith(("The answer ", "No answer "))
    checks: list[Any] = []
    ends = [*(cut.start() for cut in cuts), len(text)]
    for at, end in zip([0, *(cut.end() for cut in cuts)], ends, strict=True):
        half = text[at:end].strip(" ,;.")
        if _PRONOUN.match(half) or not half:
            continue
        if at and not own and _HEADLESS.match(half):
            continue  # of what the half before it speaks of
        follows = own and at and _VERB_FIRST.match(half)
        made = _half(f"The answer {half}" if follows else half, read)
        if made is not None and (follows or (own and not at) or _refuses(made)):
            checks.append(made)
    return None if not checks else checks[0] if len(checks) == 1 else c.AllOf(checks=tuple(checks))


def _half(half: str, read: Callable[[str], Any | None]) -> Any | None:
    put = named(half)
    return refused(put) or read(put)


def _refuses(check: Any) -> bool:
    """Whether it bounds or forbids: what a half demands may be one of two ways, or hang on the other half."""
    if check.op in ("all", "any"):
        return all(map(_refuses, check.checks))
    if check.op in ("each", "every"):
        return _refuses(check.check)
    if check.op == "not":
        return True
    if check.op in ("count", "matches", "pieces"):
        return check.most is not None and (check.op != "matches" or check.most == 0 or check.least == 0)
    return check.op in ("absent", "charset", "line_length")
