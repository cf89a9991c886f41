"""What the package says of its licence, and of the one work of others that it carries."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_licence_that_is_named_is_the_one_in_the_file() -> None:
    assert PROJECT["license"] == "MIT"
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert text.startswith("MIT License\n\nCopyright (c) ")
    assert 'THE SOFTWARE IS PROVIDED "AS IS"' in text
    assert PROJECT["authors"][0]["name"] in text


@pytest.mark.parametrize("package", ["retrieval", "agent", "harness"])
def test_every_licence_file_in_the_packages_goes_along(package: str) -> None:
    found = {str(path.relative_to(ROOT)) for path in (ROOT / package).rglob("*LICEN[CS]E*") if path.is_file()}
    assert found <= set(PROJECT["license-files"])


def test_every_licence_file_that_is_named_is_there() -> None:
    assert all((ROOT / name).is_file() for name in PROJECT["license-files"])
