"""Options that some servers refuse: which may go, and how a request looks without them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_STREAMING = ("stream", "stream_options")
# Each is dropped when the refusal names it.
_OPTIONAL = (
    "response_format",
    "stream_options",
    "seed",
    "temperature",
    "max_tokens",
    "max_completion_tokens",
    "stream",
)


def unstreamed(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in _STREAMING}


def without_refused(error: Exception, options: Mapping[str, Any]) -> dict[str, Any] | None:
    """The request without the option that a 400 or 422 names; None when it names none of those that may go."""
    if getattr(error, "status_code", 0) not in (400, 422):
        return None
    said = f"{getattr(error, 'param', '') or ''} {error}"
    for name in _OPTIONAL:
        if name not in options or name not in said:
            continue
        if name == "stream":
            return unstreamed(options)
        kept = {key: value for key, value in options.items() if key != name}
        if name == "max_tokens" and "max_completion_tokens" in said:
            kept["max_completion_tokens"] = options[name]
        return kept
    return None


def as_accepted(options: dict[str, Any], accepted: Mapping[str, Any] | None) -> dict[str, Any]:
    """The request without what an earlier one, which the server ``accepted``, had to do without.

    A reply that did not stream once is no refusal: streaming is tried again.
    """
    if accepted is None:
        return options
    kept = {
        name: value
        for name, value in options.items()
        if name in accepted or name not in _OPTIONAL or (name in _STREAMING and "stream" not in accepted)
    }
    if "max_completion_tokens" in accepted and "max_tokens" in options:
        kept["max_completion_tokens"] = options["max_tokens"]
    return kept
