"""Questions about the documentation: its subject is searched for, and the documents come before the code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.pack_records import Candidate, Plan, QuestionClass
from retrieval.records import Role
from retrieval.search.engine import Searcher
from retrieval.search.filters import PathFilters
from retrieval.text.terms import index_terms, query_terms

_OTHERS_SHARE = 0.6  # of the best document's score: the best of the code, when the documents are asked
_DOC_FRAME = re.compile(
    r"\b(?:documentation|documented|docs?|says?|tells?|read|written|user guide|manual)\b(?! ?strings?)", re.IGNORECASE
)


def searched_text(plan: Plan) -> str:
    """What is searched for: of a question about the documentation its subject ("testing", not "documentation")."""
    if plan.question_class is not QuestionClass.DOCS:
        return plan.question
    subject = _DOC_FRAME.sub(" ", plan.question)
    return (
        subject
        if index_terms(subject) and query_terms(subject).keys() & set(index_terms(plan.question))
        else plan.question
    )


@dataclass(frozen=True, slots=True)
class _Among(PathFilters):
    """Filters that allow the given paths only."""

    paths: frozenset[str] = frozenset()
    narrowed: PathFilters | None = None

    def __bool__(self) -> bool:
        return True

    def allows(self, path: str) -> bool:
        return path in self.paths and (not self.narrowed or self.narrowed.allows(path))


def documents_first(
    plan: Plan, searcher: Searcher, found: Sequence[Candidate], limit: int, filters: PathFilters | None
) -> tuple[Candidate, ...]:
    """What the documents alone hold, then what else was found: "testing" stands in every test, and in one chapter."""
    rows = searcher.reader.conn.execute("SELECT path FROM files WHERE root_id = 0 AND role = ?", (Role.DOC.value,))
    documents = frozenset(row[0] for row in rows)
    if not documents:
        return tuple(found)
    held = searcher.search(plan, max(1, limit // 2), _Among(paths=documents, narrowed=filters)).candidates
    known = {candidate.chunk.id for candidate in held}
    best = max((candidate.score for candidate in held), default=0.0)
    top = max((candidate.score for candidate in found), default=1.0) or 1.0
    rest = [
        candidate._replace(score=_OTHERS_SHARE * best * candidate.score / top)
        for candidate in found
        if candidate.chunk.id not in known
    ]
    return (*held, *rest)[:limit]
