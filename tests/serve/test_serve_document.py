"""The OpenAPI document is true: its paths are the server's, and what generated requests get is what it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from serve_helpers import TOKEN, Running, running, write

schemathesis = pytest.importorskip("schemathesis")
from schemathesis.specs.openapi.checks import ignored_auth  # noqa: E402

requests = pytest.importorskip("requests")

OPERATIONS = [
    ("/api/status", "GET"),
    ("/api/search", "POST"),
    ("/api/pack", "POST"),
    ("/api/ask", "POST"),
    ("/api/ask/stream", "POST"),
    ("/api/file", "GET"),
    ("/api/graph", "GET"),
]
_QUICK = settings(
    max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate]
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    base = tmp_path_factory.mktemp("document")
    with running(write(base / "tree"), "-q", env={"CONTEXTC_CACHE_DIR": str(base / "cache")}) as found:
        yield found


@pytest.fixture(scope="module")
def document(server: Running) -> dict[str, Any]:
    found: dict[str, Any] = requests.get(f"{server.url}/openapi.json", timeout=30).json()
    return found


def test_the_document_names_every_operation_and_no_other(document: dict[str, Any]) -> None:
    named = [(path, method.upper()) for path, item in document["paths"].items() for method in item]
    assert sorted(named) == sorted(OPERATIONS)
    assert document["openapi"].startswith("3.1")


def test_its_schemas_are_schemas_and_its_references_lead_somewhere(document: dict[str, Any]) -> None:
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    text = json.dumps(document)
    assert "#/$defs/" not in text
    for reference in {part.split('"', 1)[0] for part in text.split('"$ref": "')[1:]}:
        place: Any = document
        for step in reference.removeprefix("#/").split("/"):
            place = place[step]


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_generated_requests_get_what_the_document_says(
    server: Running, document: dict[str, Any], path: str, method: str
) -> None:
    """Valid ones are answered by the schema, invalid ones refused by a problem document."""
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url=server.url)
    operation = schema[path][method]
    modes = schemathesis.GenerationMode
    strategies = [operation.as_strategy(generation_mode=modes.POSITIVE)]
    if path != "/api/status":  # which takes nothing that could be wrong
        strategies.append(operation.as_strategy(generation_mode=modes.NEGATIVE))
    seen: list[int] = []

    @_QUICK
    @given(case=st.one_of(strategies))
    def check(case: Any) -> None:
        response = case.call(headers={"authorization": f"Bearer {TOKEN}"})
        # Its check of the token would resend what we send, token included; tests of hostile requests check that.
        case.validate_response(response, excluded_checks=[ignored_auth])
        seen.append(response.status_code)

    check()
    assert seen and max(seen) < 500
