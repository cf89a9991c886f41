"""How far one turn of the loop may go, and the meter that says when it has gone that far."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from retrieval.errors import UserError

_PER = 1_000_000  # prices are per million tokens


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one turn. A limit of 0 is none, but for steps and calls.

    Attributes:
        steps: Replies of the model; the last one may call nothing and has to answer.
        calls: Tool calls.
        tokens: Tokens read and written over all requests (as the server reports them, else estimated).
        seconds: Wall-clock time.
        cost: In the currency of ``input_price`` and ``output_price``, which are per million tokens.
        reply_tokens: Longest reply.
        context_tokens: Longest request; what does not fit is left out, oldest first.

    Raises:
        UserError: A negative number, or a limit of cost without prices.
    """

    steps: int = 8
    calls: int = 24
    tokens: int = 200_000
    seconds: float = 600.0
    cost: float = 0.0
    input_price: float = 0.0
    output_price: float = 0.0
    reply_tokens: int = 1024
    context_tokens: int = 24_000

    def __post_init__(self) -> None:
        for name in ("tokens", "seconds", "cost", "input_price", "output_price"):
            if not getattr(self, name) >= 0:
                raise UserError(f"The limit {name} is {getattr(self, name)}.", "Give a number that is not negative.")
        if self.steps < 1 or self.calls < 0:
            raise UserError("The loop needs at least one step.", "Give a larger limit of steps.")
        if self.cost and not (self.input_price or self.output_price):
            raise UserError(
                "A limit of cost needs prices, which no server tells.",
                "Give --price IN:OUT, per million tokens read and written.",
            )


@dataclass
class Meter:
    """Counts what a turn uses. ``estimated``: a server reported no usage, and the tokens are our upper bound."""

    limits: Limits
    clock: Callable[[], float] = time.monotonic
    steps: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: bool = False
    begun: float = field(init=False)

    def __post_init__(self) -> None:
        self.begun = self.clock()

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    @property
    def cost(self) -> float:
        limits = self.limits
        return (self.prompt_tokens * limits.input_price + self.completion_tokens * limits.output_price) / _PER

    @property
    def usage(self) -> dict[str, int]:
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "total_tokens": self.tokens,
        }

    def add(self, reported: Mapping[str, int], prompt: Callable[[], int], completion: Callable[[], int]) -> None:
        """Count one request: what the server reported, else what ``prompt`` and ``completion`` estimate."""
        self.steps += 1
        self.estimated = self.estimated or not reported.get("prompt_tokens")
        self.prompt_tokens += reported.get("prompt_tokens") or prompt()
        self.completion_tokens += reported.get("completion_tokens") or completion()

    def left_s(self) -> float | None:
        """Seconds until the limit of time; None without one."""
        limits = self.limits
        return max(0.0, limits.seconds - (self.clock() - self.begun)) if limits.seconds else None

    def exceeded(self, next_prompt: int = 0) -> str:
        """Which limit a request of ``next_prompt`` tokens would pass; "" for none."""
        limits = self.limits
        if self.left_s() == 0.0:
            return f"the limit of {limits.seconds:g} s"
        if limits.tokens and self.tokens + next_prompt > limits.tokens:
            return f"the limit of {limits.tokens:,} tokens"
        cost = self.cost + next_prompt * limits.input_price / _PER
        if limits.cost and cost > limits.cost:
            return f"the limit of cost ({limits.cost:g})"
        return ""

    @property
    def is_last_step(self) -> bool:
        """Whether the coming reply has to be the answer."""
        return self.steps >= self.limits.steps - 1 or self.calls >= self.limits.calls
