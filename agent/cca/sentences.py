"""The sentences of a rule document's paragraphs, quotes and items, each with what introduces the list it is in."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from agent.cca.documents import Block

_MAX_SENTENCE_CHARS = 4_000

_MAX_OBJECT = 400
_LONE_BRACE = re.compile(r"([\"'`])[{}]\1|[‘“][{}][’”]")
_SENTENCE_END = re.compile(
    r"[.!?][\"'”’)\]*_`]{0,3}(?=\s)|[.!?][\"'”’)\]*_`]{0,3}$|[。！？]|:(?=\s*$)"
    r"|;(?=\s)(?!\s(?:else|otherwise)\b|\snever [\"“`'])"
)
_NOT_ENDS = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|fig|no|resp|approx|incl|al|Mr|Ms|Dr|[A-Z])\.)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """``quote`` verbatim, ``text`` with white space folded; ``lead``: what introduces the list it is in."""

    text: str
    quote: str
    first_line: int
    last_line: int
    section: str
    lead: str = ""
    number: int = 0
    item: bool = False
    opening: bool = True  # the first sentence of its block
    introduces: bool = False  # the last sentence before a list, announcing it
    command: bool = False  # announces a block of commands
    cell: bool = False  # a row of a table, its cells joined
    unclear: bool = False  # of "it", which may be anything that the sentence before names


_ANNOUNCES = re.compile(
    r":$|\b(?:following|these)\b[^:]{0,120}\.$|\b(?:following|these|below)\b[^:]{0,200}$", re.IGNORECASE
)
_SHELL = frozenset({"sh", "shell", "bash", "console", "zsh", "powershell", "shell-session"})
_COMMAND = re.compile(
    r"\s*(?:\$ |(?:git|pip3?|python3?|tox|pytest|npm|make|cd|nox|uvx?|just|hatch|py|conda|mamba|docker|source|sudo"
    r"|apt|apt-get|brew|choco|dnf|yum|yarn|npx|cargo)\s)"
)


def sentences(parsed: tuple[Block, ...]) -> tuple[Sentence, ...]:
    """The sentences of paragraphs, quotes and list items, each item with the sentence that introduces its list."""
    found: list[Sentence] = []
    leads: list[tuple[int, str]] = []  # (indentation of the list's items at least, lead)
    for at, block in enumerate(parsed):
        if block.kind not in ("paragraph", "item", "quote"):
            if block.kind == "table":
                found.extend(_rows(block))
            if block.kind == "heading":
                leads = []
            continue
        item = block.kind == "item"
        following = parsed[at + 1] if at + 1 < len(parsed) else None
        if item:
            leads = [each for each in leads if each[0] <= block.indent]
        elif block.indent == 0:
            leads = []
        own = _sentences_of(block, leads[-1][1] if item and leads else "")
        if own and following is not None:
            announces = _ANNOUNCES.search(own[-1].text) is not None
            if announces and following.kind == "item" and (not item or following.indent > block.indent):
                own[-1] = replace(own[-1], introduces=True)
                leads = [each for each in leads if each[0] < following.indent]
                leads.append((following.indent, own[-1].text))
            elif item and following.kind == "item" and following.indent > block.indent:
                leads = [each for each in leads if each[0] < following.indent]
                leads.append((following.indent, ""))
            if following.kind == "code" and own[-1].text.endswith(":"):
                shell = following.language in _SHELL or _COMMAND.match(following.text) is not None
                own[-1] = replace(own[-1], command=shell)
        found.extend(own)
    return tuple(found)


def rejoined(said: tuple[Sentence, ...], whole: Callable[[str, str], bool]) -> tuple[Sentence, ...]:
    """The sentences; two that a semicolon parts are one where ``whole`` (first, second) says so."""
    found: list[Sentence] = []
    for each in said:
        last = found[-1] if found else None
        parted = last is not None and not each.opening and last.last_line == each.first_line
        if last is not None and parted and last.text.endswith(";") and whole(last.text, each.text):
            text, quote = f"{last.text} {each.text}", f"{last.quote} {each.quote}"
            found[-1] = replace(last, text=text, quote=quote, last_line=each.last_line, introduces=each.introduces)
        else:
            found.append(each)
    return tuple(found)


def _rows(block: Block) -> list[Sentence]:
    """The rows of a table of two columns, ``name: value``."""
    out = []
    for offset, line in enumerate(block.text.split("\n")):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 2 or not all(any(char.isalnum() for char in cell) for cell in cells):
            continue
        text = " ".join(f"{cells[0]}: {cells[1]}".split())[:_MAX_SENTENCE_CHARS]
        at = block.first_line + offset
        out.append(Sentence(text, line[:_MAX_SENTENCE_CHARS], at, at, block.section, cell=True))
    return out


def _sentences_of(block: Block, lead: str) -> list[Sentence]:
    spans: list[tuple[int, int]] = []
    start = 0
    text = block.text
    for match in _SENTENCE_END.finditer(text):
        end = match.end()
        if text[match.start()] == "." and _NOT_ENDS.search(text[max(start, end - 12) : end]):
            continue
        if text[match.start()] == "." and text[max(0, match.start() - 1)] == " ":  # "from . import x"
            continue
        if "}" in text[end : end + _MAX_OBJECT] and _opens_object(text[start:end]):
            continue
        if _goes_on(text, match.start(), end) or _inside_code(text, start, end) or _is_label(text, start, end):
            continue
        spans.append((start, end))
        start = end
    if text[start:].strip():
        spans.append((start, len(text)))
    out: list[Sentence] = []
    for begin, stop in spans:
        quote = text[begin:stop]
        pad = len(quote) - len(quote.lstrip())
        quote = quote.strip()
        if not any(char.isalnum() for char in quote):
            continue
        quote = quote[:_MAX_SENTENCE_CHARS]
        first = block.first_line + text.count("\n", 0, begin + pad)
        out.append(
            Sentence(
                " ".join(quote.split()),
                quote,
                first,
                first + quote.count("\n"),
                block.section,
                lead,
                block.number,
                block.kind == "item",
                not out,
            )
        )
    return out


def _goes_on(text: str, at: int, end: int) -> bool:
    """A mark within quotation marks, or a full stop behind a figure, where a small letter follows: ``"None." and``."""
    quoted, counted = end - at > 1, text[at] == "." and at > 0 and text[at - 1].isdigit()
    return text[at] in ".!?" and (quoted or counted) and re.match(r"\s+[a-z…]", text[end : end + 3]) is not None


def _inside_code(text: str, start: int, end: int) -> bool:
    """An odd number of backticks before the place: it stands in inline code."""
    return text.count("`", start, end) % 2 == 1


def _opens_object(text: str) -> bool:
    """More braces open than close, one in quotation marks aside: what follows stands in an object that is shown."""
    text = _LONE_BRACE.sub(" ", text)
    return text.count("{") > text.count("}")


def _is_label(text: str, start: int, end: int) -> bool:
    """``**Name:**`` and ``1.`` in front of a sentence are no sentences."""
    return text[end - 1] in ".:" and text[start:end].strip().rstrip(".:").isdigit()
