"""CodeGen: numbers with units and uncertainties, and citations."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.features import FEATURES, wanted
from agent.cca.reading import Reading

_I = re.IGNORECASE
_NUMBERS = re.compile(
    r"\b(?:numeric(?:al)? (?:value|answer|result)|number|value|result|estimate|constant|quantity)\b", _I
)


def numeric(reading: Reading) -> Any | None:
    text = reading.text
    unit = re.search(r"\bunits?\b", text, _I)
    uncertain = re.search(r"\b(?:uncertaint(?:y|ies)|error bars?|standard errors?|\+/-|±)", text, _I)
    named = _NUMBERS.search(text) is not None or (
        uncertain is not None and (len(reading.terms) == 1 or re.search(r"±|\+/-", text) is not None)
    )
    if reading.negative or not (unit or uncertain) or not named:
        return None
    if not re.search(r"\b(?:state|report|give|include|provide|answer|must|should|with|express)\w*\b", text, _I):
        return None
    units = tuple(each.text for each in reading.terms if not each.text.isdigit())
    if not uncertain and not units:
        return None
    return c.Numeric(
        units=units, uncertainty=uncertain is not None, uncertainty_unit=bool(units and uncertain and unit)
    )


_CITES = re.compile(r"\b(?:cite|citations?|cited|references? to (?:file|line|source))\b", _I)


def cites(reading: Reading) -> Any | None:
    if (
        reading.negative
        or reading.code
        or not _CITES.search(reading.text)
        or not re.search(r"\b(?:answer|response|claim|sentence|statement|fact)", reading.text, _I)
    ):
        return None
    return wanted(next(each for each in FEATURES if each.name == "citations"), "", 1, None)
