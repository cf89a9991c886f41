"""What a name, an attribute or a call may be: the evaluator behind every resolved edge.

Values are tuples: ``("c", m, s)`` class, ``("f", m, s)`` function or lambda, ``("b", m, s, cm, cs)`` method bound to an
instance or class, ``("P", m, s)`` property, ``("o", m, s)`` instance, ``("s", m, s)`` what ``super()`` gives there,
``("m", name)`` module or namespace package, ``("e", dotted)`` anything outside the tree, ``("i", dotted)`` instance of
something outside, ``("t", name)`` instance of a builtin type, ``("k", m, n)`` the container made at place ``n``,
``("h", values)`` container of annotated content, ``("g", m, s)`` generator, ``("x", container, method)`` a container's
method, ``("V", container)`` and ``("I", container)`` what ``values()`` and ``items()`` give. ``m`` numbers a module of
the store, ``s`` a scope in it.

Variables (names seen from outside their scope, returns, attributes, bases) are solved top down to the least fixpoint
(Le Charlier and Van Hentenryck 1992): a variable met again while it is being solved gives its approximation so far, the
head of such a cycle is iterated until stable, and what depended on an unfinished head is not kept. So a result does not
depend on which file is resolved first, which is what makes an incremental resolve equal to a full one.
"""

from __future__ import annotations

from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.builtins_model import (
    CONTAINER_TYPES,
    IDENTITY_CALLS,
    MAPPING_TYPES,
    TRANSPARENT_DECORATORS,
    UNION_TYPES,
    builtin_instance,
)
from retrieval.graph.modules import Binding, Module, ModuleStore, Scope
from retrieval.languages.python.facts_ops import BUILTIN_NAMES, Op

Value = tuple[Any, ...]
Values = dict[Value, int]
Key = tuple[Any, ...]

EMPTY: Values = {}
#: Too many alternatives to say anything; absorbs all others, so that giving up is as order-free as the rest.
TOP: Value = ("?",)
_FAR = 1 << 30
#: Variables solved inside one another; deeper chains are given up (and not kept).
_MAX_CHAIN = 250
_MAX_ROUNDS = 30
#: More alternatives than this say nothing; the value counts as unknown.
_MAX_VALUES = 24
_MAX_NESTING = 60


ANYTHING: Values = {TOP: q.MULTI}


def join(into: Values, values: Values, step: int = 0) -> None:
    """Adds ``values``, each at least as uncertain as ``step``."""
    for value, quality in values.items():
        if quality < step:
            quality = step
        old = into.get(value)
        if old is None or quality < old:
            into[value] = quality


