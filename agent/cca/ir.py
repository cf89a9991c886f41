"""The typed intermediate representation (IR) of a context: fixed slots, validated, with one canonical byte form.

Slots follow the paper's appendix A.2; ``temporal`` and ``layout`` are the extensions that its limitations name.
Imported only where rules are compiled or checked: pydantic costs 0.1 s.
"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

IR_VERSION = 1

RuleKind = Literal["must_do", "must_not", "conditional"]
Strength = Literal["must", "should"]
TermCategory = Literal["role", "tool", "status", "identifier", "rating", "phrase", "file", "option", "value"]

_Line = Annotated[int, Field(ge=1)]


class Slot(BaseModel):
    """Base of every part of the IR: immutable, and nothing unknown is accepted."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Quote(Slot):
    """Where something is said: the file as it was named, its lines (1-based, inclusive), the words verbatim."""

    source: str = ""
    first_line: _Line = 1
    last_line: _Line = 1
    text: str = ""

    @model_validator(mode="after")
    def _ordered(self) -> Quote:
        if self.last_line < self.first_line:
            raise ValueError("last_line is before first_line")
        return self


class Temporal(Slot):
    """``first`` is to come before ``then``; ``within`` holds a limit such as "24 hours" ("" for none)."""

    first: str
    then: str
    within: str = ""


class Layout(Slot):
    """How something is to look: an ``aspect`` and its value ("4 spaces", "at most 79 characters")."""

    aspect: Literal["indent", "line_length", "blank_lines", "heading", "table", "order", "columns", "placement"]
    value: str


class Rule(Slot):
    """One demand.

    Attributes:
        id: ``R1``, ``R2`` … in the order of the sources.
        text: The rule with its white space folded; ``quote.text`` is verbatim.
        condition: The clause that a conditional rule hangs on; "" otherwise.
        negative: Forbids rather than demands (always so for ``must_not``).
        codeable: CodeGen can express it as a check of the answer's text.
        hint: How to verify it, in words; "" for none.
    """

    id: str = Field(pattern=r"^R[1-9][0-9]{0,5}$")
    kind: RuleKind
    text: str = Field(min_length=1)
    quote: Quote
    strength: Strength = "must"
    condition: str = ""
    negative: bool = False
    codeable: bool = False
    hint: str = ""
    section: str = ""
    temporal: Temporal | None = None
    layout: Layout | None = None


class Rules(Slot):
    must_do: tuple[Rule, ...] = ()
    must_not: tuple[Rule, ...] = ()
    conditional: tuple[Rule, ...] = ()

    @model_validator(mode="after")
    def _in_their_slots(self) -> Rules:
        for name in ("must_do", "must_not", "conditional"):
            for rule in getattr(self, name):
                if rule.kind != name:
                    raise ValueError(f"rule {rule.id} of kind {rule.kind} stands in {name}")
        return self

    def all(self) -> tuple[Rule, ...]:
        """Every rule, in the order of its number."""
        return tuple(sorted((*self.must_do, *self.must_not, *self.conditional), key=lambda rule: int(rule.id[1:])))


class OutputSpec(Slot):
    """What the whole answer has to look like; empty fields demand nothing."""

    format: Literal["", "json", "yaml", "toml", "csv", "xml", "markdown", "python", "table", "plain"] = ""
    sections: tuple[str, ...] = ()
    max_words: int | None = None
    min_words: int | None = None
    max_characters: int | None = None
    max_sentences: int | None = None
    max_lines: int | None = None
    ascii_only: bool = False
    fields: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()


class ExactTerm(Slot):
    """A term that has to be spelled as the context spells it."""

    term: str = Field(min_length=1)
    category: TermCategory
    example: str = ""
    line: _Line = 1


class Tool(Slot):
    name: str = Field(min_length=1)
    description: str = ""
    line: _Line = 1


class Column(Slot):
    name: str
    kind: Literal["number", "text", "empty"]
    unit: str = ""


class DataProfile(Slot):
    """One table of the context: where it stands and what its columns hold."""

    source: str = ""
    first_line: _Line
    last_line: _Line
    delimiter: Literal["|", ",", ";", "\t", " "]
    columns: tuple[Column, ...]
    rows: int = Field(ge=0)
    malformed: int = Field(ge=0, default=0)


class Step(Slot):
    number: int = Field(ge=1)
    text: str
    line: _Line = 1


class Fact(Slot):
    """Knowledge of the context that is no demand: definitions and counterfactuals, kept as they stand."""

    text: str
    line: _Line = 1


class IR(Slot):
    """A compiled context. ``ir_ok`` is False when it is a fallback after a compiler that failed."""

    version: Literal[1] = 1
    compiler: str
    context_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    rules: Rules = Rules()
    output_spec: OutputSpec = OutputSpec()
    exact_terms: tuple[ExactTerm, ...] = ()
    available_tools: tuple[Tool, ...] = ()
    data_profile: tuple[DataProfile, ...] = ()
    workflow: tuple[Step, ...] = ()
    knowledge: tuple[Fact, ...] = ()
    ir_ok: bool = True

    @model_validator(mode="after")
    def _unique_ids(self) -> IR:
        ids = [rule.id for rule in self.rules.all()]
        if len(ids) != len(set(ids)):
            raise ValueError("two rules have one id")
        return self


def canonical_bytes(ir: IR) -> bytes:
    """The one byte form of an IR: UTF-8 JSON, keys sorted, no spaces. Equal IRs give equal bytes."""
    return json.dumps(ir.model_dump(mode="json"), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode(
        "utf-8", "backslashreplace"
    )


def digest(ir: IR) -> str:
    """SHA-256 of the canonical bytes."""
    return hashlib.sha256(canonical_bytes(ir)).hexdigest()


def json_schema() -> dict[str, Any]:
    """The JSON Schema of an IR."""
    return IR.model_json_schema()
