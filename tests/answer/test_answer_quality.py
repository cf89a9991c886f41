"""What offline answers say over a real index of a small web project: settings, errors, how-questions, overviews."""

from __future__ import annotations

import re

import pytest
from asked_tree import ask, opened

from agent.answer.render import render_answer

TREE = {
    "README.md": "# Webby\n\nWebby is a small framework for serving pages from templates.\n\n```\nnot prose\n```\n",
    "CHANGES.md": "# Changes\n\n## Version 1.2.1\n\n- Fix a crash of the reloader on exit.\n"
    + "".join(f"- Reword message {n} of the reloader so that it names the page.\n" for n in range(30))
    + "\n## Version 1.2.0\n\n- Add signed cookies for sessions.\n"
    + "".join(f"- Allow the option {n} of a page to be set in the configuration.\n" for n in range(30))
    + "\n## Version 1.1\n\n- Drop old interpreters.\n"
    + "".join(f"- Remove the old name {n} of a page, which was deprecated.\n" for n in range(30)),
    "docs/config.md": "# Configuration\n\n## SIGNING_KEY\n\nDefault: `None`\n\n"
    "A secret that is used for signing the session cookie.\n",
    "webby/__init__.py": '"""A small web framework."""\n\nfrom webby.app import App\n',
    "webby/app.py": '''"""The application object."""

import os

from webby.errors import NoSuchPage
from webby.sessions import sign
from webby.walk import collect

_gone_message = """Working outside of a page.

Start one first.
"""


class Attribute:
    """Forwards an attribute to the configuration."""

    def __init__(self, key):
        self.key = key


class App:
    """Serves pages."""

    defaults = {"SIGNING_KEY": None, "VERBOSE": False}
    signing_key = Attribute("SIGNING_KEY")

    def serve(self, name):
        """Serve the page of that name."""
        if name not in self.pages:
            raise NoSuchPage(
                f"There is no page called {name!r} "
                "in this application"
            )
        return self.finish(self.pages[name])

    def finish(self, text):
        """Sign the text and return it."""
        return sign(text, self.signing_key)

    def reload(self):
        return collect(os.environ.get("WEBBY_HOME", "."))

    def require(self):
        raise RuntimeError(_gone_message)
''',
    "webby/errors.py": '"""Errors that pages cause."""\n\n\nclass NoSuchPage(Exception):\n    """A page that is not there."""\n',
    "webby/sessions.py": '''"""Sessions."""

from webby.errors import NoSuchPage


def sign(text, key):
    """Sign a text with the key."""
    if not key:
        return text
    return f"{key}:{text}"


def load(app):
    try:
        return app.serve("session")
    except NoSuchPage:
        return app.signing_key
''',
    "webby/walk.py": '''"""Finds template files."""


def collect(folder):
    """Walk the template folder and decide which template files to skip."""
    found = []
    for name in folder:
        if is_hidden(name):
            continue
        found.append(name)
    return found


def is_hidden(name):
    """Decide by its name whether a template file is hidden."""
    return name.startswith(".")
''',
    "tests/test_app.py": """from webby.app import App

SIGNING_KEY = "test"


def helper():
    app = App()
    return app.serve("home")


def test_serve():
    assert helper() == "home"


def test_finish():
    assert App().finish("x") == "x"
""",
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory):
    yield from opened(tmp_path_factory.mktemp("webby"), TREE)


def test_a_setting_is_found_by_its_string_key_with_default_alias_uses_documents_and_tests_last(session):
    text = ask(session, "where is the SIGNING_KEY config option used").text
    order = [
        "defined at `webby/app.py:25`",
        "bound to a name at `webby/app.py:26`",
        "Code reaches it as `webby.app.App.signing_key`",
        "`webby/sessions.py:17`",
        "`docs/config.md:3` documents it: “A secret that is used for signing the session cookie.”",
        "Tests spell it on 1 line",
    ]
    assert [text.index(piece) for piece in order] == sorted(text.index(piece) for piece in order)


