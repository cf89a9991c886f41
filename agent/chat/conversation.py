"""A conversation about one tree: turns that know what was said, over an index that is kept current."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agent.answer.answerer import treat_pack
from agent.answer.citations import CITATION_RE
from agent.chat.answering import OnText, answer_from_pack, answer_in_loop
from agent.chat.followups import follow_up
from agent.chat.records import Topic, Turn
from agent.chat.settings import MAX_BUDGET, ChatSettings
from agent.chat.smalltalk import reply_to, small_answer
from agent.loop.records import AgentRun, Exchange, Task
from agent.loop.transcript import Recorder
from agent.session import Session, open_session

if TYPE_CHECKING:
    from agent.answer.records import Answer
    from agent.loop.run import Agent
    from retrieval.index.report import Progress
    from retrieval.pack_records import ContextPack

Warn = Callable[[str], None]

_STRONG = frozenset({"backtick", "dotted", "camel", "snake", "call", "traceback"})
_KEPT_SHARE = 4  # of the budget of evidence, what earlier turns' cited lines may take: one part in so many
_MAX_HISTORY = 40  # exchanges that are offered to the model; how many fit is decided by their size
_MAX_OTHERS = 8


class Conversation:
    """Not for several threads at once; ``cancel`` may be set from any.

    ``on_call`` gets each call of a tool when it is done, ``on_told`` each line that is told before an answer.

    Args:
        session: Open; the conversation closes it, and replaces it when the tree has changed.
        recorder: Gets every event before its consequences are shown.
        warn: Gets lines for the user that belong to no answer.
    """

    def __init__(
        self,
        session: Session,
        settings: ChatSettings,
        recorder: Recorder,
        warn: Warn,
        progress: Progress | None = None,
    ) -> None:
        self.session = session
        self.settings = settings
        self.recorder = recorder
        self.turns: list[Turn] = []
        self.packs: dict[int, ContextPack] = {}  # of the last turn, if this process made it
        self.cancel = threading.Event()
        self.on_call: Callable[[str, str, str], None] = lambda _name, _arguments, _outcome: None
        self.on_told: Callable[[str], None] = lambda _line: None
        self._warn = warn
        self._progress = progress
        self._agent: Agent | None = None
        self._restored: list[Mapping[str, Any]] = []  # events that the ledger is made of, once there is one
        self._number = 0

    # ----------------------------------------------------------------------------------------------------------- turns

    def ask(self, text: str, on_text: OnText) -> Turn:
        """Answer a question; the turn is on the disk when this returns.

        Args:
            on_text: Gets text as it arrives, unchecked.

        Raises:
            UserError: No answer could be made; the conversation goes on.
            KeyboardInterrupt: The user wants this turn no longer; the conversation goes on.
        """
        self.cancel.clear()
        self._number += 1
        number = self._number
        self.recorder.write("question", {"turn": number, "text": text})
        small = reply_to(text)
        if small and not self._names(text):
            on_text(f"{small}\n")
            topic = self.turns[-1].topic if self.turns else None
            return self._taken(Turn(number, text, text, small_answer(text, small), topic))
        self.refresh()
        followed = follow_up(text, self.turns[-1].topic if self.turns else None, self._names)
        told: list[str] = []
        self._tell(told, [followed.told] if followed.told else [])
        session, settings = self.session, self.settings
        pack = session.checked_pack(followed.question, budget=settings.budget, reserve=settings.reserve)
        self.packs = {number: pack}
        book = settings.rules(session, pack) if settings.rules is not None else None
        run: AgentRun | None = None
        if settings.config.wants_model:
            self._tell(told, self._recheck(number))
            pack, actions = treat_pack(pack, session.checks(followed.question))
            task = self._task(followed.question, pack, number)
            shown = task.pack or pack
            answer, run = answer_in_loop(self._loop(), task, shown, book, on_text, self._on_event(number), self.cancel)
            answer = replace(answer, rot_actions=actions)
            self._cite(answer, number)
        else:
            answer = answer_from_pack(session, settings, pack, book)
            on_text(answer.text)
        turn = Turn(
            number,
            text,
            followed.question,
            answer,
            self._topic(followed.question, pack, answer),
            tuple(told),
            tuple((one.call.name, one.call.arguments, one.outcome) for one in run.calls) if run else (),
            run.cost if run else 0.0,
        )
        return self._taken(turn)

    def _taken(self, turn: Turn) -> Turn:
        self.recorder.write("answer", turn.to_event())
        self.turns.append(turn)
        return turn

    def _tell(self, told: list[str], lines: list[str]) -> None:
        """What is told about a question is told before its answer."""
        for line in lines:
            told.append(line)
            self.on_told(line)

    def failed(self, why: str) -> None:
        """Record that the last question has no answer."""
        self.recorder.write("failed", {"turn": self._number, "why": why})

    def close(self) -> None:
        if self._agent is not None:
            self._agent.tools.close()
        self.session.close()
        self.recorder.close()

    # ----------------------------------------------------------------------------------------------- the tree as it is

    def refresh(self) -> None:
        """Bring the index up to date when files changed since the last question."""
        from retrieval.index.freshness import drift

        if not self.settings.update or drift(self.session.reader).none:
            return
        before = self.session
        self.session = open_session(before.location.root, progress=self._progress, warn=self._warn)
        before.close()
        report = self.session.report
        if report is not None:
            self._warn("Files changed; the index was brought up to date.")
        if self._agent is not None and self.session.location != before.location:
            self._agent.tools.close()
            self._agent.tools = self._toolbox()

    def _recheck(self, number: int) -> list[str]:
        """Hold earlier evidence against the tree; one line for each piece that moved or is gone."""
        changes = self._loop().ledger.recheck()
        lines = [change.told() for change in changes]
        if lines:
            self.recorder.write("stale", {"turn": number, "told": lines})
        return lines

    # ------------------------------------------------------------------------------------------------- the loop's part

    def _loop(self) -> Agent:
        if self._agent is None:
            from agent.loop.context_ir import ChatIr
            from agent.loop.ledger import Ledger
            from agent.loop.run import Agent
            from agent.loop.tree import TreeLines
            from agent.tools.registry import tools

            use = self.settings.ir(self.session)
            specs = [tool for tool in tools() if use is not None or not tool.name.startswith("artifact_")]
            ledger = Ledger(TreeLines(lambda: self.session.reader))
            self._agent = Agent(
                self.settings.config,
                self._toolbox(),
                specs,
                ledger,
                replace(self.settings.limits, reply_tokens=self.settings.reserve or 1024),
                self.settings.calling,
            )
            self._agent.ir = ChatIr(use) if use is not None else None
            for event in self._restored:
                if event["event"] == "shown":
                    ledger.restore(event)
                    self._agent.taint.read("\n".join(str(text) for _, text in event["lines"]), str(event["path"]))
            for turn in self.turns:
                self._agent.taint.trust(turn.question)
                self._cite(turn.answer, turn.number)
        return self._agent

    def _toolbox(self) -> Any:
        from agent.tools.registry import Toolbox

        return Toolbox(self.session)

    def _task(self, question: str, pack: ContextPack, number: int) -> Task:
        from agent.loop.context import render_kept

        agent = self._loop()
        numbered, taken = agent.ledger.add_pack(pack)
        for one in taken:
            self.recorder.write("shown", {"turn": number, **one.to_dict()})
        kept = render_kept(agent.ledger, self.settings.budget // _KEPT_SHARE, without=numbered)
        history = tuple(
            Exchange(turn.read_as, _as_history(turn.answer))
            for turn in self.turns[-_MAX_HISTORY:]
            if turn.answer.statements
        )
        return Task(question, numbered, kept, history)

    def _on_event(self, number: int) -> Callable[[str, Mapping[str, Any]], None]:
        def on_event(kind: str, data: Mapping[str, Any]) -> None:
            self.recorder.write(kind, {"turn": number, **data})
            if kind == "called":
                self.on_call(str(data["name"]), str(data["arguments"]), str(data["outcome"]))

        return on_event

    def _cite(self, answer: Answer, number: int) -> None:
        if self._agent is not None:
            for citation in answer.citations:
                self._agent.ledger.cite(citation.path, citation.start, citation.end, number)

    # ------------------------------------------------------------------------------------------------------ follow-ups

    def _names(self, text: str) -> tuple[str, ...]:
        """Names of symbols that a question spells, as it spells them."""
        return tuple(one.text for one in self.session.plan(text).mentions if one.symbols or one.how in _STRONG)

    def _topic(self, question: str, pack: ContextPack, answer: Answer) -> Topic | None:
        """What the next question may refer to; an answer about nothing keeps the topic before it."""
        known = [one for one in pack.plan.mentions if one.symbols]
        mention = next((one for one in known if one.how in _STRONG), known[0] if known else None)
        spelled = next((one.text for one in pack.plan.mentions if one.how in _STRONG), "")
        if mention is None and spelled and not answer.abstained and spelled not in pack.missing:
            return Topic(question, spelled, spelled)  # a setting or a key: no symbol, but what the answer is about
        cited = [
            name.strip()
            for citation in answer.citations
            for name in citation.symbol.split(",")
            if name.strip() and not answer.abstained
        ]
        subject = mention.symbols[0] if mention is not None else (self._whole(cited[0]) if cited else "")
        if not subject:
            return self.turns[-1].topic if self.turns else None
        others = [name for name in map(self._whole, cited) if name != subject]
        others += [one.symbols[0] for one in known if one.symbols[0] != subject]
        return Topic(
            question, subject, mention.text if mention is not None else "", tuple(dict.fromkeys(others))[:_MAX_OTHERS]
        )

    def _whole(self, name: str) -> str:
        """The qualified name of a symbol that an answer cites by a shorter one."""
        rows = self.session.reader.symbols_ending(name.split(" > ")[0])
        return rows[0].symbol.qualname if rows else ""

    # ---------------------------------------------------------------------------------------------------------- resume

    def restore(self, events: Sequence[Mapping[str, Any]]) -> str:
        """Take up the conversation of a transcript. Returns a question that was never answered, "" for none.

        Raises:
            KeyError, TypeError, ValueError, OverflowError: An event is none of ours.
        """
        from agent.loop.ledger import taken_of

        pending = ""
        for event in events:
            kind = event["event"]
            if kind == "question":
                pending, self._number = str(event["text"]), int(event["turn"])
            elif kind == "answer":
                self.turns.append(Turn.from_event(event))
                pending = ""
            elif kind == "failed":
                pending = ""
            elif kind == "setting" and event.get("name") == "budget":
                budget = int(event["value"])
                if not 0 < budget <= MAX_BUDGET:
                    raise ValueError("no budget")
                self.settings.budget = budget
            elif kind == "shown":
                taken_of(event)
        self._restored = [event for event in events if event["event"] == "shown"]
        return pending


def _as_history(answer: Answer) -> str:
    """What the model reads of an earlier answer. The offline answerer counts its citations by itself: they go."""
    text = answer.text if answer.answerer == "openai" else CITATION_RE.sub("", answer.text)
    return text.strip()
