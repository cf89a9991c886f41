"""What is never re-encoded: orders, constraints, code, quotes and exact values in prose; instruction-like records."""

from __future__ import annotations

import re

from retrieval.compile.rot_injection import suspicious_phrases
from retrieval.context_ir.formats import has_representation
from retrieval.context_ir.records import Records

# Plain words and characters are looked up first: on a long source the patterns would cost more than everything else.
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_CONSTRAINT_WORDS = _set(
    "must shall should never always only require required requires forbidden prohibited mandatory cannot can't won't "
    "don't mustn't shan't shouldn't ought except unless exactly ensure avoid refuse permitted forbid important remember"
)
_NEGATIONS = _set(
    "not no nor neither none nobody nothing without doesn't isn't aren't didn't wasn't weren't hasn't haven't"
)
_CONSTRAINT_STARTS = _set("do may not no at has have had need needs make keep")
_PHRASE = re.compile(
    r"\b(?:(?:do|may)[ \t]+not|not[ \t]+(?:allowed|be)|no[ \t]+(?:longer|more[ \t]+than|less[ \t]+than)"
    r"|(?:has|have|had|needs?)[ \t]+to|at[ \t]+(?:least|most)|make[ \t]+sure|keep[ \t]+in[ \t]+mind)\b",
    re.IGNORECASE,
)

_CODE_MARKS = ("`", "~~~", "=>", "->", "==", "!=", ":=", "${")
_CODE_WORDS = _set(
    "def class import from return if for while function const let var public private include "
    "select insert update delete"
)
_CODE_LINE = re.compile(
    r"^[ \t]{0,40}(?:def|class|import|from|return|if|for|while|function|const|let|var|public|private|#include"
    r"|SELECT|INSERT|UPDATE|DELETE)[ \t]+\S",
    re.MULTILINE,
)
_CALL = re.compile(r"\w\(")
_BLOCK_END = re.compile(r"[{};][ \t\r]*$", re.MULTILINE)
_ASSIGNMENT = re.compile(r"^[ \t]{0,40}[A-Za-z_][\w.]{0,80}[ \t]{0,8}[-+*/%|&^]?=", re.MULTILINE)
_TAG = re.compile(r"</?[A-Za-z]")

_QUOTES = frozenset('"“”„«»‟‹›「」『』')
_SINGLE_QUOTED = re.compile(r"(?<!\w)['‘’]\w")
_CITED = re.compile(r"^[ \t]{0,40}>", re.MULTILINE)

_VALUE_CHARS = frozenset("$€£¥%@")
_VALUE = re.compile(r"[A-Za-z]:\\|://|(?<!\S)/\w|\w_\w|[a-z][A-Z]|\w\.\w|(?<!\S)--?[A-Za-z]")  # paths, names, options

_ORDER = re.compile(
    r"\b(?:you (?:must|should|shall|will|may|can(?:not)?|are)"
    r"|your (?:instructions?|task|role|rules?|output|answer|reply)"
    r"|system prompt|the user|the assistant|the model|pretend|roleplay)\b",
    re.IGNORECASE,
)
_ORDER_WORDS = _set("you your system user assistant model pretend roleplay")
_IMPERATIVE = re.compile(
    r"^[\t ]{0,8}(?:please|ignore|disregard|forget|follow|obey|execute|run|reveal|print|output|reply|respond|answer"
    r"|always|never|do not|don't|must|delete|send|call|override|act as) \w",
    re.IGNORECASE | re.MULTILINE,
)
_IMPERATIVE_WORDS = _set(
    "please ignore disregard forget follow obey execute run reveal print output reply respond answer always never do "
    "don't must delete send call override act"
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
    return _is_order(text, _words(text))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower().replace("’", "'")))


def _is_order(text: str, words: frozenset[str]) -> bool:
    if words & _ORDER_WORDS and _ORDER.search(text):
        return True
    if words & _IMPERATIVE_WORDS and _IMPERATIVE.search(text):
        return True
    return bool(suspicious_phrases(text))


def prose_veto(text: str) -> str:
    """Why ``text`` may not be recoded as text; "" when nothing in it looks protected.

    Values and negations are expected in logs, where every line starts with a time or a level; elsewhere a digit, a name
    of code or a "not" is enough.
    """
    lines = dict.fromkeys(text.split("\n"))  # a line that comes again says nothing new
    distinct = "\n".join(lines)
    words, chars = _words(distinct), frozenset(distinct)
    if _is_order(distinct, words):
        return "order"
    if words & _CONSTRAINT_WORDS or (words & _CONSTRAINT_STARTS and _PHRASE.search(distinct)):
        return "constraint"
    if _is_code(distinct, words, chars):
        return "code"
    if (
        chars & _QUOTES
        or (chars & frozenset("'‘’") and _SINGLE_QUOTED.search(distinct))
        or (">" in chars and _CITED.search(distinct))
    ):
        return "quote"
    if is_log(text):
        return ""
    if words & _NEGATIONS:
        return "negation"
    return "value" if _has_value(distinct, chars) else ""


def _is_code(text: str, words: frozenset[str], chars: frozenset[str]) -> bool:
    return (
        any(mark in text for mark in _CODE_MARKS)
        or ("(" in chars and _CALL.search(text) is not None)
        or (bool(chars & frozenset("{};")) and _BLOCK_END.search(text) is not None)
        or ("=" in chars and _ASSIGNMENT.search(text) is not None)
        or ("<" in chars and _TAG.search(text) is not None)
        or (bool(words & _CODE_WORDS) and _CODE_LINE.search(text) is not None)
    )


def _has_value(text: str, chars: frozenset[str]) -> bool:
    if chars & _VALUE_CHARS or any(char.isdigit() or char.isnumeric() for char in chars):
        return True
    return _VALUE.search(text) is not None


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