def test_which_environment_variables_are_read(session):
    text = ask(session, "which environment variables does it read").text
    assert "`WEBBY_HOME` at `webby/app.py:" in text


def test_a_message_is_traced_to_the_statement_that_raises_it(session):
    question = (
        "Traceback (most recent call last):\nwebby.errors.NoSuchPage: There is no page called 'x' in this application"
    )
    text = ask(session, question).text
    assert "raised at `webby/app.py:" in text and "`raise NoSuchPage(" in text


def test_a_message_in_a_constant_is_followed_to_where_the_constant_is_used(session):
    text = ask(session, 'where is "Working outside of a page" raised').text
    assert "its name `_gone_message` is used at" in text and "`raise RuntimeError(_gone_message)`" in text


def test_a_message_that_nothing_spells_is_no_reason_to_quote_other_errors(session):
    answer = ask(session, 'where is the error "database is locked" raised')
    assert answer.abstained and answer.missing


def test_where_an_exception_is_caught_comes_first_when_asked(session):
    text = ask(session, "where is `NoSuchPage` caught").text
    assert text.index("is caught at 1 place") < text.index("It is raised at 1 place")
    assert "`webby/sessions.py:16`" in text


def test_an_exception_that_is_handled_is_asked_for_by_its_handlers(session):
    text = ask(session, "where is NoSuchPage handled").text
    assert "is caught at 1 place" in text


def test_a_how_question_leads_with_one_definition_its_statements_and_its_calls(session):
    text = ask(session, "how does the walk decide which template files to skip").text
    assert text.startswith("`webby.walk.collect` is a function")
    statement = next(line for line in text.split("\n") if "`if is_hidden(name):` → `continue` [1:7-9]" in line)
    assert statement.endswith("— “Decide by its name whether a template file is hidden.” [1:15]")
    assert "It is called by `App.reload`" in text


def test_tests_are_direct_or_indirect_and_the_indirect_ones_show_their_chain(session):
    text = ask(session, "which tests cover `App.finish`").text
    direct, indirect = text.split("indirectly, through the calls shown")
    assert "1 test exercises `webby.app.App.finish` directly" in direct and "`test_finish`" in direct
    assert "`test_serve` at `tests/test_app.py:12`" in indirect and "which calls `App.serve`" in indirect


def test_the_overview_names_modules_by_what_imports_them(session):
    answer = ask(session, "how is the project structured?")
    assert not answer.abstained
    assert "`README.md` says: “Webby is a small framework for serving pages from templates.”" in answer.text
    assert (
        "`webby/errors.py`: “Errors that pages cause.”" in answer.text and "holds `App` and `Attribute`" in answer.text
    )
    assert "not prose" not in answer.text


def test_a_version_is_answered_from_its_sections_the_release_before_its_patches(session):
    text = ask(session, "what changed in version 1.2").text
    assert text.index("“Add signed cookies for sessions.”") < text.index("“Fix a crash of the reloader on exit.”")
    assert "old interpreters" not in text


def test_an_attribute_without_a_definition_is_answered_by_the_lines_that_spell_it(session):
    text = ask(session, "where is `self.pages` set").text
    assert "`self.pages` stands on 2 lines of code" in text and "webby.app.App" in text


def test_a_word_that_names_a_function_by_chance_is_no_answer_when_its_subject_is_unknown(session):
    assert ask(session, "where is the docker collect file").abstained


def test_every_file_has_one_number_counted_as_cited(session):
    answer = ask(session, "what breaks if I change `sign`?")
    numbers = {citation.number: citation.path for citation in answer.citations}
    assert sorted(numbers) == list(range(1, len(set(numbers.values())) + 1))
    first = [int(match) for match in re.findall(r"\[(\d+):", answer.text)]
    assert list(dict.fromkeys(first)) == sorted(set(first))
    assert render_answer(answer).count("\n[1] ") == 1


def test_subclasses_alone_when_they_are_asked_for(session):
    text = ask(session, "who subclasses `NoSuchPage`").text
    assert "holds no certain or likely subclass" in text and "calls it" not in text
