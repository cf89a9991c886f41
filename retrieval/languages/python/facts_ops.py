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
    STR: Final = "'"  # ["'", text]
    INT: Final = "#"
    SEQ: Final = "["  # ["[", list|tuple|set|generator, elements, number]
    DICT: Final = "{"  # ["{", [[key, expression], …], number]
    ITEM: Final = "s"  # ["s", base, key]
    DEF: Final = "d"  # ["d", scope]: a function, class or lambda of this file
    RAW: Final = "d0"  # ["d0", scope]: the same before its decorators are applied
    EITHER: Final = "|"
    ITER: Final = "i"  # ["i", expression]: what iterating it gives
    UNPACK: Final = "u"  # ["u", expression, position]
    ENTER: Final = "w"  # ["w", expression]: what its __enter__ gives
    EXCEPT: Final = "x"  # ["x", class expression or tuple]: an instance of it
    MODULE: Final = "m"  # ["m", dotted module]
    FROM: Final = "f"  # ["f", module, name]
    GENERIC: Final = "g"  # ["g", base, arguments]: a subscripted annotation
    DECLARED: Final = ":"  # [":", annotation, value]
    ALSO: Final = "+"  # ["+", expression]: adds to what the name already holds


BUILTIN_NAMES: Final = frozenset(name for name in dir(builtins)) | {"__file__", "__name__", "__doc__", "reveal_type"}
