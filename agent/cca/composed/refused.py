"""Words that are refused by their kind and an enumeration: ``No superlatives such as "best" or "finest"``."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.quoted import quoted_terms

_I = re.IGNORECASE
_MASK = "§"
_LIST = rf"{_MASK}(?:(?:, (?:or |and |nor )?| or | and | nor |/|; ?){_MASK})*(?:,? etc\.?)?"
_USE = (
    r"(?:use|using|write|writing|say|saying|mention|mentioning|include|including|add|adding|put|print|name|show|give"
    r"|employ|reach for|fall back on|resort to|start with|insert)"
)
_BY = (
    r"(?:,? (?:such as|like|including|for example|for instance|e\.g\.),? |: ?| ?\((?:e\.g\.,? |such as |like |for"
    r" example,? )?|,? i\.e\.,? )"
)
_KIND = r"(?:[a-z][\w'-]*(?:, | and | or | )){0,6}?[a-z][\w'-]*"
_REFUSES = re.compile(
    rf"^(?:please )?(?:(?:do not|don['’]t|never|avoid|no|zero)(?: ever)?(?: {_USE})?|(?:stay|steer) (?:away|clear)"
    rf" (?:from|of)"
    rf"|keep away from|leave out|skip|omit|drop|refrain from {_USE})"
    rf" (?P<kind>{_KIND}){_BY}(?P<list>{_LIST})\)?(?P<rest>.*)$",
    _I,
)
_BANNED = re.compile(
    rf"^(?P<kind>{_KIND}){_BY}(?P<list>{_LIST})\)? (?:is|are) (?:strictly |all )?(?:forbidden|banned|prohibited|out"
    rf"|taboo"
    rf"|not (?:allowed|permitted|used|wanted|acceptable)|never used|off[- ]limits|unwelcome|to be"
    rf" avoided)(?P<rest>.*)$",
    _I,
)
_FREE = re.compile(rf"^(?:avoid|omit|skip|no|never (?:use|write|say)) (?P<list>{_LIST})(?P<kind>)(?P<rest>)$", _I)
_UNSURE = re.compile(
    r"\b(?:unless|except|if|when|where|more than|without|only|not|than|instead|rather|before|after|least|first|last"
    r"|twice|once"
    r"|fields?|keys?|columns?|files?|names of|variables?|tools?|functions?|tags?|values?|sections?|headings?|steps?"
    r"|starting"
    r"|beginning|ending|order|case|other|changes?|rename|translate|omit|forget|skip|placeholders? with|formats?"
    r"|codes?)\b",
    _I,
)
_HARMLESS = re.compile(
    r"[\s.!)]*|,? (?:in|anywhere in|throughout) (?:the |your |any )?(?:answers?|repl\w+|text|prose|output"
    r"|responses?)[\s.!)]*"
    r"|,? (?:or|and) (?:the like|similar(?: (?:words|phrases|terms|ones))?|others?(?: like (?:them|that"
    r"|these))?)[\s.!)]*",
    _I,
)
_WRITTEN = re.compile(
    rf"^(?:(?:[\w-]+ ){{1,4}}(?:is|are|must be|should be) (?:always )?(?:written|spelled|spelt|called|named|given"
    rf"|put|stated)"
    rf"(?: as| in full:?| out)?|(?:always )?(?:write|say|use|spell|call it)) {_LIST},? (?:and |but )?(?:never"
    rf"|not)(?: as)? "
    rf"(?P<list>{_LIST})[\s.!]*$",
    _I,
)
_MAX_WORDS = 6


def refused(text: str) -> Any | None:
    """None where the sentence is none of these, or says that it holds at times or in some place."""
    terms = quoted_terms(text)
    masked = text
    for each in reversed(terms):
        masked = f"{masked[: each.start]}{_MASK}{masked[each.end :]}"
    written = _WRITTEN.match(masked)
    found = written or _REFUSES.match(masked) or _BANNED.match(masked)
    if found is None:
        return _names(masked)
    if not written and (_UNSURE.search(found["kind"]) or not _HARMLESS.fullmatch(found["rest"])):
        return None
    first = masked[: found.start("list")].count(_MASK)
    words = [each.text for each in terms[first : first + found["list"].count(_MASK)]]
    if not words or any(len(word.split()) > _MAX_WORDS or re.search(r"[<>{}\[\]$…]|\.\.\.", word) for word in words):
        return None
    return _absent(words, [each.text for each in terms[:first]] if written else [])


def _absent(words: list[str], good: list[str]) -> Any | None:
    """``good``: what is said in their place; a word that stands in one of these is none to look for."""
    words = [w for w in words if not any(re.search(rf"(?<!\w){re.escape(w.lower())}(?!\w)", g.lower()) for g in good)]
    single = tuple(word for word in words if len(word) == 1 and word.isalpha())
    dated = [word for word in words if re.search(r"\d", word) and re.search(r"[A-Za-z]", word) and good]
    plain = tuple(word for word in words if word not in single and word not in dated)
    checks: list[Any] = []
    if plain:
        whole = all(word[0].isalnum() and word[-1].isalnum() for word in plain)
        checks.append(c.Absent(terms=plain, case=False, words=whole, within="prose"))
    if single:
        checks.append(c.Absent(terms=single, case=True, within="prose"))
    for word in dated:  # figures stand for any
        spelled = r"\d+".join(re.escape(part) for part in re.split(r"\d+", word))
        named = f"“{word[:60]}”"
        checks.append(c.Matches(pattern=rf"(?i)(?:^|\W){spelled}", least=0, most=0, within="prose", finds=named))
    return None if not checks else checks[0] if len(checks) == 1 else c.AllOf(checks=tuple(checks))


_CAPITAL = r"[A-Z][\w&.'’-]*(?: [A-Z][\w&.'’-]*)?"
_NAMES = re.compile(
    rf"^(?:[Pp]lease )?(?:[Dd]o not|[Dd]on['’]t|[Nn]ever) (?:mention|name|recommend|refer to|speak of|talk about|use)"
    rf" (?P<kind>{_KIND})(?::| such as| like|,? including) (?P<list>{_CAPITAL}(?:, {_CAPITAL})*,? (?:or|and|nor)"
    rf" {_CAPITAL})[\s.!]*$"
)


def _names(masked: str) -> Any | None:
    """``Never mention competitors: Vodan, Triaxis or BlueCell``."""
    found = _NAMES.match(masked)
    if found is None or _MASK in masked or _UNSURE.search(found["kind"]):
        return None
    names = tuple(re.split(r",? (?:or|and|nor) |, ", found["list"].rstrip(".")))
    return c.Absent(terms=names, case=True)
