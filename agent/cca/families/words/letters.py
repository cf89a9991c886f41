"""Families of spelling, capitals and characters: British or American, shouting, accents, what must not be shown."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.words.kit import counted, never, none, placed, some, wants
from agent.cca.families.words.lexicon import NO_ACRONYMS

_I = re.IGNORECASE
_AMERICAN = (
    r"colors?|colored|coloring|colorful|favorites?|favor(?:s|ed|able)?|behaviors?|honors?|honored|labor|neighbors?"
    r"|neighborhoods?|flavors?|flavored|centers?|centered|liters?|meters|theaters?|fibers?|gray|analyze[sd]?|analyzing"
    r"|traveled|traveling|travelers?|modeled|modeling|labeled|labeling|canceled|canceling|fulfill|enroll|skillful"
    r"|defense"
    r"|offense|aluminum|airplanes?|cozy|pajamas|molds?|humor|rumors?|catalogs?|dialogs|jewelry|mustache|plow"
    r"|sulfur|maneuver"
)
_IZE = r"(?:organ|recogn|real|apolog|special|summar|prior|emphas|minim|maxim|optim|util|custom|final|author|categor)i"
_BRITISH = (
    r"colours?|coloured|colouring|colourful|favourites?|favour(?:s|ed|able)?|behaviours?|honours?|honoured|labour"
    r"|neighbours?"
    r"|neighbourhoods?|flavours?|flavoured|centres?|centred|litres?|metres?|theatres?|fibres?|grey|analyse[sd]?"
    r"|analysing"
    r"|travell(?:ed|ing|ers?)|modell(?:ed|ing)|labell(?:ed|ing)|cancell(?:ed|ing)|fulfil|enrol|skilful|defence|offence"
    r"|aluminium|aeroplanes?|cosy|pyjamas|moulds?|humour|rumours?|catalogues?|jewellery|moustache|plough|manoeuvre"
)
_MAIL = r"\b[\w.+-]+@[\w-]+\.[\w.-]*\w"
PHONE = (
    r"(?:^|[\s(:])(?:\+\d{1,3}[ .-]?(?:\(?\d{1,4}\)?[ .-]?){2,5}\d{2,4}|\(?0?\d{2,4}\)?[ .-]\d{3,4}[ .-]\d{3,4}"
    r"|0\d{2,4}[ /-]?\d{4,8}|1?-?\d{3}-\d{3}-\d{4}|1-8\d{2}-[A-Z0-9-]{7,8}|\d{3}-\d{4})(?:[\s,.;:)!?]|$)"
)
_URL = r"https?://\S|\bwww\.\w"
_CARD = r"\b\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{1,4}\b"
_HOLDER = (
    r"\[(?:[A-Z][A-Z _-]{1,40}|(?:[Yy]our|[Ii]nsert|[Nn]ame|[Dd]ate|[Cc]ompany|[Cc]ustomer|[Rr]ecipient|[Aa]ddress"
    r"|[Tt]itle"
    r"|[Pp]hone|[Ff]irst|[Ll]ast|[Cc]ity|[Nn]umber|[Pp]roduct|[Ll]ink|[Xx]+)[\w '’/-]{0,40})\](?:[^(]|$)"
    r"|\{\{[^{}\n]{0,60}\}\}|\b(?:TODO|TBD|TBC|FIXME|XXX+|TK|lorem ipsum|Lorem ipsum)\b|<(?:insert|your|name"
    r"|date)[\w _-]{0,40}>"
    r"|_{3,}"
)
_HASHTAG = r"(?:^|\s)#[A-Za-z]\w*"
_MENTION = r"(?:^|\s)@[A-Za-z]\w*"
_ACCENT = "[À-ÖØ-öø-ÿĀ-ž]"


def american_spelling() -> Any:
    return none(rf"(?i)\b(?:{_BRITISH}|{_IZE}s(?:e[sd]?|ing|ations?))\b", "British spelling")


def british_spelling() -> Any:
    return none(rf"(?i:\b(?:{_AMERICAN})\b)|\b{_IZE}z(?:e[sd]?|ing|ations?)\b", "American spelling")


_AT_END = re.compile(
    r"\bat the (?:very )?(?:end|bottom)\b|\b(?:ends?|finish(?:es)?|close[sd]?|conclude[sd]?|last)\b", _I
)


def _hashtags(s: Slots) -> Any:
    if _AT_END.search(s.text):
        return some(r"(?:^|\s)#[A-Za-z]\w*\s*\z", "a hashtag at the end", within="answer")
    return some(_HASHTAG, "a hashtag")


def _shout(s: Slots) -> Any | None:
    """No words in capitals; short ones may be acronyms, up to so many letters as the sentence names."""
    allowed = [int(x) for x in s.numbers if 2 <= x <= 8]
    letters = (max(allowed) if allowed else 4) + 1
    part = c.Part(kind="match", pattern=rf"\b([A-Z]{{{letters},}})\b", of=c.Part(kind="sentence"))
    common = (*NO_ACRONYMS, "UNESCO", "HTTPS", "ASCII", "NASDAQ", "UNICEF", "JSONL", "ERROR", "NATO")
    long = c.Not(check=c.Pieces(part=part, least=1))
    if letters > 5:
        return long
    check = c.Matches(pattern=rf"\A(?:{'|'.join(common)})\z", finds="a common short form")
    return placed(s, c.AnyOf(checks=(long, c.Each(part=part, check=check))))


FAMILIES: tuple[Family, ...] = (
    Family("shout.none", "no words in capitals beside acronyms", _shout, takes_terms=True),
    never("accent.none", "no letters with accents", _ACCENT, "letters with accents", terms=True),
    never("hashtag.none", "no hashtags", _HASHTAG, "hashtags", terms=True),
    counted("hashtag.count", "{limit} hashtags", _HASHTAG, "hashtags", terms=True),
    Family("hashtag.present", "hashtags", _hashtags, takes_terms=True),
    never("mention.none", "no @mentions", _MENTION, "mentions", terms=True),
    wants("mention.present", "an @mention", _MENTION, "a mention", terms=True),
    never("email.none", "no e-mail addresses", _MAIL, "e-mail addresses", terms=True),
    wants("email.present", "an e-mail address", _MAIL, "an e-mail address", "answer"),
    never("phone.none", "no phone numbers", PHONE, "phone numbers", terms=True),
    wants("phone.present", "a phone number", PHONE, "a phone number", "answer"),
    Family("contact.none", "no contact data", lambda s: none(_contact(s.text), "contact data"), takes_terms=True),
    never("card.masked", "card numbers are masked", _CARD, "card numbers in full", terms=True),
    never("placeholder.none", "no placeholders left", _HOLDER, "placeholders", terms=True, parts=False),
    wants("placeholder.present", "placeholders in brackets",
          r"\[[^\[\]\n]+\](?:[^(\[]|$)|\{\{[^{}\n]+\}\}|<[A-Za-z_ ]+>",
          "placeholders"),
)  # fmt: skip


def _contact(text: str) -> str:
    """The kinds that the sentence names; all where it names none."""
    kinds = ((r"\be-?mails?\b", _MAIL), (r"\bphones?\b|\btelephone\b|\bnumbers?\b", PHONE),
             (r"\burls?\b|\blinks?\b|\bweb|\bsites?\b", _URL))  # fmt: skip
    found = [pattern for words, pattern in kinds if re.search(words, text, _I)]
    return "|".join(found or [_MAIL, PHONE])
