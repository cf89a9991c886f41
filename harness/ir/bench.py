"""Three arms over the same requests: plain, with attention, with attention and IR; every claim of the stage checked."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from harness.ir.code_families import CODE_FAMILIES
from harness.ir.families import FAMILIES
from harness.ir.reader import Seen, read
from harness.ir.tasks import FixtureScorer, Task
from retrieval.context_ir.attention import Scorer
from retrieval.context_ir.compiler import IrOutcome, compile_request
from retrieval.context_ir.inspection import expand_ir
from retrieval.context_ir.measure import Tokenizer, tiktoken_tokenizer
from retrieval.context_ir.settings import IrSettings
from retrieval.context_ir.vault import Vault
from retrieval.errors import UserError

TOKENIZERS = {"o200k_base": "gpt-4.1-mini", "cl100k_base": "gpt-4-turbo"}
ARMS = ("plain", "attention", "attention+ir")


@dataclass(frozen=True, slots=True)
class Result:
    """One task with one tokenizer. Tokens are of complete requests; ``problems`` is empty when every check held.

    Attributes:
        compile_ms: CPU time of the third arm's compilation, median of the repeats; ``added_ms`` is that less the
            second arm's (which measures a larger request, so that it can be below 0).
    """

    family: str
    group: str
    tokenizer: str
    tokens: tuple[int, int, int]
    formats: dict[str, int]
    compile_ms: float
    added_ms: float
    problems: tuple[str, ...]

    @property
    def saved(self) -> float:
        """Share of the second arm's tokens that the third does not need."""
        return 1 - self.tokens[2] / self.tokens[1]


def all_tasks() -> list[Task]:
    return [make() for make in (*FAMILIES, *CODE_FAMILIES)]


def run_task(task: Task, tokenizer: Tokenizer, folder: Path, repeats: int, scorer: Scorer | None = None) -> Result:
    """Build the three arms ``repeats`` times and check them; without a scorer the task's own scores are used."""
    request = task.request(tokenizer.model)
    before = json.dumps(request, sort_keys=True)
    judge = scorer or FixtureScorer(task.scores)
    on = IrSettings(enabled=True)
    problems: list[str] = []
    kept: list[list[Any]] = []
    sizes: list[tuple[int, int, int]] = []
    spent: dict[int, list[float]] = {}
    outcomes: tuple[IrOutcome, ...] = ()
    for repeat in range(repeats):
        vault_path = folder / f"{task.family}-{tokenizer.name}-{repeat}.sqlite"
        opener = partial(Vault, vault_path)
        opener().close()  # making the file is no part of a compilation
        compiled: list[IrOutcome] = []
        for settings in (replace(on, formats=()), on):
            fresh = tiktoken_tokenizer(tokenizer.name, tokenizer.model)  # remembers no counts of another arm
            started = time.process_time()
            one = compile_request(request, settings=settings, tokenizer=fresh, vault=opener, scorer=judge)
            spent.setdefault(len(compiled), []).append((time.process_time() - started) * 1000)
            compiled.append(one)
        plain, second, third = (
            tokenizer.measure(each).tokens for each in (request, *(arm.request for arm in compiled))
        )
        outcomes = tuple(compiled)
        sizes.append((plain, second, third))
        kept.append([arm.request for arm in compiled])
        problems += _check(task, request, outcomes, sizes[-1], vault_path)
    if any(one != kept[0] for one in kept) or len(set(sizes)) > 1:
        problems.append("repeats differ")
    if json.dumps(request, sort_keys=True) != before:
        problems.append("the request was modified in place")
    return Result(
        task.family,
        task.group,
        tokenizer.name,
        sizes[0],
        dict(outcomes[1].metrics.formats),
        median(spent[1]),
        median(spent[1]) - median(spent[0]),
        tuple(dict.fromkeys(problems)),
    )


