"""Which tokens may hold a question's terms, found out by substrings: cheaper than to tokenize, and never too few."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from itertools import accumulate

from retrieval.text.stem import IRREGULAR

_MIN_PROBE = 3


def probes_of(terms: Iterable[str]) -> tuple[str, ...]:
    """Substrings of which at least one occurs in every line (in lower case) that holds one of the terms.

    A term is a stem: its last character may differ from the text's. Compounds are found through their parts, which
    stand among the terms of the question themselves. A substring that holds another one finds nothing more.
    """
    return _least({term[:-1] if len(term) > _MIN_PROBE else term for term in terms})


class TokenProbes:
    """Tells tokens that hold none of ``terms`` without looking for theirs.

    Stricter than ``probes_of``: of single tokens nothing else on the line speaks for them, so compounds, the few stems
    that are no beginning of their words (``using``, ``flies``) and letters beyond ASCII are looked after, too.
    """

    def __init__(self, terms: Mapping[str, float]) -> None:
        probes = {_beginning(term) for term in terms}
        probes |= {word for word, stem in IRREGULAR.items() if stem in terms and _beginning(stem) not in word}
        self._probes = _least(probes)

    def may_hold(self, token: str) -> bool:
        """False only where no term of ``token``, a match of the token pattern or a run of them, is among the terms."""
        if not token.isascii():
            return True
        lowered = token.lower()
        if "_" in lowered:
            lowered = lowered.replace("_", "")
        for probe in self._probes:  # noqa: SIM110 - a generator takes twice as long
            if probe in lowered:
                return True
        return False

    def that_may_hold(self, tokens: Iterable[str]) -> list[str]:
        """The tokens for which ``may_hold`` is true; looked through at once."""
        plain: list[str] = []
        found: list[str] = []
        for token in tokens:
            (plain if token.isascii() else found).append(token)
        text = "\n".join(plain).lower()
        lengths = [len(token) + 1 for token in plain]
        if "_" in text:
            text = text.replace("_", "")
            lengths = [length - token.count("_") for length, token in zip(lengths, plain, strict=True)]
        return found + [plain[place] for place in sorted(places_of(self._probes, text, lengths))]


def places_of(probes: Iterable[str], text: str, lengths: Iterable[int]) -> set[int]:
    """Which of the pieces that make up ``text``, each ``lengths`` characters long, hold the start of a probe."""
    starts = list(accumulate(lengths, initial=0))
    found: set[int] = set()
    for probe in probes:
        at = text.find(probe)
        while 0 <= at < starts[-1]:  # the probe of "y" is empty, and found where there is no piece
            place = bisect_right(starts, at)
            found.add(place - 1)
            at = text.find(probe, starts[place])
    return found


def _beginning(term: str) -> str:
    """What every word of the stem begins with, without underscores: a final ``y`` may stand for ``ies``."""
    plain = term.replace("_", "")
    return plain[:-1] if len(plain) > _MIN_PROBE or plain.endswith("y") else plain


def _least(probes: set[str]) -> tuple[str, ...]:
    kept: list[str] = []
    for probe in sorted(probes, key=lambda p: (len(p), p)):
        if not any(other in probe for other in kept):
            kept.append(probe)
    return tuple(kept)