class Evaluator:
    """Solves variables over a ``ModuleStore``.

    Attributes:
        local: Number of the module whose edges are being made, whose variables also see arguments passed inside it
            (``flows``); -1 while solving what other files see.
        deps: Mask of the modules read since it was last cleared.
    """

    def __init__(self, store: ModuleStore) -> None:
        self.store = store
        self.local = -1
        self.flows: dict[tuple[int, str], Values] = {}
        self.deps = 0
        self._memo: dict[Key, tuple[Values, int]] = {}
        self._local_memo: dict[Key, tuple[Values, int]] = {}
        self._approx: dict[Key, Values] = {}
        self._stack: dict[Key, int] = {}
        self._unfinished: dict[Key, tuple[int, int]] = {}
        self._changes = 0
        self._low = _FAR
        self._containers: dict[tuple[int, int], tuple[Any, int, int, int]] = {}
        self._nesting = 0

    def enter(self, module: Module, flows: dict[tuple[int, str], Values]) -> None:
        """Starts the resolution of one file's own edges."""
        self.local = module.number
        self.flows = flows
        self._local_memo = {}
        self._approx.clear()
        self._unfinished.clear()
        self.deps = 1 << module.bit

    def leave(self) -> None:
        self.local = -1
        self.flows = {}
        self._local_memo = {}

    # ---- solver ----------------------------------------------------------------------------------------------------

    def solve(self, key: Key) -> Values:
        outside = self.local
        is_local = key[1] == outside
        memo = self._local_memo if is_local else self._memo
        kept = memo.get(key)
        if kept is not None:
            self.deps |= kept[1]
            return kept[0]
        if is_local:
            key = (*key, "local")
        elif outside >= 0:
            self.local = -1
        try:
            return self._solve(key, memo, is_local)
        finally:
            self.local = outside

    def _solve(self, key: Key, memo: dict[Key, tuple[Values, int]], is_local: bool) -> Values:
        stack, approx = self._stack, self._approx
        position = stack.get(key)
        if position is not None:
            self._low = min(self._low, position)
            return approx.get(key, EMPTY)
        unfinished = self._unfinished.get(key)
        if unfinished is not None:
            self._low = min(self._low, unfinished[0])
            self.deps |= unfinished[1]
            return approx.get(key, EMPTY)
        position = len(stack)
        if position > _MAX_CHAIN:
            self._low = -1
            return EMPTY
        stack[key] = position
        outer_low, outer_deps = self._low, self.deps
        own = 1 << self.store.modules[key[1]].bit
        rounds = 0
        while True:
            rounds += 1
            before = self._changes
            self._low, self.deps = _FAR, own
            value = self._compute(key)
            if (len(value) > _MAX_VALUES or TOP in value) and key[0] not in "MB":
                value = ANYTHING
            if self._low > position:
                memo[key[:-1] if is_local else key] = (value, self.deps)
                break
            if value != approx.get(key, EMPTY):
                approx[key] = value
                self._changes += 1
            if self._low < position:
                self._unfinished[key] = (self._low, self.deps)
                outer_low = min(outer_low, self._low)
                break
            members = [k for k, entry in self._unfinished.items() if entry[0] >= position]
            if self._changes == before or rounds >= _MAX_ROUNDS:
                self._finish(key, members, position)
                break
            for member in members:
                del self._unfinished[member]
        del stack[key]
        self._low = outer_low
        self.deps |= outer_deps
        return value

    def _finish(self, head: Key, members: list[Key], position: int) -> None:
        """A cycle is stable: all its members have their final values, and what one read, all have."""
        for member in (*members, head):
            value = self._approx.pop(member, EMPTY)
            self._unfinished.pop(member, None)
            if member[-1] == "local":
                self._local_memo[member[:-1]] = (value, self.deps)
            else:
                self._memo[member] = (value, self.deps)

    def _compute(self, key: Key) -> Values:
        kind, number, index = key[0], key[1], key[2]
        module = self.store.modules[number]
        if kind == "E":
            return self._contents(("k", number, index))
        if kind == "L":
            return self._element_value(key)
        scope = module.scopes[index]
        if kind == "n":
            return self._name_from_outside(module, scope, key[3])
        if kind == "v":
            return self._binding(module, scope, scope.names[key[3]][key[4]])
        if kind == "r":
            return self._all(module, index, scope.returns, q.RETURN)
        if kind == "y":
            return self._all(module, index, scope.yields, q.RETURN)
        if kind == "A":
            return self._along_mro(("o" if key[4] else "c", number, index), key[3], key[4], False)
        if kind == "a":
            return self._instance_attribute(module, scope, key[3])
        if kind == "D":
            return self._decorated(module, scope)
        if kind == "B":
            return self._bases(module, scope)
        return self._mro(module, scope)

    def _all(self, module: Module, index: int, expressions: list[Any], step: int) -> Values:
        out: Values = {}
        for expression in expressions:
            join(out, self.eval(expression, module, index, _FAR, 0), step)
        return out

    # ---- names -----------------------------------------------------------------------------------------------------

    def _name_from_outside(self, module: Module, scope: Scope, name: str) -> Values:
        bindings = scope.names[name]
        kept: list[int] = []
        for position, binding in enumerate(bindings):
            if position and _is_accessor(module, binding):
                continue
            if binding[3] == 0 and not _adds(binding):
                kept = [position]
            else:
                kept.append(position)
        return self._union(module, scope, name, kept)

    def _union(self, module: Module, scope: Scope, name: str, positions: list[int]) -> Values:
        bindings = scope.names[name]
        if len(positions) > 1:
            positions = self._without_overloads(module, bindings, positions)
        if len(positions) == 1:
            return self.solve(("v", module.number, scope.index, name, positions[0]))
        out: Values = {}
        count = sum(1 for position in positions if not _adds(bindings[position]) and bindings[position][1] != 0)
        step = q.MULTI if count > 1 else 0
        for position in positions:
            join(out, self.solve(("v", module.number, scope.index, name, position)), step)
        return out

    def _without_overloads(self, module: Module, bindings: list[Binding], positions: list[int]) -> list[int]:
        """Overload stubs and property setters do not count beside the definition they belong to."""
        kept = []
        for position in positions:
            expression = bindings[position][1]
            if isinstance(expression, list) and expression[0] == Op.DEF:
                names = list(module.scopes[expression[1]].decorator_names())
                if any(name.rpartition(".")[2] == "overload" for name in names):
                    continue
            kept.append(position)
        return kept or positions

    def lookup(self, name: str, module: Module, index: int, order: int, block: int) -> Values:
        """The value of a name at a use: its own scope in order, the enclosing ones as seen from outside."""
        scopes = module.scopes
        current = index
        while current >= 0:
            scope = scopes[current]
            if current == index or scope.kind != "c":
                names = scope.bound
                bindings = (scope.names if names is None else names).get(name)
                if bindings is not None and not (current and name in scope.data.get("g", ())):
                    if current == index and len(bindings) > 1 and order != _FAR:
                        return self._union(module, scope, name, _visible(module, bindings, order, block))
                    if len(bindings) == 1:
                        return self.solve(("v", module.number, current, name, 0))
                    return self.solve(("n", module.number, current, name))
            current = scope.parent
        return self._from_stars(module, name)

    def _from_stars(self, module: Module, name: str) -> Values:
        external = False
        for star in reversed(module.stars):
            target = self.store.locate(module.name, star)
            other = self.store.get(target)
            if other is None:
                external = True
                continue
            self.deps |= 1 << other.bit
            if self._exports(other, name):
                found = self.module_attribute(target, name)
                if found:
                    return _stepped(found, q.IMPORT)
        if name in BUILTIN_NAMES:
            return {("e", f"<builtin>.{name}"): q.BUILTIN}
        if external and len(module.stars) == 1:
            return {("e", f"{module.stars[0]}.{name}"): q.STAR_EXTERNAL}
        return EMPTY

    def _exports(self, module: Module, name: str) -> bool:
        return name in module.public if module.public is not None else not name.startswith("_")

    def module_attribute(self, name: str, attribute: str) -> Values:
        """``attribute`` of a module of the tree: a binding, what a star import brought, or a submodule."""
        module = self.store.get(name)
        if module is not None:
            self.deps |= 1 << module.bit
            bindings = module.scopes[0].names.get(attribute)
            if bindings is not None:
                own = bindings[0][1] if len(bindings) == 1 else None
                if not (isinstance(own, list) and own[0] == Op.FROM and own[1] == name and own[2] == attribute):
                    found = self.solve(("n", module.number, 0, attribute))
                    if found:
                        return found
            elif module.stars:
                seen: set[str] = set()
                found = self._through_stars(module, attribute, seen)
                if found:
                    return found
        child = f"{name}.{attribute}"
        if child in self.store.file_ids or self.store.is_namespace(child):
            return {("m", child): q.IMPORT}
        return EMPTY

    def _through_stars(self, module: Module, attribute: str, seen: set[str]) -> Values:
        for star in reversed(module.stars):
            target = self.store.locate(module.name, star)
            other = self.store.get(target)
            if other is None or target in seen or len(seen) > 50:
                continue
            seen.add(target)
            self.deps |= 1 << other.bit
            if not self._exports(other, attribute):
                continue
            if attribute in other.scopes[0].names:
                return self.module_attribute(target, attribute)
            found = self._through_stars(other, attribute, seen)
            if found:
                return found
        return EMPTY

    # ---- bindings --------------------------------------------------------------------------------------------------

    def _binding(self, module: Module, scope: Scope, binding: Binding) -> Values:
        expression = binding[1]
        if expression == 0:
            return EMPTY
        index = binding[4] if len(binding) > 4 else scope.index
        if isinstance(expression, list):
            operator = expression[0]
            if operator == Op.DEF:
                return self._definition(module, expression[1])
            if operator == "p":
                return self._parameter(module, scope, expression[1])
            if operator == Op.MODULE:
                return self._module_value(module, expression[1])
            if operator == Op.FROM:
                return self._imported(module, expression[1], expression[2])
            if operator == Op.ALSO:
                expression = expression[1]
        return _stepped(self.eval(expression, module, index, binding[2], binding[3]), q.ASSIGNED)

    def _definition(self, module: Module, index: int) -> Values:
        scope = module.scopes[index]
        if scope.data.get("dec"):
            return self.solve(("D", module.number, index))
        kind = "c" if scope.kind == "c" else "f"
        return {(kind, module.number, index): q.LAMBDA if scope.kind == "l" else q.LOCAL}

    def _module_value(self, module: Module, name: str) -> Values:
        target = self.store.locate(module.name, name)
        if target in self.store.file_ids or self.store.is_namespace(target):
            return {("m", target): q.IMPORT}
        return {("e", name): q.IMPORT}

    def _imported(self, module: Module, name: str, attribute: str) -> Values:
        target = self.store.locate(module.name, name)
        if target in self.store.file_ids or self.store.is_namespace(target):
            found = self.module_attribute(target, attribute)
            return _stepped(found, q.IMPORT)
        return {("e", f"{name}.{attribute}"): q.IMPORT}

    def _decorated(self, module: Module, scope: Scope) -> Values:
        """What the name of a decorated definition holds, decorators applied from the inside out."""
        number, index = module.number, scope.index
        plain: Value = ("c" if scope.kind == "c" else "f", number, index)
        values: Values = {plain: q.LOCAL}
        for expression, _line in reversed(scope.data["dec"]):
            decorator = self.eval(expression, module, scope.parent, _FAR, 0) if expression != 0 else EMPTY
            name = _dotted(expression)
            tail = name.rpartition(".")[2]
            if (
                tail in ("setter", "deleter", "getter")
                or any(
                    value[0] == "e" and value[1] in ("<builtin>.property", "functools.cached_property")
                    for value in decorator
                )
                or tail in ("cached_property", "classproperty")
            ):
                values = {("P", number, index): q.LOCAL}
                continue
            if not decorator or tail in TRANSPARENT_DECORATORS:
                continue
            applied: Values = {}
            for value, step in decorator.items():
                if value[0] in "fb":
                    result = self._returned(value, [[Op.RAW, index]], module, scope.parent, _FAR, 0)
                    join(applied, {v: s for v, s in result.items() if v[0] in "fbco"}, max(step, q.RETURN))
                elif value[0] == "c":
                    join(applied, {("o", value[1], value[2]): q.RETURN}, step)
            if plain in applied:
                continue
            if applied:
                join(applied, {plain: q.DECORATED})
                values = applied
        return values

    def _parameter(self, module: Module, scope: Scope, position: int) -> Values:
        name, annotation, default = scope.params[position]
        parent = module.scopes[scope.parent] if scope.parent >= 0 else None
        if position == 0 and parent is not None and parent.kind == "c" and scope.kind == "f" and name[0] != "*":
            decorators = {name.rpartition(".")[2] for name in scope.decorator_names()}
            if "staticmethod" not in decorators:
                short = scope.qualname.rpartition(".")[2]
                is_class = "classmethod" in decorators or short in (
                    "__new__",
                    "__init_subclass__",
                    "__class_getitem__",
                )
                return {("c" if is_class else "o", module.number, parent.index): q.SELF}
        out: Values = {}
        bare = name.lstrip("*")
        if name.startswith("**"):
            out[("t", "dict")] = q.BUILTIN
        elif name.startswith("*"):
            out[("t", "tuple")] = q.BUILTIN
        else:
            if annotation != 0:
                join(out, self.instances(annotation, module, max(scope.parent, 0)), q.ANNOTATION)
            if default != 0:
                join(out, self.eval(default, module, max(scope.parent, 0), _FAR, 0), q.DEFAULT)
        if self.local == module.number:
            join(out, self.flows.get((scope.index, bare), EMPTY), q.ARGUMENT)
        return out

    def _instance_attribute(self, module: Module, scope: Scope, name: str) -> Values:
        bindings = scope.attributes[name]
        out: Values = {}
        count = sum(1 for binding in bindings if not _adds(binding) and binding[1] != 0)
        step = q.ATTRIBUTE if count <= 1 else q.MULTI
        for binding in bindings:
            join(out, self._binding(module, scope, binding), step)
        return out

    # ---- classes ---------------------------------------------------------------------------------------------------

    def _bases(self, module: Module, scope: Scope) -> Values:
        """One entry for each base expression: ``(position, value)``; the value is None where it is unknown."""
        out: Values = {}
        for position, (expression, _line) in enumerate(scope.data.get("bases", ())):
            if isinstance(expression, list) and expression[0] in (Op.GENERIC, Op.ITEM):
                expression = expression[1]
            values = self.eval(expression, module, scope.parent, _FAR, 0) if expression != 0 else EMPTY
            usable = sorted((v for v in values if v[0] in "ce"), key=lambda v: (values[v], repr(v)))
            if usable:
                for value in usable[:2]:
                    out[(position, value)] = values[value]
            else:
                out[(position, None)] = q.MULTI
        return out

    def bases(self, value: Value) -> list[tuple[int, Value | None, int]]:
        """Bases of a class: (position of the expression, class or external or None, quality)."""
        return [(key[0], key[1], step) for key, step in self.solve(("B", value[1], value[2])).items()]

    def mro(self, number: int, index: int) -> list[Value | None]:
        """The class itself, then its bases in the order of lookup; None stands for an unknown base."""
        return [key[0] for key in self.solve(("M", number, index))]

    def _mro(self, module: Module, scope: Scope) -> Values:
        own: Value = ("c", module.number, scope.index)
        chains: list[list[Value | None]] = []
        direct: list[Value | None] = []
        for _position, base, _step in self.bases(own):
            if base is None or base[0] == "e":
                chains.append([base])
            elif base != own:
                chains.append(self.mro(base[1], base[2]) or [base])
            else:
                continue
            direct.append(base)
        merged = _linearise(chains, direct)
        order: dict[Any, int] = {(own,): 0}
        for position, entry in enumerate(merged):
            order.setdefault((entry,), position + 1)
        return order

    def class_attribute(self, value: Value, name: str, instance: bool, skip_first: bool = False) -> Values:
        """``name`` looked up along the MRO of the class ``value``; functions come bound to it."""
        if skip_first:
            return self._along_mro(value, name, instance, True)
        return self.solve(("A", value[1], value[2], name, instance))

    def _along_mro(self, value: Value, name: str, instance: bool, skip_first: bool) -> Values:
        number, index = value[1], value[2]
        for position, entry in enumerate(self.mro(number, index)):
            if position == 0 and skip_first:
                continue
            if entry is None:
                return EMPTY
            if entry[0] == "e":
                if entry[1] in _PLAIN_BASES:
                    continue
                return {("e", f"{entry[1]}.{name}"): q.INHERITED_EXTERNAL}
            module = self.store.modules[entry[1]]
            self.deps |= 1 << module.bit
            scope = module.scopes[entry[2]]
            found: Values = {}
            if name in scope.names:
                for inner, step in self.solve(("n", entry[1], entry[2], name)).items():
                    if inner[0] == "f":
                        found[("b", inner[1], inner[2], number, index)] = step
                    elif inner[0] == "P" and instance:
                        join(found, self._property(inner, value), q.PROPERTY)
                    else:
                        found[inner] = step
            if (instance or not found) and name in scope.attributes:
                join(found, self.solve(("a", entry[1], entry[2], name)))
            if found:
                return found
            if name in scope.names and _is_definition(scope.names[name]):
                return EMPTY
        if name in _OBJECT_NAMES and not (name == "__init__" and not skip_first):
            return {("e", f"<builtin>.object.{name}"): q.BUILTIN}
        return EMPTY

    def _property(self, value: Value, holder: Value) -> Values:
        return self._returned(("b", value[1], value[2], holder[1], holder[2]), [], None, 0, _FAR, 0)

    def find_property(self, values: Values, name: str) -> list[Value]:
        """The property functions that reading ``name`` of these values runs."""
        found: list[Value] = []
        for value in values:
            if value[0] != "o":
                continue
            for entry in self.mro(value[1], value[2]):
                if entry is None or entry[0] == "e":
                    break
                if name in self.store.modules[entry[1]].scopes[entry[2]].names:
                    inner = self.solve(("n", entry[1], entry[2], name))
                    found.extend(v for v in inner if v[0] == "P")
                    break
        return found

    # ---- expressions -----------------------------------------------------------------------------------------------

    def eval(self, expression: Any, module: Module, index: int, order: int, block: int) -> Values:
        """The values of an expression used in scope ``index`` at ``order`` (``_FAR``: seen from outside)."""
        if expression == 0:
            return EMPTY
        if isinstance(expression, str):
            if "." not in expression:
                return self.lookup(expression, module, index, order, block)
            root, *rest = expression.split(".")
            values = self.lookup(root, module, index, order, block)
            for name in rest:
                if not values:
                    return EMPTY
                values = self.attribute(values, name)
            return values
        if self._nesting > _MAX_NESTING:
            return EMPTY
        self._nesting += 1
        try:
            return self._structured(expression, module, index, order, block)
        finally:
            self._nesting -= 1

    def _structured(self, expression: list[Any], module: Module, index: int, order: int, block: int) -> Values:
        operator = expression[0]
        if operator == Op.CALL:
            return self._call(expression[1], expression[2], module, index, order, block)
        if operator == Op.ATTR:
            return self.attribute(self.eval(expression[1], module, index, order, block), expression[2])
        if operator == Op.TYPE:
            return {("t", expression[1]): q.BUILTIN}
        if operator == Op.DEF:
            return self._definition(module, expression[1])
        if operator == Op.RAW:
            return {("c" if module.scopes[expression[1]].kind == "c" else "f", module.number, expression[1]): q.LOCAL}
        if operator in (Op.SEQ, Op.DICT):
            place = (module.number, expression[-1])
            self._containers[place] = (expression, index, order, block)
            return {("k", *place): q.LOCAL}
        if operator == Op.EITHER:
            out: Values = {}
            for part in expression[1]:
                join(out, self.eval(part, module, index, order, block), q.MULTI)
            return out
        if operator == Op.DECLARED:
            value = self.eval(expression[2], module, index, order, block)
            declared = self.instances(expression[1], module, index)
            if not declared or any(v[0] in "ofbck" for v in value):
                return value
            return _stepped(declared, q.ANNOTATION)
        inner = self.eval(expression[1], module, index, order, block) if len(expression) > 1 else EMPTY
        if operator == Op.ITER:
            return self.iterate(inner)
        if operator == Op.UNPACK:
            return self.item(inner, [Op.INT, expression[2]])
        if operator == Op.ITEM:
            return self.item(inner, expression[2])
        if operator == Op.ENTER:
            return self._enter(inner)
        if operator == Op.EXCEPT:
            return self._exception(inner)
        if operator in (Op.STAR, Op.STAR0):
            return inner
        if operator == Op.GENERIC:
            return inner
        return EMPTY

    def attribute(self, values: Values, name: str) -> Values:
        if TOP in values:
            return ANYTHING
        out: Values = {}
        for value, step in values.items():
            kind = value[0]
            if kind == "o":
                join(out, self.class_attribute(value, name, True), max(step, q.INSTANCE if step < q.SELF else step))
            elif kind == "m":
                join(out, self.module_attribute(value[1], name), max(step, q.MODULE))
            elif kind == "c":
                join(out, self.class_attribute(value, name, False), max(step, q.CLASS))
            elif kind == "s":
                join(out, self.class_attribute(value, name, True, skip_first=True), q.SUPER)
            elif kind in "ei":
                out[("e", f"{value[1]}.{name}")] = min(step, out.get(("e", f"{value[1]}.{name}"), _FAR))
            elif kind == "t":
                out[("e", f"<builtin>.{value[1]}.{name}")] = max(step, q.BUILTIN)
            elif kind in "khg":
                out[("x", value, name)] = max(step, q.CONTAINER)
        return out

    def _call(self, callee: Any, args: list[Any], module: Module, index: int, order: int, block: int) -> Values:
        if callee == "super":
            enclosing = _enclosing_class(module, index)
            return {("s", module.number, enclosing): q.SUPER} if enclosing >= 0 else EMPTY
        out: Values = {}
        for value, step in self.eval(callee, module, index, order, block).items():
            kind = value[0]
            if kind == "c":
                join(out, {("o", value[1], value[2]): step})
            elif kind in "fb":
                join(out, self._returned(value, args, module, index, order, block), max(step, q.RETURN))
            elif kind == "e":
                join(out, self._external(value[1], args, module, index, order, block), step)
            elif kind == "o":
                for method in self.class_attribute(value, "__call__", True):
                    if method[0] == "b":
                        join(out, self._returned(method, args, module, index, order, block), max(step, q.RETURN))
            elif kind == "x":
                join(out, self._container_method(value, args), max(step, q.CONTAINER))
            elif value == TOP:
                return ANYTHING
        return out

    def _returned(self, value: Value, args: list[Any], at: Module | None, index: int, order: int, block: int) -> Values:
        """What calling a function gives: its annotation, else its returns, with arguments and receiver put in."""
        module = self.store.modules[value[1]]
        self.deps |= 1 << module.bit
        scope = module.scopes[value[2]]
        holder = module.scopes[scope.parent] if scope.parent >= 0 else None
        is_method = holder is not None and holder.kind == "c"
        declared = scope.data.get("ra", 0)
        if declared != 0:
            if value[0] == "b" and is_method and _dotted(declared).rpartition(".")[2] == "Self":
                return {("o", value[3], value[4]): q.ANNOTATION}
            found = self.instances(declared, module, max(scope.parent, 0))
            if found:
                return _stepped(found, q.ANNOTATION)
        if scope.yields and not scope.returns:
            return {("g", module.number, scope.index): q.RETURN}
        out: Values = dict(self.solve(("r", module.number, scope.index)))
        names = [param[0] for param in scope.params]
        if names and any(isinstance(part, str) and part in names for part in scope.returns):
            first = 1 if is_method and value[0] == "b" else 0
            for part in scope.returns:
                if not isinstance(part, str) or part not in names:
                    continue
                position = names.index(part)
                if position == 0 and first and len(value) > 3:
                    own = [v for v in out if v[0] in "oc" and v[1:] == (module.number, scope.parent)]
                    for v in own:
                        step = out.pop(v)
                        out[(v[0], value[3], value[4])] = step
                elif at is not None:
                    argument = _argument(args, position - first, part)
                    if argument != 0:
                        join(out, self.eval(argument, at, index, order, block), q.RETURN)
        return out

    def _external(self, name: str, args: list[Any], module: Module, index: int, order: int, block: int) -> Values:
        if name in IDENTITY_CALLS:
            given = _argument(args, IDENTITY_CALLS[name], "")
            found = self.eval(given, module, index, order, block) if given != 0 else EMPTY
            instance = builtin_instance(name)
            return found if found or instance is None else {instance: q.BUILTIN}
        if name == "<builtin>.type" and len(args) == 1:
            values = self.eval(args[0], module, index, order, block)
            return {("c", v[1], v[2]): s for v, s in values.items() if v[0] == "o"}
        if name == "<builtin>.getattr" and len(args) >= 2 and isinstance(args[1], list) and args[1][0] == Op.STR:
            return _stepped(self.attribute(self.eval(args[0], module, index, order, block), args[1][1]), q.ATTRIBUTE)
        if name == "<builtin>.next" and args:
            return self.iterate(self.eval(args[0], module, index, order, block))
        if name in ("<builtin>.map", "functools.reduce") and args:
            out: Values = {}
            for value, step in self.eval(args[0], module, index, order, block).items():
                if value[0] in "fb":
                    join(out, self._returned(value, [], None, 0, _FAR, 0), max(step, q.RETURN))
                elif value[0] == "c":
                    join(out, {("o", value[1], value[2]): q.RETURN})
            return {("h", tuple(sorted(out, key=repr))): q.CONTAINER} if out and "map" in name else out
        instance = builtin_instance(name)
        if instance is not None:
            return {instance: q.BUILTIN}
        tail = name.rpartition(".")[2]
        if tail[:1].isupper() and not name.startswith("<builtin>"):
            return {("i", name): q.ASSIGNED}
        return EMPTY

    # ---- containers ------------------------------------------------------------------------------------------------

    def _elements(self, value: Value) -> list[tuple[Any, int]]:
        """(key, number) of each element of a container made in the tree; key None where the position is unknown."""
        expression, *_ = self._containers[(value[1], value[2])]
        if expression[0] == Op.DICT:
            return [
                (tuple(key) if isinstance(key, list) else key or None, number)
                for number, (key, _item) in enumerate(expression[1])
            ]
        found: list[tuple[Any, int]] = []
        known = expression[1] in ("list", "tuple")
        for position, item in enumerate(expression[2]):
            if isinstance(item, list) and item and item[0] in (Op.STAR, Op.STAR0):
                known = False
                found.append((None, position))
            else:
                found.append(((Op.INT, position) if known else None, position))
        return found

    def _element(self, value: Value, number: int) -> Values:
        return self.solve(("L", value[1], value[2], number))

    def _element_value(self, key: Key) -> Values:
        expression, index, order, block = self._containers[(key[1], key[2])]
        module = self.store.modules[key[1]]
        item = expression[1][key[3]][1] if expression[0] == Op.DICT else expression[2][key[3]]
        if isinstance(item, list) and item and item[0] == Op.STAR:
            return self.iterate(self.eval(item[1], module, index, order, block))
        return self.eval(item, module, index, order, block)

    def item(self, values: Values, key: Any) -> Values:
        if TOP in values:
            return ANYTHING
        out: Values = {}
        wanted = tuple(key) if isinstance(key, list) else None
        for value, step in values.items():
            kind = value[0]
            if kind == "k":
                elements = self._elements(value)
                exact = [(k, e) for k, e in elements if wanted is not None and k == wanted]
                chosen = exact or [(k, e) for k, e in elements if wanted is None or k is None or isinstance(k, str)]
                if not exact and wanted is not None and wanted[0] == Op.INT and self._is_sequence(value):
                    chosen = [(k, e) for k, e in elements if k is None]
                for element_key, element in chosen:
                    if element_key == (Op.STARSTAR,):
                        for inner in self._element(value, element):
                            if inner[0] in "kh":
                                join(out, self._everything(inner), max(step, q.CONTAINER))
                    else:
                        join(out, self._element(value, element), max(step, q.CONTAINER))
            elif kind == "h":
                join(out, dict.fromkeys(value[1], q.CONTAINER), step)
            elif kind == "P2":
                if wanted == (Op.INT, 1):
                    join(out, self._everything(value[1]), max(step, q.CONTAINER))
            elif kind == "o":
                for method in self.class_attribute(value, "__getitem__", True):
                    if method[0] == "b":
                        join(out, self._returned(method, [], None, 0, _FAR, 0), max(step, q.RETURN))
            elif kind == "c":
                out[value] = step
        return out

    def _is_sequence(self, value: Value) -> bool:
        return bool(self._containers[(value[1], value[2])][0][0] == Op.SEQ)

    def _everything(self, value: Value) -> Values:
        """All elements; a variable of its own, since containers can hold one another."""
        if value[0] == "h":
            return dict.fromkeys(value[1], q.CONTAINER)
        return self.solve(("E", value[1], value[2])) if value[0] == "k" else EMPTY

    def _contents(self, value: Value) -> Values:
        out: Values = {}
        for key, element in self._elements(value):
            found = self._element(value, element)
            if key == (Op.STARSTAR,):
                for inner in list(found):
                    join(out, self._everything(inner), q.CONTAINER)
            else:
                join(out, found, q.CONTAINER)
        return out

    def iterate(self, values: Values) -> Values:
        """What a loop over these values gives its target."""
        if TOP in values:
            return ANYTHING
        if self._nesting > _MAX_NESTING:
            return EMPTY
        self._nesting += 1
        try:
            return self._iterate(values)
        finally:
            self._nesting -= 1

    def _iterate(self, values: Values) -> Values:
        out: Values = {}
        for value, step in values.items():
            kind = value[0]
            if kind == "h" or (kind == "k" and self._is_sequence(value)):
                join(out, self._everything(value), max(step, q.CONTAINER))
            elif kind == "g":
                self.deps |= 1 << self.store.modules[value[1]].bit
                join(out, self.solve(("y", value[1], value[2])), max(step, q.RETURN))
            elif kind == "V":
                join(out, self._everything(value[1]), max(step, q.CONTAINER))
            elif kind == "I":
                out[("P2", value[1])] = max(step, q.CONTAINER)
            elif kind == "o":
                for method in self.class_attribute(value, "__iter__", True):
                    if method[0] == "b":
                        made = self._returned(method, [], None, 0, _FAR, 0)
                        join(out, self._advance(made, value), max(step, q.RETURN))
        return out

    def _advance(self, made: Values, holder: Value) -> Values:
        out: Values = {}
        for value, step in made.items():
            if value[0] == "o":
                for method in self.class_attribute(value, "__next__", True):
                    if method[0] == "b":
                        join(out, self._returned(method, [], None, 0, _FAR, 0), step)
            elif value != holder:
                join(out, self.iterate({value: step}))
        return out

    def _container_method(self, value: Value, args: list[Any]) -> Values:
        container, name = value[1], value[2]
        if container[0] == "g":
            return self.iterate({container: q.CONTAINER}) if name in ("__next__", "send") else EMPTY
        if name == "values":
            return {("V", container): q.CONTAINER}
        if name == "items":
            return {("I", container): q.CONTAINER}
        if name == "copy":
            return {container: q.CONTAINER}
        if name in ("get", "pop", "setdefault", "popleft", "popitem"):
            if args and isinstance(args[0], list) and args[0][0] in (Op.STR, Op.INT):
                return self.item({container: q.CONTAINER}, args[0])
            return self._everything(container)
        return EMPTY

    def _enter(self, values: Values) -> Values:
        out: Values = {}
        for value, step in values.items():
            if value[0] == "g":
                join(out, self.iterate({value: step}))
            elif value[0] == "o":
                for method in self.class_attribute(value, "__enter__", True):
                    if method[0] == "b":
                        join(out, self._returned(method, [], None, 0, _FAR, 0), max(step, q.CONTEXT))
            elif value[0] == "h":
                join(out, dict.fromkeys(value[1], q.CONTEXT), step)
            elif value[0] == "i":
                out[value] = step
        return out

    def _exception(self, values: Values) -> Values:
        out: Values = {}
        for value, step in values.items():
            if value[0] == "c":
                out[("o", value[1], value[2])] = step
            elif value[0] == "k":
                join(out, self._exception(self._everything(value)), q.CONTAINER)
            elif value[0] == "e":
                out[("i", value[1])] = step
        return out

    # ---- annotations -----------------------------------------------------------------------------------------------

    def instances(self, annotation: Any, module: Module, index: int) -> Values:
        """What a value declared with this annotation may be."""
        if annotation == 0 or self._nesting > _MAX_NESTING:
            return EMPTY
        self._nesting += 1
        try:
            if isinstance(annotation, str):
                return self._instances_of(self.eval(annotation, module, index, _FAR, 0))
            operator = annotation[0]
            out: Values = {}
            if operator == Op.EITHER:
                for part in annotation[1]:
                    join(out, self.instances(part, module, index), q.ANNOTATION)
                return out
            if operator != Op.GENERIC:
                return EMPTY
            base, args = annotation[1], annotation[2]
            name = _dotted(base).rpartition(".")[2]
            if name in UNION_TYPES:
                for part in args[:1] if name == "Annotated" else args:
                    join(out, self.instances(part, module, index), q.ANNOTATION)
                return out
            if name in ("Type", "type"):
                return self.eval(args[0], module, index, _FAR, 0) if args and isinstance(args[0], str) else EMPTY
            if name in CONTAINER_TYPES or name in MAPPING_TYPES:
                position = -1 if name in MAPPING_TYPES else 0
                content = self.instances(args[position], module, index) if args else EMPTY
                if content:
                    return {("h", tuple(sorted(content, key=repr))): q.ANNOTATION}
                return {("t", name.lower()): q.ANNOTATION}
            return self._instances_of(self.eval(base, module, index, _FAR, 0))
        finally:
            self._nesting -= 1

    def _instances_of(self, values: Values) -> Values:
        out: Values = {}
        for value, step in values.items():
            if value[0] == "c":
                out[("o", value[1], value[2])] = max(step, q.ANNOTATION)
            elif value[0] == "e":
                instance = builtin_instance(value[1])
                if instance is not None:
                    out[instance] = q.ANNOTATION
                elif value[1].rpartition(".")[2] not in _NO_TYPES and not value[1].startswith("<builtin>"):
                    out[("i", value[1])] = q.ANNOTATION
        return out


