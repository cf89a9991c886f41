"""Sentences of documents: paragraphs only, without code blocks, tables of contents and markup."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.answer.offline.wording import prose_sentences
from retrieval.pack_records import EvidenceChunk
from retrieval.text.stopwords import QUESTION_WORDS

_MAX_PROSE = 8_000  # characters of a passage that are read
_MARKUP = re.compile(r"[=\-~^\"'#*+.:_`|]{3,}$")
_LITERAL = re.compile(r"\.\. (?:code|code-block|sourcecode|parsed-literal|toctree|image|figure|literalinclude|math)\b")
_DIRECTIVE = re.compile(r"\.\. [\w:-]{1,60}::")
_FENCE = re.compile(r"(?:```|~~~|:::)")
_PROSE_FENCE = re.compile(r"(?:```|~~~|:::+)\s*\{(?:note|warning|tip|important|admonition|seealso|version\w+)\b")
_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s+")
_PROMPT = re.compile(r"(?:\$|>>>|\.\.\.|>|#) ")

_HISTORY = re.compile(r"(?:^|/)(?:change|history|news|release)", re.IGNORECASE)

_SHORT = 8  # words of a sentence that needs no small words
_ONE_SMALL_WORD_IN = 9

Paragraph = tuple[int, int, str]  # first line, last line, sentence


def is_history(path: str) -> bool:
    """A changelog or release notes, by name."""
    return bool(_HISTORY.search(path))


def reads_as_prose(sentence: str) -> bool:
    """Short, or held together by the small words of a language: a word list is no prose."""
    words = [word.strip(".,:;()[]`*\"'").lower() for word in sentence.split()]
    return len(words) <= _SHORT or sum(word in QUESTION_WORDS for word in words) * _ONE_SMALL_WORD_IN >= len(words)


def numbered(chunk: EvidenceChunk) -> list[tuple[int, str]]:
    """(line number, text) of each line that the evidence shows."""
    numbers = (number for first, last in chunk.ranges for number in range(first, last + 1))
    return list(zip(numbers, chunk.source.split("\n"), strict=False))


def sentences_of(numbered_lines: Iterable[tuple[int, str]]) -> list[Paragraph]:
    """(first line, last line, sentence) of each paragraph; whole sentences when there are any."""
    found = _sentences(numbered_lines)
    found = [item for item in found if reads_as_prose(item[2])]
    whole = [item for item in found if item[2].rstrip("\"'”)*_`").endswith((".", "!", "?", ":"))]
    return whole or found


def _opens_code(stripped: str) -> bool:
    """A fence that holds code: not a MyST note, and not a bare ``:::``, which ends one."""
    return not _PROSE_FENCE.match(stripped) and (stripped[0] != ":" or bool(stripped.strip(":")))


def _sentences(numbered_lines: Iterable[tuple[int, str]]) -> list[Paragraph]:
    out: list[Paragraph] = []
    paragraph: list[tuple[int, str]] = []
    read = previous = 0
    literal: int | None = None  # indentation of what opened a literal block
    fenced = False

    def flush() -> None:
        if paragraph:
            text = " ".join(line for _, line in paragraph)
            out.extend((paragraph[0][0], paragraph[-1][0], sentence) for sentence in prose_sentences(text))
            paragraph.clear()

    for number, text in numbered_lines:
        read += len(text)
        if read > _MAX_PROSE:
            break
        stripped = text.strip()
        indent = len(text) - len(text.lstrip())
        if number != previous + 1:
            flush()
        previous = number
        if _FENCE.match(stripped):
            flush()
            fenced = not fenced and _opens_code(stripped)
            continue
        if fenced or (literal is not None and (not stripped or indent > literal)):
            continue
        literal = None
        if not stripped or _MARKUP.match(stripped):
            if _MARKUP.match(stripped) and len(paragraph) == 1:
                paragraph.clear()  # a heading and its underline
            flush()
        elif _LITERAL.match(stripped) or (stripped.endswith("::") and not _DIRECTIVE.match(stripped)):
            if not stripped.startswith(".. "):
                paragraph.append((number, stripped))
            flush()
            literal = indent
        elif stripped.startswith((".. ", "#", "|", ":")) or _PROMPT.match(stripped):
            flush()
        else:
            item = _ITEM.match(stripped)
            if item:
                flush()
            paragraph.append((number, stripped[item.end() :] if item else stripped))
    flush()
    return out
