"""An answer for the terminal: the text, the numbered places it cites, and what the reader should know about it."""

from __future__ import annotations

from collections.abc import Sequence

from agent.answer.records import Answer, Citation
from agent.guard import strip_controls

_MAX_SYMBOL = 80
_MAX_DROPPED = 2  # pieces of evidence told one by one


def render_answer(answer: Answer) -> str:
    """Everything, for stdout: ends with a line feed, holds no terminal control."""
    parts = [answer.text.rstrip("\n")]
    parts.append(render_details(answer).rstrip("\n"))
    return "\n\n".join(part for part in parts if part) + "\n"


def render_details(answer: Answer) -> str:
    """What follows the text: citations, failed sentences, notes (a streamed text is on the screen already)."""
    blocks: list[list[str]] = []
    if answer.citations:
        blocks.append([citation_line(group) for group in _by_number(answer.citations)])
    failed = list(dict.fromkeys(f"not supported: {_short(each.text)} ({each.why})" for each in answer.unsupported))
    if failed:
        blocks.append(failed)
    notes = [f"rot: {line}" for line in _gathered(answer.rot_actions)] + [f"note: {line}" for line in answer.notes]
    if not answer.abstained:
        notes += [f"missing: {line}" for line in answer.missing]
    if notes:
        blocks.append(notes)
    if answer.rules is not None:
        blocks.append(answer.rules.text.rstrip("\n").split("\n"))
    blocks.append([_summary(answer)])
    return strip_controls("\n\n".join("\n".join(map(_one_line, block)) for block in blocks)) + "\n"


def _gathered(actions: Sequence[str]) -> list[str]:
    """One line for many pieces that were dropped for the same reason; ``--json`` has each."""
    dropped = [line for line in actions if line.startswith("dropped ")]
    if len(dropped) <= _MAX_DROPPED:
        return list(actions)
    places = ", ".join(line.removeprefix("dropped ").split(": ", 1)[0] for line in dropped[:_MAX_DROPPED])
    rest = [line for line in actions if not line.startswith("dropped ")]
    return [f"left out {len(dropped)} weak or repeated pieces of evidence before answering ({places} …)", *rest]


def citation_line(group: list[Citation]) -> str:
    """``[1] src/flask/app.py:546-560, 600 Flask.run``; the symbol when all of the places are in it."""
    first = group[0]
    places: dict[str, None] = {}
    for each in sorted(group, key=lambda citation: (citation.start, citation.end)):
        places[str(each.start) if each.start == each.end else f"{each.start}-{each.end}"] = None
    symbols = {each.symbol for each in group}
    name = f" {_short(first.symbol, _MAX_SYMBOL)}" if first.symbol and len(symbols) == 1 else ""
    return f"[{first.number}] {first.path}:{', '.join(places)}{name}"


def _by_number(citations: tuple[Citation, ...]) -> list[list[Citation]]:
    groups: dict[int, list[Citation]] = {}
    for citation in sorted(citations, key=lambda each: each.number):
        groups.setdefault(citation.number, []).append(citation)
    return list(groups.values())


def _summary(answer: Answer) -> str:
    who = answer.answerer + (f" ({answer.model})" if answer.model else "")
    facts = [statement for statement in answer.statements if statement.kind == "evidence"]
    held = sum(statement.supported for statement in facts)
    inferred = sum(statement.kind == "inference" for statement in answer.statements)
    verdict = (
        "refused"
        if answer.refused
        else "abstained"
        if answer.abstained
        else f"{held} of {len(facts)} statements supported"
        if facts
        else "nothing stated"
    )
    text = f"answered by {who}: {verdict}"
    if inferred:
        text += f", {inferred} marked as inference"
    if answer.usage.get("total_tokens"):
        text += f", {answer.usage['total_tokens']} tokens used"
    return text


def _short(text: str, limit: int = 160) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= limit else folded[: limit - 1] + "…"


def _one_line(text: str) -> str:
    return " ".join(text.split("\n"))
