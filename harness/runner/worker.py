"""Answering one question in one tier. Each process keeps the corpora that it used last open."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.questions.records import Question
from harness.runner.config import ASK, Answering, RunConfig
from harness.runner.row import answer_fields, base_row, context_fields, now
from harness.tiers.protocol import Tier
from retrieval.errors import UserError
from retrieval.pack_records import ContextPack

if TYPE_CHECKING:
    from agent.answer.records import Answer
    from agent.session import Session
    from harness.questions.gold import GoldFinder

_OPEN_CORPORA = 4
_EXCERPT_LINES = 30  # of a gold place, for people who grade


@dataclass(frozen=True, slots=True)
class Corpus:
    """One tree, opened: its index, its tier and where its gold lies."""

    session: Session
    tier: Tier
    gold: GoldFinder


class Worker:
    """Answers questions for one run. ``roots`` are the indexed trees by corpus name."""

    def __init__(self, run_id: str, config: RunConfig, roots: Mapping[str, Path]) -> None:
        self._run_id = run_id
        self._config = config
        self._roots = roots
        self._open: OrderedDict[str, Corpus] = OrderedDict()

    def answer(self, question: Question, repeat: int) -> dict[str, Any]:
        """The row. A question that fails gets its row with ``error``; it is asked again when the run is resumed."""
        row = base_row(self._run_id, self._config, question, repeat)
        try:
            row.update(self._answer(question, repeat))
        except UserError as error:
            row["error"] = f"{error.cause} {error.mend}"
        except Exception as error:  # one question must not cost the run; the row says what happened
            row["error"] = f"{type(error).__name__}: {error}"
        row["timestamp"] = now()
        return row

    def _answer(self, question: Question, repeat: int) -> dict[str, Any]:
        corpus = self._corpus(question.corpus)
        meta = corpus.session.reader.meta
        fields: dict[str, Any] = {"repo_sha": meta.get("commit") or meta.get("content_id", "")}
        gold, located = gold_places(corpus.gold, question)
        started = time.perf_counter()
        pack = corpus.tier.context(question.question)
        context_ms = (time.perf_counter() - started) * 1000
        fields.update(context_fields(pack, gold))
        fields["located"] = located
        started = time.perf_counter()
        if self._config.answering.answerer != "none":
            answer, used = answer_from(pack, corpus.session, self._config.answering, repeat)
            fields.update(answer_fields(answer, used, self._config))
        answer_ms = (time.perf_counter() - started) * 1000
        fields["timings"] = {"context_ms": round(context_ms, 3), "answer_ms": round(answer_ms, 3)}
        return fields

    def _corpus(self, name: str) -> Corpus:
        known = self._open.pop(name, None)
        if known is None:
            known = open_corpus(self._roots[name], self._config)
            if len(self._open) >= _OPEN_CORPORA:
                self._open.popitem(last=False)[1].session.close()
        self._open[name] = known
        return known

    def close(self) -> None:
        while self._open:
            self._open.popitem()[1].session.close()


def open_corpus(root: Path, config: RunConfig) -> Corpus:
    from agent.session import open_session
    from harness.questions.gold import GoldFinder
    from harness.tiers.registry import open_tier

    session = open_session(root, update=False)
    tier = open_tier(config.tier, session, config.options)
    return Corpus(session, tier, GoldFinder(session.location.root))


def gold_places(finder: GoldFinder, question: Question) -> tuple[list[dict[str, Any]], list[list[Any]]]:
    """Gold with its lines and an excerpt for people; and the lines of every symbol that a fact's check may cite.

    Raises:
        UserError: The corpus does not have what the question calls its gold.
    """
    from harness.questions.gold import GoldError

    places: list[dict[str, Any]] = []
    try:
        for gold in question.gold:
            found = finder.locate(gold)
            text = finder.file(gold.path).text_of(found.ranges) if found.ranges else ""
            excerpt = "\n".join(text.split("\n")[:_EXCERPT_LINES])
            places.append(
                {"path": found.path, "symbol": found.symbol, "ranges": [list(r) for r in found.ranges], "text": excerpt}
            )
        located = [[*key, [list(r) for r in ranges]] for key, ranges in finder.located(question).items()]
    except GoldError as error:
        raise UserError(
            f"The gold of {question.id} is not in {question.corpus}: {error}.", "contextc bench validate"
        ) from error
    return places, located


def answer_from(pack: ContextPack, session: Session, answering: Answering, repeat: int) -> tuple[Answer, ContextPack]:
    """The answer, and the pack it rests on.

    From the pack's evidence alone: symbols, edges and lines that it does not show are withheld. Only ``ask`` answers as
    ``contextc ask`` does, with the whole index at hand.
    """
    from agent.answer.answerer import answer_question
    from agent.answer.config import AnswerConfig
    from harness.tiers.evidence_graph import EvidenceGraph
    from harness.tiers.evidence_reader import EvidenceReader
    from retrieval.compile.planner import plan

    if answering.answerer == ASK:
        config = AnswerConfig(answerer="offline")
        return answer_question(pack, session.reader, session.graph, config, treat=False), pack
    reader = EvidenceReader(pack, session.reader)
    graph = EvidenceGraph(session.graph, reader)
    pack = replace(pack, plan=plan(pack.question, reader))
    given: dict[str, Any] = {"answerer": answering.answerer, "seed": answering.seed + repeat}
    if answering.answerer == "openai":
        given |= {"base_url": answering.base_url or None, "model": answering.model or None}
    answer = answer_question(pack, reader, graph, AnswerConfig.from_env(**given), treat=False)
    return answer, pack
