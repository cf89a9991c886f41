"""One interface to both compilers, with the cache: documents in, a compiled context out."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from agent.cca.client import ChatClient
from agent.cca.compiled import Compiled, Source, cleaned, context_sha256
from agent.cca.deterministic import compile_deterministic
from agent.cca.families.model import fingerprint
from agent.cca.ir import IR_VERSION
from agent.cca.store import STORE_VERSION, load, save
from retrieval.version import VERSION


def compile_rules(
    sources: Sequence[Source],
    client: ChatClient | None = None,
    *,
    model: str = "",
    cache: bool = True,
    folder: Path | None = None,
    allow_generated: bool = False,
) -> Compiled:
    """Compile rule documents: with a model when a client is given, else deterministically.

    ``allow_generated``: where a rule cannot be put in the check language, the model may give Python.

    A compilation by a model is cached under the model's name; a fallback is not cached, so that it is tried again.
    """
    sources = cleaned(sources)
    key = _key(sources, f"{model} {allow_generated}" if client is not None else "")
    if cache:
        known = load(key, sources, folder)
        if known is not None:
            return known
    if client is None:
        compiled = compile_deterministic(sources)
    else:
        from agent.cca.model_compiler import compile_with_model

        compiled = compile_with_model(sources, client, allow_generated=allow_generated)
    if cache and compiled.ir.ir_ok:
        save(key, compiled, folder)
    return compiled


def _key(sources: tuple[Source, ...], model: str) -> str:
    seed = f"{VERSION}\0{IR_VERSION}\0{STORE_VERSION}\0{fingerprint()}\0{model}\0{context_sha256(sources)}"
    return hashlib.sha256(seed.encode()).hexdigest()
