"""Graph relations by chunk: from the symbols a question names to the chunks that stand in the relation asked about."""

from __future__ import annotations

from retrieval.records import Plan
from retrieval.search.ports import Reader


class Relations:
    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def related_chunks(self, plan: Plan) -> dict[int, float]:
        return {}
