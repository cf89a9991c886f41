"""Documents by heading, configuration by section."""

from __future__ import annotations

import pytest
from language_invariants import check

from retrieval.chunking.flat import flat_chunks
from retrieval.languages.registry import analyze
from retrieval.records import BlockKind, Chunk, ChunkKind

FILLER = "Some words that fill a line of prose, one after the other.\n" * 8 + "\n"


def chunks(text: str, language: str) -> tuple[Chunk, ...]:
    analysis = analyze("docs/x", text, language, "")
    assert not analysis.partial
    check(text, analysis)
    return analysis.chunks


def names(text: str, language: str) -> list[str]:
    return [chunk.symbol for chunk in chunks(text, language)]


def test_markdown_headings_of_both_kinds() -> None:
    text = (
        f"Preamble.\n\n{FILLER}Title `x`\n=======\n\n{FILLER}## [Install](http://x) ##\n{FILLER}Sub\nheading\n-------\n{FILLER}"
        f"### C#\n{FILLER}# Next\n{FILLER}"
    )
    found = chunks(text, "markdown")
    assert [chunk.symbol for chunk in found] == [
        "",
        "Title x",
        "Title x > Install",
        "Title x > Sub heading",
        "Title x > Sub heading > C#",
        "Next",
    ]
    assert {chunk.kind for chunk in found} == {ChunkKind.SECTION}
    assert [chunk.context for chunk in found] == ["", "", "Title x", "Title x", "Title x > Sub heading", ""]


def test_markdown_code_is_no_heading() -> None:
    fence = "```sh\n# not a heading\nx\n===\n```\n"
    text = f"# A\n{FILLER}{fence}\n~~~~\n# neither\n~~~\n~~~~\n\n    # nor this\n\n- item\n---\n\n| a |\n---\n{FILLER}#nor this\n\n## B\n{FILLER}"
    assert names(text, "markdown") == ["A", "A > B"]


def test_markdown_front_matter() -> None:
    text = f"---\ntitle: x\n# no heading\n---\n# A\n{FILLER}{FILLER}"
    assert names(text, "markdown")[-1] == "A"
    assert names("---\n\n# A\n" + FILLER, "markdown") == ["A"]


def test_a_heading_without_text_goes_with_the_section_below() -> None:
    text = f"# Title\n\n## Install\n\n{FILLER}{FILLER}## Use\n\n{FILLER}{FILLER}"
    found = chunks(text, "markdown")
    assert [(chunk.symbol, chunk.start_line) for chunk in found] == [("Title > Install", 1), ("Title > Use", 23)]


def test_tiny_neighbours_merge() -> None:
    text = "# Log\n\n" + "".join(f"## {n}\n\n- Fixed {n}.\n\n" for n in range(12))
    assert 1 < len(chunks(text, "markdown")) < 6


def test_long_section_is_split_between_paragraphs_with_its_path_as_context() -> None:
    code = "```\n" + "\n\n".join(f"line {n}" for n in range(12)) + "\n```\n\n"
    text = "# A\n\n## B\n\n" + (FILLER + code) * 6
    found = chunks(text, "markdown")
    assert len(found) > 2
    assert {chunk.symbol for chunk in found} == {"A > B"}
    assert [chunk.part for chunk in found] == list(range(1, len(found) + 1))
    assert {chunk.context for chunk in found[1:]} == {"A > B"}
    lines = text.split("\n")
    for chunk in found:
        inside = lines[chunk.start_line - 1 : chunk.end_line]
        assert len(inside) <= 80
        assert inside.count("```") % 2 == 0, "code blocks stay whole"


def test_restructuredtext_takes_adornments_in_their_order() -> None:
    text = (
        f".. _top:\n\n*****\nTitle\n*****\n\n{FILLER}First\n^^^^^\n\n{FILLER}.. _deep:\n\nDeeper ``x``\n=======\n\n{FILLER}"
        f"Second\n^^^^^^\n\n{FILLER}::\n\n    literal\n    =======\n\n=====  =====\na      b\n=====  =====\n{FILLER}"
    )
    found = chunks(text, "rst")
    assert [chunk.symbol for chunk in found] == ["Title", "Title > First", "Title > First > Deeper x", "Title > Second"]
    lines = text.split("\n")
    assert lines[found[2].start_line - 1] == ".. _deep:"


