"""A tree on the disk, indexed, and asked without a model: what the tests of whole answers share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from agent.answer.answerer import answer_question
from agent.answer.config import AnswerConfig
from agent.answer.records import Answer
from agent.session import Session, open_session


def opened(root: Path, files: Mapping[str, str]) -> Iterator[Session]:
    """Writes the files, indexes them, and closes the session behind the last test."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    session = open_session(root)
    yield session
    session.close()


def ask(session: Session, question: str) -> Answer:
    """The offline answer; a statement that its citations do not carry fails the test."""
    pack = session.pack(question, budget=3000)
    answer = answer_question(pack, session.reader, session.graph, AnswerConfig(answerer="offline"))
    assert not answer.unsupported, answer.unsupported
    return answer
