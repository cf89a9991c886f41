"""Text to vocabulary ids: identifiers split into words, words into known pieces, longest first.

Training and run time share this module, so a text has the same pieces in both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

# A run of letters and digits; underscores and every other sign end it. One class, so the scan is linear.
_RUN = re.compile(r"[^\W_]+")
# The same for ASCII text, many times faster: every other byte becomes a space.
_ASCII_RUNS = bytes(code if chr(code).isalnum() and code < 128 else 32 for code in range(256))
# The words of an ASCII run: an acronym up to the capital that starts the next word, a word, a number.
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

CONTINUED = "##"  # marks a piece that goes on inside a word
_MAX_WORD_CHARS = 64  # a longer "word" is an encoded blob; its beginning stands for it
_MAX_RUN_CHARS = 256
_MAX_MEMO_RUNS = 200_000  # about 40 MB


def split_run(run: str) -> list[str]:
    """Lowercased words of one run: ``HTTPServer2`` gives ``http``, ``server``, ``2``.

    Runs with letters outside ASCII are not split by case: they are words of prose.
    """
    if run.isascii():
        return [part.lower() for part in _PART.findall(run)]
    return [run.lower()]


def runs_of(text: str) -> list[str]:
    """The runs of letters and digits of a text, in order."""
    if text.isascii():
        return text.encode("ascii").translate(_ASCII_RUNS).decode("ascii").split()
    return _RUN.findall(text)


def words_of(text: str) -> list[str]:
    """All words of a text in order."""
    return [word for run in runs_of(text) for word in split_run(run[:_MAX_RUN_CHARS])]


class WordPieces(dict[str, tuple[int, ...]]):
    """Runs to vocabulary ids, remembered: a mapping that computes what it misses.

    Args:
        tokens: The vocabulary in id order; pieces inside a word start with ``##``.
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        super().__init__()
        self._ids: Mapping[str, int] = dict(zip(tokens, range(len(tokens)), strict=True))
        self._longest = max(map(len, tokens), default=1)
        self._look_up: Callable[[str], tuple[int, ...]] = self.__getitem__

    def __missing__(self, run: str) -> tuple[int, ...]:
        ids = tuple(i for word in split_run(run[:_MAX_RUN_CHARS]) for i in self.pieces(word))
        if len(run) <= _MAX_WORD_CHARS:
            if len(self) >= _MAX_MEMO_RUNS:
                self.clear()
            self[run] = ids
        return ids

    def pieces(self, word: str) -> list[int]:
        """Ids of one word's pieces, greedy and longest first; characters without a piece are left out."""
        whole = self._ids.get(word)
        if whole is not None:
            return [whole]
        word = word[:_MAX_WORD_CHARS]
        ids: list[int] = []
        start, mark = 0, ""
        while start < len(word):
            for end in range(min(len(word), start + self._longest), start, -1):
                found = self._ids.get(mark + word[start:end])
                if found is not None:
                    ids.append(found)
                    start = end
                    break
            else:
                start += 1
            mark = CONTINUED
        return ids

    def ids_of(self, text: str) -> Iterator[int]:
        """Vocabulary ids of a text, in order, repeats kept."""
        return chain.from_iterable(map(self._look_up, runs_of(text)))
