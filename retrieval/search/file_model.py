"""The ranking of files: which file answers, and by which of its chunks it is shown.

A list of results is read for files: ten chunks of one file are one answer and nine places lost. So a chunk's score is a
weighted sum of the columns below, a file's score is the smooth maximum of its chunks' scores (one good chunk counts
fully, further ones add less and less)::

    s(chunk) = sum over columns c of  weight_c * x_c(chunk)
    S(file)  = T * ln sum over its chunks of exp(s / T)

and the list shows each file by its best chunk at S; its n-th chunk stands at its own score less ``repeat`` for each one
before it. The weights are fitted by ``harness.fit_ranking``: softmax over the files of a question's pool, cross entropy
against the files that answer, ridge penalty. Packs are not ranked by this: they want lines, see ``likelihood``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from retrieval.pack_records import GRAPH_CLASSES
from retrieval.records import Role
from retrieval.search.features import Pool, lookup, name_cover
from retrieval.search.fusion import Scores

_ROLES = tuple(Role)
_TEST = _ROLES.index(Role.TEST)
_PROSE = (_ROLES.index(Role.DOC), _ROLES.index(Role.EXAMPLE))

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "match": 5.43,
        "named": 2.22,
        "word_named": 1.25,
        "named_beside": -2.05,
        "related": 3.00,
        "name_cover": 0.55,
        "near": 1.26,
        "hinted": 1.98,
        "phrase": 2.50,
        "test": -4.09,
        "test_wanted": -0.44,
        "prose": -2.54,
        "meaning": 0.35,
        "documented": 1.31,
    }
)


@dataclass(frozen=True, slots=True)
class FileModel:
    """Weights of the columns, in log-odds; ``temperature`` T and ``repeat`` in the same unit.

    ``compound`` is the weight of a file's name that two words of the question make up, as a term of the question (see
    ``compounds``). Packs do without: on long questions it cost them .006 of the evidence.
    """

    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)
    temperature: float = 0.5
    repeat: float = 3.0
    compound: float = 1.5

    def without(self, column: str) -> FileModel:
        kept = {name: 0.0 if name == column else weight for name, weight in self.weights.items()}
        return FileModel(kept, self.temperature, self.repeat, self.compound)


DEFAULT_MODEL = FileModel()


def columns(pool: Pool, fused: Scores, meaning: Scores, documented: Scores) -> dict[str, Scores]:
    """float32[m] each, by name.

    match: the legs' fused score, 0..1. named, word_named: the chunk defines a name, or a plain word, of the question;
    named_beside instead of both when the question asks what stands in relation to it, and related for what does.
    name_cover: share of the parts of the symbol's name that the question says. near: support from graph neighbours
    among the best chunks. hinted: the question names the file (2: the line). phrase: it holds a quoted phrase. test,
    test_wanted, prose: role of the file, by whether the question asks for it. meaning: similarity of the whole file to
    the question, in standard deviations over the pool's files. documented: how much of the question the file's
    docstrings and comments say.

    Args:
        meaning: float32[m], cosine of the question and the mean of the file's vectors; zeros without vectors.
        documented: float32[m], see ``documented_share``.
    """
    arrays, plan, ids = pool.arrays, pool.plan, pool.ids
    role = arrays.role[ids]
    named, words = lookup(ids, pool.definitions), lookup(ids, pool.word_definitions)
    relation = plan.question_class in GRAPH_CLASSES
    none = np.zeros(len(ids), np.float32)
    test, prose = role == _TEST, (role == _PROSE[0]) | (role == _PROSE[1])
    return {
        "match": fused,
        "named": none if relation else named,
        "word_named": none if relation else words,
        "named_beside": named + words if relation else none,
        "related": lookup(ids, pool.sites),
        "name_cover": name_cover(pool),
        "near": lookup(ids, pool.near),
        "hinted": lookup(ids, pool.hinted),
        "phrase": lookup(ids, dict.fromkeys(sorted(pool.phrase_hits), 1.0)),
        "test": none if plan.wants_tests else test.astype(np.float32),
        "test_wanted": test.astype(np.float32) if plan.wants_tests else none,
        "prose": none if plan.wants_docs else prose.astype(np.float32),
        "meaning": _standardised(meaning, pool),
        "documented": documented,
    }


def rank_files(
    pool: Pool, fused: Scores, meaning: Scores, documented: Scores, model: FileModel = DEFAULT_MODEL
) -> tuple[Scores, dict[str, Scores]]:
    """Scores float32[m] that list files by their best chunks, and what each column contributed."""
    if not len(fused):
        return fused, {}
    parts = {
        name: np.asarray(np.float32(model.weights[name]) * x, np.float32)
        for name, x in columns(pool, fused, meaning, documented).items()
        if model.weights.get(name)
    }
    own = np.zeros(len(fused), np.float32)
    for part in parts.values():
        own += part
    order = np.lexsort((np.arange(len(own)), -own, pool.file_of))
    grouped = pool.file_of[order]
    first = np.flatnonzero(np.r_[True, grouped[1:] != grouped[:-1]])
    best = own[order[first]][grouped]
    mass = np.bincount(grouped, weights=np.exp((own[order] - best) / model.temperature))
    nth = np.arange(len(own)) - first[grouped]
    scores = np.empty(len(own), np.float32)
    scores[order] = np.where(
        nth == 0, best + model.temperature * np.log(mass[grouped]), own[order] - model.repeat * nth
    )
    parts["file"] = np.asarray(scores - own, np.float32)
    return scores, parts


def _standardised(meaning: Scores, pool: Pool) -> Scores:
    files = np.zeros(int(pool.file_of.max()) + 1 if len(pool.file_of) else 0, np.float32)
    files[pool.file_of] = meaning
    spread = float(files.std()) if len(files) else 0.0
    return np.asarray((meaning - files.mean()) / spread if spread > 1e-6 else np.zeros(len(meaning)), np.float32)
