"""What all checks share: bounds on their size, terms, and the base of their models."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

MAX_PATTERN_CHARS = 2_000
MAX_TERMS = 200
MAX_TERM_CHARS = 2_000

Terms = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=MAX_TERM_CHARS)], ...], Field(max_length=MAX_TERMS)
]


class Model(BaseModel):
    """The base of all checks: frozen, nothing beside its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


def as_re2(pattern: str) -> str:
    """The pattern, where RE2 takes it.

    Raises:
        ValueError: It does not.
    """
    from agent.cca.linear import compiled

    if pattern:
        compiled(pattern)
    return pattern
