"""Trains the classifiers of ``agent/cca/families``: ``python -m harness.cca.train_families [--write]``

Which family a sentence belongs to is learned by ``python -m tools.families.train``, before this. Learned here from
``harness/cca/wordings``: which way a number bounds (ridge regression on n-grams). Learned from labelled triples: how
sure a guess is (logistic regression on ``guess.FEATURES``), so that wordings' authors do not judge themselves. Of the
triples a guess is right where the check flags an answer labelled violated and none that is not. ``--write`` stores the
weights in the package. Deterministic.
"""

from __future__ import annotations

import io
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from agent.cca.families import guess as g
from agent.cca.families import model as m
from agent.cca.families.guards import mark_of
from agent.cca.families.ngrams import beside
from agent.cca.families.read import CERTAIN, chance_of
from agent.cca.families.registry import families
from agent.cca.families.slots import see
from agent.cca.interpret import run_check
from harness.cca.ridge import Fitted, fit
from harness.cca.verifiers import read_lines
from harness.cca.wordings import Wording, all_wordings
from harness.stats.logistic import ridge_logistic

_RIDGE = 0.3
_GATE_RIDGE = 2.0
_FOLDS = 10
_LIKELY = 0.75
_EACH_PART = 20  # sentences read whole for each read in part
_LEVELS = 127.0
_LEAST_LEVEL = 2.0
_TARGET = Path(m.__file__).with_name("weights.npz")
_PARAPHRASES = Path(__file__).parents[2] / "tests" / "cca"
_SETS = ("triples.jsonl", "triples-h.jsonl", "triples-ij.jsonl", "triples-o.jsonl",
         "triples-s.jsonl", "triples-t.jsonl")  # fmt: skip
Floats = npt.NDArray[np.float64]


def learn(wordings: Sequence[Wording], classes: Sequence[str]) -> tuple[dict[str, Any], Fitted]:
    """(arrays of the file but the gate's, limits' fit)."""
    seen = [see(each.text) for each in wordings]
    limited = [(each, s) for each, s in zip(wordings, seen, strict=True) if each.limit and beside(s.tokens)]
    of_limits = fit([beside(s.tokens) for _, s in limited], [each.limit for each, _ in limited], _RIDGE)
    words: dict[str, set[str]] = defaultdict(set)
    for each, s in zip(wordings, seen, strict=True):
        words[each.family].update(s.tokens)
    families_with = Counter(token for own in words.values() for token in own if token[0].isalnum())
    common = sorted(families_with)
    alone = {mark_of(s.shaped) for each, s in zip(wordings, seen, strict=True) if not each.family}
    data: dict[str, Any] = {
        **_packed("l", of_limits),
        "words": "\n".join("\t".join(sorted(words[name])) for name in classes),
        "common": "\n".join(common),
        "common_idf": np.asarray([np.log(len(words) / families_with[word]) for word in common], np.float32),
        "gate": np.zeros(len(g.FEATURES) + 1, np.float32),
        "alone": np.asarray(sorted(alone), np.uint32),
        **dict.fromkeys(("proven", "doubted", "refuted"), ""),
    }
    return data, of_limits


def _packed(of: str, fitted: Fitted) -> dict[str, Any]:
    scale = np.abs(fitted.weights).max(0) / _LEVELS + 1e-12
    quantised = np.round(fitted.weights / scale)
    quantised[np.abs(quantised) < _LEAST_LEVEL] = 0.0  # what is near nothing costs bytes only
    return {
        f"{of}_vocabulary": "\n".join(fitted.vocabulary),
        f"{of}_classes": "\n".join(fitted.classes),
        f"{of}_idf": fitted.idf.astype(np.float16),
        f"{of}_weights": quantised.astype(np.int8),
        f"{of}_scale": scale.astype(np.float32),
    }


def paraphrases(folder: Path = _PARAPHRASES) -> list[dict[str, Any]]:
    """The families of wordings that the grammar is tested on, as labelled rules; none outside of a checkout."""
    found = []
    for path in sorted(folder.glob("paraphrases*.toml")):
        for family in tomllib.loads(path.read_text(encoding="utf-8"))["family"]:
            cases = [{"answer": text, "verdict": "holds"} for text in family["kept"]]
            cases += [{"answer": text, "verdict": "violated"} for text in family["broken"]]
            found += [{"rule": wording, "codeable": True, "cases": cases} for wording in family["wordings"]]
    return found


def outcome(check: Any, line: Mapping[str, Any]) -> str:
    """wrong: it flags an answer that breaks nothing; right: it flags all that do, part: some; silent: none, of a rule
    that a program can check; unasked: none, of another rule."""
    got = [run_check(check, case["answer"]).status == "violated" for case in line["cases"]]
    labels = [case["verdict"] == "violated" for case in line["cases"]]
    if any(a and not b for a, b in zip(got, labels, strict=True)):
        return "wrong"
    if any(got):
        return "right" if got == labels else "part"
    return "silent" if line["codeable"] else "unasked"


