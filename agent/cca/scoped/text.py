"""A sentence beside itself with its quoted terms blanked, so that patterns do not read what stands in them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.cca.grammar.light import OPENING, POLITE, REASON
from agent.cca.quoted import quoted_terms

_I = re.IGNORECASE
BLANK = "§"
SILENT = object()
"""What is read of a sentence that demands something no check can tell: no other reading is to be tried."""
_PLACE = re.compile(r"\bas the\b", re.IGNORECASE)
_LEAD = re.compile(
    r"[\s*\-•|:]+|(?:please|also|always|and|but|then|finally|additionally|note that|remember:?)[ ,:]+", _I
)
_TAIL = re.compile(r"(?:[\s.;:,!|]|\*\*)+\Z")


@dataclass(frozen=True, slots=True)
class Text:
    """``masked`` has as many characters as ``raw``."""

    raw: str
    masked: str

    def cut(self, start: int, end: int | None = None) -> Text:
        end = len(self.raw) if end is None else end
        raw, masked = self.raw[start:end], self.masked[start:end]
        pad = len(masked) - len(masked.lstrip(" ,"))
        stop = len(masked) - len(_TAIL.search(masked)[0]) if _TAIL.search(masked) else len(masked)  # type: ignore[index]
        return Text(raw[pad:stop], masked[pad:stop]) if stop > pad else Text("", "")

    def terms(self) -> tuple[str, ...]:
        return tuple(term.text for term in quoted_terms(self.raw))

    def without(self, pattern: re.Pattern[str]) -> Text:
        """Without what the pattern finds in the masked text."""
        raw, masked, at = [], [], 0
        for match in pattern.finditer(self.masked):
            raw.append(self.raw[at : match.start()])
            masked.append(self.masked[at : match.start()])
            at = match.end()
        return Text("".join([*raw, self.raw[at:]]), "".join([*masked, self.masked[at:]]))


def text_of(sentence: str) -> Text:
    """The sentence without politeness, labels such as "Important:", and the reason behind it."""
    masked = sentence
    for term in quoted_terms(sentence):
        masked = f"{masked[: term.start]}{BLANK * (term.end - term.start)}{masked[term.end :]}"
    text = Text(sentence, masked).without(POLITE)
    for _ in range(3):
        lead = OPENING.match(text.masked) or _LEAD.match(text.masked)
        if lead:
            text = text.cut(lead.end())
    reason = REASON.search(text.masked)
    if (
        reason
        and reason.start() > 8
        and not _PLACE.search(reason[0])
        and not re.search(r"§|\d|\b(?:not|never|must|should)\b", reason[0])
    ):
        text = text.cut(0, reason.start())
    return text.cut(0)
