"""What the classifiers see of a sentence: its words and pairs of them, and of a number the words beside it."""

from __future__ import annotations

from collections.abc import Sequence

NUMBER = "\x01num\x01"
RANGE = "\x01range\x01"
_OPEN, _CLOSE = "^", "$"
_BESIDE = 5  # words on each side of a number


def ngrams(tokens: Sequence[str], denied: bool) -> tuple[str, ...]:
    """Words, words with the sentence's polarity, pairs, and pairs around one word, with marks for both ends; sorted.

    Args:
        denied: Whether the sentence denies (two denials demand): "no tables" and "a table" differ in little else.
    """
    words = [_OPEN, *tokens, _CLOSE]
    sign = "-" if denied else "+"
    found: set[str] = {*tokens, *(f"{sign}{token}" for token in tokens), sign}
    for i in range(len(words) - 1):
        found.add(f"{words[i]} {words[i + 1]}")
        if i + 2 < len(words):
            found.add(f"{words[i]} _ {words[i + 2]}")
    return tuple(sorted(found))


def beside(tokens: Sequence[str]) -> tuple[str, ...]:
    """The words around the first number of ``tokens`` (or the first "one"), with their sides, in runs from it."""
    words = [_OPEN, *tokens, _CLOSE]
    at = next((i for i, word in enumerate(words) if word == NUMBER), None)
    at = at if at is not None else next((i for i, word in enumerate(words) if word in ("one", RANGE)), None)
    if at is None:
        return ()
    left, right = words[max(0, at - _BESIDE) : at][::-1], words[at + 1 : at + 1 + _BESIDE]
    found: set[str] = {f"={words[at]}"}
    for side, run in (("<", left), (">", right)):
        for i, word in enumerate(run):
            found.add(f"{side}{word}")
            found.add(f"{side}{i}{word}")
            if i + 1 < len(run):
                found.add(f"{side}{word} {run[i + 1]}")
            if i < 3:
                found.add(f"{side}|{' '.join(run[: i + 1])}")
    return tuple(sorted(found))
