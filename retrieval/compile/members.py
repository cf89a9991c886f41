"""Members that a dotted name reaches without spelling their place: inherited ones, and what a package offers."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.records import SymbolLookup, SymbolRow

_MAX_BASES = 24  # classes looked at for an inherited member


def exported(parts: Sequence[str], lookup: SymbolLookup) -> tuple[SymbolRow, ...]:
    """``click.Path`` is ``click.types.Path``: what a package offers is defined in a module below it."""
    package = ".".join(parts[:-1])
    if not any(
        row.symbol.qualname == package and row.symbol.kind == "module" for row in lookup.symbols_named(parts[-2])
    ):
        return ()
    return tuple(
        row
        for row in lookup.symbols_named(parts[-1])
        if row.symbol.qualname.startswith(package + ".") and row.symbol.kind in ("function", "class", "variable")
    )


def inherited(owner: str, member: str, lookup: SymbolLookup) -> tuple[SymbolRow, ...]:
    """Definitions of ``member`` in the nearest base of a class named ``owner`` that has it; bases by simple name."""
    order = [owner]
    for name in order:  # grows while it is walked: nearest bases first
        for row in lookup.symbols_named(name) if len(order) < _MAX_BASES else ():
            for written in row.symbol.bases if row.symbol.kind == "class" else ():
                base = written.split("[", 1)[0].rsplit(".", 1)[-1].strip()
                if base.isidentifier() and base not in order:
                    order.append(base)
    if len(order) == 1:
        return ()
    holders: dict[str, list[SymbolRow]] = {}
    for row in lookup.symbols_named(member):
        holders.setdefault(row.symbol.parent.rsplit(".", 1)[-1], []).append(row)
    return next((tuple(holders[name]) for name in order if name in holders), ())
