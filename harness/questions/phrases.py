r"""Phrases that an answer has to contain, whatever its punctuation, case and markup.

Answer and phrase are read as words: letters, digits and inner underscores, case folded, everything else dropped, so
that ```Flask.run()```, ``Flask.run`` and ``flask run`` are the same two words. In a phrase

* ``rais*`` stands for every word that begins so;
* ``raises|throws`` stands for either;
* ``raises ... KeyError`` allows up to ``MAX_GAP`` other words between, within one sentence.

Whole words only: ``set`` does not occur in ``settings``. Matching is linear in the answer's length.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

MAX_GAP = 12

_BREAK = ""  # the end of a sentence among the words
_PIECE = re.compile(
    r"(?P<word>\w+)"
    r"|[.!?](?=[^\w\s]{0,4}(?:\s{1,4}[^a-z\s]|\s{0,4}\Z))"  # not the dots of "e.g. this" and "app.py"
    r"|\n[ \t]{0,40}(?=\n|[-*•#]|\d{1,3}[.)])"  # a paragraph or an item of a list
)


class PhraseError(ValueError):
    """A phrase without a word; the message is one line."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a phrase; ``prefix`` when every word that begins so will do."""

    text: str
    prefix: bool

    def accepts(self, word: str) -> bool:
        return word.startswith(self.text) if self.prefix else word == self.text


@dataclass(frozen=True, slots=True)
class Item:
    """Alternatives, each a sequence of words; ``gap`` when other words may come before it."""

    alternatives: tuple[tuple[Word, ...], ...]
    gap: bool


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text; ``""`` stands where a sentence ends."""
    found: list[str] = []
    for match in _PIECE.finditer(unicodedata.normalize("NFKC", text)):
        word = match["word"]
        if word is None:
            found.append(_BREAK)
        elif bare := _bare(word.casefold()):
            found.append(bare)
    return tuple(found)


def _bare(word: str) -> str:
    """Without the underscores around it, which people leave out; a dunder name keeps them."""
    stripped = word.strip("_")
    return word if word.startswith("__") and word.endswith("__") and stripped else stripped


@lru_cache(maxsize=4096)
def compile_phrase(phrase: str) -> tuple[Item, ...]:
    """The items of a phrase.

    Raises:
        PhraseError: It holds no word, or begins or ends with a gap.
    """
    items: list[Item] = []
    gap = False
    for part in unicodedata.normalize("NFKC", phrase.replace("…", " ... ")).casefold().split():
        if part == "...":
            if gap or not items:
                raise PhraseError(f"{phrase!r} has a gap without words on both sides")
            gap = True
            continue
        alternatives = tuple(sequence for each in part.split("|") if (sequence := _sequence(each)))
        if alternatives:
            items.append(Item(alternatives, gap))
            gap = False
    if not items or gap:
        raise PhraseError(f"{phrase!r} " + ("ends with a gap" if items else "holds no word"))
    return tuple(items)


def _sequence(part: str) -> tuple[Word, ...]:
    words = [word for word in words_of(part.rstrip("*")) if word]
    last = len(words) - 1
    return tuple(Word(word, part.endswith("*") and at == last) for at, word in enumerate(words))


def occurs(phrase: str, words: Sequence[str]) -> bool:
    """Whether the phrase occurs among ``words`` (as ``words_of`` gives them)."""
    items = compile_phrase(phrase)
    ends = set(range(len(words)))
    for item in items:
        starts = _reachable(ends, words) if item.gap else ends
        ends = {
            start + len(sequence)
            for start in starts
            for sequence in item.alternatives
            if start + len(sequence) <= len(words)
            and all(word.accepts(words[start + at]) for at, word in enumerate(sequence))
        }
        if not ends:
            return False
    return True


def _reachable(ends: set[int], words: Sequence[str]) -> set[int]:
    """Places at most ``MAX_GAP`` words behind one of ``ends``, in the same sentence."""
    found: set[int] = set()
    for end in ends:
        for place in range(end, min(end + MAX_GAP, len(words) - 1) + 1):
            if place in found and place > end:
                continue
            found.add(place)
            if words[place] == _BREAK:
                break
    return found
