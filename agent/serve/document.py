"""The OpenAPI document, and requests checked against it: what it says is what is done, since nothing else says it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any, cast

from agent.serve.problems import RequestError
from retrieval.version import VERSION

Json = dict[str, Any]
_NUMBER = re.compile(r"-?[0-9]{1,18}")
_BOUNDS = {
    "minimum": "must be at least {:,}",
    "maximum": "must be at most {:,}",
    "minLength": "must have at least {:,} characters",
    "maxLength": "must have at most {:,} characters",
    "maxItems": "must have at most {:,} items",
}
_MAX_VALUE = 80  # characters of a wrong value in a message
_BY_NAME = "#/components/schemas/"


@lru_cache(maxsize=1)
def document() -> Json:
    """The document as it is served: ours, with the pack's own schema in it."""
    from retrieval.compile.schema import pack_schema

    text = resources.files(__package__).joinpath("openapi.json").read_text(encoding="utf-8")
    found = cast(Json, json.loads(text))
    found["info"]["version"] = VERSION
    schemas: Json = found["components"]["schemas"]
    # Definitions of the pack's schema become components, with references to match.
    pack = json.loads(json.dumps(pack_schema()).replace('"#/$defs/', f'"{_BY_NAME}Pack_'))
    for name, schema in pack.pop("$defs").items():
        schemas[f"Pack_{name}"] = schema
    schemas["Pack"] = {key: value for key, value in pack.items() if key not in ("$schema", "$id")}
    return found


@lru_cache(maxsize=64)
def _validator(name: str) -> Any:
    import jsonschema

    schema = {"$ref": f"{_BY_NAME}{name}", "components": document()["components"]}
    return jsonschema.Draft202012Validator(schema)


def checked_body(name: str, value: object) -> Json:
    """``value`` when it is as the schema ``name`` says, with the defaults of what it leaves out.

    Raises:
        RequestError: 422, with the place that is wrong.
    """
    from jsonschema.exceptions import best_match

    error = best_match(_validator(name).iter_errors(value))
    if error is not None:
        where = ".".join(map(str, error.absolute_path)) or "the body"
        raise RequestError(422, f"{where}: {_told(error)}", "See /openapi.json for what the request takes.")
    properties: Json = document()["components"]["schemas"][name]["properties"]
    given = {key: _whole(item) for key, item in cast(Json, value).items()}
    return {key: schema["default"] for key, schema in properties.items() if "default" in schema} | given


def checked_query(path: str, given: list[tuple[str, str]]) -> Json:
    """The parameters of a GET request, as their types say.

    Raises:
        RequestError: 422: one is missing, unknown, given twice, or not as its schema says.
    """
    import jsonschema
    from jsonschema.exceptions import best_match

    known: dict[str, Mapping[str, Any]] = {
        each["name"]: each for each in document()["paths"][path]["get"].get("parameters", ())
    }
    mend = "See /openapi.json for what the request takes."
    found: Json = {}
    for name, text in given:
        if name not in known:
            raise RequestError(422, f"There is no parameter {_shown(name)}.", mend)
        if name in found:
            raise RequestError(422, f"The parameter {name} is given twice.", mend)
        schema = known[name]["schema"]
        value = _number(text) if schema["type"] == "integer" else text
        error = best_match(jsonschema.Draft202012Validator(schema).iter_errors(value))
        if error is not None:
            raise RequestError(422, f"{name}: {_told(error)}", mend)
        found[name] = value
    for name, each in known.items():
        if name not in found and each.get("required"):
            raise RequestError(422, f"The parameter {name} is missing.", mend)
        if name not in found and "default" in each["schema"]:
            found[name] = each["schema"]["default"]
    return found


def _number(text: str) -> int | str:
    """Decimal digits alone: what ``int`` also takes (spaces, underscores, other scripts' digits) is no JSON number."""
    return int(text) if _NUMBER.fullmatch(text) else text


def _whole(value: object) -> object:
    """``1.0`` is an integer to JSON Schema."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _told(error: Any) -> str:
    """jsonschema's words without the value, which may be as long as the request."""
    match error.validator:
        case "type":
            return f"must be of type {error.validator_value}, not {_shown(error.instance)}"
        case "required":
            return str(error.message)
        case "enum":
            return f"must be one of {', '.join(map(str, error.validator_value))}, not {_shown(error.instance)}"
        case "additionalProperties":
            extra = sorted(set(error.instance) - set(error.schema["properties"]))
            return f"has no field {_shown(extra[0])}"
        case name if name in _BOUNDS:
            return _BOUNDS[name].format(error.validator_value)
    return f"is not as the schema says ({error.validator})"


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True, default=str)
    return text if len(text) <= _MAX_VALUE else text[: _MAX_VALUE - 1] + "…"
