"""Every part of the compiled tier that can be switched off by name: what ``contextc bench ablate`` measures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from retrieval.errors import UserError

if TYPE_CHECKING:
    from retrieval.compile.pack_config import PackConfig
    from retrieval.search.config import RankingConfig

_Config = TypeVar("_Config", "RankingConfig", "PackConfig")

LEGS = ("lexical", "vector", "graph")
LEG = "leg: "
PLANNER, EXPANSION, SLICER, DUPLICATES, PACKING = (
    "stage: planner",  # every question is an explanation without names: no routing, no definitions, no aspects
    "stage: expansion",  # searched chunks alone: no call sites, dependents, chains, tests
    "stage: slicer",  # pieces are shown whole, by their signature, or not at all
    "stage: near-duplicates",  # copies in other files are kept
    "stage: packing",  # no slicer, builder, budgeter at all: whole chunks of the workspace in rank order
)
STAGES = (PLANNER, EXPANSION, SLICER, DUPLICATES, PACKING)
ROT_ACTIONS = ("rot: noise", "rot: surplus", "rot: duplication", "rot: domination")


@dataclass(frozen=True, slots=True)
class Setting:
    """The compiled tier with some parts off."""

    ranking: RankingConfig
    pack: PackConfig
    treatment: PackConfig
    legs: tuple[str, ...]
    stages_off: frozenset[str]


def names() -> tuple[str, ...]:
    """All that can be switched off, in the order of the pipeline."""
    from harness.ablation import variants

    ranking = [each.name for each in variants()[1:]]
    return (*(LEG + leg for leg in LEGS), *STAGES, *ranking, *ROT_ACTIONS)


def setting(off: Iterable[str], legs: tuple[str, ...] = LEGS) -> Setting:
    """Raises UserError for a name that is none of ours."""
    from harness.ablation import variants

    everything, *rest = variants()
    known = {each.name: each for each in rest}
    ranking, pack = everything.ranking, everything.pack
    treatment = pack
    stages: set[str] = set()
    for name in off:
        if name.startswith(LEG) and name.removeprefix(LEG) in LEGS:
            legs = tuple(leg for leg in legs if leg != name.removeprefix(LEG))
        elif name in STAGES:
            stages.add(name)
        elif name in known:
            ranking = _changed(everything.ranking, known[name].ranking, ranking)
            pack = _changed(everything.pack, known[name].pack, pack)
        elif name in ROT_ACTIONS:
            treatment = _without(treatment, name)
        else:
            raise UserError(f"There is no part {name!r} to switch off.", "contextc bench ablate --list names them.")
    if SLICER in stages:
        pack = replace(pack, plain_piece_tokens=1_000_000_000)
    if DUPLICATES in stages:
        pack = replace(pack, duplicate_jaccard=2.0)
    return Setting(ranking, pack, treatment, legs, frozenset(stages))


def _without(treatment: PackConfig, name: str) -> PackConfig:
    """The constants under which a kind of rot is never found, and so never acted upon."""
    if name == "rot: noise":
        return replace(treatment, noise_score=-1e9, noise_strength=-1e9)
    if name == "rot: surplus":
        return replace(treatment, answer_share=1.0)
    if name == "rot: duplication":
        return replace(treatment, duplicate_jaccard=2.0)
    return replace(treatment, domination_share=1.0)


def _changed(base: _Config, variant: _Config, current: _Config) -> _Config:
    """``current`` with what ``variant`` changes of ``base``; of sets of names, without what it lacks."""
    changes: dict[str, Any] = {}
    for each in fields(base):
        before, after, now = (getattr(config, each.name) for config in (base, variant, current))
        if before != after:
            changes[each.name] = now & after if isinstance(after, frozenset) else after
    return replace(current, **changes)
