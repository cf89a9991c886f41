"""Families of what an answer must not show: network addresses, account numbers, traces in links, marks of brands.

And of what it has to say where it speaks of something.
"""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.words.hours import TWICE
from agent.cca.families.words.kit import none
from agent.cca.families.words.names import is_open
from agent.cca.quoted import quoted_terms
from agent.cca.scoped.kinds import DATE, PERCENTAGE

_I = re.IGNORECASE
_REFUSES = re.compile(
    r"\b(?:no|not|never|none|nothing|without|avoid|omit|leave|keep|strip\w*|remov\w*|redact\w*|mask\w*|hid(?:e"
    r"|den)|drop"
    r"|cut|free of|exclud\w*|forbid\w*|forbidden|banned|prohibited|refrain|scrub\w*|off limits|out|clean|delet\w*|last"
    r"|replac\w*|expand\w*|full|black(?:ed)? out|trim\w*|spare|blank\w*|neither|nor)\b|n['’]t\b",
    _I,
)


def _refuses(text: str) -> bool:
    return _REFUSES.search(text) is not None and TWICE.search(text) is None


_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_IP = (
    rf"(?:^|[^\w.])((?i:(?:version|release|build|v) ?)?{_OCTET}(?:\.{_OCTET}){{3}}(?:/\d{{1,2}})?)"
    r"(?:[^\w.]|\.(?:\D|$)|$)"
)
_PRIVATE = r"(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)"
_EXAMPLES = r"(?:192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|127\.|0\.0\.0\.0|255\.255\.)"


def _ips(s: Slots) -> Any | None:
    """No addresses of hosts in digits; those for examples where real ones are meant."""
    if not re.search(r"\bIP(?:v4)?\b|\bnetwork address", s.text) or not _refuses(s.text) or _logged(s.text):
        return None
    if re.search(r"\b(?:internal|private|intranet|LAN|local)\b", s.text, _I):
        part = c.Part(kind="match", pattern=rf"\b{_PRIVATE}\d[\d.]*\d")
        return c.Not(check=c.Pieces(part=part, least=1))
    real = re.search(r"\b(?:real|actual|live|production|customer\w*|user\w*|public|genuine)\b", s.text, _I)
    allowed = rf"|{_EXAMPLES}|{_PRIVATE}" if real or re.search(r"\bexamples?\b|\bdocumentation\b", s.text, _I) else ""
    check = c.Matches(pattern=rf"(?i)\A(?:version|release|build|v{allowed})", finds="no IP address")
    return c.Each(part=c.Part(kind="match", pattern=_IP), check=check)


def _logged(text: str) -> bool:
    return re.search(r"\b(?:logs?|logged|firewall|input|database)\b", text, _I) is not None


_IBAN = r"\b[A-Z]{2}\d{2} ?(?:[A-Z]{4} ?)?(?:\d{4} ?){2,6}\d{1,4}\b"
_SSN = r"(?:^|[^\d-])\d{3}-\d{2}-\d{4}(?:[^\d-]|$)"


def _accounts(s: Slots) -> Any | None:
    found = [
        pattern
        for words, pattern in ((r"\bIBANs?\b|\bbank account", _IBAN), (r"\bsocial[- ]security\b|\bSSNs?\b", _SSN))
        if re.search(words, s.text, _I)
    ]
    if (
        not found
        or not _refuses(s.text)
        or re.search(r"\b(?:must|should|always) (?:be|appear|stand)? ?in full\b", s.text, _I)
    ):
        return None
    return none("|".join(found), "account numbers in full", "answer")


_SHORT_HOSTS = (
    r"(?i)\b(?:bit\.ly|tinyurl\.com|goo\.gl|ow\.ly|is\.gd|buff\.ly|rb\.gy|cutt\.ly|t\.ly|tiny\.cc|shorturl\.at"
    r"|lnkd\.in)/\w"
    r"|https?://t\.co/\w"
)
_TRACES = r"[?&](?i:utm_\w+|fbclid|gclid|mc_cid|mc_eid|igshid|msclkid|yclid)="


def _links(s: Slots) -> Any | None:
    """No query in links, or no traces in it."""
    if not _refuses(s.text) or re.search(r"\b(?:only|must|always) (?:contain|have|carry|include)\b", s.text, _I):
        return None
    if re.search(
        r"\btrack\w*|\butm\b|\butm_\w*|\bfbclid\b|\bgclid\b|\bcampaign\b|\banalytics\b|\bmarketing\b", s.text, _I
    ):
        return none(rf"https?://[^\s)>\]\"']*{_TRACES}", "traces in links")
    if re.search(
        r"\bquery[- ](?:strings?|param\w*|part)\b|\bURL param\w*|\bparameters\b|\bquestion mark\b", s.text, _I
    ):
        return none(r"https?://[^\s)>\]\"'`]*\?[\w%.-]+", "queries in links")
    return None


