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


def numerals(text: Text) -> Any | None:
    if _LOW.match(text.masked):
        part = c.Part(kind="match", pattern=rf"(?:^|[.!?] |\b(?:{_BEFORE}) )([1-9] (?:[a-z]+ )?[a-z]{{3,}}s)\b")
        figure = c.Matches(pattern=r"\A\D", finds="number in words")
        return c.Each(part=part, check=figure, selects=c.Matches(pattern=_UNITS, least=0, most=0))
    if _HIGH.match(text.masked):
        return c.Matches(
            pattern=rf"[a-z,] (?:{_TENS})(?:-[a-z]+)? [a-z]", within="prose", least=0, most=0, finds="numbers in words"
        )
    return None
