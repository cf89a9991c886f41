"""Names of files that are two words of the question written as one: ``collectstatic`` for "static files collected".

A word in lower case has no joint to split at, so such a name shares no term with a question that says its parts. Names
of files are few and chosen with care: that two words of a question, whatever stands between them, make up one of them
is no accident. (Words next to each other are joined in any case, see ``text.terms``.)
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from retrieval.text.stem import singular, stem
from retrieval.text.stopwords import QUESTION_WORDS

_MIN_PART = 3
_MOST_WORDS = 9  # of the question: among the pairs of many some make up a name by accident
_NAME = re.compile(r"(?<![A-Za-z0-9])[a-z]{8,40}(?![A-Za-z0-9])")
_WORD = re.compile(r"[A-Za-z]+")


def run_together(paths: Iterable[str]) -> tuple[str, ...]:
    """Stems of the words of ``paths`` that may be such names, sorted."""
    return tuple(sorted(set(map(stem, set(_NAME.findall("\n".join(paths)))))))


def named_by(question: str, names: Sequence[str]) -> tuple[str, ...]:
    """Those of the sorted ``names`` that two words of a short ``question`` make up."""
    words = [word for word in dict.fromkeys(map(str.lower, _WORD.findall(question))) if word not in QUESTION_WORDS]
    words = [word for word in words if len(word) >= _MIN_PART]
    if len(words) > _MOST_WORDS:
        return ()
    found: dict[str, None] = {}
    for left in words:
        root = stem(left)
        for head in dict.fromkeys((left, singular(left), root, f"{root}e")):
            at = bisect_left(names, head)
            while at < len(names) and names[at].startswith(head):
                if any(stem(head + right) == names[at] for right in words if right != left):
                    found[names[at]] = None
                at += 1
    return tuple(found)