_PLAIN_BASES = frozenset(
    {"<builtin>.object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol"}
)
_OBJECT_NAMES = frozenset(dir(object))
_NO_TYPES = frozenset({"Any", "Callable", "TypeVar", "Self", "NoReturn", "Never", "object", "Hashable", "AnyStr"})


def _stepped(values: Values, step: int) -> Values:
    """The values, each at least as uncertain as ``step``; the same dict where nothing changes."""
    for quality in values.values():
        if quality < step:
            return {value: max(quality, step) for value, quality in values.items()}
    return values


def _adds(binding: Binding) -> bool:
    expression = binding[1]
    return isinstance(expression, list) and expression[0] == Op.ALSO


def _is_accessor(module: Module, binding: Binding) -> bool:
    """``@x.setter`` and its like: reading the name still runs the getter."""
    expression = binding[1]
    if not (isinstance(expression, list) and expression[0] == Op.DEF):
        return False
    return any(name.endswith((".setter", ".deleter")) for name in module.scopes[expression[1]].decorator_names())


def _is_definition(bindings: list[Binding]) -> bool:
    return any(isinstance(binding[1], list) and binding[1][0] == Op.DEF for binding in bindings)


def _dotted(expression: Any) -> str:
    """The dotted name of an expression or of what it calls or subscripts; "" where there is none."""
    if isinstance(expression, list) and expression[0] in (Op.CALL, Op.GENERIC, Op.ITEM):
        expression = expression[1]
    return expression if isinstance(expression, str) else ""