def judged(lines: Sequence[Mapping[str, Any]], model: m.Model) -> list[tuple[int, g.Guess, str]]:
    """(line, guess, outcome) for each guess at each line."""
    known = families()
    found = []
    for at, line in enumerate(lines):
        for guess in g.guesses(line["rule"], model, known):
            found.append((at, guess, outcome(guess.check, line)))
    return found


def fit_gate(rows: Sequence[tuple[int, g.Guess, str]]) -> Floats:
    kept = [(guess, said) for _, guess, said in rows if said != "silent" or not guess.is_clause]  # of another clause
    x = np.asarray([guess.features for guess, _ in kept])
    share = np.asarray([float(said in ("right", "part")) for _, said in kept])
    weight = np.asarray([0.5 if said in ("silent", "unasked") else 1.0 for _, said in kept])
    return ridge_logistic(x, share, weight, _GATE_RIDGE)


def standing(rows: Sequence[tuple[int, g.Guess, str]], gate: Floats) -> dict[str, str]:
    """``proven``: families that were certain of whole sentences and never but right; ``doubted``: that were not;
    ``refuted``: that were likely and wrong more often than right. A family may be in none of them."""
    likely: dict[str, Counter[str]] = defaultdict(Counter)
    certain: dict[str, Counter[str]] = defaultdict(Counter)
    for _, guess, said in rows:
        chance = chance_of(guess.features, gate)
        if chance >= _LIKELY:
            likely[guess.family.id][said] += 1
        if chance >= CERTAIN and not guess.is_clause:
            certain[guess.family.id][said] += 1
    proven = {
        name
        for name, n in certain.items()
        if n["right"] > _EACH_PART * n["part"] and n["right"] + n["part"] == n.total()
    }
    found = {
        "proven": proven,
        "doubted": set(certain) - proven,
        "refuted": {name for name, n in likely.items() if n["wrong"] > n["right"] + n["part"]},
    }
    return {name: "\n".join(sorted(ids)) for name, ids in found.items()}


def _told(wordings: Sequence[Wording], of_limits: Fitted) -> None:
    limits = [each for each in wordings if each.limit and beside(see(each.text).tokens)]
    told = [of_limits.classes[int(i)] for i in of_limits.left_out.argmax(1)]
    agree = sum(a.limit == b for a, b in zip(limits, told, strict=True))
    click.echo(f"limits, each wording left out: {agree}/{len(limits)} = {agree / max(1, len(limits)):.3f}")


def _levels(rows: Sequence[tuple[int, g.Guess, str]], lines: Sequence[Mapping[str, Any]]) -> None:
    """What each threshold would give, the gate fitted without the rules that it is asked about."""
    chances: list[tuple[float, int, str, float]] = []
    for fold in range(_FOLDS):
        gate = fit_gate([row for row in rows if row[0] % _FOLDS != fold])
        for at, guess, said in rows:
            if at % _FOLDS == fold:
                chances.append((chance_of(guess.features, gate), at, said, guess.is_clause))
    codeable = sum(bool(line["codeable"]) for line in lines)
    for level in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95):
        over = [each for each in chances if each[0] >= level]
        right = {at for _, at, said, _ in over if said in ("right", "part")}
        wrong = {at for _, at, said, _ in over if said == "wrong"}
        click.echo(f"  sure from {level}: right {len(right)}, wrong {len(wrong)}, of {codeable} checkable rules")


@click.command()
@click.option("--write", is_flag=True, help="Store the weights in the package.")
@click.option(
    "--triples", type=click.Path(exists=True, path_type=Path), multiple=True, help="Instead of the open sets."
)
@click.option("-v", "--verbose", is_flag=True, help="List the guesses that are sure and wrong.")
def main(write: bool, triples: tuple[Path, ...], verbose: bool) -> None:
    """Train, tell how each part does on what it did not learn from, and store."""
    wordings = all_wordings()
    network = m.load_network()
    data, of_limits = learn(wordings, network.classes)
    _told(wordings, of_limits)
    paths = triples or [path for name in _SETS if (path := Path(__file__).with_name(name)).exists()]
    lines = [line for path in paths for line in read_lines(path) if line.get("about", "answers") == "answers"]
    lines += paraphrases()
    rows = judged(lines, m.unpack(data, network))
    gate = fit_gate(rows)
    data["gate"] = gate.astype(np.float32)
    data.update(standing(rows, gate))
    click.echo("gate: " + ", ".join(f"{n} {w:.2f}" for n, w in zip(("1", *g.FEATURES), gate, strict=True)))
    _levels(rows, lines)
    if verbose:
        for at, guess, said in rows:
            chance = chance_of(guess.features, gate)
            if said == "wrong" and chance >= 0.7:
                click.echo(f"  {chance:.2f} {guess.family.id}: {guess.clause[:80]!r} of {lines[at]['rule'][:100]!r}")
    if write:
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **data)
        _TARGET.write_bytes(buffer.getvalue())
        click.echo(f"{_TARGET.name}: {len(buffer.getvalue()) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
