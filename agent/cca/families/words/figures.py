"""Families of how ranges, fractions, decimals, large numbers, money and units are written."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.words.hours import SPELLED, TWICE, either_way, way_of
from agent.cca.families.words.kit import none
from agent.cca.families.words.numbers import UNIT
from agent.cca.scoped.kinds import PERCENTAGE

_I = re.IGNORECASE
_NUMBER_WORDS = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    "|ninety"
)
_UNIT_NAMES = (
    r"kilomet(?:re|er)s?|centimet(?:re|er)s?|millimet(?:re|er)s?|met(?:re|er)s|kilograms?|kilos|grams?|milligrams?"
    r"|lit(?:re|er)s?|millilit(?:re|er)s?|miles|inches|ounces?|gallons?|megabytes?|gigabytes?"
    r"|kilobytes?|terabytes?|watts|kilowatts?|volts|hertz|milliseconds?"
)
_AHEAD = (
    r"(?:^|\b(?i:a|about|add|almost|and|at|by|cut|in|is|just|least|most|nearly|of|only|over|roughly|some|take|than|the"
    r"|to|under|use|was|with)\b,? )"
)
_GLYPHS = "[½⅓⅔¼¾⅕⅛⅜⅝⅞]"
_SLASHED = (
    rf"{_AHEAD}(?:1/2|1/3|2/3|1/4|3/4|1/8)(?: (?i:of|cup|cups|teaspoons?|tablespoons?|the|an?)\b"
    rf"|[ -](?i:hours?|miles?|inch))"
)
_FRACTION_WORDS = r"(?i)\b(?:one|two|three)[ -](?:half|thirds?|quarters?|fourths?) of\b"


def _ranges(s: Slots) -> Any | None:
    """No dash behind "from" and "between"."""
    kinds = [word for word in ("from", "between") if re.search(rf"\b{word}\b", s.text, _I)]
    if (
        not kinds
        or TWICE.search(s.text)
        or not re.search(
            r"\b(?:dash(?:es)?|hyphens?|en-dash(?:es)?)\b|\b(?:from|between) [\d$€£.,]+ ?[-–—] ?[\d$€£]", s.text, _I
        )
    ):
        return None
    if re.search(r"\b(?:space|spaces)\b", s.text, _I) or not re.search(
        r"\b(?:not?|never|instead|rather|avoid|without|must|may|wrong|only|belongs?|replace\w*|takes?|needs?|calls?"
        r"|requires?|pairs?|goes)\b|n['’]t\b",
        s.text,
        _I,
    ):
        return None
    words = [r"from", r"between"] if len(kinds) > 1 else kinds
    return none(
        rf"(?i)\b(?:{'|'.join(words)}) [$€£]?\d[\d.,]*%? ?[-–—] ?[$€£]?\d[\d.,]*%?(?:[^\w-]"
        rf"|$)",
        "a dash behind from or between",
    )


_PLACES_OF = r"\bzeros?\b|\bnaught\b|\bnought\b|\b0[.,]\d"


def _leading_zero(s: Slots) -> Any | None:
    way = way_of(s.text, {"zero": _PLACES_OF, "bare": r"(?<![\d\w])\.\d+|\bbare (?:decimal )?(?:point|dot)\b"})
    if way is None or re.search(r"\btrailing\b|\bhours?\b|\bdates?\b|\bmonths?\b|\bdays?\b|\bI?Ds?\b", s.text, _I):
        return None
    if way == "zero":
        return none(r"(?:^|[\s(=<>~≈])[-−+]?[$€£]?\.\d+(?:[\s,;:)%]|\.(?:\s|$)|$)", "decimals without a zero")
    if re.search(r"\bp[- ]values?\b|\bcorrelation|\bstatistic|\bprobabilit|\bAPA\b|\bp ?[=<]", s.whole, _I):
        return none(r"\b[pr] ?[=<>≤≥] ?[-−]?0\.\d+", "statistics with a zero")  # other values may go beyond one
    return none(r"(?:^|[\s(=<>~≈])[-−+]?0\.\d+", "decimals with a zero")


def _percent_whole(s: Slots) -> Any | None:
    """Percentages are whole numbers."""
    if not re.search(r"\bper ?cent\w*|%", s.text, _I) or re.search(
        r"\b(?:one|two|three|1|2|3) decimals?\b|\bat least one decimal|\bdecimal places? (?:is|are) (?:kept|needed)",
        s.text,
        _I,
    ):
        return None  # fmt: skip
    check = none(r"\d[.,]\d{1,2}(?:\D|$)", "decimals", "answer")
    return c.Each(part=c.Part(kind="match", pattern=PERCENTAGE), check=check)


_CODES = "USD|EUR|GBP|CHF|JPY|CAD|AUD|INR|SEK|NOK|DKK|PLN|CNY"
_SCALE_WORDS = r"\bmillions?\b|\bbillions?\b|\bmn\b|\bbn\b"


def _currency_form(s: Slots) -> Any | None:
    """Amounts with the sign, or with the word, of money."""
    named = re.search(r"[$€£¥]|\b(?:dollars?|euros?|pounds?|yen|currenc\w+|money|cents?)\b", s.text, _I)
    if not named or re.search(r"\bcodes?\b|\bISO\b", s.text, _I):
        return None
    way = way_of(s.text, {
        "sign": r"[$€£¥] ?\d[\d.,]*(?: (?:million|billion))?|[\"'`“][$€£¥][\"'`”]|\b(?:dollar|euro|pound|currency"
                r"|money|yen)"
                r"[- ](?:signs?|symbols?)\b|\bsigns?\b|\bsymbols?\b|(?<![\w\"'])[$€£¥](?!\w)",
        "word": r"\b\d[\d.,]* (?:(?:million|billion) )?(?:dollars?|euros?|pounds?)\b|\bthe words?\b|\bin words\b"
                rf"|{SPELLED}|\bspelled[- ]out\b|\bwritten[- ]out\b"
                r"|[\"'`“](?:dollars?|euros?|pounds?)[\"'`”]|\bwords?\b|\bin full\b",
    })  # fmt: skip
    if way == "sign":
        return none(r"(?i)\d ?(?:(?:million|billion|thousand) )?(?:US )?(?:dollars?|euros?)\b|\d pounds sterling\b",
                    "amounts in words")  # fmt: skip
    return none(r"[$€£¥] ?\d|\d ?[€£¥]", "signs of money") if way == "word" else None


_KM, _MILES = r"(?:km|kilomet(?:re|er)s?)\b", r"(?:mi|miles?|mph)\b"
_KILOS, _POUNDS = r"(?:kg|kilograms?|kilos?)\b", r"(?:lbs?|pounds?)\b"
_CM, _INCHES = r"(?:cm|centimet(?:re|er)s?)\b", r"(?:(?:in|inch(?:es)?)\b|[\"″])"
_METRES, _FEET = r"(?:m|met(?:re|er)s?)\b", r"(?:(?:ft|feet|foot|yards?)\b|['′])"
_SPACE = r"[ \x{A0}\x{202F}]?"
_DEGREES = rf"\d{_SPACE}(?:°|º|degrees?){_SPACE}"
_C, _F = r"(?:C\b|Celsius)", r"(?:F\b|Fahrenheit)"
_GAP = r"[ \x{A0}\x{202F}]?-?"
_N = rf"\b\d[\d.,]*{_GAP}"
_MEASURES: tuple[tuple[str, str, str], ...] = (
    (r"kilomet(?:re|er)s?|km", _N + _KM, rf"\d{_GAP}{_MILES}"),
    (r"miles?", _N + r"miles?\b", rf"\d{_GAP}{_KM}"),
    (r"celsius|°c|centigrade", _DEGREES + _C, rf"\d{_SPACE}(?:(?:°|º|degrees?){_SPACE})?{_F}"),
    (r"fahrenheit|°f", _DEGREES + _F, rf"\d{_SPACE}(?:(?:°|º|degrees?){_SPACE})?{_C}"),
    (r"kilograms?|kilos?|kg", _N + _KILOS, rf"\d{_GAP}{_POUNDS}"),
    (r"pounds?|lbs?", _N + _POUNDS, rf"\d{_GAP}{_KILOS}"),
    (r"centimet(?:re|er)s?|cm", _N + _CM, rf"\d{_GAP}{_INCHES}"),
    (r"inch(?:es)?", _N + r"inch(?:es)?\b", rf"\d{_GAP}{_CM}"),
    (r"met(?:re|er)s?", _N + _METRES, rf"\d{_GAP}{_FEET}"),
    (r"feet|foot", _N + r"(?:feet|foot|ft)\b", rf"\d{_GAP}(?:{_METRES}|{_CM})"),
)  # fmt: skip
_IN_BRACKETS = r"(?:in|within|inside|between) (?:round )?(?:parenthes[ei]s|brackets)"


def _converted(s: Slots) -> Any | None:
    """Each value in the one unit has one in the other behind it on its line; which stands in brackets is told."""
    text = s.text
    if re.search(r"\b(?:no|not|never|without|instead|rather)\b|n['’]t\b", text, _I):
        return None
    found = [(at, match) for at, (words, _, _) in enumerate(_MEASURES)
             if (match := re.search(rf"(?<![\w])(?:{words})(?![\w])", text, _I))]  # fmt: skip
    if len(found) != 2 or found[0][0] ^ found[1][0] != 1:
        return None
    gaps = {}
    for at, match in found:
        behind = re.match(
            rf"(?P<gap>(?: (?!and\b|then\b|with\b"
            rf"|plus\b)[\w-]+){{0,3}}),? {_IN_BRACKETS}",
            text[match.end() :],
            _I,
        )
        ahead = re.search(
            rf"{_IN_BRACKETS},?(?P<gap>(?: (?!after\b|behind\b|following\b|each\b|every\b)[\w-]+){{0,4}}) $",
            text[: match.start()], _I,
        )  # fmt: skip
        if behind or ahead:
            gaps[at] = min(len(each["gap"]) for each in (behind, ahead) if each)
    bracketed = sorted(gaps, key=lambda at: gaps[at])[:1]
    if len(bracketed) != 1:
        return None
    main = next(at for at, _ in found if at != bracketed[0])
    _, value, other = _MEASURES[main]
    beside = c.Matches(pattern=rf"(?i)\A[^(\[]*[(\[][^)\]]*{other}", finds="the other unit")
    bracket = c.Part(kind="match", pattern=f"(?i){value}", behind=60)
    # what is a conversion itself, or a rate per hour, is passed over
    return c.Each(part=bracket, check=beside, selects=none(r"\A[^(\[]{0,40}[)\]]|\A\S+ ?\S*/", "in brackets", "answer"))


FAMILIES: tuple[Family, ...] = (
    Family("range.words", "no dash behind from and between", _ranges, takes_terms=True),
    either_way("fraction.form", "fractions in words, or in digits", {
        "words": (rf"\bwords\b|{SPELLED}|\bone[- ](?:half|third|quarter)\b|\btwo[- ]thirds\b|\bthree[- ]quarters\b"
                  rf"|\bin full\b"
                  r"|\ba (?:half|third|quarter)\b|\bwrit\w+(?: \w+){0,3} out\b",
                  rf"{_GLYPHS}|{_SLASHED}", "fractions in digits"),
        "digits": (r"\b\d/\d\b|[½¼¾⅓⅔]|\bdigits?\b|\bfigures?\b|\bnumerals?\b|\bslash(?:es)?\b", _FRACTION_WORDS,
                   "fractions in words"),
    }, r"\bfractions?\b|\b(?:half|halves|thirds?|quarters?)\b"),
    Family("decimals.leading_zero", "decimals below one with a leading zero, or without", _leading_zero,
           takes_terms=True),
    either_way("number.scale", "millions in words or in digits", {
        "words": (rf"\b\d[\d.]* (?:million|billion)\b|\bwords?\b|{SPELLED}|{_SCALE_WORDS}",
                  r"\b\d{1,3}(?:,\d{3})*,\d00,000(?:[^\d,]|,\D|$)", "millions in zeros"),
        "digits": (r"\b\d{1,3}(?:,\d{3}){2,}\b|\ball (?:the |its |their )?(?:digits|zeros)\b|\bdigits\b|\bfigures\b"
                   r"|\bnumerals\b|\bin full\b|\bzeros\b",
                   r"(?i)\d ?(?:million|billion|trillion)\b", "millions in words"),
    }, r"^(?!.*(?:\babbreviat|\bM\b|\bmn\b|\bmio\b)).*(?:\b(?:m|b)illions?\b|\blarge\b|\bbig\b"
       r"|\b\d{1,3}(?:,\d{3}){2,})"),
    Family("percent.whole", "percentages without decimals", _percent_whole, takes_terms=True),
    Family("currency.form", "amounts with the sign or with the word of money", _currency_form, takes_terms=True),
    Family("currency.not_both", "no sign and code of money on one amount", lambda s: none(
        rf"[$€£¥] ?\d[\d.,]*(?: (?:million|billion))? ?(?:{_CODES})\b|\b(?:{_CODES}) ?[$€£¥] ?\d",
        "sign and code together",
    ) if re.search(r"\bcodes?\b|(?-i:\b(?:USD|EUR|GBP)\b)", s.text, _I) and re.search(
        r"\b(?:never|not|no|once|twice|either|double|redundant|one)\b|n['’]t\b", s.text, _I)
        else None, takes_terms=True),
    Family("unit.converted", "values in one unit with those in another in brackets", _converted, takes_terms=True),
    Family("unit.digits", "digits before units", lambda s: none(
        rf"(?i)\b(?:{_NUMBER_WORDS})[ -](?:{_UNIT_NAMES})\b"
        rf"|(?-i:\b(?:{_NUMBER_WORDS}) (?:{UNIT})\b)", "numbers in words",
    ) if re.search(r"\bunits?\b|\bmeasure\w*|\bquantit\w+", s.text, _I) and way_of(s.text, {
        "digits": r"\bdigits?\b|\bfigures?\b|\bnumerals?\b|\b\d+ (?:kg|km|cm|GB|ml)\b",
        "words": rf"\bwords\b|{SPELLED}|\b(?:{_NUMBER_WORDS}) (?:{_UNIT_NAMES})\b"}) == "digits" else None,
        takes_terms=True),
    either_way("size.units", "sizes in MiB and GiB, or in MB and GB", {
        "binary": (r"(?-i:\b[KMGT]iB\b)|\bbinary\b|\b(?:mebi|gibi|kibi|tebi)bytes?\b|\bIEC\b|\bpowers? of (?:two|2"
                   r"|1024)\b",
                   r"\d ?(?:KB|kB|MB|GB|TB)\b", "decimal units"),
        "decimal": (r"(?-i:\b(?:KB|kB|MB|GB|TB)\b)|\bdecimal\b|\b(?:mega|giga|kilo|tera)bytes?\b"
                    r"|\bpowers? of (?:ten|10)\b",
                    r"\d ?(?:KiB|MiB|GiB|TiB)\b", "binary units"),
    }, r"\bsizes?\b|\bmemory\b|\bstorage\b|\bbytes?\b|B\b|\bunits?\b"),
)  # fmt: skip
