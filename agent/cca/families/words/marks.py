"""Families of punctuation: which marks stand in the answer, how often, and how sentences end."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.words.kit import all_of, bare, counted, never, none, placed, some, wants

_I = re.IGNORECASE
_ASKS = r"\?(?:[\s\"”')*_\]]|$)"
MARKS: tuple[tuple[str, str, str], ...] = (
    ("exclamation marks", r"exclamation[- ](?:marks?|points?|signs?)|exclamations?|bangs", "!"),
    ("question marks", r"question[- ]marks?", _ASKS),
    ("semicolons", r"semi-?colons?", ";"),
    ("colons", r"(?<!semi)(?<!semi-)colons?", r":(?:\s|$|\*)"),
    ("quotation marks", r"(?:double )?quot(?:e|ation)[- ]marks?|inverted commas|scare quotes|air quotes",
     "[\"“”„«»]"),
    ("commas", r"commas?", ","),
    ("em dashes", r"em[- ]?(?:dash(?:es)?|rules?)|long dash(?:es)?", r"—|\w ?---? ?\w"),
    ("en dashes", r"en[- ]?(?:dash(?:es)?|rules?)", "–"),
    ("dashes", r"(?<!em )(?<!en )(?<!em-)(?<!en-)(?<!long )dash(?:es)?", r"[—–]|\w --? \w|\w---?\w"),
    ("hyphens", r"hyphens?(?! for)", r"\w-\w"),
    ("ellipses", r"ellips[ei]s|suspension points|(?:three|trailing) dots|dot-dot-dot", r"\.\.\.|…"),
    ("square brackets", r"square brackets", r"\["),
    ("curly braces", r"curly (?:braces|brackets)|braces", r"[{}]"),
    ("angle brackets", r"angle(?:d)? brackets", r"<[^<>\n]*>"),
    ("parentheses", r"parenthes[ei]s|parentheticals?|parenthetical \w+|round brackets|brackets",
     r"(?:^|[^\]])\([^)\n]"),
    ("ampersands", r"ampersands?|and[- ]signs?", "&"),
    ("slashes", r"(?:forward )?slash(?:es)?|solidus", r"(?:^|\s)[A-Za-z]+ ?/ ?[A-Za-z]+(?:[\s.,;:!?)]|$)"),
    ("asterisks", r"asterisks?", r"\*"),
    ("underscores", r"underscores?", "_"),
    ("hash signs", r"(?:hash|pound|number) (?:signs?|symbols?|marks?)|hashes|octothorpes?", "#"),
    ("pipes", r"pipes?(?: (?:characters?|symbols?|signs?))?|vertical bars?", r"\|"),
    ("tildes", r"tildes?", "~"),
    ("plus signs", r"plus (?:signs?|symbols?)", r"\+"),
    ("equals signs", r"equals?[- ](?:signs?|symbols?)", "="),
    ("dollar signs", r"dollar (?:signs?|symbols?)", r"\$"),
    ("percent signs", r"per ?cent(?:age)? (?:signs?|symbols?)", "%"),
    ("at signs", r"at[- ](?:signs?|symbols?)", "@"),
    ("apostrophes", r"apostrophes?", r"\w['’]\w|\w['’](?:\s|$)"),
    ("guillemets", r"guillemets|angle quotes|chevrons", "[«»]"),
    ("arrows", r"arrows?(?: (?:symbols?|signs?|characters?))?", r"->|=>|[←-⇿]"),
    ("tabs", r"tabs?(?: characters?)?", r"\t"),
)  # fmt: skip
_NAMED = tuple((name, re.compile(rf"(?<![\w-])(?:{noun})(?![\w-])", _I), pattern) for name, noun, pattern in MARKS)
_BESIDE = re.compile(
    r"(?:[;,.:—–(]|\band\b|\bbut\b|\bso\b|\bor\b|\bthen\b) ?(?:(?:please|just|always|rather|simply|you|can|should|do"
    r"|we|they|it) )*(?:use|write|prefer|choose|try|opt for|pick|go for|rewrite|put|insert|end|employ|reach for"
    r"|stick to"
    r"|a|an|one|replace (?:it|them) (?:with|by)|commas|hyphens|full stops|periods) [^;.]*",
    _I,
)
_CONTRAST = re.compile(r"\b(?:(instead of|rather than|in place of|over|in preference to)|not|never)\b", _I)
_ARTICLES = re.compile(r"^ (?:(?:an?|the|with|by|using|as) )*", _I)
_REPLACE = re.compile(r"\breplace (.{2,40}?) (?:with|by)\b|\bprefer \S.{0,30}? (?:to|over) (.{2,40})$", _I)
_EDGE = re.compile(
    r"\b(?:at the (?:very )?(?:end|start|beginning)|end(?:s|ing)? (?:in|with)|trailing(?! dots)|final)\b", _I
)
_IN_NUMBERS = re.compile(
    r"\b(?:commas?|periods?|dots?|spaces?) (?:for|in|within|inside|as|between) (?:the |any |large )?(?:numbers?"
    r"|figures?)\b",
    _I,
)
_FOR = re.compile(r"\b(?:as bullets?|for (?:bullets?|lists?)|bullet markers?|as (?:a )?separators?|list marker)", _I)


def marks_in(text: str) -> list[tuple[str, str]]:
    """(name, pattern) of the marks that are named, the longer names first."""
    found = []
    for name, noun, pattern in _NAMED:
        shown = noun.search(text)
        if shown:
            found.append((name, pattern))
            text = noun.sub(" ", text)
    return found


def _refused(text: str) -> list[tuple[str, str]]:
    """Those that a sentence which refuses some refuses: not those that it recommends beside them."""
    swapped = _REPLACE.search(text)
    if swapped:
        return marks_in(swapped[1] or swapped[2])
    for cut in _CONTRAST.finditer(text):
        behind = text[cut.end() :]
        if marks_in(text[: cut.start()]) and marks_in(behind) and (cut[1] or _at_start(behind)):
            return marks_in(behind)
    first = min((m.start() for _, noun, _ in _NAMED if (m := noun.search(text))), default=0)
    return marks_in(text[:first] + _BESIDE.sub(" ", text[first:]))


def _at_start(text: str) -> bool:
    """Whether a mark is what the text begins with: ``never`` an em dash."""
    rest = _ARTICLES.sub("", text)
    return any(noun.match(rest) for _, noun, _ in _NAMED)


def _none(s: Slots) -> Any | None:
    text = bare(s.text)
    found = _refused(text)
    if (
        not found
        or _EDGE.search(text)
        or _FOR.search(text)
        or _IN_NUMBERS.search(text)
        or re.search(r"\b(?:more than|only|except)\b", text, _I)
    ):
        return None
    return placed(s, all_of([none(pattern, name) for name, pattern in found]))


def _count(s: Slots) -> Any | None:
    text = bare(s.text)
    found = marks_in(text)
    if len(found) != 1 or (s.least is None and s.most is None) or _FOR.search(text):
        return None
    name, pattern = found[0]
    return placed(s, some(pattern, name, s.least, s.most))


def _present(s: Slots) -> Any | None:
    text = bare(s.text)
    found = marks_in(text)
    if not found or _EDGE.search(text) or _FOR.search(text):
        return None
    return placed(s, all_of([some(pattern, name) for name, pattern in found]))


_STOPPED = r"[.][\"”'’)\]*_]*\s*\z"
_UNSTOPPED = r"[.!?;:,][\"”'’)\]*_]*\s*\z"


def _sentences(check: Any) -> Any:
    return c.Each(part=c.Part(kind="sentence", of=c.Part(kind="paragraph")), check=check)


_COMMA_AND = (
    r"(?:^|[\s(])(?:a|an|the|your|some|our|two|three) [a-z-]+(?: [a-z-]+)?, (?:a|an|the|your|some|our|two|three)"
    r" [a-z-]+(?: [a-z-]+)? (?:and|or) (?:a|an|the|your|some|our|two|three) [a-z]"
    r"|, [a-z-]+, [a-z-]+ (?:and|or) [a-z-]+"
    r"|\b(?:are|is|was|were|has|have|with|buy|bring|includes?|include|contains?|needs?|need|like|likes|offers?|offer"
    r"|sells?|sell|supports?|use|uses|:) [A-Za-z-]+, [A-Za-z-]+ (?:and|or) [A-Za-z-]+(?:[.,;!?]|$)"
)
_WITH_OXFORD = (
    r"\w, (?:[\w'’-]+ ){0,3}[\w'’-]+, (?:and|or) [\w'’-]+(?: [\w'’-]+){0,2}(?:[.;!?)]|$)|, [a-z-]+, (?:and|or) [a-z]"
)
_WORD_OF = r"[^\"“”\n]*\w[^\"“”\n]*"
_PASSAGE = rf"[\"“]{_WORD_OF}\s{_WORD_OF}\s{_WORD_OF}[\"”]"
_ANY_PASSAGE = r"\"[^\"\n]{2,}\"|“[^”\n]{2,}”"
_OF_ANOTHER = re.compile(r"^(?!.*\b(?:answer|reply|response|label|output)\b).*\b(?:its|their|whose) (?:very )?end", _I)
"""The end of what the clause before it speaks of."""
FAMILIES: tuple[Family, ...] = (
    Family("mark.none", "without these marks", _none, takes_terms=True),
    Family("mark.count", "{limit} of these marks", _count, bounded=True, takes_terms=True),
    Family("mark.present", "with these marks", _present, takes_terms=True),
    never("mark.repeated", "no marks in a row", r"[!?]{2,}|! ?!|\? ?\?", "marks in a row", terms=True, parts=False),
    Family("sentence.stopped", "every sentence ends with a mark",
           lambda s: _sentences(c.Matches(pattern=r"[.!?…][\"”'’)\]*_]*\s*\z", finds="mark at the end"))),
    wants("end.period", "the answer ends with a full stop", _STOPPED, "a full stop at the end", "answer"),
    Family("end.bare", "no mark at the end of the answer",
           lambda s: None if _OF_ANOTHER.search(s.text) else none(_UNSTOPPED, "a mark at the end", "answer")),
    never("space.double", "two spaces between sentences", r"[a-z]{2}[.!?] [A-Z]",
          "single spaces between sentences", parts=False),
    never("space.before_mark", "no space before a mark", r"\w [,;:!?](?:\s|$)", "spaces before marks", parts=False),
    never("oxford.required", "with the serial comma", _COMMA_AND, "lists without the serial comma", terms=True,
          parts=False),
    never("oxford.none", "without the serial comma", _WITH_OXFORD, "serial commas", terms=True, parts=False),
    never("quotation.none", "no quotations", _PASSAGE, "quotations", parts=False),
    wants("quotation.present", "a quotation in quotation marks", _ANY_PASSAGE, "a quotation"),
    counted("quotation.count", "{limit} quotations in quotation marks", _ANY_PASSAGE, "quotations"),
    never("quote.not_whole", "the answer does not stand in quotation marks", r"(?s)\A\s*[\"“'‘][^\"“”]*[\"”'’]\s*\z",
          "quotation marks around it", "answer", terms=True, parts=False),
)  # fmt: skip
