"""The deterministic compiler on real rule documents labelled by hand: ``python -m harness.cca.rules [-v]``

A line of ``rules.jsonl`` is ``{"document", "split", "line", "kind", "optional"}``: at ``line`` (1-based) of the
document a sentence or list item begins that is a rule. The documents are files of pinned source distributions.

What counted as a rule when the labels were made, before the compiler was run on any of the documents: a sentence or
list item that demands, forbids or recommends how a contributor or maintainer is to act, or how code, tests,
documentation, commits or reports are to be; items of a list whose lead says so; conventions in the form "we follow
X". No rules: descriptions, reasons, permissions ("you can", "may"), invitations, pointers to further reading, and the
steps of a set-up or release tutorial (they belong to the IR's workflow). ``optional`` marks what two careful readers
could judge differently (leads of lists, legal boilerplate, soft advice): finding it or not changes neither figure;
the ``strict`` figure counts it as no rule.

Kind: conditional when it hangs on a named situation (if, when, unless, before/after X in front), else must_do or
must_not.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from harness.cca.verifiers import read_lines
from harness.questions.corpus import corpus_root, fetch_needed
from harness.stats.intervals import wilson

LABELS = Path(__file__).with_name("rules.jsonl")
CORPORA = {
    "attrs": "attrs==26.1.0#sha256=d03ceb89cb322a8fd706d4fb91940737b6642aa36998fe130a9bc96c985eff32",
    "bandit": "bandit==1.9.4#sha256=b589e5de2afe70bd4d53fa0c1da6199f4085af666fde00e8a034f152a52cd628",
    "black": "black==26.10.1#sha256=5f9f83beae62437e060dafd53d7f1fc327e3d3494f74d72ee5c2b73eb90fc4e7",
    "cookiecutter": "cookiecutter==2.7.1#sha256=ca7bb7bc8c6ff441fbf53921b5537668000e38d56e28d763a1b73975c66c6138",
    "django": "django",
    "nox": "nox==2026.10.20#sha256=5da57c009c3dfdd762c068d9079b17966ec967a9eb02cd8ebcf016a946eaf67f",
    "pylint": "pylint",
    "scrapy": "scrapy==2.19.0#sha256=34130726582b64c91531162ab277c4053e558876d49ba219cb43679e71d80a87",
    "sympy": "sympy",
}
_NEAR = 1  # lines by which the beginning of a sentence may differ


@dataclass(slots=True)
class Tally:
    """Counts over some documents; ``missed`` and ``false`` hold (document, line, text)."""

    labelled: int = 0
    found: int = 0
    hits: int = 0
    optional_hits: int = 0
    same_kind: int = 0
    missed: list[tuple[str, int, str]] = field(default_factory=list)
    false: list[tuple[str, int, str]] = field(default_factory=list)
    other_kind: list[tuple[str, int, str]] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        counted = self.found - self.optional_hits
        return {
            "labelled": self.labelled,
            "found": self.found,
            "recall": [self.hits, self.labelled, *wilson(self.hits, self.labelled)],
            "precision": [self.hits, counted, *wilson(self.hits, counted)],
            "strict_precision": [self.hits, self.found, *wilson(self.hits, self.found)],
            "kind": [self.same_kind, self.hits, *wilson(self.same_kind, self.hits)],
        }


def tally(document: str, text: str, labels: Sequence[dict[str, Any]], into: Tally) -> None:
    """Compile one document and match its rules with the labels, one to one, the nearest line first."""
    from agent.cca.compiled import Source
    from agent.cca.deterministic import compile_deterministic

    rules = compile_deterministic([Source(document, text)]).ir.rules.all()
    lines = text.split("\n")
    free = list(range(len(rules)))
    pairs: dict[int, int] = {}
    for distance in range(_NEAR + 1):
        # Firm labels first, and those of the same kind: where two sentences begin on a line they must not swap.
        for alike in (True, False):
            for at, label in sorted(enumerate(labels), key=lambda pair: bool(pair[1].get("optional"))):
                if at in pairs:
                    continue
                for each in free:
                    rule = rules[each]
                    if abs(rule.quote.first_line - label["line"]) == distance and (
                        not alike or rule.kind == label["kind"]
                    ):
                        pairs[at] = each
                        free.remove(each)
                        break
    into.found += len(rules)
    for at, label in enumerate(labels):
        optional = bool(label.get("optional"))
        into.labelled += not optional
        if at in pairs:
            into.optional_hits += optional
            into.hits += not optional
            rule = rules[pairs[at]]
            into.same_kind += not optional and rule.kind == label["kind"]
            if not optional and rule.kind != label["kind"]:
                into.other_kind.append((document, label["line"], f"{label['kind']}, not {rule.kind}: {rule.text}"))
        elif not optional:
            into.missed.append((document, label["line"], lines[label["line"] - 1].strip()))
    into.false.extend((document, rules[each].quote.first_line, rules[each].text) for each in free)


def read_document(name: str) -> str:
    """The text of ``corpus:path``.

    Raises:
        UserError: The corpus cannot be fetched.
    """
    corpus, _, path = name.partition(":")
    return (corpus_root(CORPORA[corpus], Path.cwd()) / path).read_text(encoding="utf-8")


def measure(labels: Sequence[dict[str, Any]]) -> dict[str, Tally]:
    """Split name to tally, over every labelled document."""
    documents: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for label in labels:
        documents.setdefault((label["split"], label["document"]), []).append(label)
    fetch_needed([CORPORA[name.partition(":")[0]] for _, name in documents])
    splits: dict[str, Tally] = {}
    for (split, name), own in documents.items():
        tally(name, read_document(name), own, splits.setdefault(split, Tally()))
    return splits


@click.command()
@click.option("--labels", type=click.Path(path_type=Path, exists=True), default=LABELS)
@click.option("-v", "--verbose", is_flag=True, help="List every rule missed and every sentence wrongly taken for one.")
@click.option("--split", "only", default=None, help="List only this split with -v (tuning, held-out).")
@click.option("--json", "as_json", is_flag=True)
def main(labels: Path, verbose: bool, only: str | None, as_json: bool) -> None:
    """Recall and precision of the deterministic compiler on real rule documents, tuning and held-out apart."""
    splits = measure(read_lines(labels))
    if as_json:
        click.echo(json.dumps({name: each.figures() for name, each in splits.items()}))
        return
    for name, each in splits.items():
        figures = each.figures()
        click.echo(f"{name}: {figures['labelled']} rules labelled, {figures['found']} found")
        for measure_name in ("recall", "precision", "strict_precision", "kind"):
            hits, of, low, high = figures[measure_name]
            click.echo(f"  {measure_name:<16} {hits}/{of} = {hits / of if of else 0:.3f} [{low:.3f}, {high:.3f}]")
        if verbose and only in (None, name):
            for word, rows in (("missed", each.missed), ("false", each.false), ("kind", each.other_kind)):
                for document, line, text in rows:
                    click.echo(f"  {word} {document}:{line} {' '.join(text.split())[:150]}")


if __name__ == "__main__":
    main()
