"""Source distributions come through pip, are checked against their digest, and are fetched once."""

from __future__ import annotations

import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from harness.corpora import corpora_dir
from harness.questions.corpus import corpus_root, fetch_needed
from retrieval.errors import UserError

PYPROJECT = """[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "tinyshop"
version = "1.0"
"""
BACKEND = """import os

def prepare_metadata_for_build_wheel(folder, config_settings=None):
    name = "tinyshop-1.0.dist-info"
    os.makedirs(os.path.join(folder, name))
    with open(os.path.join(folder, name, "METADATA"), "w") as handle:
        handle.write("Metadata-Version: 2.1\\nName: tinyshop\\nVersion: 1.0\\n")
    return name

def build_wheel(folder, config_settings=None, metadata_directory=None):
    raise RuntimeError("nothing is built to read a source tree")
"""


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A folder that pip takes for its only index, with one distribution; its digest."""
    folder = tmp_path / "index"
    folder.mkdir()
    files = {"pyproject.toml": PYPROJECT, "backend.py": BACKEND, "src/shop.py": "def sell():\n    return 1\n"}
    files["PKG-INFO"] = "Metadata-Version: 2.1\nName: tinyshop\nVersion: 1.0\n"
    with tarfile.open(folder / "tinyshop-1.0.tar.gz", "w:gz") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(f"tinyshop-1.0/{name}")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("CONTEXTC_CACHE_DIR", str(tmp_path / "cache"))
    return hashlib.sha256((folder / "tinyshop-1.0.tar.gz").read_bytes()).hexdigest()


def test_a_distribution_is_fetched_once_and_only_when_its_digest_is_the_pinned_one(
    index: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UserError, match="not the pinned one"):
        corpus_root("tinyshop==1.0#sha256=" + "0" * 64, tmp_path)
    assert list(corpora_dir().iterdir()) == []
    told: list[tuple[str, int, int]] = []
    fetch_needed([f"tinyshop==1.0#sha256={index}"], lambda *args: told.append(args))
    assert told == [("Fetching", 0, 1), ("Fetching", 1, 1)]
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "gone"))
    root = corpus_root(f"tinyshop==1.0#sha256={index}", tmp_path)
    assert (root / "src" / "shop.py").is_file() and [path.name for path in corpora_dir().iterdir()] == [root.name]


def test_what_the_index_does_not_have_is_a_message(index: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"Cannot download tinyshop==2\.0") as caught:
        corpus_root(f"tinyshop==2.0#sha256={index}", tmp_path)
    assert "\n" not in caught.value.cause and "pip" in caught.value.mend
