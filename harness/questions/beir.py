"""BEIR-like sets (Thakur et al., 2021): ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/SPLIT.tsv`` in one folder.

A document becomes a file, so that a set is indexed like any tree; a query becomes a question whose gold are the files
judged relevant.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from harness.questions.load import Broken, iter_rows, line_policy
from harness.questions.public_sets import SetOptions
from harness.questions.records import EXPLANATION, Gold, Question
from retrieval.errors import UserError

_SAFE = re.compile(r"[^A-Za-z0-9._-]+")
_NAME_CHARS = 60


def document_path(identifier: str, suffix: str) -> str:
    """Where a document lies in the tree: readable, unique for each id, at most 256 files' worth of names a folder."""
    digest = hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).hexdigest()
    name = _SAFE.sub("-", identifier)[:_NAME_CHARS].strip(".-") or "document"
    return f"{digest[:2]}/{name}-{digest[2:10]}{suffix}"


def write_corpus(folder: Path, target: Path, suffix: str, options: SetOptions) -> int:
    """Write each document of ``corpus.jsonl`` as a file below ``target``: its title, a blank line, its text.

    Returns:
        The number of documents.

    Raises:
        UserError: The file cannot be read or a document not be written; a line is broken.
    """
    path = folder / "corpus.jsonl"
    broken = line_policy(path, options.skip_bad_lines, options.note)
    count = 0
    for number, row in iter_rows(path, broken):
        identifier, text, title = row.get("_id"), row.get("text"), row.get("title") or ""
        if not isinstance(identifier, str) or not isinstance(text, str) or not isinstance(title, str):
            broken(number, "a document needs the texts '_id' and 'text'")
            continue
        place = target / document_path(identifier, suffix)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(f"{title}\n\n{text}\n" if title else f"{text}\n", "utf-8", "replace", "\n")
        except OSError as error:
            raise UserError(f"Cannot write {place}: {error.strerror}.", "Choose another --out.") from error
        count += 1
    return count


def read_beir(folder: Path, split: str, corpus: str, suffix: str, options: SetOptions) -> Iterator[Question]:
    """The queries that ``qrels/SPLIT.tsv`` judges, as questions about ``corpus``. Memory holds the judgements alone.

    Raises:
        UserError: A file cannot be read; a line is broken and ``skip_bad_lines`` is off.
    """
    relevant = _judgements(folder / "qrels" / f"{split}.tsv", options)
    path = folder / "queries.jsonl"
    broken = line_policy(path, options.skip_bad_lines, options.note)
    for number, row in iter_rows(path, broken):
        identifier, text = row.get("_id"), row.get("text")
        if not isinstance(identifier, str) or not isinstance(text, str) or not text.strip():
            broken(number, "a query needs the texts '_id' and 'text'")
            continue
        documents = relevant.pop(identifier, [])
        if documents:
            yield Question(
                id=f"beir-{identifier}",
                corpus=corpus,
                question=text,
                category=EXPLANATION,
                difficulty="medium" if len(documents) == 1 else "hard",
                gold=tuple(Gold(document_path(each, suffix)) for each in documents),
            )


def _judgements(path: Path, options: SetOptions) -> dict[str, list[str]]:
    """query -> documents with a positive score, in the file's order."""
    broken: Broken = line_policy(path, options.skip_bad_lines, options.note)
    found: dict[str, list[str]] = {}
    try:
        with path.open("r", encoding="utf-8", errors="replace", newline="\n") as handle:
            for number, line in enumerate(handle, 1):
                fields = line.rstrip("\r\n").split("\t")
                if not line.strip() or (number == 1 and not fields[-1].lstrip("-").isdigit()):
                    continue
                try:
                    query, document, score = fields[0], fields[-2], int(fields[-1])
                except (IndexError, ValueError):
                    broken(number, "a judgement is query, document and score, with tabs between")
                    continue
                if score > 0:
                    found.setdefault(query, []).append(document)
    except OSError as error:
        raise UserError(
            f"Cannot read {path}: {error.strerror}.", "Give the split that is there: --split NAME"
        ) from error
    return found


def convert_beir(folder: Path, out: Path, split: str, suffix: str, options: SetOptions) -> Iterator[Question]:
    """Write the documents beside ``out``, as ``OUT-corpus/``, and give the questions about them.

    Raises:
        UserError: As ``write_corpus`` and ``read_beir``.
    """
    tree = out.with_name(f"{out.stem}-corpus")
    if not write_corpus(folder, tree, suffix, options):
        raise UserError(f"{folder / 'corpus.jsonl'} holds no document.", "Give the folder of a BEIR-like set.")
    yield from read_beir(folder, split, options.corpus or f"path:{tree.name}", suffix, options)