def _fragments(s: Slots) -> Any | None:
    if not _refuses(s.text) or not re.search(r"\bfragments?\b|\banchors?\b|\bhash(?:es)?\b|#", s.text, _I):
        return None
    if not re.search(r"\b(?:links?|URLs?|addresses)\b", s.text, _I):
        return None
    return none(r"https?://[^\s)>\]\"'`]*#[\w%-]", "fragments in links")


def _brand_marks(s: Slots) -> Any | None:
    """None of the marks that the sentence names: trade marks, where it names none."""
    if not _refuses(s.text):
        return None
    kinds = ((r"\btrade ?marks?\b|™|\bTM\b", "™℠"), (r"\bregistered\b|®", "®"), (r"\bcopyright\b|©", "©"))
    found = "".join(signs for words, signs in kinds if re.search(words, s.text, _I))
    if not found or not re.search(r"\b(?:symbols?|signs?|marks?|characters?|glyphs?|TM)\b|[™®©]", s.text, _I):
        return None
    if found == "™℠" and re.search(r"\btrade ?mark (?:symbols|signs)\b", s.text, _I):
        found += "®"
    return none(f"[{found}]", "marks of brands")


_OPTIONAL = r"\b[A-Za-z]{3,}\((?:s|es|ies|en)\)"


def _optional(s: Slots) -> Any | None:
    if not _refuses(s.text) or not re.search(r"\(e?s\)|\bplurals?\b", s.text):
        return None
    return none(_OPTIONAL, "“(s)”") if re.search(r"\(e?s\)|\bparenthes\w+|\bbrackets?\b", s.text) else None


_SPEAKS = (
    r"mentions?|mentioning|names?|naming|refers? to|talks? about|discuss(?:es)?|brings? up|quotes?|cites?|contains?"
    r"|includes?|uses?|says?|speaks? of|touches on|touch on|covers?|recommends?|states?|gives?|shows?"
)
_TEXTS = r"(?:answer|reply|response|message|text|summary|draft|article|post|e-?mail|letter|review|description)"
_WHO = rf"(?:(?:you|we|(?:the|your|an?|any|each|every|our) (?:\w+ )?{_TEXTS})(?: ever| happens? to| also)? )"
_CASE = re.compile(
    rf"\b(?:if|when|whenever|wherever|as soon as|every time|each time|where"
    rf"|in case) {_WHO}(?:{_SPEAKS}) (?P<what>[^,;:.]{{2,40}})"
    rf"|\b(?:if|when|whenever|wherever|where|as soon as|every time) (?P<said>[^,;:.]{{2,40}}?) (?:is|are|gets?|comes?)"
    r" (?:mentioned|named|brought up|quoted|cited|discussed|recommended|given|stated|used|up)\b"
    rf"|\b(?:any|every|each|an?|all)(?: \w+)? (?:answer|reply|response|message|text|article|e-?mail|post|summary)s?"
    rf" (?:that|which) (?:{_SPEAKS}) (?P<that>[^,;:.]{{2,40}}?)"
    r"(?=,| (?:must|has to|have to|should|needs? to|shall|also|always|is to|ends?|closes?|carries|contains?"
    r"|includes?)\b)",
    _I,
)
_SUMS = r"[€$£¥] ?\d|\d ?(?:€|£|euros?\b|dollars?\b|(?:EUR|USD|GBP|CHF)\b)"
_MONEY_SHOWN = c.Matches(pattern=_SUMS, within="prose", finds="money")
_KINDS: tuple[tuple[str, Any], ...] = (
    (r"prices?|amounts?(?: of money)?|costs?|fees?|sums? of money", _MONEY_SHOWN),
    (r"percentages?|per ?cent figures?", c.Matches(pattern=PERCENTAGE, within="prose", finds="a percentage")),
    (r"(?:calendar )?dates?", c.Matches(pattern=DATE, within="prose", finds="a date")),
    (r"(?:links?|urls?|web address(?:es)?)", c.Matches(pattern=r"https?://\S", within="prose", finds="a link")),
    (r"(?:code|code blocks?|code samples?|snippets?)", c.Count(unit="fences", least=1)),
    (r"tables?", c.Table(least_rows=0)),
)  # fmt: skip
_OPENS = re.compile(r"^(?:(?:the|an?|any|some|our|your|his|her|their|word|words|term|terms|topic|of)\b ?)+", _I)
_VAGUE = re.compile(
    r"\b(?:it|this|that|them|something|anything|one|another|other|product|products|drug|person|name|names|company"
    r"|competitor|competitors|source|sources|number|numbers|statistic|statistics|place|risk|risks|tool|book|law|study"
    r"|medication|medicine|customer|user|claim|claims|fact|facts|deadline|acronym|abbreviation|term|function|file|step"
    r"|steps|figure|figures|quote|quotation|event|city|country|and|or|not|no|which|who|whose|than|more|fewer|less)\b",
    _I,
)
_NEGATED = re.compile(
    r"\b(?:not|never|no|without|unless|except|avoid|instead|rather|may|might|can|could)\b|n['’]t\b", _I
)
_ADDS = re.compile(
    r"\b(?:add|include|say|state|append|mention|write|put|attach|give|note|show|contain|carry|have|has|must|stand"
    r"|stands"
    r"|follow|appear|appears|also|needs?|end|ends|use|print|quote|name|close|closes|list|comes?|goes|belongs?|read"
    r"|reads)\b",
    _I,
)
_PHONE_OR_CODE = re.compile(
    r"\b(?:number|hotline|helpline|line|phone|call|dial) (?:number )?(\d{3}(?:[- ]\d{3,4}){0,2})\b", _I
)


