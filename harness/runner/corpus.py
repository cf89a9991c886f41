"""From the corpus a question names to an indexed tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from harness.questions.corpus import corpus_root, fetch_needed
from retrieval.errors import UserError


def corpus_roots(names: Iterable[str], given: Mapping[str, Path], base: Path) -> dict[str, Path]:
    """The folder of each corpus: as given on the command line, else as its name says; fetched where need be.

    Args:
        base: The question file's folder.

    Raises:
        UserError: A corpus is unknown, cannot be fetched, or its folder is not there.
    """
    wanted = list(dict.fromkeys(names))
    fetch_needed(name for name in wanted if name not in given)
    roots: dict[str, Path] = {}
    for name in wanted:
        root = given[name] if name in given else corpus_root(name, base)
        if not root.is_dir():
            raise UserError(f"The corpus {name} is not a folder: {root}.", f"Name its folder: --corpus {name}=DIR")
        roots[name] = root
    return roots


def index_all(
    roots: Mapping[str, Path], progress: Callable[[str, int, int], None], warn: Callable[[str], None]
) -> dict[str, str]:
    """Build or update the index of each corpus once, before workers read them side by side.

    Returns:
        The content id of each corpus's index.
    """
    from agent.session import open_session

    ids: dict[str, str] = {}
    for name, root in roots.items():
        session = open_session(root, progress=progress, warn=warn)
        ids[name] = session.reader.meta.get("content_id", "")
        session.close()
    return ids
