"""The methods by name."""

from __future__ import annotations

from agent.cca.baselines.compiled import Cca
from agent.cca.baselines.ctx2skill import Ctx2Skill
from agent.cca.baselines.readagent import ReadAgent
from agent.cca.baselines.vanilla import Vanilla
from agent.cca.flags import FULL, PRESETS
from agent.cca.protocol import Method
from retrieval.errors import UserError

NAMES = (
    "vanilla",
    "readagent",
    "ctx2skill",
    "cca",
    *(f"cca-{name}" for name in PRESETS if name not in ("vanilla", "full")),
    "cca-adaptive",
)


def method(name: str, *, model_compiler: bool = False, context_budget: int = 0, rounds: int = 0) -> Method:
    """A method by name: one of ``NAMES``, or ``cca-no-F2`` (and so on) for CCA without a part.

    ``rounds``: of Ctx2Skill's self-play (0: its own number).

    Raises:
        UserError: There is none of that name.
    """
    key = name.strip()
    if key == "vanilla":
        return Vanilla()
    if key == "readagent":
        return ReadAgent()
    if key == "ctx2skill":
        return Ctx2Skill(rounds=rounds) if rounds else Ctx2Skill()
    flags, adaptive = None, False
    if key in ("cca", "cca-adaptive"):
        flags, adaptive = FULL, key == "cca-adaptive"
    elif key in NAMES:
        flags = PRESETS[key.removeprefix("cca-")]
    elif key.startswith("cca-no-"):
        flags = FULL.without(*key.removeprefix("cca-no-").split("-"))
    if flags is None:
        raise UserError(
            f"There is no method {name!r}.", f"Use {', '.join(NAMES)}, or cca-no-F2 and so on for CCA without a part."
        )
    return Cca(key, flags, adaptive, model_compiler, context_budget=context_budget)
