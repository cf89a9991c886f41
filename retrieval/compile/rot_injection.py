"""Text in evidence that speaks to a model: orders, role changes, chat and tool-call markup. Flagged, never obeyed."""

from __future__ import annotations

import re

_MAX_PHRASE = 60
_MAX_FINDINGS = 20

_MODEL = r"(?:ai|llm|language model|(?:ai|coding) (?:assistant|agent))s?"
_TAG = "tool_calls?|function_calls?|tool_use|invoke|antml|system[_-]prompt|assistant_instructions"

# Plain words with optional words between them, a blank standing for white space inside a line: no nested repetition,
# so matching is linear.
_PHRASES = (
    r"\b(?:ignore|disregard|forget|override) (?:all |any )?(?:of )?(?:the |your |these |my )?"
    r"(?:previous|prior|above|earlier|preceding|system|original|existing) "
    r"(?:instruction|prompt|message|direction|rule|context|command|guideline)s?\b",
    r"\b(?:ignore|disregard|forget) (?:everything|all) (?:above|before|you)\b",
    r"\byou are now (?:a|an|in|the|acting|my|dan)\b",
    r"\bfrom now on,? you (?:are|will|must)\b",
    r"\b(?:do not|don't|never) (?:tell|inform|reveal (?:this )?to|mention (?:this )?to) the user\b",
    r"\bnew (?:system )?instructions? ?:",
    r"\b(?:reveal|print|repeat|output) (?:your|the) system prompt\b",
    rf"\b(?:dear|attention|note to) {_MODEL}\b",
    rf"\bas an {_MODEL},? you\b",
    rf"\bif you are an? {_MODEL}\b",
    rf"</?(?:{_TAG})\b[^<>\n]{{0,80}}>",
    r"<\|(?:im_start|im_end|system|assistant|user|start_header_id|eot_id|endofprompt)\|>",
    r"\[/?INST\]|<</?SYS>>",
)
_SUSPICIOUS = re.compile("|".join(_PHRASES).replace(" ?", r"[\x20\t]?").replace(" ", r"[\x20\t]+"), re.IGNORECASE)


def suspicious_phrases(text: str) -> list[tuple[int, str]]:
    """(line index from 0, phrase) of at most 20 suspicious places in ``text``, in order."""
    found: list[tuple[int, str]] = []
    for match in _SUSPICIOUS.finditer(text):
        found.append((text.count("\n", 0, match.start()), match.group()[:_MAX_PHRASE]))
        if len(found) >= _MAX_FINDINGS:
            break
    return found
