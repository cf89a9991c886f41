"""``contextc doctor``: each part that an answer rests on, with OK or the command that mends it."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import cast

import click

from agent.cli.common import json_option, print_json, root_option
from retrieval.errors import IndexUnavailableError, UserError

_PACKAGES = (
    "bpe-openai", "chromadb", "click", "networkx", "numpy", "openai", "rank-bm25", "starlette", "tiktoken",
    "tree-sitter", "tree-sitter-python", "uvicorn", "watchfiles",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Check:
    """One check; ``mend`` is empty when ``ok``."""

    name: str
    ok: bool
    detail: str
    mend: str = ""


@click.command("doctor")
@root_option
@json_option
def command(root: Path | None, as_json: bool) -> int:
    """Check every dependency, the tokenizer, the embedder and the index; exit code 2 when something needs mending."""
    checks: list[Check] = []
    for check in _all(root):
        checks.append(check)
        if not as_json:
            mark = click.style("OK  ", fg="green") if check.ok else click.style("MEND", fg="red")
            click.echo(f"{mark}  {check.name:<22}{check.detail}")
            if check.mend:
                click.echo(f"      {check.mend}")
    if as_json:
        print_json({"ok": all(check.ok for check in checks), "checks": [asdict(check) for check in checks]})
    return 0 if all(check.ok for check in checks) else 2


def _all(root: Path | None) -> Iterator[Check]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Check("python", sys.version_info >= (3, 11), version, "" if sys.version_info >= (3, 11) else "Use 3.11+.")
    for package in _PACKAGES:
        yield _package(package)
    yield _guarded("sqlite", _sqlite, "Use a Python built with SQLite 3.31 or newer.")
    yield Check("git", True, _git())
    yield _guarded("parser", _parser, "pip install --force-reinstall tree-sitter tree-sitter-python")
    yield _guarded("tokenizer", _tokenizer, "pip install --force-reinstall tiktoken bpe-openai")
    yield _guarded("embedder", _embedder, "pip install --force-reinstall contextc")
    yield from _configuration(root)
    yield from _plugins()
    yield from _index(root)


def _plugins() -> Iterator[Check]:
    """Listed, not loaded: whether the package that each names is there is seen without running it."""
    from importlib.util import find_spec

    from retrieval.plugins import all_plugins

    for plugin in all_plugins():
        kind = plugin.group.rpartition(".")[2][:-1]
        module = plugin.value.partition(":")[0].partition(".")[0]
        there = find_spec(module) is not None
        detail = f"{plugin.name} ({plugin.package} {plugin.version}, {plugin.value})"
        mend = "" if there else f"Its module is missing: pip install --force-reinstall {plugin.package}"
        yield Check(f"{kind} plugin", there, detail, mend)


def _configuration(root: Path | None) -> Iterator[Check]:
    from agent.configuration.check import check_file
    from agent.configuration.files import find_files
    from retrieval.index.location import working_directory

    group = click.get_current_context().find_root().command
    try:
        files = find_files(root or working_directory())
        problems = [problem for file in files for problem in check_file(file, cast("click.Group", group))]
    except UserError as error:
        files, problems = (), [error]
    for problem in problems:
        yield Check("configuration", False, problem.cause, problem.mend)
    if not problems:
        yield Check("configuration", True, ", ".join(str(file.path) for file in files) or "no file")


def _package(name: str) -> Check:
    try:
        return Check(name, True, metadata.version(name))
    except metadata.PackageNotFoundError:
        return Check(name, False, "not installed", f"pip install {name}")


def _guarded(name: str, probe: Callable[[], str], mend: str) -> Check:
    try:
        return Check(name, True, probe())
    except UserError as error:
        return Check(name, False, error.cause, error.mend)
    except Exception as error:  # a doctor reports every failure
        return Check(name, False, f"{type(error).__name__}: {error}", mend)


def _sqlite() -> str:
    if sqlite3.sqlite_version_info < (3, 31):
        raise RuntimeError(f"SQLite {sqlite3.sqlite_version} is too old")
    return sqlite3.sqlite_version


def _git() -> str:
    import subprocess

    try:
        done = subprocess.run(["git", "--version"], capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return "not usable; ignore rules are read from .gitignore files alone, and commits are unknown"
    return done.stdout.strip()


def _parser() -> str:
    from retrieval.languages.registry import analyze

    found = analyze("probe.py", "def probe():\n    return 1\n", "python", "probe")
    if not any(symbol.name == "probe" for symbol in found.symbols):
        raise RuntimeError("the parser did not find a function")
    return "parses Python"


def _tokenizer() -> str:
    from retrieval.tokens.counter import count_tokens

    count = count_tokens("hello world")
    if count != 2:
        raise RuntimeError(f"counted {count} tokens where there are 2")
    return "o200k_base, from the installed vocabulary"


def _embedder() -> str:
    from retrieval.embed.load import load_embedder

    embedder = load_embedder("default")
    if embedder is None:
        raise RuntimeError("no default embedder")
    vector = embedder.embed_query("open a file and read it")
    if not 0.99 < float((vector**2).sum()) < 1.01:
        raise RuntimeError("its vectors are not of length 1")
    return f"{embedder.model_id}, {embedder.dim} dimensions"


def _index(root: Path | None) -> Iterator[Check]:
    from retrieval.index.integrity import check_index
    from retrieval.index.location import locate, working_directory
    from retrieval.index.reader import IndexReader

    location = locate(root or working_directory(), explicit=root is not None)
    try:
        with IndexReader.open(location) as reader:
            problems = check_index(reader)
            counts = reader.counts()
    except IndexUnavailableError as error:
        yield Check("index", error.kind == "missing", error.cause, "" if error.kind == "missing" else error.mend)
        return
    except sqlite3.DatabaseError as error:
        problems, counts = [str(error)], {}
    if problems:
        mend = f"contextc index --rebuild {location.root}"
        for problem in problems:
            yield Check("index", False, problem, mend)
    else:
        yield Check("index", True, f"{counts['files']:,} files, {counts['chunks']:,} chunks in {location.index_dir}")
