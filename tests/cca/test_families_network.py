"""The network of families: what it computes, what it keeps when packed, and what never becomes a check."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.cca.compile import compile_rules
from agent.cca.compiled import Source
from agent.cca.deterministic import compile_deterministic
from agent.cca.families import model
from agent.cca.families.guards import permits
from agent.cca.families.model import load_model
from agent.cca.families.network import MAX_WORDS, OPEN, UNKNOWN, WIDTHS, Network, packed, unpacked
from agent.cca.families.read import rated
from agent.cca.families.slots import plain_token, see
from agent.cca.sentences import rejoined, sentences
from retrieval.errors import UserError


def small(seed: int = 0) -> Network:
    draw = np.random.default_rng(seed)
    names = [UNKNOWN, OPEN, "no", "table", "\x01term\x01"]
    width, filters, classes = 4, 3, ("", "a", "b")

    def matrix(*shape: int) -> np.ndarray:
        return draw.normal(size=shape).astype(np.float32)

    return Network(
        {name: i for i, name in enumerate(names)},
        matrix(len(names), width),
        tuple(matrix(size * width, filters) for size in WIDTHS),
        tuple(matrix(filters) for _ in WIDTHS),
        matrix(len(WIDTHS) * filters, len(classes)),
        matrix(len(classes)),
        classes,
    )


def by_hand(network: Network, words: list[str]) -> np.ndarray:
    """The same, position by position."""
    rows = [network.table[network.vocabulary.get(word, 0)] for word in [OPEN, *words][:MAX_WORDS]]
    nothing = np.zeros(len(rows[0]), np.float32)
    found = []
    for size, kernel, bias in zip(WIDTHS, network.filters, network.biases, strict=True):
        padded = [nothing] * (size - 1) + rows + [nothing] * (size - 1)
        places = [np.concatenate(padded[i : i + size]) @ kernel + bias for i in range(len(padded) - size + 1)]
        found.append(np.maximum(np.max(places, axis=0), 0.0))
    logits = np.concatenate(found) @ network.out + network.shift
    powers = np.exp(logits - logits.max())
    return np.asarray(powers / powers.sum())


@given(st.lists(st.sampled_from(["no", "table", "\x01term\x01", "never seen"]), max_size=60), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_chances_are_those_of_the_network_worked_out_by_hand(words: list[str], seed: int) -> None:
    network = small(seed)
    np.testing.assert_allclose(network.chances(words), by_hand(network, words), atol=1e-5)
    assert network.chances(words).sum() == pytest.approx(1.0, abs=1e-5)


def test_packing_in_bytes_keeps_the_chances() -> None:
    network = small()
    again = unpacked(packed(network))
    assert (again.vocabulary, again.classes) == (network.vocabulary, network.classes)
    words = ["no", "table", "else"]
    np.testing.assert_allclose(again.chances(words), network.chances(words), atol=0.05)


def test_a_term_is_seen_with_its_shape_and_plainly() -> None:
    seen = see('Call `foo()` and never write "Note:" again.')
    assert "\x01term_call\x01" in seen.shaped
    assert "\x01term_label\x01" in seen.shaped
    assert seen.tokens == tuple(plain_token(token) for token in seen.shaped)
    assert "\x01term\x01" in seen.tokens


@pytest.mark.parametrize(
    "text",
    [
        "Sentences may be longer than 20 words.",
        "Answers are not limited to 5 words.",
        "Do not limit answers to 5 words.",
        "A reply need not have a heading.",
        "Not every line has to start with a dash.",
        "Bold is allowed in titles.",
        'A refusal must contain the phrase "not allowed".',
    ],
)
def test_permissions_are_no_demands(text: str) -> None:
    assert permits(text)
    assert compile_deterministic([Source("rules", text)]).verifiers == ()


@pytest.mark.parametrize(
    "text",
    [
        "No sentence may be longer than 20 words.",
        "A title can have at most 5 words.",
        "Only lower case may be used.",
        "You must not use tables.",
    ],
)
def test_demands_that_speak_of_may_and_can_are_demands(text: str) -> None:
    assert not permits(text)


def test_halves_that_only_together_demand_are_one_rule() -> None:
    text = "Tables break on phones; do without them."
    (verifier,) = compile_deterministic([Source("rules", text)]).verifiers
    assert verifier.rule.quote.text == text
    from agent.cca.interpret import run_check

    assert run_check(verifier.check, "| a |\n|---|\n| 1 |").status == "violated"
    assert run_check(verifier.check, "It works.").status != "violated"


def test_halves_stay_apart_where_each_says_something() -> None:
    from agent.cca.documents import blocks

    said = sentences(blocks("Use no tables; keep it under 50 words.\nNew line; more."))
    assert [each.text for each in rejoined(said, lambda first, second: False)] == [each.text for each in said]
    joined = rejoined(said, lambda first, second: "tables" in first)
    assert joined[0].text == "Use no tables; keep it under 50 words."


def test_a_full_stop_behind_a_space_ends_no_sentence() -> None:
    from agent.cca.documents import blocks

    (sentence,) = sentences(blocks("Never write relative imports (from . import x) in examples."))
    assert sentence.text.endswith("in examples.")


def test_sentences_that_demand_nothing_are_remembered() -> None:
    model = load_model()
    assert model is not None
    assert len(model.alone) > 1000


@pytest.fixture
def files_of_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Path]]:
    """Copies of the weights that a test may damage."""
    copies = tuple(Path(shutil.copy(file, tmp_path)) for file in (model._FILE, model.NETWORK_FILE))
    monkeypatch.setattr(model, "_FILE", copies[0])
    monkeypatch.setattr(model, "NETWORK_FILE", copies[1])
    forget()
    yield copies[0], copies[1]
    forget()


def forget() -> None:
    for cached in (model.load_model, model.fingerprint, rated):
        cached.cache_clear()


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("damage", ["empty", "cut", "noise", "flipped", "the other"])
def test_damaged_weights_are_told(files_of_weights: tuple[Path, Path], which: int, damage: str) -> None:
    file = files_of_weights[which]
    data = file.read_bytes()
    at = len(data) // 2
    file.write_bytes(
        {
            "empty": b"",
            "cut": data[:100_000],
            "noise": b"\x93\x80noise" * 500,
            "flipped": data[:at] + bytes(byte ^ 0xFF for byte in data[at : at + 64]) + data[at + 64 :],
            "the other": files_of_weights[1 - which].read_bytes(),
        }[damage]
    )
    with pytest.raises(UserError, match="are damaged"):
        load_model()


def test_what_was_compiled_without_weights_is_not_served_with_them(
    files_of_weights: tuple[Path, Path], tmp_path: Path
) -> None:
    sources, folder = [Source("prompt", "Please refrain from using acronyms.\n")], tmp_path / "cache"
    away = files_of_weights[0].rename(tmp_path / "away")
    assert not compile_rules(sources, folder=folder).verifiers
    away.rename(files_of_weights[0])
    forget()
    assert compile_rules(sources, folder=folder).verifiers
