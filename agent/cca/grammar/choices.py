"""One of a few words as the whole answer: yes or no, a label of a list, either of two by a condition."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.light import leaves_nothing
from agent.cca.grammar.polarity import denials
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_CHOICE = re.compile(
    r"^(?P<lead>.*?)\b(?P<first>[a-z]{1,20}), (?P<middle>(?:[a-z]{1,20}, ){0,8})?(?:or "
    r")?(?P<last>[a-z]{1,20})(?P<tail>(?: only)?)$"
    r"|^(?P<lead2>.*?)\b(?P<one>[a-z]{1,20})(?: or |/| / )(?P<two>[a-z]{1,20})(?P<tail2>(?: only| answers only"
    r"| only answers)?)$",
    _I,
)
_CHOOSES = re.compile(
    r"\b(?:answer|respond|reply|output|return|say|choose|pick|select|label|classify|verdict|options?|choices|labels?"
    r"|word|with|as|be|is|either|one|of|the|following|exactly|only|just|must|should|your|a|an"
    r"|single|to|response|in|values?|categories|category|from|nothing|else|use|words|simply|you)\b",
    _I,
)
_ANSWERED = re.compile(r"\b(?:print\w*|answers?|respond|response|reply|output|return|say|verdict)\b", _I)
_NOT_CHOSEN = """
    json yaml xml csv markdown html prose text code english german french spanish bullets bullet lists tables
    sentence sentences word words paragraph paragraphs less fewer more shorter longer lines line items two three
    four five six it them this that list table both same numbers number phrase phrases
