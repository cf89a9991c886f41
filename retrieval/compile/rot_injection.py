"""Text in evidence that speaks to a model: orders, role changes, chat and tool-call markup. Flagged, never obeyed."""

from __future__ import annotations

import re
from itertools import islice

_MAX_PHRASE = 60
_MAX_FINDINGS = 20

_MODEL = r"(?:ai|llm|language model|(?:ai|coding) (?:assistant|agent))s?"
_TAG = "tool_calls?|function_calls?|tool_use|invoke|antml|system[_-]prompt|assistant_instructions"

_Groups = tuple[tuple[str, ...], ...]

# (groups of words, pattern): a match holds a word of each group, in lower case, so that most patterns need not run. A
# blank in a pattern stands for white space inside a line. Plain words with optional words between them, no nested
# repetition: matching is linear.
_PHRASES: tuple[tuple[_Groups, str], ...] = (
    (
        (
            ("ignore", "disregard", "forget", "override"),
            ("previous", "prior", "above", "earlier", "preceding", "system", "original", "existing"),
        ),
        r"\b(?:ignore|disregard|forget|override) (?:all |any )?(?:of )?(?:the |your |these |my )?"
        r"(?:previous|prior|above|earlier|preceding|system|original|existing) "
        r"(?:instruction|prompt|message|direction|rule|context|command|guideline)s?\b",
    ),
    (
        (("ignore", "disregard", "forget"), ("everything", "all"), ("above", "before", "you")),
        r"\b(?:ignore|disregard|forget) (?:everything|all) (?:above|before|you)\b",
    ),
    (
        (("now",), ("you",)),
        r"\byou are now (?:a|an|in|the|acting|my|dan)\b|\bfrom now on,? you (?:are|will|must)\b",
    ),
    (
        (("user",), ("tell", "inform", "reveal", "mention")),
        r"\b(?:do not|don't|never) (?:tell|inform|reveal (?:this )?to|mention (?:this )?to) the user\b",
    ),
    ((("instruction",), ("new",)), r"\bnew (?:system )?instructions? ?:"),
    ((("prompt",), ("system",)), r"\b(?:reveal|print|repeat|output) (?:your|the) system prompt\b"),
    (
        (("ai", "llm", "model", "assistant", "agent"), ("dear", "attention", "note", "you")),
        rf"\b(?:dear|attention|note to) {_MODEL}\b|\bas an {_MODEL},? you\b|\bif you are an? {_MODEL}\b",
    ),
    (
        (("<",), ("tool", "function_call", "invoke", "antml", "prompt", "assistant")),
        rf"</?(?:{_TAG})\b[^<>\n]{{0,80}}>",
    ),
    ((("<|",),), r"<\|(?:im_start|im_end|system|assistant|user|start_header_id|eot_id|endofprompt)\|>"),
    ((("inst]", "<sys>>"),), r"(?<!\w)\[/?INST\]|<</?SYS>>"),
)
Patterns = tuple[tuple[_Groups, re.Pattern[str]], ...]
_PATTERNS: Patterns = tuple(
    (groups, re.compile(pattern.replace(" ?", r"[\x20\t]?").replace(" ", r"[\x20\t]+"), re.IGNORECASE))
    for groups, pattern in _PHRASES
)


def patterns_for(text: str) -> Patterns:
    """The patterns that may match in ``text`` or in any run of its lines."""
    lowered = _lowered(text)
    return tuple([(groups, pattern) for groups, pattern in _PATTERNS if _holds_each(lowered, groups)])


def suspicious_phrases(text: str, patterns: Patterns = _PATTERNS) -> list[tuple[int, str]]:
    """(line index from 0, phrase) of at most 20 suspicious places in ``text``, in order."""
    lowered = _lowered(text) if patterns else ""
    found: list[tuple[int, str]] = []
    for groups, pattern in patterns:
        if _holds_each(lowered, groups):
            for match in islice(pattern.finditer(text), _MAX_FINDINGS):
                found.append((match.start(), match.group()[:_MAX_PHRASE]))
    found.sort()
    return [(text.count("\n", 0, at), phrase) for at, phrase in found[:_MAX_FINDINGS]]


def _lowered(text: str) -> str:
    """In lower case, with s and i for the two other letters that a pattern takes for them."""
    return text.lower() if text.isascii() else text.casefold().replace("\u0131", "i")


def _holds_each(text: str, groups: _Groups) -> bool:
    for words in groups:
        for word in words:
            if word in text:
                break
        else:
            return False
    return True
