"""Text in evidence that speaks to a model: orders, role changes, chat and tool-call markup. Flagged, never obeyed."""

from __future__ import annotations

import re
from itertools import islice

_MAX_PHRASE = 60
_MAX_FINDINGS = 20

_MODEL = r"(?:ai|llm|language model|(?:ai|coding) (?:assistant|agent))s?"
_TAG = "tool_calls?|function_calls?|tool_use|invoke|antml|system[_-]prompt|assistant_instructions"

# (words of which one must occur in the lower-cased text, pattern). A blank in a pattern stands for white space inside a
# line. Plain words with optional words between them, no nested repetition: matching is linear.
_PHRASES: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("ignore", "disregard", "forget", "override"),
        r"\b(?:ignore|disregard|forget|override) (?:all |any )?(?:of )?(?:the |your |these |my )?"
        r"(?:previous|prior|above|earlier|preceding|system|original|existing) "
        r"(?:instruction|prompt|message|direction|rule|context|command|guideline)s?\b",
    ),
    (("ignore", "disregard", "forget"), r"\b(?:ignore|disregard|forget) (?:everything|all) (?:above|before|you)\b"),
    (("now",), r"\byou are now (?:a|an|in|the|acting|my|dan)\b|\bfrom now on,? you (?:are|will|must)\b"),
    (
        ("user",),
        r"\b(?:do not|don't|never) (?:tell|inform|reveal (?:this )?to|mention (?:this )?to) the user\b",
    ),
    (("instruction",), r"\bnew (?:system )?instructions? ?:"),
    (("prompt",), r"\b(?:reveal|print|repeat|output) (?:your|the) system prompt\b"),
    (
        ("ai", "llm", "model", "assistant", "agent"),
        rf"\b(?:dear|attention|note to) {_MODEL}\b|\bas an {_MODEL},? you\b|\bif you are an? {_MODEL}\b",
    ),
    (("tool", "function_call", "invoke", "antml", "prompt", "assistant"), rf"</?(?:{_TAG})\b[^<>\n]{{0,80}}>"),
    (("<|",), r"<\|(?:im_start|im_end|system|assistant|user|start_header_id|eot_id|endofprompt)\|>"),
    (("inst]", "<sys>>"), r"(?<!\w)\[/?INST\]|<</?SYS>>"),
)
_PATTERNS = tuple(
    (words, re.compile(pattern.replace(" ?", r"[\x20\t]?").replace(" ", r"[\x20\t]+"), re.IGNORECASE))
    for words, pattern in _PHRASES
)


def suspicious_phrases(text: str) -> list[tuple[int, str]]:
    """(line index from 0, phrase) of at most 20 suspicious places in ``text``, in order."""
    lowered = text.lower()
    found: list[tuple[int, str]] = []
    for words, pattern in _PATTERNS:
        if any(word in lowered for word in words):
            for match in islice(pattern.finditer(text), _MAX_FINDINGS):
                found.append((match.start(), match.group()[:_MAX_PHRASE]))
    found.sort()
    return [(text.count("\n", 0, at), phrase) for at, phrase in found[:_MAX_FINDINGS]]
