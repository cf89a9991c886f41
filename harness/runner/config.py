"""What a run is: everything that decides its answers, in one record with a digest."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.tiers.protocol import TierOptions
from harness.tiers.registry import tier_info
from retrieval.errors import UserError
from retrieval.version import VERSION

ANSWERERS = ("offline", "openai", "none")


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Settings of one run.

    Attributes:
        tier: Key of the registry.
        answerer: ``offline`` (composed from the tier's evidence alone), ``openai`` (a model reads it), or ``none``
            (evidence only: recall and tokens are measured, nothing is answered).
        model, base_url: For ``openai``. The key is read from the environment and never recorded.
        repeat: How often each question is asked; useful with a model only.
        seed: Sent to the model; a repeat adds its number.
        questions_sha256: Of the question file's bytes.
        price_in, price_out: US dollars per million prompt and completion tokens; None when unknown.
        off: Parts of the product that are switched off, by name (``harness.ablate``).
    """

    tier: str
    options: TierOptions
    answerer: str
    questions_sha256: str
    model: str = ""
    base_url: str = ""
    repeat: int = 1
    seed: int = 0
    price_in: float | None = None
    price_out: float | None = None
    off: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {"harness_version": VERSION, "method": tier_info(self.tier).method, **asdict(self)}

    @property
    def digest(self) -> str:
        """16 hex digits; two runs with one digest ask the same questions in the same way."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()[:16]


def file_sha256(path: Path) -> str:
    """Raises UserError when the file cannot be read."""
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        raise UserError(
            f"Cannot read {path}: {error.strerror or error}.", "Give a question file: --questions FILE"
        ) from error
