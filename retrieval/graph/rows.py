"""Rows of edges as they are written, and what all writers of a file's edges share."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.graph import quality as q
from retrieval.graph.infer import Evaluator
from retrieval.graph.modules import Module
from retrieval.graph.values import Value
from retrieval.records import Confidence, EdgeKind

#: (source, target, kind, confidence, line, rule, classes that the receiver may be below, see ``dispatch``)
Row = tuple[str, str, str, str, int, str, str]

CALL, REFERENCE, TEST = EdgeKind.CALL.value, EdgeKind.REFERENCE.value, EdgeKind.TEST.value
_RULES = {number: (confidence.value, rule) for number, (confidence, rule) in q.RULES.items()}
_RANK = {confidence.value: rank for rank, confidence in enumerate(Confidence)}


class Writer:
    """Turns values into rows.

    Of several ways to one (source, target, kind, line) the surest stands; a test and what it tests have one row, at the
    first of the lines that are surest.
    """

    def __init__(self, module: Module, evaluator: Evaluator, calls_only: bool = False) -> None:
        """
        Args:
            calls_only: No rows but those of calls and of inheritance, which calls depend on.
        """
        self.module = module
        self.calls_only = calls_only
        self.evaluator = evaluator
        self._rows: dict[tuple[str, str, str, int], tuple[int, str]] = {}
        self._receivers: dict[tuple[str, str, str, int], set[str]] = {}
        self._test_rows: dict[tuple[str, str], tuple[int, int, int]] = {}
        self._tests = self._test_scopes() if module.role == "test" and not calls_only else {}

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
        key = (src, dst, kind, line)
        known = self._rows.get(key)
        if known is None or step < known[0]:
            self._rows[key] = (step, _RULES[step][1])

    def state(self, src: str, dst: str, kind: str, step: int, line: int, rule: str) -> None:
        """An edge by a rule of its own, as sure as ``step`` is."""
        key = (src, dst, kind, line)
        known = self._rows.get(key)
        if known is None or (step, rule) < known:
            self._rows[key] = (step, rule)

    def rows(self) -> list[Row]:
        """All rows: tests first, the rest in the order in which they were found."""
        found: list[Row] = []
        for (src, dst), (_rank, line, step) in self._test_rows.items():
            confidence, rule = _RULES[step]
            found.append((src, dst, TEST, confidence, line, rule, ""))
        for key, (step, rule) in self._rows.items():
            src, dst, kind, line = key
            receivers = " ".join(sorted(self._receivers.get(key, ())))
            found.append((src, dst, kind, _RULES[step][0], line, rule, receivers))
        return found

    def add_call(self, index: int, value: Value, step: int, line: int, found: int = -1) -> None:
        """A call of a function of the tree from scope ``index``, and what it says about tests.

        Args:
            found: How the function was found, where that is another step than the one that the edge is as sure as.
        """
        target = self.qualname(value)
        source = self.module.scopes[index].qualname
        self.add(source, target, CALL, step, line)
        if (step if found < 0 else found) in q.OPEN and value[0] == "b" and not self._is_closed(value):
            holder = self.evaluator.store.modules[value[3]].scopes[value[4]].qualname
            self._receivers.setdefault((source, target, CALL, line), set()).add(holder)
        self.add_test(index, target, self.evaluator.store.modules[value[1]].name, step, line)

    def add_test(self, index: int, target: str, module: str, step: int, line: int) -> None:
        test = self._tests.get(index)
        if test is not None and self.evaluator.store.roles.get(module) != "test":
            known = self._test_rows.get((test, target))
            found = (_RANK[_RULES[step][0]], line, step)
            if known is None or found < known:
                self._test_rows[test, target] = found

    def _is_closed(self, value: Value) -> bool:
        """Whether no subclass may define the bound method ``value`` anew: final, or of a private name."""
        store = self.evaluator.store
        method, holder = store.modules[value[1]].scopes[value[2]], store.modules[value[3]].scopes[value[4]]
        if method.short.startswith("__") and not method.short.endswith("__"):
            return True
        names = (*method.decorator_names(), *holder.decorator_names())
        return any(name.rpartition(".")[2] == "final" for name in names)

    def qualname(self, value: Value) -> str:
        return self.evaluator.store.modules[value[1]].scopes[value[2]].qualname


def targets_of(rows: Iterable[Row]) -> set[str]:
    """All names that the rows mention, for interning."""
    names: set[str] = set()
    for row in rows:
        names.add(row[0])
        names.add(row[1])
    return names
