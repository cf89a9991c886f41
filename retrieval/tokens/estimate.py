"""A cheap upper bound of o200k token counts for short texts (headers, marks), without loading tiktoken.

tiktoken takes 0.4 s to load; a cold ``contextc pack`` has about that for everything. The bound splits a text as the
o200k pattern does and merges each piece with the low-ranked part of the vocabulary's ASCII tokens
(``o200k_words.txt``: letters with at most one leading mark, and runs of marks, in rank order; of higher ranks only
what paths, names and headers hold in at least three of 23 packages). Byte-pair merging runs
by rank, so leaving out the high ranks only leaves merges undone: the count can be too high, hardly ever too low.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

_WORDS_FILE = Path(__file__).with_name("o200k_words.txt")
_MEMO_PIECES = 1 << 16
_MERGED_CHARS = 64  # longer words are bounded by their length: merging is quadratic
_NEVER = 1 << 30

# The o200k pattern over ASCII.
_ASCII_PIECE = (
    r"[^\r\nA-Za-z0-9]?[A-Z]*[a-z]+(?:'(?:s|t|re|ve|m|ll|d)(?![A-Za-z]))?"
    r"|[^\r\nA-Za-z0-9]?[A-Z]+"
    r"|[0-9]{1,3}"
    r"| ?[^\sA-Za-z0-9]+[\r\n/]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_ASCII_SPLIT = re.compile(_ASCII_PIECE, re.ASCII)
# A word with any other character in it is bounded by its bytes. The character is looked for so far ahead and no
# further: looked for to the end of a word, each piece of a long one would read all of it.
_SPLIT = re.compile(rf" ?[!-~]{{0,64}}[^\x00-\x7f]\S*|{_ASCII_PIECE}", re.ASCII)


@lru_cache(maxsize=1)
def _ranks() -> dict[str, int]:
    words = _WORDS_FILE.read_text(encoding="ascii").split("\n")
    return dict(zip(words, range(len(words)), strict=True))


@lru_cache(maxsize=_MEMO_PIECES)
def _piece_bound(piece: str) -> int:
    if not piece.isascii():
        return len(piece.encode("utf-8", "replace"))
    if len(piece) == 1 or piece[0].isdigit():
        return 1
    ranks = _ranks()
    if piece in ranks:
        return 1
    return len(piece) if piece.isspace() or len(piece) > _MERGED_CHARS else _merged(piece, ranks)


def _merged(piece: str, ranks: dict[str, int]) -> int:
    """How many tokens byte-pair merging leaves: always the adjacent pair of lowest rank, leftmost first."""
    parts = list(piece)
    scores = [ranks.get(a + b, _NEVER) for a, b in pairwise(parts)]
    while scores:
        best = min(scores)
        if best == _NEVER:
            break
        at = scores.index(best)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        del scores[at]
        if at:
            scores[at - 1] = ranks.get(parts[at - 1] + parts[at], _NEVER)
        if at < len(scores):
            scores[at] = ranks.get(parts[at] + parts[at + 1], _NEVER)
    return len(parts)


def estimate_tokens(text: str) -> int:
    """Upper bound of the o200k tokens of ``text``: within a tenth of the true count for paths, names and headers."""
    split = _ASCII_SPLIT if text.isascii() else _SPLIT  # the same pieces in half the time
    return sum(map(_piece_bound, split.findall(text)))
