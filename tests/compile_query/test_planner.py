"""From a question to a plan: classes, names, files, aspects."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.compile.mentions import everyday_words, find_mentions, identifier_shape
from retrieval.compile.planner import MAX_QUESTION_CHARS, plan
from retrieval.errors import UserError
from retrieval.pack_records import QuestionClass as Q
from retrieval.records import Role, Symbol, SymbolRow


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Where is url_for defined?", Q.LOCATE),
        ("In which file does the app push the request context?", Q.LOCATE),
        ("Which class handles the sessions?", Q.LOCATE),
        ("url_for", Q.LOCATE),
        ("src/flask/app.py", Q.LOCATE),
        ("What does Flask.run do?", Q.EXPLAIN),
        ("How are requests matched to views?", Q.EXPLAIN),
        ("What calls redirect?", Q.CALLERS),
        ("Who uses `url_for`?", Q.CALLERS),
        ("Which functions call Flask.wsgi_app?", Q.CALLERS),
        ("Where is wsgi_app called?", Q.CALLERS),
        ("callers of dispatch_request", Q.CALLERS),
        ("What does dispatch_request call?", Q.CALLEES),
        ("Which helpers does url_for use?", Q.CALLEES),
        ("What does Flask.run depend on?", Q.CALLEES),
        ("What breaks if I change url_for?", Q.IMPACT),
        ("What would be affected if url_for changes?", Q.IMPACT),
        ("What is affected by a change of Config?", Q.IMPACT),
        ("What depends on Config?", Q.IMPACT),
        ("Can I safely remove jsonify?", Q.IMPACT),
        ("Which tests cover url_for?", Q.TESTS),
        ("How is url_for tested?", Q.TESTS),
        ("Is there a test for redirect?", Q.TESTS),
        ("How does Flask.run reach dispatch_request?", Q.CONNECT),
        ("how does a request get from Flask.run to dispatch_request?", Q.CONNECT),
        ("How are url_for and Blueprint connected?", Q.CONNECT),
        ("Where is the SECRET_KEY setting handled?", Q.CONFIG),
        ("Which environment variable turns debug mode on?", Q.CONFIG),
        ("How do I configure the template folder?", Q.CONFIG),
        ("Where is SECRET_KEY read?", Q.CONFIG),
        ("RuntimeError: Working outside of application context", Q.ERROR),
        ("Why do I get a 404?", Q.ERROR),
        ("Where is the BuildError raised?", Q.ERROR),
        ("What is the overall architecture?", Q.ARCHITECTURE),
        ("How is the project organized?", Q.ARCHITECTURE),
        ("What do the docs say about deployment?", Q.DOCS),
        ("where's url_for", Q.LOCATE),
        ("wheres Blueprint", Q.LOCATE),
        ("find the Blueprint class", Q.LOCATE),
        ("how does the walker decide which files to skip", Q.EXPLAIN),
        ("What does url_for do and when should I use it?", Q.EXPLAIN),
        ("Give me an overview of `Blueprint`", Q.EXPLAIN),
        ("which functions are called by url_for", Q.CALLEES),
        ("where is the SECRET_KEY config option used", Q.CONFIG),
        ("where is the DEBUG setting used", Q.CONFIG),
        ("how do I set SECRET_KEY", Q.CONFIG),
        ("what is the default of SECRET_KEY", Q.CONFIG),
        ("what is SECRET_KEY's default?", Q.CONFIG),
        ("what is `SECRET_KEY`’s default value", Q.CONFIG),
        ("does it read the NETRC env variable?", Q.CONFIG),
        ("Where is SECRET_KEY defined", Q.LOCATE),
        ("impact of changing Config", Q.IMPACT),
        ("is url_for tested?", Q.TESTS),
        ("does url_for have any tests?", Q.TESTS),
        ("I get werkzeug.routing.BuildError: Could not build url", Q.ERROR),
        ("where are TimeoutErrors caught", Q.ERROR),
        ("Give me an overview of the architecture", Q.ARCHITECTURE),
        ("what does this project do?", Q.ARCHITECTURE),
        ("how is flask organised", Q.ARCHITECTURE),
        ("what changed in version 3.1", Q.DOCS),
    ],
)
def test_class(question, kind, lookup):
    assert plan(question, lookup).question_class is kind


@pytest.mark.parametrize(
    "question",
    [
        "What causes a reload of the server?",
        "Why does the parser abuse recursion when it refuses input?",
        "What is the dependency mechanism of the cosecant class?",
        "How does the runner recall earlier failures?",
        "What use cases does the signal system have?",
    ],
)
def test_words_inside_words_are_no_relation(question, lookup):
    assert plan(question, lookup).question_class is Q.EXPLAIN


def test_connect_needs_two_names(lookup):
    assert plan("How does the request reach the view?", lookup).question_class is Q.EXPLAIN


def resolved(question, lookup):
    return {m.text: m.symbols[0] for m in plan(question, lookup).mentions if m.symbols}


@pytest.mark.parametrize(
    ("question", "text", "symbol"),
    [
        ("what does `redirect` do", "redirect", "flask.helpers.redirect"),
        ("what does Flask.run do", "Flask.run", "flask.app.Flask.run"),
        ("explain flask.app.Flask", "flask.app.Flask", "flask.app.Flask"),
        ("see src.flask.app.Flask.run please", "src.flask.app.Flask.run", "flask.app.Flask.run"),
        ("the HTTPRequest wrapper", "HTTPRequest", "flask.wrappers.HTTPRequest"),
        ("how does url_for work", "url_for", "flask.helpers.url_for"),
        ("is redirect() cached?", "redirect", "flask.helpers.redirect"),
        ("where is SECRET_KEY used", "SECRET_KEY", "flask.config.SECRET_KEY"),
        ("how does jsonify treat dates", "jsonify", "flask.json.jsonify"),
        ("what calls redirect?", "redirect", "flask.helpers.redirect"),
        ("the redirect function", "redirect", "flask.helpers.redirect"),
        ("how does a Blueprint register?", "Blueprint", "flask.sansio.blueprints.Blueprint"),
    ],
)
def test_names_are_resolved(question, text, symbol, lookup):
    assert resolved(question, lookup)[text] == symbol


def test_everyday_words_are_not_names(lookup):
    assert resolved("how can a request run twice during the config step", lookup) == {}


def test_the_name_of_the_project_is_no_symbol_unless_it_stands_for_one(lookup):
    lookup.rows += (SymbolRow("flask/__init__.py", Role.CODE, Symbol("flask", "flask", "module", 1, 1, 1, "", "", "")),)
    assert resolved("How does Flask find the templates of an application?", lookup) == {}
    assert resolved("How does the Flask class find its templates?", lookup) == {"Flask": "flask.app.Flask"}
    assert resolved("How does `Flask` find its templates?", lookup) == {"Flask": "flask.app.Flask"}


def test_unknown_identifiers_stay_unresolved(lookup):
    mentions = plan("What does `FrobManager.spin` do with other_thing?", lookup).mentions
    assert [(m.text, m.symbols) for m in mentions] == [("FrobManager.spin", ()), ("other_thing", ())]


def test_traceback(lookup):
    question = (
        "Traceback (most recent call last):\n"
        '  File "/home/me/venv/lib/python3.11/site-packages/src/flask/app.py", line 912, in dispatch_request\n'
        "    raise ValueError('x')\n"
        '  File "script.py", line 3, in <module>\n'
        "ValueError: x\n"
    )
    made = plan(question, lookup)
    assert made.question_class is Q.ERROR
    assert [(h.paths, h.line) for h in made.file_hints] == [(("src/flask/app.py",), 912), ((), 3)]
    assert ("dispatch_request", "traceback") in [(m.text, m.how) for m in made.mentions]


@pytest.mark.parametrize(
    ("question", "path", "line"),
    [
        ("what happens at app.py:120?", "src/flask/app.py", 120),
        ("explain src/flask/helpers.py.", "src/flask/helpers.py", None),
        ("what is in `docs/config.rst`", "docs/config.rst", None),
        ("(see ./src/flask/app.py:7:3)", "src/flask/app.py", 7),
        ("C:\\work\\src\\flask\\app.py:9 fails", "src/flask/app.py", 9),
    ],
)
def test_file_hints(question, path, line, lookup):
    hints = plan(question, lookup).file_hints
    assert (path, line) in [(p, h.line) for h in hints for p in h.paths]


def test_prose_slashes_are_no_files(lookup):
    assert plan("how does the read/write and/or split work", lookup).file_hints == ()


def test_aspects_of_a_compound_question(lookup):
    made = plan(
        "How does url_for build external URLs, and where is the server name read? What if it is missing?", lookup
    )
    assert len(made.aspects) == 3
    assert plan("How does url_for build external URLs?", lookup).aspects == ()


def test_leg_weights_sum_to_one_and_leave_out_the_graph_without_names(lookup):
    with_name = plan("What calls redirect?", lookup)
    assert sum(with_name.leg_weights.values()) == pytest.approx(1.0)
    assert with_name.leg_weights["graph"] > 0
    without = plan("What would break if the session cookie format changed?", lookup)
    assert without.question_class is Q.IMPACT
    assert "graph" not in without.leg_weights and without.notes
    assert "graph" not in plan("How does url_for work?", lookup).leg_weights


@pytest.mark.parametrize(
    ("question", "tests", "docs"),
    [
        ("Which tests cover url_for?", True, False),
        ("Why does the fixture reset the database?", True, False),
        ("How does the app test whether a path is safe?", False, False),
        ("How does the test client send cookies?", False, False),
        ("What does the changelog say about 3.0?", False, True),
        ("What does the deployment guide advise about workers?", False, True),
        ("How does url_for work?", False, False),
    ],
)
def test_wants_tests_and_docs(question, tests, docs, lookup):
    made = plan(question, lookup)
    assert (made.wants_tests, made.wants_docs) == (tests, docs)


@pytest.mark.parametrize("question", ["", "   \n\t", "?!…", "\x00\x00"])
def test_empty_questions_are_a_user_error(question, lookup):
    with pytest.raises(UserError):
        plan(question, lookup)


@pytest.mark.parametrize(
    "unit",
    [
        "_",
        "a_",
        "a.",
        "A",
        "aB",
        "`",
        '"',
        "'",
        "/",
        "a/",
        ".",
        "what calls ",
        'File "',
        "(",
        " ",
        "\n",
        "é",
        "9:",
        "is ",
        "if ",
    ],
)
def test_a_megabyte_is_cut_and_said_so(unit, lookup):
    # A quadratic pattern would need minutes for this; the suite's own patience is the limit.
    question = "where is url_for? " + unit * (1_000_000 // len(unit))
    made = plan(question, lookup)
    assert len(made.question) <= MAX_QUESTION_CHARS
    assert any("cut" in note for note in made.notes)
    assert "url_for" in [m.text for m in made.mentions]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=300))
def test_any_text_plans_or_is_empty(lookup, text):
    try:
        made = plan(text, lookup)
    except UserError:
        assert not any(c.isalnum() for c in text.replace("\x00", " "))
        return
    assert made == plan(text, lookup)
    assert sum(made.leg_weights.values()) == pytest.approx(1.0)


def test_shapes():
    shapes = {
        name: identifier_shape(name)
        for name in ("getHTTP", "HTTPAdapter", "URLs", "snake_case", "_private", "Word", "a.b", "HTTP", "__init__")
    }
    assert shapes == {
        "getHTTP": "camel",
        "HTTPAdapter": "camel",
        "URLs": "",
        "snake_case": "snake",
        "_private": "snake",
        "Word": "",
        "a.b": "dotted",
        "HTTP": "",
        "__init__": "snake",
    }  # fmt: skip


def test_everyday_list_holds_english_and_no_project_names():
    words = everyday_words()
    assert {"request", "make", "command", "the", "function"} <= words
    assert not {"jsonify", "blueprint", "sympy"} & words


def test_find_mentions_keeps_order_and_drops_repeats():
    found = find_mentions("url_for calls b_c and url_for and `x.y` or D.e()")
    assert [m.text for m in found.mentions] == ["x.y", "url_for", "b_c", "D.e"]


class _Rows:
    """A symbol table of the given rows, nothing else."""

    def __init__(self, *rows: SymbolRow) -> None:
        self.rows = rows

    def symbols_named(self, name: str) -> tuple[SymbolRow, ...]:
        return tuple(row for row in self.rows if row.symbol.name == name)

    def symbols_ending(self, dotted: str) -> tuple[SymbolRow, ...]:
        return tuple(r for r in self.rows if f".{r.symbol.qualname.split('#')[0]}".endswith(f".{dotted}"))

    def paths_matching(self, hint: str) -> tuple[str, ...]:
        return ()


def _row(qualname: str, kind: str = "method", role: Role = Role.CODE, **more) -> SymbolRow:
    name = qualname.split("#")[0].rsplit(".", 1)[-1]
    return SymbolRow("a.py", role, Symbol(qualname, name, kind, 1, 1, 2, "", "", qualname.rsplit(".", 1)[0], **more))


def test_an_inherited_member_is_found_in_the_nearest_base():
    table = _Rows(
        _row("web.Session", "class", bases=("mixins.Redirects[str]", "Base")),
        _row("web.Redirects", "class", bases=("Root",)),
        _row("web.Root", "class"),
        _row("web.Root.follow"),
        _row("other.Thing.follow"),
    )
    (mention,) = plan("What does Session.follow do?", table).mentions
    assert mention.symbols == ("web.Root.follow",)


def test_bases_in_a_circle_end_and_find_nothing():
    table = _Rows(_row("a.A", "class", bases=("B",)), _row("a.B", "class", bases=("A",)))
    assert plan("What does A.run do?", table).mentions[0].symbols == ()


def test_stubs_of_a_definition_are_not_meant():
    table = _Rows(
        _row("a.C.run", decorators=("t.overload",)),
        _row("a.C.run#2", decorators=("typing.overload",)),
        _row("a.C.run#3"),
        _row("a.C.size", "property", decorators=("property",)),
        _row("a.C.size#2", "property", decorators=("size.setter",)),
    )
    assert plan("What does C.run do?", table).mentions[0].symbols == ("a.C.run#3",)
    assert plan("What does C.size do?", table).mentions[0].symbols == ("a.C.size",)


def test_a_constant_that_only_tests_define_is_a_key_unless_tests_are_asked_about():
    table = _Rows(_row("tests.test_config.SECRET_KEY", "variable", Role.TEST))
    assert plan("Where is SECRET_KEY read?", table).mentions[0].symbols == ()
    assert plan("Which test defines SECRET_KEY?", table).mentions[0].symbols == ("tests.test_config.SECRET_KEY",)


def test_a_method_that_looks_like_a_file_is_a_method_unless_there_is_such_a_file():
    table = _Rows(_row("web.Response", "class"), _row("web.Response.json"))
    made = plan("What does Response.json do?", table)
    assert made.mentions[0].symbols == ("web.Response.json",) and made.file_hints == ()
    assert plan("What is in config.json?", table).file_hints[0].text == "config.json"


def test_what_a_package_offers_is_found_in_the_module_that_defines_it():
    table = _Rows(
        _row("click", "module"),
        _row("click.types.Path", "class"),
        _row("click.core.Context.Path"),
        _row("other.Path", "class"),
    )
    assert plan("What does click.Path do?", table).mentions[0].symbols == ("click.types.Path",)
    assert plan("what uses the Path type", table).question_class is Q.CALLERS
    assert plan("What does nothere.Path do?", table).mentions[0].symbols == ()


def test_an_attribute_that_nothing_defines_is_asked_for_as_a_setting():
    assert plan("where is trust_env handled", _Rows()).question_class is Q.CONFIG
    assert plan("where is trust_env handled", _Rows(_row("a.trust_env", "function"))).question_class is Q.LOCATE


def test_the_plural_of_a_class_is_the_class():
    table = _Rows(_row("a.ConnectError", "class"))
    (mention,) = plan("where are ConnectErrors caught", table).mentions
    assert (mention.text, mention.symbols) == ("ConnectError", ("a.ConnectError",))


def test_one_letter_is_a_name_only_where_a_name_stands():
    table = _Rows(_row("flask.globals.g", "variable"))
    assert plan("where is g", table).mentions[0].symbols == ("flask.globals.g",)
    assert plan("how do e and g differ when the request context is popped early", table).mentions == ()


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which objects stand between calling pm.hook.foo() and the functions of the plugins?", []),
        ("path of a call from self.registry.x() down to the handlers", []),
        ("What does Registry.foo do?", ["Registry.foo"]),
        ("What does `pm.hook.register_all` do?", ["pm.hook.register_all"]),
    ],
)
def test_a_placeholder_behind_an_object_is_no_name_to_look_for(question, names, lookup):
    assert [mention.text for mention in plan(question, lookup).mentions if not mention.symbols] == names


def test_a_part_of_a_hyphenated_name_is_no_name():
    found = find_mentions("where is the Blueprint-After header read, in the non-Request part, Set-Blueprint likewise")
    words = {word for word, _, _ in found.words}
    assert "Request" in words
    assert not {"Blueprint", "After", "Set"} & words
