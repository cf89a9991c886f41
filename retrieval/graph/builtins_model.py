"""What the resolver knows about the standard library, as tables."""

from __future__ import annotations

import builtins
from typing import Final

#: Calls that hand back (or iterate like) one of their arguments, with its position.
IDENTITY_CALLS: Final[dict[str, int]] = {
    "<builtin>.iter": 0,
    "<builtin>.staticmethod": 0,
    "<builtin>.classmethod": 0,
    "functools.partial": 0,
    "functools.lru_cache": 0,
    "functools.cache": 0,
    "functools.wraps": -1,
    "functools.update_wrapper": 0,
    "copy.copy": 0,
    "copy.deepcopy": 0,
    "typing.cast": 1,
    "contextlib.contextmanager": 0,
    "weakref.proxy": 0,
}

#: Calls that give a container of what iterating one of their arguments gives: the argument, the container's type.
COPYING_CALLS: Final[dict[str, tuple[int, str]]] = {
    "<builtin>.list": (0, "list"),
    "<builtin>.tuple": (0, "tuple"),
    "<builtin>.set": (0, "set"),
    "<builtin>.frozenset": (0, "frozenset"),
    "<builtin>.sorted": (0, "list"),
    "<builtin>.reversed": (0, "reversed"),
    "<builtin>.filter": (1, "filter"),
    "collections.deque": (0, "deque"),
    "collections.Counter": (0, "Counter"),
    "collections.UserList": (0, ""),
    "itertools.islice": (0, ""),
    "itertools.cycle": (0, ""),
    "itertools.takewhile": (1, ""),
    "itertools.dropwhile": (1, ""),
    "itertools.filterfalse": (1, ""),
    "itertools.compress": (0, ""),
    "itertools.accumulate": (0, ""),
}

#: Containers that are no builtins, by the name of their type, with the module that they are of.
HOMES: Final = {"Counter": "collections", "deque": "collections"}

#: Decorators after which the name still means the decorated definition.
TRANSPARENT_DECORATORS: Final = frozenset(
    {
        "staticmethod",
        "classmethod",
        "abstractmethod",
        "contextmanager",
        "asynccontextmanager",
        "wraps",
        "lru_cache",
        "cache",
        "overload",
        "final",
        "override",
        "dataclass",
        "total_ordering",
        "singledispatch",
        "runtime_checkable",
        "unique",
        "fixture",
        "parametrize",
    }
)

#: Containers whose name in an annotation is the type whose methods are called.
BUILTIN_CONTAINERS: Final = frozenset({"list", "dict", "set", "frozenset", "tuple"})

UNION_TYPES: Final = frozenset(
    {"Optional", "Union", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "Awaitable", "Coroutine"}
)
CONTAINER_TYPES: Final = frozenset(
    [
        "list",
        "List",
        "tuple",
        "Tuple",
        "set",
        "Set",
        "frozenset",
        "FrozenSet",
        "Sequence",
        "MutableSequence",
        "Iterable",
        "Iterator",
        "Collection",
        "Generator",
        "AsyncIterator",
        "AsyncIterable",
        "AsyncGenerator",
        "deque",
        "Deque",
        "AbstractSet",
        "ContextManager",
        "AbstractContextManager",
    ]
)
MAPPING_TYPES: Final = frozenset(
    [
        "dict",
        "Dict",
        "Mapping",
        "MutableMapping",
        "defaultdict",
        "DefaultDict",
        "OrderedDict",
        "WeakKeyDictionary",
        "WeakValueDictionary",
    ]
)
_BUILTIN_TYPES: Final = frozenset(
    [
        "str",
        "bytes",
        "bytearray",
        "int",
        "float",
        "complex",
        "bool",
        "list",
        "dict",
        "set",
        "frozenset",
        "tuple",
        "range",
        "memoryview",
        "slice",
    ]
)
_GIVES: Final = {
    "<builtin>.open": ("i", "io.TextIOWrapper"),
    "<builtin>.repr": ("t", "str"),
    "<builtin>.input": ("t", "str"),
    "<builtin>.len": ("t", "int"),
    "<builtin>.sum": ("t", "int"),
    "<builtin>.<builtin>": ("t", "str"),
    "<builtin>.str.format": ("t", "str"),
    "<builtin>.str.join": ("t", "str"),
    "<builtin>.str.split": ("t", "list"),
    "<builtin>.str.strip": ("t", "str"),
    "<builtin>.str.replace": ("t", "str"),
    "<builtin>.str.lower": ("t", "str"),
    "<builtin>.str.upper": ("t", "str"),
    "<builtin>.str.encode": ("t", "bytes"),
    "<builtin>.bytes.decode": ("t", "str"),
}

#: Builtins to the special methods of an argument that they run, the first that it has.
RUNS_METHODS: Final[dict[str, tuple[str, ...]]] = {
    "<builtin>.len": ("len",),
    "<builtin>.str": ("str", "repr"),
    "<builtin>.print": ("str", "repr"),
    "<builtin>.repr": ("repr",),
    "<builtin>.format": ("format", "str"),
    "<builtin>.iter": ("iter",),
    "<builtin>.next": ("next",),
    "<builtin>.reversed": ("reversed",),
    "<builtin>.bool": ("bool", "len"),
    "<builtin>.int": ("int", "index"),
    "<builtin>.float": ("float",),
    "<builtin>.bytes": ("bytes",),
    "<builtin>.hash": ("hash",),
    "<builtin>.abs": ("abs",),
    "<builtin>.round": ("round",),
    "<builtin>.dir": ("dir",),
    "<builtin>.list": ("iter",),
    "<builtin>.tuple": ("iter",),
    "<builtin>.set": ("iter",),
    "<builtin>.sorted": ("iter",),
    "<builtin>.sum": ("iter",),
    "<builtin>.any": ("iter",),
    "<builtin>.all": ("iter",),
    "<builtin>.enumerate": ("iter",),
    "contextlib.ExitStack.enter_context": ("enter",),
    "copy.copy": ("copy",),
    "copy.deepcopy": ("deepcopy",),
}

#: Builtins and library calls that call what they are handed.
CALLS_ARGUMENT: Final = frozenset(
    {
        "<builtin>.map",
        "<builtin>.filter",
        "<builtin>.sorted",
        "<builtin>.max",
        "<builtin>.min",
        "<builtin>.iter",
        "<builtin>.list.sort",
        "functools.reduce",
        "itertools.takewhile",
        "itertools.dropwhile",
        "itertools.starmap",
        "itertools.groupby",
        "itertools.filterfalse",
        "itertools.accumulate",
        "asyncio.run",
    }
)


def has_attribute(kind: str, name: str) -> bool:
    """Whether values of the builtin type have the attribute; so it seems for types that are not known here."""
    known = getattr(builtins, kind, None)
    return not isinstance(known, type) or hasattr(known, name)


def builtin_instance(name: str) -> tuple[str, str] | None:
    """The instance that calling (or annotating with) a builtin gives."""
    head, _, tail = name.rpartition(".")
    if head == "<builtin>" and tail in _BUILTIN_TYPES:
        return ("t", tail)
    return _GIVES.get(name)
