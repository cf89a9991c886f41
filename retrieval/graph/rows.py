"""Rows of edges as they are written, and what all writers of a file's edges share."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.graph import quality as q
from retrieval.graph.infer import Evaluator
from retrieval.graph.modules import Module
from retrieval.graph.values import Value
from retrieval.records import EdgeKind

#: (source, target, kind, confidence, line, rule)
Row = tuple[str, str, str, str, int, str]

CALL, REFERENCE, TEST = EdgeKind.CALL.value, EdgeKind.REFERENCE.value, EdgeKind.TEST.value
_RULES = {number: (confidence.value, rule) for number, (confidence, rule) in q.RULES.items()}


class Writer:
    """Turns values into rows; a row for each (source, target, kind, line)."""

    def __init__(self, module: Module, evaluator: Evaluator) -> None:
        self.module = module
        self.evaluator = evaluator
        self.rows: dict[Row, None] = {}
        self._tests = self._test_scopes() if module.role == "test" else {}

    def _test_scopes(self) -> dict[int, str]:
        """Scope to the test function around it."""
        found: dict[int, str] = {}
        for scope in self.module.scopes:
            if scope.parent in found:
                found[scope.index] = found[scope.parent]
            elif scope.kind == "f" and scope.short.startswith("test"):
                found[scope.index] = scope.qualname
        return found

    def add(self, src: str, dst: str, kind: str, step: int, line: int) -> None:
        confidence, rule = _RULES[step]
        self.rows[(src, dst, kind, confidence, line, rule)] = None

    def add_call(self, index: int, value: Value, step: int, line: int) -> None:
        """A call of a function of the tree from scope ``index``, and what it says about tests."""
        target = self.qualname(value)
        self.add(self.module.scopes[index].qualname, target, CALL, step, line)
        self.add_test(index, target, self.evaluator.store.modules[value[1]].name, step, line)

    def add_test(self, index: int, target: str, module: str, step: int, line: int) -> None:
        test = self._tests.get(index)
        if test is not None and self.evaluator.store.roles.get(module) != "test":
            self.add(test, target, TEST, step, line)

    def qualname(self, value: Value) -> str:
        return self.evaluator.store.modules[value[1]].scopes[value[2]].qualname


def targets_of(rows: Iterable[Row]) -> set[str]:
    """All names that the rows mention, for interning."""
    names: set[str] = set()
    for row in rows:
        names.add(row[0])
        names.add(row[1])
    return names
