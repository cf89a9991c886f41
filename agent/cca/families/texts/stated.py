"""What an answer states of itself: its word count, a score out of so many, and a set phrase that stands for all."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.texts.told import CONDITIONS, line_at, needs, spelled_any
from agent.cca.families.words.kit import bare

_I = re.IGNORECASE
_COUNT_WORDS = (
    r"\bword[- ]?count\b|\bword counts (?:are|is)\b|\b(?:number|total|count|tally) of words\b|\bhow many words\b"
)
_COUNTED = (
    r"(?i)(?:word[- ]?count|words|wörter|mots|palabras|parole)[^\d\n]{0,25}\d"
    r"|\d[\d,.]*[\s*_]*(?:words?|wörter|mots|palabras|parole)\b"
)
_TALLIED = (
    r"(?i)^[^\p{L}\p{N}]*(?:total |final )?word[- ]?count[*_]*[ \t]*[:=][*_ \t]*[~(]?\d"
    r"|[(\[][ \t]*(?:word[- ]?count:? ?)?(?:~|about |approx\.? )?\d[\d,]*(?: words?)[ \t]*[)\]][\s*_.]*\z"
    r"|^[^\p{L}\p{N}]*\d[\d,]* words?[^\p{L}\p{N}]*\z"
)


def _count(slots: Slots) -> Any:
    at = line_at(bare(slots.text))
    check = c.Matches(pattern=_COUNTED, finds="a word count")
    return c.Each(part=c.Part(kind="line", nth=at), check=check) if at else check


_WORDS = {"five": "5", "six": "6", "ten": "10", "twenty": "20", "a hundred": "100", "one hundred": "100"}
_OUT_OF = re.compile(
    rf"\bout of (?:a (?:total|maximum|possible) (?:of )?)?(\d{{1,4}}|{'|'.join(_WORDS)})\b|(?<![\d/])(?:\d{{1,3}}"
    rf"|[XNx]) ?/ ?(\d{{1,4}})(?![\d/])",
    _I,
)
_NUMERAL = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|zero)"


def _score(slots: Slots) -> Any | None:
    """Some number, a slash or "out of", and the number that the sentence names."""
    text = " ".join((slots.text, *slots.terms))
    found = {_WORDS.get((match[1] or "").lower(), match[1] or match[2]) for match in _OUT_OF.finditer(text)}
    if len(found) != 1:
        return None
    most = found.pop()
    word = next((name for name, number in _WORDS.items() if number == most), most)
    pattern = (
        rf"(?i)(?:[\d½¼¾][\d.,½¼¾]*|\b{_NUMERAL})[*_\"]*\s?(?:[/⁄]|out of|von|sur|de|su|di|of)\s?[*_\"]*(?:{most}"
        rf"|{word})\b"
    )
    at = line_at(bare(slots.text))
    check = c.Matches(pattern=pattern, finds=f"a score out of {most}")
    return c.Each(part=c.Part(kind="line", nth=at), check=check) if at else check


def _alone(slots: Slots) -> Any | None:
    """Where the phrase stands on a line of its own, nothing stands beside it."""
    said = [term for term in slots.terms if term not in slots.contrast]
    if len(said) != 1 or re.search(r"[\[\]{}<>]|\.\.\.|…|:\s*$", said[0]) or "\n" in said[0]:
        return None
    phrase = said[0].strip().rstrip(".!")
    if len(phrase.split()) < 2 and not re.fullmatch(r"[A-Z][A-Z_]{3,}", phrase):
        return None
    one = rf"[*_`\"“'>]*{re.escape(phrase)}[.!]*[*_`\"”']*"
    return c.When(
        condition=c.Matches(pattern=rf"^[ \t]*{one}[ \t]*$", finds=f"“{phrase[:40]}”"),
        then=c.Matches(pattern=rf"\A\s*(?:```\w*\s*)?{one}\s*(?:```\s*)?\z", finds=f"“{phrase[:40]}” and nothing else"),
    )


_MARKER = re.compile(r"(?<![\w\]])\[/?[A-Z][A-Z_ -]{1,30}\](?![(\w\[])")


def _marker(slots: Slots) -> Any | None:
    """``[END]``, or one of several such markers, alone on the first or last line."""
    shown = tuple(dict.fromkeys(_MARKER.findall(slots.text)))
    at = line_at(slots.text)
    if not shown or not at or slots.contrast or any(term not in shown for term in slots.terms):
        return None
    escaped = spelled_any(shown).replace(r"\[", r"\\?\[").replace(r"\]", r"\\?\]")
    alone = rf"\A[\s*_`]*(?:{escaped})[\s*_`.]*\z"
    return c.Each(part=c.Part(kind="line", nth=at), check=c.Matches(pattern=alone, finds=f"{shown[0]} alone"))


FAMILIES: tuple[Family, ...] = (
    needs("edge.marker", "a marker like [END] alone on the first or last line", _marker,
          about=(r"\[", r"\b(?:lines?|alone|by itself|on its own|nothing (?:else|more)|nothing (?:follows|after))\b"),
          unless=r"\b(?:each|every (?!answer|reply|response|output|message|transcript|turn)|sections?|paragraphs?"
                 r"|headings?|checkbox|placeholders?|items?"
          r"|bullets?|begins? with|starts? with|followed by|citations?|links?|tags?)\b|" + CONDITIONS),
    needs("word_count.stated", "the answer states its word count", _count,
          about=(_COUNT_WORDS, r"\b(?:end|ends|close|finish|state|states|give|gives|put|write|add|append|note|show"
                               r"|include|report|print|list|line|tell|mention|goes|stands|carr(?:y|ies)|last|bottom"
                               r"|parentheses)\b"),
          unless=r"\b(?:left|files?|editor|user|page|input|limit|exceed|target|respect|stay|keep|within|json|field"
                 r"|key|requested|maximum|minimum|under"
                 r"|over|sections?|each (?!text|draft|answer|story|article|post)|every (?!text|draft|answer|story"
                 r"|article|post)|per|headings?|docs?|count as|counts? toward)\b|" + CONDITIONS),
    needs("word_count.unstated", "the answer does not state its word count", lambda slots: c.Matches(
        pattern=_TALLIED, least=0, most=0, finds="a word count"), about=(_COUNT_WORDS,), denied=True,
          unless=r"\d|\bword counts\b(?! (?:are|is))|\b(?:past|goes|go|pass(?:es)?|hits?|exceed|limit|over|above"
                 r"|beyond|under \d|more|less|fewer|below \d|reach|pad|count (?:toward"
                 r"|as)|matters?|important|care|worry|target|fall|short of|at least|restrict\w*|without (?:stating"
                 r"|giving)|if|unless|except|only)\b"),
    needs("score.out_of", "a score out of so many", _score,
          about=(r"\b(?:scores?|grades?|marks?|ratings?|rates?|points?|graded|scored|rated|rank)\b",),
          unless=r"\b(?:json|field|key|integer|column|decimal|below \d|above \d|under|over|fewer|less than|more than"
                 r"|at least|reviews with|products?|higher|lower|each|every|per)\b|" + CONDITIONS),
    needs("fallback.alone", "{terms} alone, where it is said", _alone,
          about=(r"\b(?:if|when|where|unless|in case|otherwise|should|whenever|without any|for (?:questions"
                 r"|requests))\b",
                 r"\bnothing (?:else|more|further|but)\b|\bonly\b|\balone\b|\band stop\b|\bno (?:other|further|more"
                 r"|added|additional|extra)\b|\bexactly\b|\bjust\b|\band (?:leave|add) (?:it|nothing)\b"),
          unless=r"\b(?:must not|never|avoid|somewhere|only if|only when|start|begin|end|append|followed by|then"
                 r"|and explain|and (?:give|say"
                 r"|ask)|line|section|field"
                 r"|key|column|cell|code comment|heading|first)\b", denied=None),
)  # fmt: skip
