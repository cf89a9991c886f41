"""Runs the verifiers of a compiled context on an answer: which rules hold, are violated, could not be checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent.cca.compiled import Compiled, Verifier
from agent.cca.interpret import Verdict, run_check
from agent.cca.ir import Rule
from agent.cca.views import View


@dataclass(frozen=True, slots=True)
class Checked:
    """One rule's outcome."""

    rule: Rule
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Verification:
    """``checked`` in the order of the rules; ``unchecked``: rules that no verifier covers."""

    checked: tuple[Checked, ...]
    unchecked: tuple[Rule, ...]

    @property
    def violations(self) -> tuple[Checked, ...]:
        return tuple(each for each in self.checked if each.verdict.status == "violated")

    @property
    def held(self) -> tuple[Checked, ...]:
        return tuple(each for each in self.checked if each.verdict.status == "holds")

    @property
    def undecided(self) -> tuple[Checked, ...]:
        return tuple(each for each in self.checked if each.verdict.status == "no_verdict")

    def to_dict(self) -> dict[str, Any]:
        return {
            "checked": [
                {
                    "rule": each.rule.id,
                    "status": each.verdict.status,
                    "message": each.verdict.message,
                    "text": each.rule.text,
                    "source": place(each.rule),
                    "spans": [[span.start, span.end] for span in each.verdict.spans],
                }
                for each in self.checked
            ],
            "unchecked": [{"rule": rule.id, "text": rule.text, "source": place(rule)} for rule in self.unchecked],
        }


def verify(
    compiled: Compiled,
    answer: str,
    verifiers: Sequence[Verifier] | None = None,
    *,
    question: str | None = None,
    quotable: frozenset[str] = frozenset(),
    allow_generated: bool = False,
) -> Verification:
    """Run ``verifiers`` (default: all of the compiled ones) on an answer. Never raises.

    Args:
        question: What was asked; conditions such as "when asked about X" look at it.
        quotable: Lines, stripped, that an answer may quote: what stands in them is not the answer's own doing.
        allow_generated: Checks that a model wrote in Python run, in a sandbox; else they give no verdict.
    """
    chosen = compiled.verifiers if verifiers is None else verifiers
    view = View(answer)
    checked = tuple(
        Checked(each.rule, _excused(_judge(each.check, view, question, allow_generated), view, quotable))
        for each in chosen
    )
    covered = {each.rule.id for each in chosen}
    unchecked = tuple(rule for rule in compiled.ir.rules.all() if rule.id not in covered)
    return Verification(checked, unchecked)


def _excused(verdict: Verdict, view: View, quotable: frozenset[str]) -> Verdict:
    """No violation when all of its places lie in code that is quoted as it stands."""
    if verdict.status != "violated" or not verdict.spans or not quotable:
        return verdict
    fenced = [fence.span for fence in view.fences]
    for span in verdict.spans:
        if not any(fence.start <= span.start < fence.end for fence in fenced):
            return verdict
        start = view.text.rfind("\n", 0, span.start) + 1
        end = view.text.find("\n", span.start)
        line = view.text[start : end if end >= 0 else len(view.text)]
        if line.strip() not in quotable:
            return verdict
    return Verdict("no_verdict", "only in lines that it quotes")


def _judge(check: Any, view: View, question: str | None, allow_generated: bool) -> Verdict:
    if check.op != "python":
        return run_check(check, view, question)
    if not allow_generated:
        return Verdict("no_verdict", "a generated check, not run without --allow-generated-code")
    from agent.cca.sandbox import run_generated

    return run_generated(check.code, view.text)


def place(rule: Rule) -> str:
    quote = rule.quote
    lines = str(quote.first_line) if quote.first_line == quote.last_line else f"{quote.first_line}-{quote.last_line}"
    return f"{quote.source}:{lines}" if quote.source else f"line {lines}"
