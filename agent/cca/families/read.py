"""Reads a sentence by the families of demands that it seems to belong to; None where that is not sure enough."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

_MAX_CHARS = 600
SURE = 0.8  # chance that a check is right, from which on it is made; see docs/cca.md


@lru_cache(maxsize=512)
def read_family(sentence: str) -> Any | None:
    """The check of a sentence, or of those of its clauses that are understood. Deterministic, linear in its length."""
    from agent.cca.families.guess import Guess, guesses
    from agent.cca.families.model import load_model
    from agent.cca.families.registry import families
    from agent.cca.joins import both

    model = load_model()
    if model is None or len(sentence) > _MAX_CHARS or sentence.rstrip().endswith("?"):
        return None
    sure: list[tuple[float, Guess]] = []
    for guess in guesses(sentence, model, families()):
        chance = chance_of(guess.features, model.gate)
        if chance >= SURE:
            if not guess.is_clause:  # of all of it
                return guess.check
            sure.append((chance, guess))
    check = None
    taken: list[str] = []
    for _, guess in sorted(sure, key=lambda each: -len(each[1].clause)):
        if not any(guess.clause in other for other in taken):
            taken.append(guess.clause)
            check = both(check, guess.check)
    return check


def by_family(text: str, about_code: bool) -> Any | None:
    """``read_family``, less what the sentence takes back; of a document about code only checks that look at code."""
    from agent.cca.grammar.withheld import kept
    from agent.cca.joins import looks_at_code

    made = read_family(text)
    if about_code:
        return made if made is not None and looks_at_code(made) else None
    return kept(made, text)


def chance_of(features: tuple[float, ...], gate: Any) -> float:
    """0..1 by the logistic regression ``gate``: intercept, then a weight for each of ``guess.FEATURES``."""
    import math

    odds = float(gate[0]) + sum(float(w) * x for w, x in zip(gate[1:], features, strict=True))
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))
