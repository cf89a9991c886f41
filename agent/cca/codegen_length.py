"""CodeGen: lengths. Words, sentences, lines, characters: at most, at least, exactly, between."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.reading import NUMBER, Reading, number_of_word, scope_of

_I = re.IGNORECASE
_UNITS: dict[str, c.Unit] = {
    "word": "words",
    "character": "characters",
    "char": "characters",
    "sentence": "sentences",
    "line": "lines",
    "paragraph": "paragraphs",
    "bullet": "bullets",
    "bullet point": "bullets",
    "heading": "headings",
    "citation": "citations",
    "code block": "fences",
}
_UNIT = (
    r"(words?|characters?|chars|sentences?|lines?|paragraphs?|bullet points?|bullets?|headings?|citations?"
    r"|code blocks?)"
)
_AT_MOST = re.compile(
    rf"\b(?:at most|no more than|fits? (?:in(?:to)?|on|within)|stay\w* (?:\w+ ){{0,2}}(?:under|below|within)"
    rf"|capped at|limit of|cap \w+(?: \w+)? at|not? (?:exceed|longer than)|(?:must|should|may) not (?:exceed|"
    rf"be longer than)|(?:never|not) exceed|up to|maximum(?: of)?|max\.?|under|fewer than|"
    rf"less than|below|within|limit\w* (?:\w+ ){{0,4}}to|keep (?:\w+ ){{0,4}}(?:to|under|below)|"
    rf"not be (?:longer|more) than|(?:not|never|n['’]t) \w+ more than|"
    rf"shorter than) (?:a total of )?{NUMBER}(?: or fewer)?[ -]{_UNIT}\b",
    _I,
)
_AT_MOST_AFTER = re.compile(
    rf"\b{NUMBER}[ -]{_UNIT} (?:or (?:less|fewer|shorter)|at (?:the )?most"
    rf"|max(?:imum)?)\b",
    _I,
)
_AT_LEAST = re.compile(
    rf"\b(?:at least|no fewer than|no less than|minimum(?: of)?|more than|a minimum of) {NUMBER}[ -]{_UNIT}\b", _I
)
_OVER = re.compile(rf"\b(?:longer than|more than|over|exceeding) {NUMBER}[ -]{_UNIT}\b", _I)
_DENIED = re.compile(r"\b(?:no|not|never|n['’]t)\b(?: \w+){0,4} more than", _I)
_EXACTLY = re.compile(rf"\b(?:exactly|precisely) {NUMBER}[ -]{_UNIT}\b", _I)
_BETWEEN = re.compile(
    rf"\b(?:between|from) {NUMBER} (?:and|to) {NUMBER} {_UNIT}\b|\b{NUMBER}\s?(?:-|–|to|or)\s?{NUMBER} {_UNIT}\b", _I
)
_IN_ONE = re.compile(
    r"\b(?:in|as|with|use|be|to|write|output|return|give|say|reply|respond) (?:exactly |only |just )?(a single|one)"
    r" (sentence|paragraph|line|word)\b(?! (?:per|for|about|each|summar|descri|on|of|at a time))",
    _I,
)
_LONG = re.compile(rf"\b(?:is|be|are) (?:exactly )?{NUMBER} {_UNIT} long\b", _I)
_ALONE = re.compile(rf"^(?:[\w ]{{1,30}}: )?(?:exactly |only |just )?{NUMBER} {_UNIT}(?: only)?$", _I)
_OR_TWO = re.compile(
    r"\b(?:more than|longer than|exceed|at most|in|within|to|only|just) (?:an?|one) (sentence|paragraph|word"
    r"|line) or two\b",
    _I,
)
_STRICT = re.compile(r"\b(?:under|fewer than|less than|below|shorter than)\b", _I)


_OF_EACH = re.compile(r"\beach (?:element|item|entry|question|task|document|step)\b|\badd(?:s|ing)? (?:only )?\d", _I)
_A_PART = re.compile(
    r"\b(?:first(?:ly)?|then|finally|next),? (?:\w+ )?(?:output|print|write|give|provide|return"
    r"|start|add|state)\b",
    _I,
)


_LIFTED = re.compile(
    rf"\b(?:not|never|n['’]t|no|nor)(?: \w+){{0,3}} (?:at most|limit\w*|cap\w*|up to|within|keep|fits?|stay\w*|no more"
    rf"|below|shorter)\b[^,;.]{{0,40}}{NUMBER}",
    _I,
)
"""``Do not limit answers to 100 words``: a bound that is denied."""
_LEAST_AND_MOST = re.compile(
    rf"\b(?:at least|no fewer than|a minimum of|minimum(?: of)?) {NUMBER}[,;]?(?: {_UNIT})? ?(?:and |but |or )?"
    rf"(?:at most|no more than|a maximum of|maximum(?: of)?|up to) {NUMBER} {_UNIT}\b",
    _I,
)


def length(reading: Reading) -> Any | None:
    text = reading.text
    if _A_PART.search(text) or _OF_EACH.search(text) or (_LIFTED.search(text) and not _DENIED.search(text)):
        return None
    both = _LEAST_AND_MOST.search(text)
    if both and number_of_word(both[1]) > number_of_word(both[3]) and both[2] in (None, both[4]):
        return None
    vague = _OR_TWO.search(text)
    if vague and scope_of(text[: vague.start()]) == "":
        return c.Count(unit=_UNITS[vague[1].lower()], most=2)
    for pattern in (_BETWEEN, _EXACTLY, _AT_LEAST, _AT_MOST, _AT_MOST_AFTER, _IN_ONE, _ALONE, _LONG, _OVER):
        match = pattern.search(text)
        if match is None or (pattern is _AT_LEAST and (reading.negative or _DENIED.search(text[: match.end()]))):
            continue
        if pattern is _OVER and not reading.negative:
            continue
        if pattern in (_IN_ONE, _EXACTLY, _LONG) and re.match(
            r"(?:please )?(?:never|do not|don['’]t|avoid)\b", text, _I
        ):
            return None
        groups = [group for group in match.groups() if group]
        unit = _UNITS[groups[-1].lower().rstrip("s")]
        numbers = [number_of_word(group) for group in groups[:-1]]
        if pattern is _AT_MOST and _STRICT.search(match[0]):
            numbers = [numbers[0] - 1]
        if unit == "characters" and re.search(r"\blines?\b", text[: match.start()], _I):
            return None
        scoped = scope_of(text[: match.start(1)])
        if scoped == "other":
            return None
        least = numbers[0] if pattern in (_BETWEEN, _EXACTLY, _AT_LEAST, _IN_ONE, _ALONE, _LONG) else None
        most = numbers[-1] if pattern is not _AT_LEAST else None
        if pattern is _AT_LEAST and "more than" in match[0].lower():
            least = numbers[0] + 1
        if least is not None and most is not None and least > most:
            return None
        check = c.Count(unit=unit, least=least, most=most)
        if scoped in ("sentence", "bullet", "paragraph", "heading"):
            return c.Every(scope=scoped, check=check)  # type: ignore[arg-type]
        return check
    return None


_LINES = re.compile(
    r"\b(?:lines?|wrap\w*)\b[^.]{0,80}?\b(\d{2,3})[- ](?:characters?|columns?|chars)\b|"
    r"\b(\d{2,3})[- ](?:characters?|columns?|chars)\b[^.]{0,40}\blines?\b|"
    r"\bline length\b[^.]{0,40}?\b(\d{2,3})\b",
    _I,
)


_TOOLS = re.compile(r"\b(?:ruff|black|flake8|isort|pylint|linters?|formatters?|pep ?8|python|code|source)\b", _I)


def line_length(reading: Reading) -> Any | None:
    match = _LINES.search(reading.text)
    if match is None or re.search(
        r"\b(?:at least|more than \d+ lines|subjects?|titles?|summary line|first line|commits?|docstrings?|comments?|"
        r"documentation|docs|headings?|messages?|descriptions?|changelogs?)\b",
        reading.text,
        _I,
    ):
        return None
    most = int(next(group for group in match.groups() if group))
    if reading.negative and not re.search(r"\b(?:longer|exceed|more|over|beyond|past)\b", reading.text, _I):
        return None
    code = reading.code or _TOOLS.search(reading.text) is not None
    return c.LineLength(most=most, within="code" if code else "answer")
