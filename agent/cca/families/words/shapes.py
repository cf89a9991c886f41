"""Families of values written like an example: prices, telephone numbers, versions; of ids, emoji, hosts and names."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.words.kit import QUOTE_OPENS, none, some
from agent.cca.families.words.letters import PHONE
from agent.cca.scoped.forms import shape
from agent.cca.scoped.kinds import MONEY

_I = re.IGNORECASE
_MONEY_SHOWN = re.compile(MONEY)


def _price(s: Slots) -> Any | None:
    """Each sum of money is written like the one that the sentence shows first."""
    forms = {shape(match[0]): match[0] for match in _MONEY_SHOWN.finditer(s.text)}
    form, shown = next(iter(forms.items()), ("", ""))
    if len(forms) > 1:
        return None
    if not re.search(r"[.,]\d", shown):  # a round sum shows where the sign stands, not how many decimals
        form = form.replace(r"\d+", r"[\d.,]*\d")
    if not form or re.search(r"\b(?:not|never|under|over|below|more than|less than|at least|at most)\b", s.text, _I):
        return None
    return c.Each(part=c.Part(kind="match", pattern=MONEY), check=_all_of(form, f"the form of {shown[:30]}"))


def _all_of(form: str, finds: str) -> Any:
    return c.Matches(pattern=rf"\A\s*{form}\s*\z", finds=finds)


_NUMBER_SHOWN = re.compile(
    r"\+(?:CC|\d{1,3})[ .-]\(?[\dNX]{2,5}\)?(?:[ .-][\dNX]{2,8}){1,4}"
    r"|\(?[\dNX]{3,5}\)?(?:[ .-][\dNX]{3,8}){1,3}"
)


def _phone(s: Slots) -> Any | None:
    """With the signs of the number that is shown between as many groups of digits."""
    shown = _NUMBER_SHOWN.search(s.text)
    if shown is None or not re.search(r"\b(?:phones?|telephones?|numbers?)\b", s.text, _I):
        return None
    form = "".join(r"\d+" if re.match(r"[\dNXC]", piece) else re.escape(piece)
                   for piece in re.findall(r"[\dNXC]+|[^\dNXC]", shown[0]))  # fmt: skip
    return c.Each(part=c.Part(kind="match", pattern=PHONE), check=c.Matches(pattern=rf"\A[\s(:]*{form}\W*\z"))


_VERSIONS = r"(?:^|[\s(\"'`])((?:v\d+(?:\.\d+)+|\d{1,3}\.\d{1,3}\.\d{1,4})(?:-[\w.]+)?)(?:[\s,;:)\"'`!?]|\.(?:\s|$)|$)"


def _version(s: Slots) -> Any | None:
    """With a leading v or without it, of three numbers."""
    bare = re.search(r"\b(?:no|without(?: an?| the)?|not|never|drop|omit|skip)(?: \w+){0,3} [\"'`“]?v\b", s.text, _I)
    leads = re.search(r"(?<![\w.])v\d+\.\d+\.\d+|\b(?:leading|with|prefixed by|prefix|letter|starts? with|begins? with)"
                      r"(?: an?| the)? (?:small |lower-?case |letter )?[\"'`“]?v\b", s.text, _I)  # fmt: skip
    if not bare and not leads:
        return None
    form = r"\d+\.\d+\.\d+" if bare else r"v\d+\.\d+\.\d+"
    check = c.Matches(pattern=rf"\A{form}(?:-[\w.]+)?\z", finds="versions of that form")
    return c.Each(part=c.Part(kind="match", pattern=_VERSIONS), check=check)


_ID = r"\b([A-Z]{2,10}-\d{1,7})\b"
_NO_IDS = "ISO|UTF|RFC|SHA|GPT|COVID|CVE|AES|IEEE|EN|DIN|HTTP|USB|MD|PEP|MPEG|IPV|BS|CO|SARS|ANSI|GMT|UTC"


def _ids(s: Slots) -> Any | None:
    """What looks like a ticket's id and is no name of a standard."""
    if not re.search(r"\b(?:ids?|identifiers?|tickets?|issues?|jira|references?|numbers?)\b", s.text, _I):
        return None
    other = c.Matches(pattern=rf"\A(?:{_NO_IDS})-", finds="a standard")
    return c.AllOf(
        checks=(
            c.Each(part=c.Part(kind="match", pattern=_ID), check=other),
            none(
                r"(?:^"
                r"|[\s(])#\d{2,6}\b",
                "ticket numbers",
            ),
        )
    )


_EMOJI = "[\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2b55]"
_SKIN = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
_ONE_EMOJI = re.compile(_EMOJI)


