"""Whether a pattern's reading accounts for the whole sentence: a content word that it cannot place means silence."""

from __future__ import annotations

import re
from typing import Any

from agent.cca.grammar.features import FEATURES
from agent.cca.grammar.light import LIGHT, OPENING, POLITE, REASON, SHOWN
from agent.cca.grammar.limits import NUMBERS
from agent.cca.grammar.polarity import without_denials
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_WORDS = """
    every each least most more less fewer than over under up first last top bottom beginning start starts begin begins
    ends ending close closes open opens before after above below follow followed following other else nothing
    additional extra beyond apart instead rather both order ordered one ones single another new multiple
    column columns row rows cell cells field fields key keys value values object objects array arrays string strings
    list lists data schema template json yaml xml csv toml sql html python ascii unicode non code comment comments
    statement statements query queries function functions raw valid name names named naming label labels title titled
    called level levels deep nest nested language languages spelling british american order lower upper case uppercase
    lowercase tab tabs space spaces whitespace trailing indent indented straight curly smart quote quotes bracket
    brackets brace braces period periods stop stops question mark marks phrase phrases term terms word words line
    lines person third second first date dates unit units numeric uncertainty uncertainties decimal decimals percent
    percentages percentage error margin example examples e g etc cite cites citing source sources file files claim
    claims
    list lists listed call calls print prints spell spells write open opening closing tag tags marker markers
    delimiter delimiters fencing statement section sections step steps task choose pick select labels like out leave
    way easy read time times separate separated lead leads introduce introduces refer refers sign signed
    """
_ARTEFACTS = """
    description comparison decision evaluation query plan verdict judgement judgment assessment analysis
    review recap synopsis blurb poem story article post tweet statement solution rationale
    justification feedback recommendation recommendations findings finding claims alternatives options suggestions
    ideas reasons steps requirements temperature speed status product customer caller ticket version code snippet
    script program command revised rewritten corrected updated improved translated generated translation paraphrase
    ideally at place file line number ticket id page product allowlist capital flat nested causes effects case citation
    shout all caps clock hour hours times time uppercase refuse correct based decide explain explained briefly get
    straight to point stage stages phase phases alone generation hierarchical consistent descriptive meaningful
    appropriate relevant logical structured pure stick restrict yourself range emit int integer float bool boolean
    """
_KNOWN = LIGHT | frozenset(_WORDS.split()) | frozenset(_ARTEFACTS.split()) | frozenset(NUMBERS)
_EXCEPTS = re.compile(
    r"\b(?:not (?:counting|including)|without counting|excluding|exclusive of|not including|apart from|aside from"
    r"|ignoring"
    r"|with the exception of|except(?: (?:for|in|when|where|if))?|unless|other than)\b",
    _I,
)
_BOUNDED = re.compile(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|single)\b", _I)
_ASIDE = re.compile(r"\(([^()]{2,80})\)")
_TOKEN = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")
_INSTEAD = re.compile(r"\b(?:instead of|rather than|in (?:place|favou?r) of|over)\b|, (?:not|never)\b", _I)
_PURPOSE = re.compile(
    r" (?:in order )?to (?:structure|organi[sz]e|highlight|separate|support|explain|group|list)\b.*$"
    r"|, (?:but )?instead\b.*$| based on (?:the|your|these|this) \w+(?= *[.]?$)",
    _I,
)
_IDENTIFIER = re.compile(r"\b[A-Za-z]+_\w+\b")
_ONE_WORD = re.compile(r"\b((?:one|single) word)[:,(].*$", _I)
_FORM = re.compile(r"\b(?:[A-Z]{1,5}(?:[-/:][A-Z\d]{1,6}){1,3})\b")
_STEM = re.compile(r"(?:['’]s|s)$")


def accounts_for(check: Any, text: str, terms: tuple[Quoted, ...]) -> bool:
    """Whether no content word of ``text`` is left over beside what ``check`` names.

    Args:
        terms: The terms quoted in ``text``: each is spelled in the check, or only shows an example.
    """
    if _is_of_data(check):
        return True
    said = check.model_dump_json().lower()
    instead = _INSTEAD.search(text)
    for each in reversed(terms):
        spelled = all(word.lower() in said for word in _TOKEN.findall(each.text)) or (
            instead is not None and each.end <= instead.start()
        )
        text = f"{text[: each.start]}{' ' if spelled else '§'}{text[each.end :]}"
    text = SHOWN.sub(" ", POLITE.sub(" ", OPENING.sub("", text)))
    text = _PURPOSE.sub("", _ONE_WORD.sub(r"\1", REASON.sub("", text)))
    if "§" in text:
        return False
    text = _FORM.sub(" ", _IDENTIFIER.sub(" ", text))
    for feature in FEATURES:
        text = feature.noun.sub(" ", text)
    named = frozenset(_TOKEN.findall(said))
    return all(
        word in _KNOWN or word in named or _STEM.sub("", word) in _KNOWN
        for word in (token.lower() for token in _TOKEN.findall(without_denials(text)))
    )


def _is_of_data(check: Any) -> bool:
    """JSON and the like: sentences about data say what its values are, in words of their own."""
    if check.op in ("all", "any"):
        return all(_is_of_data(each) for each in check.checks)
    if check.op == "not":
        return _is_of_data(check.check)
    return check.op in ("keys", "schema") or (check.op == "valid" and check.format not in ("markdown", "python"))


def excepts(text: str) -> bool:
    """Whether something is left out of a bound ("50 words, not counting code"), or brackets hold an exception."""
    if any(_EXCEPTS.search(aside) for aside in _ASIDE.findall(text)):
        return True
    found = _EXCEPTS.search(text)
    return found is not None and found[0].lower() != "other than" and _BOUNDED.search(text[: found.start()]) is not None
