"""What other files send to one, as flows; what cannot change an edge of it is left out, so that it need not be resolved
again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.contexts import Flows
from retrieval.graph.flow_sinks import Named, SlotName
from retrieval.graph.infer import Evaluator
from retrieval.graph.modules import Module, Scope
from retrieval.graph.registries import named_slot
from retrieval.graph.values import Value, Values, join

Received = dict[tuple[str, str], dict[Named, int]]


def given_flows(module: Module, evaluator: Evaluator, received: Mapping[tuple[str, str], dict[Named, int]]) -> Flows:
    """Flows of what other files send to this one. Sets ``evaluator.deps`` to the modules that decided it.

    Args:
        received: (scope's qualified name, parameter) to the values sent there.
    """
    flows = Flows()
    evaluator.deps = 0
    used: dict[int, list[str]] = {}
    for (qualname, name), sent in sorted(received.items()):
        scope = module.scope_named(qualname)
        if scope is None:
            continue
        if name[0] == "[":
            _fill(flows, evaluator, named_slot(name, module, qualname), sent)
            continue
        plain = {named: step for named, step in sent.items() if named[0] != "["}
        values = {value: step for named, step in plain.items() if (value := _valued(evaluator, named)) is not None}
        if name[0] != "@":
            if scope.index not in used:
                used[scope.index] = _names_used(module, scope)
            values = _useful(module, evaluator, scope, name, values, used[scope.index])
        if values:
            flows.params[(module.number, scope.index, name)] = values
    return flows


def _fill(flows: Flows, evaluator: Evaluator, slot: SlotName, sent: Mapping[Named, int]) -> None:
    """What other files store in a container."""
    owner = evaluator.store.get(slot[0])
    scope = owner.scope_named(slot[1]) if owner is not None else None
    if owner is None or scope is None:
        return
    evaluator.deps |= 1 << owner.bit
    holder: Value = ("k", owner.number, scope.index << 20 | int(slot[2][1:]))
    for named, step in sorted(sent.items()):
        mark, rest = (named[1:3], named[3:]) if named[0] == "[" else (("", ""), named)
        key: Value | None = (mark[0], int(mark[1]) if mark[0] == "#" else mark[1]) if mark[0] else None
        value = _valued(evaluator, rest) if rest[0] in "fbc" else None
        if value is not None:
            join(flows.items.setdefault(holder, {}).setdefault(key, {}), {value: max(step, q.CONTAINER)})


def _useful(module: Module, evaluator: Evaluator, scope: Scope, name: str, values: Values, used: list[str]) -> Values:
    """Those of the values that can decide what the scope calls."""
    if not any(chain == name or chain.startswith(f"{name}.") for chain in used):
        return {}
    parent = module.scopes[scope.parent] if scope.parent >= 0 else None
    if parent is None or parent.kind != "c" or not scope.params or scope.params[0][0] != name or name in used:
        return values
    attributes = sorted({chain.split(".")[1] for chain in used if chain.startswith(f"{name}.")})
    own: Value = ("o", module.number, parent.index)
    return {
        value: step
        for value, step in values.items()
        if value[0] not in "oc" or any(_differs(evaluator, own, value, attribute) for attribute in attributes)
    }


def _differs(evaluator: Evaluator, own: Value, value: Value, name: str) -> bool:
    """Whether an instance of the subclass has another ``name`` than an instance of the class itself."""
    ours = evaluator.class_attribute((value[0], *own[1:]), name, value[0] == "o")
    theirs = evaluator.class_attribute(value, name, value[0] == "o")
    return {v[:3] for v in ours} != {v[:3] for v in theirs}


def _names_used(module: Module, scope: Scope) -> list[str]:
    """Dotted names in the places of a scope, and of those inside it, where a value can decide what is called."""
    inside = {scope.index}
    found: set[str] = set()
    for other in module.scopes[scope.index :]:
        if other.parent in inside or other is scope:
            inside.add(other.index)
            data = other.data
            for binding in data.get("b", ()):
                _chains(binding[1], found)
            for binding in data.get("ia", ()):
                _chains(binding[1], found)
            _chains(data.get("r", 0), found)
            _chains(data.get("y", 0), found)
    parent = module.scopes[scope.parent] if scope.parent >= 0 else None
    for binding in parent.data.get("ia", ()) if parent is not None else ():
        if binding[4] in inside:
            _chains(binding[1], found)
    for part in ("C", "O", "T", "W", "R"):
        for entry in module.raw.get(part, ()):
            if entry[1] in inside:
                _chains(entry[3:], found)
    return sorted(found)


def _chains(value: Any, into: set[str]) -> None:
    if isinstance(value, str):
        into.add(value)
    elif isinstance(value, list):
        for item in value:
            _chains(item, into)


def _valued(evaluator: Evaluator, named: Named) -> Value | None:
    kind = named[0]
    if kind in "ei":
        return (kind, named[1])
    out: Value = (kind,)
    for module_name, qualname in zip(named[1::2], named[2::2], strict=True):
        module = evaluator.store.get(module_name)
        scope = module.scope_named(qualname) if module is not None else None
        if module is None or scope is None:
            return None
        evaluator.deps |= 1 << module.bit
        out = (*out, module.number, scope.index)
    return out
