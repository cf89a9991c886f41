"""ripgrep-and-read: what an agent with a search tool and a file reader does, without a model to choose the words.

``python grep_read.py ROOT``. Each word of a question is searched for (fixed string, whole word, any case); files with
more different words come first, then those with more matching lines; of each file the reader opens the neighbourhoods
of its matching lines, the one with most different words first. Uses ripgrep, or the same search in Python without it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from protocol import serve  # type: ignore[import-not-found]  # beside this script

_AROUND = 12  # lines read above and below a match
_MAX_FILES = 50
_MAX_WINDOWS = 3  # of one file
_MAX_BYTES = 1_000_000
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
# What nobody would type into a search box.
_STOP = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "be", "been", "being", "but", "by", "can", "could", "did", "do", "does",
        "for", "from", "had", "has", "have", "how", "if", "in", "into", "is", "it", "its", "of", "on", "or",
        "should", "so", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those",
        "to", "was", "were", "what", "when", "where", "which", "while", "who", "why", "will", "with", "would", "you",
        "your", "all", "any", "each", "between", "about", "after", "before", "during", "code", "function", "method",
        "class", "file", "files", "used", "use", "uses", "using", "work", "works", "happen", "happens",
        "implemented", "handled",
    }
)  # fmt: skip

Hits = Mapping[str, Mapping[int, frozenset[str]]]  # path -> line -> words on it


def words_of(question: str) -> list[str]:
    """The words to search for, in order: identifiers and words of three letters or more."""
    found = re.findall(r"[A-Za-z_][A-Za-z0-9_]*", question)
    return list(dict.fromkeys(word.lower() for word in found if len(word) > 2 and word.lower() not in _STOP))[:32]


def search_with_ripgrep(root: Path, words: Iterable[str]) -> Hits:
    """Matching lines per file, by one ripgrep call per word."""
    hits: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for word in words:
        command = [
            "rg", "--no-heading", "--line-number", "--with-filename", "--null", "--ignore-case", "--word-regexp",
            "--fixed-strings", "--max-filesize", str(_MAX_BYTES), "--no-messages", "-e", word, ".",
        ]  # fmt: skip
        done = subprocess.run(command, cwd=root, capture_output=True, check=False)
        for line in done.stdout.split(b"\n"):
            path, found, rest = line.partition(b"\0")
            number = rest.partition(b":")[0]
            if found and number.isdigit():
                hits[path.decode("utf-8", "replace").removeprefix("./")][int(number)].add(word)
    return _frozen(hits)


def search_in_python(files: Mapping[str, list[str]], words: Iterable[str]) -> Hits:
    """The same over files that were read before: path -> lines in lower case."""
    wanted = frozenset(words)
    hits: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path, lines in files.items():
        for number, line in enumerate(lines, 1):
            found = wanted.intersection(re.findall(r"\w+", line))
            if found:
                hits[path][number] |= found
    return _frozen(hits)


def _frozen(hits: Mapping[str, Mapping[int, set[str]]]) -> Hits:
    return {path: {line: frozenset(words) for line, words in by_line.items()} for path, by_line in hits.items()}


def read_files(root: Path) -> dict[str, list[str]]:
    """Text files below ``root``, hidden ones left out as ripgrep leaves them out; lines in lower case."""
    files: dict[str, list[str]] = {}
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if any(part.startswith(".") or part in _SKIPPED_FOLDERS for part in parts) or not path.is_file():
            continue
        data = path.read_bytes() if path.stat().st_size <= _MAX_BYTES else b"\0"
        if b"\0" not in data:
            files["/".join(parts)] = data.decode("utf-8", "replace").lower().split("\n")
    return files


def ranked(hits: Hits) -> list[tuple[str, int, int]]:
    """Regions to read, best file first."""
    order = sorted(hits, key=lambda path: (-len(frozenset().union(*hits[path].values())), -len(hits[path]), path))
    return [(path, first, last) for path in order[:_MAX_FILES] for first, last in windows(hits[path])]


def windows(lines: Mapping[int, frozenset[str]]) -> list[tuple[int, int]]:
    """Neighbourhoods of matching lines, joined where they touch, the one with most different words first."""
    merged: list[tuple[int, int, frozenset[str]]] = []
    for line in sorted(lines):
        first, last = max(1, line - _AROUND), line + _AROUND
        if merged and first <= merged[-1][1] + 1 and last - merged[-1][0] < 4 * _AROUND:
            merged[-1] = (merged[-1][0], last, merged[-1][2] | lines[line])
        else:
            first = max(first, merged[-1][1] + 1) if merged else first
            merged.append((first, last, lines[line]))
    best = sorted(merged, key=lambda window: (-len(window[2]), window[0]))
    return [(first, last) for first, last, _ in best[:_MAX_WINDOWS]]


def main() -> None:
    root = Path(sys.argv[1])
    if shutil.which("rg"):
        version = subprocess.run(["rg", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
        serve(lambda question: ranked(search_with_ripgrep(root, words_of(question))), 0.0, f"ripgrep {version}")
    else:
        files = read_files(root)
        serve(lambda question: ranked(search_in_python(files, words_of(question))), 0.0, "in Python, no ripgrep")


if __name__ == "__main__":
    main()
