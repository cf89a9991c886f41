"""What the emitters of CodeGen read: a rule's text with its quoted terms, and what a phrase is about."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.cca.quoted import Quoted

_I = re.IGNORECASE
NUMBER_WORDS = {
    "a single": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20,
}  # fmt: skip
NUMBER = r"(\d{1,6}|" + "|".join(sorted(NUMBER_WORDS, key=len, reverse=True)) + r")"
SUBJECT = re.compile(
    r"\b(?:answers?|responses?|repl(?:y|ies)|outputs?|messages?|summar(?:y|ies)|reports?|"
    r"explanations?|text|respond|reply|answer|"
    r"write|summari[sz]e|keep (?:it|them)|result)\b",
    _I,
)
OTHER_SUBJECT = re.compile(
    r"\b(?:lines?|functions?|methods?|titles?|subjects?|commits?|docstrings?|comments?|names?|"
    r"variables?|files?|modules?|class(?:es)?|"
    r"branch(?:es)?|tests?|pull requests?|PRs?|patch(?:es)?|headings?|headers?|bullets?|items?|"
    r"sentences?|paragraphs?|fields?|columns?|rows?|cells?|"
    r"labels?|passwords?|each|every)\b",
    _I,
)


_NOT_AN_ANSWER = re.compile(r"\b(?:commit|error|log|warning|exception|merge) messages?\b", _I)


_UNITS = r"(sentence|bullet point|bullet|paragraph|heading|list item|bullet item)"
_UNIT_SUBJECT = re.compile(rf"\b(?:each|every|all|any) (?:single )?{_UNITS}s?\b|^(?:the |all )?{_UNITS}s\b", _I)


@dataclass(frozen=True, slots=True)
class Reading:
    """``code``: the document is about code. ``text``: the rule without its condition."""

    text: str
    terms: tuple[Quoted, ...]
    negative: bool
    code: bool


def number_of_word(text: str) -> int:
    return NUMBER_WORDS[text.lower()] if text.lower() in NUMBER_WORDS else int(text)


_OPENS_OTHER = re.compile(
    r"^(?:(?:the|your|any|all|every|each|user|direct|block) )*(?:rules?|questions?|quer(?:y|ies)|quot(?:es?|ations?)"
    r"|introductions?|intros?|conclusions?|(?:code )?blocks?|(?:code )?snippets?|(?:code )?examples?|captions"
    r"|footnotes?|lists?|tables?|words?|steps?|prompts?|inputs?|requests?|instructions?|comments|titles|notes|headlines)"
    r" (?:must|should|shall|may|can|cannot|longer|over|of|with|is|are|have|has|never|exceed\w*|needs?|ought|will"
    r"|don['’]t)\b|\bwords? (?:of|longer|over|with|exceeding|that)\b"
    r"|^(?:please )?(?:keep|limit|restrict|hold|cap|confine|cut|trim) (?:the|your|any|all|each|every)"
    r" (?:introductions?|intros?|conclusions?|openings?|closings?|captions?|footnotes?|headlines?|subject lines?) ",
    _I,
)
"""A part, or another thing than the answer, is what the sentence is about."""


def is_of_another(text: str) -> bool:
    """Whether a limit that stands in ``text`` is one of words, or of a thing that is named first, not of the answer."""
    return _OPENS_OTHER.search(text) is not None


def scope_of(before: str) -> str:
    """What a length is about: ``sentence``, ``bullet``, ``paragraph``, ``heading``, the answer (""), or ``other``."""
    match = _UNIT_SUBJECT.search(before)
    if match:
        unit = (match[1] or match[2]).lower()
        return "bullet" if unit.startswith(("bullet", "list")) else unit
    if _NOT_AN_ANSWER.search(before) or is_of_another(before):
        return "other"
    if SUBJECT.search(before):
        others = [m.group().lower() for m in OTHER_SUBJECT.finditer(before)]
        return "other" if others and not SUBJECT.search(before[: before.lower().rfind(others[-1])] or before) else ""
    return "other" if OTHER_SUBJECT.search(before) else ""
