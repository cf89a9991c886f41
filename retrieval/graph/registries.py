"""What a file has from others without being handed it: elements of their containers, arguments of methods it overrides.

Both are slots of its own to which those of the others are handed on (see ``sent``).
"""

from __future__ import annotations

from retrieval.graph import quality as q
from retrieval.graph.flow_sinks import Sent, SlotName
from retrieval.graph.infer import Evaluator
from retrieval.graph.modules import Module, Scope
from retrieval.graph.values import Value, enclosing_class


def subscribed(module: Module, evaluator: Evaluator) -> Sent:
    """The slots of ``module`` that those of other files are handed on to."""
    out: Sent = {}
    for value in sorted(evaluator.containers_read[module.number]):
        slot = evaluator.container_slot(value)
        out[(module.name, module.scopes[0].qualname, f"[{'|'.join(slot)}")] = {("p", *slot): q.CONTAINER}
    for scope in module.scopes:
        if scope.kind == "f" and scope.params and scope.parent > 0 and module.scopes[scope.parent].kind == "c":
            out.update(_overriding(module, evaluator, scope))
    return out


def _overriding(module: Module, evaluator: Evaluator, scope: Scope) -> Sent:
    """Whatever is passed to a method that does nothing but ask to be overridden arrives in those that override it."""
    out: Sent = {}
    for entry in evaluator.mro(module.number, scope.parent)[1:]:
        if entry is None or entry[0] != "c":
            continue
        other = evaluator.store.modules[entry[1]]
        for base in _methods(other, entry, scope.short):
            if other is not module and base.is_abstract:
                shared = {param[0] for param in base.params[1:]} & {param[0] for param in scope.params[1:]}
                for name in sorted(name for name in shared if name[0] != "*"):
                    handed = ("p", other.name, base.qualname, name)
                    out.setdefault((module.name, scope.qualname, name), {})[handed] = q.ARGUMENT
    return out


def _methods(module: Module, holder: Value, name: str) -> list[Scope]:
    bound = module.scopes[holder[2]].names.get(name, ())
    found = [module.scopes[binding[1][1]] for binding in bound if isinstance(binding[1], list) and binding[1][0] == "d"]
    return [scope for scope in found if scope.params and enclosing_class(module, scope.index) == holder[2]]


def named_slot(name: str, module: Module, qualname: str) -> SlotName:
    """The slot that a container's slot of ``module`` stands for: its own, or one of another file."""
    parts = name[1:].split("|")
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 else (module.name, qualname, name)
