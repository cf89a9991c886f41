"""What verification found, for the terminal."""

from __future__ import annotations

from agent.cca.verify import Checked, Verification, place
from agent.guard import strip_controls

_MAX_TEXT = 140
_MAX_LISTED = 30


def render_verification(found: Verification, answer: str) -> str:
    """A summary line, then violations with their places, what held, what was not decided. Ends with a line feed."""
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
    why = f": {each.verdict.message}" if each.verdict.message else ""
    at = ""
    if each.verdict.status == "violated" and each.verdict.spans and each.verdict.spans[0].end > 0:
        at = f" (line {answer.replace(chr(13), '').count(chr(10), 0, each.verdict.spans[0].start) + 1} of the answer)"
    return f"  {word} {each.rule.id} ({place(each.rule)}): {_short(each.rule.text)}{why}{at}"


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= _MAX_TEXT else folded[: _MAX_TEXT - 1] + "…"
