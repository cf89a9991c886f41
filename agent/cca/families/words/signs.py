"""Families of signs and short forms: stops in abbreviations, section signs, colons, dashes, minus and times."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.words.hours import SPELLED, either_way, way_of
from agent.cca.families.words.kit import none

_I = re.IGNORECASE
_DENIED = re.compile(
    r"\b(?:no|not|never|without|omit|drop|skip|lose|leave out|leave off|avoid|free of|instead of|rather than"
    r"|neither|nor"
    r"|undotted|banned|forbidden|unwanted|out|bare)\b|n['’]t\b",
    _I,
)
_STOPS = r"\b(?:periods?|full stops?|dots?|points?|stops)\b"
_DOTTED = (
    r"\b(?:U\.S\.(?:A\.)?|U\.K\.|U\.N\.|E\.U\.|F\.B\.I|C\.I\.A|N\.A\.T\.O|N\.A\.S\.A|W\.H\.O\.|I\.M\.F"
    r"|C\.E\.O|I\.B\.M|P\.D\.F)"
)


def _undotted(s: Slots) -> Any | None:
    """No stops within short forms."""
    spoken = re.search(r"\bacronyms?\b|\binitialisms?\b|\babbreviations?\b|\bcountr\w+|\bshort forms?\b", s.text, _I)
    shown = re.findall(r"\b(?:[A-Z]\.){2,}", s.text)
    if not (spoken or shown) or re.search(r"\b(?:Latin|e\.g|i\.e|Ph\.D|titles?|Dr|Mr)\b", s.text):
        return None
    way = way_of(
        s.text,
        {"dots": rf"{_STOPS}|(?-i:\b(?:[A-Z]\.){{2,}})", "bare": r"(?-i:\b(?:US|USA|UK|UN|EU|NATO|FBI|CIA|NASA)\b)"},
    )
    if way != "bare":
        return None
    others = "".join(f"|{re.escape(each)}" for each in dict.fromkeys(shown) if len(each) > 3)
    return none(_DOTTED + others, "short forms with stops")


_TITLES = ("Mrs", "Mr", "Ms", "Mx", "Dr", "Prof", "St")


def _title_dot(s: Slots) -> Any | None:
    """``Mr`` and the like with a stop, or without one."""
    named = [title for title in _TITLES if re.search(rf"\b{title}\b", s.text)]
    spoken = re.search(r"\bhonorifics?\b|\bcourtesy titles?\b|\btitles? (?:like|such as|before)\b", s.text, _I)
    if not (named or spoken):
        return None
    dotted = {title for title in named if re.search(rf"\b{title}\.(?=[\s,;)\"'”`])", s.text)}
    if dotted and len(dotted) < len(named):
        return None  # some with, some without
    pattern = "|".join(named or _TITLES[:5])
    if re.search(_STOPS, s.text, _I):
        way = (
            "bare"
            if len(_DENIED.findall(re.sub(r"\b(?:not|never) [^,;.]*\bwithout\b", "with", s.text))) % 2
            else "dotted"
        )
    else:
        way = (
            way_of(
                s.text,
                {"dotted": rf"(?-i:\b(?:{pattern})\.(?=[\s,;)\"'”`]))", "bare": rf"(?-i:\b(?:{pattern})\b(?!\.))"},
            )
            or ""
        )
    if not way:
        return None
    return none(
        rf"\b(?:{pattern}) \p{{Lu}}\p{{Ll}}" if way == "dotted" else rf"(?:^|[^e] |[(\"“*])(?:{pattern})\. \p{{Lu}}",
        "such titles",
    )


_REFERENCES: tuple[tuple[str, str, str], ...] = (
    (r"pages?", r"pp?\.", r"(?:pp?|pgs?)\. ?"),
    (r"figures?", r"figs?\.", r"figs?\. ?"), (r"equations?", r"eqs?\.", r"eqs?\. ?"),
    (r"sections?", r"secs?\.", r"secs?\. ?"), (r"chapters?", r"chs?\.|chaps?\.", r"(?:chaps?|chs?)\. ?"),
    (r"tables?", r"tabs?\.|tbl\.", r"(?:tabs?|tbls?)\. ?"), (r"volumes?", r"vols?\.", r"vols?\. ?"),
)  # fmt: skip
_NOT = r"(?:(?:\b(?:not|never|no|avoid)\b|n['’]t\b)(?: \w+){0,1} )"
_FULL = rf"\bin full\b|\bfull\b|{SPELLED}|\bwhole word\b|\bthe word\b"


def _reference(s: Slots) -> Any | None:
    """``Figure 3`` or ``Fig. 3``: of those kinds that the sentence names, one way."""
    found = []
    for full, cut, refused in _REFERENCES:
        if not re.search(rf"\b(?:{full}|{cut}) ?(?:\d|n\b|N\b)|[\"'`“](?:{full}|{cut})[\"'`”]|\b{cut}"
                         rf"|\b(?:{full}) (?:numbers?|references?)\b",
                         s.text, _I):  # fmt: skip
            continue
        cuts = re.search(rf"{_NOT}?\b(?:abbreviat|shorten|cut short)\w*", s.text, _I)
        if cuts:
            way: str | None = "full" if re.match(_NOT, cuts[0], _I) else "cut"
        else:
            way = way_of(s.text, {"full": rf"\b(?:{full})(?: \d|[\"'`”])|{_FULL}", "cut": rf"\b(?:{cut})"})
        if way is None:
            return None
        pattern = rf"\b(?:{refused})\d" if way == "full" else rf"(?:[a-z,;] |\()(?:{full}) \d"
        found.append(pattern)
    return none(f"(?i){'|'.join(found)}", "references in another form") if found else None


_LAWS = r"(?:Act|Code|Law|Statutes?|Regulation|Constitution|Directive|Ordinance|GDPR|BGB|U\.S\.C\.)"
_BY_WORD = (
    rf"\b(?:[Ss]ections?|[Ss]ec\.|[Pp]aragraphs?|[Pp]aras?\.|[Aa]rt\.) \d+[a-z]?(?:\([\w]+\))*,? (?:(?:of"
    rf"|in) (?:the )?)?"
    rf"(?:\p{{Lu}}[\w-]* )*{_LAWS}\b"
)


def _capital(s: Slots) -> Any | None:
    """The first word behind a colon with a capital, or with a small letter."""
    if not re.search(r"\bcolons?\b", s.text, _I) or re.search(
        r"\b(?:labels?|keys?|titles?|headings?|subject|scope|type|commits?|fields?|lists?|bullets?)\b", s.text, _I
    ):
        return None
    upper, lower = (
        r"\bcapitali[sz]\w*|\bcapitals?\b|\bupper[- ]?case\w*",
        r"\blower[- ]?case\w*|\bsmall\b|\buncapitali[sz]ed\b",
    )
    way = way_of(s.text, {"upper": upper, "lower": lower})
    if way == "upper" and re.search(r"\b(?:only|if|when|unless|except)\b", s.text, _I):
        return None
    if way == "upper":
        return none(r"[a-z]{2}: [a-z]+(?:[\s.,;!?]|$)", "small letters behind a colon")
    common = "The|This|That|These|It|You|We|A|An|There|Your|Our|They|If|When|Use|Each|Every|All|Some|Most|Both|Never"
    return none(rf"[a-z]: (?:{common}) [a-z]", "capitals behind a colon") if way == "lower" else None


_SPACED_HYPHEN = r"[A-Za-z,)] --? [A-Za-z(]"
_DOUBLE_HYPHEN = r"(?:^|[\s(])[A-Za-z]+--[A-Za-z]+(?:[\s.,;)]|$)|[A-Za-z,)] -- [A-Za-z(]"


def _not_hyphens(s: Slots) -> Any | None:
    """No hyphens, single with spaces or doubled, where a dash is meant."""
    text = s.text
    if not re.search(r"\bdash(?:es)?\b|—|–", text, _I) or not re.search(
        r"\bhyphens?\b|(?<![\w-])--?(?![\w-])", text, _I
    ):
        return None
    if re.search(r"\b(?:range|ranges|numbers?|bullets?|compounds?|lists?|options?|flags?|headings?)\b", text, _I):
        return None
    hyphens = r"\b(?:two|double|spaced|single|consecutive)?[- ]?hyphens?\b|[\"'`“] ?--? ?[\"'`”]|(?<![\w-])--?(?![\w-])"
    stand = (
        r"\b(?:in place of|instead of|stand(?:s|ing)? in for|substitutes? for|for|as|where|in lieu of|means?|meant) "
    )
    meant = re.search(rf"{stand}[^.;]*\bdash", text, _I)
    beside = meant is not None and _DENIED.search(text[: meant.start()]) is not None
    if (
        not beside
        and way_of(text, {"dash": r"\b(?:em|en|real|proper|true)?[- ]?dash(?:es)?\b|—|–", "hyphen": hyphens}) != "dash"
    ):
        return None
    doubled = re.search(r"\b(?:two|doubled?|consecutive)(?: \w+)? hyphens?\b|--", text, _I)
    single = re.search(r"\b(?:spaced|single)\b|[\"'`“] - [\"'`”]|\bspaces\b", text, _I)
    if doubled and not single:
        return none(_DOUBLE_HYPHEN, "two hyphens for a dash")
    return none(rf"{_SPACED_HYPHEN}|{_DOUBLE_HYPHEN}", "hyphens for a dash")


_UNITS_BEHIND = r"(?:°|%|degrees|per ?cent|[$€£]|points?)"
_TIMES = r"(?:^|[\s(])([1-9]\d*(?:\.\d+)? ?(?:x|X|\*|×) ?\d+(?:\.\d+)?)(?:[\s,;:)]|\.(?:\s|$)|$)"


def _times(s: Slots) -> Any | None:
    """The sign of multiplication between numbers, no letter x and no asterisk."""
    if not re.search(r"×|\bmultiplication\b|\btimes sign\b", s.text, _I) or way_of(
        s.text,
        {"sign": r"×|\b(?:multiplication|times) (?:signs?|symbols?|cross)\b|\bproper sign\b",
         "letter": r"\bletters?\b|(?-i:\bx\b)|\basterisks?\b|(?<!\w)\*(?!\w)|\d ?x ?\d"},
    ) != "sign":  # fmt: skip
        return None
    return c.Each(
        part=c.Part(kind="match", pattern=_TIMES), check=c.Matches(pattern=r"×|\A[24] ?[xX] ?4\z", finds="“×”")
    )


FAMILIES: tuple[Family, ...] = (
    Family("acronym.undotted", "no stops in short forms", _undotted, takes_terms=True),
    Family("title.dot", "Mr, Ms and Dr with a stop, or without", _title_dot, takes_terms=True),
    Family("reference.form", "Figure, page, section in full or cut short", _reference, takes_terms=True),
    either_way("section.sign", "laws with the section sign or the word", {
        "sign": (r"§|\b(?:section|paragraph)[- ](?:signs?|symbols?|marks?)\b|\bsilcrow\b",
                 _BY_WORD, "laws by the word"),
        "word": (rf"\bthe words?\b|\bin words\b|{SPELLED}|\b(?:sec\.|section) \d|[\"“'`](?:section|article)"
                 r"|\bspelled[- ]out\b|\bwords?\b|\bin full\b", "§", "section signs"),
    }, r"§|\b(?:section|paragraph)[- ](?:signs?|symbols?|marks?)\b|\bsilcrow\b"),
    either_way("reference.stop", "marks of sources before or behind the stop", {
        "before": (r"\bbefore\b|\bin front of\b|\bahead of\b|\binside\b|\bprecedes?\b|\]\.",
                   r"[a-z)\"”][.!?,;] ?(?:\[\d{1,3}(?:[,–-] ?\d{1,3})*\]|\[\^\w+\])(?:[^:(]|$)",
                   "marks behind the stop"),
        "behind": (r"\bafter\b|\bbehind\b|\boutside\b|\bfollows?\b|\.\[",
                   r"(?:\[\d{1,3}(?:[,–-] ?\d{1,3})*\]|\[\^\w+\])[.,;!?]", "marks before the stop"),
    }, r"(?:\bcitations?|\bcites?\b|\breferences?|\bfootnotes?|\bnote marks|\bmarkers?|\[\d|\[\^)(?s:.)*"),
    either_way("latin.comma", "a comma behind e.g. and i.e., or none", {
        "with": (r"\b(?:followed by|takes?|take|with|put|place|add|needs?|gets?|always|carries|write|insert"
                 r"|want) (?:\w+ ){0,3}?commas?\b"
                 r"|\b(?:e\.g|i\.e)\.,", r"(?i)\b(?:e\.g|i\.e)\. +[^\s,]", "e.g. without a comma"),
        "without": (r"\b(?:no|without an?|without|never (?:\w+ ){0,3}?a|not (?:\w+ ){0,4}?a|omit the|drop the"
                    r"|skip the|leave out the) "
                    r"(?:\w+ )?commas?\b", r"(?i)\b(?:e\.g|i\.e)\.,", "e.g. with a comma"),
    }, r"\bcommas?\b(?s:.)*(?:e\.g|i\.e)|(?:e\.g|i\.e)(?s:.)*\bcommas?\b"),
    Family("colon.case", "a capital or a small letter behind colons", _capital, takes_terms=True),
    Family("dash.not_hyphens", "no hyphens where a dash is meant", _not_hyphens, takes_terms=True),
    either_way("minus.sign", "the true minus sign, or the hyphen, before negative numbers", {
        "minus": (r"\b(?:true|real|proper|typographic|unicode|actual|correct) minus\b|−|\bU\+2212\b"
                  r"|\bminus (?:signs?|characters?|symbols?)\b",
                  rf"(?:^|[\s(])-\d[\d.,]* ?{_UNITS_BEHIND}|\b(?:is|was|of|to|at|by|from|below|between|and|minus"
                  rf"|about|fell|drops?) "
                  r"-[$€£]?\d|[=≈<>] -\d|-[$€£]\d", "hyphens for a minus"),
        "hyphen": (r"\bhyphens?(?:-minus)?\b|\bASCII\b|\bplain (?:minus|dash)\b|(?<![\w-])-(?=\d)",
                   r"[−–]\d", "other minus signs"),
    }, r"(?s)(?=.*(?:\bminus|\bnegative\b|−))(?=.*(?:hyphen|\bASCII\b|\btrue\b|\breal\b|\bproper\b|typograph"
       r"|unicode|correct|−))"),
    Family("times.sign", "a multiplication sign between numbers", _times, takes_terms=True),
)  # fmt: skip
