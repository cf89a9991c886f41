"""Answers without a model: exact sentences composed from a pack's evidence and the graph, by class of question."""

from __future__ import annotations

from agent.answer.offline.compose import answer, compose

__all__ = ["answer", "compose"]
