"""Families of quotation marks and quotations."""

from __future__ import annotations

from agent.cca.families.family import Family
from agent.cca.families.words.kit import never

_SINGLE = r"(?:^|[\s(])['‘][^'’\n]{1,80}[^\s]['’](?:[\s.,;:!?)]|$)"
_DOUBLE = '["“”]'
_MARK_INSIDE = r"[.,][\"”](?:\s|$)"
_MARK_OUTSIDE = r"[\"”][.,](?:\s|$)"
FAMILIES: tuple[Family, ...] = (
    never("quote.straight", "straight quotation marks", "[“”„‘’‚]", "curly quotation marks", terms=True, parts=False),
    never("quote.curly", "curly quotation marks", "\"", "straight quotation marks", terms=True, parts=False),
    never("quote.double", "double quotation marks, not single ones", _SINGLE, "single quotation marks", terms=True,
          parts=False),
    never("quote.single", "single quotation marks, not double ones", _DOUBLE, "double quotation marks", terms=True,
          parts=False),
    never("quote.not_whole", "the answer does not stand in quotation marks", r"(?s)\A\s*[\"“'‘][^\"“”]*[\"”'’]\s*\z",
          "quotation marks around it", "answer", terms=True, parts=False),
    never("quote.mark_inside", "full stops and commas stand inside quotation marks", _MARK_OUTSIDE,
          "marks outside quotation marks", terms=True, parts=False),
    never("quote.mark_outside", "full stops and commas stand outside quotation marks", _MARK_INSIDE,
          "marks inside quotation marks", terms=True, parts=False),
)  # fmt: skip
