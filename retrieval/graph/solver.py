"""Solves variables that depend on one another to their least fixpoint. See ``infer`` for the method."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import Any

from retrieval.graph.contexts import NO_FLOWS, NOWHERE, Context, Flows, TooDeep
from retrieval.graph.modules import Module
from retrieval.graph.store import ModuleStore
from retrieval.graph.values import EMPTY, FAR, Key, Place, Value, Values, bounded

#: Variables solved inside one another, and expressions followed inside one another on the way, before what lies deeper
#: is solved first (``TooDeep``): what Python's stack holds.
_MAX_CHAIN = 250
_MAX_FOLLOWED = 1_500
_MAX_ROUNDS = 30

#: Bits of a mask that say which flows were looked at: parameters by scope, attributes by name, containers. Several
#: share one, which costs a computation too many and never one too few.
_SCOPE_BITS = 512
_NAME_BITS = 256
_CONTAINER_BITS = 256


class Solver:
    """Solves variables over a ``ModuleStore``.

    Attributes:
        local: Number of the module whose edges are being made, while its own variables are solved with what flows into
            it (``flows``); -1 while solving what other files see, which is the same where nothing flows.
        home: Number of the module whose variable is being solved.
        stored: The ``@name`` of attributes that something is stored in from outside.
        context: The call whose result is being computed.
        deps: Mask of the modules read since it was last cleared; above those, of the flows of ``home`` that decide, so
            that what rests on none that changed is kept when a file's flows do (``reenter``).
    """

    def __init__(self, store: ModuleStore) -> None:
        self.store = store
        self.local = -1
        self.home = -1
        self.flows = NO_FLOWS
        self.stored: set[str] = set()
        self.context: Context | None = None
        self._contexts: list[Context] = []
        self._context_numbers: dict[Key, int] = {}
        self.deps = 0
        self._memo: defaultdict[int, dict[Key, tuple[Values, int]]] = defaultdict(dict)
        self._local_memo: dict[Key, tuple[Values, int]] = {}
        self._approx: dict[Key, Values] = {}
        self._stack: dict[Key, int] = {}
        self._unfinished: dict[Key, tuple[int, int]] = {}
        self._pending: frozenset[Key] = frozenset()
        self._changes = 0
        self._low = FAR
        self._containers: dict[tuple[int, int], tuple[Any, int, int, int]] = {}
        self._nesting = 0
        self._followed = 0
        self._flow_base = max(store.bits.values(), default=0) + 1
        #: The bits of ``deps`` that stand for modules, and those that stand for flows.
        self.module_mask = (1 << self._flow_base) - 1
        self._flow_mask = ((1 << (_SCOPE_BITS + _NAME_BITS + _CONTAINER_BITS)) - 1) << self._flow_base
        self._present = 0
        self._name_bits: dict[str, int] = {}

    def enter(self, module: Module, flows: Flows) -> None:
        """Starts the resolution of one file's own edges."""
        self.home = module.number
        self._local_memo = {}
        self._set_flows(module, flows)

    def reenter(self, module: Module, flows: Flows) -> int:
        """Goes on with other flows; what rests on none that changed still holds. Returns the bits of those."""
        changed = self._changed(self.flows, flows)
        self._local_memo = {key: kept for key, kept in self._local_memo.items() if not kept[1] & changed}
        self._set_flows(module, flows)
        return changed

    def _set_flows(self, module: Module, flows: Flows) -> None:
        self.flows = flows
        self.stored = {key[2] for key in flows.params if key[2][0] == "@"}
        self.local = module.number if flows.params or flows.items else -1
        self._present = self._changed(NO_FLOWS, flows)
        self._approx.clear()
        self._unfinished.clear()
        self.deps = 1 << module.bit

    def _changed(self, old: Flows, new: Flows) -> int:
        bits = 0
        for key in old.params.keys() | new.params.keys():
            if old.params.get(key) != new.params.get(key):
                if key[2][0] == "@":
                    bits |= self._name_bit(key[2][1:])
                elif key[0] == self.home:
                    bits |= self._scope_bit(key[1])
        for holder in old.items.keys() | new.items.keys():
            if old.items.get(holder) != new.items.get(holder):
                bits |= self._container_bit(holder)
        return bits

    def _scope_bit(self, scope: int) -> int:
        return 1 << (self._flow_base + scope % _SCOPE_BITS)

    def _name_bit(self, name: str) -> int:
        bit = self._name_bits.get(name)
        if bit is None:
            bit = self._name_bits[name] = 1 << (self._flow_base + _SCOPE_BITS + hash(name) % _NAME_BITS)
        return bit

    def _container_bit(self, value: Value) -> int:
        return 1 << (self._flow_base + _SCOPE_BITS + _NAME_BITS + hash(value) % _CONTAINER_BITS)

    def leave(self, module: Module) -> None:
        """Ends it. What other files hardly ever read is not kept."""
        if module.role == "test":
            self._memo.pop(module.number, None)
        self.local = self.home = -1
        self.flows = NO_FLOWS
        self._present = 0
        self._local_memo = {}

    def solve(self, key: Key) -> Values:
        number, home = key[1], self.home
        is_local = number == self.local
        if is_local:
            kept = self._local_memo.get(key)
            if kept is None:
                kept = self._memo[number].get(key)
                if kept is not None:
                    if kept[1] & self._present:
                        kept = None
                    else:
                        self._local_memo[key] = kept
        else:
            kept = self._memo[number].get(key)
        if kept is not None:
            self.deps |= kept[1] if number == home else kept[1] & self.module_mask
            return kept[0]
        find = self._solve if self._stack else self._solve_from_outside
        if is_local:
            return find((*key, "local"))
        if number == home:
            return find(key)
        local = self.local
        self.home, self.local = number, -1
        before, self.deps = self.deps, 0
        try:
            return find(key)
        finally:
            self.home, self.local = home, local
            self.deps = before | (self.deps & self.module_mask)

    def _solve_from_outside(self, key: Key) -> Values:
        """``_solve`` with an empty stack; what lies too deep for one stack is solved on one of its own before.

        A circle that no stack holds is cut where it was entered.
        """
        wanted = [key]
        home, local, context, deps, nesting = self.home, self.local, self.context, self.deps, self._nesting
        try:
            while True:
                self.context, self._nesting, self._followed, self._low = None, 0, 0, FAR
                self.home, self.deps = wanted[-1][1], deps
                self.local = self.home if wanted[-1][-1] == "local" else -1
                self._pending = frozenset(wanted[:-1])
                try:
                    value = self._solve(wanted[-1])
                except TooDeep as deep:
                    self._stack.clear()
                    self._approx.clear()
                    self._unfinished.clear()
                    wanted.append(deep.key)
                    continue
                wanted.pop()
                if not wanted:
                    return value
        finally:
            self.home, self.local, self.context, self._nesting = home, local, context, nesting
            self._pending = frozenset()

    def _keep(self, key: Key, value: Values, deps: int) -> None:
        if key[-1] == "local":
            self._local_memo[key[:-1]] = (value, deps)
        else:
            self._memo[key[1]][key] = (value, deps)

    def _solve(self, key: Key) -> Values:
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
        if key in self._pending:
            self.deps |= self._flow_mask
            return EMPTY
        position = len(stack)
        if position > _MAX_CHAIN or self._followed > _MAX_FOLLOWED:
            raise TooDeep(key)
        stack[key] = position
        outer_low, outer_deps, outer_context, outer_nesting = self._low, self.deps, self.context, self._nesting
        self._followed += outer_nesting
        n_unfinished = len(self._unfinished)
        own = 1 << self.store.modules[key[1]].bit
        rounds = 0
        while True:
            rounds += 1
            before = self._changes
            self._low, self.deps = FAR, own
            self.context, self._nesting = None, 0
            value = self._compute(key)
            if key[0] not in "MB":
                value = bounded(value)
            if self._low > position:
                self._keep(key, value, self.deps)
                break
            if value != approx.get(key, EMPTY):
                approx[key] = value
                self._changes += 1
            if self._low < position:
                self._unfinished[key] = (self._low, self.deps)
                outer_low = min(outer_low, self._low)
                break
            members = list(islice(reversed(self._unfinished), len(self._unfinished) - n_unfinished))
            if self._changes == before or rounds >= _MAX_ROUNDS:
                self._finish(key, members)
                break
            for member in members:
                del self._unfinished[member]
        del stack[key]
        self._low, self.context, self._nesting = outer_low, outer_context, outer_nesting
        self._followed -= outer_nesting
        self.deps |= outer_deps
        return value

    def in_context(self, place: tuple[int, int], arguments: dict[str, Values]) -> Context:
        """The context of a call, met in the one whose result is being computed."""
        depth = 1 if self.context is None else self.context.depth + 1
        held = tuple(sorted((name, tuple(sorted(values.items(), key=repr))) for name, values in arguments.items()))
        number = self._context_numbers.setdefault((*place, depth, held), len(self._contexts))
        if number == len(self._contexts):
            self._contexts.append(Context(number, place, arguments, depth))
        return self._contexts[number]

    def _finish(self, head: Key, members: list[Key]) -> None:
        """A cycle is stable: all its members have their final values, and what one read, all have."""
        if any(member[1] != head[1] for member in members):
            self.deps |= self._flow_mask  # which flows each member looked at was lost between the files
        for member in (*members, head):
            value = self._approx.pop(member, EMPTY)
            self._unfinished.pop(member, None)
            self._keep(member, value, self.deps)

    # What the parts that build on this one provide.
    def _compute(self, key: Key) -> Values:
        raise NotImplementedError

    def eval(self, expression: Any, module: Module, index: int, order: int, block: int) -> Values:
        """The values of an expression used in scope ``index`` at ``order`` (``FAR``: seen from outside)."""
        raise NotImplementedError

    def class_attribute(self, value: Value, name: str, instance: bool) -> Values:
        raise NotImplementedError

    def iterate(self, values: Values) -> Values:
        raise NotImplementedError

    def _everything(self, value: Value) -> Values:
        raise NotImplementedError

    def operator_methods(self, method: str, operand: Values, other: Values) -> Values:
        raise NotImplementedError

    def attribute(self, values: Values, name: str) -> Values:
        raise NotImplementedError

    def instances(self, annotation: Any, module: Module, index: int) -> Values:
        raise NotImplementedError

    def _returned(self, value: Value, args: list[Any], at: Module | None, place: Place) -> Values:
        raise NotImplementedError

    def result(self, values: Values, step: int) -> Values:
        """What calling the bound methods among ``values`` gives, without regard to arguments."""
        out: Values = {}
        for method, quality in values.items():
            if method[0] == "b":
                for value, inner in self._returned(method, [], None, NOWHERE).items():
                    worst = max(step, quality, inner)
                    if out.get(value, FAR) > worst:
                        out[value] = worst
        return out
