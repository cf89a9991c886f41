"""What a commit message says, as a question: references, trailers and addresses taken out. And which to pass over."""

from __future__ import annotations

import re

MIN_WORDS = 4
MAX_CHARS = 800

_BOT = re.compile(
    r"\[bot\]|\b(?:dependabot|renovate|pre-commit-ci|github-actions|pyup-bot|greenkeeper|bot)\b|-bot\b", re.I
)
_ROUTINE = re.compile(
    r"^(?:revert\b|wip\b|tmp\b|fixup!|squash!|initial commit|back to development|set version|bump(?:ed|s|ing)?\b|"
    r"merge (?:branch|pull|remote|tag|commit)|(?:chore|style|ci|build|docs?|tests?)(?:\([^)\n]{1,40}\))?!?:)"
    r"|^(?:releas\w{0,4}|version|prepare|post-release)\b.{0,60}(?:\d|\brelease\b)|^start (?:version|develop|v?\d)"
    r"|^(?:upgrad|updat|pin|unpin)\w{0,5}\b.{0,80}"
    r"(?:dependenc|requirement|lock ?file|change ?log|translation|licen[cs]e|pre-commit|\bto v?\d)"
    r"|^v?\d+\.\d+",
    re.I,
)
_FORMATTING = re.compile(
    r"\btypos?\b|\breformat\w{0,4}\b|\bautoformat|\b(?:trailing|fix\w{0,3}|remov\w{1,3}|clean\w{0,3}) white ?space\b"
    r"|\b(?:black|ruff|isort|flake8|pep ?8|pyupgrade|prettier|pre-commit|mypy|pyright|pylint)\b"
    r"|^(?:(?:fix|correct|clean ?up|improve|add|apply|run|update)\w{0,3}\s{1,2})?(?:more\s|some\s|the\s|code\s)?"
    r"(?:formatting|lint\w{0,4}|spelling|docstrings?|change ?log|copyright|type (?:hints?|annotations?)|typing|style)"
    r"(?:\s\w{1,30}){0,3}$",
    re.I,
)
_PREFIX = re.compile(
    r"^(?:\[[^\]\n]{1,20}\]\s{0,3}|(?:fix|feat|refactor|perf|bugfix|hotfix)(?:\([^)\n]{1,40}\))?!?:\s{0,3}"
    r"|(?:fixe[sd]|fix|refs|ref|closes?d?|resolves?d?|re)?\s{0,2}#\d{1,7}(?:,\s{0,2}#\d{1,7}){0,9}\s{0,2}(?:--|[-:–—])\s{0,3})",
    re.I,
)
_REFERENCE = re.compile(
    r"\s?\((?:(?:gh|pr|bpo|see|issue|closes|fixes|refs)?[-\s]?#?\d{2,7}(?:,\s?)?){1,5}\)"
    r"|\b(?:fixe[sd]|fix|refs|ref|closes?d?|resolves?d?|see)\s{1,2}(?:issue\s{1,2})?(?:#|gh-)\d{1,7}\b[.,]?",
    re.I,
)
_URL = re.compile(r"<?https?://[^\s>)]{1,500}>?")
_TRAILER = re.compile(
    r"^(?:[A-Z][A-Za-z-]{2,30}-by:|co-authored|signed-off|change-id:|cherry.picked|\(cherry.picked|git-svn-id|"
    r"backport of|cc:|thanks|thank you|bug:|issue:|ticket:|regression in [0-9a-f]{7,40})",
    re.I,
)


def is_bot(author: str) -> bool:
    return _BOT.search(author) is not None


def is_routine(subject: str) -> bool:
    """Releases, reverts, dependencies, formatting, spelling: nothing that one could ask where to change."""
    bare = strip_prefix(subject)
    return any(_ROUTINE.search(each) or _FORMATTING.search(each) for each in (subject.strip(), bare))


def strip_prefix(subject: str) -> str:
    """Without ``[3.1.x]``, ``fix(scope):``, ``Fixed #123 --`` before it and ``(#123)`` in it."""
    text = subject.strip()
    for _ in range(3):
        text = _PREFIX.sub("", text, count=1)
    return _REFERENCE.sub("", text).strip(" .:-")


def question_text(subject: str, body: str) -> str:
    """The message as the text of a question; "" when it says too little."""
    head = strip_prefix(subject)
    if len(re.findall(r"[^\W\d_]{2,}", head)) < MIN_WORDS:
        return ""
    lines = []
    for line in body.replace("\r", "").split("\n"):
        cleaned = _REFERENCE.sub("", _URL.sub("", line)).strip()
        if not _TRAILER.match(cleaned):
            lines.append(cleaned)
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", "\n".join(lines))]
    text = _capital(head) + "."
    for paragraph in paragraphs:
        if len(text) + len(paragraph) > MAX_CHARS:
            break
        if len(re.findall(r"[^\W\d_]{2,}", paragraph)) >= MIN_WORDS:
            text += " " + paragraph
    return text


def _capital(head: str) -> str:
    """``head`` with a capital; a name in its first place (``parse_header``, ``app.run()``) is left as it is spelled."""
    first = head.split(maxsplit=1)[0]
    return head[0].upper() + head[1:] if first.rstrip(",:;").isalpha() and first.islower() else head


def quoted(text: str, path: str, symbols: tuple[str, ...]) -> tuple[str, ...]:
    """The path and the symbols that ``text`` names verbatim: whoever reads it need not search.

    A symbol that is a plain English word counts only where it is written as code: in backticks, called, or dotted.
    """
    found = []
    stem = path.rpartition("/")[2]
    if path in text or re.search(rf"(?<![\w./-]){re.escape(stem)}(?![\w-])", text):
        found.append(path)
    for symbol in symbols:
        name = symbol.rpartition(".")[2]
        bare = re.escape(name)
        as_code = rf"`[^`\n]{{0,80}}(?<!\w){bare}(?!\w)[^`\n]{{0,80}}`|(?<!\w){bare}\(|\w\.{bare}(?!\w)"
        is_word = name.isalpha() and name in (name.lower(), name.capitalize())
        if re.search(as_code if is_word else rf"(?<!\w){bare}(?!\w)", text):
            found.append(symbol)
    return tuple(found)
