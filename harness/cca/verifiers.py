"""Verifier quality on hand-labelled triples: ``python -m harness.cca.verifiers [--triples FILE] [-v]``

A line of the file is a rule with answers: ``{"rule", "codeable", "about": "answers"|"code", "cases": [{"answer",
"verdict": "violated"|"holds"|"not_applicable"}]}``. ``codeable`` is a person's judgement: a program could tell from the
text of an answer alone. A triple counts as flagged when the verifier made from the rule says *violated*.

Precision: of the flagged triples, those labelled violated, over all rules. Recall: of the triples labelled violated,
those flagged, over the codeable rules. Intervals are Wilson's at 95 %.

CodeGen was tuned on ``triples.jsonl``, ``triples-h.jsonl`` (a draw of sentences out of 21 packages) and
``triples-ij.jsonl`` (sentences of prompts of 36 further packages, rules of 31 invented documents). Of
``triples-heldout.jsonl`` nobody looked at an error, though its figures were. ``triples-k.jsonl`` (sentences of 18
more packages, rules of 35 documents, by people who never saw the code) was run when the last round was over, and
nothing is mended by it. These sets are of prompts as they stand in packages and of rules of invented documents. The
others are *ordinary* rules, of the kinds that recur everywhere, in the words of many: by ``triples-o.jsonl`` families
and gate were mended and fitted; of ``triples-s.jsonl`` the figures were read at each step, no error was looked at;
``triples-t.jsonl`` was run once, at the end. Since then families are mended by all three, and some of the errors of
``triples-k.jsonl`` were looked at. ``triples-v1.jsonl`` and ``triples-v2.jsonl`` are of two more authors who never saw
the code: the errors of the first were read once, of the second none. ``source`` names release, document or author.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from harness.stats.intervals import wilson

_NAMES = (
    "triples.jsonl", "triples-h.jsonl", "triples-ij.jsonl", "triples-heldout.jsonl", "triples-k.jsonl",
    "triples-o.jsonl", "triples-s.jsonl", "triples-t.jsonl", "triples-v1.jsonl", "triples-v2.jsonl",
)  # fmt: skip
_SETS = tuple(Path(__file__).with_name(name) for name in _NAMES)
_CODE_CONTEXT = "# Contributing\n\nThese rules are for pull requests, commits and unit tests of this codebase.\n\n"


@dataclass(frozen=True, slots=True)
class Judged:
    rule: str
    answer: str
    label: str
    got: str
    codeable: bool
    emitted: bool


def judge(lines: Iterable[Mapping[str, Any]]) -> list[Judged]:
    """Compile each rule by itself and run its verifier on each of its answers."""
    from agent.cca.compiled import Source
    from agent.cca.deterministic import compile_deterministic
    from agent.cca.verify import verify

    judged = []
    for line in lines:
        text = (_CODE_CONTEXT if line.get("about") == "code" else "") + line["rule"]
        compiled = compile_deterministic([Source("rule", text)])
        for case in line["cases"]:
            found = verify(compiled, case["answer"])
            got = "violated" if found.violations else "holds" if found.held else "no_verdict"
            judged.append(
                Judged(line["rule"], case["answer"], case["verdict"], got, line["codeable"], bool(compiled.verifiers))
            )
    return judged


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def table(judged: list[Judged]) -> dict[str, Any]:
    """The figures, JSON-ready."""
    flagged = [each for each in judged if each.got == "violated"]
    right = sum(each.label == "violated" for each in flagged)
    wanted = [each for each in judged if each.label == "violated" and each.codeable]
    found = sum(each.got == "violated" for each in wanted)
    rules = {each.rule: each.codeable for each in judged}
    emitted = {each.rule for each in judged if each.emitted}
    return {
        "triples": len(judged),
        "rules": len(rules),
        "codeable_rules": sum(rules.values()),
        "rules_with_verifier": len(emitted),
        "precision": [right, len(flagged), *wilson(right, len(flagged))],
        "recall": [found, len(wanted), *wilson(found, len(wanted))],
    }


@click.command()
@click.option("--triples", type=click.Path(path_type=Path, exists=True), multiple=True, default=_SETS)
@click.option("-v", "--verbose", is_flag=True, help="List every triple that went wrong.")
@click.option("--json", "as_json", is_flag=True)
def main(triples: tuple[Path, ...], verbose: bool, as_json: bool) -> None:
    """Precision and recall of the verifiers on labelled (rule, answer, verdict) triples."""
    judged = {path.stem: judge(read_lines(path)) for path in triples}
    if as_json:
        click.echo(json.dumps({name: table(each) for name, each in judged.items()}))
        return
    for name, each in judged.items():
        _print(name, each, verbose)


def _print(name: str, judged: list[Judged], verbose: bool) -> None:
    figures = table(judged)
    click.echo(
        f"{name}: {figures['triples']} triples, {figures['rules']} rules ({figures['codeable_rules']} codeable, "
        f"{figures['rules_with_verifier']} with a verifier)"
    )
    for measure in ("precision", "recall"):
        hits, of, low, high = figures[measure]
        click.echo(f"  {measure:<9} {hits}/{of} = {hits / of if of else 0:.3f} [{low:.3f}, {high:.3f}]")
    if verbose:
        for each in judged:
            false_alarm = each.got == "violated" and each.label != "violated"
            missed = each.label == "violated" and each.codeable and each.got != "violated"
            if false_alarm or missed:
                said = "false alarm" if false_alarm else f"missed ({'verifier' if each.emitted else 'no verifier'})"
                click.echo(f"  {said}: {each.rule[:90]!r} on {each.answer[:90]!r}")


if __name__ == "__main__":
    main()
