"""The edges of one file, from its facts and the evaluator."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.builtins_model import CALLS_ARGUMENT, IDENTITY_CALLS
from retrieval.graph.infer import Evaluator
from retrieval.graph.modules import Module, Scope
from retrieval.graph.values import EMPTY, Value, Values
from retrieval.languages.python.facts_ops import Op
from retrieval.records import Confidence, EdgeKind

#: (source, target, kind, confidence, line, rule)
Row = tuple[str, str, str, str, int, str]

_CERTAIN, _LIKELY, _POSSIBLE = Confidence.CERTAIN.value, Confidence.LIKELY.value, Confidence.POSSIBLE.value
_CALL, _REFERENCE, _TEST = EdgeKind.CALL.value, EdgeKind.REFERENCE.value, EdgeKind.TEST.value
_RULES = {number: (confidence.value, rule) for number, (confidence, rule) in q.RULES.items()}
#: What takes a callable without calling it at once.
_KEEPS_ARGUMENT = (frozenset(IDENTITY_CALLS) - CALLS_ARGUMENT) | {
    f"<builtin>.{name}"
    for name in ("property", "isinstance", "issubclass", "type", "id", "print", "callable", "getattr")
}
_MAX_FLOW_ROUNDS = 3
#: A call that resolves to more definitions than this is as good as unresolved.
_MAX_TARGETS = 8


def edges_of(module: Module, evaluator: Evaluator) -> list[Row]:
    """Every edge whose proving line is in ``module``, in source order. Sets ``evaluator.deps`` to what was read."""
    flows: dict[tuple[int, str], Values] = {}
    evaluator.enter(module, flows)
    deps = evaluator.deps
    try:
        resolved = _resolve_calls(module, evaluator)
        for _ in range(_MAX_FLOW_ROUNDS):
            new = _flows(module, evaluator, resolved)
            deps |= evaluator.deps
            if new == flows:
                break
            flows = new
            evaluator.enter(module, flows)
            resolved = _resolve_calls(module, evaluator)
        writer = _Writer(module, evaluator)
        writer.structure()
        writer.imports()
        writer.calls(resolved)
        writer.contexts()
        writer.references()
        evaluator.deps |= deps
        return list(writer.rows)
    finally:
        evaluator.leave()


def _resolve_calls(module: Module, evaluator: Evaluator) -> list[Values]:
    """The values of every callee. Calls of one name in one scope share a result where order cannot matter."""
    out: list[Values] = []
    shared: dict[tuple[str, int], Values] = {}
    for line, index, block, callee, _args in module.calls:
        if isinstance(callee, str):
            key = (callee, index)
            values = shared.get(key)
            if values is None:
                values = evaluator.eval(callee, module, index, line * 2, block)
                if len(module.scopes[index].names.get(callee.partition(".")[0], ())) < 2:
                    shared[key] = values
        else:
            values = evaluator.eval(callee, module, index, line * 2, block)
        out.append(values)
    return out


def _flows(module: Module, evaluator: Evaluator, resolved: list[Values]) -> dict[tuple[int, str], Values]:
    """What the calls of this file pass to the parameters of this file's functions, where it can matter to a call."""
    flows: dict[tuple[int, str], Values] = {}
    number = module.number
    for (line, index, block, _callee, args), values in zip(module.calls, resolved, strict=True):
        if not args:
            continue
        for value in values:
            kind = value[0]
            if kind not in "fbc" or value[1] != number:
                continue
            target, shift = value, 0
            if kind == "c":
                made = next((v for v in evaluator.class_attribute(value, "__init__", True) if v[0] == "b"), None)
                if made is None or made[1] != number:
                    continue
                target, shift = made, 1
            scope = module.scopes[target[2]]
            if target[0] == "b" and not any(name.endswith("staticmethod") for name in scope.decorator_names()):
                shift = 1
            _pass(module, evaluator, scope, args, shift, (index, line * 2, block), flows)
    return flows


