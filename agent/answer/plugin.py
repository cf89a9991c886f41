"""Answerers of other packages (entry points ``contextc.answerers``), under the same contract as ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from agent.answer.config import ANSWERERS, AnswerConfig
from agent.answer.model_text import answer_of
from agent.answer.prompt import build_messages
from agent.answer.records import Answer
from agent.answer.streaming import pass_on
from retrieval.errors import UserError
from retrieval.pack_records import ContextPack
from retrieval.plugins import ANSWERERS as GROUP
from retrieval.plugins import PluginError, describe, failed, find_plugins, load_plugin

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Answerer(Protocol):
    """What a plugin's entry point names: a function.

    Each sentence of fact in its text must end with a citation (``[1:904]``: evidence 1, line 904) that resolves to
    lines of the pack; what does not is marked. ``messages`` are what a model would be sent: the rules of this contract,
    and the numbered evidence, fenced, with the question.
    """

    def __call__(self, pack: ContextPack, messages: Sequence[dict[str, str]]) -> str | Iterable[str]: ...


def plugin_names() -> tuple[str, ...]:
    return tuple(find_plugins(GROUP))


def load_answerer(name: str) -> tuple[EntryPoint, Answerer]:
    """The plugin ``name``.

    Raises:
        UserError: There is none, or it cannot be loaded.
    """
    point = find_plugins(GROUP).get(name)
    if point is None:
        known = ", ".join((*ANSWERERS, *plugin_names()))
        raise UserError(f"There is no answerer {name!r}.", f"Use one of: {known}.")
    found = load_plugin(point)
    if not callable(found):
        raise failed(point, "it is no function")
    return point, cast(Answerer, found)


def answer_from_plugin(pack: ContextPack, config: AnswerConfig, on_text: Callable[[str], None] | None) -> Answer:
    """The answer of ``config.answerer`` from the pack, every sentence checked.

    Raises:
        UserError: No such plugin, or it failed.
    """
    point, answerer = load_answerer(config.answerer)
    text = pass_on(_pieces(point, answerer, pack), on_text)
    came_in = describe(point)
    return answer_of(text, pack, model=f"{came_in.package} {came_in.version}", answerer=config.answerer)


def _pieces(point: EntryPoint, answerer: Answerer, pack: ContextPack) -> Iterator[str]:
    try:
        given: Any = answerer(pack, build_messages(pack))
        for piece in (given,) if isinstance(given, str) else given:
            if not isinstance(piece, str):
                raise failed(point, f"it gave {type(piece).__name__} where text belongs")
            yield piece
    except PluginError:
        raise
    except Exception as error:
        raise failed(point, error) from error
