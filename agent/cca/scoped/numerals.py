"""Which numbers are spelled out: "Spell out the numbers one to nine; use figures from 10"."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.scoped.text import Text

_I = re.IGNORECASE
_LOW = re.compile(
    r"(?:spell out|write out|spell|write) (?:the |all )?(?:numbers?|numerals|figures)? ?(?:from )?(?:one|1"
    r"|zero|0) (?:to|through|up to) (?:nine|9|ten|10)(?: (?:out|in words|as words|in full))?[^\w§]*$"
    r"|(?:the )?numbers? (?:from )?(?:one|1|zero|0) (?:to|through) (?:nine|9|ten|10) (?:are|must be"
    r"|should be) (?:spelled out|spelt out|written out|in words|written in words|written as words)[^\w§]*$"
    r"|(?:spell out|write out) (?:all )?(?:numbers|numerals) (?:below|under|less than|up to"
    r"|smaller than) (?:ten|10|nine|9)[^\w§]*$",
    _I,
)
_HIGH = re.compile(
    r"(?:use |write )?(?:figures|numerals|digits) (?:from|for) (?:numbers )?(?:from )?(?:10|ten|11"
    r"|eleven)(?: (?:and|or) (?:above|over|higher|more|up)| upwards?| onwards?| on| up|\+)?[^\w§]*$"
    r"|(?:numbers )?(?:from )?(?:10|ten) (?:and above|and over|and up|or more|upwards?|onwards?) (?:are"
    r"|take|go|must be|should be) (?:written )?(?:in |as )?(?:figures|numerals|digits)[^\w§]*$",
    _I,
)
_UNITS = (
    r"(?i)\A\d (?:hours|minutes|seconds|days|weeks|months|years|points|degrees|pounds|euros|dollars|cents"
    r"|goals|metres|meters|miles|litres|liters|grams"
    r"|kilos|tonnes|tons|inches|yards|acres|units|times|runs|wickets|stones|ounces|teaspoons|tablespoons"
    r"|cups|bytes|bits|volts|watts|amps|percents)\z"
)
_BEFORE = (
    "the|with|and|has|have|had|were|are|all|another|nearly|about|than|least|most|only|some|by|of|for|took"
    "|killed|injured|hurt"
)
_TENS = (
    "eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty"
    "|sixty|seventy|eighty|ninety"
)


_UNIT = "km|kg|mg|ml|cm|mm|kB|MB|GB|TB|Hz|kHz|MHz|GHz|kW|kWh|mM|µM|µl|µg|nm|ms"
_SPACED = re.compile(
    r"(?:.{0,60}\b(?P<no>no |without (?:an? )?)?)(?<!\w)space\b.{0,40}\b(?:numbers?|figures?|values?"
    r"|amounts?|quantit(?:y|ies))\b.{0,20}\bunits?\b.{0,40}$"
    r"|(?:the )?units? follows? (?:the )?(?:numbers?|figures?|values?|amounts?) (?:with|after) (?P<no2>no "
    r"|without )?(?:an? )?space\b.{0,40}$",
    _I,
)
_MONTHS = re.compile(
    r"(?:write|spell|give|put) (?:the )?(?:names of )?months? (?:out )?(?:in full|out)[^\w§]*$|(?:never"
    r"|do not|don['’]t) (?:abbreviate|shorten) (?:the )?(?:names of )?months?[^\w§]*$"
    r"|(?:the )?(?:names of )?months? (?:are|must be|should be) (?:written|spelled|spelt"
    r"|given) (?:out )?(?:in full|out)[^\w§]*$|(?:the )?(?:names of )?months? (?:are|must) (?:never"
    r"|not) (?:be )?abbreviated[^\w§]*$",
    _I,
)
_SHORT = "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"


def _units(text: Text) -> Any | None:
    """``a space between the number and the unit``."""
    found = _SPACED.match(text.masked)
    if found is None or re.search(r"\b(?:unless|except|if|when|percent|%|may)\b", text.masked, _I):
        return None
    tight = found["no"] is not None or found["no2"] is not None
    return c.Matches(
        pattern=rf"\d{' ' if tight else ''}(?:{_UNIT})\b",
        within="prose",
        least=0,
        most=0,
        finds="units written otherwise",
    )


def numerals(text: Text) -> Any | None:
    if _MONTHS.match(text.masked):
        return c.Matches(
            pattern=rf"\b\d{{1,2}} (?:{_SHORT})\b|\b(?:{_SHORT})\.? \d{{1,4}}\b",
            within="prose",
            least=0,
            most=0,
            finds="months cut short",
        )
    units = _units(text)
    if units is not None:
        return units
    if _LOW.match(text.masked):
        part = c.Part(kind="match", pattern=rf"(?:^|[.!?] |\b(?:{_BEFORE}) )([1-9] (?:[a-z]+ )?[a-z]{{3,}}s)\b")
        figure = c.Matches(pattern=r"\A\D", finds="number in words")
        return c.Each(part=part, check=figure, selects=c.Matches(pattern=_UNITS, least=0, most=0))
    if _HIGH.match(text.masked):
        return c.Matches(
            pattern=rf"[a-z,] (?:{_TENS})(?:-[a-z]+)? [a-z]", within="prose", least=0, most=0, finds="numbers in words"
        )
    return None
