"""What may stand between a request and its server: it re-encodes the request and takes the reply's calls of tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from agent.answer.recovery import ToolCalls
    from retrieval.context_ir.metrics import IrMetrics


class RequestStage(Protocol):
    """``calls`` gathers what the current reply asks for; ``metrics`` tells what context IR did, None without it."""

    calls: ToolCalls
    metrics: IrMetrics | None

    def encode(self, plain: dict[str, Any]) -> dict[str, Any]:
        """The request as it is to be sent."""
        ...

    def following(self, options: Mapping[str, Any]) -> dict[str, Any] | None:
        """The request that answers the reply's calls; None when the reply is the last one of this stream."""
        ...

    def without_tools(self, error: Exception, options: Mapping[str, Any]) -> dict[str, Any] | None:
        """The request for a server that just said that it takes no tools; None when it said something else."""
        ...
