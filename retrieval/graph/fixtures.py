"""pytest's fixtures: the parameters of tests that are filled by functions of their names."""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.graph import quality as q
from retrieval.graph.contexts import NOWHERE
from retrieval.graph.modules import Module, Scope
from retrieval.graph.solver import Solver
from retrieval.graph.values import EMPTY, Value, Values, stepped
from retrieval.languages.python.facts_ops import Op


def conftest_names(module: str) -> list[str]:
    """Modules whose fixtures a module sees, nearest first."""
    names = []
    folder = module
    while folder:
        folder = folder.rpartition(".")[0]
        names.append(f"{folder}.conftest" if folder else "conftest")
    return names


def takes_fixtures(scope: Scope) -> bool:
    return scope.kind == "f" and (scope.short.startswith("test") or _is_fixture(scope))


def _is_fixture(scope: Scope) -> bool:
    return any(name.rpartition(".")[2] in ("fixture", "yield_fixture") for name in scope.decorator_names())


class Fixtures(Solver):
    def fixture_of(self, module: Module, scope: Scope, name: str) -> Value | None:
        """The fixture that fills a parameter: of the class, the file, or the nearest ``conftest``."""
        for other, within in self._fixture_scopes(module, scope):
            for binding in reversed(within.names.get(name, ())):
                expression = binding[1]
                if isinstance(expression, list) and expression[0] == Op.DEF:
                    found = other.scopes[expression[1]]
                    if found is not scope and _is_fixture(found):
                        return ("f", other.number, found.index)
                elif isinstance(expression, list) and expression[0] == Op.FROM:
                    return None
        return None

    def _fixture_scopes(self, module: Module, scope: Scope) -> Iterator[tuple[Module, Scope]]:
        current = scope.parent
        while current >= 0:
            yield module, module.scopes[current]
            current = module.scopes[current].parent
        for name in conftest_names(module.name):
            other = self.store.get(name) if name in self.store.file_ids and name != module.name else None
            if other is not None:
                self.deps |= 1 << other.bit
                yield other, other.scopes[0]

    def _fixture(self, module: Module, scope: Scope, name: str) -> Values:
        """What a parameter that a fixture fills may be."""
        if not takes_fixtures(scope):
            return EMPTY
        fixture = self.fixture_of(module, scope, name)
        if fixture is None:
            return EMPTY
        made = self._returned(fixture, [], None, NOWHERE)
        given = {value: step for value, step in made.items() if value[0] != "g"}
        if len(given) < len(made):
            given = {**given, **self.iterate({value: step for value, step in made.items() if value[0] == "g"})}
        return stepped(given, q.FIXTURE)
