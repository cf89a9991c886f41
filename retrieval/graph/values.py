"""Values, and the small pure functions on them and on bindings. The forms of values are listed in ``infer``."""

from __future__ import annotations

from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.modules import Binding, Module
from retrieval.languages.python.facts_ops import Op

Value = tuple[Any, ...]
Values = dict[Value, int]
Key = tuple[Any, ...]
#: A place in which an expression is evaluated: scope, order, block.
Place = tuple[int, int, int]

EMPTY: Values = {}
#: Too many alternatives to say anything; absorbs all others, so that giving up is as order-free as the rest.
TOP: Value = ("?",)
ANYTHING: Values = {TOP: q.MULTI}
#: The order of a use that sees a scope from outside, after all its bindings.
FAR = 1 << 30
#: More alternatives than this say nothing, but for functions: what a registry holds may be called there.
MAX_VALUES = 24
MAX_FUNCTIONS = 1_000
#: Expressions followed inside one another.
MAX_NESTING = 60


def join(into: Values, values: Values, step: int = 0) -> None:
    """Adds ``values``, each at least as uncertain as ``step``."""
    for value, quality in values.items():
        if quality < step:
            quality = step
        old = into.get(value)
        if old is None or quality < old:
            into[value] = quality


def stepped(values: Values, step: int) -> Values:
    """The values, each at least as uncertain as ``step``; the same dict where nothing changes."""
    for quality in values.values():
        if quality < step:
            return {value: max(quality, step) for value, quality in values.items()}
    return values


def bounded(values: Values) -> Values:
    """The values; where there are too many to tell anything apart, functions alone, and ``ANYTHING`` without these."""
    if TOP in values:
        return ANYTHING
    if len(values) <= MAX_VALUES:
        return values
    values = collapsed(values)
    return values if len(values) <= MAX_VALUES or is_many(values) else ANYTHING


def is_many(values: Values) -> bool:
    """Whether these are too many to follow, and kept since most of them are functions."""
    if not MAX_VALUES < len(values) <= MAX_FUNCTIONS:
        return False
    return sum(1 for value in values if value[0] in "fb") * 2 > len(values)


def without_functions(values: Values) -> Values:
    """Of many values those that have attributes of their own to look at."""
    kept = {value: step for value, step in values.items() if value[0] not in "fb"}
    return kept if 0 < len(kept) <= MAX_VALUES else ANYTHING


def adds(binding: Binding) -> bool:
    expression = binding[1]
    return isinstance(expression, list) and expression[0] == Op.ALSO


def is_accessor(module: Module, binding: Binding) -> bool:
    """``@x.setter`` and its like: reading the name still runs the getter."""
    expression = binding[1]
    if not (isinstance(expression, list) and expression[0] == Op.DEF):
        return False
    return any(name.endswith((".setter", ".deleter")) for name in module.scopes[expression[1]].decorator_names())


def is_definition(bindings: list[Binding]) -> bool:
    return any(isinstance(binding[1], list) and binding[1][0] == Op.DEF for binding in bindings)


def dotted(expression: Any) -> str:
    """The dotted name of an expression or of what it calls or subscripts; "" where there is none."""
    if isinstance(expression, list) and expression[0] in (Op.CALL, Op.GENERIC, Op.ITEM):
        expression = expression[1]
    return expression if isinstance(expression, str) else ""


def visible(module: Module, bindings: list[Binding], order: int, block: int) -> list[int]:
    """Bindings that a use at ``order`` in ``block`` can see; all of them where none comes before it."""
    kept: list[int] = []
    for position, binding in enumerate(bindings):
        if binding[2] < order:
            if not adds(binding) and module.is_within(block, binding[3]):
                kept = [position]
            else:
                kept.append(position)
        elif module.share_loop(binding[3], block):
            kept.append(position)
    return kept or list(range(len(bindings)))


#: Values inside values, and how many of them: containers of containers would grow without end.
_MAX_DEPTH = 2
_MAX_PARTS = 16


def depth(value: Value) -> int:
    """How deep a value nests others."""
    kind = value[0]
    if kind == "w":
        return 1 + depth(value[1])
    if kind == "h":
        return 1 + max(map(depth, value[1]), default=0)
    if kind == "q":
        return 1 + max((depth(inner) for part in value[1] for inner in part), default=0)
    return 1 if kind in ("V", "I", "P2", "x") else 0


def frozen(values: Values) -> tuple[Value, ...]:
    """The values without their qualities, as part of another value; of many or deep ones, none."""
    if len(values) > _MAX_PARTS:
        return ()
    return tuple(sorted((value for value in values if depth(value) < _MAX_DEPTH), key=repr))


def constants(values: Values) -> list[Value]:
    """The strings and numbers among the values."""
    return [value for value in values if value[0] in ("'", "#")]


def collapsed(values: Values) -> Values:
    """Many constants are as good as their types: no key can be told from them."""
    out: Values = {}
    for value, step in values.items():
        if value[0] == "'":
            value = ("t", "str")
        elif value[0] == "#":
            value = ("t", "int")
        join(out, {value: step})
    return out


def argument_of(args: list[Any], position: int, name: str) -> Any:
    """The expression passed for a parameter; 0 where none is, or where unpacking hides the positions."""
    place = 0
    for argument in args:
        if isinstance(argument, list) and argument and argument[0] in (Op.STAR, Op.STARSTAR):
            return 0
        if isinstance(argument, list) and argument and argument[0] == Op.KEYWORD:
            if argument[1] == name:
                return argument[2]
            continue
        if place == position:
            return argument
        place += 1
    return 0


def bound_arguments(params: list[list[Any]], args: list[Any], shift: int) -> list[tuple[str, Any]]:
    """(parameter, expression) of the arguments whose parameter is plain from their place or keyword."""
    found: list[tuple[str, Any]] = []
    position = shift
    hidden = False
    for argument in args:
        if isinstance(argument, list) and argument:
            if argument[0] in (Op.STAR, Op.STARSTAR):
                hidden = True
                continue
            if argument[0] == Op.KEYWORD:
                if any(param[0] == argument[1] for param in params):
                    found.append((argument[1], argument[2]))
                continue
        if not hidden and position < len(params) and not params[position][0].startswith("*"):
            found.append((params[position][0], argument))
        position += 1
    return found


def enclosing_class(module: Module, index: int) -> int:
    current = index
    while current >= 0:
        scope = module.scopes[current]
        if scope.kind == "c":
            return current
        current = scope.parent
    return -1


def linearise(chains: list[list[Value | None]], direct: list[Value | None]) -> list[Value | None]:
    """C3 (Barrett et al. 1996); where it has no solution, depth first with later duplicates kept."""
    work = [list(chain) for chain in chains] + [list(direct)]
    out: list[Value | None] = []
    while any(work):
        for chain in work:
            if not chain:
                continue
            head = chain[0]
            if head is None or not any(head in other[1:] for other in work):
                break
        else:
            rest = [entry for chain in work for entry in chain]
            return out + list(dict.fromkeys(entry for entry in rest if entry not in out))
        out.append(head)
        if head is None:
            chain.pop(0)
            continue
        for chain in work:
            if chain and chain[0] == head:
                chain.pop(0)
    return out
