"""Choose the vocabulary: whole words that many projects use, and pieces for the rest.

``python -m tools.embedder.vocabulary --pairs DIR --out vocab.txt --size 32768``
"""

from __future__ import annotations

import argparse
import json
import math
import re
import string
from collections import Counter, defaultdict
from pathlib import Path

from retrieval.embed.words import CONTINUED, WordPieces, split_run

_RUN = re.compile(r"[^\W_]+")
_LETTERS = string.ascii_lowercase + string.digits
_WHOLE_SHARE = 0.85  # of the vocabulary; the rest are pieces that continue a word
_MIN_PROJECTS = 2
_LONGEST_WORD, _LONGEST_PIECE = 24, 8
_EVERY = 3  # one pair in three is counted: the order of frequent words does not change


def word_scores(folder: Path) -> tuple[dict[str, float], Counter[str]]:
    """(sum over projects of log(1 + count), number of projects) per word: one huge project does not decide."""
    scores: dict[str, float] = defaultdict(float)
    projects: Counter[str] = Counter()
    for path in sorted(folder.glob("*.jsonl")):
        runs: Counter[str] = Counter()
        with path.open(encoding="utf-8") as stream:
            for row, line in enumerate(stream):
                if row % _EVERY == 0:
                    _, _, query, text = json.loads(line)
                    runs.update(_RUN.findall(query))
                    runs.update(_RUN.findall(text))
        words: Counter[str] = Counter()
        for run, count in runs.items():
            for word in split_run(run[:64]):
                words[word] += count
        for word, count in words.items():
            scores[word] += math.log1p(count)
            projects[word] += 1
    return scores, projects


def choose(scores: dict[str, float], projects: Counter[str], size: int) -> list[str]:
    """The vocabulary in id order: single characters, whole words by score, continuing pieces by use."""
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    singles = [*_LETTERS, *(CONTINUED + letter for letter in _LETTERS)]
    whole = [
        word
        for word, _ in ranked
        if 1 < len(word) <= _LONGEST_WORD
        and projects[word] >= _MIN_PROJECTS
        and word.isascii()
        and not (word.isdigit() and len(word) > 4)
    ][: int(size * _WHOLE_SHARE)]
    known = set(whole)
    rare = [(word, score) for word, score in ranked if word not in known and word.isascii() and 3 < len(word) <= 32]
    candidates: dict[str, float] = defaultdict(float)
    for word, score in rare:
        for start in range(1, len(word) - 1):
            for end in range(start + 2, min(len(word), start + _LONGEST_PIECE) + 1):
                candidates[word[start:end]] += score * (end - start - 1)
    shortlist = sorted(candidates, key=lambda piece: (-candidates[piece], piece))[: size // 2]
    pieces = WordPieces([*singles, *whole, *(CONTINUED + piece for piece in shortlist)])
    order = [*singles, *whole, *(CONTINUED + piece for piece in shortlist)]
    use: dict[str, float] = defaultdict(float)
    for word, score in rare:
        for row in pieces.pieces(word):
            use[order[row]] += score
    best = sorted((CONTINUED + piece for piece in shortlist), key=lambda token: (-use[token] * (len(token) - 2), token))
    return [*singles, *whole, *best[: size - len(singles) - len(whole)]]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pairs", type=Path, required=True)
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--size", type=int, default=32_768)
    options = arguments.parse_args()
    scores, projects = word_scores(options.pairs)
    tokens = choose(scores, projects, options.size)
    options.out.write_text("\n".join(tokens) + "\n", encoding="utf-8")
    print(f"{len(tokens)} tokens of {len(scores)} words")


if __name__ == "__main__":
    main()
