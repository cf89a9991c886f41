"""aider's repository map, one per budget: ``python aider_map.py ROOT BUDGET…``.

The map is made as aider makes it for a first message: no file in the chat, the words of the question as mentioned
identifiers, files whose name is such a word as mentioned files. ``results`` are its files in the order of its ranking
of definitions, for the measures of a ranking.
"""

from __future__ import annotations

import importlib
import re
import sys
import time
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

from protocol import questions, say  # type: ignore[import-not-found]  # beside this script

_SHARE = 0.85  # of a budget is asked for: aider accepts a map that is 15 % too large
_CHARS_PER_TOKEN = 3.5  # aider asks its model's tokenizer; the harness counts what is shown exactly
_TOP = 100
_STEM_CHARS = 5  # shorter file names match no word


class _Model:
    def token_count(self, text: str) -> float:
        return len(text) / _CHARS_PER_TOKEN


class _Quiet:
    """What the map needs of aider's terminal."""

    def read_text(self, path: str) -> str:
        return Path(path).read_bytes().decode("utf-8", "replace")

    def __getattr__(self, _name: str) -> Any:
        return lambda *_args, **_kwargs: None


def ranges_of(rows: Iterable[int]) -> list[list[int]]:
    """0-based rows as 1-based inclusive ranges."""
    out: list[list[int]] = []
    for row in sorted(set(rows)):
        if out and row == out[-1][1]:
            out[-1][1] = row + 1
        else:
            out.append([row + 1, row + 1])
    return out


def mentioned_files(words: set[str], names: list[str]) -> set[str]:
    stems = {word.lower() for word in words if len(word) >= _STEM_CHARS}
    return {name for name in names if Path(name).stem.lower() in stems}


def main() -> None:
    root, budgets = Path(sys.argv[1]).resolve(), [int(budget) for budget in sys.argv[2:]]
    module = importlib.import_module("aider.repomap")

    class Map(module.RepoMap):  # type: ignore[misc, name-defined]
        """Ranks once for maps of several sizes, and remembers which lines each of its trees shows."""

        def start(self) -> None:
            self.tags: list[Any] | None = None
            self.lines: dict[tuple[str, tuple[int, ...]], list[list[int]]] = {}
            self.trees: dict[str, dict[str, list[list[int]]]] = {"": {}}
            self.tree: dict[str, list[list[int]]] = {}

        def get_ranked_tags(self, *args: Any, **kwargs: Any) -> Any:
            if self.tags is None:
                self.tags = super().get_ranked_tags(*args, **kwargs)
            return self.tags

        def to_tree(self, tags: Any, chat_names: Any) -> Any:
            self.tree = {tag[0]: [] for tag in tags}
            text = super().to_tree(tags, chat_names)
            self.trees[text] = self.tree
            return text

        def render_tree(self, path: str, name: str, lois: Any) -> Any:
            text = super().render_tree(path, name, lois)
            key = (name, tuple(sorted(lois)))
            if key not in self.lines:
                self.lines[key] = ranges_of(self.tree_context_cache[name]["context"].show_lines)
            self.tree[name] = self.lines[key]
            return text

    repo_map = Map(map_tokens=1024, root=str(root), main_model=_Model(), io=_Quiet())
    files = sorted(
        str(path) for path in root.rglob("*") if path.is_file() and not path.relative_to(root).parts[0].startswith(".")
    )
    names = [Path(path).relative_to(root).as_posix() for path in files]
    began = time.perf_counter()
    for path, name in zip(files, names, strict=True):
        repo_map.get_tags(path, name)
    say({"meta": {"index_s": round(time.perf_counter() - began, 3), "version": metadata.version("aider-chat")}})
    for row_id, question in questions():
        words = set(re.split(r"\W+", question))
        repo_map.start()
        shown: dict[str, Any] = {}
        times: list[float] = []
        for budget in budgets:
            started = time.perf_counter()
            mentioned = mentioned_files(words, names)
            text = repo_map.get_ranked_tags_map_uncached([], files, int(budget * _SHARE), mentioned, words) or ""
            times.append((time.perf_counter() - started) * 1000)
            shown[str(budget)] = {"text": text, "regions": sorted(repo_map.trees[text].items())}
        ranking = list(dict.fromkeys(str(tag[0]) for tag in repo_map.tags or ()))[:_TOP]
        results = [{"path": name, "start_line": 1, "end_line": 1} for name in ranking]
        # The first map pays for the ranking.
        say({"id": row_id, "ms": round(times[0], 2), "results": results, "shown": shown})


if __name__ == "__main__":
    main()
