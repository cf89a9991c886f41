"""Checks that are taken back: the sentence says of what they read that it holds elsewhere, at times, or otherwise."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.refused import is_marker, refused, takes_back
from agent.cca.quoted import quoted_terms

_I = re.IGNORECASE
_BEHIND_OTHERS = re.compile(
    r"^(?:and )?(?:at the (?:very )?end|finally|lastly|in the end|after (?:that|this|your)|then|next)\b"
    r"|\bat the (?:very )?end(?: of (?:the|your) (?:answers?|responses?|repl\w+|outputs?|messages?|text))?\W*$",
    _I,
)
"""Data that follow other text."""
_HANGS = re.compile(
    r"\bwhere (?:there (?:is|are)|nothing|no\b|needed|it (?:is|does|has)|you (?:have|cannot|can))|\bfor (?:whole"
    r"|round) \w+"
    r"|\b(?:or|and) with (?:the|an?) |\bwith (?:an?|the) \w+ or (?:with )?(?:the |an? )",
    _I,
)
"""What is quoted is said in some cases, or is one of two ways."""
_BESIDE = re.compile(r"§ (?:with|followed by|before|after|in front of|next to) (?:an?|any|another) ", _I)
"""``never uses "Mr" with a first name``: refused beside something alone."""
_SAY_INSTEAD = re.compile(r"\b(?:no|not|never|avoid|without)\b[^:]*: (?:say|write|use|put|prefer|spell)\b", _I)
"""``No symbols: say "and"``: in place of what is refused, not in every answer."""
_OF_CODE = re.compile(r"\bthe (?:type|keyword|operator|hook|class|tag|modifier|annotation|directive) [`\"“']", _I)
_FACT_LABEL = re.compile(
    r"^(?!(?:[\w-]+ ){0,3}(?:answers?|repl(?:y|ies)|responses?|outputs?|format|messages?)\b)[\w' -]{2,40} are"
    r" [\w' -]{2,40}: ",
    _I,
)
"""``Features are fragments: …``: what follows is said of them."""
_ALTERNATIVES = re.compile(r"\b[A-Z]\w*(?:/[A-Z]\w*){2,} ")
"""``"Dear Mr/Mrs/Ms Surname"``: one of them is chosen, and nobody spells the slashes."""
_NO_OTHER = re.compile(
    r"(?:^|[,;:] |\band )(?:no|each|every) (?!(?:single )?(?:answer|reply|response|output|message|sentence|line"
    r"|paragraph|word"
    r"|bullet|heading|item|step|text|part|section|turn|character)s?\b)[a-z-]+ (?:is|are|may be|can be|should be"
    r"|must be)"
    r" (?:ever )?(?:longer|shorter|more|over|under|above|below|at most|at least)\b",
    _I,
)
"""``no feature is longer than six words``: a length of another thing."""
_PART_LONGER = re.compile(
    r"^(?:please |and )?(?:no|each|every) (?:single )?"
    r"(?:sentence|line|paragraph|bullet|heading|item|step|section|title)s?"
    r" (?:(?:is|are|may be|can be|should be|must be) )?(?:ever )?(?:longer|shorter|over|beyond|exceeding|with more)\b",
    _I,
)
"""``No sentence longer than 15 words``: a length of each of them, not of the answer."""
_IN_MARKDOWN = re.compile(r"^(?:please )?[^,;:]{0,30}\b(?:in|as|using|with) (?:valid )?markdown without\b", _I)
_CHOICE = r"(?i)\A[\s"
_SECTIONS = re.compile(r"\b(?:sections?|headings?|headers|parts|blocks)\b[^.]* and ", _I)
"""Both sections are written, none of them is chosen."""
_NONE = re.compile(
    r"(?:and )?(?:none|neither|both) (?:of (?:them|these|those) )?(?:is|are|has|have|may|must|should|can)\b", _I
)
"""``…; none is longer than 45 words``: of what the sentence before it speaks of."""
_OBJECT = re.compile(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*(?:\}|$)")
_IN_WORDS = frozenset({"contains", "absent", "starts", "ends", "order"})


def _is_length(check: Any) -> bool:
    return check.op == "count" and check.unit in ("words", "characters") and check.within == "answer"


def kept(check: Any | None, text: str, of_part: bool = False) -> Any | None:
    """The check, what remains of it, or None where the sentence takes it back."""
    if check is None or _NONE.match(text) or (not of_part and _is_length(check) and _PART_LONGER.match(text)):
        return None
    if check.op == "all":
        parts = tuple(part for each in check.checks if (part := kept(each, text, of_part)) is not None)
        return None if not parts else parts[0] if len(parts) == 1 else c.AllOf(checks=parts)
    if check.op == "each" and is_marker(check, text):
        return None
    if check.op in ("every", "each", "not"):
        return check if kept(check.check, text, True) == check.check else None
    if check.op == "when":
        return check if kept(check.then, text, of_part) == check.then else None
    if check.op == "count" and not of_part and _NO_OTHER.search(text):
        return None
    if check.op in ("valid", "schema") and _BEHIND_OTHERS.search(text):
        return None
    if check.op == "keys":
        return _keys_shown(check, text)
    if check.op == "matches" and not of_part and _FACT_LABEL.match(text):
        return None
    if check.op == "matches" and check.finds == "markdown" and check.most == 0 and _IN_MARKDOWN.search(text):
        return None
    if check.op == "matches" and check.pattern.startswith(_CHOICE) and _SECTIONS.search(text):
        shown = tuple(each.text for each in quoted_terms(text))
        return c.Contains(terms=shown, words=False) if len(shown) > 1 else None
    if takes_back(check, text):
        return None
    if check.op == "absent":
        return None if _words_withheld(check, text) else refused(check, text)
    if check.op == "matches" and not check.finds and _shows_object(check.pattern, text):
        return None
    return None if check.op in _IN_WORDS and _words_withheld(check, text) else check


def _words_withheld(check: Any, text: str) -> bool:
    if _SAY_INSTEAD.search(text) and check.op in ("contains", "absent"):
        return True
    if (check.op in ("contains", "starts", "ends") and _HANGS.search(_unquoted(text))) or (
        check.op == "absent" and _OF_CODE.search(text) and getattr(check, "within", "") in ("answer", "prose")
    ):
        return True
    if check.op == "absent" and _BESIDE.search(_unquoted(text)):
        return True
    if any(_ALTERNATIVES.search(f"{term} ") for term in check.terms):
        return True
    inside = [span.span() for span in _OBJECT.finditer(text) if ":" in span[0]]
    shown = [text.find(term) for term in check.terms]
    return check.op == "contains" and bool(inside) and all(any(a < at < b for a, b in inside) for at in shown)


def _unquoted(text: str) -> str:
    for each in reversed(quoted_terms(text)):
        text = f"{text[: each.start]}§{text[each.end :]}"
    return text


def _keys_shown(check: Any, text: str) -> Any | None:
    """Of an object that is shown only the names of its fields are keys, not what stands in them."""
    values = {
        value.strip("\"'")
        for span in _OBJECT.findall(text)
        for value in re.findall(
            r"(?<=[\[,:] )[\"'][^\"'\n]{1,80}[\"'](?!\s*:)|(?<=\[)[\"'][^\"'\n]{1,80}[\"'](?!\s*:)", span
        )
    }
    named = {name for span in _OBJECT.findall(text) for name in re.findall(r"[\"']([^\"'\n]{1,80})[\"']\s*:", span)}
    keys = tuple(dict.fromkeys(key for key in check.keys if key in named or key not in values))
    return check.model_copy(update={"keys": keys}) if keys else None


def _shows_object(pattern: str, text: str) -> bool:
    """Whether a form was read out of a value in an object that is shown."""
    words = re.findall(r"[A-Za-z]{4,}", re.sub(r"\\.|\(\?\w+\)", " ", pattern))
    inside = " ".join(span for span in _OBJECT.findall(text) if re.search(r"[\"'] ?:", span))
    return bool(words) and bool(inside) and all(word in inside for word in words)
