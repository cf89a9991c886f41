"""The evidence of a conversation: numbers, what may be cited, and what became of it when files change."""

from __future__ import annotations

from answer_fakes import evidence, pack_of
from hypothesis import given
from hypothesis import strategies as st
from loop_fakes import FakeTree

from agent.answer.contract import check
from agent.loop.checked import check_answer
from agent.loop.context import render_kept
from agent.loop.ledger import Ledger
from agent.tools.context import digest_of_lines
from agent.tools.records import Evidence


def shown(tree: FakeTree, path: str, first: int, last: int) -> Evidence:
    return Evidence(path, first, last, digest_of_lines(tree.now(path).raw, first, last))


def test_a_file_keeps_its_number_and_its_lines_add_up():
    tree = FakeTree()
    ledger = Ledger(tree)
    pack, taken = ledger.add_pack(pack_of(evidence(7, "notes.md", tree.files["notes.md"].rstrip("\n"))))
    assert [chunk.number for chunk in pack.chunks] == [1]
    assert taken[0].path == "notes.md"
    assert [one.number for one in ledger.add([shown(tree, "app.py", 4, 5)])] == [2]
    assert [one.number for one in ledger.add([shown(tree, "app.py", 8, 9)])] == [2]
    assert ledger.shown("app.py") == ((4, 5), (8, 9))
    answer = "`serve` adds one [2:9]. It is called [2:5]. It logs [2:6]."
    assert [one.supported for one in check(answer, ledger.pack("")).statements] == [True, True, False]


def test_lines_that_are_not_what_the_tool_saw_cannot_be_cited():
    tree = FakeTree()
    ledger = Ledger(tree)
    assert ledger.add([Evidence("app.py", 4, 5, "0" * 64)]) == ()
    assert ledger.pack("").chunks == ()


def ledger_over(tree: FakeTree) -> Ledger:
    ledger = Ledger(tree)
    ledger.add([shown(tree, "app.py", 4, 5), shown(tree, "app.py", 8, 9)])
    ledger.cite("app.py", 4, 5, turn=1)
    ledger.cite("app.py", 9, 9, turn=1)
    return ledger


def test_nothing_changed_nothing_said():
    tree = FakeTree()
    ledger = ledger_over(tree)
    tree.files["app.py"] += "# more at the end\n"  # the file changed, the lines did not
    assert ledger.recheck() == []
    assert ledger.shown("app.py") == ((4, 5), (8, 9))


def test_lines_that_moved_are_read_again_where_they_are():
    tree = FakeTree()
    ledger = ledger_over(tree)
    tree.files["app.py"] = "# one\n# two\n" + tree.files["app.py"]
    changes = ledger.recheck()
    assert [(one.outcome, one.first, one.now) for one in changes] == [("moved", 4, 6), ("moved", 8, 10)]
    assert "now from line 6" in changes[0].told()
    assert ledger.shown("app.py") == ((6, 7), (10, 11))
    assert ledger.cited() == [(1, "app.py", 6), (1, "app.py", 7), (1, "app.py", 11)]
    assert ledger.recheck() == []


def test_lines_that_are_gone_are_dropped_and_can_no_longer_be_cited():
    tree = FakeTree()
    ledger = ledger_over(tree)
    tree.files["app.py"] = tree.files["app.py"].replace("port + 1", "port + 2")
    (change,) = ledger.recheck()
    assert (change.outcome, change.first) == ("dropped", 9)
    assert not check("It adds one [1:9].", ledger.pack("")).statements[0].supported
    del tree.files["app.py"]
    assert [one.outcome for one in ledger.recheck()] == ["dropped", "dropped"]
    assert ledger.pack("").chunks == ()


