"""What the resolver knows about the standard library, as tables."""

from __future__ import annotations

from typing import Final

#: Calls that hand back (or iterate like) one of their arguments, with its position.
IDENTITY_CALLS: Final[dict[str, int]] = {
    "<builtin>.iter": 0,
    "<builtin>.list": 0,
    "<builtin>.tuple": 0,
    "<builtin>.set": 0,
    "<builtin>.frozenset": 0,
    "<builtin>.sorted": 0,
    "<builtin>.reversed": 0,
    "<builtin>.filter": 1,
    "<builtin>.dict": 0,
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
    "contextlib.closing": 0,
    "contextlib.contextmanager": 0,
    "weakref.proxy": 0,
}

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

#: Builtins and library calls that call what they are handed.
CALLS_ARGUMENT: Final = frozenset(
    {
        "<builtin>.map",
        "<builtin>.filter",
        "<builtin>.sorted",
        "<builtin>.max",
        "<builtin>.min",
        "<builtin>.iter",
        "functools.reduce",
        "itertools.takewhile",
        "itertools.dropwhile",
        "itertools.starmap",
        "itertools.groupby",
        "asyncio.run",
    }
)


def builtin_instance(name: str) -> tuple[str, str] | None:
    """The instance that calling (or annotating with) a builtin gives."""
    head, _, tail = name.rpartition(".")
    if head == "<builtin>" and tail in _BUILTIN_TYPES:
        return ("t", tail)
    return _GIVES.get(name)
