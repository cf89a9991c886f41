"""What a run is: everything that decides its answers, in one record with a digest."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from harness.tiers.protocol import TierOptions
from harness.tiers.registry import tier_info
from retrieval.errors import UserError
from retrieval.version import VERSION

ASK = "ask"
_PACKAGES = ("retrieval", "agent", "harness")


@dataclass(frozen=True, slots=True)
class Answering:
    """How answers are made.

    Attributes:
        answerer: ``offline`` (composed from the tier's evidence alone), ``openai`` (a model reads it), ``ask`` (as
            ``contextc ask`` does offline, with the whole index beside the evidence: the product, no comparison of
            tiers), or ``none`` (evidence only: recall and tokens are measured, nothing is answered).
        model, base_url: For ``openai``. The key is read from the environment and never recorded.
        repeat: How often each question is asked; useful with a model only.
        seed: Sent to the model; a repeat adds its number.
        price_in, price_out: US dollars per million prompt and completion tokens; None when unknown.
    """

    answerer: str = "offline"
    model: str = ""
    base_url: str = ""
    repeat: int = 1
    seed: int = 0
    price_in: float | None = None
    price_out: float | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked about what.

    Attributes:
        questions_sha256: Of the question file's bytes.
        chosen: The selection from it, as text.
        corpora: (name, content id of its index), sorted: answers of another state of a tree are another run's.
    """

    questions_sha256: str
    chosen: str
    corpora: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Settings of one run."""

    tier: str
    options: TierOptions
    answering: Answering
    asked: Asked

    def to_dict(self) -> dict[str, Any]:
        head = {"harness_version": VERSION, "code_sha256": code_sha256(), "method": tier_info(self.tier).method}
        return {**head, **asdict(self)}

    @property
    def digest(self) -> str:
        """16 hex digits; two runs with one digest ask the same of the same trees in the same way, by the same code."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()[:16]


@cache
def code_sha256() -> str:
    """Of the sources that are running: a run is not gone on with by other code."""
    root = Path(__file__).resolve().parent.parent.parent
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def file_sha256(path: Path) -> str:
    """Raises UserError when the file cannot be read."""
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        raise UserError(
            f"Cannot read {path}: {error.strerror or error}.", "Give a question file: --questions FILE"
        ) from error
