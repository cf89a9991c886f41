"""Languages and roles by path."""

from __future__ import annotations

import pytest

from retrieval.records import Role
from retrieval.source.roles import language_of, role_of


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.py", "python"),
        ("a.PYI", "python"),
        ("README.md", "markdown"),
        ("docs/index.rst", "rst"),
        ("docs/ref/models.txt", "rst"),
        ("docs/requirements.txt", "text"),
        ("notes.txt", "text"),
        ("README", "text"),
        ("LICENSE", "text"),
        ("pyproject.toml", "toml"),
        ("setup.cfg", "ini"),
        (".pylintrc", "ini"),
        (".env.example", "ini"),
        (".github/workflows/ci.yml", "yaml"),
        ("tsconfig.json", "json"),
        ("Dockerfile", "dockerfile"),
        ("Dockerfile.dev", "dockerfile"),
        ("Makefile", "make"),
        ("CMakeLists.txt", "cmake"),
        ("a/b.tsx", "typescript"),
        ("templates/x.html", "html"),
        ("bin/run", "text"),
        (".gitignore", "text"),
        ("weird.unknown", "text"),
        ("a.py/file", "text"),
    ],
)
def test_language(path: str, language: str) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("src/flask/app.py", Role.CODE),
        ("src/flask/testing.py", Role.CODE),
        ("contest.py", Role.CODE),
        ("latest/views.py", Role.CODE),
        ("attest/test.pyx", Role.CODE),
        ("django/test/client.py", Role.CODE),
        ("django/core/management/commands/test.py", Role.CODE),
        ("pylint/testutils/lint_module_test.py", Role.TEST),
        ("protest/tester.py", Role.CODE),
        ("templates/base.html", Role.CODE),
        ("documents/models.py", Role.CODE),
        ("docstring.py", Role.CODE),
        ("tests/helpers.py", Role.TEST),
        ("Tests/Helpers.py", Role.TEST),
        ("pkg/tests/data/x.json", Role.TEST),
        ("pkg/gis_tests/models.py", Role.TEST),
        ("pkg/test_app.py", Role.TEST),
        ("pkg/app_test.py", Role.TEST),
        ("pkg/tests.py", Role.TEST),
        ("conftest.py", Role.TEST),
        ("test/core/linter.py", Role.TEST),
        ("test.py", Role.TEST),
        ("plugins/x/test/fixtures/a.sql", Role.TEST),
        ("web/app.spec.ts", Role.TEST),
        ("web/__tests__/a.js", Role.TEST),
        ("pkg/foo_test.go", Role.TEST),
        ("src/test/java/FooTest.java", Role.TEST),
        ("src/main/java/Contest.java", Role.CODE),
        ("docs/conf.py", Role.DOC),
        ("README.md", Role.DOC),
        ("CHANGES.rst", Role.DOC),
        ("LICENSE", Role.DOC),
        ("AUTHORS.txt", Role.DOC),
        ("docs/ref/models.txt", Role.DOC),
        ("examples/tutorial/app.py", Role.EXAMPLE),
        ("docs/examples/app.py", Role.EXAMPLE),
        ("examples/tutorial/tests/test_app.py", Role.TEST),
        ("pyproject.toml", Role.CONFIG),
        ("setup.cfg", Role.CONFIG),
        ("requirements-dev.txt", Role.CONFIG),
        (".gitignore", Role.CONFIG),
        (".github/workflows/ci.yml", Role.CONFIG),
        ("Dockerfile", Role.CONFIG),
        ("Makefile", Role.CONFIG),
        ("data/countries.csv", Role.DATA),
        ("queries/top.sql", Role.CODE),
        ("django/conf/app_template/apps.py-tpl", Role.CODE),
        ("parsing/LaTeX.g4", Role.CODE),
        ("bin/run", Role.CODE),
        ("docs/examples/index.rst", Role.DOC),
    ],
)
def test_role(path: str, role: Role) -> None:
    assert role_of(path, language_of(path)) == role
