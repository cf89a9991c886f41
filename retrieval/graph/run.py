"""One resolve: first every file by itself, then again those that others send something to."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from retrieval.graph.contexts import NO_FLOWS, Flows
from retrieval.graph.delivery import Delivery
from retrieval.graph.edges import edges_of
from retrieval.graph.flow_sinks import Sent
from retrieval.graph.given import Received, given_flows
from retrieval.graph.infer import Evaluator
from retrieval.graph.parallel import MIN_MODULES, Resolved, resolve_all
from retrieval.graph.rows import Row
from retrieval.graph.store import ModuleStore

#: What this process resolves the second time, beside what another does: it writes edges meanwhile.
_OWN_SHARE = 0.75
#: Python frames that the evaluator may nest: expressions inside variables inside expressions.
_STACK = 20_000


@contextmanager
def deep_stack() -> Iterator[None]:
    """What every resolve needs of the interpreter: a deep stack, and no garbage collector."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _STACK))
    collecting = gc.isenabled()
    gc.disable()  # millions of small live objects: each collection would walk them all and free nothing
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()


class Run:
    """
    Attributes:
        given: What the files that received anything are given, and what deciding so read.
        deps: Mask of what the edges of a module rest on.
        delivery: All that is sent, after ``everything``.
    """

    def __init__(
        self, store: ModuleStore, senders: Mapping[str, int], least: int = MIN_MODULES, calls_only: bool = False
    ) -> None:
        """
        Args:
            senders: A number for each module, to tell senders apart.
            least: Modules from which several cores are worth it.
            calls_only: Calls and inheritance are all that is wanted.
        """
        self.store = store
        self.senders = senders
        self._least = least
        self._calls_only = calls_only
        self.evaluator = Evaluator(store)
        self.given: dict[str, tuple[Flows, int]] = {}
        self.deps: dict[str, int] = {}
        self.delivery = Delivery(())

    def work(self, name: str) -> tuple[list[Row], Sent, int] | None:
        """Edges of one module, what it sends, and the mask of what it read. Reads memory alone in a full resolve."""
        module = self.store.get(name)
        if module is None:
            return None
        given, deps = self.given.get(name, (NO_FLOWS, 0))
        rows, sent = edges_of(module, self.evaluator, given, self._calls_only)
        return rows, sent, self.evaluator.deps | deps

    def everything(self, todo: list[str], progress: Callable[[int, int], None] | None = None) -> Iterator[Resolved]:
        """What each module ends in, in the order of ``todo``; all of them must be in the store."""
        first: dict[str, Resolved] = {}
        for done, resolved in enumerate(resolve_all(todo, self.work, self.store.weight, self._least)):
            first[resolved[0]] = resolved
            self.deps[resolved[0]] = resolved[3]
            if progress is not None:
                progress(done + 1, len(todo))
        self.delivery = Delivery((self.senders[name], resolved[2]) for name, resolved in first.items())
        self.receive(self.delivery.receivers(), self.delivery.received)
        again = [name for name in todo if self.is_given(name)]
        for name in again:
            first.pop(name, None)
        # While this process and whoever takes what it yields are at the first of them, others are at the last.
        resolving = resolve_all(again, self.work, self.store.weight, self._least, own=_OWN_SHARE)
        following = next(resolving, None)
        for name in todo:
            if name in first:
                yield first.pop(name)
            elif following is not None and following[0] == name:
                yield following
                following = next(resolving, None)

    def is_given(self, name: str) -> bool:
        flows = self.given.get(name, (NO_FLOWS, 0))[0]
        return bool(flows.params or flows.items)

    def receive(self, names: Iterable[str], received: Callable[[str, int], Received]) -> None:
        """What these modules are given, and what deciding so read."""
        for name in names:
            module = self.store.get(name)
            if module is not None:
                flows = given_flows(module, self.evaluator, received(name, self.senders[name]))
                deps = self.evaluator.deps & self.evaluator.module_mask
                self.given[name] = (flows, deps)
                self.deps[name] = self.deps.get(name, 0) | deps