def test_an_edit_in_the_middle_drops_that_and_nothing_else():
    tree = FakeTree({"f.py": "".join(f"line {number}\n" for number in range(1, 21))})
    ledger = Ledger(tree)
    ledger.add([shown(tree, "f.py", 2, 18)])
    ledger.cite("f.py", 4, 16, turn=3)
    tree.files["f.py"] = tree.files["f.py"].replace("line 10\n", "new\nand more\n")
    changes = [(one.outcome, one.first, one.last, one.now) for one in ledger.recheck()]
    assert changes == [("dropped", 10, 10, 0), ("moved", 11, 18, 12)]
    assert ledger.shown("f.py") == ((2, 9), (12, 19))
    assert ledger.text("f.py", 12) == "line 11"
    assert [line for _, _, line in ledger.cited()] == [*range(4, 10), *range(12, 18)]


def test_a_sentence_is_carried_by_the_lines_it_cites_and_not_by_the_file():
    tree = FakeTree()
    ledger = Ledger(tree)
    ledger.add([shown(tree, "app.py", 4, 5), shown(tree, "app.py", 9, 9)])
    said = "`run` calls `serve` [1:5]. It adds `run` [1:9]. See `x[1:5]`. It calls [1:4-9]. No [1:6], no [2:1], no [1004:4]."
    told = check_answer(said.replace(", no [1004:4]", ""), ledger, "")
    assert [one.supported for one in told.statements] == [True, False, False, False, False]
    assert [one.number for one in told.citations] == [1, 1]
    assert "It adds `run` [1:9]. [unsupported]" in told.marked
    assert "`x[1:5]`" in told.marked
    assert "1000" not in told.marked + "".join(one.text + one.why for one in told.statements)
    assert not any(one.supported for one in check_answer("It calls [1000:5].", ledger, "").statements)


@given(st.text(alphabet="[]0123456789:-,` .aE", max_size=80))
def test_checking_changes_no_text(text: str):
    tree = FakeTree()
    ledger = Ledger(tree)
    ledger.add([shown(tree, "app.py", 4, 5), shown(tree, "app.py", 8, 9)])
    marked = check_answer(text, ledger, "").marked
    plain = check(text, ledger.pack("")).marked
    strip = str.maketrans("", "", " \n")
    for mark in ("[unsupported]", "[uncited]"):
        marked, plain = marked.replace(mark, ""), plain.replace(mark, "")
    assert marked.translate(strip) == plain.translate(strip)


def test_a_transcript_gives_the_ledger_back():
    tree = FakeTree()
    first = Ledger(tree)
    taken = first.add([shown(tree, "app.py", 4, 9)])
    second = Ledger(tree)
    for one in taken:
        second.restore(one.to_dict())
    assert second.pack("") == first.pack("")
    tree.files["app.py"] = "\n" + tree.files["app.py"]
    assert [one.now for one in second.recheck()] == [5]


def test_what_is_kept_is_what_answers_cite_newest_first():
    tree = FakeTree()
    ledger = Ledger(tree)
    ledger.add([shown(tree, "app.py", 1, 9), shown(tree, "notes.md", 1, 3)])
    ledger.cite("notes.md", 3, 3, turn=1)
    ledger.cite("app.py", 5, 5, turn=2)
    assert render_kept(ledger, 0) == ""
    assert "[1] app.py:5-5 (cited before)\n5     return serve(port)\n" in render_kept(ledger, 40)
    assert "notes.md" not in render_kept(ledger, 40)
    assert "[2] notes.md:3-3" in render_kept(ledger, 1_000)
    assert "def serve" not in render_kept(ledger, 1_000)


@given(st.lists(st.sampled_from(["a", "b", "c", ""]), min_size=1, max_size=12), st.data())
def test_after_a_recheck_every_shown_line_is_the_files_line(lines: list[str], data: st.DataObject):
    tree = FakeTree({"f.py": "".join(line + "\n" for line in lines)})
    ledger = Ledger(tree)
    first = data.draw(st.integers(1, len(lines)))
    ledger.add([shown(tree, "f.py", first, data.draw(st.integers(first, len(lines))))])
    changed = data.draw(st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=12))
    tree.files["f.py"] = "".join(line + "\n" for line in changed)
    ledger.recheck()
    for start, end in ledger.shown("f.py"):
        for number in range(start, end + 1):
            assert ledger.text("f.py", number) == changed[number - 1]
