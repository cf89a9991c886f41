"""Demands in set phrases: how lines begin and end, one letter, digit or word alone, a list of so many items."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.fields import bare_keys, case_of_keys, no_other_keys, values_of_field
from agent.cca.grammar.limits import NUMBERS, number_of
from agent.cca.grammar.polarity import BAILS, denials
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_GIVES = r"(?:answer|respond|reply|return|output|give|provide|write|print|say|produce|generate|list|suggest|create)"
_ALONE = r"(?:only|just|nothing but|exactly|solely)"

_ITEMS = re.compile(
    rf"^(?:please |you must |you should |then |now |always )*{_GIVES}\b (?:me |us |exactly |a list of |a total of )*"
    rf"(?P<number>\d{{1,3}}|{'|'.join(sorted((n for n in NUMBERS if ' ' not in n), key=len, reverse=True))})"
    r" (?:[\w-]+ ){1,6}?(?:as|in|using|formatted as|in the form of) (?:an? )?(?:(?P<kind>numbered|ordered|bullet(?:ed)?"
    r"|bullet[- ]point|unordered) list|(?P<points>bullet points|bullets))[ .]*$",
    _I,
)
_DASHED = re.compile(
    r"^(?:please )?(?:start|begin|prefix) (?:each|every) (line|item|bullet|entry|list item)(?: \w+){0,2}? with an? "
    r"(?:single )?(dash|hyphen|asterisk|bullet point|bullet)[ .]*$",
    _I,
)


def listed(masked: str) -> Any | None:
    """``Give 5 suggestions as a numbered list``, ``Start each line with a dash``."""
    found = _ITEMS.match(masked)
    if found and not BAILS.search(masked):
        number = number_of(found["number"])
        numbered = (found["kind"] or "").lower() in ("numbered", "ordered")
        return c.Count(unit="numbered" if numbered else "bullets", least=number, most=number)
    dashed = _DASHED.match(masked)
    if dashed is None:
        return None
    signs = {"dash": ("-", "–", "—"), "hyphen": ("-",), "asterisk": ("*",)}.get(dashed[2].lower(), ("-", "*", "•", "+"))
    if dashed[1].lower() == "line":
        return c.Every(scope="line", check=c.Starts(terms=signs))
    return c.Matches(pattern="^[ \\t]*(?:" + "|".join(re.escape(sign) for sign in signs) + ")")


_LEAD = r"^(?:please |you must |you should |always |just |simply |then |output: |answer: )*"
_LETTER = re.compile(
    rf"{_LEAD}(?:(?:only |just ){_GIVES}\b(?: with)? the|{_GIVES}\b(?: with| back)? (?:{_ALONE} (?:with )?(?:the|a|one"
    r"|a single)(?: single)?|with a single|a single|one single)|(?:the|your) (?:final )?(?:answer|response|output"
    r"|reply)"
    r" (?:must|should) (?:contain|be|consist of|include) (?:only|just|exactly)(?: of)? (?:the|a|one|a single)) "
    r"(?:(?:capital|uppercase|option|choice|answer) )*letter\b(?P<rest>.*)$",
    _I,
)
_LETTER_OF = re.compile(
    r"^(?: (?:of|for|corresponding to|representing|matching) (?:the|your) (?:[\w-]+ ){0,2}?(?:option|choice|answer))?"
    r"[ ,]*(?:from |among |between )?[(:,]? ?(?P<set>[A-H](?:[,/]? ?(?:or |and )?[A-H])*)?\)?(?:,? (?:and nothing else"
    r"|only|nothing else|without (?:any )?(?:explanation|other text|additional text)))?[ .]*$"
)


def letter(masked: str) -> Any | None:
    """``Answer with only the letter of the correct option``, ``Respond with just the letter (A, B, C, or D)``."""
    found = _LETTER.match(masked)
    rest = _LETTER_OF.match(found["rest"]) if found else None
    if rest is None:
        return None
    letters = "".join(sorted(set(re.findall(r"[A-H]", rest["set"] or "")))) or "A-Z"
    if len(letters) == 1:
        return None
    return c.Matches(pattern=rf"(?i)\A[\s\"'`*(\[]*[{letters}][\])\"'`*.]*\s*\z")


_DIGIT = re.compile(
    rf"{_LEAD}(?:only |just )?{_GIVES}\b(?: with)? (?:{_ALONE} )?(?:a single|one|exactly one) digit"
    r"(?: ?\(? ?(?P<set>\d(?:,? (?:or |and )?\d)+) ?\)?| (?:from|between) (?P<low>\d) (?:to|and) (?P<high>\d))?"
    r"(?:,? (?:only|and nothing else|nothing else))?[ .]*$",
    _I,
)


def digit(text: str) -> Any | None:
    """``Respond with a single digit (0, 1, or 2)``."""
    found = _DIGIT.match(text)
    if found is None or (found["low"] and found["low"] >= found["high"]):
        return None
    digits = "".join(re.findall(r"\d", found["set"] or "")) or f"{found['low'] or 0}-{found['high'] or 9}"
    return c.Matches(pattern=rf"\A\s*[{digits}]\s*\z")


_FENCE = re.compile(
    rf"{_LEAD}(?:{_GIVES}|put|wrap|place|enclose)\b (?:all |only )?(?:(?:the|your|all)(?: \w+){{0,2}} )?(?:code|query"
    r"|command|script|function|program|snippet) (?:in|inside|within|as|into) (?P<one>a single|one|exactly one|a|an)"
    r" (?:(?:markdown|fenced|python|sql|bash|json|code fence) ?)*(?:code )?(?:block|fence)s?[ .]*$",
    _I,
)


def fence(text: str) -> Any | None:
    """``Put all code in a single code block``."""
    found = _FENCE.match(text)
    if found is None:
        return None
    return c.Count(unit="fences", least=1, most=1 if found["one"].lower() not in ("a", "an") else None)


_WORD = re.compile(
    rf"^(?:please |you must |you should "
    rf"|always )*{_GIVES}\b(?: with)? {_ALONE} (?:with )?(?:the )?(?:single )?(?:exact )?"
    r"(?:word|phrase|string|text|token) §(?:,? and nothing else)?[ .]*$",
    _I,
)


def word_alone(masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    """``Respond with ONLY the word "DONE"``."""
    if len(terms) != 1 or not _WORD.match(masked):
        return None
    return c.Matches(pattern=rf"(?i)\A[\s\"'`*]*{re.escape(terms[0].text)}[.!\"'`*]*\s*\z")


_BOXED = re.compile(
    r"^(?:please |and |then |you must |finally,? )*(?:put|place|write|give|provide|enclose|present|state|wrap|return"
    r"|box) (?:the|your) (?:final |numeric(?:al)? )*(?:answer|result|solution)s? (?:\w+ ){0,3}?(?:in|within"
    r"|inside|using"
    r"|with|as)(?: an?)? \$?\\+boxed",
    _I,
)
_SECOND_BLANK = re.compile(
    r"^(?:leave |keep )?(?:the )?second line (?:blank|empty|(?:must|should|shall|is|has to) (?:be )?(?:always )?"
    r"(?:left )?(?:blank|empty))[ .]*$|^(?:leave |keep )the second line (?:blank|empty)[ .]*$",
    _I,
)
_LEVEL = re.compile(
    r"^(?:please |always |only )*(?:use|write) (?:only )?(?:markdown )?(?:level[- ]([1-4])|h([1-4])|(first|second"
    r"|third)"
    r"[- ]level) (?:headings?|headers?)(?: only)?[ .]*$",
    _I,
)
_ORDINALS = {"first": 1, "second": 2, "third": 3}


def marked(text: str) -> Any | None:
    """``\\boxed{}``, a blank second line, headings of one level."""
    if _BOXED.match(text) and not denials(text):
        return c.Matches(pattern=r"\\boxed\s*\{")
    if _SECOND_BLANK.match(text):
        return c.Matches(pattern=r"\A\s*[^\n]+(?:\n[ \t]*(?:\n|\z)|\z)")
    found = _LEVEL.match(text)
    if found:
        level = int(found[1] or found[2] or _ORDINALS[found[3].lower()])
        return c.Matches(pattern=rf"^ {{0,3}}#{{{level}}} \S")
    return None


_ONE_LINE = re.compile(
    r"^(?:the |your )?(?:(?:final |whole |entire )?(?:answer|response|output|reply) )?(?:(?:must|should|shall|has to|to"
    r"|be) )*(?:put |write |keep |return |output |give |provide )?(?:everything |it |the answer )?(?:be )?(?:on|in|as) "
    r"(?:one|a single) line,? (?:without|with no|no)(?: any)? (?:line[- ]?breaks|newlines?(?: characters)?)[ .]*$",
    _I,
)
_TITLE_END = re.compile(
    r"^(?:do not|don['’]t|never) (?:end|finish|terminate) (?:the |your )?(?:titles?|headline)"
    r" with (?:a |any )?(?P<sign>period|full stop|dot|punctuation(?: marks?)?)[ .]*$|^(?:the "
    r")?(?:title|headline) (?:must|should) not end (?:with"
    r"|in) (?:a |any )?"
    r"(?P<sign2>period|full stop|dot|punctuation(?: marks?)?)[ .]*$|^no (?P<sign3>period|full stop|dot"
    r"|punctuation) at the "
    r"end of the (?:title|headline)[ .]*$",
    _I,
)


def of_lines(text: str) -> Any | None:
    """All on one line; a title, where the answer is no more than that."""
    if _ONE_LINE.match(text):
        return c.Count(unit="lines", most=1)
    found = _TITLE_END.match(text)
    if found is None:
        return None
    sign = (found["sign"] or found["sign2"] or found["sign3"]).lower()
    marks = (".", "!", "?", ",", ";", ":") if sign.startswith("punct") else (".",)
    return c.When(condition=c.Count(unit="lines", most=1), then=c.Not(check=c.Ends(terms=marks)))


_COMMA = re.compile(
    r"^(?:please |you must |always )*(?:(?:separate|delimit) (?:the |your |all |multiple |each )*(?:keywords?"
    r"|tags?|items?"
    r"|names?|values?|entries|words|terms|topics|labels|results?|answers?)(?: \w+)? (?:with|by|using) (?:a )?commas?"
    rf"|{_GIVES} (?:the |your |a |an |them |it |as |in |list |keywords |results? |answers? |output |only |just )*"
    r"comma[- ](?:separated|delimited) (?:list|string|values)(?: (?:of [\w ]{1,40}|on (?:a single|one) line))?)[ .]*$",
    _I,
)


_BETWEEN_COMMAS = re.compile(
    rf"^(?:please |you must |always |only |just )*(?!list\b){_GIVES}(?: back)?(?: only| just)? (?!(?:[\w,'’-]+ )*?"
    rf"(?:each|every"
    rf"|rows?|columns?"
    r"|csv|json|fields?|if|when|unless|except)\b)[\w ,'’-]{3,120}?(?:,| as an?)? ?(?:comma[- ](?:separated|delimited)"
    r"|separated by"
    r" commas)(?: list)?(?:,? (?:and )?(?:without|with no) (?:any )?(?:additional |other |extra |further )?(?:text"
    r"|explanations?"
    r"|commentary|words))?[ .]*$",
    _I,
)


def by_commas(text: str) -> Any | None:
    """Items between commas: no bullets, no numbers."""
    if not _COMMA.match(text) and not _BETWEEN_COMMAS.match(text):
        return None
    kinds: tuple[Any, ...] = (c.Count(unit="bullets", most=0), c.Count(unit="numbered", most=0))
    return c.AllOf(checks=kinds)


def exact(text: str, masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    """The demand of a sentence in a set phrase; None where it is none.

    Args:
        masked: The text with each quoted term replaced by "§".
    """
    if len(text) > 300:
        return None
    return (
        values_of_field(masked, terms)
        or no_other_keys(masked, terms)
        or word_alone(masked, terms)
        or letter(text)
        or digit(text)
        or fence(text)
        or marked(text)
        or (
            None
            if terms
            else case_of_keys(text) or bare_keys(text) or listed(text) or of_lines(text) or by_commas(text)
        )
    )