"""
_NO_CHOICE = frozenset(_NOT_CHOSEN.split())


def choice(text: str, terms: tuple[Quoted, ...], explained: bool) -> Any | None:
    """``Answer yes or no``, ``Reply with one word: low, medium or high``: the whole answer is one of a few words."""
    if not _ANSWERED.search(text) and not re.match(r"yes ?(?:/|or) ?no\b", text, _I):
        return None
    if len(terms) >= 2:
        rest = re.sub(r"§|[\[\],/]|\bor\b", " ", text)
        only = explained or re.search(
            r"\b(?:only|just|one of|either|nothing|exactly|must be|should be|a single|one word|any of|with|verdict)\b",
            text,
            _I,
        )
        if (
            not only
            or re.search(r"\b(?:contain|includ|mention|start|begin|end|section|and)\w*\b", text, _I)
            or not leaves_nothing(_CHOOSES.sub(" ", rest))
        ):
            return None
        return _whole(tuple(each.text for each in terms))
    found = _CHOICE.search(text)
    lead = (found["lead"] or found["lead2"] or "").strip(" :") if found else ""
    if terms or found is None or denials(lead):
        return None
    if found["one"]:
        values = [found["one"], found["two"]]
    else:
        values = [found["first"], *re.findall(r"[A-Za-z]+", found["middle"] or ""), found["last"]]
    if any(value.lower() in _NO_CHOICE for value in values) or not leaves_nothing(_CHOOSES.sub(" ", lead)):
        return None
    narrow = (
        explained
        or (found["tail"] or found["tail2"])
        or re.search(
            r"\b(?:one of|either|only|just|exactly|one|single|must be)\b|:\s*$",
            found["lead"] or found["lead2"] or "",
            _I,
        )
    )
    if (
        not narrow
        and {value.lower() for value in values} != {"yes", "no"}
        and {value.lower() for value in values} != {"true", "false"}
    ):
        return None
    return _whole(tuple(values))


_ONE_FROM = re.compile(
    r"\b(?:(only|exactly|just|single|nothing but) )?(?:a |an |the )?(?:(single|exactly one|only one|one) )?(?:of"
    r"|(?:choices?|options?|labels?|words?|values?|categor(?:y|ies)|answers?|class(?:es)?|one) (?:from|of|out of"
    r"|among|in))"
    r"(?: the)?(?: (?:following|these|given|allowed|possible))?(?: (?:choices|options|labels|values|words"
    r"|categories))?\s?:? ?[\[({]?(?=§)",
    _I,
)
_CHAIN = re.compile(r"§(?:\s?[,/|]?\s?(?:or |and )?§)+")
_ONE_LABEL = re.compile(
    r"\b(?:exactly one|only one|a single|one|single) (?:label|word|option|answer|value|choice"
    r"|token|category|class|verdict)\s?:\s?(?=§)",
    _I,
)


def chosen(masked: str, terms: tuple[Quoted, ...], alone: bool) -> Any | None:
    """``printing only a single choice from ["a", "b"]``, whatever else the sentence says."""
    found = _ONE_FROM.search(masked) or _ONE_LABEL.search(masked)
    chain = _CHAIN.match(masked, found.end()) if found else None
    if (
        found is None
        or chain is None
        or not _ANSWERED.search(masked[: found.start()])
        or denials(masked[: found.start()])
    ):
        return None
    if re.search(
        r"\b(?:keys?|fields?|json|section|columns?|start|begin|end|contain|includ|mention)\w*\b",
        masked[: found.start()],
        _I,
    ):
        return None
    first = masked[: found.end()].count("§")
    values = tuple(each.text for each in terms[first : first + chain[0].count("§")])
    if alone or found.re is _ONE_LABEL or found[1] or found[2]:
        return _whole(values)
    return c.Contains(terms=values, least=1, case=False)


_FOLLOWED = re.compile(
    r"^(?:please )?(?:respond|answer|reply|start|begin|open)\b(?: your (?:answer|response"
    r"|reply))? with (?:either )?(§|[A-Za-z]{2,12}) or (§|[A-Za-z]{2,12}),? (?:followed by|and then|then|before)\b",
    _I,
)


def opens_with(masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    """``Respond with either Yes or No, followed by your reasoning``."""
    found = _FOLLOWED.match(masked)
    if found is None or (found[1] == "§") != (found[2] == "§"):
        return None
    words = tuple(each.text for each in terms[:2]) if found[1] == "§" else (found[1], found[2])
    return c.Starts(terms=words, case=False) if len(words) == 2 else None


_EITHER = re.compile(
    r"^(?:\w+: )?(?:please |only |just |and |you must |you should |simply )*(?:return|answer|respond|say|output"
    r"|reply|print|write|choose|mark|give)\b(?: (?:with|it as|only))* §,? (?:if|when|where|for)\b[^§]{1,160}?"
    r"(?:[,;.]|\band\b|\bor\b|\belse\b|\botherwise\b)[ ,]{0,2}(?:and |or |else |otherwise |if not "
    r"|then )*,? ?(?:(?:return|answer|respond|say|output|reply|print|write|give)(?: with)? )?§(?:,? (?:if|when"
    r"|otherwise|where|for)\b[^§]{0,160})?\W*$",
    _I,
)


def either(masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    """``Return 'yes' if relevant, 'no' if not``: the conditions are for whoever answers, the words are two."""
    if len(terms) != 2 or not _EITHER.match(masked) or any(len(each.text.split()) > 4 for each in terms):
        return None
    if re.search(r"\b(?:include|contain|mention|field|key|add|append|start|begin|end)\b", masked, _I):
        return None
    return _whole(tuple(each.text for each in terms))


def _whole(values: tuple[str, ...]) -> Any:
    if all(value.startswith("[[") for value in values):  # the brackets are what a program looks for
        return c.Matches(pattern=rf"(?i)\A\s*(?:{'|'.join(map(re.escape, values))})[.!]*\s*\z")
    choices = "|".join(re.escape(value.strip("[]")) for value in values)
    return c.Matches(pattern=rf"(?i)\A[\s\"'`*\[]*(?:{choices})[.!\"'`*\]]*\s*\z")
