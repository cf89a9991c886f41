"""How a part begins and ends: with a quoted text, a kind of character, a form."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.polarity import denials
from agent.cca.scoped.forms import is_template, shape
from agent.cca.scoped.kinds import DATE, KINDS
from agent.cca.scoped.text import Text

_I = re.IGNORECASE
AUX = (
    r"(?:(?:must|should|shall|has to|have to|needs? to|will|can(?=not| not)|may(?= not| never)|ought to|do"
    r"|does|always|also|all|each|both|to"
    r"|then|never|not|cannot|can['’]t|don['’]t|doesn['’]t|mustn['’]t|shouldn['’]t|is to|are to|be|is|are|n['’]t)\s)*"
)
_START = r"(?:starts?|begins?|opens?|starting|beginning|opening|led|prefixed|preceded|introduced|headed)"
_END = r"(?:ends?|finish(?:es)?|closes?|concludes?|terminates?|ending|finishing|closing|terminated|followed|suffixed)"
_VERB = re.compile(
    rf"(?P<aux>{AUX})(?:(?P<start>{_START})|(?P<end>{_END}))(?: off)? (?:directly |immediately |always "
    rf"|only )?(?:with|in|by|on|as)"
    r" (?:(?:either|one of|any of|the (?:words?|phrases?|letters?|text|label|prefix|marker|string"
    r"|characters?|line)|an?|exactly) )*",
    _I,
)
_LIST = re.compile(r"(?P<terms>§+(?:(?:,? ?(?:or|and|nor)? ?|/)§+)*)(?P<rest>.*)$", _I)
_LABELS = re.compile(r"(?:[A-Z][\w -]{0,30}:(?:,? or |, |/| and )?){1,8}(?=$)")
_SIGNS: tuple[tuple[str, str, str, str], ...] = (
    # (words, what the part starts with, what it ends with, name)
    (
        r"capital(?: letters?)?|upper-?case letters?|capitali[sz]ed (?:word|letter)",
        r"\A[\s*_\"“'‘(\[]*\p{Lu}",
        "",
        "a capital letter",
    ),
    (r"lower-?case letters?|small letters?", r"\A[\s*_\"“'‘(\[]*\p{Ll}", "", "a lower-case letter"),
    (r"full stops?|periods?|dots?", "", r"\.[\"”'’)\]*_`]*\s*\z", "a full stop"),
    (r"question marks?", "", r"\?[\"”'’)\]*_`]*\s*\z", "a question mark"),
    (r"exclamation (?:marks?|points?)", "", r"![\"”'’)\]*_`]*\s*\z", "an exclamation mark"),
    (r"semi-?colons?", "", r";\s*\z", "a semicolon"),
    (r"colons?", "", r":[*_`]*\s*\z", "a colon"),
    (r"commas?", "", r",\s*\z", "a comma"),
    (
        r"(?:sentence-ending )?punctuation(?: (?:marks?|signs?))?|end marks?",
        "",
        r"[.!?,;:…][\"”'’)\]*_`]*\s*\z",
        "punctuation",
    ),
    (r"(?:arabic )?(?:digits?|numerals?|figures?|numbers?)", r"\A[\s*_\"“'‘(\[]*\d", r"\d\s*\z", "a digit"),
    (
        r"emojis?|emoticons?",
        "\\A[\\s*_]*[\U0001f300-\U0001faff\u2600-\u27bf\U0001f1e6-\U0001f1ff\u2b50\u2b55]",
        "[\U0001f300-\U0001faff\u2600-\u27bf\U0001f1e6-\U0001f1ff\u2b50\u2b55\ufe0f]\\s*\\z",
        "an emoji",
    ),
    (r"(?:em |en |long )?dash(?:es)?", r"\A\s*[-–—]", r"[-–—]\s*\z", "a dash"),
    (r"hyphens?", r"\A\s*-", r"-\s*\z", "a hyphen"),
    (r"asterisks?|stars?", r"\A\s*\*", r"\*\s*\z", "an asterisk"),
    (r"(?:an? )?articles?(?: \([^()]*\))?", r"(?i)\A[\s*_\"“'‘(\[]*(?:the|an?)\b", "", "an article"),
)
_NUMBERED = re.compile(
    r"(?:numbers?|figures?|numerals?) (?:and|followed by|with|plus) (?:an? )?(?P<sign>full stop|period|dot"
    r"|colon|(?:closing |right )?(?:bracket|parenthesis)|dash)[^\w§]*$",
    _I,
)
_SIGN = {"full stop": r"\.", "period": r"\.", "dot": r"\.", "colon": ":", "dash": "[-–—]"}
_TAIL = re.compile(
    r"[^\w§]*(?:\((?:[^()§]{0,60})\)|,? ?(?:e\.g\.|for example|such as|like) .*|at the (?:start|end|beginning)"
    r"|as (?:its|their|the) (?:first|last) (?:word|character)|each|itself)?[^\w§]*$",
    _I,
)


_ASKS = re.compile(
    rf"(?P<aux>{AUX})(?:phrased as |put as |worded as )?(?:an? |one |exactly one )?(?:direct |closed "
    rf"|open )?questions?[^\w§]*$",
    _I,
)


def edge(text: Text, denied: bool, kind: str) -> Any | None:
    """The check that a part begins or ends so; None where the text says something else, or more."""
    asks = _ASKS.match(text.masked)
    if asks and re.search(r"\b(?:is|are|be|as) ", text.masked, _I) and kind != "question":
        deny = denied != (denials(asks["aux"]) % 2 == 1)
        ends = r"\?[\"”'’)\]*_`]*\s*\z"
        return c.Matches(pattern=ends, least=0 if deny else 1, most=0 if deny else None, finds="question")
    verb = _VERB.match(text.masked)
    if verb is None:
        return _without(text, denied)
    deny = denied != (denials(verb["aux"]) % 2 == 1)
    rest = text.cut(verb.end())
    at_start = verb["start"] is not None
    listed = _LIST.match(rest.masked)
    if listed:
        terms = rest.terms()
        if kind in ("heading", "title") and not any(char.isalnum() for term in terms for char in term):
            return None  # its marks are no part of a heading's text
        if (
            not _TAIL.fullmatch(listed["rest"])
            or any(is_template(term) for term in terms)
            or (not deny and " and " in listed["terms"])
        ):
            return _template_edge(rest, at_start, deny) if listed else None
        made: Any = c.Starts(terms=terms) if at_start else c.Ends(terms=_both_ways(terms))
        if deny:
            made = made.model_copy(update={"case": False})
        return c.Not(check=made) if deny else _lenient(made, at_start)
    labels = _LABELS.match(rest.raw + ("" if rest.raw.endswith(":") else ":"))
    if labels and at_start and rest.raw[:1].isupper() and "," in rest.raw + "," and not deny:
        terms = tuple(f"{name.strip()}:" for name in re.split(r":(?:,? or |, |/| and )?", rest.raw) if name.strip())
        return _lenient(c.Starts(terms=terms), True) if terms else None
    return _sign_edge(rest, at_start, deny, kind)


def _lenient(made: Any, at_start: bool) -> Any:
    """Emphasis around the edge is passed over."""
    spelled = "|".join(re.escape(term) for term in made.terms)
    pattern = rf"\A[\s*_]*(?:{spelled})" if at_start else rf"(?:{spelled})[\s*_]*\z"
    return c.Matches(
        pattern=pattern, finds=("start " if at_start else "end ") + " or ".join(f"“{t}”" for t in made.terms)[:60]
    )


def _both_ways(terms: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(terms)


def _template_edge(rest: Text, at_start: bool, deny: bool) -> Any | None:
    terms = rest.terms()
    made = shape(terms[0]) if len(terms) == 1 else ""
    if not made or deny:
        return None
    return c.Matches(
        pattern=rf"\A[\s*_]*{made}" if at_start else rf"{made}[\s*_.]*\z", finds=f"the form “{terms[0][:40]}”"
    )


def _sign_edge(rest: Text, at_start: bool, deny: bool, kind: str) -> Any | None:
    numbered = _NUMBERED.match(rest.masked)
    if numbered and at_start and not deny:
        sign = _SIGN.get(numbered["sign"].lower(), r"\)")
        return c.Matches(pattern=rf"\A\s*\d+{sign}(?:\s|\z)", finds="number and mark")
    for words, starts, ends, name in _SIGNS:
        match = re.match(rf"(?:(?:single|closing|final) )*(?:{words})(?![\w-])", rest.masked, _I)
        pattern = starts if at_start else ends
        if match is None or not pattern:
            continue
        if not _TAIL.fullmatch(rest.masked[match.end() :]):
            more = re.match(r",? (?:or|nor|and) (?:an? )?", rest.masked[match.end() :], _I)
            other = _sign_edge(rest.cut(match.end() + more.end()), at_start, deny, kind) if more else None
            if other is None or (not deny and "and" in more[0]):  # type: ignore[index]
                return None
            own = c.Matches(pattern=pattern, least=0 if deny else 1, most=0 if deny else None, finds=name)
            return c.AllOf(checks=(own, other)) if deny else c.AnyOf(checks=(own, other))
        if name == "a capital letter" and not deny:  # what begins with code, a figure or a name in lower case aside
            return c.Matches(pattern=r"\A[\s*_\"“'‘(\[]*\p{Ll}", most=0, least=0, finds="small letter at the start")
        if (
            name in ("a digit", "a dash", "an asterisk", "a hyphen")
            and kind in ("step", "bullet", "list_item")
            and at_start
        ):
            return None  # its marker may be meant
        return c.Matches(pattern=pattern, least=0 if deny else 1, most=0 if deny else None, finds=name)
    dated = re.match(
        r"(?:the |a |an |its )?(?P<kind>[a-z]+)(?: in the form(?:at)?)? ?\(?(?P<form>[YMDH:/.-]{5,16})\)?[^\w§]*$",
        rest.raw,
        _I,
    )
    if dated and re.search("YYYY|MM|HH", dated["form"]) and not deny:
        made = shape(dated["form"])
        return (
            c.Matches(pattern=rf"\A[\s*_\[(]*{made}" if at_start else rf"{made}[\])*_.\s]*\z", finds=dated["form"])
            if made
            else None
        )
    shown = _SHOWN.match(rest.raw)
    if shown and not deny:
        sample = next(group for group in shown.groups() if group)
        made = shape(sample)
        marked = re.search(r"[^\w\s]", sample) is not None
        if made and marked:
            pattern = rf"\A[\s*_]*{made}" if at_start else rf"{made}[\s*_`.]*\z"
            return c.Matches(pattern=pattern, finds=f"the form {sample[:40]}")
        return None
    value = next((each for each in KINDS if re.fullmatch(rf"(?:{each.words})[^\w§]*", rest.masked, _I)), None)
    if value is not None and not deny:
        wide = f"{DATE}|\\b\\d{{4}}\\b" if value.name == "date" else value.pattern
        return c.Matches(
            pattern=rf"\A[\s*_\[(]*(?:{wide})" if at_start else rf"(?:{wide})[\])*_.\s]*\z", finds=value.name
        )
    return None


_SHOWN = re.compile(
    r"(?:the |an? |its )?[a-z][\w -]{2,50}?,? (?:e\.g\.,?|for example,?|for instance,?|such as|like|as in"
    r"|in the form(?: of)?|as|\(e\.g\.,?) (?:`([^`]{2,40})`|\"([^\"]{2,40})\"|“([^”]{2,40})”"
    r"|(\([^()]{1,30}\))"
    r"|(\[[^\[\]]{1,30}\])|([^\s,;]{2,30}?))\)?[.!]?$",
    _I,
)
_NO_END = re.compile(
    r"(?P<aux>(?:has|have|with|carr(?:y|ies)|takes?|gets?|uses?|must have|should have|without|no|not|never"
    r"|contains?|in|the|an?|any|do|does|should|must"
    r"|may|can|cannot|need|needs) ?)+(?P<sign>full stop|period|final (?:full stop|period|punctuation)"
    r"|trailing (?:full stop|period|punctuation)"
    r"|closing (?:full stop|period)|end punctuation)(?: (?:at the end|at its end|behind it))?[^\w§]*$",
    _I,
)


def _without(text: Text, denied: bool) -> Any | None:
    """``no full stop``: of a line or a part that is one sentence at most, none stands at its end."""
    match = _NO_END.match(text.masked)
    if match is None or denied or denials(match[0]) % 2 == 0:
        return None
    pattern = r"[.!?,;:][\"”'’)\]*_`]*\s*\z" if "punctuation" in match["sign"].lower() else r"[^.]\.[\"”'’)\]*_`]*\s*\z"
    return c.Matches(pattern=pattern, least=0, most=0, finds="full stop at the end")
