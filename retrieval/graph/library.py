"""What calls of the standard library give, by its models, and what is known of others outside the tree."""

from __future__ import annotations

from typing import Any

from retrieval.graph import quality as q
from retrieval.graph.annotations import Annotations
from retrieval.graph.builtins_model import COPYING_CALLS, HOMES, IDENTITY_CALLS, builtin_instance
from retrieval.graph.contexts import NOWHERE
from retrieval.graph.modules import Module
from retrieval.graph.values import EMPTY, Place, Value, Values, argument_of, constants, frozen, join
from retrieval.languages.python.facts_ops import Op


class Library(Annotations):
    def _external(self, name: str, args: list[Any], module: Module, place: Place) -> Values:
        if name in IDENTITY_CALLS:
            given = argument_of(args, IDENTITY_CALLS[name], "")
            found = self.eval(given, module, *place) if given != 0 else EMPTY
            if name == "<builtin>.iter":
                found = {**found, **self.result(self.operator_methods("iter", found, EMPTY), q.RETURN)}
            instance = builtin_instance(name)
            return found if found or instance is None else {instance: q.BUILTIN}
        if name in _PAIRING:
            return self._zipped(args, module, place)
        if name in GETTERS:
            found = {}
            for argument in args[:1] if name == "operator.methodcaller" else args:
                join(found, self.eval(argument, module, *place) if argument != 0 else EMPTY)
            keys = tuple(sorted(constants(found), key=repr))
            return {("O", name.partition(".")[2], keys): q.CONTAINER} if keys else EMPTY
        if name in COPYING_CALLS:
            position, kind = COPYING_CALLS[name]
            given = argument_of(args, position, "")
            found = self.copied(self.eval(given, module, *place), kind) if given != 0 else EMPTY
            if not found and kind in HOMES:
                return {("i", name): q.ASSIGNED}
            return found or ({("t", kind): q.BUILTIN} if kind else EMPTY)
        model = _MODELS.get(name)
        if model is not None and args:
            return model(self, args, module, place)
        if name == "<builtin>.globals":
            return {("G", module.name): q.MODULE}
        if name == "<builtin>.locals":
            return {("l", module.number, place[0]): q.LOCAL}
        instance = builtin_instance(name)
        if instance is not None:
            return {instance: q.BUILTIN}
        tail = name.rpartition(".")[2]
        if tail[:1].isupper() and not name.startswith("<builtin>"):
            return {("i", name): q.ASSIGNED}
        return EMPTY

    def _type(self, args: list[Any], module: Module, place: Place) -> Values:
        values = self.eval(args[0], module, *place) if len(args) == 1 else EMPTY
        return {("c", v[1], v[2]): s for v, s in values.items() if v[0] == "o"}

    def _getattr(self, args: list[Any], module: Module, place: Place) -> Values:
        out: Values = {}
        owner = self.eval(args[0], module, *place)
        for key in constants(self.eval(args[1], module, *place)) if len(args) > 1 else ():
            if key[0] == "'":
                join(out, self.attribute(owner, key[1]), q.ATTRIBUTE)
        if len(args) > 2:
            out = dict(out)
            join(out, self.eval(args[2], module, *place), q.ATTRIBUTE)
        return out

    def _next(self, args: list[Any], module: Module, place: Place) -> Values:
        found = self.eval(args[0], module, *place)
        out = self.result(self.operator_methods("next", found, EMPTY), q.RETURN)
        join(out, self.iterate({v: s for v, s in found.items() if v[0] != "o"}))
        return out

    def _applied(self, args: list[Any], module: Module, place: Place) -> Values:
        """What calling the first argument gives: ``reduce``, ``map``."""
        out: Values = {}
        for value, step in self.eval(args[0], module, *place).items():
            if value[0] in "fb":
                join(out, self._returned(value, [], None, NOWHERE), max(step, q.RETURN))
            elif value[0] == "c":
                join(out, {("o", value[1], value[2]): q.RETURN})
        return out

    def _mapped(self, args: list[Any], module: Module, place: Place) -> Values:
        out = self._applied(args, module, place)
        return {("h", frozen(out), "map"): q.CONTAINER} if out else EMPTY

    def _zipped(self, args: list[Any], module: Module, place: Place) -> Values:
        parts = tuple(frozen(self.iterate(self.eval(argument, module, *place))) for argument in args)
        return {("h", (("q", parts),), "zip"): q.CONTAINER}

    def _enumerated(self, args: list[Any], module: Module, place: Place) -> Values:
        parts = ((), frozen(self.iterate(self.eval(args[0], module, *place))))
        return {("h", (("q", parts),), "enumerate"): q.CONTAINER}

    def _mapping(self, args: list[Any], module: Module, place: Place) -> Values:
        """``dict(x)``: what it holds under any key, where it is made of pairs, and of a mapping the mapping."""
        out: Values = {}
        for value, step in (self.eval(args[0], module, *place) if args[0] != 0 else EMPTY).items():
            pairs = EMPTY
            if value[0] in "hgw" or self.is_sequence(value):
                pairs = self.item(self.iterate({value: step}), [("#", 1)])
            join(out, {("h", frozen(pairs), "dict"): q.CONTAINER} if pairs else {value: step})
        return out or {("t", "dict"): q.BUILTIN}

    def _from_keys(self, args: list[Any], module: Module, place: Place) -> Values:
        held = frozen(self.eval(args[1], module, *place)) if len(args) > 1 and args[1] != 0 else ()
        return {("h", held, "dict"): q.CONTAINER}

    def _layered(self, args: list[Any], module: Module, place: Place) -> Values:
        out: Values = {}
        for argument in args:
            join(out, self.eval(argument, module, *place) if argument != 0 else EMPTY, q.CONTAINER)
        return out

    def _held(self, args: list[Any], module: Module, place: Place) -> Values:
        """What ``with`` gives back as it is: ``closing(x)``, ``nullcontext(x)``."""
        return {("h", frozen(self.eval(args[0], module, *place)), ""): q.CONTAINER}

    def _entered(self, args: list[Any], module: Module, place: Place) -> Values:
        return self._enter(self.eval(args[0], module, *place))

    def _flattened(self, args: list[Any], module: Module, place: Place) -> Values:
        found = frozen(self.iterate(self.iterate(self.eval(args[0], module, *place))))
        return {("h", found, ""): q.CONTAINER} if found else EMPTY

    def _grouped(self, args: list[Any], module: Module, place: Place) -> Values:
        """Pairs, or tuples, whose last part holds elements of the argument."""
        inner = ("h", frozen(self.iterate(self.eval(args[0], module, *place))), "")
        return {("h", (("q", ((), (inner,))),), ""): q.CONTAINER}

    def _combined(self, args: list[Any], module: Module, place: Place) -> Values:
        inner = ("h", frozen(self.iterate(self.eval(args[0], module, *place))), "tuple")
        return {("h", (inner,), ""): q.CONTAINER}

    def _repeated(self, args: list[Any], module: Module, place: Place) -> Values:
        return {("h", frozen(self.eval(args[0], module, *place)), ""): q.CONTAINER}

    def _fetched(self, getter: Value, values: Values) -> Values:
        """What one of ``operator``'s getters gives of these values."""
        out: Values = {}
        for key in getter[2]:
            if getter[1] == "itemgetter":
                join(out, self.item(values, [key]))
            elif key[0] == "'":
                found: Values = values
                for name in key[1].split("."):
                    found = self.attribute(found, name)
                join(out, found if getter[1] == "attrgetter" else self.result(found, q.RETURN))
        return out

    def _chained(self, args: list[Any], module: Module, place: Place) -> Values:
        out: Values = {}
        for argument in args:
            join(out, self.iterate(self.eval(argument, module, *place)))
        return {("h", frozen(out), ""): q.CONTAINER} if out else EMPTY

    def _one_of(self, args: list[Any], module: Module, place: Place) -> Values:
        if len(args) == 1 or (isinstance(args[1], list) and args[1] and args[1][0] == Op.KEYWORD):
            return self.iterate(self.eval(args[0], module, *place))
        out: Values = {}
        for argument in args:
            if not (isinstance(argument, list) and argument and argument[0] == Op.KEYWORD):
                join(out, self.eval(argument, module, *place), q.MULTI)
        return out

    def _imported_by_name(self, args: list[Any], module: Module, place: Place) -> Values:
        out: Values = {}
        for key in constants(self.eval(args[0], module, *place)):
            if key[0] == "'" and key[1] and not key[1].startswith("."):
                join(out, self._module_value(module, key[1]), q.ATTRIBUTE)
        return out