def test_change_log_is_prose() -> None:
    text = "".join(
        f"Version {n}.0\n-----------\n\n" + f"-   Fixed a thing. :issue:`{n}`\n" * 30 + "\n" for n in range(4)
    )
    found = chunks(text, "rst")
    assert [chunk.symbol for chunk in found] == [f"Version {n}.0" for n in range(4)]
    texts = [block for block in found[0].blocks if block.kind is BlockKind.TEXT]
    assert len(texts) > 25, "list items can be shown one by one"


def test_toml_by_table() -> None:
    items = "".join(f'    "item{n}",\n' for n in range(10))
    text = (
        f'# top\n[project]\nname = "x"\ndependencies = [\n{items}]\nmatrix = [\n  [1, 2],\n  [3]\n]\ntext = """\n[not.a.table]\n'
        f'"""\n\n# about lint\n[tool.ruff.lint]\nselect = [\n{items}]\n[[tool.mypy.overrides]]\nmodule = [\n{items}]\n'
    )
    found = chunks(text, "toml")
    assert [chunk.symbol for chunk in found] == ["project", "tool.ruff.lint", "tool.mypy.overrides"]
    assert {chunk.kind for chunk in found} == {ChunkKind.CONFIG}
    assert text.split("\n")[found[1].start_line - 1] == "# about lint"


def test_ini_by_section() -> None:
    keys = "".join(f"key{n} = {n}\n    [continued]\n" for n in range(8))
    assert names(f"[metadata]\n{keys}\n[options.extras_require]\n{keys}", "ini") == [
        "metadata",
        "options.extras_require",
    ]


def test_yaml_by_top_level_key() -> None:
    body = "".join(f"  step{n}:\n    run: |\n      echo: {n}\n" for n in range(8))
    text = f"# about\nname: CI\n'on':\n{body}jobs:\n{body}"
    assert names(text, "yaml") == ["name, on", "jobs"] or names(text, "yaml") == ["name", "on", "jobs"]


def test_json_by_top_level_key() -> None:
    body = ",\n".join(f'    "k{n}": {{\n      "a": 1\n    }}' for n in range(8))
    text = f'{{\n  "scripts": {{\n{body}\n  }},\n  "dependencies": {{\n{body}\n  }}\n}}\n'
    assert names(text, "json") == ["scripts", "dependencies"]
    assert [chunk.kind for chunk in chunks('[1,2,{"a":3}]\n', "json")] == [ChunkKind.WINDOW]


def test_text_and_unknown_languages_become_windows() -> None:
    text = "\n\n".join("words and words\n" * 4 for _ in range(40))
    for language in ("text", "klingon"):
        found = chunks(text, language)
        assert len(found) > 3
        assert {chunk.kind for chunk in found} == {ChunkKind.WINDOW}
        lines = text.split("\n")
        assert all(not lines[chunk.start_line - 2] for chunk in found[1:]), "windows start behind a blank line"


def test_flat_windows_overlap_as_asked() -> None:
    text = "".join(f"line {n}\n" for n in range(100))
    assert [(c.start_line, c.end_line) for c in flat_chunks(text)] == [(1, 40), (41, 80), (81, 100)]
    assert [(c.start_line, c.end_line) for c in flat_chunks(text, 40, 10)] == [(1, 40), (31, 70), (61, 100)]
    assert flat_chunks("") == () and flat_chunks("\n\n") == ()
    with pytest.raises(ValueError, match="overlap"):
        flat_chunks(text, 10, 10)


@pytest.mark.parametrize("language", ["markdown", "rst", "toml", "ini", "yaml", "json", "text"])
def test_hostile_lines_are_read_in_linear_time(language: str) -> None:
    """A very long line or very many short ones: nothing here may backtrack or rescan (a hang would fail the suite)."""
    n = 20_000
    for text in ("[" * n, '"' * n, "#" * n + " " * n + "x", "a\n=\n" * n, "- \n" * n, "a: [" * n, ".. _" * n, "`" * n):
        check(text, analyze("x", text, language, ""))


def test_a_fault_in_a_language_costs_only_the_structure(monkeypatch: pytest.MonkeyPatch) -> None:
    from retrieval.languages import registry

    def fail(path: str, text: str, module: str) -> None:
        raise RecursionError

    monkeypatch.setitem(registry._ANALYZERS, "python", fail)
    analysis = analyze("m.py", "x = 1\n", "python", "m")
    assert analysis.partial
    check("x = 1\n", analysis)
