"""Names of files that are two words of the question written as one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agent.session import open_session
from retrieval.index.build import update_index
from retrieval.index.location import locate
from retrieval.index.settings import Overrides
from retrieval.search.compounds import named_by, run_together

PATHS = ["core/commands/collectstatic.py", "core/commands/squashmigrations.py", "core/sqlmigrate.py", "a/Collections.py",
         "app/http_response.py", "commands/createsuperuser.py", "commands/compilemessages.py", "docs/runserver2.txt"]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("How are static files collected?", "collectstatic.py"),
        ("What happens when a migration is squashed?", "squashmigrations.py"),
        ("Show the SQL of a migration", "sqlmigrate.py"),
        ("How do I create a superuser", "createsuperuser.py"),
        ("How are compiled message files made", "compilemessages.py"),
    ],
)
def test_two_words_whatever_stands_between_them(question: str, name: str) -> None:
    names = run_together(PATHS)
    (found,) = named_by(question, names)
    assert found in run_together([name])


@pytest.mark.parametrize(
    "question",
    [
        "",
        "collect",
        "How are responses made?",
        "static static",
        "create a user",
        "süß " * 99,
        "static files collected middleware cookie session template migration password admin cache form",
    ],
)
def test_nothing_else(question: str) -> None:
    assert named_by(question, run_together(PATHS)) == ()


def test_the_file_is_found(write_tree: Callable[..., Path]) -> None:
    noise = "def collect(static):\n    '''Collect static things.'''\n    return static\n\n\n"
    files = {f"app/module{n}.py": noise.replace("def collect", f"def collect{n}") for n in range(8)}
    root = write_tree(
        {**files, "app/commands/collectstatic.py": "class Command:\n    def handle(self):\n        return 0\n"}
    )
    update_index(locate(root, explicit=True), Overrides(embedder="none"))
    session = open_session(root, update=False)
    found = session.searcher.search(session.plan("How are static files collected?"), 5, objective="files").candidates
    session.close()
    assert found[0].chunk.path == "app/commands/collectstatic.py"
