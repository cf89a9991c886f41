"""Mine training pairs from a folder of wheels: ``python -m tools.embedder.mine --wheels DIR --out DIR``.

Takes only permissively licensed projects that no evaluation uses (``licences.py``), writes one JSON-lines file of pairs
per project, and ``packages.tsv`` with name, version, licence, SHA-256 and the number of pairs.
"""

from __future__ import annotations

import argparse
import csv
import email.parser
import hashlib
import json
import random
import re
import zipfile
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

from tools.embedder.licences import EXCLUDED, FOREIGN_FILE, VENDORED, licence_of
from tools.embedder.pairs import Pair, prose_pairs, python_pairs

_MAX_FILE_BYTES = 300_000
_MAX_PAIRS_PER_FILE = 400
_DIGEST_BYTES = 8
_SKIPPED_FILES = re.compile(r"_pb2(_grpc)?\.py$|(^|/)(_version|version|conf)\.py$|\.dist-info/licenses/")


def normal_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def metadata_of(wheel: zipfile.ZipFile) -> Message:
    name = next(n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
    return email.parser.Parser().parsestr(wheel.read(name).decode("utf-8", "replace"))


def wheel_pairs(wheel: zipfile.ZipFile, metadata: Message, dice: random.Random) -> Iterator[Pair]:
    """Pairs of every file of a wheel that is its own, written by people, and under the project's licence."""
    for name in sorted(wheel.namelist()):
        suffix = Path(name).suffix
        if suffix not in (".py", ".md", ".rst") or VENDORED.search(name) or _SKIPPED_FILES.search(name):
            continue
        if wheel.getinfo(name).file_size > _MAX_FILE_BYTES:
            continue
        text = wheel.read(name).decode("utf-8", "replace").replace("\r\n", "\n").replace("\x0c", " ")
        if FOREIGN_FILE.search(text[:2500]):
            continue
        found = list(python_pairs(name, text, dice) if suffix == ".py" else prose_pairs(name, text))
        if len(found) > _MAX_PAIRS_PER_FILE:
            found = dice.sample(found, _MAX_PAIRS_PER_FILE)
        yield from found
    body = metadata.get_payload()
    if isinstance(body, str):
        yield from prose_pairs("README", body)


def folder_pairs(folder: Path, dice: random.Random) -> Iterator[Pair]:
    """Pairs of an unpacked source tree."""
    for path in sorted(folder.rglob("*.py")):
        if path.stat().st_size <= _MAX_FILE_BYTES:
            yield from python_pairs(
                path.relative_to(folder).as_posix(), path.read_bytes().decode("utf-8", "replace"), dice
            )


def _core(text: str) -> str:
    """What a text has in common with its variants: the code after its first ``def``, without the place in the tree."""
    return text.partition("def ")[2][:800] or text[:800]


def _digest(text: str) -> bytes:
    return hashlib.sha256(re.sub(r"\s+", " ", text).encode("utf-8", "replace")).digest()[:_DIGEST_BYTES]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--wheels", type=Path, required=True)
    arguments.add_argument("--held-out", type=Path, nargs="+", required=True, help="evaluation projects: wheels, trees")
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--packages", type=Path, default=Path(__file__).parent / "packages.tsv")
    options = arguments.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    seen: set[bytes] = set()
    for folder in options.held_out:
        # A text that occurs in an evaluation project is not trained on, whoever ships it.
        for pair in folder_pairs(folder, random.Random(0)):  # noqa: S311
            seen.update((_digest(pair.query), _digest(_core(pair.text))))
        for path in sorted(folder.glob("*.whl")):
            with zipfile.ZipFile(path) as wheel:
                for pair in wheel_pairs(wheel, metadata_of(wheel), random.Random(0)):  # noqa: S311
                    seen.update((_digest(pair.query), _digest(_core(pair.text))))
    rows: list[tuple[str, ...]] = []
    for path in sorted(options.wheels.glob("*.whl"), key=lambda p: p.name.lower()):
        with zipfile.ZipFile(path) as wheel:
            metadata = metadata_of(wheel)
            name, version = normal_name(str(metadata["Name"])), str(metadata["Version"])
            licence = licence_of(metadata)
            if licence is None or name in EXCLUDED:
                print(f"skipped {name} {version}: {'evaluation' if licence else 'licence'}", flush=True)
                continue
            count = 0
            with (options.out / f"{name}.jsonl").open("w", encoding="utf-8", errors="replace") as stream:
                for pair in wheel_pairs(wheel, metadata, random.Random(name)):  # noqa: S311
                    key_text, key_query = _digest(_core(pair.text)), _digest(pair.query)
                    key_both = _digest(pair.query + pair.text)
                    # seen: whole pairs of earlier projects; texts and queries of held-out projects.
                    if key_both in seen or key_text in seen or (key_query in seen and len(pair.query) > 60):
                        continue
                    seen.add(key_both)
                    stream.write(json.dumps([pair.kind, pair.group, pair.query, pair.text], ensure_ascii=False) + "\n")
                    count += 1
        rows.append((name, version, licence, hashlib.sha256(path.read_bytes()).hexdigest(), str(count)))
        print(f"{name} {version}: {count} pairs ({licence})", flush=True)
    with options.packages.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream, delimiter="\t", lineterminator="\n")
        table.writerow(("name", "version", "licence", "sha256_of_wheel", "pairs"))
        table.writerows(rows)


if __name__ == "__main__":
    main()
