"""The source's own compliant examples: a verifier that flags one of them has misread its rule and is rejected."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from agent.cca.documents import Block
from agent.cca.interpret import Verdict, run_check
from agent.cca.ir import Rule

_GOOD = re.compile(
    r"\b(?:good|do this|correct|right|example|valid|preferred|like this|for instance|as follows|should look)\b",
    re.IGNORECASE,
)
_BAD = re.compile(
    r"\b(?:bad|don['’]t|do not|wrong|incorrect|invalid|avoid|instead of|never)\b",
    re.IGNORECASE,
)
_MAX_EXAMPLES = 40
_ABOUT_WHOLE_ANSWER = frozenset(
    {"sections", "count", "starts", "ends", "keys", "valid", "contains", "numeric", "table", "order"}
)


def examples_of(parsed: Sequence[Block]) -> list[tuple[int, str]]:
    """(line, text) of the blocks of code and quotes that the document shows as good, in order."""
    found: list[tuple[int, str]] = []
    before = ""
    for block in parsed:
        if block.kind in ("code", "quote"):
            if before and _GOOD.search(before) and not _BAD.search(before):
                text = f"```{block.language}\n{block.text}\n```" if block.kind == "code" else block.text
                found.append((block.first_line, text))
        else:
            before = block.text[-300:]
    return found[:_MAX_EXAMPLES]


def flags_an_example(check: Any, rule: Rule, parsed: Sequence[Block]) -> str:
    """Why the check is rejected; "" when no example speaks against it.

    An example is a part of an answer: what demands something of a whole answer is judged only by the examples that
    follow its rule, at most eight lines below it and in its section.
    """
    for line, text in examples_of(parsed):
        near = rule.quote.last_line < line <= rule.quote.last_line + 8
        if check.op in _ABOUT_WHOLE_ANSWER and not near:
            continue
        if _judge(check, text).status == "violated":
            return f"it flags the document's own example in line {line}"
    return ""


def _judge(check: Any, text: str) -> Verdict:
    if check.op != "python":
        return run_check(check, text)
    from agent.cca.sandbox import run_generated

    return run_generated(check.code, text)
