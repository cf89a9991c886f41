"""What context IR saves on the packs of a question file: a distribution over complete requests, at several budgets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, quantiles
from typing import Any

from retrieval.context_ir.settings import IrSettings

BUDGETS = (4000, 8000)


@dataclass(frozen=True, slots=True)
class PackSaving:
    """One question at one budget. Tokens are of the complete request; ``final`` is ``raw`` when it went out as is."""

    question_id: str
    budget: int
    tokenizer: str
    raw: int
    final: int
    reason: str

    @property
    def share(self) -> float:
        return 1 - self.final / self.raw


def pack_savings(gold: Path, corpora: Path, folder: Path, model: str, tick: Callable[[], None]) -> Iterator[PackSaving]:
    """Pack every question at every budget as ``contextc ask`` would, and encode the request.

    Args:
        gold: Question file as ``python -m harness.evidence`` reads it; ``corpora`` holds the unpacked distributions.
        folder: For the vault.
        tick: Called after each pack.
    """
    from agent.answer.config import AnswerConfig
    from agent.answer.context_ir import IrUse, encode_request
    from agent.answer.openai_client import answer_tokens, request_options
    from agent.answer.prompt import build_messages
    from agent.session import open_session

    use = IrUse(IrSettings(enabled=True), folder / "packs.sqlite")
    config = AnswerConfig()
    for name, rows in by_project(gold).items():
        session = open_session(corpora / name)
        try:
            for row in rows:
                for budget in BUDGETS:
                    pack = session.pack(row["question"], budget=budget)
                    plain = request_options(model, build_messages(pack), config, answer_tokens(pack, config))
                    done = encode_request(plain, pack, use).metrics
                    raw = done.raw_tokens or 0
                    final = done.final_tokens if done.status == "applied" and done.final_tokens else raw
                    if raw:
                        yield PackSaving(str(row["id"]), budget, done.tokenizer, raw, final, done.reason)
                    tick()
        finally:
            session.close()


def by_project(gold: Path) -> dict[str, list[dict[str, Any]]]:
    """Questions by the folder of their source distribution."""
    found: dict[str, list[dict[str, Any]]] = {}
    for line in gold.read_text("utf-8").split("\n"):
        if line.strip():
            row = json.loads(line)
            found.setdefault(row["sdist"].replace("==", "-"), []).append(row)
    return found


def distribution(rows: list[PackSaving]) -> list[dict[str, Any]]:
    """Per budget: how many went out smaller, and the spread of the share saved and of the tokens saved."""
    table = []
    for budget in sorted({row.budget for row in rows}):
        mine = [row for row in rows if row.budget == budget]
        shares = sorted(row.share for row in mine)
        low, middle, high = quantiles(shares, n=4, method="inclusive") if len(shares) > 1 else shares * 3
        table.append(
            {
                "budget": budget,
                "questions": len(mine),
                "smaller": sum(row.final < row.raw for row in mine),
                "enlarged": sum(row.final > row.raw for row in mine),
                "min": shares[0],
                "p25": low,
                "median": middle,
                "p75": high,
                "max": shares[-1],
                "mean": mean(shares),
                "mean_tokens": mean(row.raw - row.final for row in mine),
            }
        )
    return table
