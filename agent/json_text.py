"""JSON on standard output that stays JSON whatever the terminal's encoding is."""

from __future__ import annotations

import json
import sys


def json_text(value: object, *, indent: int | None = None) -> str:
    """JSON for standard output; escaped throughout where its encoding has not all characters.

    What the stream itself puts for a character that it lacks (``\\xe9``, ``\\U0001f600``) would be no JSON.
    """
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("_", "-")
    return json.dumps(value, ensure_ascii=encoding not in ("utf-8", "utf8"), indent=indent)
