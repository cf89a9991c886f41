"""Languages of other packages: found by file suffix, and asked for definitions only; chunks and symbols are made here.

The entry point's name is the suffix without its dot; what it names has a ``name``, a ``version`` and a method
``definitions``. Suffixes that a reader of ours covers (Python, Markdown, TOML …) are not given away.
"""

from __future__ import annotations

import hashlib
import logging
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from retrieval.languages.definitions import Definition, analysis_of
from retrieval.plugins import LANGUAGES, PluginError, describe, failed, find_plugins, load_plugin, may_have_plugins
from retrieval.records import FileAnalysis
from retrieval.source.roles import language_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_LOG = logging.getLogger(__name__)
_SUFFIX = re.compile(r"[A-Za-z0-9_+-]{1,32}")
_told: set[str] = set()


class Language(Protocol):
    """What a plugin offers.

    Attributes:
        name: Of the language, as ``contextc status`` shows it.
        version: Changed by the author whenever the same file gives other definitions: its files are read again then.
    """

    name: str
    version: str

    def definitions(self, path: str, text: str) -> Iterable[Definition]:
        """The definitions in one file, in any order; nested ones are inside the lines of the outer one."""
        ...


@dataclass(frozen=True, slots=True)
class LanguagePlugin:
    """A loaded plugin. ``identity`` changes with its package, its version and the source of its module."""

    point: EntryPoint
    language: Any
    name: str
    identity: str

    def analyze(self, path: str, text: str) -> FileAnalysis | None:
        """None when the plugin fails on this file; the first failure of a plugin is told."""
        try:
            return analysis_of(path, text, list(self.language.definitions(path, text)))
        except Exception as error:
            if self.identity not in _told:
                _told.add(self.identity)
                _LOG.warning("%s: %s Read as plain text.", path, failed(self.point, error).cause)
            return None


def suffix_of(path: str) -> str:
    """The suffix that a plugin may read ``path`` by; "" when it has none or one that we read ourselves."""
    name = path.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    from retrieval.languages.registry import READ_BY_US

    return suffix.lower() if dot and stem and language_of(path) not in READ_BY_US else ""


def plugin_for(path: str) -> LanguagePlugin | None:
    """The plugin that reads ``path``; None without one, and when it cannot be loaded."""
    suffix = suffix_of(path)
    if not suffix or suffix not in _points():
        return None
    try:
        return _loaded(suffix)
    except PluginError:
        return None  # told once per run, by whoever began it


def identities(paths: Iterable[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """What reads the suffixes among ``paths`` now: identity by suffix, and one line for each plugin that cannot be
    loaded. Looks at what is installed anew; imports only what some path needs."""
    _points.cache_clear()
    _loaded.cache_clear()
    if not _points():
        return {}, ()
    suffixes = {suffix_of(path) for path in paths} - {""}
    found: dict[str, str] = {}
    faults: list[str] = []
    for suffix in sorted(suffixes & _points().keys()):
        try:
            found[suffix] = _loaded(suffix).identity
        except PluginError as error:
            faults.append(f"{error.cause} Its files are read as plain text. {error.mend}")
    return found, tuple(faults)


@lru_cache(maxsize=1)
def _points() -> dict[str, EntryPoint]:
    if not may_have_plugins(LANGUAGES):
        return {}
    return {name.lower(): point for name, point in find_plugins(LANGUAGES).items() if _SUFFIX.fullmatch(name)}


@lru_cache(maxsize=256)
def _loaded(suffix: str) -> LanguagePlugin:
    point = _points()[suffix]
    language = load_plugin(point)
    name, version = getattr(language, "name", None), getattr(language, "version", None)
    if (
        not isinstance(name, str)
        or not isinstance(version, str)
        or not callable(getattr(language, "definitions", None))
    ):
        raise failed(point, "it has no name, version and definitions()")
    from retrieval.languages.registry import READ_BY_US

    if name in READ_BY_US:
        raise failed(point, f"{name} is a language of ours")
    plugin = describe(point)
    parts = (plugin.package, plugin.version, plugin.value, name, version, _source_sha256(point.module))
    return LanguagePlugin(point, language, name, hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16])


def _source_sha256(module: str) -> str:
    """Of the module's file: a plugin that is being written changes without a new version."""
    file = getattr(sys.modules.get(module), "__file__", None)
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest() if file else ""
    except OSError:
        return ""
