"""The facts of one file as the resolver reads them, indexed by name when looked into."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from retrieval.languages.python.facts_ops import Op

Binding = list[Any]

#: Order of a parameter among the bindings of its function: before everything.
_PARAMETER = "p"
#: Functions with more bindings than this give what they give, whatever is passed to their variables.
_MAX_FOLLOWED = 12


class Scope:
    """One scope of a file.

    Attributes:
        varying: Names of a function that depend on its arguments, as far as they matter to its result.
        names: What is bound to each name.
        attributes: Instance attributes that methods of a class assign, by name: ``[name, expression, order, block,
            method scope]``.
        short: The name inside its parent, without the mark of a redefinition.
    """

    names: dict[str, list[Binding]]
    attributes: dict[str, list[Binding]]
    short: str

    __slots__ = (
        "_decorators",
        "_result_params",
        "attributes",
        "data",
        "index",
        "kind",
        "names",
        "params",
        "parent",
        "qualname",
        "returns",
        "short",
        "varying",
        "yields",
    )

    def __init__(self, index: int, data: dict[str, Any]) -> None:
        self.index = index
        self.data = data
        self.kind: str = data["k"]
        self.qualname: str = data["n"]
        self.parent: int = data["p"]
        self.params: list[list[Any]] = data.get("a", [])
        self.returns: list[Any] = data.get("r", [])
        self.yields: list[Any] = data.get("y", [])
        self._result_params: frozenset[str] | None = None
        self._decorators: tuple[str, ...] | None = None if "dec" in data else ()
        self.varying: frozenset[str] = frozenset(param[0].lstrip("*") for param in self.params)

    @property
    def result_params(self) -> frozenset[str]:
        """Parameters that what the function returns depends on, directly or, in a small one, through its variables."""
        if self._result_params is None:
            self._result_params = frozenset()
            params = {param[0].lstrip("*") for param in self.params}
            if params and self.returns:
                self._result_params = self._followed(params)
        return self._result_params

    def _followed(self, params: set[str]) -> frozenset[str]:
        wanted: set[str] = set()
        for value in self.returns:
            roots_in(value, wanted)
        bindings = self.data.get("b", ())
        if len(bindings) > _MAX_FOLLOWED:
            return frozenset(params & wanted)
        roots: list[tuple[str, set[str]]] = []
        for binding in bindings:
            found: set[str] = set()
            roots_in(binding[1], found)
            roots.append((binding[0], found))
        size = -1
        while size != len(wanted):
            size = len(wanted)
            for name, found in roots:
                if name in wanted:
                    wanted |= found
        size = -1
        varying: set[str] = set()
        while size != len(varying):
            size = len(varying)
            varying.update(name for name, found in roots if found & params or found & varying)
        self.varying = frozenset(varying | params)
        return frozenset(params & wanted)

    def __getattr__(self, slot: str) -> Any:
        """Fills what is made when first looked at: these slots are read millions of times, and then as fast as any."""
        if slot == "names":
            names: dict[str, list[Binding]] = {}
            for position, param in enumerate(self.params):
                names[param[0].lstrip("*")] = [[param[0], [_PARAMETER, position], -1, 0]]
            self.names = _grouped(self.data.get("b", ()), names)
        elif slot == "attributes":
            self.attributes = _grouped(self.data.get("ia", ()), {})
        elif slot == "short":
            self.short = self.qualname.rpartition(".")[2].partition("#")[0]
        else:
            raise AttributeError(slot)
        return getattr(self, slot)

    @property
    def is_abstract(self) -> bool:
        """Whether it asks to be overridden, and so whatever is passed to it is passed on to those that do."""
        return "x" in self.data or any(name.endswith("abstractmethod") for name in self.decorator_names())

    def decorator_names(self) -> tuple[str, ...]:
        """Dotted names of the decorators that have one, the outermost first."""
        if self._decorators is None:
            written = self.data.get("dec", ())
            names = (value[1] if isinstance(value, list) and value[0] == Op.CALL else value for value, _line in written)
            self._decorators = tuple(name for name in names if isinstance(name, str))
        return self._decorators


def _grouped(bindings: Iterable[Binding], into: dict[str, list[Binding]]) -> dict[str, list[Binding]]:
    for binding in bindings:
        into.setdefault(binding[0], []).append(binding)
    return into


def roots_in(value: Any, into: set[str]) -> None:
    """First parts of all dotted names in an expression, and some strings that are none."""
    if isinstance(value, str):
        into.add(value.partition(".")[0])
    elif isinstance(value, list):
        for item in value:
            roots_in(item, into)


class Module:
    """A file's facts. ``bit`` is its place in dependency masks; ``number`` its place in this run's list."""

    __slots__ = (
        "_by_qualname",
        "bit",
        "blocks",
        "calls",
        "file_id",
        "functions_around",
        "imports",
        "is_package",
        "name",
        "number",
        "public",
        "raw",
        "role",
        "scopes",
        "stars",
    )

    def __init__(self, number: int, bit: int, file_id: int, name: str, role: str, raw: dict[str, Any]) -> None:
        self.number, self.bit, self.file_id, self.name, self.role = number, bit, file_id, name, role
        self.raw = raw
        self.is_package = bool(raw.get("p"))
        self.scopes = [Scope(index, data) for index, data in enumerate(raw["S"])]
        self.blocks: list[int] = raw["B"]
        self.stars: list[str] = [star[0] for star in raw.get("X", ())]
        self.imports: list[list[Any]] = raw["I"]
        self.calls: list[list[Any]] = raw["C"]
        self.public: frozenset[str] | None = frozenset(raw["all"]) if "all" in raw else None
        #: Scopes that a function is defined in directly.
        self.functions_around = frozenset(scope.parent for scope in self.scopes if scope.kind == "f")
        self._by_qualname: dict[str, int] | None = None

    def scope_named(self, qualname: str) -> Scope | None:
        if self._by_qualname is None:
            self._by_qualname = {scope.qualname: scope.index for scope in self.scopes}
        index = self._by_qualname.get(qualname)
        return None if index is None else self.scopes[index]

    def is_within(self, inner: int, outer: int) -> bool:
        """Whether block ``outer`` is ``inner`` or encloses it."""
        blocks = self.blocks
        while inner > outer and inner < len(blocks):
            inner = blocks[inner] >> 1
        return inner == outer

    def share_loop(self, first: int, second: int) -> bool:
        blocks = self.blocks
        current = first
        while current > 0 and current < len(blocks):
            if blocks[current] & 1 and self.is_within(second, current):
                return True
            current = blocks[current] >> 1
        return False
