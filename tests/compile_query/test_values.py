"""Questions about values: the lines that hold them come into the workspace, whatever ranks high beside them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from searched_tree import focused, gather, searcher_over

from retrieval.compile.value_wording import asks_about_the_build, asks_for_values
from retrieval.search.engine import Searcher

FILLER = "\n".join(f"OTHER_{n} = {n}" for n in range(60))
TREE = {
    "mill/limits.py": f"""{FILLER}
# Sacks that stand on the floor at once.
CONCURRENT_SACKS = 12
CONCURRENT_SACKS_PER_FLOOR = 4
GRIND_SECONDS = 90
EXCLUDE = ("chaff", "stones")
BASE = {{
    "flour_dir": "~/.mill/flour",
    "tool_dir": "~/.mill/tools",
}}
""",
    "mill/wheel.py": """from mill.limits import GRIND_SECONDS

LAP_OF_HONOUR = 7


def turn(sacks: list[str], config: dict[str, str]) -> int:
    \"\"\"Turn the wheel until the corn is ground.\"\"\"
    folder = config["flour_dir"]
    for sack in sacks:
        print(folder, sack, LAP_OF_HONOUR)
    return GRIND_SECONDS
""",
    "mill/start.py": """import os


def river() -> str:
    \"\"\"Where the water comes from.\"\"\"
    return os.environ.get("MILL_RIVER", "north")
""",
    "pyproject.toml": """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "mill"
requires-python = ">=3.11"
""",
    "tests/test_wheel.py": "CONCURRENT_SACKS = 99\n\n\ndef test_turn() -> None:\n    assert True\n",
}


@pytest.fixture(scope="module")
def mill(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("mill"), TREE) as searcher:
        yield searcher


def test_a_constant_is_found_by_what_the_question_says_for_its_name(mill):
    lines = focused(gather(mill, "How many sacks may stand there at the same time by default, and on one floor?"), TREE)
    assert ("mill/limits.py", "CONCURRENT_SACKS = 12") in lines
    assert ("mill/limits.py", "# Sacks that stand on the floor at once.") in lines
    assert ("mill/limits.py", "CONCURRENT_SACKS_PER_FLOOR = 4") in lines
    assert not any(path.startswith("tests/") for path, _ in lines)
    assert ("mill/limits.py", 'EXCLUDE = ("chaff", "stones")') in focused(
        gather(mill, "What is left out by default?"), TREE
    )


def test_a_constant_and_a_key_that_likely_code_uses_come_with_it(mill):
    lines = focused(gather(mill, "How long does turning the wheel take until the corn is ground?"), TREE)
    assert ("mill/limits.py", "GRIND_SECONDS = 90") in lines
    assert ("mill/limits.py", '"flour_dir": "~/.mill/flour",') in lines
    assert ("mill/limits.py", '"tool_dir": "~/.mill/tools",') not in lines


def test_the_environment_and_the_build_tables_are_looked_up(mill):
    lines = focused(gather(mill, "Which environment variable says where the water comes from?"), TREE)
    assert ("mill/start.py", 'return os.environ.get("MILL_RIVER", "north")') in lines
    found = gather(mill, "What builds the distribution, and which oldest Python does it support?")
    reasons = {c.chunk.path: c.reason for c in found.candidates}
    assert reasons["pyproject.toml"] == "a table of the build files"


def test_other_questions_get_no_values(mill):
    found = gather(mill, "How does the wheel turn?")
    assert not focused(found, TREE)
    assert not asks_for_values("How does a request reach the view?")
    assert asks_for_values("Which directories are left out of a scan?")
    assert asks_about_the_build("Which optional dependencies are there?")
    assert not asks_about_the_build("How are plugins loaded?")


def test_the_same_question_gives_the_same_workspace(mill):
    question = "How many sacks may stand there at the same time by default?"
    first, second = gather(mill, question), gather(mill, question)
    assert first == second
