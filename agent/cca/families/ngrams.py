"""What the classifier of limits sees of a sentence: the words beside its number."""

from __future__ import annotations

from collections.abc import Sequence

NUMBER = "\x01num\x01"
RANGE = "\x01range\x01"
_OPEN, _CLOSE = "^", "$"
_BESIDE = 5  # words on each side of a number


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
