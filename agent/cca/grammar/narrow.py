"""Answers of one word, number or letter, in set phrases: ``Reply with one label: a, b or c``."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_LEAD = (
    r"^(?:[\w ]{1,20}: |please |always |you must |you should |you are to |must |now |then |finally,? |simply |only"
    r" |just |strictly |kindly )*"
)
_GIVES = r"(?:answer|respond|reply|output|return|say|print|write|give|provide|state|emit|produce)(?: back| me| us)?"
_ONLY = r"(?:only|just|exactly|strictly|nothing but|solely|simply|with|using|by saying|as|either|the|a|an|of)"
_SUBJECT = (
    r"(?:(?:the|your|each|every|entire|whole|final|full|complete) )*(?:answers?|responses?|repl(?:y|ies)|outputs?"
    r"|result)(?: text)?"
    r" (?:(?:must|should|shall|has to|needs to|is to|can|may|will|is|are|be|only|always|consist of|contain|exactly"
    r"|just|strictly|either|with|nothing but"
    r"|solely) )+"
)
_OPEN = rf"(?:{_LEAD}{_GIVES}(?: {_ONLY})*|^{_SUBJECT}(?:{_ONLY} )*)"
_NARROW = re.compile(
    r"\b(?:only|just|exactly|strictly|nothing|solely|either|one|single|must be|simple)\b|\bis (?:yes|true|no|false"
    r"|one)\b",
    _I,
)
_WORD = r"[A-Za-z][A-Za-z0-9_+-]{0,24}"
_ITEM = rf"(?:§|{_WORD})"
_CHAIN = rf"[\[({{]?(?P<list>{_ITEM}(?:(?:,? (?:or|and) |, ?|\s?/\s?|\s?\|\s?){_ITEM})+)[\])}}]?"
_ONE = (
    r"(?: ?(?:(?:exactly |only |just )?(?:one|a single|1|single)(?: \w+)?(?: word| label| option| value| token|"
    r" class| category| choice| answer)?"
    r"(?:(?: chosen| selected| taken)? (?:of|from|out of|among)(?: the| these)?(?: (?:following|words|labels"
    r"|options|categories|values|tokens|classes"
    r"|choices|answers|two|three|four|five|six|possible|allowed|given))*)?)[:,]?(?: either| one of)?)?"
)
_TAIL = (
    r"(?P<tail>(?:,|;| -| –)? ?(?:\(?one word only\)?|\(one word\)|only|nothing else|and nothing else|no other"
    r" (?:text|words?)|without (?:any )?(?:an )?(?:explanations?"
    r"|other text|further text|additional text|punctuation|elaboration)|with no (?:explanation|other text|further"
    r" text)|no explanations?|please|in (?:lower|upper)[- ]?case))*[ .!]*$"
)
_CHOICE = re.compile(rf"{_OPEN}{_ONE} ?:? ?(?:the (?:words?|labels?|strings?) )?{_CHAIN}{_TAIL}", _I)
_LABELLED = re.compile(
    rf"^(?:answer|output|response|label|verdict)s?:? {_CHAIN} \(one (?:word|label|option)(?:"
    rf" only)?\)[ .]*$",
    _I,
)
_PICK = re.compile(
    rf"^(?:please )?(?:pick|choose|select) (?:exactly |only )?(?:one|a single)(?: (?:label|word|option|category"
    rf"|class|value|answer))?(?: (?:of|from|among|out of)(?: the)?(?: \w+)?)?:? {_CHAIN}"
    r"(?P<only>,? and (?:output|return|reply with|respond with|give|write|answer with) (?:only |just |nothing but"
    r" )?(?:that|this|the) (?:label|word|option|category|class|value|answer|one|it)"
    r"(?: only| alone| and nothing else)?)?[ .!]*$",
    _I,
)
_EITHER = re.compile(
    rf"{_LEAD}{_GIVES}(?: with)? (?P<first>yes|true|no|false) (?:if|when)\b.{{3,160}}?[,;.]? ?(?:and |or"
    rf" )?(?:(?:otherwise|else|if not)[, ]*(?:{_GIVES}(?: with)? )?(?P<second>yes|true|no|false)"
    rf"|(?:{_GIVES}(?: with)? )?(?P<third>yes|true|no|false) (?:otherwise|else|if not|if .{{1,80}}))[ .!]*$",
    _I,
)
_NOT_VALUES = """
    it them this that these json yaml xml csv markdown html prose text code english german french spanish bullets
    bullet lists list tables table sentence sentences word words paragraph paragraphs less fewer more shorter longer
    lines line items number numbers phrase phrases comments explanation explanations summary one two three four five
    both same all none answer question your the a an short concise clear brief first python sql plain simple formal
    polite only reason reasoning score title name explain label labels option options category categories facts data
    value values field fields key keys letter digit integer single
