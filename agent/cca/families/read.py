"""Reads a sentence by the families of demands that it seems to belong to; None where that is not sure enough."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent.cca.families.guess import Guess

_MAX_CHARS = 600
CERTAIN = 0.9
"""Chance that a check of a whole sentence is right from which on it goes before the grammar's, of a family that has not
been wrong at labelled rules; see docs/cca.md."""
SUREST = 0.95
"""The same of families that no labelled rule has tried."""
SURE = 0.8
"""The same, from which on it is made where the grammar is silent."""


@lru_cache(maxsize=512)
def rated(sentence: str) -> tuple[tuple[float, Guess], ...]:
    """(chance, guess) for each span of the sentence. Deterministic, linear in its length."""
    from agent.cca.families.guess import guesses
    from agent.cca.families.model import load_model
    from agent.cca.families.registry import families

    model, sentence = load_model(), sentence.rstrip("; ")
    if model is None or len(sentence) > _MAX_CHARS or sentence.rstrip().endswith(("?", ":")):
        return ()
    found = guesses(sentence, model, families())
    return tuple(
        (chance_of(guess.features, model.gate), guess) for guess in found if guess.family.id not in model.refuted
    )


def read_certain(sentence: str) -> Any | None:
    """The check of a whole sentence that is certain; sooner of a family that has not been wrong yet."""
    from agent.cca.families.model import load_model

    model = load_model()
    if model is None:
        return None
    for chance, guess in rated(sentence):
        needed = CERTAIN if guess.family.id in model.proven else SUREST
        if chance >= needed and not guess.is_clause and guess.family.id not in model.doubted:
            # "no bold, italics or headings": one family is a part
            several = guess.slots.listed and not guess.family.takes_terms
            return None if several else guess.check
    return None


def read_family(sentence: str, sure: float = SURE) -> Any | None:
    """The check of a sentence, or of those of its clauses that are understood."""
    from agent.cca.joins import both

    accepted = [guess for chance, guess in rated(sentence) if chance >= sure]
    first = next((guess for guess in accepted if not guess.is_clause), None)
    if first is not None:
        return first.check
    check = None
    taken: list[str] = []
    for guess in sorted(accepted, key=lambda each: -len(each.clause)):
        if not any(guess.clause in other for other in taken):
            taken.append(guess.clause)
            check = both(check, guess.check)
    return check


def one_demand(first: str, second: str) -> bool:
    """Whether two halves of a sentence say one thing that neither says alone: ``I can't stand X; do without them``."""
    halves = read_family(first.rstrip(";"), CERTAIN), read_family(second, CERTAIN)
    return halves == (None, None) and read_certain(f"{first} {second}") is not None


def read_pair(first: str, second: str) -> Any | None:
    """The check of two sentences as one, where that is certain: ``Explain it in steps. Use at least three.``"""
    from agent.cca.grammar.withheld import kept

    text = f"{first} {second}"
    whole = (guess for chance, guess in rated(text) if chance >= CERTAIN and not guess.is_clause)
    guess = next(whole, None)
    return None if guess is None else kept(guess.check, text)


def by_family(text: str, about_code: bool, *, certain: bool = False) -> Any | None:
    """``read_family``, less what the sentence takes back.

    Of a document about code only what is certain, and only checks that look at code: most of it is about other things.

    Args:
        certain: Only what ``read_certain`` reads.
    """
    from agent.cca.grammar.withheld import kept
    from agent.cca.joins import looks_at_code

    made = read_certain(text) if certain or about_code else read_family(text)
    if about_code:
        return made if made is not None and looks_at_code(made) else None
    return made if certain else kept(made, text)


def chance_of(features: tuple[float, ...], gate: Any) -> float:
    """0..1 by the logistic regression ``gate``: intercept, then a weight for each of ``guess.FEATURES``."""
    import math

    odds = float(gate[0]) + sum(float(w) * x for w, x in zip(gate[1:], features, strict=True))
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))