def _check(
    task: Task,
    request: dict[str, Any],
    arms: Sequence[IrOutcome],
    sizes: tuple[int, int, int],
    vault_path: Path,
) -> list[str]:
    problems: list[str] = []
    plain, second, third = (request, arms[0].request, arms[1].request)
    if not sizes[2] <= sizes[1] <= sizes[0]:
        problems.append(f"enlarged: {sizes}")
    if task.group == "control" and arms[1].metrics.formats.keys() - {"vault"}:
        problems.append("the control was re-encoded")
    for name, arm in zip(ARMS[1:], (second, third), strict=True):
        changed = [at for at in task.protected if arm["messages"][at] != plain["messages"][at]]
        if changed or {**arm, "messages": 0} != {**plain, "messages": 0}:
            problems.append(f"{name}: protected parts changed: {changed}")
        if any({**a, "content": 0} != {**b, "content": 0} for a, b in _pairs(arm, plain)):
            problems.append(f"{name}: outer fields changed")
    seen = [_seen(arm) for arm in (plain, second, third)]
    aside = [[one.format == "vault" for one in each] for each in seen[1:]]
    if aside[0] != aside[1]:
        problems.append("the arms set different messages aside")
    for name, each in zip(ARMS[1:], seen[1:], strict=True):
        for at, (old, new) in enumerate(zip(seen[0], each, strict=True)):
            if new.format != "vault" and (new.records != old.records or (new.records is None and new.text != old.text)):
                problems.append(f"{name}: visible evidence differs in message {at}")
    for name, one in zip(ARMS, seen, strict=True):
        if task.solve(one) != task.gold:
            problems.append(f"{name}: answered {task.solve(one)!r}, not {task.gold!r}")
        blind = [Seen("vault") if at in task.evidence else each for at, each in enumerate(one)]
        if task.solve(blind) == task.gold:
            problems.append(f"{name}: answered without the evidence")
    problems += _check_recovery(plain, (second, third), vault_path)
    return problems


def _pairs(one: Any, other: Any) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return list(zip(one["messages"], other["messages"], strict=True))


def _seen(request: Any) -> list[Seen]:
    contents = [message.get("content") for message in request["messages"][:-1]]
    return [_read(content) if isinstance(content, str) else Seen("other") for content in contents]


def _read(content: str) -> Seen:
    try:
        return read(content)
    except (ValueError, LookupError, TypeError):  # then the evidence is not seen, and that is told
        return Seen("unreadable")


def _check_recovery(plain: Any, arms: Sequence[Any], vault_path: Path) -> list[str]:
    """Each changed message gives its exact source back, page by page; damage to it is noticed."""
    problems: list[str] = []
    changed = [(new["content"], old["content"]) for arm in arms for new, old in _pairs(arm, plain) if new != old]
    if not changed:
        return problems
    with Vault(vault_path) as vault:
        for shown, source in changed:
            try:
                exact = _expanded(shown, vault)
            except UserError as error:
                problems.append(f"a source was not recovered: {error.cause}")
                continue
            if exact != source:
                problems.append("a source was not recovered exactly")
            for forged in (shown.replace("a_", "a_0", 1), shown + " ", shown.replace(" m=", " m=9", 1)):
                try:
                    expand_ir(forged, vault)
                except UserError:
                    continue
                problems.append("a forged representation was accepted")
    return problems


def _expanded(shown: str, vault: Vault) -> str:
    """The exact source, page by page."""
    text, offset = "", 0
    while True:
        page = expand_ir(shown, vault, offset=offset, limit=1000)
        text += page.text
        if page.next_offset is None:
            return text
        offset = page.next_offset


def run(
    folder: Path, repeats: int = 3, scorer: Scorer | None = None, tokenizers: Sequence[str] = tuple(TOKENIZERS)
) -> list[Result]:
    """Every family with every tokenizer."""
    return [
        run_task(task, tiktoken_tokenizer(name, TOKENIZERS[name]), folder, repeats, scorer)
        for name in tokenizers
        for task in all_tasks()
    ]


def shrinkable_saving(results: Sequence[Result]) -> float:
    """Share saved by the third arm of the second's tokens, over the shrinkable families."""
    mine = [one for one in results if one.group == "shrinkable"]
    return 1 - sum(one.tokens[2] for one in mine) / sum(one.tokens[1] for one in mine)


def as_dict(result: Result) -> dict[str, Any]:
    return {**asdict(result), "saved": round(result.saved, 4)}
