"""Checks from and to JSON-like data: what comes from a model, a store or a task is validated here."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from agent.cca.checks import MAX_DEPTH, Check, Generated

_ADAPTER: TypeAdapter[Any] = TypeAdapter(Check)


class CheckError(ValueError):
    """What is wrong with a check that came from outside, in one line."""


def parse_check(value: object, *, allow_generated: bool = False) -> Any:
    """A check from JSON-like data. ``allow_generated``: Python that a model wrote (``{"op": "python"}``) is one, too.

    Raises:
        CheckError: It is no check: unknown ``op``, wrong fields, a pattern that RE2 refuses, nested too deeply.
    """
    if _depth(value) > 2 * MAX_DEPTH:
        raise CheckError("the check is nested too deeply")
    try:
        if isinstance(value, dict) and value.get("op") == "python":
            if not allow_generated:
                raise CheckError("it is Python, which is taken only with --allow-generated-code")
            return Generated.model_validate(value)
        return _ADAPTER.validate_python(value)
    except (ValidationError, RecursionError) as error:
        if isinstance(error, ValidationError):
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"][:6])
            raise CheckError(f"{place}: {first['msg']}"[:300]) from None
        raise CheckError("the check is nested too deeply") from None


def dump_check(check: Any) -> dict[str, Any]:
    """JSON-like data of a check, defaults left out."""
    if isinstance(check, Generated):
        return {"op": "python", "code": check.code}
    data: dict[str, Any] = _ADAPTER.dump_python(check, mode="json", exclude_defaults=True, by_alias=True)
    return _with_ops(check, data)


def _with_ops(check: Any, data: dict[str, Any]) -> dict[str, Any]:
    """``op`` is a default, too; it is what tells checks apart, so it comes back."""
    out = {"op": check.op, **data}
    for name in ("check", "selects", "condition", "then"):
        inner = getattr(check, name, None)
        if isinstance(inner, BaseModel):
            out[name] = _with_ops(inner, data.get(name, {}))
    inner_checks = getattr(check, "checks", None)
    if inner_checks is not None:
        out["checks"] = [_with_ops(each, value) for each, value in zip(inner_checks, data["checks"], strict=True)]
    return out


def _depth(value: object) -> int:
    """Nesting of dicts and lists, counted without recursion."""
    deepest = 0
    stack: list[tuple[object, int]] = [(value, 1)]
    while stack:
        current, level = stack.pop()
        deepest = max(deepest, level)
        if level > 64:
            return level
        if isinstance(current, dict):
            stack.extend((each, level + 1) for each in current.values())
        elif isinstance(current, list | tuple):
            stack.extend((each, level + 1) for each in current)
    return deepest