def _pass(
    module: Module,
    evaluator: Evaluator,
    scope: Scope,
    args: list[Any],
    shift: int,
    place: tuple[int, int, int],
    flows: dict[tuple[int, str], Values],
) -> None:
    index, order, block = place
    params = [param[0] for param in scope.params]
    position = shift
    for argument in args:
        name = ""
        expression = argument
        if isinstance(argument, list) and argument:
            if argument[0] in (Op.STAR, Op.STARSTAR):
                return
            if argument[0] == Op.KEYWORD:
                name, expression = argument[1], argument[2]
        if not name:
            if position < len(params) and not params[position].startswith("*"):
                name = params[position]
            position += 1
        if expression == 0 or name not in params or _annotated(scope, name):
            continue
        found = evaluator.eval(expression, module, index, order, block)
        for value, step in found.items():
            if value[0] in "fbcoki":
                into = flows.setdefault((scope.index, name), {})
                step = max(step, q.ARGUMENT)
                if into.get(value, 99) > step:
                    into[value] = step


def _annotated(scope: Scope, name: str) -> bool:
    return any(param[0] == name and param[1] != 0 for param in scope.params)


class _Writer:
    """Turns values into rows; a row for each (source, target, kind, line)."""

    def __init__(self, module: Module, evaluator: Evaluator) -> None:
        self.module = module
        self.evaluator = evaluator
        self.rows: dict[Row, None] = {}
        self._tests = self._test_scopes() if module.role == "test" else {}
        self._called: set[tuple[int, str]] = set()

    def _test_scopes(self) -> dict[int, str]:
        """Scope to the test function around it."""
        found: dict[int, str] = {}
        for scope in self.module.scopes:
            if scope.parent in found:
                found[scope.index] = found[scope.parent]
            elif scope.kind == "f" and scope.qualname.rpartition(".")[2].startswith("test"):
                found[scope.index] = scope.qualname
        return found

    def add(self, src: str, dst: str, kind: str, step: int, line: int) -> None:
        confidence, rule = _RULES[step]
        self.rows[(src, dst, kind, confidence, line, rule)] = None

    def qualname(self, value: Value) -> str:
        return self.evaluator.store.modules[value[1]].scopes[value[2]].qualname

    # ---- structure -------------------------------------------------------------------------------------------------

    def structure(self) -> None:
        scopes = self.module.scopes
        for scope in scopes[1:]:
            parent = scopes[scope.parent].qualname
            line = scope.data["l"]
            if scope.kind != "l":
                self.rows[(parent, scope.qualname, EdgeKind.CONTAIN.value, _CERTAIN, line, "definition")] = None
            if scope.kind != "c":
                continue
            lines = [entry[1] for entry in scope.data.get("bases", ())]
            for position, base, step in self.evaluator.bases(("c", self.module.number, scope.index)):
                if base is None:
                    written = scope.data["bases"][position][0]
                    name = written.rpartition(".")[2] if isinstance(written, str) else "<expression>"
                    row = (
                        scope.qualname,
                        f"?.{name}",
                        EdgeKind.INHERIT.value,
                        _POSSIBLE,
                        lines[position],
                        "unknown-base",
                    )
                    self.rows[row] = None
                    continue
                target = base[1] if base[0] == "e" else self.qualname(base)
                self.add(scope.qualname, target, EdgeKind.INHERIT.value, step, lines[position])

    def imports(self) -> None:
        source = self.module.scopes[0].qualname
        kind = EdgeKind.IMPORT.value
        store = self.evaluator.store
        for line, _scope, name, imported in self.module.imports:
            target = store.locate(self.module.name, name)
            inside = target in store.file_ids
            if imported and imported != "*":
                symbol = self._imported_symbol(target, imported)
                if inside:
                    self.rows[(source, target, kind, _CERTAIN, line, "import")] = None
                self.rows[(source, symbol, kind, _CERTAIN, line, "import")] = None
            else:
                self.rows[(source, target, kind, _CERTAIN, line, "star-import" if imported else "import")] = None

    def _imported_symbol(self, name: str, imported: str) -> str:
        """The definition behind ``from name import imported``, through re-exports; else the name as written."""
        store, evaluator = self.evaluator.store, self.evaluator
        seen: set[tuple[str, str]] = set()
        while (name, imported) not in seen:
            seen.add((name, imported))
            module = store.get(name)
            if module is None:
                break
            evaluator.deps |= 1 << module.bit
            bindings = module.scopes[0].names.get(imported)
            if bindings is None:
                through = self._star_source(module, imported)
                if through is None:
                    break
                name = through
                continue
            expression = bindings[-1][1]
            if not isinstance(expression, list):
                break
            if expression[0] == Op.DEF:
                return module.scopes[expression[1]].qualname
            if expression[0] == Op.MODULE:
                return store.locate(module.name, expression[1])
            if expression[0] != Op.FROM:
                break
            name, imported = store.locate(module.name, expression[1]), expression[2]
        return f"{name}.{imported}"

    def _star_source(self, module: Module, name: str) -> str | None:
        store = self.evaluator.store
        for star in reversed(module.stars):
            target = store.locate(module.name, star)
            other = store.get(target)
            if other is None:
                continue
            self.evaluator.deps |= 1 << other.bit
            exported = name in other.public if other.public is not None else not name.startswith("_")
            if exported and (name in other.scopes[0].names or other.stars):
                return target
        return None

    # ---- uses ------------------------------------------------------------------------------------------------------

    def calls(self, resolved: list[Values]) -> None:
        scopes = self.module.scopes
        for (line, index, block, callee, args), values in zip(self.module.calls, resolved, strict=True):
            source = scopes[index].qualname
            if isinstance(callee, str):
                self._called.add((line, callee))
            targets = self._targets(values) if len(values) <= _MAX_TARGETS else []
            if not targets:
                if _is_decoration(args) and not isinstance(callee, str):
                    continue  # what a decorator from outside returned is applied: nothing to say
                if callee != "super":
                    self._unresolved(source, callee, line, index)
                else:
                    self.add(source, "<builtin>.super", _CALL, q.BUILTIN, line)
                continue
            external = True
            for target, step, inside in targets:
                self.add(source, target, _CALL, step, line)
                if inside:
                    external = False
                    self._test(index, target, inside, step, line)
            if external and args:
                self._passed(source, targets[0][0], args, index, line, block)

    def _targets(self, values: Values) -> list[tuple[str, int, str]]:
        """(qualified name, quality, module of the tree or "") of what calling these values runs."""
        found: list[tuple[str, int, str]] = []
        modules = self.evaluator.store.modules
        for value, step in values.items():
            kind = value[0]
            if kind in ("f", "b"):
                found.append((self.qualname(value), step, modules[value[1]].name))
            elif kind == "c":
                found.append((self.qualname(value), step, modules[value[1]].name))
                for made in self.evaluator.class_attribute(value, "__init__", True):
                    if made[0] == "b":
                        found.append((self.qualname(made), step, modules[made[1]].name))
            elif kind == "o":
                for made, inner in self.evaluator.class_attribute(value, "__call__", True).items():
                    if made[0] == "b":
                        found.append((self.qualname(made), max(step, inner), modules[made[1]].name))
            elif kind == "e":
                found.append((value[1], step, ""))
            elif kind == "i":
                found.append((f"{value[1]}.__call__", max(step, q.MULTI), ""))
            elif kind == "x":
                holder = value[1]
                name = "dict" if holder[0] == "k" and not self.evaluator.is_sequence(holder) else "list"
                found.append((f"<builtin>.{'generator' if holder[0] == 'g' else name}.{value[2]}", step, ""))
        return found

    def _unresolved(self, source: str, callee: Any, line: int, index: int) -> None:
        name, rule = "<expression>", "unknown-value"
        if isinstance(callee, str):
            root, dot, _ = callee.partition(".")
            name = callee.rpartition(".")[2]
            rule = "unknown-receiver" if dot else "unknown-value"
            if not dot and not self._is_bound(root, index):
                rule = "unknown-name"
        elif isinstance(callee, list) and callee[0] == Op.ATTR:
            name, rule = callee[2], "unknown-receiver"
        self.rows[(source, f"?.{name}", _CALL, _POSSIBLE, line, rule)] = None

    def _is_bound(self, name: str, index: int) -> bool:
        current = index
        while current >= 0:
            scope = self.module.scopes[current]
            if name in scope.names:
                return True
            current = scope.parent
        return False

    def _passed(self, source: str, target: str, args: list[Any], index: int, line: int, block: int) -> None:
        """A callable handed to code outside the tree, which may call it."""
        if target in _KEEPS_ARGUMENT or target.startswith(("<builtin>.list.", "<builtin>.dict.", "<builtin>.set.")):
            return
        step = q.PASSED if target in CALLS_ARGUMENT else q.PASSED_POSSIBLE
        for argument in args:
            if isinstance(argument, list) and argument and argument[0] == Op.KEYWORD:
                argument = argument[2]
            if not (isinstance(argument, str) or (isinstance(argument, list) and argument[0] in (Op.DEF, Op.ATTR))):
                continue
            for value, inner in self.evaluator.eval(argument, self.module, index, line * 2, block).items():
                if value[0] in ("f", "b"):
                    self.add(source, self.qualname(value), _CALL, max(step, inner), line)

    def _test(self, index: int, target: str, module: str, step: int, line: int) -> None:
        test = self._tests.get(index)
        if test is not None and self.evaluator.store.roles.get(module) != "test":
            self.add(test, target, _TEST, step, line)

    def contexts(self) -> None:
        evaluator = self.evaluator
        for line, index, block, expression in self.module.raw.get("W", ()):
            source = self.module.scopes[index].qualname
            for value, step in evaluator.eval(expression, self.module, index, line * 2, block).items():
                if value[0] != "o":
                    continue
                for name in ("__enter__", "__aenter__", "__exit__", "__aexit__"):
                    for made, inner in evaluator.class_attribute(value, name, True).items():
                        if made[0] == "b":
                            self.add(source, self.qualname(made), _CALL, max(step, inner, q.CONTEXT), line)

    def references(self) -> None:
        evaluator, module = self.evaluator, self.module
        for line, index, block, chain in module.raw["R"]:
            source = module.scopes[index].qualname
            root, _, rest = chain.partition(".")
            order = line * 2
            values = evaluator.lookup(root, module, index, order, block)
            names = rest.split(".") if rest else []
            for name in names:
                for value in evaluator.find_property(values, name):
                    step = max(max(values.values()), q.PROPERTY)
                    self.add(source, self.qualname(value), _CALL, step, line)
                    self._test(index, self.qualname(value), evaluator.store.modules[value[1]].name, step, line)
                values = evaluator.attribute(values, name) if values else EMPTY
            inside = [(v, s) for v, s in values.items() if v[0] in ("f", "b", "c")]
            for value, step in inside:
                target = self.qualname(value)
                if target == source:
                    continue
                self.add(source, target, _REFERENCE, step, line)
                self._test(index, target, evaluator.store.modules[value[1]].name, step, line)
            if not inside:
                self._variable(source, root, names, index, line)

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
            self.rows[(source, f"{module.name}.{root}", _REFERENCE, _CERTAIN, line, "local-scope")] = None
            return
        else:
            return
        if holder not in store.file_ids:
            return
        target = self._imported_symbol(holder, name)
        parent = target.rpartition(".")[0]
        other = store.get(parent)
        if other is not None and target.rpartition(".")[2] in other.scopes[0].names:
            self.rows[(source, target, _REFERENCE, _CERTAIN, line, "import")] = None
            self._test_variable(index, target, parent, line)

    def _test_variable(self, index: int, target: str, parent: str, line: int) -> None:
        self._test(index, target, parent, q.IMPORT, line)


def _is_decoration(args: list[Any]) -> bool:
    return len(args) == 1 and isinstance(args[0], list) and args[0][0] == Op.RAW


def targets_of(rows: Iterable[Row]) -> set[str]:
    """All names that the rows mention, for interning."""
    names: set[str] = set()
    for row in rows:
        names.add(row[0])
        names.add(row[1])
    return names
