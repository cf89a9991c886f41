"""What families of texts share: families that need and refuse words, and what a sentence says of its own validity."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.cca.families.family import Family, Slots
from agent.cca.families.words.kit import bare
from agent.cca.grammar.polarity import denials

_I = re.IGNORECASE
CONDITIONS = r"\b(?:if|when|whenever|unless|where possible|in case|only for|except|optional(?:ly)?|may|might|can)\b"
_LINE_FIRST = re.compile(r"\b(?:first|opening|top) line\b|^(?:start|begin|open|lead|head)\b|\bline (?:one|1)\b", _I)
_LINE_LAST = re.compile(
    r"\b(?:last|final|closing|bottom) line\b|^(?:end|close|finish|conclude)\b|\bat the (?:very )?(?:end|bottom)\b", _I
)


def speaks(text: str, words: str) -> bool:
    return re.search(words, text, _I) is not None


def denies(text: str) -> bool:
    """Whether what it says is refused: an odd number of denials outside of what is quoted."""
    return denials(bare(text)) % 2 == 1


_CLAUSE = re.compile(r",\s+|\s(?:because|since|so that|as)\s")


def denies_of(text: str, words: str) -> bool:
    """Whether the first sentence that speaks of ``words`` denies, up to the end of the clause with them."""
    plain = bare(text)
    sentence = next((each for each in re.split(r"[.;!?]\s+", plain) if speaks(each, words)), plain)
    found = re.search(words, sentence, _I)
    end = _CLAUSE.search(sentence, found.end()) if found else None
    return denials(sentence[: end.start()] if end else sentence) % 2 == 1


def needs(
    id_: str,
    says: str,
    make: Callable[[Slots], Any | None],
    *,
    about: tuple[str, ...],
    unless: str = "",
    denied: bool | None = False,
    bounded: bool = False,
) -> Family:
    """A family whose sentences speak of all of ``about``, of nothing in ``unless``, and deny or not (None: either)."""

    def made(slots: Slots) -> Any | None:
        plain = bare(slots.text)
        if any(not speaks(slots.whole, words) for words in about) or (unless and speaks(plain, unless)):
            return None
        return None if denied is not None and denies_of(slots.text, about[0]) is not denied else make(slots)

    return Family(id_, says, made, bounded=bounded, takes_terms=True)


def line_at(text: str) -> int:
    """1 of the first line, -1 of the last, 0 where it names neither or both."""
    first, last = _LINE_FIRST.search(text) is not None, _LINE_LAST.search(text) is not None
    return 0 if first == last else 1 if first else -1


def spelled_any(names: tuple[str, ...]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
