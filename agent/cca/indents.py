"""How the code of an answer is indented."""

from __future__ import annotations

from agent.cca import checks as c
from agent.cca.formats import Judgement
from agent.cca.views import Span, View

_HOLDS: Judgement = ("holds", "", ())


def judge_indent(view: View, check: c.Indent) -> Judgement:
    """Steps into a block of code are judged (after a line that ends in ``:``): a continuation may stand anywhere."""
    wrong: list[Span] = []
    seen = False
    opener: int | None = None
    for line in view.code_lines:
        text = view.of(line)
        if not text.strip():
            continue
        lead = text[: len(text) - len(text.lstrip(" \t"))]
        if ("\t" in lead) != check.tabs and lead:
            seen = True
            wrong.append(line)
        elif opener is not None and not check.tabs and len(lead) > opener:
            seen = True
            if len(lead) - opener != check.width:
                wrong.append(line)
        elif lead:
            seen = True
        opener = len(lead) if text.rstrip().endswith((":", "{")) else None
    if wrong:
        what = "tabs" if check.tabs else f"{check.width} spaces"
        return "violated", f"{len(wrong)} lines are not indented by {what}", tuple(wrong[:20])
    return _HOLDS if seen else ("no_verdict", "there is no indented code", ())
