"""The edges of one file, from its facts, the evaluator and what other files send to it."""

from __future__ import annotations

from retrieval.graph.flows import FlowReader, Sent
from retrieval.graph.infer import Evaluator
from retrieval.graph.modules import Module
from retrieval.graph.rows import Row
from retrieval.graph.solver import Flows
from retrieval.graph.uses import UseWriter
from retrieval.graph.values import Values

_MAX_FLOW_ROUNDS = 4


def edges_of(module: Module, evaluator: Evaluator, given: Flows) -> tuple[list[Row], Sent]:
    """Every edge whose proving line is in ``module``, in source order, and what the file sends to others.

    Sets ``evaluator.deps`` to what was read.

    Args:
        given: What other files send to this one.
    """
    flows = given
    evaluator.enter(module, flows)
    deps = evaluator.deps
    try:
        resolved = _resolve_calls(module, evaluator)
        for _ in range(_MAX_FLOW_ROUNDS):
            reader = FlowReader(module, evaluator, given)
            new = reader.read(resolved)
            deps |= evaluator.deps
            if new == flows or not (_seen_inside(new, module) or _seen_inside(flows, module)):
                break
            flows = new
            evaluator.enter(module, flows)
            resolved = _resolve_calls(module, evaluator)
        writer = UseWriter(module, evaluator)
        writer.write(resolved)
        evaluator.deps |= deps
        return list(writer.rows), reader.sent
    finally:
        evaluator.leave()


def _seen_inside(flows: Flows, module: Module) -> bool:
    """Whether any of it can change what the file's own variables are."""
    return bool(flows.items) or any(key[0] == module.number or key[2][0] == "@" for key in flows.params)


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
