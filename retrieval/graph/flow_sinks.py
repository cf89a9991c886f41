"""Where the flows of one file are written down while its places are read."""

from __future__ import annotations

from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.contexts import Flows
from retrieval.graph.infer import Evaluator
from retrieval.graph.modules import Module, Scope
from retrieval.graph.values import Value, Values, join

#: A value by names: (kind, module or dotted name, qualified name…).
Named = tuple[str, ...]
#: (module, scope's qualified name, parameter) to what is sent there; ``@name`` stands for an attribute in place of a
#: parameter, ``[number`` for a container that the scope makes.
SlotName = tuple[str, str, str]
Sent = dict[SlotName, dict[Named, int]]
#: Into which table, under which key, what.
Logged = tuple[int, Any, Any]

#: Kinds of values worth following into a parameter of this file, and of another.
_FOLLOWED = frozenset("fbcokeighaqwmF'#")
_SENT = frozenset("fbcoei")
#: Those that others see in a container of any file: what a registry holds.
_STORED = frozenset("fbc")
_PARAMS, _ITEMS, _SENT_TO = range(3)


class FlowSink:
    """What the place that is being read puts where, as a log of its own."""

    def __init__(self, module: Module, evaluator: Evaluator) -> None:
        self.module = module
        self.evaluator = evaluator
        self._log: list[Logged] = []

    def _store(self, holder: Value, key: Value | None, values: Values) -> None:
        kept = {v: max(step, q.CONTAINER) for v, step in values.items() if v[0] in _FOLLOWED and v != holder}
        if kept:
            self._log.append((_ITEMS, (holder, key), kept))
            if holder[0] == "k":
                mark = ("[", "", "") if key is None else ("[", key[0], str(key[1]))
                named = {(*mark, *self._named(v)): s for v, s in kept.items() if v[0] in _STORED}
                if named:
                    self._log.append((_SENT_TO, self.evaluator.container_slot(holder), named))

    def _into(self, module: Module, scope: Scope, name: str, values: Values) -> None:
        step = q.ATTRIBUTE if name[0] == "@" else q.ARGUMENT
        kept = {v: max(s, step) for v, s in values.items() if v[0] in _FOLLOWED}
        if not kept:
            return
        self._log.append((_PARAMS, (module.number, scope.index, name), kept))
        if module is self.module and not scope.is_abstract:
            return
        named = {self._named(v): s for v, s in kept.items() if v[0] in _SENT}
        if named:
            self._log.append((_SENT_TO, (module.name, scope.qualname, name), named))

    def _forward(self, into: SlotName, root: str, index: int) -> None:
        """A parameter handed on as it is: whatever reaches it from other files goes on, too."""
        current = index
        while current >= 0:
            source = self.module.scopes[current]
            if root in source.names:
                if len(source.names[root]) == 1 and any(param[0] == root for param in source.params):
                    handed: dict[Named, int] = {("p", self.module.name, source.qualname, root): q.ARGUMENT}
                    self._log.append((_SENT_TO, into, handed))
                return
            current = source.parent

    def _named(self, value: Value) -> Named:
        """A value by names, which stay the same when files are read anew."""
        kind = value[0]
        if kind in "ei":
            return (kind, value[1])
        modules = self.evaluator.store.modules
        out: Named = (kind, modules[value[1]].name, modules[value[1]].scopes[value[2]].qualname)
        if kind == "b":
            out = (*out, modules[value[3]].name, modules[value[3]].scopes[value[4]].qualname)
        return out


def collected(logs: list[list[Logged]], given: Flows) -> tuple[Flows, Sent]:
    """What all places put and other files gave, and what goes to other files."""
    params = {key: dict(values) for key, values in given.params.items()}
    items = {key: {name: dict(values) for name, values in inner.items()} for key, inner in given.items.items()}
    sent: Sent = {}
    for log in logs:
        for into, key, values in log:
            if into == _PARAMS:
                join(params.setdefault(key, {}), values)
            elif into == _ITEMS:
                join(items.setdefault(key[0], {}).setdefault(key[1], {}), values)
            else:
                join(sent.setdefault(key, {}), values)
    return Flows(params, items), sent
