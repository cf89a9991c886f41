"""The compiler without a model: documents to IR and verifiers, the same bytes for the same documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from agent.cca.answer_forms import part_of_form
from agent.cca.antecedent import exempts, resolved
from agent.cca.codegen import check_of, read_clause
from agent.cca.compiled import Compiled, Rejected, Source, Verifier, cleaned, context_sha256
from agent.cca.composed.halves import composed
from agent.cca.describe import in_words
from agent.cca.documents import Block, blocks
from agent.cca.examples import flags_an_example
from agent.cca.extract import exact_terms, knowledge, output_spec, tools, workflow
from agent.cca.families.read import by_family as by_families
from agent.cca.families.read import one_demand, read_pair
from agent.cca.fits import report
from agent.cca.formats import MODULE_FORMATS
from agent.cca.grammar.demand import data_of, field_of
from agent.cca.grammar.formed import formed
from agent.cca.ir import IR, Quote, Rule, Rules
from agent.cca.recognise import Found, declared, fragment, recognise, tells_output
from agent.cca.rule_files import NAMES
from agent.cca.scoped.sentence import scoped
from agent.cca.sentences import Sentence, rejoined, sentences
from agent.cca.tables import profile
from agent.cca.told import told
from agent.cca.wording import of_answers

MAX_RULES = 2_000
_MAX_DATA = 400  # characters
_REPOSITORY_FILES = frozenset(PurePosixPath(name).name for name in NAMES)
_CODE_LANGUAGES = frozenset(
    {"python", "py", "sh", "shell", "bash", "console", "pycon", "javascript", "js", "c", "rust", "go", "java"}
)
_CODE_WORDS = re.compile(
    r"\b(?:pull requests?|commits?|docstrings?|pytest|unit tests?|code style|repository|codebase|linter|type hints?"
    r"|patch(?:es)?|contributors?|contributions?|changelogs?|release notes|maintainers?|bug reports?)\b",
    re.IGNORECASE,
)


def compile_deterministic(sources: Sequence[Source]) -> Compiled:
    """Compile rule documents, in the given order. Never raises on content."""
    sources = cleaned(sources)
    rules: list[Rule] = []
    checks: list[Any | None] = []
    rejected: list[Rejected] = []
    guides: list[str] = []
    all_blocks: list[Block] = []
    all_sentences: list[Sentence] = []
    rule_lines: set[tuple[int, str]] = set()
    for source in sources:
        parsed = blocks(source.text)
        said = resolved(rejoined(sentences(parsed), one_demand))
        about_code = is_guide(source, parsed)
        if about_code:
            guides.append(source.name)
        all_blocks.extend(parsed)
        all_sentences.extend(said)
        last: tuple[Rule, Any | None] | None = None  # the sentence before, where it is a rule
        for at, sentence in enumerate(said):
            if len(rules) >= MAX_RULES:
                break
            found = None if sentence.cell else recognise(sentence)
            said_so = declared(sentence) or of_data(sentence)
            seen = found or said_so or fragment(sentence) or told(sentence) or by_family(sentence, about_code)
            rule = _rule(sentence, source.name, len(rules) + 1, seen)
            stated = found is not None or said_so is not None or tells_output(sentence)
            of_code = about_code and not of_answers(sentence.section)
            check = None if rule is None or sentence.unclear else check_of(rule, of_code, whole=not stated)
            if rule is None or (found is None and check is None):
                rule, check = _rule(sentence, source.name, len(rules) + 1, part_of_form(sentence)), None
            if rule is None:
                last = None
                continue
            if check is None and not of_code and last is not None and not sentence.opening:
                told_before, own = last  # a sentence without its noun needs the one before
                check = read_pair(told_before.text, rule.text) if own is None or sentence.unclear else None
            if check is not None and at + 1 < len(said) and exempts(said[at + 1]):
                check = None
            last = rule, check
            rule_lines.add((sentence.first_line, sentence.text))
            why = flags_an_example(check, rule, parsed) if check is not None else ""
            if why:
                rejected.append(Rejected(rule.id, why))
                check = None
            hint = in_words(check) if check is not None else ""
            rules.append(rule.model_copy(update={"codeable": check is not None, "hint": hint}))
            checks.append(check)
    data = [each for source in sources for each in profile(source.text, source.name)]
    reports = "\n".join(filter(None, (report(source.text) for source in sources)))
    ir = IR(
        compiler="deterministic",
        context_sha256=context_sha256(sources),
        rules=by_kind(rules),
        output_spec=output_spec(rules, checks),
        exact_terms=exact_terms(all_sentences),
        available_tools=tools(all_blocks),
        data_profile=tuple(data),
        workflow=workflow(all_blocks),
        knowledge=knowledge(all_sentences, frozenset(rule_lines)),
    )
    verifiers = tuple(Verifier(rule, check) for rule, check in zip(rules, checks, strict=True) if check is not None)
    return Compiled(
        ir,
        verifiers,
        tuple(rejected),
        modules=modules_of(verifiers, reports),
        data_report=reports,
        sources=tuple(sources),
        guides=tuple(guides),
    )


def by_kind(rules: Sequence[Rule]) -> Rules:
    return Rules(
        must_do=tuple(rule for rule in rules if rule.kind == "must_do"),
        must_not=tuple(rule for rule in rules if rule.kind == "must_not"),
        conditional=tuple(rule for rule in rules if rule.kind == "conditional"),
    )


def modules_of(verifiers: Sequence[Verifier], data_report: str) -> tuple[str, ...]:
    """The dispatcher: format checks, other checks, and data each call for their module."""
    formats = [verifier for verifier in verifiers if verifier.check.op in MODULE_FORMATS]
    found = []
    if len(formats) < len(verifiers):
        found.append("rule_checker")
    if formats:
        found.append("format_validator")
    if data_report:
        found.append("data_analyzer")
    return tuple(found)


def is_guide(source: Source, parsed: Sequence[Block] | None = None) -> bool:
    """Whether a document tells contributors how to work on code, rather than an answerer how to answer."""
    if PurePosixPath(source.name).name in _REPOSITORY_FILES:
        return True
    return is_about_code(blocks(source.text) if parsed is None else parsed, source.text)


def is_about_code(parsed: Sequence[Block], text: str) -> bool:
    """Whether a document's quoted names are names in code: it shows code, or speaks of commits, tests and the like."""
    if any(block.kind == "code" and block.language in _CODE_LANGUAGES for block in parsed):
        return True
    return len(_CODE_WORDS.findall(text[:200_000])) >= 3


