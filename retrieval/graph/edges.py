"""The edges of one file, from its facts, the evaluator and what other files send to it."""

from __future__ import annotations

from retrieval.graph.contexts import Flows
from retrieval.graph.flow_sinks import Sent
from retrieval.graph.flows import FlowReader
from retrieval.graph.infer import Evaluator
from retrieval.graph.modules import Module
from retrieval.graph.registries import subscribed
from retrieval.graph.rows import Row
from retrieval.graph.uses import UseWriter
from retrieval.graph.values import EMPTY, Values

_MAX_FLOW_ROUNDS = 4


def edges_of(module: Module, evaluator: Evaluator, given: Flows, calls_only: bool = False) -> tuple[list[Row], Sent]:
    """Every edge whose proving line is in ``module``, in source order, and what the file sends to others.

    Sets ``evaluator.deps`` to what was read.

    Args:
        given: What other files send to this one.
        calls_only: Calls and inheritance are all that is wanted.
    """
    flows = given
    evaluator.enter(module, flows)
    deps = evaluator.deps
    try:
        callees = Callees(module, evaluator)
        changed = -1
        resolved = callees.resolve(changed)
        reader = FlowReader(module, evaluator, given)
        for _ in range(_MAX_FLOW_ROUNDS):
            new = reader.read(resolved, changed)
            deps |= evaluator.deps
            if new == flows or not (_seen_inside(new, module) or _seen_inside(flows, module)):
                break
            flows = new
            changed = evaluator.reenter(module, flows)
            resolved = callees.resolve(changed)
        writer = UseWriter(module, evaluator, calls_only)
        writer.write(resolved)
        sent = {**reader.sent}
        for slot, handed in subscribed(module, evaluator).items():
            sent[slot] = {**sent.get(slot, {}), **handed}
        evaluator.deps = (evaluator.deps | deps) & evaluator.module_mask
        return writer.rows(), sent
    finally:
        evaluator.leave(module)


def _seen_inside(flows: Flows, module: Module) -> bool:
    """Whether any of it can change what the file's own variables are."""
    return bool(flows.items) or any(key[0] == module.number or key[2][0] == "@" for key in flows.params)


class Callees:
    """The values of every callee of a file, and which flows they rest on."""

    def __init__(self, module: Module, evaluator: Evaluator) -> None:
        self._module = module
        self._evaluator = evaluator
        self._found: list[tuple[Values, int]] = [(EMPTY, -1)] * len(module.calls)

    def resolve(self, changed: int) -> list[Values]:
        """Evaluates those that rest on ``changed`` flows; calls of one name in one scope share a result where order
        cannot matter."""
        module, evaluator, found = self._module, self._evaluator, self._found
        shared: dict[tuple[str, int], tuple[Values, int]] = {}
        total = evaluator.deps
        for position, (line, index, block, callee, _args) in enumerate(module.calls):
            if not found[position][1] & changed:
                continue
            one = None
            if isinstance(callee, str):
                one = shared.get((callee, index))
            if one is None:
                evaluator.deps = 0
                values = evaluator.eval(callee, module, index, line * 2, block)
                one = (values, evaluator.deps)
                total |= evaluator.deps
                if isinstance(callee, str) and (len(module.scopes[index].names.get(callee.partition(".")[0], ())) < 2):
                    shared[(callee, index)] = one
            found[position] = one
        evaluator.deps = total
        return [values for values, _deps in found]
