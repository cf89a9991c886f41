"""What a question asks, as far as choosing from evidence needs it: its parts, their words by weight, their meaning."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from retrieval.compile.structure import asks_for_flow, asks_for_kinds

if TYPE_CHECKING:
    from retrieval.embed.base import Embedder, Matrix

_MAX_READ = 8_000  # characters of a question
_MAX_PARTS = 4
_MIN_WORDS = 3
_COMMON = 0.6  # of a word of everyday English, which describes and names nothing
_LEAST_TOTAL = 1.6  # weights: one word alone never holds all of a part
# Sentence ends, and conjunctions that open another question.
_BREAK = re.compile(
    r"[?;\n]|(?<=[a-z)\]'\"])[.:](?=\s)"
    r"|,? \b(?:and|or|but|then|while)\b(?= (?:by |in |on |to |from |with |under |of )?"
    r"(?:how|what|where|why|which|who|when|does|do|is|are)\b)",
    re.IGNORECASE,
)
_WHY = re.compile(r"\b(?:why|reasons?|what for|purpose|keeps? (?:it|them|\w{1,40}) from)\b", re.IGNORECASE)
_VALUE = re.compile(
    r"\b(?:defaults?|how (?:many|much|long|often|large|big|far)|at most|at least|limits?|maximum|minimum|"
    r"configur\w*|settings?|constants?|values?|parameters?|arguments?|options?|flags?)\b",
    re.IGNORECASE,
)
_QUANTITY = re.compile(
    r"\b(?:how (?:many|much|long|often|large|big|far|old|deep)|at most|at least|limits?|maximum|minimum|largest|"
    r"smallest|size|timeouts?|number of|count|seconds|bytes|status|code)\b",
    re.IGNORECASE,
)
_KINDS = re.compile(
    r"\b(?:classes|deriv\w+|inherit\w*|subclass\w*|bases?|exceptions|kinds? of|hierarchy|implementations?)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:in (?:what|which) order|in order|steps?|stages?|phases?|first|sequence|layers?|through which|by which way|"
    r"pass(?:es)? through|from .{1,60} to|how (?:does|do|is|are) .{1,60} (?:gets?|comes?|reach(?:es)?|leads?|called|"
    r"chosen|found|built|carried out))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Part:
    """``weights``: term -> how much it tells, 0..1, rare words of the evidence most."""

    text: str
    weights: Mapping[str, float]

    @property
    def total(self) -> float:
        return max(sum(self.weights.values()), _LEAST_TOTAL)

    def share(self, terms: Iterable[str]) -> float:
        """How much of the part the terms hold, 0..1."""
        return sum(self.weights.get(term, 0.0) for term in frozenset(terms)) / self.total


@dataclass(frozen=True, slots=True)
class Asked:
    """
    Attributes:
        parts: The whole question first, then its parts when there are several.
        why: It asks for reasons; ``value`` for settings, limits and defaults; ``quantity`` for a number; ``order`` for
            a sequence; ``kinds`` for classes.
    """

    parts: tuple[Part, ...]
    why: bool
    value: bool
    quantity: bool
    order: bool
    kinds: bool

    @property
    def whole(self) -> Part:
        return self.parts[0]


def asked(question: str, texts: Iterable[str], without: Iterable[str] = ()) -> Asked:
    """Args:
    texts: The pieces of evidence: what nearly all of them say tells little.
    without: Terms that do not count, because another sentence of the answer covers them.
    """
    question = question[:_MAX_READ]
    frequency: Counter[str] = Counter()
    total = 0
    for text in texts:
        total += 1
        frequency.update(_terms_of(text))
    dropped = frozenset(without)
    pieces = [" ".join(piece.split()) for piece in _BREAK.split(question)]
    pieces = [piece for piece in dict.fromkeys(pieces) if len(piece.split()) >= _MIN_WORDS][:_MAX_PARTS]
    parts = [_part(text, frequency, total, dropped) for text in (question, *(pieces if len(pieces) > 1 else ()))]
    kept = [part for part in parts if part.weights] or parts[:1]
    return Asked(
        tuple(kept),
        why=bool(_WHY.search(question)),
        value=bool(_VALUE.search(question)),
        quantity=bool(_QUANTITY.search(question)),
        order=bool(_ORDER.search(question)) or asks_for_flow(question),
        kinds=bool(_KINDS.search(question)) or asks_for_kinds(question),
    )


def _part(text: str, frequency: Counter[str], total: int, dropped: frozenset[str]) -> Part:
    from retrieval.text.common_words import common_terms_of
    from retrieval.text.terms import index_terms, query_terms

    spelled = frozenset(index_terms(text))
    common = common_terms_of(text)
    weights = {
        term: weight * (_COMMON if term in common else 1.0) * math.log(1.0 + (total + 1.0) / (frequency[term] + 1.0))
        for term, weight in query_terms(text).items()
        if term in spelled and term not in dropped and (frequency[term] or not total)
    }
    most = max(weights.values(), default=1.0)
    return Part(text, {term: weight / most for term, weight in weights.items()})


def _terms_of(text: str) -> frozenset[str]:
    from retrieval.text.terms import index_terms

    return frozenset(index_terms(text[:20_000]))


# ----------------------------------------------------------------------------------------------------------- meaning


@lru_cache(maxsize=1)
def _embedder() -> Embedder:
    """The one in the package, whatever the index was built with: it judges sentences of the answer, not chunks."""
    from retrieval.embed.static import StaticEmbedder

    return StaticEmbedder()


def similarities(parts: Iterable[Part], texts: list[str]) -> Matrix:
    """float32[parts, texts]: cosine similarity of each part of the question with each text."""
    import numpy as np

    embedder = _embedder()
    asked_for = np.stack([embedder.embed_query(part.text) for part in parts])
    if not texts:
        return np.zeros((len(asked_for), 0), np.float32)
    # Rounded: the last bits of a sum of products depend on the machine, and answers do not.
    return np.round(asked_for @ embedder.embed_documents(texts).T, 4).astype(np.float32)
