"""A symbol table in memory."""

from __future__ import annotations

import pytest

from retrieval.records import Role, Symbol, SymbolRow


class FakeLookup:
    """The planner's view of a small Flask-like tree."""

    def __init__(self, qualnames: dict[str, str], paths: tuple[str, ...]) -> None:
        self.rows = tuple(
            SymbolRow(
                path,
                Role.TEST if path.startswith("tests/") else Role.CODE,
                Symbol(qualname, qualname.rsplit(".", 1)[-1], "function", 1, 1, 2, "", "", qualname.rpartition(".")[0]),
            )
            for qualname, path in qualnames.items()
        )
        self.paths = paths
        self.lookups = 0

    def symbols_named(self, name: str) -> tuple[SymbolRow, ...]:
        self.lookups += 1
        return tuple(row for row in self.rows if row.symbol.name == name)

    def symbols_ending(self, dotted: str) -> tuple[SymbolRow, ...]:
        self.lookups += 1
        return tuple(r for r in self.rows if r.symbol.qualname == dotted or r.symbol.qualname.endswith("." + dotted))

    def paths_matching(self, hint: str) -> tuple[str, ...]:
        return tuple(
            p
            for p in self.paths
            if p == hint or p.endswith("/" + hint) or ("." not in hint and p.rsplit("/", 1)[-1].split(".")[0] == hint)
        )


@pytest.fixture
def lookup() -> FakeLookup:
    return FakeLookup(
        {
            "flask.app.Flask": "src/flask/app.py",
            "flask.app.Flask.run": "src/flask/app.py",
            "flask.app.Flask.wsgi_app": "src/flask/app.py",
            "flask.app.Flask.dispatch_request": "src/flask/app.py",
            "flask.json.jsonify": "src/flask/json/__init__.py",
            "flask.helpers.redirect": "src/flask/helpers.py",
            "flask.helpers.url_for": "src/flask/helpers.py",
            "flask.globals.request": "src/flask/globals.py",
            "flask.config.Config": "src/flask/config.py",
            "flask.sansio.blueprints.Blueprint": "src/flask/sansio/blueprints.py",
            "flask.cli.run": "src/flask/cli.py",
            "flask.wrappers.HTTPRequest": "src/flask/wrappers.py",
            "flask.config.SECRET_KEY": "src/flask/config.py",
        },
        (
            "src/flask/app.py",
            "src/flask/helpers.py",
            "src/flask/json/__init__.py",
            "docs/config.rst",
            "tests/test_basic.py",
        ),
    )
