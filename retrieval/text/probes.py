"""Which tokens may hold a question's terms, found out by substrings: cheaper than to tokenize, and never too few."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
