"""Sphinx roles read as what they show: ``:class:`~flask.app.Flask` `` as ``Flask``."""

from __future__ import annotations

import re

_ROLE = re.compile(r":(?:[a-z]{1,12}:){0,2}[a-z]{1,12}:`(~?)([^`<>\n]{1,200}?)(?: ?<[^`<>\n]{1,200}>)?`")


def without_roles(text: str) -> str:
    """``text`` with each role replaced by the title or name that it shows; linear in the text's length."""
    return _ROLE.sub(_shown, text) if ":`" in text else text


def _shown(match: re.Match[str]) -> str:
    name = match[2].lstrip("!~")
    return name.rsplit(".", 1)[-1] if match[1] else name