_MENTIONS = re.compile(
    r"\b(?:mention|nam(?:e|ing)|refer|talk|discuss|brings?|brought|quot|cit"
    r"|speak|touch"
    r"|comes? up)",
    _I,
)


def _topic(text: str, mentioned: bool) -> Any | None:
    """What the answer has where it speaks of that; who gives advice need not say so."""
    quoted = tuple(each.text for each in quoted_terms(text))
    if quoted:
        return None if any(is_open(term) for term in quoted) else c.Contains(terms=quoted, least=1)
    plain = _OPENS.sub("", text.strip(" ,")).strip()
    for words, check in _KINDS:
        if re.fullmatch(words, plain, _I):
            return check
    if (
        not mentioned
        or not plain
        or len(plain.split()) > 3
        or _VAGUE.search(plain)
        or not re.fullmatch(r"[\w'’ -]+", plain)
    ):
        return None
    word = re.sub(r"(?<=[a-z]{3})s$", "", plain)
    return c.Matches(pattern=rf"(?i)\b{re.escape(word)}s?\b", within="prose", finds=f"“{plain[:40]}”")


def _also(s: Slots) -> Any | None:
    """Where the answer speaks of one thing, it has the words that are quoted outside of the condition, or a number."""
    case = _CASE.search(s.text)
    if case is None:
        return None
    topic = case["what"] or case["said"] or case["that"]
    condition = _topic(topic, bool(_MENTIONS.search(case[0])))
    behind = re.split(r"(?<=[a-z0-9\"])[.;] (?=[A-Z])", s.text[case.end() :])[0]
    rest = f"{s.text[: case.start()]} {behind}"
    if condition is None or _NEGATED.search(_without_quotes(rest)) or not _ADDS.search(_without_quotes(rest)):
        return None
    if re.search(r"\b(?:question|user|customer|caller|someone|somebody|input)\b", case[0], _I):
        return None
    terms = tuple(each.text.strip() for each in quoted_terms(rest))
    dialled = _PHONE_OR_CODE.search(rest)
    terms = terms or ((dialled[1],) if dialled else ())
    if not terms or any(is_open(term) for term in terms):
        return None
    loose = tuple(dict.fromkeys(term.rstrip(".!") or term for term in terms))
    one = len(loose) > 1 and re.search(r"\bor\b|\beither\b", rest)
    words = all(re.match(r"\w", term) and re.search(r"\w\Z", term) for term in loose)
    return c.When(condition=condition, then=c.Contains(terms=loose, least=1 if one else 0, words=words))


def _without_quotes(text: str) -> str:
    for each in reversed(quoted_terms(text)):
        text = f"{text[: each.start]} {text[each.end :]}"
    return text


FAMILIES: tuple[Family, ...] = (
    Family("ip_address.hidden", "no IP addresses", _ips, takes_terms=True),
    Family("account.hidden", "no account numbers or social security numbers in full", _accounts, takes_terms=True),
    Family("links.no_short", "no links through a shortener", lambda s: none(_SHORT_HOSTS, "short links")
           if re.search(r"\bshort\w*|\bbit\.ly\b|\btinyurl\b", s.text, _I) and _refuses(s.text)
           and not re.search(r"\b(?:must be|should be|always) shorten|\bshorten (?:all|every|each"
                             r"|long)\b", s.text, _I) else None,
           takes_terms=True),
    Family("links.no_query", "no queries or traces in links", _links, takes_terms=True),
    Family("links.no_fragment", "no fragments in links", _fragments, takes_terms=True),
    Family("brand_marks.out", "no signs of trade marks", _brand_marks, takes_terms=True),
    Family("optional_plural.out", "no (s) for a plural", _optional, takes_terms=True),
    Family("term.also", "where something is mentioned, {terms} as well", _also, takes_terms=True),
)  # fmt: skip