def _rule(sentence: Sentence, source: str, number: int, found: Found | None) -> Rule | None:
    if found is None:
        return None
    lead = sentence.lead.rstrip(":").strip()
    inherits = bool(lead) and sentence.opening and recognise_alone(sentence) is None
    return Rule(
        id=f"R{number}",
        kind=found.kind,
        text=f"{lead}: {sentence.text}" if inherits else sentence.text,
        quote=Quote(source=source, first_line=sentence.first_line, last_line=sentence.last_line, text=sentence.quote),
        strength=found.strength,
        condition=found.condition,
        negative=found.negative,
        section=sentence.section[:300],
        temporal=found.temporal,
        layout=found.layout,
    )


def of_data(sentence: Sentence) -> Found | None:
    """What is said of an answer's fields or parts, in whatever form ("`score` (integer)", "Anything but JSON is
    rejected")."""
    text = sentence.text
    if len(text) > _MAX_DATA or text.endswith("?"):
        return None
    readings = field_of(text, sure=False), data_of(text), scoped(text, sure=False), formed(text)
    if readings == (None,) * 4 and composed(text, read_clause) is None:
        return None
    return Found("must_do", False, "must", "", None, None)


_MIN_STATED = 4  # plain words of a sentence that no wording of it marks as a rule
_NAMED = re.compile(r"`[^`]*`|\"[^\"]*\"|\S*[.=(_]\S+")


def by_family(sentence: Sentence, about_code: bool) -> Found | None:
    """What a trained classifier takes for a demand on answers, or on the code that they show, however it is put."""
    from agent.cca.families.read import CERTAIN, read_family

    if len(re.findall(r"[A-Za-z]+", _NAMED.sub(" ", sentence.text))) < _MIN_STATED:
        return None
    made = by_families(sentence.text, about_code, certain=True) if about_code else read_family(sentence.text, CERTAIN)
    if made is None:
        return None
    return Found("must_do", False, "must", "", None, None)


def recognise_alone(sentence: Sentence) -> object:
    """What the sentence is without the one that introduces its list."""
    from dataclasses import replace

    return recognise(replace(sentence, lead=""))
