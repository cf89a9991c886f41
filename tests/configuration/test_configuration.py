"""Files, environment and flags: what wins, what is refused, and what is said about it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.cli.main import cli
from agent.configuration.files import find_files
from agent.configuration.options import commands_of, settings_of
from agent.configuration.toml_lines import key_lines, line_of

Run = Callable[..., tuple[int, str, str]]
CODE = "def greet():\n    return 'hello'\n"


@pytest.fixture
def user_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    path = tmp_path / "xdg/contextc/config.toml"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def tree(write_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    root = write_tree({"a.py": CODE})
    monkeypatch.chdir(root)
    return root


def origins(run: Run, *words: str) -> dict[str, tuple[object, str]]:
    code, out, err = run("config", "--json", *words)
    assert code == 0, (out, err)
    commands = json.loads(out)["commands"]
    return {
        f"{name} {key}": (row["value"], row["origin"]) for name, rows in commands.items() for key, row in rows.items()
    }


def test_each_source_wins_over_the_one_below(
    run: Run, tree: Path, user_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert origins(run, "ask")["ask budget"] == (4000, "default")
    user_file.write_text("budget = 1001\n")
    assert origins(run)["ask budget"] == (1001, f"{user_file}:1")
    user_file.write_text("budget = 1001\n\n[ask]\nbudget = 1002\n")
    assert origins(run)["ask budget"] == (1002, f"{user_file}:4")
    assert origins(run)["pack budget"] == (1001, f"{user_file}:1")
    (tree / "pyproject.toml").write_text("[project]\nname = 'x'\n[tool.contextc]\nbudget = 1003\n")
    assert origins(run)["ask budget"] == (1003, f"{tree}/pyproject.toml:4")
    (tree / "contextc.toml").write_text("# ours\n[ask]\nbudget = 1004\n")
    assert origins(run)["ask budget"] == (1004, f"{tree}/contextc.toml:3")
    monkeypatch.setenv("CONTEXTC_BUDGET", "1005")
    assert origins(run)["ask budget"] == ("1005", "CONTEXTC_BUDGET")
    monkeypatch.setenv("CONTEXTC_ASK_BUDGET", "1006")
    assert origins(run)["ask budget"] == ("1006", "CONTEXTC_ASK_BUDGET")
    assert origins(run, "ask", "--budget", "1007")["ask budget"] == (1007, "flag --budget")


def test_a_command_runs_with_what_config_shows(run: Run, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "contextc.toml").write_text("[pack]\nbudget = 777\njson = true\n[graph]\njson = true\n")
    assert json.loads(run("pack", "where is greet")[1])["budget"] == 777
    assert json.loads(run("pack", "where is greet", "--budget", "778")[1])["budget"] == 778
    assert json.loads(run("graph", "callers", "greet")[1])  # a table of a group holds for its commands
    monkeypatch.setenv("CONTEXTC_PACK_BUDGET", "779")
    assert json.loads(run("pack", "where is greet")[1])["budget"] == 779


def test_the_settings_of_the_index_hold_for_whoever_builds_it(run: Run, tree: Path) -> None:
    (tree / "contextc.toml").write_text('[index]\nembedder = "none"\nmax-file-bytes = 5000\n')
    (tree / "big.py").write_text("X = 1\n" * 2000)
    run("search", "greet")
    status = json.loads(run("status", "--json")[1])
    assert status["embedder"] == "none"
    assert run("search", "greet")[2] == ""  # nothing to do again
    (tree / "contextc.toml").write_text('[index]\nembedder = "default"\n')
    run("search", "greet")
    assert json.loads(run("status", "--json")[1])["embedder"] != "none"
    assert origins(run)["index max-file-bytes"] == (5000, "kept in the index")


@pytest.mark.parametrize(
    ("text", "line", "cause", "mend"),
    [
        ("bugdet = 5\n", 1, "no command has an option 'bugdet'", "Did you mean 'budget'?"),
        ("[ask]\n\nbugdet = 5\n", 3, "[ask] has no option 'bugdet'", "Did you mean 'budget'?"),
        ("[aks]\nbudget = 5\n", 1, "there is no command 'aks'", "Did you mean 'ask'?"),
        ("[bench.rum]\nbudget = 5\n", 1, "there is no command 'bench rum'", "Did you mean 'run'?"),
        ("[ask]\nbudget = '5'\n", 2, "takes an integer, not a string", "contextc ask --help"),
        ("[ask]\nstrict = 1\n", 2, "takes true or false, not an integer", "contextc ask --help"),
        ("[ask]\nbudget = true\n", 2, "takes an integer, not true or false", "contextc ask --help"),
        ("[search]\nk = 0\n", 2, "is refused", "contextc search --help"),
        ("[index]\nvector-store = 'cloud'\n", 2, "is refused", "contextc index --help"),
        ("[search]\npath = 3.5\nk = [1]\n", 3, "takes one value, not a list", "contextc search --help"),
        ("[ask]\ntimeout = 2026-01-01\n", 2, "not a date", "contextc ask --help"),
        ("[doctor]\njson = true\n", 1, "doctor takes no settings from files", "remove the table"),
        ("[[ask]]\nbudget = 5\n", 1, "is a list of tables", "[NAME]"),
        ("ask = 5\n", 1, "no command has an option 'ask'", ""),
        ("budget = \n", 1, "not valid TOML", "CONTEXTC_NO_CONFIG"),
        ("[ask]\nbudget = 1\nbudget = 2\n", 3, "not valid TOML", "CONTEXTC_NO_CONFIG"),
    ],
)
def test_a_fault_is_told_with_its_line_by_every_command(
    run: Run, tree: Path, text: str, line: int, cause: str, mend: str
) -> None:
    (tree / "contextc.toml").write_text(text)
    for words in (("search", "greet"), ("config",)):
        code, out, err = run(*words)
        assert code == 2
        assert cause in err
        assert mend in err
        assert f"contextc.toml:{line}" in err or f"line {line}" in err
        assert "Traceback" not in out + err
    assert run("doctor")[0] == 2
    assert run("ask", "--help")[0] == 0
    assert json.loads(run("config", "--json")[1] or "{}") is not None


def test_the_way_out_of_a_broken_file(run: Run, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "contextc.toml").write_text("[[[")
    assert run("search", "greet")[0] == 2
    monkeypatch.setenv("CONTEXTC_NO_CONFIG", "1")
    assert run("search", "greet")[0] == 0


def test_config_lists_every_fault(run: Run, tree: Path, user_file: Path) -> None:
    user_file.write_text("bugdet = 5\n")
    (tree / "contextc.toml").write_text("[ask]\nbudget = 'x'\nmodle = 'y'\n[serach]\nk = 1\n")
    code, out, _err = run("config", "--json")
    assert code == 2
    assert [problem["cause"].split(" ")[0].rsplit(":", 2)[-2] for problem in json.loads(out)["problems"]] == [
        "1",
        "2",
        "3",
        "4",
    ]


HOSTILE = [
    "base-url = 'http://evil.example/v1'",
    "model = 'gpt-most-expensive'",
    "answerer = 'openai'",
    "answerer = 'auto'",
    "allow-generated-code = true",
    "rules = ['/etc/passwd']",
    "rules = ['../../secret.md']",
    "root = '/'",
    "rules-compiler = 'model'",
    "[index]\nchroma-url = 'http://evil.example'",
    "[index]\nembedder = 'openai:text-embedding-3-small'",
    "[index]\nembedder = 'sentence-transformers:model'",
    "[index]\nembedder = 'some-plugin'",
    "[search]\nbatch = '/etc/passwd'",
    "[graph.view]\noutput = '.git/hooks/post-commit'",
    "[artifact]\nvault = '/tmp/vault'",
    "[bench.run]\nbase_url = 'http://evil.example'",
    "[bench.cl]\njudge-url = 'http://evil.example'",
    "[bench.ir]\nlive = true",
    "[bench.run]\nout = '../../elsewhere'",
    "[bench.mine]\nrev = '--upload-pack=touch x'",
    "[chat]\noffline = false",
    "[chat]\nmax-steps = 10000",
    "[chat]\nprice = '0:0'",
    "[chat]\nresume = 'last'",
    "[chat]\nsave = 'notes.jsonl'",
    "[serve]\nhost = '0.0.0.0'",
    "[serve]\ntoken = 'known'",
    "[serve]\nallow-host = ['evil.example']",
    "[mcp]\nno-token = true",
    "[grade]\nbase-url = 'http://evil.example'",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_repository_cannot_send_anything_anywhere(run: Run, tree: Path, user_file: Path, text: str) -> None:
    full = text if text.startswith("[") else f"[ask]\n{text}"
    for name, content in (("contextc.toml", full), ("pyproject.toml", full.replace("[", "[tool.contextc.", 1))):
        for old in ("contextc.toml", "pyproject.toml"):
            (tree / old).unlink(missing_ok=True)
        (tree / name).write_text(content)
        code, _, err = run("ask", "where is greet")
        assert code == 2
        assert f"{name}:2: a repository's file may not say this" in err
        assert str(user_file) in err
    (tree / name).unlink()
    user_file.write_text(full)
    if "passwd" not in text and "secret.md" not in text:
        assert run("config")[0] == 0  # one's own file may


def test_every_option_that_takes_free_text_is_refused_unless_it_is_known_to_be_harmless(tree: Path) -> None:
    """A command that is added tomorrow must not open a door: its texts and paths are refused until somebody thought."""
    from agent.configuration.trust import _HARMLESS_TEXTS, refusal

    for names, command in commands_of(cli):
        for setting in settings_of(names, command).values():
            kind = setting.option.type
            if isinstance(kind, click.Path) or kind is click.STRING:
                verdict = refusal(setting, "x" if isinstance(kind, click.Path) else "http://evil.example", tree, tree)
                inside = isinstance(kind, click.Path) and kind.exists
                assert verdict or inside or setting.key in _HARMLESS_TEXTS | {"rules"}, (names, setting.key)
            if {"allow", "token", "cost", "price"} & set(setting.key.split("-")):
                assert refusal(setting, True, tree, tree), (names, setting.key)


def test_a_repository_may_tune(run: Run, tree: Path) -> None:
    (tree / "AGENTS.md").write_text("Answers must not exceed 400 words.\n")
    (tree / "contextc.toml").write_text(
        "budget = 900\nquiet = true\n[ask]\nanswerer = 'offline'\nstrict = false\nrules = ['AGENTS.md']\n"
        "[search]\nk = 3\npath = ['!tests/']\n[index]\nembedder = 'default'\n"
    )
    below = tree / "deep/er"
    below.mkdir(parents=True)
    (below / "b.py").write_text(CODE)
    run("index", tree)
    code, out, err = run("ask", "where is greet", "--root", below)
    assert (code, err) == (0, "")
    assert "rules: 1 held" in out


def test_the_search_stops_at_the_top_of_the_work_tree(
    run: Run, tree: Path, tmp_path: Path, run_git: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "contextc.toml").write_text("budget = 1\n")  # above the tree: anybody's
    (tree / "pkg").mkdir()
    assert find_files(tree, {}) == ()
    assert find_files(tree / "pkg", {}) == ()
    run_git(tree, "init", "-q")
    assert find_files(tree / "pkg", {}) == ()
    (tree / "contextc.toml").write_text("budget = 2\n")
    assert [file.path for file in find_files(tree / "pkg", {})] == [tree / "contextc.toml"]
    (tree / "pkg/b.py").write_text(CODE)
    run("index", tree / "pkg")  # a root of its own: searched from there upward
    assert [file.path for file in find_files(tree / "pkg", {})] == [tree / "contextc.toml"]
    (tree / "pkg/contextc.toml").write_text("budget = 3\n")
    assert [file.path for file in find_files(tree / "pkg", {})] == [tree / "pkg/contextc.toml"]


def test_the_tree_that_a_command_names_decides(
    run: Run, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.py").write_text(CODE)
    (other / "contextc.toml").write_text("[search]\njson = true\n[index]\njson = true\n")
    assert run("search", "greet", "-q")[1].startswith("  1.")
    assert json.loads(run("search", "greet", "-q", "--root", other)[1])
    assert json.loads(run("search", "greet", "-q", f"--root={other}")[1])
    assert json.loads(run("index", "-q", other)[1])
    monkeypatch.setenv("CONTEXTC_ROOT", str(other))
    assert json.loads(run("search", "greet", "-q")[1])


def test_links_pipes_and_other_files(run: Run, tree: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.toml"
    outside.write_text("budget = 5\n")
    path = tree / "contextc.toml"
    path.symlink_to(outside)
    assert "leads out of the tree" in run("search", "greet")[2]
    path.unlink()
    os.mkfifo(path)
    assert "not a regular file" in run("search", "greet")[2]
    path.unlink()
    path.mkdir()
    assert run("search", "greet")[0] == 2
    path.rmdir()
    path.write_bytes(b"# \xff\n")
    assert "not UTF-8" in run("search", "greet")[2]
    path.write_bytes(b"x" * 2_000_000)
    assert "larger than" in run("search", "greet")[2]
    path.write_text("a = " + "[" * 100_000)
    assert "not valid TOML" in run("search", "greet")[2]
    path.unlink()
    (tree / "pyproject.toml").write_text("[tool]\ncontextc = 5\n")
    assert "not a table" in run("search", "greet")[2]
    (tree / "pyproject.toml").write_text("[tool.other]\ncontextc = 5\n")
    assert run("search", "greet")[0] == 0
    (tree / "pyproject.toml").write_text("[project\ndependencies = ['contextc']\n")  # broken, and none of ours
    assert run("search", "greet")[0] == 0
    (tree / "pyproject.toml").write_text("[tool.contextc\nbudget = 5\n")
    assert "not valid TOML" in run("search", "greet")[2]


def test_what_a_file_says_does_not_drive_the_terminal(run: Run, tree: Path) -> None:
    (tree / "contextc.toml").write_text('[search]\npath = ["\\u001b[2J\\u0007\\nx"]\n')
    out = run("config")[1]
    assert "\x1b" not in out
    assert len(out.splitlines()) == 3  # the file, the setting, the cache that tests are given
    (tree / "contextc.toml").write_text('"\\u001b[2J" = 1\n["\\u001b]0;x\\u0007"]\na = 1\n')
    code, out, err = run("config")
    assert code == 2
    assert "\x1b" not in out + err


def test_every_variable_that_the_code_names_is_known(tree: Path) -> None:
    import re

    from agent.configuration.variables import KNOWN

    root = Path(__file__).resolve().parents[2]
    named = {
        name
        for package in ("retrieval", "agent", "harness")
        for path in (root / package).rglob("*.py")
        for name in re.findall(r"[\"'](CONTEXTC_[A-Z_]+)[\"']", path.read_text("utf-8"))
    }
    settable = {
        name
        for names, command in commands_of(cli)
        for one in settings_of(names, command).values()
        for name in one.variables
    }
    assert {name for name in named if not name.endswith("_")} - set(KNOWN) - settable == set()


def test_variables(run: Run, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTEXTC_BUDGTE", "5")
    assert "nothing reads the variable CONTEXTC_BUDGTE. Did you mean 'CONTEXTC_BUDGET'?" in run("config")[2]
    monkeypatch.setenv("CONTEXTC_PACK_BUDGET", "lots")
    code, _, err = run("pack", "where is greet")
    assert code == 2
    assert "variable CONTEXTC_PACK_BUDGET" in err
    monkeypatch.setenv("CONTEXTC_PACK_BUDGET", "")
    monkeypatch.setenv("CONTEXTC_SEARCH_PATH", "!tests/ *.py")
    monkeypatch.setenv("CONTEXTC_QUIET", "yes")
    assert run("search", "greet")[2] == ""
    assert origins(run)["search path"] == (["!tests/", "*.py"], "CONTEXTC_SEARCH_PATH")


def test_the_model_of_a_file_gives_way_to_the_variable_that_always_was(
    run: Run, tree: Path, user_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_file.write_text("model = 'from-file'\nbase-url = 'http://user:secret@127.0.0.1:9/v1'\n")
    shown = run("config")[1]
    assert "secret" not in shown
    assert origins(run)["ask base-url"][0] == "http://***@127.0.0.1:9/v1"
    monkeypatch.setenv("CONTEXTC_MODEL", "from-variable")
    assert origins(run)["ask model"] == ("from-variable", "CONTEXTC_MODEL")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8/v1")
    assert "ask base-url" not in origins(run)


def test_keys_and_tokens_are_not_shown(run: Run, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    monkeypatch.setenv("CONTEXTC_CHROMA_TOKEN", "very-secret")
    monkeypatch.setenv("CONTEXTC_SERVE_TOKEN", "very-secret")
    monkeypatch.setenv("CONTEXTC_CHAT_MAX_TOKENS", "70000")
    assert "70000" in run("config")[1]  # a number of tokens is none
    for words in ((), ("--json",), ("--all",)):
        assert "very-secret" not in "".join(map(str, run("config", *words)))


def test_every_command_and_option_is_listed(run: Run, tree: Path) -> None:
    """Nothing is declared twice: what the commands have is what can be configured."""
    listed = origins(run, "--all")
    for names, command in commands_of(cli):
        for param in command.params:
            if (
                isinstance(param, click.Option)
                and param.expose_value
                and not (param.is_flag and not param.is_bool_flag)
            ):
                key = max(param.opts, key=len).lstrip("-")
                assert f"{' '.join(names)} {key}" in listed


def test_a_server_indexes_as_configured(run: Run, tree: Path) -> None:
    from agent.cli.main import cli
    from agent.configuration.apply import configuration_for

    assert configuration_for(cli, ["index", str(tree)]).index_overrides(cli) is None
    (tree / "contextc.toml").write_text("[index]\nembedder = 'none'\n[chat]\noffline = true\n")
    overrides = configuration_for(cli, ["index", str(tree)]).index_overrides(cli)
    assert overrides is not None
    assert (overrides.embedder, overrides.max_file_bytes) == ("none", None)


def test_a_wrong_command_name(run: Run, tree: Path) -> None:
    code, _, err = run("config", "bench", "rum")
    assert code == 2
    assert "Did you mean 'run'?" in err


def test_a_file_that_has_passed_costs_no_import_of_other_commands(tree: Path) -> None:
    (tree / "contextc.toml").write_text("budget = 900\n[search]\nk = 3\n")
    code = (
        "import sys\nfrom agent.cli.main import main\nassert main(['search', 'greet', '-q']) == 0\n"
        "print([m for m in sys.modules if m.startswith('harness') or m.endswith('_cmd')])"
    )
    root = Path(__file__).resolve().parents[2]
    for expected in (False, True):
        done = subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            text=True,
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(root)},
        )
        last = done.stdout.splitlines()[-1]
        assert (
            last == "['agent.cli.search_cmd', 'agent.cli.index_cmd']" or last == "['agent.cli.search_cmd']"
        ) is expected, last


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_name_the_program(run: Run, shell: str) -> None:
    code, out, err = run("completion", shell)
    assert (code, err) == (0, "")
    assert "_CONTEXTC_COMPLETE" in out


def test_bash_completes_commands_and_options(tree: Path) -> None:
    (tree / "contextc.toml").write_text("[[[")  # a broken file must not spoil the prompt
    root = Path(__file__).resolve().parents[2]
    for words, at, expected in (
        ("contextc se", 1, "plain,search"),
        ("contextc ask --answerer of", 3, "plain,offline"),
        ("contextc search --no", 2, "plain,--no-update"),
    ):
        environment = {
            **os.environ,
            "PYTHONPATH": str(root),
            "_CONTEXTC_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(at),
        }
        done = subprocess.run(
            [sys.executable, "-m", "agent.cli.main"], capture_output=True, text=True, cwd=tree, env=environment
        )
        assert done.stderr == ""
        assert expected in done.stdout.splitlines()


# ------------------------------------------------------------------------------------------------------------- lines

KEYS = st.lists(st.text("abcd-_ .\"'é", min_size=1, max_size=6), min_size=1, max_size=3)


@given(
    st.lists(
        st.tuples(KEYS, st.sampled_from(["1", "'x'", '"""\n[no]\nz = 1\n"""', "[\n  1,\n]", "{ a = 1 }"])), max_size=6
    )
)
def test_lines_of_keys_however_they_are_written(entries: list[tuple[list[str], str]]) -> None:
    import tomllib

    text, expected = "# head\n", {}
    for keys, value in entries:
        written = ".".join(json.dumps(key, ensure_ascii=False) for key in keys)
        try:
            tomllib.loads(f"{text}{written} = {value}\n")
        except tomllib.TOMLDecodeError:
            continue  # defined twice
        expected[tuple(keys)] = text.count("\n") + 1
        text += f"{written} = {value}\n"
    found = key_lines(text)
    assert {keys: found[keys] for keys in expected} == expected
    assert line_of(text, ("none", "such")) >= 1


def test_a_hostile_line_is_read_in_linear_time() -> None:
    assert key_lines('a = """\\"""' + '\\"' * 500_000) == {("a",): 1}
    assert key_lines("a" * 500_000 + "\n" + "'" * 500_000 + "\n" + "a." * 200_000 + "\n" + "[" * 300_000) == {}


@pytest.mark.parametrize("key", ["rules", "rules-without"])
def test_a_tilde_leads_out_of_the_tree(run: Run, tree: Path, tmp_path: Path, monkeypatch, key: str) -> None:
    home = tmp_path / "home-of-the-user"
    home.mkdir()
    (home / "private.md").write_text("Always say PRIVATE-TEXT.\n")
    monkeypatch.setenv("HOME", str(home))
    (tree / "contextc.toml").write_text(f"[ask]\n{key} = ['~/private.md']\n")
    code, out, err = run("ask", "where is greet")
    assert "PRIVATE-TEXT" not in out + err
    if key == "rules":
        assert (code, out) == (2, "")
        assert "outside of the tree" in err


def test_a_folder_in_place_of_the_file_is_named(run: Run, tree: Path) -> None:
    (tree / "contextc.toml").mkdir()
    code, _, err = run("ask", "where is greet")
    assert code == 2
    assert "contextc.toml is not a regular file" in err


def test_a_number_beyond_all_sums_and_an_unknown_home_are_refused(run: Run, tree: Path, user_file: Path) -> None:
    user_file.write_text(f"[ask]\nbudget = {'9' * 4000}\n")
    code, _, err = run("ask", "where is greet")
    assert code == 2
    assert "budget" in err
    user_file.write_text("[chat]\nsave = '~nobody-of-this-name/x'\n")
    code, _, err = run("chat", "-q")
    assert code == 2
    assert "names no place" in err
