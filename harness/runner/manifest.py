"""The file beside a run that says what it is and whether it is complete; found again to resume it."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.runner.config import RunConfig
from harness.runner.jsonl import create_new
from harness.tiers.registry import TIERS

SUFFIX = ".meta.json"


@dataclass(frozen=True, slots=True)
class RunFile:
    """A run on the disk. ``path`` holds its rows, one answered question each."""

    run_id: str
    path: Path

    @property
    def meta_path(self) -> Path:
        return self.path.with_name(self.path.name.removesuffix(".jsonl") + SUFFIX)


def new_run(out: Path, config: RunConfig, run_id: str = "") -> RunFile:
    """A fresh run file with its manifest. Raises UserError when the folder cannot be written."""
    parts = (config.to_dict()["method"], config.options.budget, config.answering.answerer)
    name = run_id or "-".join(map(str, (*parts, time.strftime("%Y%m%d-%H%M%S"))))
    path = create_new(out / f"{name}.jsonl")
    run = RunFile(path.stem, path)
    write_meta(run, config, "running")
    return run


def write_meta(run: RunFile, config: RunConfig, state: str, **more: object) -> None:
    """Atomic: the old one or the new one is there, whole."""
    value = {"run_id": run.run_id, "state": state, "config_digest": config.digest, "config": config.to_dict(), **more}
    aside = run.meta_path.with_name(f"{run.meta_path.name}.{os.getpid()}.tmp")
    with aside.open("w", encoding="utf-8") as handle:
        json.dump(value, handle, indent=1)
        handle.flush()
        os.fsync(handle.fileno())
    aside.replace(run.meta_path)


def find_run(out: Path, config: RunConfig, run_id: str = "", *, complete: bool = False) -> RunFile | None:
    """The newest run in ``out`` with this config (and this id, if one is given) that is not complete, or may be."""
    found: list[tuple[float, str, RunFile]] = []
    with contextlib.suppress(OSError):
        for meta in out.glob(f"{glob.escape(run_id) or '*'}{SUFFIX}"):
            value = read_meta(meta)
            if value.get("config_digest") == config.digest and (complete or value.get("state") != "complete"):
                run = RunFile(str(value.get("run_id")), meta.with_name(meta.name.removesuffix(SUFFIX) + ".jsonl"))
                if run.path.is_file():
                    found.append((meta.stat().st_mtime, run.run_id, run))
    return max(found)[2] if found else None


def latest_runs(out: Path) -> list[Path]:
    """The newest complete run of each tier and its options, of the newest group of at least two that compare.

    Runs compare when they asked the same of the same trees, were answered alike, and ran the same code. In the order of
    the tiers, then of the budgets; a run that stands alone when there is no group; [] when there is none at all.
    """
    found: list[tuple[float, dict[str, Any], Path]] = []
    with contextlib.suppress(OSError):
        for meta in out.glob(f"*{SUFFIX}"):
            value = read_meta(meta)
            path = meta.with_name(meta.name.removesuffix(SUFFIX) + ".jsonl")
            if value.get("state") == "complete" and isinstance(value.get("config"), dict) and path.is_file():
                found.append((meta.stat().st_mtime, value["config"], path))
    found.sort(key=lambda each: (-each[0], each[2].name))
    groups: dict[str, dict[str, tuple[dict[str, Any], Path]]] = {}
    for _, config, path in found:
        alike = [config.get(name) for name in ("asked", "answering", "code_sha256")]
        group = groups.setdefault(json.dumps(alike, sort_keys=True), {})
        group.setdefault(json.dumps([config.get("tier"), config.get("options")], sort_keys=True), (config, path))
    newest = next((group for group in groups.values() if len(group) > 1), next(iter(groups.values()), {}))
    return [path for _, path in sorted(newest.values(), key=lambda each: (*_rank(each[0]), each[1].name))]


def _rank(config: dict[str, Any]) -> tuple[int, int]:
    order, tier = list(TIERS), str(config.get("tier"))
    budget = (config.get("options") or {}).get("budget")
    return order.index(tier) if tier in order else len(order), budget if isinstance(budget, int) else 0


def read_meta(path: Path) -> dict[str, Any]:
    """{} for what is no manifest."""
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
