"""The version of this program, where code and packaging metadata both read it."""

from __future__ import annotations

VERSION = "0.1.0"
PROGRAM = f"contextc {VERSION}"