_PAIRING = frozenset({"itertools.product", "itertools.zip_longest"})
GETTERS = frozenset({"operator.attrgetter", "operator.itemgetter", "operator.methodcaller"})
_MODELS = {
    "<builtin>.type": Library._type,
    "<builtin>.getattr": Library._getattr,
    "<builtin>.next": Library._next,
    "<builtin>.map": Library._mapped,
    "functools.reduce": Library._applied,
    "<builtin>.zip": Library._zipped,
    "<builtin>.dict": Library._mapping,
    "collections.OrderedDict": Library._mapping,
    "<builtin>.dict.fromkeys": Library._from_keys,
    "collections.ChainMap": Library._layered,
    "contextlib.closing": Library._held,
    "contextlib.aclosing": Library._held,
    "contextlib.nullcontext": Library._held,
    "contextlib.ExitStack.enter_context": Library._entered,
    "contextlib.AsyncExitStack.enter_context": Library._entered,
    "contextlib.AsyncExitStack.enter_async_context": Library._entered,
    "itertools.starmap": Library._mapped,
    "itertools.chain.from_iterable": Library._flattened,
    "itertools.groupby": Library._grouped,
    "itertools.combinations": Library._combined,
    "itertools.permutations": Library._combined,
    "itertools.pairwise": Library._combined,
    "itertools.tee": Library._combined,
    "itertools.repeat": Library._repeated,
    "<builtin>.enumerate": Library._enumerated,
    "itertools.chain": Library._chained,
    "<builtin>.max": Library._one_of,
    "<builtin>.min": Library._one_of,
    "importlib.import_module": Library._imported_by_name,
    "<builtin>.__import__": Library._imported_by_name,
}
