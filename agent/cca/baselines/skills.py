"""A library of skills: short instructions in prose that self-play distils from a context."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(r"[a-z0-9]{3,}")
MAX_SKILL_CHARS = 4_000


@dataclass(frozen=True, slots=True)
class Skill:
    name: str
    when: str
    text: str


def put(library: Sequence[Skill], skill: Skill) -> tuple[Skill, ...]:
    """The library with a skill added, or in the place of the one of its name."""
    names = [each.name for each in library]
    if skill.name in names:
        at = names.index(skill.name)
        return (*library[:at], skill, *library[at + 1 :])
    return (*library, skill)


def relevant(library: Sequence[Skill], question: str, most: int) -> list[Skill]:
    """The ``most`` skills that share the largest part of their own words with the question; ties in library order."""
    asked = set(_WORD.findall(question.lower()))

    def share(skill: Skill) -> float:
        own = set(_WORD.findall(f"{skill.name} {skill.when} {skill.text}".lower()))
        return len(own & asked) / len(own) ** 0.5 if own else 0.0

    ranked = sorted(range(len(library)), key=lambda at: (-share(library[at]), at))
    return [library[at] for at in sorted(ranked[:most])]


def shown(skills: Sequence[Skill]) -> str:
    """As a section of a system message; "" for none."""
    if not skills:
        return ""
    parts = [f"## {each.name}\nWhen: {each.when}\n{each.text}" for each in skills]
    return "SKILLS, learned from the context:\n\n" + "\n\n".join(parts)
