"""Dotted module names for the Python files of a tree."""

from __future__ import annotations

from collections.abc import Iterable

#: Directories that hold packages without being one.
_SOURCE_ROOTS = frozenset({"src", "lib"})


def module_names(paths: Iterable[str]) -> dict[str, str]:
    """A unique dotted name for each Python path (relative, forward slashes; ``.py``, ``.pyi`` and the like).

    A file in a package (every directory up to some point has an ``__init__``) is named as it would be imported:
    ``src/flask/app.py`` is ``flask.app``. Another file, and a package whose top name occurs at several places of the
    tree, is named by its path without a leading ``src`` or ``lib``. Of names that are still equal the first path
    (shortest, then alphabetical; ``.py`` before ``.pyi``) keeps it, the others get ``@2``, ``@3`` …
    """
    ordered = sorted(set(paths), key=lambda path: (path.endswith(".pyi"), path.count("/"), path))
    packages = {path.rpartition("/")[0] for path in ordered if _stem(path) == "__init__"}
    packages.discard("")
    directories = dict.fromkeys(path.rpartition("/")[0] for path in ordered)
    tops = {directory: _top_package(directory, packages) for directory in directories}
    homes: dict[str, set[str]] = {}
    for top in tops.values():
        if top:
            homes.setdefault(top.rpartition("/")[2], set()).add(top)
    above: dict[str, str] = {}
    for directory, top in tops.items():
        base = top.rpartition("/")[0] if top and len(homes[top.rpartition("/")[2]]) == 1 else None
        above[directory] = _dotted(directory, base)
    names: dict[str, str] = {}
    taken: set[str] = set()
    for path in ordered:
        directory, _, file = path.rpartition("/")
        name, stem = above[directory], file.rpartition(".")[0].replace(".", "_") or "module"
        if stem != "__init__" or not name:
            name = f"{name}.{stem}" if name else stem
        unique, count = name, 1
        while unique in taken:
            count += 1
            unique = f"{name}@{count}"
        taken.add(unique)
        names[path] = unique
    return names


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _top_package(directory: str, packages: set[str]) -> str:
    """The outermost directory of the chain of packages that ends at ``directory``; "" when that is no package."""
    top = ""
    while directory and directory in packages:
        top = directory
        directory = directory.rpartition("/")[0]
    return top


def _dotted(directory: str, base: str | None) -> str:
    """Name of what lies in ``directory``, below directory ``base``; by the whole path when that is None."""
    parts = [part.replace(".", "_") for part in directory.split("/")] if directory else []
    if base is not None:
        parts = parts[base.count("/") + 1 if base else 0 :]
    elif len(parts) > 0 and parts[0] in _SOURCE_ROOTS:
        parts = parts[1:]
    return ".".join(parts)
