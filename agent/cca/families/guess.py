"""Which family of demands a sentence, or a clause of it, seems to belong to, and what speaks for and against that."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agent.cca import checks as c
from agent.cca.conditions import condition_of
from agent.cca.families.family import Family, Slots
from agent.cca.families.guards import mark_of, permits
from agent.cca.families.ngrams import beside
from agent.cca.families.slots import Seen, bounded, see
from agent.cca.grammar.beside import is_beside
from agent.cca.grammar.elsewhere import is_elsewhere
from agent.cca.interpret import run_check
from agent.cca.quoted import quoted_terms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent.cca.families.model import Model

_I = re.IGNORECASE
_CUT = re.compile(
    r"[.;!?]['\"”)]?\s+|\s[–—-]+\s|,\s+(?:and|but|so|or|because|since|as|never|not|no|without|with|which|that way"
    r"|please|otherwise|even|whatever|however)\b|,\s+(?=\w+ing\b)|\s(?=\()|\s(?:because|since|so that|so as to"
    r"|in order to|even if|even when|regardless of|no matter)\b",
    _I,
)
_KEEPS = re.compile(r"(?:never|not|no|without|with)$", _I)
_BRACKETS = re.compile(r"\s*\([^()]{1,120}\)")
_CONDITION = re.compile(r"\b(?:if|when|whenever|unless|where|while|until|once|after|before|for|in case|should)\b", _I)
_HEDGE = re.compile(
    r"\b(?:ideally|prefer(?:abl[ye]|red)?|try|usually|typically|generally|about|around|roughly|approximately|often|may"
    r"|might|can|could|feel free|sometimes|where possible|if possible|consider|optional(?:ly)?|encouraged?|welcome"
    r"|fine|ok|okay|allowed|permitted)\b",
    _I,
)
_EXCEPTS = re.compile(
    r"\b(?:except|unless|excepted|apart from|other than|exempt|excluding|but for|save for|only if|only when"
    r"|not counting|aside from|if not|if the|if you|if it|when the|when it)\b",
    _I,
)
_AHEAD = re.compile(
    r"^(?P<when>(?:if|when|whenever|where|in case|once|as soon as)\b[^,]{3,120}),\s*(?:then )?(?P<then>.{3,})$",
    _I | re.S,
)
_BEHIND = re.compile(r"^(?P<then>.{3,}?),?\s(?P<when>(?:if|when|whenever|in case)\b[^,]{3,120})$", _I | re.S)
_JUDGES = re.compile(
    r"\b(?:un(?:necessary|needed|warranted)|excessive(?:ly)?|needless(?:ly)?|overus\w+|overly|too (?:many|much)"
    r"|rhetorical|redundant|superfluous|gratuitous|(?:in)?appropriate(?:ly)?|(?:ir)?relevant|meaningful|sparing(?:ly)?"
    r"|(?:where|as|if|when) (?:needed|necessary|appropriate|helpful|useful|possible|it helps))\b",
    _I,
)
"""How much is wanted is a matter of judgement."""
_CASE = re.compile(
    r"(?:in|for|if|when|whenever|where|on|at|under|within|during|unless|as|with|after|before|once)\b", _I
)
_ANYWHERE = re.compile(
    r"in (?:your|the|all|any|every|each|this|our)? ?(?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|outputs?|messages?"
    r"|texts?|general|total|short|addition|any case|all cases)\b|as (?:a rule|always|a (?:final|last) \w+)\b"
    r"|at all times\b",
    _I,
)
_MIN_TOKENS = 3
_MIN_CLAUSE = 4  # "no comments" alone says not of what
_UNSEEN = 4.0  # weight of a word that no wording has
_FIRST = 6  # families that are tried
_SURE_NONE = 0.97  # chance from which on nothing else is tried
_TINY = 1e-6
FEATURES = (
    "score", "margin", "none", "ahead", "spread", "foreign", "rarest", "novel", "known_share", "terms_left",
    "numbers_left", "limit", "limit_margin", "bounded", "condition", "elsewhere", "beside", "hedge", "excepts",
    "tokens", "clause", "bracketless", "conditioned",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Guess:
    """``features``: one value for each of ``FEATURES``; ``clause``: the text that it was told from."""

    family: Family
    slots: Slots
    check: Any
    clause: str
    features: tuple[float, ...]

    @property
    def is_clause(self) -> bool:
        return bool(self.features[FEATURES.index("clause")])


def spans(text: str) -> Iterator[tuple[str, float, float]]:
    """(text, is a clause, has lost its brackets): the whole sentence first."""
    yield text, 0.0, 0.0
    bare = _BRACKETS.sub("", text)
    if bare != text and bare.strip():
        yield bare, 0.0, 1.0
    held = [(each.start, each.end) for each in quoted_terms(text)]
    cuts = [
        cut for cut in _CUT.finditer(text) if not any(start < cut.end() and cut.start() < end for start, end in held)
    ]
    if not cuts:
        return
    starts, ends = [0], []
    for cut in cuts:
        ends.append(cut.start())
        keeps = _KEEPS.search(cut[0].strip(" ,"))
        starts.append(cut.start() + (keeps.start() + len(cut[0]) - len(cut[0].lstrip(" ,")) if keeps else len(cut[0])))
    ends.append(len(text))
    seen = {text, bare}
    for start, end in zip(starts, ends, strict=True):
        clause = text[start:end].strip(" ,;:")
        if clause[:1] not in ("", "(") and clause not in seen:
            seen.add(clause)
            yield clause, 1.0, 0.0
    if len(cuts) > 1:
        head = text[: cuts[-1].start()].strip(" ,;:()")
        if head not in seen:
            yield head, 1.0, 0.0


def guesses(sentence: str, model: Model, known: Mapping[str, Family]) -> list[Guess]:
    """One for each span of the sentence of which a check can be made, and for what it demands under a condition."""
    found: list[Guess] = []
    if mark_of(see(sentence).shaped) in model.alone:
        return found
    for text, clause, bracketless in spans(sentence):
        if text != sentence and _hangs(sentence, text):
            continue
        guess = guess_of(see(text), model, known, (clause, bracketless, 0.0))
        if guess is not None:
            found.append(guess)
    parted = _AHEAD.match(sentence) or _BEHIND.match(sentence)
    condition = condition_of(parted["when"]) if parted else None
    if parted and condition is not None:
        guess = guess_of(see(parted["then"]), model, known, (0.0, 0.0, 1.0))
        if guess is not None:
            found.append(replace(guess, check=c.When(condition=condition, then=guess.check)))
    return found


def _hangs(sentence: str, part: str) -> bool:
    """Whether what was cut off says when, where, or with which exception the part holds."""
    rest = sentence.replace(part, " ", 1)
    if _EXCEPTS.search(rest):
        return True
    opening = _CASE.match(sentence)
    return opening is not None and not sentence.startswith(part) and not _ANYWHERE.match(sentence)


def guess_of(
    seen: Seen, model: Model, known: Mapping[str, Family], span: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> Guess | None:
    """The likeliest family whose check can be made of the slots, among the first six; None where none can.

    Args:
        span: 1 where ``seen`` is a clause, has lost its brackets, has lost its condition.
    """
    import numpy as np

    if len(seen.tokens) < (_MIN_CLAUSE if span[0] else _MIN_TOKENS) or _JUDGES.search(seen.unmarked):
        return None
    if permits(seen.unmarked):
        return None
    chances = model.families.chances(seen.signed)
    classes = model.families.classes
    none = float(chances[classes.index("")]) if "" in classes else 0.0
    if none > _SURE_NONE:
        return None
    ahead = 0.0  # chance of families that are likelier, of which no check can be made
    order = [int(i) for i in np.argsort(-chances, kind="stable")[: _FIRST + 2] if classes[int(i)] != ""]
    for place, at in enumerate(order[:_FIRST]):
        name, chance = classes[at], float(chances[at])
        made = _made(seen, model, known.get(name))
        if made is None:
            ahead += chance
            continue
        family, slots, check, sure, lead = made
        rival = float(chances[order[place + 1]])
        spread = float(-(chances * np.log(chances + _TINY)).sum())
        unknown = _words_of(seen, model, name)
        quoted = [mark for mark in seen.marks if mark.kind == "term" and mark.quoted]
        features = (
            _odds(chance), float(np.log((chance + _TINY) / (rival + _TINY))), _odds(none), ahead, spread, *unknown,
            float(0 if family.takes_terms else len(quoted)),
            float(max(0, len(seen.amounts) - 1) if family.bounded else len(seen.amounts)),
            sure, lead, float(family.bounded), float(bool(_CONDITION.search(seen.text))),
            float(is_elsewhere(seen.text)), float(is_beside(seen.text)), float(bool(_HEDGE.search(seen.text))),
            float(bool(_EXCEPTS.search(seen.unmarked))), float(len(seen.tokens)), *span,
        )  # fmt: skip
        return Guess(family, slots, check, seen.text, features)
    return None


def _made(seen: Seen, model: Model, family: Family | None) -> tuple[Family, Slots, Any, float, float] | None:
    """The family, its slots and check, and how sure the bound is; None where its slots are not there."""
    if family is None:
        return None
    limit, sure, lead = _limit(seen, model) if family.bounded else ("", 1.0, 1.0)
    slots = bounded(seen.slots, limit, seen) if family.bounded else seen.slots
    if slots is None:
        return None
    try:
        check = family.make(slots)
    except ValueError:  # more than a check may hold
        return None
    if check is None or _refuses_what_is_shown(check, slots):
        return None
    return family, slots, check, sure, lead


def _refuses_what_is_shown(check: Any, slots: Slots) -> bool:
    """Whether it is the wrong way round: "use "a, b, and c", not "a, b and c"" is kept by the first of the two."""
    if not (slots.contrast and slots.terms):
        return False
    shown, others = ([run_check(check, each).status == "violated" for each in terms]
                     for terms in (slots.terms, slots.contrast))  # fmt: skip
    return any(shown) and not any(others)


def _odds(chance: float) -> float:
    return math.log((chance + _TINY) / (1.0 - chance + _TINY))


def _limit(seen: Seen, model: Model) -> tuple[str, float, float]:
    import numpy as np

    if seen.has_range:
        return "range", 1.0, 1.0
    scores = model.limits.scores(beside(seen.tokens))
    order = np.argsort(-scores, kind="stable")
    names = [model.limits.classes[int(i)] for i in order]
    best = next(i for i, name in enumerate(names) if name != "range")
    rest = next((float(scores[order[i]]) for i in range(len(names)) if i != best), -1.0)
    return names[best], float(scores[order[best]]), float(scores[order[best]]) - rest


def _words_of(seen: Seen, model: Model, family: str) -> tuple[float, ...]:
    """Of the words outside of the slots: weight of those that wordings of other families have and the family's have
    not, the weightiest of them, number of words that no wording has, share of all weight that the family knows."""
    words = model.words[family]
    foreign = rarest = novel = total = 0.0
    for token in sorted({token for token in seen.tokens if token[0].isalnum()}):
        weight = model.common.get(token)
        total += _UNSEEN if weight is None else weight
        if weight is None:
            novel += 1.0
        elif token not in words:
            foreign += weight
            rarest = max(rarest, weight)
    known = 1.0 - (foreign + _UNSEEN * novel) / total if total else 1.0
    return foreign, rarest, novel, known
