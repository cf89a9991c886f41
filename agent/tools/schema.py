"""A tool's JSON Schema from its function's signature, and arguments from outside held against it.

Types, bounds (``Annotated[int, Field(ge=1)]``) and defaults come from the signature, descriptions from the docstring
(Google style: a summary, then ``Args:``) or, for what many tools take, from the ``Field``. Types are strict, so that
``"5"`` and ``true`` are no integers.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from retrieval.errors import UserError

_MAX_SHOWN = 80  # characters of a wrong value that an error repeats
_FAR = 10_000  # a bound beyond this only guards
_ARGUMENT = re.compile(r"^ {4}(\w+): ?(.*)$")


@dataclass(frozen=True, slots=True)
class Signature:
    """Description, JSON Schema of the arguments, the model that checks them, and its schema with all bounds."""

    description: str
    parameters: Mapping[str, Any]
    model: type[BaseModel]
    bounds: Mapping[str, Any]

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments with the types of the signature; those left out keep the function's defaults.

        ``None`` for an argument that has a default counts as left out, since some models write every name.

        Raises:
            UserError: One is missing, unknown, of another type or out of bounds.
        """
        if not all(isinstance(name, str) for name in arguments):
            raise UserError("The names of the arguments are not text.", "Give a JSON object.")
        fields = self.model.model_fields
        given = {
            name: value
            for name, value in arguments.items()
            if value is not None or name not in fields or fields[name].is_required()
        }
        try:
            checked = self.model.model_validate(given)
        except ValidationError as error:
            raise self._mistake(error) from None
        return {name: getattr(checked, name) for name in given}

    def _mistake(self, error: ValidationError) -> UserError:
        first = error.errors(include_url=False, include_context=False)[0]
        name = ".".join(str(part) for part in first["loc"])[:_MAX_SHOWN]
        takes = "It takes: " + (", ".join(self.model.model_fields) or "nothing") + "."
        if first["type"] == "extra_forbidden":
            return UserError(f"There is no argument {name!a}.", takes)
        if first["type"] == "missing":
            return UserError(f"The argument {name!a} is missing.", takes)
        wanted = _described(self.bounds.get(str(first["loc"][0]), {}))
        return UserError(f"{name} is {_shown(first['input'])}: {first['msg'].lower()}.", f"Give {wanted}.")


def signature_of(function: Callable[..., Any]) -> Signature:
    """Read a function whose first parameter is the toolbox's context and whose others are the tool's arguments."""
    hints = get_type_hints(function, include_extras=True)
    summary, told = _docstring(function)
    fields: dict[str, Any] = {}
    for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        # Without a description of its own an argument has the one that its type carries.
        fields[name] = (hints[name], Field(default, description=told[name]) if name in told else default)
    config = ConfigDict(extra="forbid", strict=True)
    model: type[BaseModel] = create_model(function.__name__, __config__=config, **fields)
    schema = model.model_json_schema()
    properties = schema.get("properties", {})
    parameters = {
        "type": "object",
        "properties": {name: _lean(value) for name, value in properties.items()},
        "required": schema.get("required", []),
        "additionalProperties": False,
    }
    return Signature(summary, parameters, model, properties)


def _lean(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Without titles that repeat the name and bounds that no sensible call meets: both cost tokens in every request."""
    return {
        key: _lean(value) if key == "items" else value
        for key, value in schema.items()
        if key not in ("title", "maxLength", "minLength", "maxItems")
        and not (key == "maximum" and value > _FAR)
        and not (key == "minimum" and value == 0)
    }


def _docstring(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """(all before ``Args:``, description of each argument)."""
    text = inspect.getdoc(function) or ""
    summary, _, arguments = text.partition("\nArgs:\n")
    told: dict[str, str] = {}
    name = ""
    for line in arguments.split("\n"):
        found = _ARGUMENT.match(line)
        if found:
            name = found.group(1)
            told[name] = found.group(2)
        elif name and line.startswith(" " * 8):
            told[name] += " " + line.strip()
        elif line.strip():
            break
    return " ".join(summary.split()), told


def _described(schema: Mapping[str, Any]) -> str:
    """``a whole number from 1 to 50``: what a property takes, for a message."""
    if "enum" in schema or "const" in schema:
        return "one of " + ", ".join(map(str, schema.get("enum", [schema.get("const")])))
    kind = schema.get("type")
    if kind == "integer":
        low, high = schema.get("minimum"), schema.get("maximum")
        bounds = (f" from {low}" if low is not None else "") + (f" to {high}" if high is not None else "")
        return "a whole number" + bounds
    if kind == "array":
        return f"a list of at most {schema['maxItems']} texts" if "maxItems" in schema else "a list of texts"
    if kind == "boolean":
        return "true or false"
    return f"a text of at most {schema['maxLength']:,} characters" if "maxLength" in schema else "a text"


def _shown(value: Any) -> str:
    """A short, printable form of a wrong value, whatever it is and however deep."""
    if isinstance(value, str):
        return ascii(value[:_MAX_SHOWN]) + ("…" if len(value) > _MAX_SHOWN else "")
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int | float):
        try:
            return str(value)[:_MAX_SHOWN]
        except ValueError:  # Python refuses to write integers of thousands of digits
            return "a huge number"
    return "an object" if isinstance(value, Mapping) else "a list" if isinstance(value, list | tuple) else "no JSON"
