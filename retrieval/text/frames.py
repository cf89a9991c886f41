"""What a question is about, without an opening that only says that something is asked."""

from __future__ import annotations

import re

from retrieval.text.stopwords import BOILERPLATE, QUESTION_WORDS

#: Verbs and nouns of the openings people and programs put before a description, besides the words of any question.
_FRAME = frozenset([
    "change", "changed", "changes", "changing", "fix", "fixed", "fixes", "edit", "edited", "modify", "modified",
    "update", "updated",
])  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+")
_MAX_OPENING = 200  # characters


def subject_of(question: str) -> str:
    """``question`` from behind a first sentence in which no word tells what it is about.

    "Which code has to change for this? Spaces around names are stripped." is about spaces around names; "Where is it
    changed?" has nothing behind it and stays whole.
    """
    opening, mark, _ = question[: _MAX_OPENING + 1].partition("?")
    if not mark or not _WORD.search(question[len(opening) + 1 :]):
        return question
    words = [word.lower() for word in _WORD.findall(opening)]
    if not words or any(char.isdigit() or char in "_`./" for char in opening):
        return question
    if all(word in QUESTION_WORDS or word in BOILERPLATE or word in _FRAME for word in words):
        return question[len(opening) + 1 :].lstrip()
    return question