def _visible(module: Module, bindings: list[Binding], order: int, block: int) -> list[int]:
    """Bindings that a use at ``order`` in ``block`` can see; all of them where none comes before it."""
    kept: list[int] = []
    for position, binding in enumerate(bindings):
        if binding[2] < order:
            if not _adds(binding) and module.is_within(block, binding[3]):
                kept = [position]
            else:
                kept.append(position)
        elif module.share_loop(binding[3], block):
            kept.append(position)
    return kept or list(range(len(bindings)))


def _argument(args: list[Any], position: int, name: str) -> Any:
    """The expression passed for a parameter; 0 where none is, or where unpacking hides the positions."""
    place = 0
    for argument in args:
        if isinstance(argument, list) and argument and argument[0] in (Op.STAR, Op.STARSTAR):
            return 0
        if isinstance(argument, list) and argument and argument[0] == Op.KEYWORD:
            if argument[1] == name:
                return argument[2]
            continue
        if place == position:
            return argument
        place += 1
    return 0


def _enclosing_class(module: Module, index: int) -> int:
    current = index
    while current >= 0:
        scope = module.scopes[current]
        if scope.kind == "c":
            return current
        current = scope.parent
    return -1


def _linearise(chains: list[list[Value | None]], direct: list[Value | None]) -> list[Value | None]:
    """C3 (Barrett et al. 1996); where it has no solution, depth first with later duplicates kept."""
    work = [list(chain) for chain in chains] + [list(direct)]
    out: list[Value | None] = []
    while any(work):
        for chain in work:
            if not chain:
                continue
            head = chain[0]
            if head is None or not any(head in other[1:] for other in work):
                break
        else:
            rest = [entry for chain in work for entry in chain]
            return out + list(dict.fromkeys(entry for entry in rest if entry not in out))
        out.append(head)
        if head is None:
            chain.pop(0)
            continue
        for chain in work:
            if chain and chain[0] == head:
                chain.pop(0)
    return out
