"""What verification found, for the terminal."""

from __future__ import annotations

from agent.cca.compiled import Compiled
from agent.cca.describe import in_words
from agent.cca.prompts import told
from agent.cca.verify import Checked, Verification, place
from agent.guard import strip_controls

_MAX_TEXT = 140
_MAX_LISTED = 30


_KINDS = {"must_do": "must", "must_not": "must not", "conditional": "if"}


def render_rules(compiled: Compiled) -> str:
    """Every rule under its document and section: number, line, kind, text, and what its verifier looks at."""
    checks = {each.rule.id: each for each in compiled.verifiers}
    rejected = {each.rule_id: each.why for each in compiled.rejected}
    lines: list[str] = []
    place = ("", "")
    for rule in compiled.ir.rules.all():
        here = (rule.quote.source, rule.section)
        if here[0] != place[0]:
            lines.extend(["", here[0]] if lines else [here[0]])
        if here != place and here[1]:
            lines.append(f"  {here[1]}")
        place = here
        kind = _KINDS[rule.kind] if rule.strength == "must" else f"{_KINDS[rule.kind]}, soft"
        lines.append(f"  {rule.id:>5} {rule.quote.first_line:>5}  [{kind}] {_short(rule.text)}")
        if rule.id in checks:
            origin = "" if checks[rule.id].origin == "deterministic" else f" ({checks[rule.id].origin})"
            lines.append(f"{'':>15}checked{origin}: {in_words(checks[rule.id].check)}")
        elif rule.id in rejected:
            lines.append(f"{'':>15}no verifier: {rejected[rule.id]}")
    unchecked = len(compiled.ir.rules.all()) - len(checks)
    lines.append(f"{told(compiled)}; {unchecked} cannot be checked by program")
    if compiled.data_report:
        lines.extend(["", "Data:", compiled.data_report])
    return strip_controls("\n".join(lines)) + "\n"


def render_verification(found: Verification, answer: str) -> str:
    """A summary line, then violations with their places, what held, what was not decided. Ends with a line feed."""
    if not found.checked and not found.unchecked:
        return "rules: none of them bears on this answer\n"
    counts = f"{len(found.held)} held, {len(found.violations)} violated, {len(found.undecided)} not applicable"
    lines = [f"rules: {counts}, {len(found.unchecked)} not checked by program"]
    lines.extend(_line("violated", each, answer) for each in found.violations)
    lines.extend(_line("held", each, answer) for each in found.held[:_MAX_LISTED])
    lines.extend(_line("not applicable", each, answer) for each in found.undecided[:_MAX_LISTED])
    lines.extend(
        f"  not checked {rule.id} ({place(rule)}): {_short(rule.text)}" for rule in found.unchecked[:_MAX_LISTED]
    )
    hidden = len(found.unchecked) - _MAX_LISTED
    if hidden > 0:
        lines.append(f"  … and {hidden} more that no program checks")
    return strip_controls("\n".join(lines)) + "\n"


def _line(word: str, each: Checked, answer: str) -> str:
    why = f" [{each.verdict.message}]" if each.verdict.message else ""
    at = ""
    if each.verdict.status == "violated" and each.verdict.spans and each.verdict.spans[0].end > 0:
        at = f" (line {answer.replace(chr(13), '').count(chr(10), 0, each.verdict.spans[0].start) + 1} of the answer)"
    return f"  {word} {each.rule.id} ({place(each.rule)}): {_short(each.rule.text)}{why}{at}"


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= _MAX_TEXT else folded[: _MAX_TEXT - 1] + "…"
