"""What is never re-encoded: orders, constraints, code, quotes and exact values in prose; instruction-like records."""

from __future__ import annotations

import re

from retrieval.compile.rot_injection import suspicious_phrases
from retrieval.context_ir.formats import has_representation
from retrieval.context_ir.records import Records

_CONSTRAINT = re.compile(
    r"\b(?:must|shall|should|never|always|only|required?|requires|forbidden|prohibited|mandatory|cannot|can't|won't"
    r"|don't|do not|may not|not allowed|no longer|except|unless|exactly|at least|at most|no more than|no less than"
    r"|ensure|make sure|keep in mind|important|remember)\b",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"```|~~~|`|^\s{0,12}(?:def|class|import|from|return|if|for|while|function|const|let|var|public|private|#include"
    r"|SELECT|INSERT|UPDATE|DELETE)\s+\S|[{};]\s*$|=>|->|\w\(|==|!=|:=|</?[A-Za-z]|\$\{",
    re.MULTILINE,
)
_QUOTE = re.compile("[\"“”„«»‟‹›「」『』]|(?<!\\w)['‘’]\\w|^\\s{0,12}>", re.MULTILINE)
_VALUE = re.compile(r"\d|https?:|\w@\w|[$€£¥%]|[A-Za-z]:\\|(?<!\S)/\w|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|(?<!\S)--?[A-Za-z]")
_ORDER = re.compile(
    r"\b(?:you (?:must|should|shall|will|may|can(?:not)?|are)"
    r"|your (?:instructions?|task|role|rules?|output|answer|reply)"
    r"|system prompt|the user|the assistant|the model|pretend|roleplay)\b",
    re.IGNORECASE,
)
_ORDER_HINTS = ("you", "system prompt", "the user", "the assistant", "the model", "pretend", "roleplay")
_IMPERATIVE = re.compile(
    r"^[\t ]{0,8}(?:please|ignore|disregard|forget|follow|obey|execute|run|reveal|print|output|reply|respond|answer"
    r"|always|never|do not|don't|must|delete|send|call|override|act as) \w",
    re.IGNORECASE | re.MULTILINE,
)
_ORDER_KEYS = re.compile(
    r"^(?:system|commands?|rules?|role|tools?|must|assistant|developer)$"
    r"|(?:^|[_\-. ])(?:instructions?|prompts?|directives?|polic(?:y|ies)|constraints?|requirements?|jailbreak)"
    r"(?:$|[_\-. ])"
)
_QUOTED_KEYS = re.compile(
    r"^codes?$|(?:^|[_\-. ])(?:code_?(?:block|snippet)|snippets?|source_?code|quotes?|quoted|quotation|verbatim"
    r"|citation|excerpt|script|sql|regexp?|diff|patch|html|markdown)(?:$|[_\-. ])"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ARTIFACT = re.compile(r"\ba_[0-9a-f]{8,64}\b|\bartifact_(?:id|get|peek|find)\b")
# A line of a log: a time, or a level in brackets or capitals, at its start.
_LOG_LINE = re.compile(
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d"
    r"|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d"
)
_LOG_SHARE = 0.9


def is_ours(text: str) -> bool:
    """Existing IR, receipts, and text that speaks of artifacts."""
    return has_representation(text) or (("a_" in text or "artifact_" in text) and _ARTIFACT.search(text) is not None)


def is_order(text: str) -> bool:
    """Whether a line of ``text`` reads like an order to whoever reads it."""
    lowered = text.lower()  # plain words first: the patterns cost more than all the rest on long sources
    if any(hint in lowered for hint in _ORDER_HINTS) and _ORDER.search(text):
        return True
    return _IMPERATIVE.search(text) is not None or bool(suspicious_phrases(text))


def prose_veto(text: str) -> str:
    """Why ``text`` may not be recoded as text; "" when nothing in it looks protected.

    Values are expected in logs, where every line starts with a time or a level; elsewhere a digit is enough.
    """
    if is_order(text):
        return "order"
    if _CONSTRAINT.search(text):
        return "constraint"
    if _CODE.search(text):
        return "code"
    if _QUOTE.search(text):
        return "quote"
    if _VALUE.search(text) and not is_log(text):
        return "value"
    return ""


def is_log(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 2 and sum(1 for line in lines if _LOG_LINE.match(line)) >= _LOG_SHARE * len(lines)


def records_veto(records: Records) -> str:
    """Why records may not be recoded: a key or a value that reads like an order, or fields of code and quotations."""
    for key in records.keys:
        name = _CAMEL.sub("_", key).lower()
        if _ORDER_KEYS.search(name) or is_order(key):
            return "order-key"
        if _QUOTED_KEYS.search(name):
            return "code-key"
    values = dict.fromkeys(value for row in records.rows for value in row if isinstance(value, str))
    text = "\n".join(values)
    if "```" in text:
        return "code"
    return "order" if is_order(text) else ""
