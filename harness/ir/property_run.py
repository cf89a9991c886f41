"""Every encoding of a source against the independent reader: does what is seen equal what was written?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from harness.ir.reader import read
from retrieval.context_ir.formats import Representation, encode
from retrieval.context_ir.settings import FORMATS


@dataclass
class Tally:
    """Sources looked at, encodings made by format, and what was lost (format and source, at most 20)."""

    cases: int = 0
    made: Counter[str] = field(default_factory=Counter)
    lost: list[tuple[str, str]] = field(default_factory=list)

    @property
    def encodings(self) -> int:
        return sum(self.made.values())


def check_source(source: str, tally: Tally) -> None:
    """Encode ``source`` in every format that takes it and read each result independently."""
    tally.cases += 1
    plain = read(source)
    for name in FORMATS:
        body = encode(name, source)
        if body is None:
            continue
        tally.made[name] += 1
        seen = read(Representation(name, 3, "a_0123456789ab", body).text())
        same = seen.records == plain.records is not None if name.startswith("table") else seen.text == source
        if not same and len(tally.lost) < 20:
            tally.lost.append((name, source))


def check_all(sources: Iterable[str]) -> Tally:
    tally = Tally()
    for source in sources:
        check_source(source, tally)
    return tally
