"""Title case and sentence case of headings and titles, told only where a name cannot be what is capitalised."""

from __future__ import annotations

import re

from agent.cca.formats import Judgement
from agent.cca.views import Span, View

_HOLDS: Judgement = ("holds", "", ())
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SMALL = _words(
    "a an the and but or nor for so yet as at by in of off on per to up via vs with from into onto over than "
    "that if when is are be it its your our their my this these those not how why what who where which you we "
    "do can"
)
_MINOR = _words("a an the and but or nor for so yet as at by in of off on per to up via vs with from into")
_COMMON = _words(
    "guide steps step summary overview next started setup usage install options option details notes note "
    "example examples questions tips problem problems cause causes fix fixes mistakes features results "
    "findings background password account data settings file files team work plan cost costs price prices "
    "risks benefits rules time start first code tests test changes help home idea ideas things people water "
    "heat food house plants basics"
)
_ENDING = re.compile(r"[a-z]{3,}(?:ing|tion|tions|ment|ments|ness|sion|sions|ance|ence|ity|ities|ically|ments)$")


def judge_sentence_case(view: View) -> Judgement:
    """Behind a heading's first word, a capital on what is no name.

    That is a small word, one that the text has in small letters, or one of which no name is made.
    """
    if not view.headings:
        return "no_verdict", "there is no heading", ()
    small = {match[0] for span in view.prose_lines for match in _WORD.finditer(view.of(span)) if match[0].islower()}
    faults = [span for span in view.headings if _is_titled(view.of(span), small)]
    if faults:
        return "violated", f"{len(faults)} headings with capitals as of a title", tuple(faults[:20])
    low = [span for span in view.headings if view.of(span).lstrip("*_ \"“'")[:1].islower()]
    if low:
        return "violated", f"{len(low)} headings begin with a small letter", tuple(low[:20])
    return _HOLDS


def _is_titled(heading: str, small: set[str]) -> bool:
    for at, match in enumerate(_WORD.finditer(heading)):
        word = match[0]
        first = at == 0 or heading[: match.start()].rstrip(" *_\"“'(")[-1:] in (":", ".", "?", "!", "–", "—", "")
        if first or not word[:1].isupper() or not word[1:].islower():
            continue
        low = word.lower()
        if low in _SMALL or low in small or low in _COMMON or _ENDING.search(low):
            return True
    return False


def _untitled(text: str) -> bool:
    """Whether a word of four letters, or the first or the last, begins with a small letter."""
    words = list(_WORD.finditer(re.sub(r"`[^`]*`", "X", text)))
    for at, match in enumerate(words):
        word = match[0]
        if not word[0].islower() or any(char.isupper() for char in word):
            continue
        if at in (0, len(words) - 1) and word not in _MINOR:
            return True
        if at == 0 or (len(word) > 3 and word not in _MINOR):
            return True
    return False


def judge_title_case(view: View) -> Judgement:
    """Of the text as a whole."""
    if not view.text.strip():
        return "no_verdict", "there is no text", ()
    fault = _untitled(view.text.strip())
    return ("violated", "is not in title case", (Span(0, len(view.text)),)) if fault else _HOLDS


def judge_title_case_headings(view: View) -> Judgement:
    if not view.headings:
        return "no_verdict", "there is no heading", ()
    faults = [span for span in view.headings if _untitled(view.of(span))]
    return ("violated", f"{len(faults)} headings not in title case", tuple(faults[:20])) if faults else _HOLDS
