"""The modules of a tree by name, their facts loaded when first asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from retrieval.compact_json import loads
from retrieval.graph.modules import Module

if TYPE_CHECKING:
    import sqlite3


def packages_of(modules: Iterable[str]) -> set[str]:
    """Names above modules: packages, and folders of modules without an ``__init__`` of their own."""
    found: set[str] = set()
    for name in modules:
        parent = name.rpartition(".")[0]
        while parent and parent not in found:
            found.add(parent)
            parent = parent.rpartition(".")[0]
    return found


#: A file that could not be analysed still is a module.
NO_FACTS = '{"h":"","S":[{"k":"m","n":"","p":-1,"l":1}],"B":[0],"I":[],"C":[],"R":[]}'


class ModuleStore:
    """Modules of a tree by name. Holds the names of all, the facts of those asked for.

    Attributes:
        bits: Module name to its bit in dependency masks (see ``state``); to be set before facts are asked for.
    """

    def __init__(self, files: Iterable[tuple[int, str, str]]) -> None:
        """
        Args:
            files: (id, module, role) of each file, by id.
        """
        self.bits: dict[str, int] = {}
        self.file_ids: dict[str, int] = {}
        self.roles: dict[str, str] = {}
        self.by_file: dict[int, str] = {}
        for file_id, name, role in files:
            self.file_ids[name] = file_id
            self.roles[name] = role
            self.by_file[file_id] = name
        self._packages = packages_of(self.file_ids)
        self.modules: list[Module] = []
        self._loaded: dict[str, Module | None] = {}
        self._resolved: dict[tuple[str, str], str] = {}

    def names(self) -> Iterable[str]:
        return self.file_ids

    def is_namespace(self, name: str) -> bool:
        """A folder of modules without an ``__init__`` of its own, or a package."""
        return name in self._packages

    def add(self, file_id: int, name: str, role: str, facts: dict[str, Any]) -> Module:
        module = Module(len(self.modules), self.bits[name], file_id, name, role, facts)
        self.modules.append(module)
        self._loaded[name] = module
        return module

    def weight(self, name: str) -> int:
        """About how much work the edges of a module are: its calls and references."""
        module = self.get(name)
        return 1 if module is None else 1 + len(module.raw["C"]) + len(module.raw["R"])

    def get(self, name: str) -> Module | None:
        if name in self._loaded:
            return self._loaded[name]
        file_id = self.file_ids.get(name)
        found = self._loaded[name] = None if file_id is None else self._load(file_id, name)
        return found

    def _load(self, file_id: int, name: str) -> Module | None:
        return self.add(file_id, name, self.roles[name], loads(NO_FACTS))

    def locate(self, importer: str, name: str) -> str:
        """The tree's name for an imported module, or ``name`` itself when it is not in the tree.

        A script's folder is on ``sys.path``, so in a folder that is no package ``import helper`` finds the sibling;
        never where a module of the standard library has that name.
        """
        if name in self.file_ids or name in self._packages:
            return name
        key = (importer.rpartition(".")[0], name)
        found = self._resolved.get(key)
        if found is None:
            found = name
            folder = key[0]
            root = name.split(".", 1)[0]
            if folder and folder not in self.file_ids and root not in sys.stdlib_module_names:
                sibling = f"{folder}.{name}"
                if sibling in self.file_ids or sibling in self._packages:
                    found = sibling
            self._resolved[key] = found
        return found


class IndexedModules(ModuleStore):
    """The modules of an index."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn
        super().__init__(
            # no look at `facts`: it lies behind the text, pages away
            conn.execute("SELECT id, module, role FROM files WHERE module != '' AND language = 'python' ORDER BY id")
        )

    def preload(self) -> None:
        """Reads all facts in one query; for a full resolve, where one query for each file would cost more."""
        for file_id, name, role, facts in self._conn.execute(
            "SELECT id, module, role, facts FROM files WHERE module != '' AND language = 'python' ORDER BY id"
        ):
            self.add(file_id, name, role, loads(facts or NO_FACTS))

    def _load(self, file_id: int, name: str) -> Module | None:
        row = self._conn.execute("SELECT role, facts FROM files WHERE id = ?", (file_id,)).fetchone()
        return self.add(file_id, name, row[0], loads(row[1] or NO_FACTS))
