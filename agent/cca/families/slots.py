"""The slots of a sentence, and the sentence with its slots taken out, as the classifier sees it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agent.cca.families.family import Slots
from agent.cca.families.marks import Mark, listed_in, numbers_in, terms_in
from agent.cca.families.reasons import demand_of
from agent.cca.grammar.plain import in_words_only
from agent.cca.grammar.polarity import denials
from agent.cca.quoted import quoted_terms
from retrieval.text.stem import stem

_TOKEN = re.compile(r"\x01\w+\x01|[A-Za-z]+(?:['’][a-z]+)?|\d+|[^\w\s]")
_SLOT_WORDS = {"term": "\x01term\x01", "example": "\x01shown\x01", "contrast": "\x01other\x01", "number": "\x01num\x01",
               "range": "\x01range\x01"}  # fmt: skip
DENIED = "<denied>"
LIMITS = ("most", "under", "least", "over", "exact", "range")
_COMPARED = (
    (re.compile(r"(?<![\w<>=-])(?:<=|=<|≤)\s?(?=\d)"), "at most "),
    (re.compile(r"(?<![\w<>=-])(?:>=|=>|≥)\s?(?=\d)"), "at least "),
    (re.compile(r"(?<![\w<>=-])<\s?(?=\d)"), "fewer than "),
    (re.compile(r"(?<![\w<>=-])>\s?(?=\d)"), "more than "),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """``shaped``: stemmed words, marks, and slots in their places (``\\x01num\\x01``, terms with what they look like:
    ``\\x01term_call\\x01``). ``denied``: an odd number of words outside of the slots denies. ``unmarked``: the text
    with its slots masked."""

    text: str
    marks: tuple[Mark, ...]
    shaped: tuple[str, ...]
    slots: Slots
    denied: bool
    unmarked: str

    @property
    def signed(self) -> tuple[str, ...]:
        """``shaped``, a mark in front where the sentence denies: "with" and "without" differ in little else."""
        return (DENIED, *self.shaped) if self.denied else self.shaped

    @property
    def tokens(self) -> tuple[str, ...]:
        """``shaped`` without the shapes."""
        return tuple(plain_token(token) for token in self.shaped)

    @property
    def has_range(self) -> bool:
        return any(mark.kind == "range" for mark in self.marks)

    @property
    def amounts(self) -> tuple[Mark, ...]:
        """Numbers and ranges of the demand; "one" and "once" only where no other number stands."""
        found = tuple(mark for mark in self.marks if mark.kind in ("number", "range"))
        several = tuple(mark for mark in found if not _is_one(mark)) or found[:1]
        if len(several) > 1:
            start, end = demand_of(self.text)  # "two columns fit, so …" bounds nothing
            several = tuple(mark for mark in several if start <= mark.start < end) or several
        return several[:1] if len({(mark.low, mark.high) for mark in several}) == 1 else several


def plain_token(token: str) -> str:
    return f"{token.partition('_')[0]}\x01" if token[0] == "\x01" and "_" in token else token


def see(sentence: str) -> Seen:
    """Pure and deterministic; linear in the length of the sentence."""
    text = re.sub(r"^[-*•]\s+", "", sentence.strip()).rstrip(" .")
    if not any("*" in each.text or "`" in each.text for each in quoted_terms(text)):
        text = in_words_only(text)
    text = _compared(text)
    terms = terms_in(text)
    numbers = numbers_in(text, terms)
    marks = tuple(sorted([*terms, *numbers], key=lambda mark: mark.start))
    named = tuple(mark.text for mark in terms if mark.kind in ("term", "example"))
    slots = Slots(
        text=text,
        numbers=tuple(value for mark in numbers for value in dict.fromkeys((mark.low, mark.high))),
        terms=named,
        examples=tuple(mark.text for mark in terms if mark.kind == "example"),
        contrast=tuple(mark.text for mark in terms if mark.kind == "contrast"),
        listed=listed_in(text, terms),
    )
    unmarked = _unmarked(text, marks)
    return Seen(text, marks, _tokens(text, marks), slots, denials(unmarked) % 2 == 1, unmarked)


def without_reason(slots: Slots) -> Slots | None:
    """The slots of what the sentence demands, its reason left aside; None where none is told."""
    start, end = demand_of(slots.text)
    if (start, end) == (0, len(slots.text)):
        return None
    reason = f"{slots.text[:start]} {slots.text[end:]}".strip(" ,;:")
    return replace(see(slots.text[start:end]).slots, least=slots.least, most=slots.most, reason=reason)


def _compared(text: str) -> str:
    """``<= 120`` in words, outside of what is quoted: as people say it, the classifiers know it."""
    held = quoted_terms(text)
    for sign, words in _COMPARED:
        for match in reversed(list(sign.finditer(text))):
            if not any(each.start < match.end() and match.start() < each.end for each in held):
                text = text[: match.start()] + words + text[match.end() :]
        held = quoted_terms(text)
    return text


def _unmarked(text: str, marks: tuple[Mark, ...]) -> str:
    pieces, at = [], 0
    for mark in marks:
        pieces.append(text[at : mark.start])
        at = mark.end
    return " § ".join([*pieces, text[at:]])


def _is_one(mark: Mark) -> bool:
    return mark.kind == "number" and mark.low == 1.0 and not mark.text.isdigit()


def _tokens(text: str, marks: tuple[Mark, ...]) -> tuple[str, ...]:
    pieces, at = [], 0
    for mark in marks:
        pieces.append(text[at : mark.start])
        pieces.append(" one " if _is_one(mark) else f" {_slot_word(mark)} ")
        at = mark.end
    pieces.append(text[at:])
    found: list[str] = []
    for token in _TOKEN.findall("".join(pieces)):
        word = token if token.startswith("\x01") else stem(token.lower().replace("’", "'"))
        if not (found and word.startswith("\x01") and plain_token(word) == plain_token(found[-1])):
            found.append(word)
        if len(found) > 1 and found[-1].startswith("\x01") and len(found) > 2:
            joined = found[-2] in (",", "and", "or", "nor", "/") and plain_token(found[-3]) == plain_token(found[-1])
            if joined:  # "a", "b" or "c" is as one
                del found[-2:]
    return tuple(found)


_SHAPES = (
    ("call", re.compile(r"[\w.]+\(.*\)")),
    ("flag", re.compile(r"--?[a-z][\w-]*(?:[ =].*)?")),
    ("tag", re.compile(r"</?[\w-]+.*>|\{\{?.*\}\}?")),
    ("head", re.compile(r"#{1,6} .*")),
    ("label", re.compile(r"\S.{0,60}:")),
    ("place", re.compile(r"\[.*\]|<.*|.*[<\[{].*")),
    ("sign", re.compile(r"[^\w\s]+")),
    ("digits", re.compile(r"[^A-Za-z]*\d[^A-Za-z]*")),
    ("link", re.compile(r"(?:https?://|www\.|mailto:).*|\S+\.(?:com|org|net|io|example)\b.*")),
    ("file", re.compile(r"[\w./*-]+\.[a-z]{1,5}")),
    ("dotted", re.compile(r"\w+(?:\.\w+)+")),
    ("snake", re.compile(r"[a-z0-9]*_\w*")),
    ("upper", re.compile(r"[A-Z][A-Z_]+\d*")),
    ("camel", re.compile(r"[A-Za-z]+[a-z][A-Z]\w*")),
    ("stop", re.compile(r".*\w\W* .*[.!?]")),
    ("name", re.compile(r"[A-Z].*")),
    ("phrase", re.compile(r".* .*")),
    ("word", re.compile(r"[a-z'-]+")),
)  # fmt: skip


def _slot_word(mark: Mark) -> str:
    word = _SLOT_WORDS[mark.kind]
    if mark.kind in ("number", "range"):
        return word
    shape = next((name for name, pattern in _SHAPES if pattern.fullmatch(mark.text.strip())), "other")
    return f"{word[:-1]}_{shape}\x01"


_NOT = r"(?:\b(?:no|not|never|nor|none|nothing|neither|cannot)\b|n['’]t\b)"
_NO_MORE = re.compile(
    rf"{_NOT}[^.;:]{{0,60}}?(?:\b(?:longer|more|larger|greater|bigger|wider|higher|deeper) than(?: an?| the)?"
    r"|(?<!\bof )\b(?:over|above|beyond|past|exceed\w*))\s*$",
    re.IGNORECASE,
)
_NO_LESS = re.compile(
    rf"{_NOT}[^.;:]{{0,60}}?(?<!\bor )\b(?:shorter|fewer|less|smaller|lower) than(?: an?| the)?\s*$", re.IGNORECASE
)
_CLAUSES = re.compile(r"[.;:]\s|,\s(?:so|because|since|but)\b", re.IGNORECASE)


def _denied_limit(seen: Seen, amount: Mark) -> str:
    """ "No block is longer than 8 lines" has one reading, whatever a classifier makes of it; "" of other wordings."""
    before = _CLAUSES.split(seen.text[: amount.start])[-1]
    if len(re.findall(_NOT, before, re.IGNORECASE)) != 1 or re.search(r"\bwithout\b", seen.text[amount.end :]):
        return ""
    return "most" if _NO_MORE.search(before) else "least" if _NO_LESS.search(before) else ""


def bounded(slots: Slots, limit: str, seen: Seen) -> Slots | None:
    """``slots`` with the bound that ``limit`` (of ``LIMITS``) makes of the only number; None without one."""
    amounts = seen.amounts
    if len(amounts) != 1:
        return None
    amount = amounts[0]
    if amount.low != int(amount.low) or amount.high != int(amount.high):
        return None
    low, high = int(amount.low), int(amount.high)
    if amount.kind == "range":
        return replace(slots, least=low, most=high)
    limit = _denied_limit(seen, amount) or limit
    bounds = {
        "most": (None, low), "under": (None, low - 1), "least": (low, None), "over": (low + 1, None),
        "exact": (low, low),
    }  # fmt: skip
    if limit not in bounds:
        return None
    least, most = bounds[limit]
    return None if most is not None and most < 0 else replace(slots, least=least, most=most)
