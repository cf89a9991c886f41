"""Compiled contexts as JSON: their round trip, and a cache by content hash in the user's cache directory.

A file that cannot be read as what it should be is no cache: it is compiled anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from agent.cca.check_data import CheckError, dump_check, parse_check
from agent.cca.compiled import Compiled, Rejected, Source, Verifier
from agent.cca.ir import IR
from retrieval.index.location import user_cache_dir

STORE_VERSION = 21  # raised whenever a compiler makes something else of the same document
_MAX_BYTES = 32 * 1024 * 1024


def to_dict(compiled: Compiled) -> dict[str, Any]:
    return {
        "store_version": STORE_VERSION,
        "ir": compiled.ir.model_dump(mode="json"),
        "verifiers": [
            {"rule": each.rule.id, "check": dump_check(each.check), "origin": each.origin}
            for each in compiled.verifiers
        ],
        "rejected": [{"rule": each.rule_id, "why": each.why} for each in compiled.rejected],
        "notes": list(compiled.notes),
        "modules": list(compiled.modules),
        "data_report": compiled.data_report,
        "tokens": compiled.tokens,
        "guides": list(compiled.guides),
    }


def from_dict(data: object, sources: tuple[Source, ...] = ()) -> Compiled:
    """The inverse of ``to_dict``.

    Raises:
        ValueError: It is not what ``to_dict`` made.
    """
    if not isinstance(data, dict) or data.get("store_version") != STORE_VERSION:
        raise ValueError("not a compiled context of this version")
    try:
        ir = IR.model_validate(data["ir"])
        rules = {rule.id: rule for rule in ir.rules.all()}
        verifiers = tuple(
            Verifier(rules[each["rule"]], parse_check(each["check"], allow_generated=True), str(each["origin"]))
            for each in data["verifiers"]
        )
        rejected = tuple(Rejected(str(each["rule"]), str(each["why"])) for each in data["rejected"])
        notes, modules = tuple(map(str, data["notes"])), tuple(map(str, data["modules"]))
        guides = tuple(map(str, data["guides"]))
        report, tokens = str(data["data_report"]), int(data["tokens"])
        return Compiled(ir, verifiers, rejected, notes, modules, report, tokens, sources, guides)
    except (KeyError, TypeError, AttributeError, CheckError) as error:
        raise ValueError(f"not a compiled context: {error}") from None


def cache_folder() -> Path:
    return user_cache_dir() / "rules"


def load(key: str, sources: tuple[Source, ...], folder: Path | None = None) -> Compiled | None:
    """The cached compilation under ``key`` (hexadecimal), or None."""
    path = (folder or cache_folder()) / f"{key}.json"
    try:
        if path.stat().st_size > _MAX_BYTES:
            return None
        digest, _, body = path.read_bytes().partition(b"\n")
        if digest != hashlib.sha256(body).hexdigest().encode():
            return None
        return from_dict(json.loads(body), sources)
    except (OSError, ValueError, RecursionError):
        return None


def save(key: str, compiled: Compiled, folder: Path | None = None) -> None:
    """Keep a compilation; a cache that cannot be written costs only the next compilation."""
    folder = folder or cache_folder()
    body = json.dumps(to_dict(compiled), ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode()
    data = hashlib.sha256(body).hexdigest().encode() + b"\n" + body
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=folder, prefix=".rules-")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            Path(name).replace(folder / f"{key}.json")
        except OSError:
            Path(name).unlink(missing_ok=True)
