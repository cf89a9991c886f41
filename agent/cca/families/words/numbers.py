"""Families of numbers: digits or words, separators, decimals, percent, money, units."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.words.kit import counted, never, none, placed, wants
from agent.cca.scoped.kinds import MONEY, PERCENTAGE, TEMPERATURE, TIME

_I = re.IGNORECASE
_SMALL = "two|three|four|five|six|seven|eight|nine"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_BEFORE = (
    "the|with|and|has|have|had|were|are|all|another|nearly|about|than|least|most|only|some|by|of|for|took|takes|take"
    "|need|needs|in|within|after|contains?|includes?|offers?|costs?|these|those|or|add|use|uses|to|over|under"
    "|just|exactly"
    "|bring|bought|buy|sold|saw|got|get|gets|give|gives|every|first|last|next|other|we|you|they|there|is|was|from"
    "|between"
    "|comes|sells?|sleeps|seats|employs?|hired?|won|lost|made|makes?|our|your|their|his|her|its|my"
    "|sent|found|built|held|kept|paid|[a-z]{3,}ed"
)
_NOT_COUNTED = (
    "hours|minutes|seconds|degrees|points|metres|meters|miles|litres|liters|grams|kilos|tonnes|tons"
    "|inches|percents|cents"
)


def _of(kind: str, pattern: str, finds: str, deny: bool = False) -> Callable[[Slots], Any]:
    """Each value of the kind has the pattern, or not."""

    def make(_: Slots) -> Any:
        check = none(pattern, finds, "answer") if deny else c.Matches(pattern=pattern, finds=finds)
        return c.Each(part=c.Part(kind="match", pattern=kind), check=check)

    return make


def _below(limit: int) -> str | None:
    """RE2 of the whole numbers from 2 to ``limit``, in digits."""
    if limit in (8, 9):
        return f"[2-{limit}]"
    if 10 <= limit <= 19:
        return f"[2-9]|1[0-{limit - 10}]"
    if limit == 20:
        return "[2-9]|1[0-9]|20"
    return {99: "[2-9]|[1-9][0-9]", 100: "[2-9]|[1-9][0-9]|100"}.get(limit)


_FIGURES_TOO = re.compile(
    r"[;,.:] ?(?:and |but )?(?:use (?:figures|digits|numerals) |(?:figures|digits|numerals) (?:start|begin"
    r"|are used|from)\b"
    r"|from .{1,12} (?:on|upwards?|up|onwards?)\b)[^.;]*",
    _I,
)
"""What is said of the numbers above the limit as well."""


def _spell_small(s: Slots) -> Any | None:
    digits = _below(s.most) if s.most is not None else None
    if digits is None:
        return None
    part = c.Part(
        kind="match", pattern=rf"(?:^|[.!?] |\b(?i:{_BEFORE}) )((?:{digits}) (?:[a-z]+ )?[a-z]{{3,}}(?:s|ren|ple|en))\b"
    )
    figure = c.Matches(pattern=r"\A\D", finds="number in words")
    small = c.Each(part=part, check=figure, selects=none(rf"(?:{_NOT_COUNTED})\z", "a unit", "answer"))
    above = _digits_high(replace(s, least=(s.most or 0) + 1)) if _FIGURES_TOO.search(s.text) else None
    return small if above is None else c.AllOf(checks=(small, above))


def _digits_high(s: Slots) -> Any | None:
    if s.least not in (10, 11, 12, 13, 20, 21, 100, 101):
        return None
    teens = _TEENS.split("|")[max(0, s.least - 10) :] if s.least < 20 else []
    words = "|".join([*teens, *([_TENS] if s.least < 100 else []), "hundred"])
    return none(rf"(?i)[a-z,] (?:{words})(?:-[a-z]+)? [a-z]", "numbers in words")


PLAIN = r"(?:^|[\s(=~≈<>])[-−+]?(?:[$€£¥] ?)?(\d[\d,]*\.\d+)(?:[\s,;:!?)%€£°]|\.(?:\s|$)|$)"


def _places(s: Slots) -> Any | None:
    """So many decimals: of amounts where those are named also at whole ones, else where there are decimals."""
    least, most = s.least, s.most
    if most is None or most > 9:
        return None
    if least is None:
        least = 0
    exact = rf"\d[.,]\d{{{least},{most}}}(?:\D|\z)"
    if re.search(r"\b(?:amounts?|prices?|money|sums?|currency|monetary|costs?|fees?|totals?)\b", s.text, _I):
        if not least:
            return _of(MONEY, rf"\d\.\d{{{most + 1},}}", "further decimals", True)(s)
        return _of(MONEY, exact, f"{most} decimals")(s)
    if re.search(r"\bper ?cent", s.text, _I):
        if not most:
            return _of(PERCENTAGE, r"\d[.,]\d", "decimals", True)(s)
        shape = exact if least else rf"\A\d+(?:[.,]\d{{1,{most}}})?\D"
        return _of(PERCENTAGE, shape, "decimals")(s)
    if not most:
        return none(PLAIN, "decimals")
    return _of(PLAIN, rf"\.\d{{{least or 1},{most}}}\z", f"{most} decimals")(s)


_CURRENCY = (
    (r"\beuros?\b|\bEUR\b|€", r"(?i)€|eur|cent"),
    (r"\bdollars?\b|\bUSD\b|\$", r"(?i)\$|usd|dollar|cent"),
    (r"\bpounds?\b|\bsterling\b|\bGBP\b|£", r"(?i)£|gbp|pound|pence"),
    (r"\bfrancs?\b|\bCHF\b", r"(?i)chf|franc"),
)


def _currency(s: Slots) -> Any | None:
    text = re.split(r"\b(?:not|never|instead of|rather than|no)\b", s.text, flags=_I)[0] or s.text
    found = [sign for words, sign in _CURRENCY if re.search(words, text)]
    return _of(MONEY, found[0], "that currency")(s) if len(found) == 1 else None


FEET = (
    r"(?i)\b\d[\d.,]* ?-?(?:miles?|mi|mph|feet|foot|ft|inch(?:es)?|yards?|yds?|pounds?|lbs?|ounces?|oz|gallons?"
    r"|gal|pints?"
    r"|quarts?|acres?|stones?|fahrenheit|degrees fahrenheit)\b|\d ?° ?F\b|\b(?:two|three|four|five|six|ten|twenty|fifty"
    r"|hundred|a|several|few|many) (?:miles|feet|inches|yards|ounces|gallons|pints|acres)\b"
)
METRES = (
    r"(?i)\b\d[\d.,]* ?-?(?:km|kilomet(?:re|er)s?|m|met(?:re|er)s?|cm|centimet(?:re|er)s?|mm|millimet(?:re|er)s?|kg"
    r"|kilos?|kilograms?|g|grams?|litres?|liters?|ml|millilit(?:re|er)s?|km/h|kph|celsius|hectares?)\b|\d ?° ?C\b"
)
UNIT = "km|kg|mg|ml|cm|mm|kB|MB|GB|TB|Hz|kHz|MHz|GHz|kW|kWh|nm|ms|km/h|mph|lb|oz|ft"
UNIT_WORDS = (
    r"(?i)\d ?(?:kilomet(?:re|er)s?|kilograms?|milligrams?|millilit(?:re|er)s?|centimet(?:re|er)s?|millimet(?:re|er)s?"
    r"|megabytes?|gigabytes?|kilobytes?|terabytes?|milliseconds?|met(?:re|er)s?|grams?|lit(?:re|er)s?)\b"
)
LONE = r"(?:^|[\s($€£¥])"
AFTER = r"(?:\.\d+)?(?:[\s,;:!?)%€£]|\.(?:\s|$)|$)"
IN_WORDS = rf"(?i)\b(?:{_SMALL}|{_TEENS}|(?:{_TENS})(?:-[a-z]+)?)\b"
_WORD_NUMBER = rf"(?i)\b(?:{_SMALL}|{_TEENS}|(?:{_TENS})(?:-[a-z]+)?|hundreds?|thousand|million|billion)\b"
FIGURE = r"(?:[A-Za-z,;:.\"”)] |[(\"“])\d{1,3}(?: [A-Za-z]|[;!?)]|[.,](?:\s|$)|$)|^\d{1,3} [A-Za-z]"


def _of_words(id: str, says: str, needs: str, pattern: str, finds: str, terms: bool = False) -> Family:
    """A family that refuses a pattern, where the sentence has the words that it cannot do without."""
    named = re.compile(needs, _I)
    return Family(
        id, says, lambda s: placed(s, none(pattern, finds)) if named.search(s.text) else None, takes_terms=terms
    )


FAMILIES: tuple[Family, ...] = (
    never("digit.none", "no digits", r"\d", "digits", terms=True),
    Family("number.small_words", "numbers up to a limit are spelled out", _spell_small, bounded=True, takes_terms=True),
    Family("number.high_digits", "numbers from a limit on are written in digits", _digits_high, bounded=True,
           takes_terms=True),
    wants("number.present", "a number", rf"\d|{_WORD_NUMBER}", "a number"),
    counted("number.count", "{limit} numbers", r"\d+(?:[.,]\d+)*", "numbers"),
    never("number.none", "no numbers", rf"\d|{_WORD_NUMBER}", "numbers"),
    _of_words("number.roman_none", "no Roman numerals", r"\bromans?\b|\bnumerals\b|\b[IVX]{2,}\b",
          r"\b(?:II|III|IV|VI|VII|VIII|IX|XI|XII|XIII|XIV|XV|XVI|XIX|XX|XXI)\b",
          "Roman numerals", terms=True),
    never("ordinal.none", "no ordinals in digits", r"\b\d+(?:st|nd|rd|th)\b", "ordinals in digits", terms=True),
    never("number.short_none", "no k and M for thousands and millions", r"\b\d[\d.,]* ?(?:[kK]|M|bn|mn|B)\b",
          "shortened numbers", terms=True),
    _of_words("thousands.none", "no thousands separators", r"^(?!.*(?:takes? an? comma|\d,\d{3},? (?:and )?not \d{4}))",
              rf"{LONE}\d{{1,3}}(?:[,.'’ ]\d{{3}})+{AFTER}",
          "thousands separators", terms=True),
    Family("decimals.places", "numbers have {limit} decimals", _places, bounded=True, takes_terms=True),
    never("decimals.none", "whole numbers only", PLAIN, "decimals", terms=True),
    never("percent.none", "no percentages", PERCENTAGE, "percentages"),
    counted("percent.count", "{limit} percentages", r"\d ?%|\d ?per ?cent\b", "percentages", terms=True),
    wants("percent.present", "a percentage", r"\d ?%|\d ?per ?cent\b", "a percentage", terms=True),
    Family("currency.code", "amounts with the code of the currency",
           _of(MONEY, r"[A-Z]{3}", "code"), takes_terms=True),
    Family("currency.only", "amounts in that currency", _currency, takes_terms=True),
    never("price.none", "no prices", MONEY, "prices"),
    wants("price.present", "a price", MONEY, "a price"),
    Family("temperature.unit", "temperatures name their unit",
           _of(TEMPERATURE, r"(?i)[CFK]\z|celsius|fahrenheit|kelvin", "unit"), takes_terms=True),
    never("time.none", "no times of day", TIME, "times of day"),
)  # fmt: skip
