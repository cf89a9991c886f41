"""Families with two ways or more to choose from: spelling, separators, clocks, units, quotation marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import agent.cca.families.words.dates as d
import agent.cca.families.words.letters as le
import agent.cca.families.words.numbers as n
from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.words.direction import choose, told
from agent.cca.families.words.kit import none
from agent.cca.families.words.lexicon import I_WORD
from agent.cca.scoped.kinds import MONEY

_I = re.IGNORECASE
Way = tuple[str, Callable[[], Any]]


def _ways(id: str, says: str, ways: Mapping[str, Way]) -> Family:
    """``ways``: for each its names and its check."""
    names = {name: words for name, (words, _) in ways.items()}

    def make(s: Slots) -> Any | None:
        way = choose(s.text, names)
        return None if way is None else ways[way][1]()

    return Family(id, says, make, takes_terms=True)


def _refuse(pattern: str, finds: str) -> Callable[[], Any]:
    return lambda: none(pattern, finds)


def _money(pattern: str, finds: str) -> Callable[[], Any]:
    return lambda: c.Each(part=c.Part(kind="match", pattern=MONEY), check=c.Matches(pattern=pattern, finds=finds))


_SINGLE = r"(?:^|[\s(])['‘][^'’\n]{1,80}[^\s]['’](?:[\s.,;:!?)]|$)"
_TEXT = r"(?:\b[a-z]+[,.]? |[($€£¥])"
"""Before a number that counts something: not ``RFC 9110``, nor a value of JSON."""
_LONE, _AFTER, _PLAIN = n.LONE, n.AFTER, n.PLAIN
_SPACED = r"\d (?:%|km|kg|mg|ml|cm|mm|kB|MB|GB|TB|ms)\b|\d %"
_NO_SPACE = r"\b(?:no|without (?:a |any )?)(?: \w+)? ?spaces?\b|\btight\w*|\bclose(?:d)? up\b|\d(?:%|km|kg|MB|GB)|\w—\w"
_SPACE = r"\bspaces?\b|\bspaced\b|\d (?:%|km|kg|MB|GB)|\w — \w"


_APART = re.compile(
    r"(?<!no )(?<!not )(?<!never )\b(?:separated|divided|parted|set apart) (?:from \w+ )?by (?:a |one |an? \w+ )space"
    r"|\bkeep a space\b|^(?:a|one|use a|put a|leave a|always a) (?:\w+ )?space\b(?! has no)",
    _I,
)


def _spaces(id: str, says: str, apart: str, joined: str) -> Family:
    """A space is wanted at that place, or none: two denials want it. ``apart``: where there is one."""

    def make(s: Slots) -> Any | None:
        shown = choose(
            s.text,
            {"apart": rf"\d (?:%|g|m|{n.UNIT})\b|\d %|\w — \w", "joined": rf"\d(?:%|(?:{n.UNIT})\b)|\w—\w"},
        )
        if shown is None:
            if re.search(r"\btight\w*|\bclose(?:d)? up\b", s.text, _I):
                shown = "joined"
            elif _APART.search(s.text):
                shown = "apart"
            else:
                denials = len(re.findall(r"\b(?:no|not|never|without)\b|n['’]t\b", s.text, _I))
                shown = "apart" if denials % 2 == 0 else "joined"
        return none(joined, "no space there") if shown == "apart" else none(apart, "a space there")

    return Family(id, says, make, takes_terms=True)


def _person(s: Slots) -> Any | None:
    """``we`` or ``I``: what is refused does not occur; where nothing is, what is wanted does."""
    import agent.cca.families.words.tone as tone

    ways = {
        "I": r"(?-i:\bI\b)|\bfirst[- ]person singular|\bsingular\b",
        "we": r"\bwe\b|\bours?\b|\bus\b|\bfirst[- ]person plural|\bplural\b",
    }
    wanted, refused = told(s.text, ways)
    pattern = {"I": tone.SINGULAR, "we": tone.PLURAL}
    if len(refused) == 1:
        name = next(iter(refused))
        return none(I_WORD if name == "I" and "plural" not in s.text.lower() else pattern[name], f"“{name}”")
    if len(wanted) == 1 and not refused:
        name = next(iter(wanted))
        return c.Matches(pattern=pattern[name], within="prose", finds=f"“{name}”")
    return None


FAMILIES: tuple[Family, ...] = (
    _ways("spelling.variety", "British or American spelling", {
        "british": (r"\bbritish\b|\buk\b|\bbritain\b|\bcolour\b|\bcentre\b|\borganise\b|\bfavourite\b|\banalyse\b"
                    r"|\bbritish-",
                    lambda: le.british_spelling()),
        "american": (r"\bamerican\b|\bUS\b|\bU\.S\.|\bcolor\b|\bcenter\b|\borganize\b|\bfavorite\b|\bamericanisms?\b",
                     lambda: le.american_spelling()),
    }),
    _ways("quote.shape", "straight or curly quotation marks", {
        "straight": (r"\bstraight\b", _refuse("[“”„‘’‚]", "curly quotation marks")),
        "curly": (r"\bcurly\b|\bsmart\b|\btypograph\w+", _refuse("\"", "straight quotation marks")),
    }),
    _ways("quote.kind", "double or single quotation marks", {
        "double": (r"\bdouble\b", _refuse(_SINGLE, "single quotation marks")),
        "single": (r"\bsingle\b", _refuse("[\"“”]", "double quotation marks")),
    }),
    _ways("quote.marks_at", "marks inside or outside of quotation marks", {
        "inside": (r"\binside\b|\bwithin\b", _refuse(r"[\"”][.,](?:\s|$)", "marks outside quotation marks")),
        "outside": (r"\boutside\b|\bbehind\b|\bafter\b", _refuse(r"[.,][\"”](?:\s|$)", "marks inside quotation marks")),
    }),
    _ways("ellipsis.form", "the ellipsis as one character or as three dots", {
        "character": (r"…|\b(?:single|one)[- ]character\b|\b(?:ellipsis|special|single|one"
                      r"|proper ellipsis) character\b",
                      _refuse(r"\.\.\.", "three dots")),
        "dots": (r"\.\.\.|\bthree (?:dots|periods|full stops|points)\b", _refuse("…", "the single character")),
    }),
    _ways("range.dash", "ranges with an en dash or a hyphen", {
        "dash": (r"\ben[- ]dash(?:es)?\b|\d–\d", _refuse(r"(?:^|[\s(])\d{1,4}-\d{1,4}(?:[\s,;)%]|\.(?:\s|$)"
                                                         r"|$)", "hyphens")),
        "hyphen": (r"\bhyphens?\b|\d-\d", _refuse(r"\d ?[–—] ?\d", "ranges with a dash")),
    }),
    _ways("number.form", "numbers in digits or in words", {
        "digits": (r"\bdigits?\b|\bfigures?\b|\bnumerals?\b|\b\d\b", lambda: none(n.IN_WORDS, "numbers in words")),
        "words": (r"\bspell\w*(?: \w+){0,3}? out\b|\bspelled out\b|\bwrit\w+(?: \w+){0,3}? out\b|\bwords?\b|\bin full\b"
                  r"|\bwritten out\b|\bspell\w*\b|\bthree\b", lambda: none(n.FIGURE, "numbers in digits")),
    }),
    _ways("decimals.mark", "a decimal point or comma", {
        "comma": (r"\bcommas?\b|\b\d,\d{1,2}\b", _refuse(_PLAIN, "decimal points")),
        "point": (r"\b(?:points?|dots?|full stop|period)\b|\b\d\.\d", _refuse(
            rf"{_LONE}\d+,(?:\d{{1,2}}|\d{{4,}})(?:[\s;:!?)%€]|[.,](?:\s|$)|$)", "decimal commas")),
    }),
    _ways("thousands.mark", "thousands grouped by commas, points or spaces", {
        "comma": (r"\bcommas?\b|\b\d{1,3},\d{3}\b", _refuse(
            rf"{_TEXT}(?:[3-9]\d{{3}}|\d{{5,}}){_AFTER}|{_LONE}\d{{1,3}}(?:[ '’.]\d{{3}})+(?:[\s,;:!?)%]|$)",
            "thousands without commas")),
        "space": (r"\bspaces?\b|\b\d{1,3} \d{3}\b", _refuse(
            rf"{_TEXT}\d{{5,}}{_AFTER}|{_LONE}\d{{1,3}}(?:[,.'’]\d{{3}})+(?:[\s,;:!?)%]"
            rf"|$)", "thousands without spaces")),
        "point": (r"\b(?:points?|dots?|full stops?|periods?)\b|\b\d{1,3}\.\d{3}\b", _refuse(
            rf"{_TEXT}\d{{5,}}(?:,\d+)?(?:[\s;:!?)%]|$)|{_LONE}\d{{1,3}}(?:[, '’]\d{{3}})+(?:[\s;:!?)%]|$)",
            "thousands without points")),
    }),
    _ways("percent.form", "the percent sign or the word", {
        "sign": (r"%|\b(?:percent(?:age)?|per cent) (?:signs?|symbols?)\b|\b(?:sign|symbol)\b", _refuse(
            r"(?i)(?:\d|\b(?:[a-z]+(?:ty|een|en|ne|wo|ve|ht|ee|ur|ix))) ?-?per ?cent\b", "the word percent")),
        "word": (r"[\"“]per ?cent[\"”]|\d per ?cent\b|\bwords?\b|\b(?:write|writ\w+|spell) out\b|\bper ?cent is\b"
                 r"|(?:and not|not|never) per ?cent\b", _refuse(r"\d ?%", "the percent sign")),
    }),
    _ways("currency.place", "the currency before or behind the amount", {
        "before": (r"\bin front\b|\bbefore\b|\bprecedes?\b|\b(?:symbol|sign) (?:comes )?first\b|\bcomes? first\b"
                   r"|\bahead\b"
                   r"|\bbegins? with\b|\bfirst(?=$)|[$€£]\d|\bsign first\b|\bsymbol-first\b",
                   _money(r"\A(?:US|C|A)?[€$£¥]", "symbol in front")),
        "behind": (r"\bafter\b|\bbehind\b|\bcomes last\b|\blast\b|\bfollows?\b|\bat the end\b|\d ?[$€£]"
                   r"|\bfirst, then the currency\b",
                   _money(r"\A\d", "amount in front")),
    }),
    _ways("temperature.scale", "temperatures in Celsius or Fahrenheit", {
        "celsius": (r"\bcelsius\b|°C|\bcentigrade\b", _refuse(r"(?i)\d ?[°º] ?F\b|\bfahrenheit\b", "Fahrenheit")),
        "fahrenheit": (r"\bfahrenheit\b|°F", _refuse(r"(?i)\d ?[°º] ?C\b|\bcelsius\b|\bcentigrade\b", "Celsius")),
    }),
    _ways("unit.system", "metric or imperial units", {
        "metric": (r"\bmetric\b|\bSI\b|\bkilomet\w+|\bkilograms?\b|\bmet(?:re|er)s\b", _refuse(n.FEET,
                   "imperial units")),
        "imperial": (r"\bimperial\b|\bmiles?\b|\bfeet\b|\binch\w*|\bpounds?\b|\bounces?\b|\bUS customary\b"
                     r"|\bgallons?\b|\byards?\b",
                     _refuse(n.METRES, "metric units")),
    }),
    _ways("unit.form", "units by their symbols or in words", {
        "symbols": (r"\bsymbols?\b|\babbreviat\w*|\bkm\b|\bkg\b", _refuse(n.UNIT_WORDS, "units in words")),
        "words": (r"\b(?:spell\w*|writ\w+)(?: \w+)? out\b|\bspell out\b|\bin full\b|\bfull names?\b"
                  r"|\bkilometres?\b|\bnames\b",
                  _refuse(rf"\d ?(?:{n.UNIT})\b", "symbols of units")),
    }),
    _ways("month.form", "months in full or cut short", {
        "full": (r"\bin full\b|\bfull\b|\b(?:spell\w*|writ\w+)(?: \w+)? out\b|\bAugust\b", _refuse(d.SHORT_MONTH,
                 "months cut short")),
        "short": (r"\babbreviat\w*|\bshort\w*|\bthree[- ]letters?\b|\bAug\b", _refuse(
            r"\b(?:January|February|August|September|October|November|December)\b", "months in full")),
    }),
    _ways("time.clock", "times on the 24-hour or the 12-hour clock", {
        "24": (r"\b24[- ]?(?:h\b|hours?\b)|\bmilitary time\b|\b1[3-9]:\d\d|\bHH:MM\b|\btwenty-four[- ]hour",
               _refuse(d.TWELVE, "times with am or pm")),
        "12": (r"\b12[- ]?(?:h\b|hours?\b)|\b[ap]\.?m\b|\btwelve[- ]hour", _refuse(d.TWENTY_FOUR, "24-hour times")),
    }),
    _spaces("percent.space", "a space before the percent sign, or none", r"\d +%", r"\d%"),
    _spaces("unit.space", "a space before the unit, or none", rf"\d (?:{n.UNIT})\b", rf"\d(?:{n.UNIT})\b"),
    _spaces("dash.space", "spaces around dashes, or none", r"\S —|— \S", r"\w—|—\w"),
    Family("person.number", "speaks as we, or as I", _person, takes_terms=True),
)  # fmt: skip
