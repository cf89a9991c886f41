"""Names used without being called: references to definitions, reads that run properties."""

from __future__ import annotations

from retrieval.graph import quality as q
from retrieval.graph.rows import REFERENCE
from retrieval.graph.structure import StructureWriter
from retrieval.graph.values import EMPTY, MAX_VALUES, Value, Values
from retrieval.languages.python.facts_ops import Op

_FEW = 4  # values of a name that may each be meant


class ReferenceWriter(StructureWriter):
    def read_attribute(self, values: Values, name: str, index: int, line: int) -> None:
        """The functions that reading an attribute of these values runs."""
        if not values:
            return
        for value in self.evaluator.readers(values, name):
            self.add_call(index, value, max(max(values.values()), q.PROPERTY), line)

    def references(self) -> None:
        evaluator, module = self.evaluator, self.module
        for line, index, block, chain in module.raw["R"]:
            if self.calls_only and "." not in chain:
                continue
            source = module.scopes[index].qualname
            root, _, rest = chain.partition(".")
            order = line * 2
            values = evaluator.lookup(root, module, index, order, block)
            names = rest.split(".") if rest else []
            for name in names:
                self.read_attribute(values, name, index, line)
                values = evaluator.attribute(values, name) if values else EMPTY
            if self.calls_only:
                continue
            inside = [(v, s) for v, s in values.items() if v[0] in ("f", "b", "c")] if len(values) <= MAX_VALUES else []
            for value, found in inside:
                target = self.qualname(value)
                if target == source:
                    continue
                step = self._handed(value, found, len(inside))
                self.add(source, target, REFERENCE, step, line)
                self.add_test(index, target, evaluator.store.modules[value[1]].name, step, line)
            if not inside:
                self._variable(source, root, names, index, line)

    def _is_test(self, value: Value) -> bool:
        return self.evaluator.store.modules[value[1]].role == "test"

    def _handed(self, value: Value, step: int, count: int) -> int:
        """What callers hand over is not what the text names: one of many, or of tests only, is possible at most."""
        if step < q.DECORATED:
            return step
        if self.module.role != "test" and self._is_test(value):
            return q.FROM_TESTS
        return step if count <= _FEW else max(step, q.MANY)

    def _variable(self, source: str, root: str, names: list[str], index: int, line: int) -> None:
        """A module-level variable of the tree that is named: of another file, or an own constant inside a function."""
        module, store = self.module, self.evaluator.store
        current = index
        while current >= 0 and root not in module.scopes[current].names:
            current = module.scopes[current].parent
        if current < 0:
            return
        bindings = module.scopes[current].names[root]
        expression = bindings[0][1]
        operator = expression[0] if isinstance(expression, list) else ""
        if operator == Op.FROM:
            holder, name = store.locate(module.name, expression[1]), expression[2]
            if f"{holder}.{name}" in store.file_ids:
                if not names:
                    return
                holder, name = f"{holder}.{name}", names[0]
        elif operator == Op.MODULE and names:
            holder, name = store.locate(module.name, expression[1]), names[0]
        elif current == 0 and index != 0 and root.isupper() and operator != Op.MODULE:
            self.state(source, f"{module.name}.{root}", REFERENCE, q.LOCAL, line, "local-scope")
            return
        else:
            return
        if holder not in store.file_ids:
            return
        target = self.evaluator.symbol_behind(holder, name)
        parent = target.rpartition(".")[0]
        other = store.get(parent)
        if other is not None and target.rpartition(".")[2] in other.scopes[0].names:
            self.state(source, target, REFERENCE, q.LOCAL, line, "import")
            self.add_test(index, target, parent, q.IMPORT, line)
