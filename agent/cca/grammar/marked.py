"""Tags, separators, order within lists, fields of an object, one of a few words: demands with slots of their own."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.light import leaves_nothing
from agent.cca.grammar.limits import NUMBERS
from agent.cca.grammar.polarity import BAILS, denials, without_denials
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_TAG = re.compile(r"</?([A-Za-z][\w-]{0,40})(?:\s[^<>\n]{0,80})?/?>")
_IN_TAGS = re.compile(
    r"\b(?:put|wrap|enclos|output|return|provid|writ|includ|plac|us|surround|giv|respond|present|format|insid|within"
    r"|between|contain|deliver|state|start|begin|encapsulat|mark|goes in|go in|belongs? in)\w*\b",
    _I,
)
_TAGS = re.compile(r"\btags?\b|\bxml\b|\belements?\b", _I)
_MADE_OF = re.compile(
    r"\b(?:html|pages?|files?|templates?|components?|if|when|unless|not|never|no|avoid|without|don['’]t|such as|e\.g"
    r"|example|like)\b",
    _I,
)
_MAX_TAGS = 6


_AT_WILL = re.compile(r"\b(?:sparingly|optional\w*|may|can|could|where|as needed|as appropriate|for emphasis)\b", _I)
_ABOUT = re.compile(
    r"(?:(?:all|any|each|every|the|your|inline) )*((?:[\w-]+ ){1,3}?)(?:must|should|shall|has to"
    r"|needs to|are|is)\b",
    _I,
)
_ANSWERS = re.compile(
    r"\b(?:answers?|responses?|outputs?|repl(?:y|ies)|results?|solution|code|reasoning|thoughts?|thinking"
    r"|explanation|summary|final|verdict"
    r"|it|you|everything|analysis|translation|text|query|json|message|plan|conclusion|rationale|judg\w+|decision"
    r"|score|content|list)\b",
    _I,
)
"""What may be meant by the answer, or is a part that each answer has."""


def tags(text: str) -> Any | None:
    """``Put your answer in <answer></answer> tags``: each tag that is named opens and closes."""
    found = list(_TAG.finditer(text))
    if re.search(r"<[\w -]{1,40}>\s?:", text):
        return None  # a label, or a place to fill in, that looks like a tag
    closes = {match[1] for match in found if match[0].startswith("</")}
    opens = list(dict.fromkeys(match[1] for match in found if not match[0].startswith("</")))
    if not opens or len(opens) > _MAX_TAGS or not (closes & set(opens) or _TAGS.search(_TAG.sub(" ", text))):
        return None
    about = _ABOUT.match(text)
    if (about and not _ANSWERS.search(about[1])) or _AT_WILL.search(_TAG.sub(" ", text)):
        return None
    if not _IN_TAGS.search(text) or _MADE_OF.search(text[: found[0].start()]):
        return None
    made = tuple(c.Matches(pattern=rf"(?s)<{re.escape(name)}(?:\s[^<>]*)?>.*</{re.escape(name)}>") for name in opens)
    if len(opens) > 1 and _THEN.search(text):
        after = "(?s)" + ".*".join(rf"<{re.escape(name)}(?:\s[^<>]*)?>.*</{re.escape(name)}>" for name in opens)
        return c.Matches(pattern=after)
    return made[0] if len(made) == 1 else c.AllOf(checks=made)


_THEN = re.compile(r"\b(?:then|followed by|first|before the (?!end)|and finally|afterwards?)\b", _I)
_SIGNS = {"asterisk": "*", "dash": "-", "hyphen": "-", "equals sign": "=", "hash": "#", "underscore": "_", "tilde": "~"}
_RUN = re.compile(r"(\*{3,}|-{3,}|={3,}|#{3,}|_{3,}|~{3,})")
_SEPARATED = re.compile(r"\b(?:separat|divid|delimit)\w*\b[^.]{0,60}?\b(?:by|with|using)\b", _I)
_NAMED_RUN = re.compile(
    rf"\b({'|'.join(sorted(NUMBERS, key=len, reverse=True))}|\d{{1,2}}) ({'|'.join(_SIGNS)})(?:e?s)?\b", _I
)


def separator(text: str) -> Any | None:
    """``Separate the two answers by six asterisks``: the run of signs stands between two texts."""
    said = _SEPARATED.search(text)
    if said is None or denials(text) % 2:
        return None
    run, named = _RUN.search(text, said.end()), _NAMED_RUN.search(text, said.end())
    if run:
        mark = run[1]
    elif named:
        number = NUMBERS[named[1].lower()] if named[1].lower() in NUMBERS else int(named[1])
        mark = _SIGNS[named[2].lower()] * number
    else:
        return None
    return c.Matches(pattern=rf"(?s)\S\s*(?:^|\s){re.escape(mark)}\s*\S")


_ALPHABETICAL = re.compile(
    r"\b(?:(?:in|by) )?(?:(ascending |a-z )|(descending |reverse ))?(?:alphabetical(?:ly| order)?"
    r"|alphabetic order)\b|\balphabeti[sz]e\w*\b",
    _I,
)
_UNIQUE = re.compile(
    r"\b(?:unique|distinct|duplicates?|duplicat(?:e|ed|ion)|repeat(?:ed|s|ing)?|repetitions?|twice|more than once"
    r"|different from (?:one another|each other))\b",
    _I,
)
_REPEATS = re.compile(r"\b(?:duplicat|repeat|repetition|twice|more than once)\w*\b", _I)
_ITEMS = re.compile(
    r"\b(?:lists?|items?|bullets?|bullet points?|entries|entry|points|options|names|elements|same|sort(?:ed|s)?"
    r"|order(?:ed|s)?|arrange[ds]?|rank(?:ed)?)\b",
    _I,
)
_OF_LIST = re.compile(r"\b(?:lists?|items?|bullets?|bullet points?|entries)\b", _I)


def ordered(text: str) -> Any | None:
    """Lists sorted by the alphabet, lists whose items differ."""
    found = _ALPHABETICAL.search(text)
    if found and not denials(text) and _OF_LIST.search(text) and _light(text, _ALPHABETICAL, _ITEMS):
        return c.Sorted(descending=found[2] is not None)
    if _UNIQUE.search(text) and _OF_LIST.search(text) and _light(text, _UNIQUE, _ITEMS):
        refuses, repeats = denials(text) % 2 == 1, _REPEATS.search(text) is not None
        return c.Sorted(unique=True) if refuses == repeats else None
    return None


_PARAGRAPH = re.compile(
    r"\b(?:(?:the |your )?(second|third|fourth|fifth) paragraph|paragraph (?:number"
    r" )?(\d))\b",
    _I,
)
_STARTS = re.compile(r"\b(?:start|begin|open)\w*(?: (?:off|out))?(?: with)?\b", _I)
_NTH = {"second": 2, "third": 3, "fourth": 4, "fifth": 5}


def nth_paragraph(text: str, terms: tuple[Quoted, ...]) -> Any | None:
    """``The second paragraph must start with "However"``; the term is masked in ``text``."""
    found = _PARAGRAPH.search(text)
    if found is None or len(terms) != 1 or not _STARTS.search(text) or denials(text):
        return None
    if not _light(text.replace("§", " "), _PARAGRAPH, _STARTS, re.compile(r"\b(?:word|phrase)\b", _I)):
        return None
    number = _NTH[found[1].lower()] if found[1] else int(found[2])
    if number < 2:
        return None
    skipped = rf"(?:(?:[^\n]*\S[^\n]*\n)+(?:[ \t]*\n)+){{{number - 1}}}"
    return c.Matches(pattern=rf"\A\s*{skipped}\W*(?i:{re.escape(terms[0].text)})")


_WORDS_LIKE = re.compile(
    r"\b(?:[a-z]+-)?(?:words?|phrases?|terms?|verbs?|adverbs?|adjectives?|expressions?|fillers?|clich[eé]s"
    r"|qualifiers?|hedges"
    r"|buzzwords?|language|jargon|slang|vocabulary|wording|terminology|statements?|formulas?|openers?|openings?"
    r"|sentences?)\s?(?:\(|:|,? such as|,? like|,? e\.g\.?,?|,? including|,? for example,?)\s?"
    r"(?:such as |like |e\.g\.?,? )?(?=§)",
    _I,
)
_MORE_TERMS = re.compile(r"§(?:\s?,?\s?(?:or |and |and/or )?§)*(?:,? (?:etc\.?|and so on|and the like))?\)?")
_TAIL = re.compile(
    r"\s*(?:$|[.!;\u2013\u2014-]|because\b|since\b|as\b|anywhere\b|in (?:the|your) (?:answer|response"
    r"|reply|output)\b|at all\b|ever\b|they\b|these\b)",
    _I,
)
_QUALIFIED = re.compile(r"\b(?:[\w-]+ ){0,3}$")


def banned_words(masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    """``Never use filler words ("basically", "actually")``: the words that are shown are meant."""
    found = _WORDS_LIKE.search(masked)
    chain = _MORE_TERMS.match(masked, found.end()) if found else None
    if found is None or chain is None or not _TAIL.match(masked, chain.end()):
        return None
    before = masked[: found.start()]
    if denials(before) != 1 or not leaves_nothing(_QUALIFIED.sub(" ", without_denials(before))) or "§" in before:
        return None
    if re.search(r"\b(?:start|begin|open|end|clos|reserved|search|stop)\w*\b", before, _I):
        return None
    shown = tuple(each.text.rstrip(" .…,") for each in terms[: chain[0].count("§")])
    return c.Absent(terms=shown) if all(shown) else None


_STEPS = re.compile(r"\b(?:each|every|all) (?:step|question|item|point|section|reason|option|part)s?\b", _I)
_LABELS = re.compile(r"\b(?:start|begin|label|number|prefix|mark)\w*\b", _I)
_COUNTS = re.compile(r"^([A-Za-z]{2,12} )1([:.)]?)$")


def labelled(masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    """``Number each step starting with "Step 1:"``: a line starts so."""
    counts = _COUNTS.match(terms[0].text) if terms else None
    if counts is None or not _STEPS.search(masked) or not _LABELS.search(masked) or denials(masked):
        return None
    return c.Matches(pattern=rf"(?i)^[ \t#*-]*{re.escape(counts[1])}\d+{re.escape(counts[2])}")


_AS_LIST = re.compile(
    r"^(?:\w+: )?(?:please |always |you must |you should )?(?:provide|give|format|present|write|return|structure"
    r"|output|deliver|respond with|answer with)\b (?:(?:the|your|all|its|these) )*(?:final )?"
    r"(?:responses?|answers?|outputs?|results?|findings|reply|recommendations|suggestions|steps) (?:as|in"
    r"|in the form of) (?:an? )?(?:(numbered|ordered)|(bullet(?:ed)?|bullet[- ]point)) lists?\b",
    _I,
)


_LIST_OF = re.compile(
    r"^(?:\w+: )?(?:please |always |you must |you should |only )*(?:return|provide|give|write|output|create|generate"
    r"|produce|respond with"
    r"|answer with|make) (?:only )?an? (?:\w+ )?(?:(numbered|ordered)|(bullet(?:ed)?|bullet[- ]point|bullet-pointed))"
    r" list (?:of|with|containing) "
    r"(?!(?:[\w,'’-]+ )*?(?:or|if|when|unless|except|not|for each)\b)[^.;()]{2,160}$",
    _I,
)


def as_list(masked: str) -> Any | None:
    """``Provide the response as a numbered list for each category``: whatever it is a list of."""
    of = _LIST_OF.match(masked.strip(" .!|*"))
    if of is not None:
        return c.Count(unit="numbered" if of[1] else "bullets", least=1)
    found = _AS_LIST.match(masked)
    if found is None or BAILS.search(masked[: found.end()]):
        return None
    return c.Count(unit="numbered" if found[1] else "bullets", least=1)


def _light(text: str, *also: re.Pattern[str]) -> bool:
    if BAILS.search(re.sub(r"\b(?:repeat\w*|same|list\w*)\b", " ", text, flags=_I)):
        return False
    for pattern in also:
        text = pattern.sub(" ", text)
    return leaves_nothing(without_denials(text))
