"""The page around a picture: everything inline, and a policy that lets it load nothing and run nothing else."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def page(data: Mapping[str, Any]) -> str:
    """One HTML document. Text of the repository reaches it as escaped JSON and is only ever set as text."""
    library, script, style = _read("cytoscape.min.js"), _read("view.js"), _read("view.css")
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; "
        f"script-src {_digest(library)} {_digest(script)}; base-uri 'none'; form-action 'none'"
    )
    encoded = json.dumps(data, ensure_ascii=True, separators=(",", ":")).translate(_ESCAPES)
    title = html.escape(str(data["title"]))
    parts = {
        "{{policy}}": html.escape(policy, quote=True).replace("&#x27;", "'"),
        "{{title}}": title,
        "{{style}}": style,
        "{{data}}": encoded,
        "{{library}}": library,
        "{{script}}": script,
    }
    # Cut first, then filled: what is put in is never searched for places to fill.
    text = _read("view.html")
    out: list[str] = []
    for name, value in parts.items():
        before, found, text = text.partition(name)
        assert found  # noqa: S101  (the template is ours)
        out += (before, value)
    return "".join((*out, text))


def _read(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
