"""The other slots of the IR: exact terms, tools, workflow steps, output specification, knowledge. Deterministic."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from agent.cca import checks as c
from agent.cca.documents import Block
from agent.cca.ir import ExactTerm, Fact, OutputSpec, Rule, Step, TermCategory, Tool
from agent.cca.quoted import quoted_terms
from agent.cca.sentences import Sentence

_I = re.IGNORECASE
_MAX_TERMS = 400
_MAX_TOOLS = 200
_MAX_STEPS = 400
_MAX_FACTS = 1_000

_CATEGORY: tuple[tuple[TermCategory, re.Pattern[str]], ...] = (
    ("role", re.compile(r"\b(?:roles?|agents?|experts?|specialists?|coordinators?|teams?|persona)\b", _I)),
    ("tool", re.compile(r"\b(?:tools?|commands?|functions?|api|endpoints?|call|calls|invoke)\b", _I)),
    ("status", re.compile(r"\b(?:status(?:es)?|states?|codes?|severit(?:y|ies)|flags?)\b", _I)),
    ("rating", re.compile(r"\b(?:ratings?|tiers?|levels?|grades?|scores?|priorit(?:y|ies))\b", _I)),
    ("option", re.compile(r"\b(?:options?|settings?|parameters?|modes?|keys?|fields?)\b", _I)),
)
_FILE = re.compile(r"^[\w./-]{1,200}\.[a-z]{1,5}$|^\.?[\w-]{1,100}/[\w./-]{0,200}$")
_IDENTIFIER = re.compile(r"^[A-Za-z_][\w.:-]*(?:\(\))?$")
_CODE_WORD = re.compile(r"\b[A-Z][A-Z0-9]{1,20}(?:[_-][A-Z0-9]{1,20})+\b|\b[A-Z]{2,10}-?\d{1,5}\b")
_TOOLS_SECTION = re.compile(r"\b(?:tools?|commands?|functions|actions|apis?)\b", _I)
_TOOL_ITEM = re.compile(
    r"^[*_]{0,2}`?([A-Za-z_][\w.-]{1,60}(?:\([^()\n]{0,200}\))?)`?[*_]{0,2}\s{0,3}(?::|–|—| - )\s{0,3}(.{1,400})",
    re.DOTALL,
)
_STEP_SECTION = re.compile(r"\b(?:steps?|workflow|procedure|process|how to|instructions|protocol|checklist)\b", _I)
_DEFINES = re.compile(
    r"\b(?:is|are|means?|denotes?|refers? to|stands for|equals?|has|have|consists? of|contains?|costs?|counts? as)\b",
    _I,
)


def exact_terms(sentences: Sequence[Sentence]) -> tuple[ExactTerm, ...]:
    """Quoted terms and upper-case codes, each once, in the order in which they first occur."""
    found: dict[str, ExactTerm] = {}
    for sentence in sentences:
        for quoted in quoted_terms(sentence.text):
            if len(quoted.text) <= 120 and quoted.text not in found:
                found[quoted.text] = ExactTerm(
                    term=quoted.text,
                    category=_category(quoted.text, quoted.code, sentence),
                    example=sentence.text[:300],
                    line=sentence.first_line,
                )
        for match in _CODE_WORD.finditer(sentence.text):
            if match[0] not in found:
                found[match[0]] = ExactTerm(
                    term=match[0],
                    category=_category(match[0], True, sentence),
                    example=sentence.text[:300],
                    line=sentence.first_line,
                )
        if len(found) >= _MAX_TERMS:
            break
    return tuple(found.values())[:_MAX_TERMS]


def _category(term: str, code: bool, sentence: Sentence) -> TermCategory:
    if _FILE.match(term):
        return "file"
    if term.replace(".", "").replace(",", "").isdigit():
        return "value"
    if term.startswith("-"):
        return "option"
    at = sentence.text.find(term)
    near = sentence.text[max(0, at - 60) : at + len(term) + 40]
    for category, pattern in _CATEGORY:
        if pattern.search(near):
            return category
    return "identifier" if code and _IDENTIFIER.match(term) else "phrase"


def tools(blocks: Sequence[Block]) -> tuple[Tool, ...]:
    """Items ``name: what it does`` in a section about tools."""
    found: dict[str, Tool] = {}
    for block in blocks:
        if block.kind != "item" or not _TOOLS_SECTION.search(block.section.rsplit(" > ", 1)[-1]):
            continue
        match = _TOOL_ITEM.match(block.text)
        if match and match[1] not in found and len(found) < _MAX_TOOLS:
            description = " ".join(match[2].split())
            found[match[1]] = Tool(name=match[1], description=description, line=block.first_line)
    return tuple(found.values())


def workflow(blocks: Sequence[Block]) -> tuple[Step, ...]:
    """Numbered items, of sections about steps first if there are such."""
    numbered = [block for block in blocks if block.kind == "item" and block.number]
    named = [block for block in numbered if _STEP_SECTION.search(block.section)]
    return tuple(
        Step(number=block.number, text=" ".join(block.text.split())[:1000], line=block.first_line)
        for block in (named or numbered)[:_MAX_STEPS]
    )


def knowledge(sentences: Sequence[Sentence], rule_lines: frozenset[tuple[int, str]]) -> tuple[Fact, ...]:
    """Sentences that define or state and are no rules, as they stand: counterfactual content is not corrected."""
    facts = [
        Fact(text=sentence.quote[:1000], line=sentence.first_line)
        for sentence in sentences
        if (sentence.first_line, sentence.text) not in rule_lines and _DEFINES.search(sentence.text)
    ]
    return tuple(facts[:_MAX_FACTS])


def output_spec(rules: Sequence[Rule], checks: Sequence[Any | None]) -> OutputSpec:
    """What unconditional rules about the whole answer amount to; ``checks`` are those of ``rules``."""
    values: dict[str, Any] = {}
    quotes = []
    for rule, check in zip(rules, checks, strict=True):
        if check is None or rule.condition:
            continue
        got = _spec_of(check)
        if got:
            for name, value in got.items():
                values.setdefault(name, value)
            quotes.append(rule.quote)
    return OutputSpec(**values, quotes=tuple(quotes))


def _spec_of(check: Any) -> dict[str, Any]:
    if isinstance(check, c.AllOf):
        merged: dict[str, Any] = {}
        for each in check.checks:
            merged.update(_spec_of(each))
        return merged
    if isinstance(check, c.Valid):
        return {"format": check.format}
    if isinstance(check, c.Keys):
        return {"format": check.format, "fields": check.keys}
    if isinstance(check, c.Table):
        return {"format": "table", "fields": check.columns} if check.columns else {}
    if isinstance(check, c.Sections):
        return {"sections": check.headings}
    if isinstance(check, c.Charset) and check.allow == "ascii":
        return {"ascii_only": True}
    if isinstance(check, c.Count):
        named = {
            ("words", "most"): "max_words",
            ("words", "least"): "min_words",
            ("characters", "most"): "max_characters",
            ("sentences", "most"): "max_sentences",
            ("lines", "most"): "max_lines",
        }
        limits = (("most", check.most), ("least", check.least))
        return {
            named[check.unit, side]: value
            for side, value in limits
            if value is not None and (check.unit, side) in named
        }
    return {}
