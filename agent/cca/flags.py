"""The paper's seven parts as switches, and its variants by name.

F1 compiler, F2 checklist injection, F3 CodeGen, F4 verification, F5 data analysis, F6 correction, F7 head/tail
truncation (appendix A.7). The presets follow from the ablation: F2 is what V3 has over V6, F4 what V2 has over V3, F6
what Full has over V2, and V4 is Full without F2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from retrieval.errors import UserError


@dataclass(frozen=True, slots=True)
class Flags:
    """Which parts run. F2 to F6 need F1, F4 needs F3, F6 needs F4: without them they have nothing to do."""

    f1_compiler: bool = True
    f2_checklist: bool = True
    f3_codegen: bool = True
    f4_verify: bool = True
    f5_data: bool = True
    f6_correct: bool = True
    f7_truncate: bool = True

    def without(self, *names: str) -> Flags:
        """A copy with parts (``F2``, ``f2`` …) switched off.

        Raises:
            UserError: There is no such part.
        """
        off = {}
        for name in names:
            matching = [field for field in self.__slots__ if field.split("_")[0] == name.strip().lower()]
            if not matching:
                raise UserError(f"There is no part {name!r} of CCA.", "The parts are F1 to F7.")
            off[matching[0]] = False
        return replace(self, **off)


FULL = Flags()
VANILLA = Flags(False, False, False, False, False, False, False)
PRESETS: dict[str, Flags] = {
    "vanilla": VANILLA,
    "v6": FULL.without("F2", "F4", "F6"),
    "v3": FULL.without("F4", "F6"),
    "v2": FULL.without("F6"),
    "v4": FULL.without("F2"),
    "full": FULL,
}


def preset(name: str) -> Flags:
    """The flags of a named variant.

    Raises:
        UserError: There is no such variant.
    """
    flags = PRESETS.get(name.strip().lower())
    if flags is None:
        raise UserError(f"There is no CCA variant {name!r}.", f"Use one of {', '.join(PRESETS)}.")
    return flags
