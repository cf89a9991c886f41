"""A compiled context: the IR with its verifiers. Made by a compiler, kept in a cache, used for every answer."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.cca.ir import IR, Rule
from agent.cca.linear import scrub


@dataclass(frozen=True, slots=True)
class Source:
    """A rule document: the name it is shown under and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Verifier:
    """A rule's check, and where it came from (``deterministic`` or ``model``)."""

    rule: Rule
    check: Any
    origin: str = "deterministic"


@dataclass(frozen=True, slots=True)
class Rejected:
    """A check that was dropped at compile time, and why."""

    rule_id: str
    why: str


@dataclass(frozen=True, slots=True)
class Compiled:
    """``modules``: the verifier modules that CodeGen emits: rule_checker, format_validator, data_analyzer."""

    ir: IR
    verifiers: tuple[Verifier, ...]
    rejected: tuple[Rejected, ...] = ()
    notes: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    data_report: str = ""
    tokens: int = 0  # spent on a model while compiling
    sources: tuple[Source, ...] = field(default=(), repr=False)
    guides: tuple[str, ...] = ()  # the sources that tell contributors how to work on code


def cleaned(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Lone surrogates replaced: they are no text, and nothing that is stored or sent could hold them."""
    return tuple(Source(scrub(source.name), scrub(source.text)) for source in sources)


def context_sha256(sources: Sequence[Source]) -> str:
    """Of the names and texts: what a compiled context is cached under."""
    digest = hashlib.sha256()
    for source in sources:
        for part in (source.name, source.text):
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "big"))
            digest.update(data)
    return digest.hexdigest()
