"""How list items are written: label and text, tags, first words, gerunds, Roman numerals."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.texts.told import CONDITIONS, needs, speaks, spelled_any
from agent.cca.families.words.kit import bare

_I = re.IGNORECASE
TOP = c.Part(kind="list_item", marked=True, pattern=r"\A(?:[-*+•]|\d{1,4}[.)])[ \t]")
"""List items that stand in no other one."""
_LEAD = r"\A(?:[-*+•]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?"
_ITEMS = r"\b(?:bullets?|bullet points?|(?:list )?items?|entry|entries|list elements?)\b"
_ELSEWHERE = (
    r"\bcode\b|\bjson\b|\byaml\b|\bcommits?\b|\bchangelog\b|\btables?\b|\bmenu\b|\bunder\b|\bsections?\b"
    r"|\bsub-?bullets?\b|\bnested\b"
)
_TEMPLATE = re.compile(
    r"(?P<bold>\*\*|__)?[\[<{]?[A-Za-z][\w '’-]{0,40}[\]>}]?(?P<inner>:)?(?:\*\*|__)?\s*(?P<sign>(?<=:\*\*)|(?<=:__)"
    r"|:|->|=>|→|–|—|(?<=\s)-(?=\s)) +[\[<{(]?\S.*"
)
_SIGNS = {":": "[:：]", "->": "(?:->|=>|→)", "=>": "(?:->|=>|→)", "→": "(?:->|=>|→)"}
_DASHED = r"(?:\s[-–—]{1,2}\s|—)"


def _joined(slots: Slots) -> Any | None:
    """A label, a sign, and text: as the template shows, or as the sentence says."""
    shown = [term for term in (*slots.terms,) if _TEMPLATE.fullmatch(term)]
    text = bare(slots.text)
    bold = ""
    match = _TEMPLATE.fullmatch(shown[0]) if len(slots.terms) == 1 and shown else None
    if match is not None:
        sign = match["sign"] or ":"
        bold = r"(?:\*\*|__)" if match["bold"] else ""
    elif not slots.terms and speaks(
        text, r"\b(?:label|term|name|key ?word|key ?phrase|phrase|word|topic|lead-?in|head ?word)s?\b"
    ):
        signs = [
            sign
            for sign, words in ((":", r"\bcolons?\b"), ("–", r"\b(?:em |en )?dash(?:es)?\b|\bhyphen\b"))
            if speaks(text, words)
        ]
        if len(signs) != 1:
            return None
        sign = signs[0]
    else:
        return None
    found = _SIGNS.get(sign, _DASHED)
    check = c.Matches(pattern=rf"{_LEAD}{bold}[^\n]{{1,120}}?{found}", finds=f"a label and “{sign}”")
    return c.Each(part=TOP, check=check)


def _tagged(slots: Slots) -> Any | None:
    """A tag in square brackets first: one of those that are quoted, else any."""
    values = re.findall(r"[\"'“`](\[[^\[\]\n]{1,30}\])[\"'”`]", slots.text)
    if not set(slots.terms) <= set(values):
        return None
    sure = (
        len(values) > 1
        and not slots.examples
        and not speaks(slots.text, r"\betc\b|\band so on\b|…|\.\.\.|\bor similar\b")
    )
    tag = spelled_any(tuple(values)).replace(r"\]", r"\\?\]") if sure else r"\[[^\]\n]{1,40}\]"
    check = c.Matches(pattern=rf"{_LEAD}[*_`\"“]*\\?(?i:{tag})", finds="a tag in square brackets")
    return c.Each(part=TOP, check=check, one=not speaks(slots.text, _ITEMS))


_SCOPES: tuple[tuple[str, Any], ...] = (
    ("list_item", _ITEMS + r"|\bsteps?\b"),
    ("sentence", r"\bsentences?\b"),
    ("paragraph", r"\bparagraphs?\b"),
    ("heading", r"\bheadings?\b"),
    ("line", r"\blines?\b"),
)


def _differ(slots: Slots) -> Any | None:
    kinds = [kind for kind, words in _SCOPES if speaks(slots.text, words)]
    if len(kinds) != 1 or slots.terms:
        return None
    words = c.Part(kind="match", pattern=r"\A[^\p{L}\p{N}]*([\p{L}\p{N}'’]+)", of=c.Part(kind=kinds[0]))  # type: ignore[arg-type]
    return c.Series(part=words, unique=True)


_GERUND = r"(?i)\A[^\p{L}]*(?:[\p{L}]+-)?\p{L}+(?:ing|ndo|ant|nd)\b"


def _gerund(slots: Slots) -> Any:
    return c.Each(part=TOP, check=c.Matches(pattern=_GERUND, finds="a word in -ing first"))


def _roman(slots: Slots) -> Any:
    """A numbered list is numbered i., ii. or I., II.; other lists may stand beside it."""
    numerals = c.Matches(pattern=r"^[ \t>*_]*\(?(?:ii|II)[*_]*[.):]", finds="a Roman numeral")
    return c.When(condition=c.Count(unit="numbered", least=2), then=numerals)


FAMILIES: tuple[Family, ...] = (
    needs("items.joined", "list items are a label, a sign and text", _joined, about=(_ITEMS,),
          unless=_ELSEWHERE + r"|\bends? (?:in|with)\b|\bbefore an? (?:\w+ )?list\b|\bintroduc|\bbefore (?:the|each"
                              r"|every|a) list\b|\bsource\b"
                              r"|" + CONDITIONS),
    needs("items.tagged", "list items begin with a tag in square brackets", _tagged,
          about=(r"\[|\bsquare brackets\b|\bbracketed\b", r"\b(?:starts?|begins?|opens?|leads?|prefix\w*|precede\w*"
                                                          r"|first|front|open with|head)\b",
                 _ITEMS + r"|\b(?:findings?|comments?|issues?|remarks?|tasks?|changes?)\b"),
          unless=_ELSEWHERE + r"|\bcheck ?box|\bbetween\b|\blinks?\b|\bcitations?\b|\bplaceholders?\b|\breferences?\b"
                              r"|\btitles?\b|" + CONDITIONS),
    needs("items.first_words", "list items, sentences or paragraphs begin with words that differ", _differ,
          about=(r"\bsame\b|\bdifferent(?:ly)?\b|\bdistinct\b|\brepeat\w*\b|\bunique\b|\btwice\b|\bdiffers?\b"
                 r"|\bdiffering\b", r"\b(?:start\w*|begin\w*|open\w*|first|lead\w*)\b",
                 r"\bwords?\b|\bverbs?\b"), denied=None,
          unless=_ELSEWHERE + r"|\bin a row\b|\bconsecutive|\badjacent|\bsuccessive|\bneighbou?r|\brunning\b"
                              r"|\bback to back\b|\bafter (?:another|the other)\b"
                 r"|\bmore than two\b|\bthree\b|\bletters?\b|\bfollowing\b|\bnext\b|\bparallel\b|\ball (?:start"
                 r"|begin|open)\w* with the same\b|\bpart of speech\b|\bform\b|"
                 + CONDITIONS),
    needs("items.gerund", "list items begin with a word in -ing", _gerund,
          about=(_ITEMS, r"\bgerunds?\b|-ing\b", r"\b(?:starts?|begins?|opens?|leads?|first)\b"),
          unless=_ELSEWHERE + r"|\bimperatives?\b|\bnot a gerund\b|\brather than\b|\binstead of\b|" + CONDITIONS),
    needs("list.roman", "numbered lists have Roman numerals", _roman,
          about=(r"\broman\b", r"\blists?\b|\bitems?\b|\boptions?\b|\bpoints?\b|\bclauses?\b|\bsteps?\b|\bnumbered\b"),
          unless=r"\barabic\b|\bcentur|\bkings?\b|\bheadings?\b|\bsections?\b|\bchapters?\b|\bsub-?\w+\b"
                 r"|\bsecond level\b|\bnested\b|" + CONDITIONS),
)  # fmt: skip
