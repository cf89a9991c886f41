"""The operators of the expressions that ``facts`` writes and the resolver reads."""

from __future__ import annotations

import builtins
from typing import Final


class Op:
    """First element of a structured expression; plain strings, because they travel as JSON."""

    TYPE: Final = "t"  # ["t", name]: an instance of a builtin type, from a literal
    ATTR: Final = "."  # [".", expression, name]
    CALL: Final = "("  # ["(", callee, arguments]
    KEYWORD: Final = "="  # ["=", name, expression]: an argument
    STAR: Final = "*"  # ["*", expression]: an unpacked argument or element
    STAR0: Final = "*0"  # ["*0", expression]: every element of a comprehension
    STARSTAR: Final = "**"
    STR: Final = "'"  # ["'", text]: a short string, which may be a key or a name
    INT: Final = "#"  # ["#", number]
    SEQ: Final = "["  # ["[", list|tuple|set|generator, elements, number]
    DICT: Final = "{"  # ["{", [[key, expression], …], number]
    ITEM: Final = "s"  # ["s", base, key]
    DEF: Final = "d"  # ["d", scope]: a function, class or lambda of this file
    RAW: Final = "d0"  # ["d0", scope, n]: the same with only the n innermost of its decorators applied
    EITHER: Final = "|"
    ITER: Final = "i"  # ["i", expression]: what iterating it gives
    UNPACK: Final = "u"  # ["u", expression, position]; negative positions count from the end
    REST: Final = "u*"  # ["u*", expression, position, number of targets after it]: a starred target
    SLICE: Final = "sl"  # ["sl", base, start, stop or null]
    OPERATOR: Final = "%"  # ["%", special method, operand, other operand]: what an operator gives
    ENTER: Final = "w"  # ["w", expression]: what its __enter__ gives
    EXCEPT: Final = "x"  # ["x", class expression or tuple]: an instance of it
    FIELD: Final = "mf"  # ["mf", class expression, position]: what a positional part of a class pattern is matched with
    SENT: Final = "ys"  # ["ys", scope]: what a generator is sent where it yields
    DELEGATED: Final = "yf"  # ["yf", expression]: what a generator that is yielded from returns
    MODULE: Final = "m"  # ["m", dotted module]
    FROM: Final = "f"  # ["f", module, name]
    GENERIC: Final = "g"  # ["g", base, arguments]: a subscripted annotation
    DECLARED: Final = ":"  # [":", annotation, value]
    ALSO: Final = "+"  # ["+", expression]: adds to what the name already holds


class Use:
    """What a place of ``O`` does with its operand, besides running the special method it names (``add``, ``iadd``)."""

    ITERATE: Final = "iter"
    RAISE: Final = "raise"
    READ: Final = "."  # of an attribute, whose name is the other operand


class Put:
    """How a place of ``T`` stores a value in its owner."""

    ATTRIBUTE: Final = "."  # owner.name = value
    ITEM: Final = "["  # owner[key] = value, owner.append(value)
    SEND: Final = ">"  # owner.send(value)
    ALL: Final = "*"  # owner.extend(value), owner.update(value)


#: Operators to the special method they run, without underscores.
BINARY: Final = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "@": "matmul",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "lshift",
    ">>": "rshift",
}

BUILTIN_NAMES: Final = frozenset(name for name in dir(builtins)) | {"__file__", "__name__", "__doc__", "reveal_type"}

#: Behind the type of a container that only shows what was put into one, whose type another binding tells.
ADDED: Final = "+"

#: Between the name of a comprehension's target and a number: no name of the text has it.
LOCAL: Final = "~"
