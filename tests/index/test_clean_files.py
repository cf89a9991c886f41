"""What the index says of a file's secrets: nothing of a file called clean would be redacted, whatever part is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from index_snapshot import place

from retrieval.index import reader as reader_module
from retrieval.index.build import update_index
from retrieval.index.reader import IndexReader
from retrieval.index.settings import Overrides
from retrieval.source.secrets import redact

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

_PIECES = st.sampled_from(
    ["password = ", '"', "'", "k9Zq7Xw2Lm4Vt8", TOKEN, "token:", " ", "\n", "-----BEGIN RSA PRIVATE KEY-----", "A1b2" * 10,
     "-----END RSA PRIVATE KEY-----", "https://user:", "Tr0ub4dor3x9", "@host", "def key():", "#", "=", "AKIA1234567890ABCDEF"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=24).map("".join), st.data())
def test_a_part_of_a_clean_text_is_clean(text: str, data: st.DataObject) -> None:
    lines = text.split("\n")
    first = data.draw(st.integers(0, len(lines) - 1))
    last = data.draw(st.integers(first, len(lines) - 1))
    if not redact(text).count:
        assert not redact("\n".join(lines[first : last + 1])).count


def test_only_files_without_secrets_are_clean(write_tree: Callable[..., Path]) -> None:
    root = write_tree({"a.py": "def plain():\n    return 1\n", "b.py": f"KEY = '{TOKEN}'\n"})
    update_index(place(root), Overrides(embedder="none"))
    with IndexReader.open(place(root)) as reader:
        assert [reader.file_text(path).clean for path in reader.paths] == [True, False]
    (root / "a.py").write_text(f"def plain():\n    return '{TOKEN}'\n")
    (root / "b.py").write_text("KEY = None\n")
    update_index(place(root))
    with IndexReader.open(place(root)) as reader:
        assert [reader.file_text(path).clean for path in reader.paths] == [False, True]


def test_a_verdict_of_other_rules_does_not_count(
    write_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_tree({"a.py": "x = 1\n"})
    update_index(place(root), Overrides(embedder="none"))
    monkeypatch.setattr(reader_module, "RULES_ID", 7)
    with IndexReader.open(place(root)) as reader:
        assert not reader.file_text("a.py").clean
