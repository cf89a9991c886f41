"""What each part of the compiled tier contributes: everything on, against one part off, over the same questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from harness.report.data import RunData
from harness.report.tables import Table, difference
from harness.stats.bootstrap import Difference, paired_bootstrap

HELPS, HURTS, UNCLEAR = "helps", "hurts", "not shown"


@dataclass(frozen=True, slots=True)
class Contribution:
    """Figures with the part on minus those with it off; ``changed`` is the share of contexts that differ at all."""

    name: str
    changed: float
    score: Difference | None
    files: Difference | None
    lines: Difference | None

    @property
    def verdict(self) -> str:
        """By line recall and score: what is shown of either, unless they contradict."""
        found = [each for each in (self.score, self.lines) if each is not None]
        up, down = any(each.low > 0 for each in found), any(each.high < 0 for each in found)
        return HELPS if up and not down else HURTS if down and not up else UNCLEAR

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "verdict": self.verdict}


def contribution(name: str, on: RunData, off: RunData) -> Contribution:
    """What the part ``name`` contributes, from a run with everything on and one without it."""
    common = [key for key in on.questions if key in off.questions]
    pairs = [(off.questions[key], on.questions[key]) for key in common]

    def of(measure: str) -> Difference | None:
        found = [(a.evidence(measure), b.evidence(measure)) for a, b in pairs]
        both = [(a, b) for a, b in found if a is not None and b is not None]
        return paired_bootstrap([a for a, _ in both], [b for _, b in both])

    scores = [(a.score, b.score) for a, b in pairs]
    graded = [(a, b) for a, b in scores if a is not None and b is not None]
    changed = sum(a.first.digest != b.first.digest for a, b in pairs) / len(pairs) if pairs else 0.0
    return Contribution(
        name, changed, paired_bootstrap([a for a, _ in graded], [b for _, b in graded]), of("files"), of("lines")
    )


def ablation_table(contributions: Sequence[Contribution]) -> Table:
    rows = tuple(
        (
            each.name,
            f"{each.changed:.0%}",
            difference(each.score, 3),
            difference(each.files, 3),
            difference(each.lines, 3),
            each.verdict,
        )
        for each in contributions
    )
    note = (
        "Each figure with the part on minus with it off, 95 % paired bootstrap interval. Changed: share of contexts. "
        "Last column: what score or line recall show at 95 %, part by part, not corrected for their number."
    )
    return Table(
        "Contribution of each part", ("off", "changed", "score", "file recall", "line recall", "part"), rows, note
    )
