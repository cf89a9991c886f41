"""Text that arrives in pieces, on its way to a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from agent.guard import TerminalFilter


def pass_on(stream: Iterable[str], on_text: Callable[[str], None] | None) -> str:
    """Hand each piece on, free of terminal control, as it comes; returns the whole text."""
    terminal = TerminalFilter()
    pieces: list[str] = []

    def emit(clean: str) -> None:
        if clean:
            pieces.append(clean)
            if on_text is not None:
                on_text(clean)

    for piece in stream:
        emit(terminal.feed(piece))
    emit(terminal.finish())
    return "".join(pieces)
