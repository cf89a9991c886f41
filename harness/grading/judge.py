"""A model as judge: several votes on each criterion, the majority counts, and what cannot be read stays ungraded."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agent.answer.config import AnswerConfig
from harness.grading import labels
from harness.grading.automatic import failure_label
from harness.grading.judge_prompt import Criterion, Vote, criteria_of, messages, parse_vote
from harness.grading.record import Grade, ungraded
from retrieval.errors import UserError

_REPLY_TOKENS = 2_000
_TRIES = 2  # requests for one vote: a reply that is not in the form asked for is asked for once more


@dataclass(slots=True)
class Judge:
    """Grades rows through an OpenAI-compatible server.

    Attributes:
        votes: Odd, so that there are no ties among readable votes.
        usage: Tokens as the server reports them, over all requests.
        model: Name of the model that answered last.
    """

    config: AnswerConfig
    votes: int = 3
    seed: int = 0
    sleep: Callable[[float], None] = time.sleep
    usage: Counter[str] = field(default_factory=Counter)
    model: str = ""
    lengths: dict[bool, list[int]] = field(default_factory=lambda: {True: [], False: []})

    def __call__(self, row: Mapping[str, Any]) -> Grade:
        """The grade; ungraded when fewer than a majority of the votes can be read.

        Raises:
            UserError: The server cannot be used at all.
        """
        if row.get("error"):
            return ungraded(f"the run failed here: {row['error']}")
        if row.get("answerer") == "none":
            return ungraded("the run has evidence only")
        criteria = criteria_of(row)
        if not criteria:
            return ungraded("the row has no reference to grade by")
        found: list[Vote] = []
        faults: list[str] = []
        for number in range(self.votes):
            vote = self._vote(row, criteria, number)
            if isinstance(vote, Vote):
                found.append(vote)
            else:
                faults.append(vote)
        if 2 * len(found) <= self.votes:
            return ungraded(f"{len(faults)} of {self.votes} votes cannot be read: {faults[0]}", faults=faults)
        grade = decide(row, criteria, found)
        if isinstance(grade, Grade) and grade.grade != labels.UNGRADED:
            self.lengths[grade.grade in labels.PASSING].append(len(str(row.get("answer") or "")))
        return replace(grade, details={**grade.details, "votes": len(found), "faults": faults})

    def _vote(self, row: Mapping[str, Any], criteria: Sequence[Criterion], number: int) -> Vote | str:
        fault = ""
        for attempt in range(_TRIES):
            reply = self._ask(messages(row, criteria, number, self.seed), number * _TRIES + attempt)
            vote = parse_vote(reply, criteria)
            if isinstance(vote, Vote):
                return vote
            fault = vote
        return fault

    def _ask(self, request: list[dict[str, str]], salt: int) -> str:
        from agent.answer.openai_client import ModelStream

        config = replace(self.config, seed=self.seed + salt)
        stream = ModelStream(request, config, _REPLY_TOKENS, self.sleep)
        try:
            reply = "".join(stream)
        except UserError as error:
            if "empty answer" in error.cause:
                return ""
            raise
        self.model = stream.model
        self.usage.update(stream.usage)
        return "" if stream.interrupted else reply


def decide(row: Mapping[str, Any], criteria: Sequence[Criterion], votes: Sequence[Vote]) -> Grade:
    """The majority on each criterion, then: all pass, correct; a forbidden one fails, incorrect; else by the rest.

    A criterion on which the readable votes are tied leaves the answer ungraded.
    """
    passes: dict[str, bool] = {}
    reasons: dict[str, str] = {}
    for each in criteria:
        given = [vote.verdicts[each.id] for vote in votes]
        yes = sum(verdict for verdict, _ in given)
        if 2 * yes == len(given):
            return ungraded(f"the votes on {each.id} are tied")
        passes[each.id] = 2 * yes > len(given)
        reasons[each.id] = next(reason for verdict, reason in given if verdict is passes[each.id])
    failed = [each for each in criteria if not passes[each.id]]
    notes = "; ".join(f"{each.id}: {reasons[each.id]}" for each in failed)
    agreed = sum(len({vote.verdicts[each.id][0] for vote in votes}) == 1 for each in criteria) / len(criteria)
    details = {"criteria": passes, "unanimous": round(agreed, 6)}
    answerable = (row.get("reference") or {}).get("answerable", True)
    if not failed:
        return Grade(labels.CORRECT if answerable else labels.ABSTAINED_CORRECTLY, None, notes, details)
    if not answerable:
        return Grade(labels.INCORRECT, labels.UNGROUNDED, notes, details)
    label = failure_label(row)
    if row.get("abstained"):
        return Grade(labels.ABSTAINED_WRONGLY, label, notes, details)
    if any(not each.must for each in failed):
        return Grade(labels.INCORRECT, labels.UNGROUNDED, notes, details)
    some = any(passes[each.id] for each in criteria if each.must)
    return Grade(labels.PARTIAL if some else labels.INCORRECT, label, notes, details)
