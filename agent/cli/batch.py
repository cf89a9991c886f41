"""Reading a batch of questions: JSONL, one object a line."""

from __future__ import annotations

import json
from pathlib import Path

from retrieval.errors import UserError

_MAX_BYTES = 64 << 20
_LOOKED_AT = 4_000  # characters; a question is cut at a space behind these, and the rest of it asks nothing


def read_batch(path: Path, field: str) -> list[tuple[str, str]]:
    """(id, text) of each line; ids may be strings or numbers.

    Raises:
        UserError: The file cannot be read, or a line is not an object with ``id`` and ``field``; names the line.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else "") or str(error)
        raise UserError(f"Cannot read the batch file {path}: {reason}.", "Give a readable UTF-8 JSONL file.") from None
    if len(data) > _MAX_BYTES:
        raise UserError(f"The batch file {path} is larger than {_MAX_BYTES >> 20} MiB.", "Ask in several batches.")
    rows: list[tuple[str, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise UserError(f"{path}, line {number} is not JSON ({error}).", "Mend or remove that line.") from None
        if not isinstance(value, dict) or "id" not in value or not isinstance(value.get(field), str):
            raise UserError(
                f"{path}, line {number} lacks a string {field!r} or an 'id'.",
                f'Each line must look like {{"id": "q1", "{field}": "…"}}.',
            )
        if not any(character.isalnum() for character in value[field][:_LOOKED_AT]):
            raise UserError(f"{path}, line {number} has an empty {field!r}.", "Fill it in or remove that line.")
        rows.append((value["id"], value[field]))
    return rows


def _no_constant(name: str) -> None:
    # Python's JSON takes NaN and Infinity; as an id they would be printed again, and few readers take them.
    raise ValueError(f"{name} is no JSON value")
