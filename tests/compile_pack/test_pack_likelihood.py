"""Packs spend tokens by the likelihood of lines, and point at further files by one line each."""

from __future__ import annotations

from pack_fakes import FakeSource, FakeWorkspace, candidate, plan

from retrieval.compile.pipeline import compile_pack


def function(name: str, lines: int) -> str:
    body = "".join(f"    step_{at} = prepare(step_{at - 1}, {at})\n" for at in range(1, lines))
    return f"def {name}(step_0):\n{body}    return step_0\n\n\n"


def shown_lines(pack: object) -> dict[str, int]:
    return {
        f"{chunk.path}:{chunk.symbol}": sum(last - first + 1 for first, last in chunk.ranges)
        for chunk in pack.chunks  # type: ignore[attr-defined]
    }


def test_a_likely_second_function_of_a_file_is_whole_and_other_files_are_pointed_at() -> None:
    texts = {"a.py": function("first", 10) + function("second", 10)}
    texts |= {f"other_{at}.py": function(f"other_{at}", 10) for at in range(3)}
    source = FakeSource(texts)
    ranked = [*source.chunks("a.py")[:1], *(source.chunks(f"other_{at}.py")[0] for at in range(3))]
    ranked += source.chunks("a.py")[1:2]
    likelihoods = [0.3, 0.01, 0.01, 0.01, 0.25]
    found = [candidate(chunk, 1.0 - 0.1 * at)._replace(likelihood=likelihoods[at]) for at, chunk in enumerate(ranked)]
    pack = compile_pack(plan("how are steps prepared"), FakeWorkspace(tuple(found)), source, budget=500)
    lines = shown_lines(pack)
    assert lines["a.py:first"] >= 10 and lines["a.py:second"] >= 10
    assert all(lines[f"other_{at}.py:other_{at}"] == 1 for at in range(3)), "a line says what is where"


def test_without_estimates_the_scores_decide() -> None:
    texts = {f"m{at}.py": function(f"work_{at}", 20) for at in range(6)}
    source = FakeSource(texts)
    found = tuple(candidate(source.chunks(path)[0], 1.0 - 0.15 * at) for at, path in enumerate(texts))
    pack = compile_pack(plan("how are steps prepared"), FakeWorkspace(found), source, budget=700)
    lines = shown_lines(pack)
    assert lines["m0.py:work_0"] >= 20
    assert lines.get("m5.py:work_5", 0) <= lines["m0.py:work_0"]


def test_the_headers_carry_path_symbol_lines_legs_and_score() -> None:
    source = FakeSource({"m.py": function("work", 12)})
    pack = compile_pack(plan("work"), FakeWorkspace((candidate(source.chunks("m.py")[0], 0.5),)), source, budget=400)
    from retrieval.compile.render import render_pack

    header = render_pack(pack).split("\n")[0]
    assert header.startswith("[1] m.py:1-") and header.endswith(" work l50")


def test_pieces_that_follow_in_a_file_do_not_name_it_again() -> None:
    text = "\n\n\n".join(function(name, 12).rstrip("\n") for name in ("work", "rest")) + "\n"
    source = FakeSource({"lib/deep/m.py": text})
    found = tuple(candidate(chunk, 0.5) for chunk in source.chunks("lib/deep/m.py"))
    pack = compile_pack(plan("work and rest"), FakeWorkspace(found), source, budget=2000)
    from retrieval.compile.render import render_pack

    headers = [line for line in render_pack(pack).split("\n") if line.startswith("[")]
    assert [header.split(" ")[1].split(":")[0] for header in headers] == ["lib/deep/m.py", ""]


def test_a_class_is_named_once_for_its_methods() -> None:
    one, two, run = (function(name, 4) for name in ("one", "two", "run"))
    source = FakeSource({"a.py": f"{one}\n\n{two}\n\n{run}"})
    symbols = {"one": "Cart.one", "two": "Cart.two"}
    found = tuple(
        candidate(chunk._replace(symbol=symbols.get(chunk.symbol, chunk.symbol)), 0.5)
        for chunk in source.chunks("a.py")
        if chunk.symbol
    )
    pack = compile_pack(plan("one, two and run"), FakeWorkspace(found), source, budget=2000)
    from retrieval.compile.render import render_pack

    headers = [line.split(" ")[2] for line in render_pack(pack).split("\n") if line.startswith("[")]
    assert headers == ["Cart.one", ".two", "run"]
    assert pack.total_tokens <= 2000
