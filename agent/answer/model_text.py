"""From a text that a model or a plugin wrote to a checked answer: the one place, with rules over it or without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.answer.contract import check
from agent.answer.records import Answer, RulesReport
from agent.guard import strip_controls
from retrieval.pack_records import ContextPack


def answer_of(
    text: str,
    pack: ContextPack,
    *,
    model: str,
    answerer: str = "openai",
    usage: Mapping[str, int] | None = None,
    interrupted: str = "",
    notes: Sequence[str] = (),
    rules: RulesReport | None = None,
) -> Answer:
    """Hold ``text`` against the citation contract and say how it came about.

    Args:
        text: The model's, free of terminal control.
        model: ``provider/model``, or the package that a plugin came in.
        interrupted: Why the text is not whole; "" when it is.
        notes: What else the reader should know; the pack's warnings follow them.
    """
    checked = check(text, pack)
    incomplete = (f"the answer is incomplete: {interrupted}",) if interrupted else ()
    return Answer(
        text=checked.marked,
        statements=checked.statements,
        citations=checked.citations,
        abstained=checked.abstained,
        missing=pack.missing,
        notes=(*incomplete, *notes, *pack.warnings),
        answerer=answerer,
        model=strip_controls(model),
        usage=dict(usage or {}),
        question=pack.question,
        rules=rules,
    )