"""
_BAD = frozenset(_NOT_VALUES.split())


def narrow(masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    """The check of an answer that is no more than a word, a number or a letter."""
    if len(masked) > 300 or re.search(
        r"\b(?:unless|except|field|key|column|section|each|every|start|begin|contain"
        r" the|include|followed)\b",
        masked,
        _I,
    ):
        return None
    return _choice(masked, terms) or (None if terms else _letter(masked) or _number(masked) or _either(masked))


def _either(masked: str) -> Any | None:
    found = _EITHER.match(masked)
    if found is None:
        return None
    pair = {found["first"].lower(), (found["second"] or found["third"]).lower()}
    return _whole(sorted(pair)) if pair in ({"yes", "no"}, {"true", "false"}) else None


def _choice(masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    found = _CHOICE.match(masked) or _LABELLED.match(masked)
    picked = _PICK.match(masked) if found is None else None
    match = found or picked
    if match is None or match["list"].count("§") != len(terms):
        return None
    before = masked[: match.start("list")]
    marks = iter(terms)
    items = re.findall(r"§|[A-Za-z][A-Za-z0-9_+-]*", re.sub(r"\b(?:or|and)\b", " ", match["list"]))
    values = [next(marks).text if item == "§" else item for item in items]
    low = [value.lower() for value in values]
    if (
        len(values) < 2
        or (not terms and any(value in _BAD for value in low))
        or any(len(value.split()) > 4 for value in values)
    ):
        return None
    if re.search(r"\band\b", match["list"]) and not re.search(
        r"\b(?:one|either|single)\b", masked[: match.start("list")], _I
    ):
        return None
    if picked is not None:
        return _whole(values) if picked["only"] else c.Contains(terms=tuple(values), least=1, case=False)
    head = before + ((match["tail"] or "") if match.re is _CHOICE else "one")
    known = set(low) in ({"yes", "no"}, {"true", "false"})
    return _whole(values) if known or _NARROW.search(head) else None


def _whole(values: list[str]) -> Any:
    choices = "|".join(re.escape(value) for value in values)
    return c.Matches(pattern=rf"(?i)\A[\s\"'`*\[]*(?:{choices})[.!\"'`*\]]*\s*\z")


_LETTERS = re.compile(
    rf"{_OPEN} ?(?:(?:exactly |only )?(?:one|a single|single|the) (?:capital |uppercase )?letter[,:]? ?(?:from |of "
    rf"|among |between |out of )?)?[\[(]?(?:(?P<low>[A-H])(?: to | through |-|–)(?P<high>[B-J])"
    rf"|(?P<set>[A-H](?:,? (?:or|and) |, ?|\s?/\s?)(?:[A-H](?:,? (?:or|and) |, ?|\s?/\s?))*[A-J]))[\])]?{_TAIL}"
)


def _letter(masked: str) -> Any | None:
    found = _LETTERS.match(masked) or _LETTERS.match(masked[:1].lower() + masked[1:])
    if found is None or not _NARROW.search(masked):
        return None
    if found["low"]:
        if found["low"] >= found["high"]:
            return None
        letters = f"{found['low']}-{found['high']}"
    else:
        letters = "".join(sorted(set(re.findall(r"[A-J]", found["set"]))))
    return c.Matches(pattern=rf"(?i)\A[\s\"'`*(\[]*[{letters}][\])\"'`*.]*\s*\z")


_FIGURE = r"-?\d{1,6}(?:\.\d{1,4})?"
_BETWEEN = (
    rf"(?:,? ?[\[(]?(?:(?:that is |which is |ranging )?(?:between|from|in the range(?: of)?|in the interval|on a"
    rf" scale (?:of|from)|in|within) )?[\[(]?(?P<low>{_FIGURE})"
    rf" ?(?:-|–|to|and|through|,) ?(?P<high>{_FIGURE})[\])]?(?:,? ?\(?inclusive\)?)?[\])]?)?"
)
_NUMBERS = re.compile(
    rf"{_OPEN} ?(?:(?:a|an|one|single|exactly|final|numeric|numerical|resulting|computed|overall)"
    rf" )*(?P<kind>numbers?|integer|digit|whole number|float|decimal(?: number)?|floating[- ]point number"
    rf"|numeric (?:answer|value|score|rating)|score|rating|numerical (?:answer|value)|(?:number|integer)"
    rf" value){_BETWEEN}(?:,? (?:no units?|without (?:a |any )?units?|with no units?|no text|without text|as a"
    rf" plain number|not a word))*{_TAIL}",
    _I,
)


def _number(masked: str) -> Any | None:
    found = _NUMBERS.match(masked)
    if found is None:
        return None
    alone = re.search(
        r"\b(?:only|just|nothing|solely|exactly|strictly|single|one|no text"
        r"|without)\b",
        masked[: found.start("kind")] + masked[found.end("kind") :],
        _I,
    )
    figure = r"[-+−]?\d[\d.,]*(?:[eE][-+]?\d+)?\s*%?"
    low, high = (float(found[name]) if found[name] else None for name in ("low", "high"))
    if low is not None and high is not None and low >= high:
        return None
    checks: list[Any] = [c.Matches(pattern=rf"\A\s*{figure}\s*\z")] if alone else []
    if low is not None:
        checks.append(c.Numeric(low=low, high=high))
    if checks and re.search(r"integer|digit|whole", found["kind"], _I) and alone:
        checks.append(c.Matches(pattern=r"\d\.\d", least=0, most=0))
    if not checks:
        return None
    return checks[0] if len(checks) == 1 else c.AllOf(checks=tuple(checks))