def _emoji(s: Slots) -> Any | None:
    """What is shown in the sentence may stand in the answer, in any tone of skin."""
    allowed = sorted(set(_ONE_EMOJI.findall(s.text)) - set(_SKIN))
    if not allowed:
        return None
    check = c.Matches(pattern=rf"\A[{''.join(allowed)}{_SKIN}]\z", finds="one of these emoji")
    return c.Each(part=c.Part(kind="match", pattern=f"({_EMOJI})"), check=check)


_HOST = re.compile(
    r"(?:https?://)?((?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|example|edu|gov|co|ly|me|ai|app|uk|de|info|eu|gl|test)\b)"
    r"((?:/[\w.-]+)*)", _I
)  # fmt: skip


def _hosts(s: Slots) -> tuple[str, ...]:
    found = [(match[1].lower().removeprefix("www."), match[2]) for match in _HOST.finditer(s.text)]
    return tuple(dict.fromkeys(re.escape(host + path) for host, path in found if "@" not in host))


_ADDRESS = r"\bhttps?://[^\s)>\]\"']+"


def _to(s: Slots) -> Any | None:
    """A link to the site; where nothing else may be linked, each link goes there."""
    hosts = _hosts(s)
    if not hosts or re.search(r"\b(?:not|never|no(?! other))\b|n['’]t\b", s.text, _I):
        return None
    there = rf"(?i)https?://(?:[\w-]+\.)*(?:{'|'.join(hosts)})\b"
    if re.search(
        r"\b(?:only|nothing but|exclusively|no other|nowhere else|all links|every link"
        r"|each link)\b",
        s.text,
        _I,
    ):
        return c.Each(part=c.Part(kind="match", pattern=_ADDRESS), check=c.Matches(pattern=there, finds="that site"))
    return some(there, "a link to that site", within="answer")


def _not_to(s: Slots) -> Any | None:
    hosts = _hosts(s)
    refuses = re.search(
        r"\b(?:not|nothing|never|no|avoid|without|off[- ]limits|banned|forbidden|leave out)\b"
        r"|n['’]t\b",
        s.text,
        _I,
    )
    if not hosts or not refuses or re.search(r"\b(?:only|other than|except|but)\b", s.text, _I):
        return None
    return none(rf"(?i)(?:^|[^\w.-])(?:https?://)?(?:[\w-]+\.)*(?:{'|'.join(hosts)})\b", "links to that site", "answer")


_HELLO = re.compile(r"\b(hi|hello|hey|dear|good (?:morning|afternoon|evening|day))\b", _I)
_WHO = re.compile(
    r"\bby (?:their |the |his or her )?(?:first |last |own )?names?\b|\b(?:first|last|given|customer['’]s"
    r"|user['’]s|reader['’]s"
    r"|client['’]s|recipient['’]s|their|person['’]s|guest['’]s)(?: first| last)? names?\b"
    r"|[\[{<](?:\w+ )?name[\]}>]|\ba name\b",
    _I,
)


def _greeting(s: Slots) -> Any | None:
    """A greeting with a name behind it, and the comma where the sentence speaks of it."""
    if not _WHO.search(s.text) or re.search(r"\b(?:no|not|never|without|avoid)\b|n['’]t\b", s.text, _I):
        return None
    said = tuple(dict.fromkeys(found[1] for found in _HELLO.finditer(s.text)))
    words = "|".join(map(re.escape, said)) or r"hi|hello|hey|dear|good (?:morning|afternoon|evening|day)"
    comma = "," if re.search(r"\bcomma\b|(?:name\W{0,2}|[\]}>]),", s.text, _I) else r"(?:\W|\z)"
    name = r"(?:(?:Mr|Mrs|Ms|Mx|Dr)\.? )?\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2}"
    return some(rf"\A{QUOTE_OPENS}(?i:{words}),? {name}{comma}", "a greeting with a name", within="answer")


FAMILIES: tuple[Family, ...] = (
    Family("price.form", "sums of money are written like {terms}", _price, takes_terms=True),
    Family("phone.form", "telephone numbers are written like {terms}", _phone, takes_terms=True),
    Family("version.form", "versions are written like v1.2.3", _version, takes_terms=True),
    Family("id.none", "no ids of tickets", _ids, takes_terms=True),
    Family("emoji.only", "no emoji but some", _emoji, takes_terms=True),
    Family("links.to", "links to a site", _to, takes_terms=True),
    Family("links.not_to", "no links to a site", _not_to, takes_terms=True),
    Family("greeting.named", "a greeting with the name of who is addressed", _greeting, takes_terms=True),
)
